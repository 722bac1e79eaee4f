//! Small looks at open files.

use super::open::{HEAD, stat_file};
use super::stat::FileStat;
use pensieve_text::model::Problem;
use std::fs::{File, Metadata};
use std::io;

/// What the system says of an open regular file.
///
/// # Errors
/// As a problem of that file: it cannot be looked at, or is no regular file.
pub fn stat_of(file: &File) -> Result<FileStat, Problem> {
    stat_file(file)
}

/// The first [`HEAD`] bytes of a file; where it is read next does not change.
pub fn read_head(file: &File) -> io::Result<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    let mut head = vec![0; HEAD];
    let mut length = 0;
    while length < HEAD {
        match file.read_at(&mut head[length..], length as u64) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(length);
    Ok(head)
}

/// Device and inode of what was looked at.
pub fn identity_of(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_without_moving() {
        use std::io::Read;
        let mut file = tempfile::tempfile().expect("a temporary file");
        io::Write::write_all(&mut file, &vec![b'x'; HEAD + 5]).expect("room");
        io::Seek::rewind(&mut file).expect("a file can be rewound");
        assert_eq!(read_head(&file).expect("readable").len(), HEAD);
        let mut all = Vec::new();
        file.read_to_end(&mut all).expect("readable");
        assert_eq!(all.len(), HEAD + 5);
        assert_eq!(stat_of(&file).expect("regular").size, HEAD as u64 + 5);
    }
}
