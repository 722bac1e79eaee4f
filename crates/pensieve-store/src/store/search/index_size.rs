//! How much a search table contains.

use crate::store::rows::sql::Queries;
use rusqlite::Connection;

/// The number of chunks in a search table, at least 1, and of all their words.
pub(super) fn table_size(connection: &Connection, table: &str) -> rusqlite::Result<(f64, f64)> {
    // FTS5 keeps both numbers in the first record of its data, as variable-length integers (comment "Averages Record" in
    // SQLite's fts5_index.c).
    let sql = format!("SELECT block FROM {table}_data WHERE id = 1");
    let record: Option<Vec<u8>> = connection.first(&sql, [], |row| row.get(0))?;
    let record = record.unwrap_or_default();
    let (chunks, rest) = read_varint(&record);
    let (words, _) = read_varint(rest);
    // Divisors of means.
    Ok(((chunks as f64).max(1.0), words as f64))
}

/// An integer of SQLite's variable length: seven bits a byte, the highest first, all eight of a ninth byte.
fn read_varint(bytes: &[u8]) -> (u64, &[u8]) {
    let mut value = 0_u64;
    for (at, &byte) in bytes.iter().enumerate().take(9) {
        if at == 8 {
            return ((value << 8) | u64::from(byte), &bytes[at + 1..]);
        }
        value = (value << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return (value, &bytes[at + 1..]);
        }
    }
    (value, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_variable_length_are_read_to_their_last_byte() {
        let check = |bytes: &[u8], expected: u64, rest: usize| {
            let (value, left) = read_varint(bytes);
            assert_eq!((value, left.len()), (expected, rest), "{bytes:?}");
        };
        check(&[0x05, 0x07], 5, 1);
        check(&[0x81, 0x00], 128, 0);
        check(&[0xff; 9], u64::MAX, 0);
        check(&[0xff, 0xff], 0x3fff, 0);
        check(&[], 0, 0);
    }
}
