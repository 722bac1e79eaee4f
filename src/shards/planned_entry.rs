//! An entry of a tree that is divided.

use pensieve_isolate::files::{SourceFolder, read_head};
use pensieve_store::scan::ScanEntry;
use pensieve_text::format::{
    Format, SniffOptions, SniffVerdict, by_extension, by_filename, extension_of, sniff,
};
use pensieve_text::model::{ContentHash, FileType};

/// An entry that is listed.
#[derive(Debug)]
pub(super) struct PlannedEntry {
    pub entry: ScanEntry,
    pub hash: Option<ContentHash>,
    /// The list that has it.
    pub shard: usize,
    /// Its format, where it was found before.
    pub format: Option<&'static Format>,
}

impl PlannedEntry {
    /// True for a file on disk.
    pub fn is_file(&self) -> bool {
        self.entry.file_type == FileType::File
    }

    /// Its bytes; 0 for what is no file.
    pub fn size(&self) -> u64 {
        if self.is_file() { self.entry.stat.size } else { 0 }
    }

    /// The format that its name says, or its first bytes where the name says nothing.
    pub fn find_format(&self, folder: &SourceFolder) -> Option<&'static Format> {
        let name = self.entry.path.rsplit('/').next().unwrap_or_default();
        let named = by_filename(&name.to_lowercase()).or_else(|| by_extension(&extension_of(name)));
        named.or_else(|| {
            let file = folder.open_file(&self.entry.relative, &self.entry.stat).ok()?;
            let head = read_head(&file).ok()?;
            let is_whole = head.len() as u64 == self.entry.stat.size;
            match sniff(&head, is_whole, name, &SniffOptions::default()).verdict {
                SniffVerdict::Read(format) => Some(format),
                SniffVerdict::Binary { .. } | SniffVerdict::Secret { .. } => None,
            }
        })
    }
}
