//! Encrypted packages, which are OLE compound files.

use crate::source::ReadSeek;
use memchr::memmem;
use pensieve_text::model::{Problem, ProblemKind};
use std::io::{self, Read};

/// The first bytes of an OLE compound file.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Why a file that begins as an OLE compound file is no package; `None` for other files.
pub(super) fn compound_problem(file: &mut dyn ReadSeek) -> io::Result<Option<Problem>> {
    let mut head = [0; 8];
    let mut filled = 0;
    while filled < head.len() {
        match file.read(&mut head[filled..])? {
            0 => return Ok(None),
            read => filled += read,
        }
    }
    if head != COMPOUND {
        return Ok(None);
    }
    let name = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let (package, rights) = (name("EncryptedPackage"), name("DRMEncrypted"));
    let (has_package, has_rights) = contains_either(file, &package, &rights)?;
    Ok(Some(match (has_package, has_rights) {
        (true, true) => Problem::new(ProblemKind::Encrypted, "encrypted by rights management"),
        (true, false) => Problem::new(ProblemKind::Encrypted, "encrypted with a password"),
        _ => Problem::new(ProblemKind::Damaged, "an OLE compound file, not an Office Open XML package"),
    }))
}

/// For each of two byte strings, whether it occurs in the rest of a file.
fn contains_either(file: &mut dyn Read, one: &[u8], other: &[u8]) -> io::Result<(bool, bool)> {
    let (one, other) = (memmem::Finder::new(one), memmem::Finder::new(other));
    let overlap = one.needle().len().max(other.needle().len());
    let mut buffer = vec![0; 64 << 10];
    let (mut kept, mut found) = (0, (false, false));
    loop {
        let read = file.read(&mut buffer[kept..])?;
        if read == 0 {
            return Ok(found);
        }
        let window = &buffer[..kept + read];
        found.0 |= one.find(window).is_some();
        found.1 |= other.find(window).is_some();
        let end = window.len();
        kept = end.min(overlap);
        buffer.copy_within(end - kept..end, 0);
    }
}
