//! A compound file from streams, for tests.

/// The bytes of a compound file with these streams in its root, none of them in the mini stream.
pub(crate) fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
    compound_of(512, streams)
}

/// The same with sectors of 512 bytes, or of 4096 bytes as in files of version 4.
pub(super) fn compound_of(sector_bytes: usize, streams: &[(&str, &[u8])]) -> Vec<u8> {
    // The format sorts them by length of their names, then by name.
    let mut streams = streams.to_vec();
    streams.sort_by_key(|(name, _)| (name.encode_utf16().count(), name.to_uppercase()));
    let mut chains: Vec<Vec<u8>> = streams.iter().map(|(_, bytes)| padded(bytes, sector_bytes)).collect();
    let mut directory = entry("Root Entry", 5, 0xffff_fffe, 0, u32::from(!streams.is_empty()));
    let mut sector = 1 + (((streams.len() + 1) * 128).div_ceil(sector_bytes)) as u32;
    for (at, ((name, bytes), chain)) in streams.iter().zip(&chains).enumerate() {
        let right = if at + 1 < streams.len() { at as u32 + 2 } else { 0xffff_ffff };
        let mut row = entry(name, 2, sector, bytes.len().max(4096) as u32, 0xffff_ffff);
        row[72..76].copy_from_slice(&right.to_le_bytes());
        directory.extend(row);
        sector += (chain.len() / sector_bytes) as u32;
    }
    directory.resize(directory.len().next_multiple_of(sector_bytes), 0);
    chains.insert(0, directory);
    let mut fat = vec![0xffff_fffdu32];
    for chain in &chains {
        let first = fat.len() as u32;
        let sectors = (chain.len() / sector_bytes) as u32;
        fat.extend((1..=sectors).map(|at| if at == sectors { 0xffff_fffe } else { first + at }));
    }
    assert!(fat.len() <= sector_bytes / 4, "one sector of the table is enough for a test");
    fat.resize(sector_bytes / 4, 0xffff_ffff);
    let mut file = vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    file.resize(sector_bytes, 0);
    let (version, shift) = if sector_bytes == 512 { (3, 9) } else { (4, 12) };
    for (at, value) in [(24, 0x3eu16), (26, version), (28, 0xfffe), (30, shift), (32, 6)] {
        file[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
    for (at, value) in [(44, 1u32), (48, 1), (56, 4096), (60, 0xffff_fffe), (68, 0xffff_fffe)] {
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    file[76..512].fill(0xff);
    file[76..80].copy_from_slice(&0u32.to_le_bytes());
    file.extend(fat.iter().flat_map(|number| number.to_le_bytes()));
    file.extend(chains.concat());
    file
}

fn padded(bytes: &[u8], sector_bytes: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().max(4096).next_multiple_of(sector_bytes), 0);
    bytes
}

/// An entry of the directory without neighbours.
pub(super) fn entry(name: &str, kind: u8, first: u32, size: u32, child: u32) -> Vec<u8> {
    let mut row = vec![0; 128];
    let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    row[..units.len()].copy_from_slice(&units);
    row[64..66].copy_from_slice(&(units.len() as u16 + 2).to_le_bytes());
    row[66] = kind;
    row[68..76].fill(0xff);
    row[76..80].copy_from_slice(&if child == 0 { u32::MAX } else { child }.to_le_bytes());
    row[116..120].copy_from_slice(&first.to_le_bytes());
    row[120..124].copy_from_slice(&size.to_le_bytes());
    row
}
