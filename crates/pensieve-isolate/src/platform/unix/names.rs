//! Names and paths as bytes: here they are bytes.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// A name or path as bytes, with `/` between names.
pub fn path_bytes(path: &OsStr) -> Cow<'_, [u8]> {
    Cow::Borrowed(path.as_bytes())
}

/// The name or path of these bytes.
pub fn name_from_bytes(bytes: &[u8]) -> Cow<'_, OsStr> {
    Cow::Borrowed(OsStr::from_bytes(bytes))
}

/// The path of these bytes.
pub fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}
