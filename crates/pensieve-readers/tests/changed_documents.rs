//! Changed documents: what the readers make of golden documents in which something was dropped, repeated, exchanged, put in
//! or given another value. `changed_documents/*.list` has a line for every document and kind of change: how many of the
//! changed documents were read, their words, sections and places, and their problems by kind.
//!
//! A list shows what is read more or less than before, and where; what is right, the golden documents show. `UPDATE_GOLDEN=1` writes the
//! lists anew: read which documents differ before you keep them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod changes;
mod goldens;
mod random;
mod record;

use changes::Change;
use pensieve_readers::nested::read_bytes;
use random::Random;
use record::{Record, compare, settings};
use std::fmt::Write;
use std::path::Path;

/// Documents made of one golden document by one kind of change, and how many changes each has.
const ROUNDS: usize = 30;
const ROUNDS_OF_SMALL: usize = 80;
const SMALL_BYTES: usize = 8 << 10;
const MAX_CHANGES: usize = 3;

fn changed(path: &Path, change: Change) -> Record {
    let bytes = std::fs::read(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut random = Random::new(&format!("{name} {change:?}"));
    let mut record = Record::default();
    let rounds = if bytes.len() <= SMALL_BYTES { ROUNDS_OF_SMALL } else { ROUNDS };
    for round in 0..rounds {
        let bytes = changes::change(&bytes, change, 1 + random.below(MAX_CHANGES), &mut random);
        read_bytes(&bytes, name, &settings(round), &mut |event| record.on_event(&event));
    }
    record
}

/// One test per part of the documents, since tests run side by side.
fn check(part: usize, parts: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/changed_documents");
    let mut list = String::new();
    for (format, path) in goldens::documents().into_iter().skip(part).step_by(parts) {
        let name = path.file_name().unwrap().to_str().unwrap();
        for change in Change::ALL {
            let _ = writeln!(list, "{format}/{name} {change:?}: {}", changed(&path, change).line());
        }
    }
    compare(&folder.join(format!("{part}.list")), &list);
}

#[test]
fn changed_documents_are_read_as_before_part_0() {
    check(0, 4);
}

#[test]
fn changed_documents_are_read_as_before_part_1() {
    check(1, 4);
}

#[test]
fn changed_documents_are_read_as_before_part_2() {
    check(2, 4);
}

#[test]
fn changed_documents_are_read_as_before_part_3() {
    check(3, 4);
}
