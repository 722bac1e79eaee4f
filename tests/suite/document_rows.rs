//! `pensieve worker --rows chunks`: a program that stores the rows itself has what `export` prints.

use crate::support::{Workshop, ran};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// The rows of a worker for some files below a root.
fn rows_of(place: &Workshop, root: &Path, files: &[String], flags: &[&str]) -> Vec<Value> {
    let requests: Vec<String> =
        files.iter().enumerate().map(|(id, path)| json!({"id": id, "path": path}).to_string()).collect();
    answered(place, root, (requests.join("\n") + "\n").into_bytes(), files.len(), flags)
}

/// The rows for some requests, each answered once and to the end.
fn answered(place: &Workshop, root: &Path, requests: Vec<u8>, count: usize, flags: &[&str]) -> Vec<Value> {
    let words = ["worker", "--protocol", "2", "--rows", "chunks", "--root"].map(str::to_owned);
    let words =
        words.into_iter().chain([root.display().to_string()]).chain(flags.iter().map(|f| (*f).to_owned()));
    let mut command = place.command(words);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writing = std::thread::spawn(move || stdin.write_all(&requests));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<Value> = output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let done: Vec<&Value> = rows.iter().filter(|row| row["row"] == "done").map(|row| &row["id"]).collect();
    assert_eq!(done, (0..count).map(|id| json!(id)).collect::<Vec<_>>().iter().collect::<Vec<_>>());
    rows
}

/// The documents that are read: of those with the same bytes the first, files on disk before documents inside others. What
/// is inside the others is not there.
fn canonical(rows: &[Value]) -> BTreeSet<String> {
    let documents = rows.iter().filter(|row| row["row"] == "document" && row["hash"].is_string());
    let mut documents: Vec<&Value> = documents.collect();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    documents.sort_by_key(|row| (row["parent"].is_string(), text(row, "relative_path")));
    let (mut seen, mut canonical) = (BTreeSet::new(), BTreeSet::new());
    for row in documents {
        let is_there = row["parent"].is_null() || canonical.contains(&text(row, "parent"));
        if is_there && seen.insert(text(row, "hash")) {
            canonical.insert(text(row, "doc_uid"));
        }
    }
    canonical
}

/// Each place of each chunk, as text; copies of a document are known to a database alone.
fn places(rows: impl Iterator<Item = Value>) -> Vec<String> {
    let mut places = Vec::new();
    for row in rows {
        for source in row["sources"].as_array().unwrap() {
            let mut source = source.clone();
            source.as_object_mut().unwrap().remove("duplicates");
            let facts =
                ["content_hash", "content", "text", "tokens", "tokenizer"].map(|key| row[key].clone());
            places.push(json!([facts, source]).to_string());
        }
    }
    places.sort();
    places
}

/// Ingests a root, asks a worker for each of its files, and compares.
#[track_caller]
fn check_rows(place: &Workshop, root: &Path, flags: &[&str]) -> Vec<Value> {
    place.ingest_root(&root.display().to_string(), &[]);
    let files = place.rows("SELECT relative_path FROM files WHERE file_type = 'file' ORDER BY 1");
    let rows = rows_of(place, root, &files, flags);
    let canonical = canonical(&rows);
    let is_canonical = |row: &Value| canonical.contains(row["sources"][0]["doc_uid"].as_str().unwrap());
    let chunks = rows.iter().filter(|row| row["row"] == "chunk").filter(|row| is_canonical(row));
    let exported = place.run(["export", "corpus.db"]).expect(0).stdout;
    let exported = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (own, theirs) = (places(chunks.cloned()), places(exported));
    assert_eq!(own.len(), theirs.len());
    own.iter().zip(&theirs).for_each(|(own, theirs)| assert_eq!(own, theirs));
    let documents = rows.iter().filter(|row| row["row"] == "document");
    for row in
        documents.filter(|row| row["parent"].is_null() || canonical.contains(row["parent"].as_str().unwrap()))
    {
        let (doc_uid, hash) = (row["doc_uid"].as_str().unwrap(), row["hash"].as_str().unwrap_or_default());
        let stored = place.one(&format!(
            "SELECT relative_path || '|' || coalesce(hash, '') || '|' || size_bytes FROM files WHERE doc_uid = '{doc_uid}'"
        ));
        assert_eq!(stored, format!("{}|{hash}|{}", row["relative_path"].as_str().unwrap(), row["size"]));
    }
    rows
}

#[test]
fn a_worker_gives_the_chunks_that_export_prints() {
    let place = Workshop::new();
    let rows = check_rows(&place, &Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), &[]);
    let documents = rows.iter().filter(|row| row["row"] == "document");
    assert!(documents.filter(|row| row["parent"].is_string()).count() > 0, "mails have attachments");
}

