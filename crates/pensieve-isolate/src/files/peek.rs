//! Metadata and first bytes of open files.

use super::open::{HEAD_BYTES, stat_file};
use crate::platform::{FileStat, read_at};
use pensieve_text::model::Problem;
use std::fs::File;
use std::io;

/// The metadata of an open regular file.
///
/// # Errors
/// As a problem of that file: its metadata cannot be read, or it is no regular file.
pub fn stat_of(file: &File) -> Result<FileStat, Problem> {
    stat_file(file)
}

/// The first [`HEAD_BYTES`] bytes of a file; the position of the next read does not change.
pub fn read_head(file: &File) -> io::Result<Vec<u8>> {
    let mut head = vec![0; HEAD_BYTES];
    let mut length = 0;
    while length < HEAD_BYTES {
        match read_at(file, &mut head[length..], length as u64) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    head.truncate(length);
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_without_moving() {
        use std::io::Read;
        let mut file = tempfile::tempfile().expect("a temporary file");
        io::Write::write_all(&mut file, &vec![b'x'; HEAD_BYTES + 5]).expect("room");
        io::Seek::rewind(&mut file).expect("a file can be rewound");
        assert_eq!(read_head(&file).expect("readable").len(), HEAD_BYTES);
        let mut all = Vec::new();
        file.read_to_end(&mut all).expect("readable");
        assert_eq!(all.len(), HEAD_BYTES + 5);
        assert_eq!(stat_of(&file).expect("regular").size, HEAD_BYTES as u64 + 5);
    }
}
