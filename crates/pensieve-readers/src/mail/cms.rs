//! S/MIME packets: a signed packet is unpacked, an encrypted one is reported. Format: RFC 8551, RFC 5652 (CMS), in
//! the basic encoding rules of X.690, as far as that needs.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CmsContent {
    /// A part of a mail, with its header.
    Content(Vec<u8>),
    /// Something that needs a key.
    Encrypted,
    /// Something else, or unreadable.
    Other,
}

const SIGNED: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02";
const ENVELOPED: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03";
const ENCRYPTED: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x06";
const AUTHENTICATED: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x17";

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const OBJECT: u8 = 0x06;
const OCTETS: u8 = 0x04;
const EXPLICIT: u8 = 0xa0;

pub(super) fn open_packet(bytes: &[u8]) -> CmsContent {
    let mut reader = DerReader { bytes, at: 0 };
    let kind = reader.enter(SEQUENCE).and_then(|()| reader.take(OBJECT));
    match kind {
        Some(SIGNED) => signed(&mut reader).map_or(CmsContent::Other, CmsContent::Content),
        Some(ENVELOPED | ENCRYPTED | AUTHENTICATED) => CmsContent::Encrypted,
        _ => CmsContent::Other,
    }
}

/// `SignedData`: version, digests, and the content inside an `EncapsulatedContentInfo`.
fn signed(reader: &mut DerReader<'_>) -> Option<Vec<u8>> {
    reader.enter(EXPLICIT)?;
    reader.enter(SEQUENCE)?;
    reader.take(0x02)?;
    reader.skip(SET)?;
    reader.enter(SEQUENCE)?;
    reader.take(OBJECT)?;
    reader.enter(EXPLICIT)?;
    reader.octets().filter(|content| !content.is_empty())
}

struct DerReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> DerReader<'b> {
    /// The next tag and the length of its content; the length is `None` if an end mark ends the content.
    fn tag(&mut self) -> Option<(u8, Option<usize>)> {
        let tag = *self.bytes.get(self.at)?;
        let first = *self.bytes.get(self.at + 1)?;
        self.at += 2;
        let length = match first {
            0x80 => return Some((tag, None)),
            short if short < 0x80 => usize::from(short),
            long => {
                let count = usize::from(long & 0x7f);
                let digits = self.bytes.get(self.at..self.at + count).filter(|_| count <= 4)?;
                self.at += count;
                digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit))
            }
        };
        Some((tag, Some(length)))
    }

    /// Enters a value that contains others.
    fn enter(&mut self, wanted: u8) -> Option<()> {
        self.tag().filter(|(tag, _)| *tag == wanted).map(|_| ())
    }

    /// The content of the next value.
    fn take(&mut self, wanted: u8) -> Option<&'b [u8]> {
        let (_, length) = self.tag().filter(|(tag, _)| *tag == wanted)?;
        let content = self.bytes.get(self.at..self.at.checked_add(length?)?)?;
        self.at += content.len();
        Some(content)
    }

    /// Skips a value, however deep it is.
    fn skip(&mut self, wanted: u8) -> Option<()> {
        let (tag, length) = self.tag()?;
        let mut depth = 1_usize;
        match length.filter(|_| tag == wanted) {
            Some(length) => self.at = self.at.checked_add(length)?,
            None if tag == wanted => {
                while depth > 0 {
                    match self.tag()? {
                        (0, Some(0)) => depth -= 1,
                        (_, None) => depth += 1,
                        (_, Some(length)) => self.at = self.at.checked_add(length)?,
                    }
                }
            }
            None => return None,
        }
        Some(())
    }

    /// A string of bytes, whole or in segments; of a truncated one, what is there.
    fn octets(&mut self) -> Option<Vec<u8>> {
        let (tag, length) = self.tag()?;
        if tag == OCTETS {
            let end = self.at.checked_add(length?)?.min(self.bytes.len());
            return Some(self.bytes[self.at..end].to_vec());
        }
        let end = match length.filter(|_| tag == OCTETS | 0x20) {
            Some(length) => self.at.checked_add(length)?.min(self.bytes.len()),
            None if tag == OCTETS | 0x20 => self.bytes.len(),
            None => return None,
        };
        let mut out = Vec::new();
        while self.at < end {
            match self.tag() {
                Some((OCTETS, Some(length))) => {
                    let stop = self.at.checked_add(length)?.min(end);
                    out.extend_from_slice(&self.bytes[self.at..stop]);
                    self.at = stop;
                }
                Some((tag, _)) if tag == OCTETS | 0x20 => {}
                _ => break,
            }
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(kind: &[u8], inner: &[u8]) -> Vec<u8> {
        [&[0x30, 0x80, 0x06, kind.len() as u8], kind, &[0xa0, 0x80], inner].concat()
    }

    #[test]
    fn signed_content_is_unpacked() {
        let head = b"\x30\x80\x02\x01\x01\x31\x02\x05\x00\x30\x80\x06\x01\x2a\xa0\x80";
        let whole = [&head[..], b"\x04\x05hello"].concat();
        assert_eq!(open_packet(&packed(SIGNED, &whole)), CmsContent::Content(b"hello".to_vec()));
        let pieces = [&head[..], b"\x24\x80\x04\x03hel\x04\x02lo\0\0"].concat();
        assert_eq!(open_packet(&packed(SIGNED, &pieces)), CmsContent::Content(b"hello".to_vec()));
        let cut = [&head[..], b"\x04\x05hel"].concat();
        assert_eq!(open_packet(&packed(SIGNED, &cut)), CmsContent::Content(b"hel".to_vec()));
    }

    #[test]
    fn encrypted_and_broken_packets_are_recognised() {
        assert_eq!(open_packet(&packed(ENVELOPED, b"")), CmsContent::Encrypted);
        assert_eq!(open_packet(&packed(SIGNED, b"\x30\x84\xff\xff\xff\xff")), CmsContent::Other);
        assert_eq!(open_packet(b""), CmsContent::Other);
    }
}
