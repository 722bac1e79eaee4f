//! The golden documents of the readers, through the whole program.

use crate::support::Workshop;
use std::fs;
use std::path::{Path, PathBuf};

/// Every golden document with the format whose folder it lies in.
fn cases() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/pensieve-readers/tests/golden");
    let mut cases = Vec::new();
    for format in fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let name = format.file_name().into_string().unwrap();
        for file in fs::read_dir(format.path()).unwrap().flatten().map(|file| file.path()) {
            let is_ours =
                file.extension().is_some_and(|extension| extension == "golden" || extension == "py");
            if !is_ours && file.is_file() {
                cases.push((name.clone(), file));
            }
        }
    }
    cases.sort();
    cases
}

/// The laws hold on all of them together, with one thread and with eight, and a second run finds nothing to do.
#[test]
fn the_laws_hold_on_golden_documents() {
    let workshop = Workshop::new();
    for (format, path) in cases() {
        let name = path.file_name().unwrap().to_str().unwrap();
        workshop.write(format!("{format}/{name}"), fs::read(&path).unwrap());
    }
    workshop.ingest(&["--threads", "1"]);
    workshop.verify();
    let fingerprint = workshop.fingerprint();
    assert_eq!(fingerprint, workshop.clean_fingerprint(&["--threads", "8"]));
    let again = workshop.ingest(&[]);
    for count in ["new", "changed", "deleted", "renamed", "retried", "chunks"] {
        assert_eq!(again[count], 0, "{count} of {again}");
    }
    assert_eq!(
        workshop.rows("SELECT full_filepath FROM files WHERE processing_status = 'Skipped_Dependency'"),
        [""; 0]
    );
}
