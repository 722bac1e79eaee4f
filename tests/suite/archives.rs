//! Archives are containers: their files are documents like those on disk, within limits.

use crate::audit::audit;
use crate::support::Workshop;
use pensieve::cli::ingest_settings;
use pensieve::config::{ConfigSources, load};
use pensieve::ingest;
use pensieve_text::model::{Observer, ProgressEvent};
use std::ffi::OsString;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::Command;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const MEMBERS: &str = "SELECT relative_path, processing_status, duplicate_status, format FROM files
    WHERE file_type = 'member' ORDER BY relative_path";

/// Chunks with their places, but for the container around them.
const CHUNKS: &str = "SELECT DISTINCT content_hash FROM chunks ORDER BY 1";

pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer
            .start_file(*name, SimpleFileOptions::default().last_modified_time(zip::DateTime::default()))
            .unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// A tar archive, with GNU tar's checksum of each header.
pub fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, content) in entries {
        let mut block = vec![0; 512];
        block[..name.len()].copy_from_slice(name.as_bytes());
        block[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
        block[156] = b'0';
        block[257..263].copy_from_slice(b"ustar\0");
        block[148..156].fill(b' ');
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.extend(block);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// A workshop whose user reads archives.
pub fn workshop() -> Workshop {
    let workshop = Workshop::new();
    std::fs::create_dir_all(workshop.path("home/.config/pensieve")).unwrap();
    std::fs::write(workshop.path("home/.config/pensieve/pensieve.toml"), "[scan]\narchives = true\n")
        .unwrap();
    workshop
}

#[track_caller]
pub fn check_fresh(workshop: &Workshop, flags: &[&str]) {
    workshop.verify();
    audit(&workshop.database());
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(flags));
    let again = workshop.ingest(flags);
    for count in ["new", "changed", "deleted", "renamed", "retried", "chunks"] {
        assert_eq!(again[count], 0, "{count} of {again}");
    }
}

const MAIL: &str = "Subject: One\nFrom: Ann <ann@example.org>\nMIME-Version: 1.0\n\
    Content-Type: multipart/mixed; boundary=b\n\n--b\n\nThe letter.\n--b\nContent-Type: text/plain\n\
    Content-Disposition: attachment; filename=\"notes.txt\"\n\nAttached words.\n--b--\n";

#[test]
fn files_in_archives_are_documents_with_citations() {
    let workshop = workshop();
    workshop.write("disk.txt", "Words on disk.\n");
    let inner = zip(&[("deep/code.py", b"def deep():\n    return 1\n"), ("disk.txt", b"Words on disk.\n")]);
    let outer = tar(&[("mail.eml", MAIL.as_bytes()), ("inner.zip", &inner), ("prog", b"\x7fELF\0\0\x01")]);
    workshop.write("backup.tar.gz", gzip(&outer));
    workshop.write("dump.sql.gz", gzip(b"SELECT rivers FROM europe;\n"));
    let summary = workshop.ingest(&[]);
    assert_eq!((&summary["new"], &summary["members"]), (&3.into(), &6.into()), "{summary}");
    let expected = [
        "backup.tar.gz/inner.zip|Processed|unique|zip",
        "backup.tar.gz/inner.zip/deep/code.py|Processed|unique|python",
        "backup.tar.gz/inner.zip/disk.txt|Processed|duplicate|",
        "backup.tar.gz/mail.eml|Processed|unique|eml",
        "backup.tar.gz/mail.eml/2/notes.txt|Processed|unique|text",
        "backup.tar.gz/prog|Skipped_Binary|unique|",
        "dump.sql.gz/dump.sql|Processed|unique|sql",
    ];
    assert_eq!(workshop.rows(MEMBERS), expected);
    let hits = workshop.run(["search", "corpus.db", "\"Attached words\"", "--json"]).expect(0).json();
    let source = &hits["hits"][0]["sources"][0];
    assert_eq!(source["name"], "backup.tar.gz » mail.eml » 2 » notes.txt", "{source}");
    let cited =
        workshop.run(["cite", "corpus.db", source["citation"].as_str().unwrap(), "--json"]).expect(0).json();
    assert_eq!((&cited["holds"], &cited["moved"]), (&true.into(), &false.into()), "{cited}");
    let shown = workshop.run(["text", "corpus.db", "tree/dump.sql.gz/dump.sql"]).expect(0);
    assert_eq!(shown.stdout, "SELECT rivers FROM europe;\n");
    assert_eq!(
        workshop.file("backup.tar.gz/inner.zip/deep/code.py", "depth_level, filename, member"),
        "4|code.py|deep/code.py"
    );
    check_fresh(&workshop, &[]);
}

#[test]
fn one_changed_file_changes_its_chunks_alone() {
    let workshop = workshop();
    let names: Vec<String> = (0..20).map(|number| format!("notes/{number}.txt")).collect();
    let texts: Vec<String> = (0..20).map(|number| format!("The words of note {number}.\n")).collect();
    let pack = |texts: &[String]| {
        let entries: Vec<(&str, &[u8])> =
            names.iter().zip(texts).map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
        zip(&entries)
    };
    workshop.write("a.zip", pack(&texts));
    workshop.ingest(&[]);
    let ids = "SELECT chunk_id, content FROM chunks ORDER BY 1";
    let before = workshop.rows(ids);
    let mut changed = texts.clone();
    changed[7] = "Other words.\n".to_owned();
    workshop.write("a.zip", pack(&changed));
    workshop.ingest(&[]);
    let after = workshop.rows(ids);
    assert_eq!(after.iter().filter(|row| before.contains(row)).count(), 19);
    check_fresh(&workshop, &[]);
    workshop.rename("a.zip", "moved/b.zip");
    workshop.ingest(&[]);
    assert_eq!(
        workshop.one("SELECT count(*) FROM files WHERE relative_path LIKE 'moved/b.zip/notes/%.txt'"),
        "20"
    );
    assert_eq!(workshop.file("moved/b.zip/notes/3.txt", "depth_level"), "4");
    check_fresh(&workshop, &[]);
    workshop.remove("moved/b.zip");
    workshop.write("c.txt", "Left.\n");
    workshop.ingest(&["--allow-mass-deletion"]);
    assert_eq!(workshop.one("SELECT count(*) FROM files WHERE file_type = 'member'"), "0");
}

#[test]
fn the_setting_reads_archives_again_and_nothing_else() {
    let workshop = Workshop::new();
    workshop.write("a.zip", zip(&[("a.txt", b"Packed words.\n")]));
    workshop.write("b.dat", gzip(b"More words.\n"));
    workshop.write("mail.eml", MAIL);
    workshop.write("c.png", b"\x89PNG\r\n\x1a\n\0\0");
    let config = |value: bool| format!("[scan]\narchives = {value}\n");
    std::fs::write(workshop.path("off.toml"), config(false)).unwrap();
    std::fs::write(workshop.path("on.toml"), config(true)).unwrap();
    let (off, on) = (["--config", "off.toml"], ["--config", "on.toml"]);
    let off_summary = workshop.ingest(&off);
    assert_eq!(workshop.file("a.zip", "processing_status, status_reason"), "Skipped_Binary|ZIP archive");
    assert_eq!(off_summary["skipped_archives"], 2, "{off_summary}");
    assert_eq!(workshop.file("b.dat", "processing_status, status_reason"), "Skipped_Binary|gzip archive");
    let on_summary = workshop.ingest(&on);
    assert_eq!(on_summary["members"], 2, "{on_summary}");
    assert_eq!(workshop.one("SELECT count(*) FROM files WHERE relative_path = 'b.dat/b.dat'"), "1");
    check_fresh(&workshop, &on);
    workshop.ingest(&off);
    assert_eq!(workshop.one("SELECT count(*) FROM files WHERE relative_path LIKE 'a.zip/%'"), "0");
    check_fresh(&workshop, &off);
}

/// True if the program is installed.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// The golden documents packed by the programs of the system, three deep: the same chunks as unpacked.
#[test]
fn packed_documents_have_the_chunks_of_unpacked_ones() {
    if !["tar", "xz", "bzip2"].iter().all(|program| has(program)) {
        return crate::support::left_out("tar, xz or bzip2");
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/pensieve-readers/tests/golden");
    let workshop = workshop();
    for format in ["docx", "eml", "epub", "odt", "xlsx"] {
        for file in std::fs::read_dir(golden.join(format)).unwrap().flatten() {
            let name = file.file_name().into_string().unwrap();
            if !name.ends_with(".golden") && !name.ends_with(".py") && file.path().is_file() {
                workshop.write(format!("{format}/{name}"), std::fs::read(file.path()).unwrap());
            }
        }
    }
    workshop.ingest(&[]);
    let chunks = workshop.rows(CHUNKS);
    let tree = workshop.tree();
    let pack = |flag: &str, archive: &str, inside: &str| {
        let status = Command::new("tar")
            .args([flag, archive, "--remove-files"])
            .args(inside.split(' '))
            .current_dir(&tree)
            .status();
        assert!(status.unwrap().success());
    };
    pack("-cJf", "one.tar.xz", "docx eml");
    pack("-cjf", "two.tbz2", "epub odt xlsx one.tar.xz");
    pack("-czf", "three.tgz", "two.tbz2");
    workshop.ingest(&["--allow-mass-deletion"]);
    assert_eq!(workshop.rows(CHUNKS), chunks);
    check_fresh(&workshop, &[]);
}

/// A worker that crashes at the first document of an archive, unless it is told that it did.
const CRASHING_WORKER: &str = r#"
    while read -r line; do
        id=${line#*\"id\":}; id=${id%%,*}
        row() { echo "{\"id\":$id,\"row\":$1}"; }
        member() {
            row "\"member\",\"member\":\"$1\",\"at\":\"$1\",\"name\":\"$1\",\"hash\":\"$hash\",\"size\":3,\"mime\":\"text/plain\",$2"
        }
        hash=0000000000000000000000000000000000000000000000000000000000000001
        case $line in
            *'"lost":'*)
                member bad.txt '"verdict":"Error","message":"it crashed","kind":"Crashed"'
                row '"end"'
                row '"document"'
                row '"done"' ;;
            *) member bad.txt '"verdict":"read","format":"text"'; kill -SEGV $$ ;;
        esac
    done"#;

struct Silent;

impl Observer for Silent {
    fn on_event(&self, _: &ProgressEvent<'_>) {}
}

#[test]
fn a_file_that_crashes_its_reader_is_reported_alone() {
    let workshop = workshop();
    workshop.write("a.zip", zip(&[("bad.txt", b"bad")]));
    let config = load(&ConfigSources::default()).unwrap();
    let mut settings = ingest_settings(&config, &workshop.tree(), &workshop.database());
    settings.scan.archives = true;
    settings.worker = ["/bin/sh", "-c", CRASHING_WORKER].map(OsString::from).to_vec();
    ingest::run(&settings, &Silent).unwrap();
    assert_eq!(workshop.fate("a.zip"), "Processed|");
    assert_eq!(workshop.fate("a.zip/bad.txt"), "Error|Crashed");
}
