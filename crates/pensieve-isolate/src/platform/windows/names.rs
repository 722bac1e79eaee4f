//! Names and paths as bytes: UTF-8 with `/` between names, as on other systems. Half of a surrogate pair, which Windows
//! permits in a name, is written in three bytes, which are not UTF-8.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// A name or path as bytes, with `/` between names.
pub fn path_bytes(path: &OsStr) -> Cow<'_, [u8]> {
    match path.to_str() {
        Some(text) if !text.contains('\\') => Cow::Borrowed(text.as_bytes()),
        Some(text) => Cow::Owned(text.replace('\\', "/").into_bytes()),
        None => Cow::Owned(bytes_of_units(path)),
    }
}

fn bytes_of_units(path: &OsStr) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in char::decode_utf16(path.encode_wide()) {
        match unit {
            Ok('\\') => bytes.push(b'/'),
            Ok(character) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(half) => {
                let half = half.unpaired_surrogate();
                bytes.extend([0xED, 0x80 | (half >> 6 & 0x3F) as u8, 0x80 | (half & 0x3F) as u8]);
            }
        }
    }
    bytes
}

/// The name or path of these bytes.
pub fn name_from_bytes(bytes: &[u8]) -> Cow<'_, OsStr> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(OsStr::new(text)),
        Err(_) => Cow::Owned(OsString::from_wide(&units(bytes))),
    }
}

/// The path of these bytes.
pub fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(name_from_bytes(&bytes).into_owned())
}

fn units(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::new();
    let mut rest = bytes;
    while let Some(chunk) = rest.utf8_chunks().next() {
        units.extend(chunk.valid().encode_utf16());
        rest = &rest[chunk.valid().len()..];
        rest = match rest {
            [0xED, high @ 0xA0..=0xBF, low @ 0x80..=0xBF, after @ ..] => {
                units.push(0xD000 | u16::from(high & 0x3F) << 6 | u16::from(low & 0x3F));
                after
            }
            [_, after @ ..] => {
                units.push(0xFFFD);
                after
            }
            [] => rest,
        };
    }
    units
}
