//! The directory of a compound file and its tree of storages and streams: [MS-CFB], section 2.6.
//!
//! Of the tree only the links count. Names may be out of order, colours wrong and streams have children; each entry is
//! visited once, whatever the links say, and an entry that no link reaches belongs to the root, because a document
//! whose tree is broken still has its streams.

use crate::limits::ole::MAX_STORAGE_DEPTH;
use crate::shared::bytes::u32_le;

/// Bytes of an entry.
pub(super) const ENTRY_BYTES: usize = 128;

/// A storage or a stream; neither if it has no name.
#[derive(Debug, Clone)]
pub(crate) struct CompoundEntry {
    /// Its name, without a path.
    pub name: String,
    /// A storage contains other entries, a stream contains bytes.
    pub is_storage: bool,
    /// Its size according to the directory.
    pub size: u64,
    /// The storage that contains it; the root for the root.
    pub parent: usize,
    /// The first sector of its bytes.
    pub(super) first: u32,
}

/// The links of an entry, and whether the entry has its place in the tree.
struct TreeNode {
    left: u32,
    right: u32,
    child: u32,
    is_seen: bool,
}

/// All entries in the order of the file.
pub(super) struct Directory {
    pub entries: Vec<CompoundEntry>,
    /// For each entry those that it contains.
    pub children: Vec<Vec<usize>>,
    /// True if storages lie deeper than the limit: their entries are nobody's children.
    pub is_too_deep: bool,
    /// True if the root, or an entry to which a link of the tree leads, is not in use: something overwrote it.
    pub has_lost_entries: bool,
}

impl Directory {
    /// Reads the entries; in large files sizes have 64 bits, in others the upper half may be rubbish.
    pub(super) fn parse(bytes: &[u8], is_large: bool) -> Directory {
        let rows = bytes.chunks_exact(ENTRY_BYTES);
        let entries: Vec<CompoundEntry> = rows.clone().map(|row| entry_of(row, is_large)).collect();
        let mut nodes: Vec<TreeNode> = rows.map(node_of).collect();
        let children = vec![Vec::new(); entries.len()];
        let mut directory = Directory { entries, children, is_too_deep: false, has_lost_entries: false };
        if let Some((entry, node)) = directory.entries.first_mut().zip(nodes.first_mut()) {
            directory.has_lost_entries = !entry.is_storage && entry.name.is_empty();
            (entry.is_storage, node.is_seen) = (true, true);
        }
        directory.place_below(0, &mut nodes);
        // Lost storages come before lost streams, which may be theirs.
        for is_storage in [true, false] {
            for at in 1..nodes.len() {
                let entry = &directory.entries[at];
                if nodes[at].is_seen || entry.name.is_empty() || entry.is_storage != is_storage {
                    continue;
                }
                nodes[at].is_seen = true;
                directory.children[0].push(at);
                directory.place_below(at, &mut nodes);
            }
        }
        directory
    }

    /// Gives what is linked below a storage to it and to the storages in it.
    fn place_below(&mut self, top: usize, nodes: &mut [TreeNode]) {
        let mut storages = vec![(top, 1)];
        while let Some((storage, depth)) = storages.pop() {
            for at in linked_below(storage, nodes) {
                let entry = &mut self.entries[at];
                if entry.name.is_empty() {
                    self.has_lost_entries = true;
                    continue;
                }
                entry.parent = storage;
                if entry.is_storage {
                    storages.push((at, depth + 1));
                }
                match depth <= MAX_STORAGE_DEPTH {
                    true => self.children[storage].push(at),
                    false => self.is_too_deep = true,
                }
            }
        }
    }
}

/// The entries that the links of a storage lead to, from left to right, those seen before left out.
fn linked_below(storage: usize, nodes: &mut [TreeNode]) -> Vec<usize> {
    let mut found = Vec::new();
    let child = nodes.get(storage).map_or(u32::MAX, |node| node.child);
    let mut waiting = vec![(child, false)];
    while let Some((link, is_left_done)) = waiting.pop() {
        let Some(node) = nodes.get_mut(link as usize) else { continue };
        if is_left_done {
            found.push(link as usize);
            waiting.push((node.right, false));
        } else if !std::mem::replace(&mut node.is_seen, true) {
            waiting.push((link, true));
            waiting.push((node.left, false));
        }
    }
    found
}

/// An entry; unused ones keep their place without a name, because links are numbers.
fn entry_of(row: &[u8], is_large: bool) -> CompoundEntry {
    let kind = row.get(66).copied().unwrap_or(0);
    // The length beside the name is not needed: a zero ends the name.
    let units = row.iter().step_by(2).zip(row.iter().skip(1).step_by(2));
    let units = units.take(32).map(|(low, high)| u16::from_le_bytes([*low, *high]));
    let units: Vec<u16> = units.take_while(|unit| kind != 0 && *unit != 0).collect();
    let number = |at: usize| u32_le(row, at).unwrap_or(0);
    let upper = if is_large { u64::from(number(124)) << 32 } else { 0 };
    CompoundEntry {
        name: String::from_utf16_lossy(&units),
        is_storage: matches!(kind, 1 | 5),
        size: u64::from(number(120)) | upper,
        parent: 0,
        first: number(116),
    }
}

fn node_of(row: &[u8]) -> TreeNode {
    let link = |at: usize| u32_le(row, at).unwrap_or(u32::MAX);
    TreeNode { left: link(68), right: link(72), child: link(76), is_seen: false }
}
