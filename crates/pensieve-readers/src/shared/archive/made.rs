//! Makes packages for tests of readers.

use flate2::Crc;
use std::io::Write;

/// A package of deflated entries.
pub fn package(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in entries {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        let mut crc = Crc::new();
        crc.update(content);
        let sizes = [crc.sum(), packed.len() as u32, content.len() as u32].map(u32::to_le_bytes).concat();
        let header = bytes.len() as u32;
        let common =
            [&[20, 0, 0, 8, 8, 0, 0, 0, 0, 0], &sizes[..], &(name.len() as u16).to_le_bytes(), &[0, 0]];
        bytes.extend([b"PK\x03\x04", &common.concat()[..], name.as_bytes(), &packed].concat());
        let places = [&[0; 10][..], &header.to_le_bytes()].concat();
        directory.extend([b"PK\x01\x02\x14\x00", &common.concat()[..], &places, name.as_bytes()].concat());
    }
    let (start, length, count) = (bytes.len() as u32, directory.len() as u32, entries.len() as u16);
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bytes.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}
