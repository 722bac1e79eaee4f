//! Compressed RTF, the form in which Outlook stores bodies of mails. Format: [MS-OXRTFCP] sections 2.1 and 3.1.

use crate::limits::rtf::MAX_DECOMPRESSED_BYTES;

/// The content of the dictionary before the first byte.
const PRELOADED: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \
\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/// The RTF of a compressed body; of a truncated one as much as there is. `None` if it is not such a body.
pub(crate) fn decompress(bytes: &[u8]) -> Option<Vec<u8>> {
    let number = |at: usize| {
        bytes.get(at..at + 4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    };
    let raw_size = (number(4)? as usize).min(MAX_DECOMPRESSED_BYTES);
    let content = bytes.get(16..)?;
    match bytes.get(8..12)? {
        b"LZFu" => Some(expand(content, raw_size)),
        b"MELA" => Some(content[..content.len().min(raw_size)].to_vec()),
        _ => None,
    }
}

fn expand(content: &[u8], raw_size: usize) -> Vec<u8> {
    let mut dictionary = [b' '; 4096];
    dictionary[..PRELOADED.len()].copy_from_slice(PRELOADED);
    let mut write = PRELOADED.len();
    // A reference of two bytes expands to at most 17.
    let mut out = Vec::with_capacity(raw_size.min(content.len().saturating_mul(9)));
    let mut bytes = content.iter().copied();
    while let Some(control) = bytes.next() {
        for bit in 0..8 {
            if out.len() >= raw_size {
                return out;
            }
            if control >> bit & 1 == 0 {
                let Some(byte) = bytes.next() else { return out };
                out.push(byte);
                dictionary[write] = byte;
                write = (write + 1) % 4096;
                continue;
            }
            let (Some(high), Some(low)) = (bytes.next(), bytes.next()) else { return out };
            let reference = u16::from_be_bytes([high, low]);
            let offset = usize::from(reference >> 4);
            if offset == write {
                return out;
            }
            for at in 0..usize::from(reference & 15) + 2 {
                let byte = dictionary[(offset + at) % 4096];
                out.push(byte);
                dictionary[write] = byte;
                write = (write + 1) % 4096;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of [MS-OXRTFCP] section 4.1.
    #[test]
    fn the_example_of_the_specification_expands() {
        let bytes = b"\x2d\0\0\0\x2b\0\0\0LZFu\xf1\xc5\xc7\xa7\x03\0\x0a\0rcpg125B\x32\x0a\xf3 hel\x09\0 bw\x05\xb0ld}\x0a\x80\x0f\xa0";
        let expected: &[u8] = b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n";
        assert_eq!(decompress(bytes).as_deref(), Some(expected));
    }

    /// The dictionary is a ring of 4,096 bytes; the reference crosses its end.
    #[test]
    fn references_cross_the_end_of_the_dictionary() {
        let literals: Vec<u8> = (0..5_000).map(|number| (number % 251) as u8).collect();
        let mut content = Vec::new();
        for eight in literals.chunks(8) {
            content.push(0);
            content.extend_from_slice(eight);
        }
        // 17 bytes from 4,090 on: the first literal is at 207.
        content.extend_from_slice(&[1, 0xff, 0xaf]);
        let found = expand(&content, 5_017);
        assert_eq!(found[..5_000], literals);
        assert_eq!(found[5_000..], literals[3_883..3_900]);
    }

    #[test]
    fn what_is_cut_gives_its_beginning() {
        assert_eq!(decompress(b"\0\0\0\0\xff\xff\xff\xffLZFu\0\0\0\0\0ab"), Some(b"ab".to_vec()));
        assert_eq!(decompress(b"\0\0\0\0\x03\0\0\0MELA\0\0\0\0abcd"), Some(b"abc".to_vec()));
        assert_eq!(decompress(b"LZFu"), None);
    }
}