#[test]
fn what_is_inside_a_copy_is_left_to_the_original() {
    let place = Workshop::new();
    let letter = |name: &str, inner: &str| {
        format!(
            "Subject: {name}\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary={name}\n\n--{name}\n\n\
             The letter {name}.\n--{name}\nContent-Type: message/rfc822\n\n{inner}\n--{name}--\n"
        )
    };
    let inner = letter("inner", "Subject: deep\n\nDeep words.\n");
    place.write("a.eml", letter("outer", &inner));
    place.write("b.eml", &inner);
    place.write("c.eml", letter("other", &inner));
    check_rows(&place, &place.tree(), &[]);
}

#[test]
fn settings_come_from_the_configuration() {
    let place = Workshop::new();
    place.write(
        "a.md",
        "# A\n\nOne two three four five six seven.\n\n## B\n\nEight nine ten eleven twelve thirteen.\n",
    );
    std::fs::write(place.path("small.toml"), "chunk_size = 16\nchunk_overlap = 0\n").unwrap();
    let rows = rows_of(&place, &place.tree(), &["a.md".to_owned()], &["--config", "small.toml"]);
    let tokens: Vec<u64> =
        rows.iter().filter_map(|row| row["tokens"].as_u64().filter(|_| row["row"] == "chunk")).collect();
    assert!(tokens.len() > 1 && tokens.iter().all(|tokens| *tokens <= 16), "{tokens:?}");
}

#[test]
fn what_cannot_be_read_has_rows_that_say_so() {
    let place = Workshop::new();
    place.write("broken.docx", "PK\u{3}\u{4} no archive");
    place.write("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    let files = ["broken.docx", "missing.md", "picture.png"].map(str::to_owned);
    let rows = rows_of(&place, &place.tree(), &files, &[]);
    let kinds: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{} {} {}{}",
                row["id"],
                row["row"].as_str().unwrap(),
                row["kind"].as_str().unwrap_or(""),
                row["status"].as_str().unwrap_or("")
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "0 problem Damaged",
            "0 document Error",
            "0 done ",
            "1 problem Vanished",
            "1 document Error",
            "1 done ",
            "2 document Skipped_Binary",
            "2 done ",
        ]
    );
}

#[test]
fn versions_and_rows_that_do_not_fit_are_refused() {
    let place = Workshop::new();
    place.run(["worker", "--protocol", "1", "--rows", "chunks"]).expect(2);
    place.run(["worker", "--protocol", "2", "--rows", "chunks", "--descriptors"]).expect(2);
    place.run(["worker", "--protocol", "2", "--root", "tree"]).expect(2);
    let nothing = ran(place.command(["worker", "--protocol", "2"]).stdin(Stdio::null()));
    assert_eq!(nothing.expect(0).stdout, "");
}

/// A request that the bytes of a document follow.
fn sent(id: usize, path: &str, bytes: &[u8]) -> Vec<u8> {
    let line = json!({"id": id, "path": path, "bytes": bytes.len()}).to_string();
    [line.as_bytes(), b"\n", bytes].concat()
}

#[test]
fn bytes_that_are_sent_have_the_rows_of_their_file() {
    let place = Workshop::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    place.ingest_root(&fixtures.display().to_string(), &[]);
    let names = place.rows("SELECT relative_path FROM files WHERE file_type = 'file' ORDER BY 1");
    let requests = names.iter().enumerate();
    let requests =
        requests.flat_map(|(id, name)| sent(id, name, &std::fs::read(fixtures.join(name)).unwrap()));
    let requests: Vec<u8> = requests.collect();
    for flags in [&[][..], &["--config", "archives.toml"]] {
        std::fs::write(place.path("archives.toml"), "[scan]\narchives = true\n").unwrap();
        let expected = rows_of(&place, &fixtures, &names, flags);
        let found = answered(&place, &fixtures, requests.clone(), names.len(), flags);
        assert_eq!(found.len(), expected.len());
        found.iter().zip(&expected).for_each(|(found, expected)| assert_eq!(found, expected));
        let elsewhere = answered(&place, Path::new("s3://bucket/docs"), requests.clone(), names.len(), flags);
        assert_eq!(elsewhere.len(), expected.len(), "no path is opened");
    }
}

#[test]
fn bytes_that_do_not_come_to_their_end_stop_the_worker() {
    let place = Workshop::new();
    for (bytes, stated) in [("abc", 4), ("abc", 2)] {
        let line = json!({"id": 0, "path": "a.md", "bytes": stated}).to_string() + "\n" + bytes;
        let mut child = place.command(["worker", "--protocol", "2", "--rows", "chunks"]);
        let mut child =
            child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
}
