//! [`FileStat`]: the metadata of a file.

/// Sizes, times and identity of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileStat {
    /// Bytes.
    pub size: u64,
    /// Modification time: seconds since 1970.
    pub mtime_s: i64,
    /// Modification time: nanoseconds within the second.
    pub mtime_ns: i64,
    /// Time of the last change of content or metadata: seconds since 1970.
    pub ctime_s: i64,
    /// Time of the last change of content or metadata: nanoseconds within the second.
    pub ctime_ns: i64,
    /// Inode number.
    pub inode: u64,
    /// Device number.
    pub device: u64,
    /// Birth time, where the file system keeps it.
    pub created: Option<(i64, u32)>,
    /// Time of the last access.
    pub accessed: (i64, u32),
    /// Permission bits, `mode & 0o7777`.
    pub permissions: u32,
}

impl FileStat {
    /// True if nothing in the two readings indicates that the content of the file may differ.
    pub fn same_content(&self, other: &FileStat) -> bool {
        let key = |s: &FileStat| (s.size, s.mtime_s, s.mtime_ns, s.ctime_s, s.ctime_ns, s.inode, s.device);
        key(self) == key(other)
    }

    /// True if the file has become longer since an earlier reading, as a log does.
    pub fn has_grown_since(&self, earlier: &FileStat) -> bool {
        self.identity() == earlier.identity() && 0 < earlier.size && earlier.size < self.size
    }

    /// Device and inode: which file it is, whatever its name.
    pub fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }
}
