//! Numbers at an offset of a slice (`None` if the slice ends before them), and bytes written as digits.

/// True if zeros stand where characters stood: so many of them that no program wrote them into a text. For bytes that are
/// nothing but text; of 1,100 undamaged texts of office documents and mails none has more than three zeros in a row.
pub(crate) fn has_lost_characters(text: &[u8]) -> bool {
    const MIN_LOST_BYTES: usize = 16;
    memchr::memmem::find(text, &[0; MIN_LOST_BYTES]).is_some()
}

/// Replaces a mark and two hexadecimal digits by their byte.
pub(crate) fn hex_escapes(text: &[u8], mark: u8, out: &mut Vec<u8>) {
    let digit = |at: usize| text.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut at = 0;
    while let Some(found) = memchr::memchr(mark, &text[at..]) {
        out.extend_from_slice(&text[at..at + found]);
        at += found;
        match (digit(at + 1), digit(at + 2)) {
            (Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(mark);
                at += 1;
            }
        }
    }
    out.extend_from_slice(&text[at..]);
}

/// An address without `%20` and the like; as it is if its bytes are no UTF-8.
pub(crate) fn percent_decoded(address: &str) -> String {
    let mut bytes = Vec::with_capacity(address.len());
    hex_escapes(address.as_bytes(), b'%', &mut bytes);
    String::from_utf8(bytes).unwrap_or_else(|_| address.to_owned())
}

/// The unsigned 16-bit little-endian number at `at`.
pub(crate) fn u16_le(bytes: &[u8], at: usize) -> Option<u16> {
    array_at(bytes, at).map(u16::from_le_bytes)
}

/// The unsigned 32-bit little-endian number at `at`.
pub(crate) fn u32_le(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_le_bytes)
}

/// The unsigned 64-bit little-endian number at `at`.
pub(crate) fn u64_le(bytes: &[u8], at: usize) -> Option<u64> {
    array_at(bytes, at).map(u64::from_le_bytes)
}

/// The unsigned 16-bit big-endian number at `at`.
pub(crate) fn u16_be(bytes: &[u8], at: usize) -> Option<u16> {
    array_at(bytes, at).map(u16::from_be_bytes)
}

/// The unsigned 32-bit big-endian number at `at`.
pub(crate) fn u32_be(bytes: &[u8], at: usize) -> Option<u32> {
    array_at(bytes, at).map(u32::from_be_bytes)
}

/// The 32-bit little-endian length or place at `at`.
pub(crate) fn usize_le(bytes: &[u8], at: usize) -> Option<usize> {
    u32_le(bytes, at).map(|number| number as usize)
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_zeros_in_a_text_are_no_loss() {
        assert!(!has_lost_characters(b"w\0o\0r\0d\0\0\0\0\0"));
        assert!(has_lost_characters(&[b"words".as_slice(), &[0; 16], b"words"].concat()));
    }

    #[test]
    fn numbers_are_read_where_they_are_whole() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!((u16_le(&bytes, 0), u16_be(&bytes, 0)), (Some(0x0201), Some(0x0102)));
        assert_eq!((u32_le(&bytes, 5), u32_be(&bytes, 5)), (Some(0x0908_0706), Some(0x0607_0809)));
        assert_eq!((u64_le(&bytes, 1), u64_le(&bytes, 2)), (Some(0x0908_0706_0504_0302), None));
        assert_eq!((u16_le(&bytes, 8), usize_le(&bytes, 6), u32_be(&bytes, usize::MAX)), (None, None, None));
    }
}
