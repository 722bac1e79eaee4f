//! Makes tar archives for tests.

/// The header of an entry: its name, its type, its target if it is a link, and its size.
pub(in crate::containers) fn header(name: &[u8], kind: u8, link: &[u8], size: usize) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name);
    block[100..108].copy_from_slice(b"0000644\0");
    block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    block[156] = kind;
    block[157..157 + link.len()].copy_from_slice(link);
    block[257..265].copy_from_slice(b"ustar\x0000");
    signed(block)
}

/// A header with its checksum.
pub(in crate::containers) fn signed(mut block: Vec<u8>) -> Vec<u8> {
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// An entry with its data.
pub(in crate::containers) fn entry(name: &[u8], kind: u8, content: &[u8]) -> Vec<u8> {
    let filled = content.len().next_multiple_of(512);
    let mut data = content.to_vec();
    data.resize(filled, 0);
    [header(name, kind, b"", content.len()), data].concat()
}

/// An archive of entries, with its end.
pub(in crate::containers) fn archive(entries: &[Vec<u8>]) -> Vec<u8> {
    [entries.concat(), vec![0; 1024]].concat()
}
