//! Numbers at an offset of a slice; `None` if the slice ends before them.

/// True if the bytes of a text have a block of zeros, which no program writes there: a disk or a transfer lost it.
pub(crate) fn has_zero_block(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, &[0; MIN_ZERO_BYTES]).is_some()
}

/// Bytes of the shortest block of zeros that is no accident.
const MIN_ZERO_BYTES: usize = 64;

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
    fn numbers_are_read_where_they_are_whole() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!((u16_le(&bytes, 0), u16_be(&bytes, 0)), (Some(0x0201), Some(0x0102)));
        assert_eq!((u32_le(&bytes, 5), u32_be(&bytes, 5)), (Some(0x0908_0706), Some(0x0607_0809)));
        assert_eq!((u64_le(&bytes, 1), u64_le(&bytes, 2)), (Some(0x0908_0706_0504_0302), None));
        assert_eq!((u16_le(&bytes, 8), usize_le(&bytes, 6), u32_be(&bytes, usize::MAX)), (None, None, None));
    }
}
