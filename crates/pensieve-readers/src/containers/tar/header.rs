//! The header of an entry of tar: one block with its name, its size, its type, and a checksum.

/// Bytes of a block.
pub(super) const BLOCK_BYTES: usize = 512;

/// One block of an archive.
pub(super) type Block = [u8; BLOCK_BYTES];

/// The fields of a header that are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub name: Vec<u8>,
    pub link: Vec<u8>,
    pub size: u64,
    pub kind: u8,
    /// The map of the holes of a sparse file goes on in the next block.
    pub has_more_holes: bool,
}

impl Header {
    /// Reads a header; `None` if its checksum is wrong or its size is no number.
    pub fn read(block: &Block) -> Option<Header> {
        if !has_checksum(block) {
            return None;
        }
        let name = text(block, 0, 100);
        let is_posix = block.get(257..263) == Some(b"ustar\0");
        let prefix = if is_posix { text(block, 345, 155) } else { Vec::new() };
        let name = if prefix.is_empty() { name } else { [&prefix[..], b"/", &name].concat() };
        let (kind, size) = (block[156], number(block.get(124..136)?)?);
        Some(Header {
            name,
            link: text(block, 157, 100),
            size,
            kind,
            has_more_holes: kind == b'S' && block[482] != 0,
        })
    }
}

/// True if the block has the checksum of a header: the sum of its bytes, those of the sum itself counted as blanks.
pub(in crate::containers) fn has_checksum(block: &Block) -> bool {
    let (before, rest) = block.split_at(148);
    let (stored, after) = rest.split_at(8);
    let bytes = || before.iter().chain(after);
    let unsigned: u64 = bytes().map(|byte| u64::from(*byte)).sum::<u64>() + 8 * u64::from(b' ');
    // Some early programs added signed bytes.
    let signed: i64 = bytes().map(|byte| i64::from(byte.cast_signed())).sum::<i64>() + 8 * i64::from(b' ');
    number(stored).is_some_and(|stored| stored == unsigned || stored as i64 == signed)
}

/// A field up to its first zero.
fn text(block: &Block, at: usize, length: usize) -> Vec<u8> {
    let field = block.get(at..at + length).unwrap_or_default();
    field.split(|byte| *byte == 0).next().unwrap_or_default().to_vec()
}

/// A number in octal digits, or in binary where its first bit is set; nothing but blanks is zero.
fn number(field: &[u8]) -> Option<u64> {
    if let [first, rest @ ..] = field
        && first & 0x80 != 0
    {
        // A negative number has no meaning here.
        let start = u64::from(first & 0x7f);
        return rest.iter().try_fold(start, |sum, byte| Some(sum.checked_mul(256)? | u64::from(*byte)));
    }
    let is_blank = |byte: &u8| matches!(byte, b' ' | 0);
    let start = field.iter().position(|byte| !is_blank(byte)).unwrap_or(field.len());
    let digits = field.get(start..).unwrap_or_default();
    let digits = digits.split(is_blank).next().unwrap_or_default();
    digits.iter().try_fold(0u64, |sum, digit| match digit {
        b'0'..=b'7' => sum.checked_mul(8)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_octal_or_binary() {
        let check = |field: &[u8], expected| assert_eq!(number(field), expected, "{field:?}");
        check(b"0000644\0", Some(0o644));
        check(b"   12 ", Some(0o12));
        check(b"        ", Some(0));
        check(b"12x", None);
        check(&[0x80, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2], Some((1 << 32) + 2));
        check(&[0xff; 12], None);
    }
}
