//! Packed files (`.gz`, `.bz2`, `.xz`, `.zst`): a packed tar archive is read as that archive, without a document between;
//! anything else is one document, named like the file without its last extension.

use super::entries::{EntryKind, emit_entries};
use super::tar;
use crate::settings::ReadSettings;
use crate::shared::unpack::{Packing, unpacked};
use crate::source::{DocumentSink, DocumentSource, unreadable};
use pensieve_text::format::extension_of;
use pensieve_text::model::{Document, Problem};
use std::io::{BufReader, Cursor, Read};

/// Bytes of the file that are read at a time.
const BUFFER_BYTES: usize = 128 << 10;

/// Bytes that show a tar archive: its first block.
const HEAD_BYTES: usize = 512;

/// Extensions that stand for two, and those of packed files of one program.
const NAMES: &[(&str, &str)] = &[
    ("crate", "tar"),
    ("svgz", "svg"),
    ("tbz", "tar"),
    ("tbz2", "tar"),
    ("tgz", "tar"),
    ("txz", "tar"),
    ("tzst", "tar"),
];

const EXTENSIONS: &[&str] = &["bz2", "gz", "xz", "zst"];

/// Reads a file packed with bzip2.
///
/// # Errors
/// The file cannot be read or unpacked at all, or the sink stops.
pub(crate) fn read_bzip2(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    read(source, Packing::Bzip2, sink)
}

/// Reads a file packed with gzip.
///
/// # Errors
/// As [`read_bzip2`].
pub(crate) fn read_gzip(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    read(source, Packing::Gzip, sink)
}

/// Reads a file packed with xz.
///
/// # Errors
/// As [`read_bzip2`].
pub(crate) fn read_xz(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    read(source, Packing::Xz, sink)
}

/// Reads a file packed with Zstandard.
///
/// # Errors
/// As [`read_bzip2`].
pub(crate) fn read_zstd(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    read(source, Packing::Zstd, sink)
}

fn read(
    source: &mut DocumentSource<'_>,
    packing: Packing,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let name = unpacked_name(source.name());
    emit_entries(sink, &mut |visit| {
        let file = BufReader::with_capacity(BUFFER_BYTES, source.file()?);
        let mut data = unpacked(packing, file).map_err(unreadable)?;
        let mut head = Vec::new();
        // An error comes again when it is read after the head.
        let failure = (&mut data).take(HEAD_BYTES as u64).read_to_end(&mut head).err();
        let is_tar = head.first_chunk().is_some_and(tar::has_checksum);
        let failed = Failing(failure);
        let mut data = Cursor::new(head).chain(failed).chain(data);
        match is_tar {
            true => tar::walk(data, visit),
            false => visit.entry(&name, EntryKind::File, &mut data),
        }
    })
}

/// The failure of a reader, once.
struct Failing(Option<std::io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The name of what is packed in a file of this name.
fn unpacked_name(name: &str) -> String {
    let extension = extension_of(name);
    let stem = name.get(..name.len().saturating_sub(extension.len() + 1)).unwrap_or_default();
    match NAMES.iter().find(|(packed, _)| *packed == extension) {
        _ if stem.is_empty() => name.to_owned(),
        Some((_, inner)) => format!("{stem}.{inner}"),
        None if EXTENSIONS.contains(&extension.as_str()) => stem.to_owned(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
