//! The rows that a run leaves in the database, whatever the order of its steps.

use super::*;
use crate::store::testing::{
    SameExtension, add, corpus, entry, execute, options, pending, read, root, run, store, task, texts, write,
};
use crate::store::{SearchOptions, TextVariant, VersionRow};
use pensieve_text::model::{DocumentSection, FileType, ProblemKind};
use std::path::Path;

/// Living and deleted files, each as `path status place`.
fn files(store: &Store) -> Vec<String> {
    let sql = "SELECT relative_path || ' ' || coalesce(processing_status, '-') || ' ' || coalesce(duplicate_status, '-')
               FROM files ORDER BY relative_path";
    texts(store, sql)
}

/// Chunks, each as `content: file file`.
fn chunks(store: &Store) -> Vec<String> {
    let sql = "SELECT c.content || ': ' || coalesce((SELECT group_concat(f.relative_path, ' ' ORDER BY f.relative_path)
                 FROM chunk_sources s JOIN files f USING(file_id) WHERE s.chunk_id = c.chunk_id), '')
               FROM chunks c ORDER BY c.content";
    texts(store, sql)
}

#[track_caller]
fn check(store: &Store, expected_files: &[&str], expected_chunks: &[&str]) {
    assert_eq!(files(store), expected_files);
    assert_eq!(chunks(store), expected_chunks);
    assert_eq!(store.laws().violations().unwrap(), []);
}

/// Paths of the hits of a query.
fn hits(store: &Store, query: &str) -> Vec<String> {
    let options = SearchOptions { query: query.to_owned(), ..SearchOptions::default() };
    let hits = store.search(&options).unwrap().hits;
    hits.into_iter().flat_map(|hit| hit.sources).map(|place| place.relative_path).collect()
}

#[test]
fn a_chunk_is_stored_once_and_counted_once() {
    let mut store = store();
    let added = run(&mut store, |writer| {
        let (a, b) = (add(writer, "a.txt", "1"), add(writer, "b.txt", "2"));
        [
            read(writer, a, &["one two", "three"], Outcome::default()),
            read(writer, b, &["three", "four five six"], Outcome::default()),
        ]
    });
    assert_eq!(added[0], AddedChunks { chunks: 2, new_chunks: 2, new_tokens: 3 });
    assert_eq!(added[1], AddedChunks { chunks: 2, new_chunks: 1, new_tokens: 3 });
    let files = ["a.txt Processed unique", "b.txt Processed unique"];
    check(&store, &files, &["four five six: b.txt", "one two: a.txt", "three: a.txt b.txt"]);
    assert_eq!(hits(&store, "three"), ["a.txt", "b.txt"]);
}

#[test]
fn a_file_that_is_read_again_keeps_the_rows_of_what_stays() {
    let mut store = corpus(&[("a.txt", &["stays", "goes"]), ("b.txt", &["goes too"])]);
    let kept = "SELECT chunk_id || '' FROM chunks WHERE content = 'stays'";
    let before = texts(&store, kept);
    run(&mut store, |writer| {
        let row = writer.store().files().at("/r/a.txt").unwrap().unwrap();
        writer.reset(row.file_id).unwrap();
        read(writer, row.file_id, &["stays", "comes"], Outcome::default());
    });
    let files = ["a.txt Processed unique", "b.txt Processed unique"];
    check(&store, &files, &["comes: a.txt", "goes too: b.txt", "stays: a.txt"]);
    assert_eq!(texts(&store, kept), before);
    assert_eq!(
        (hits(&store, "goes"), hits(&store, "comes")),
        (vec!["b.txt".to_owned()], vec!["a.txt".to_owned()])
    );
}

#[test]
fn an_error_leaves_a_row_and_no_content() {
    let mut store = corpus(&[("a.txt", &["same"]), ("b.txt", &["same"])]);
    run(&mut store, |writer| {
        let file_id = writer.store().files().at("/r/a.txt").unwrap().unwrap().file_id;
        let error = || Outcome {
            status: Some(ProcessingStatus::Error),
            reason: Some("broken".to_owned()),
            ..Outcome::default()
        };
        assert_eq!(read(writer, file_id, &["same"], error()), AddedChunks::default());
    });
    let reasons = texts(&store, "SELECT status_reason FROM files ORDER BY relative_path");
    assert_eq!(reasons, ["broken", "broken"]);
    assert_eq!(files(&store), ["a.txt Error canonical", "b.txt Error duplicate"]);
    assert_eq!(chunks(&store), [""; 0]);
}

#[test]
fn content_passes_to_the_next_file_of_a_group() {
    let mut store = corpus(&[("a.txt", &["same"]), ("b.txt", &["same"]), ("c.md", &["same"])]);
    let check_after = |store: &mut Store, gone: &str, files: &[&str], chunks: &[&str]| {
        run(store, |writer| {
            let file_id = writer.store().files().at(gone).unwrap().unwrap().file_id;
            writer.delete_file(file_id).unwrap();
        });
        check(store, files, chunks);
    };
    let files = ["a.txt Deleted -", "b.txt Processed canonical", "c.md Processed duplicate"];
    check_after(&mut store, "/r/a.txt", &files, &["same: b.txt"]);
    let facts = texts(
        &store,
        "SELECT format || encoding || extractor || estimated_tokens FROM files WHERE file_id = 2",
    );
    assert_eq!(facts, ["textUTF-8text 11"]);
    // `c.md` is a different document with the same bytes, so it has to be read.
    check_after(&mut store, "/r/b.txt", &["a.txt Deleted -", "b.txt Deleted -", "c.md Pending unique"], &[]);
}

#[test]
fn a_new_first_file_of_a_group_takes_its_content() {
    let mut store = corpus(&[("b.txt", &["same"])]);
    run(&mut store, |writer| add(writer, "a.txt", "same"));
    check(&store, &["a.txt Processed canonical", "b.txt Processed duplicate"], &["same: a.txt"]);
    run(&mut store, |writer| add(writer, "0.md", "same"));
    check(&store, &["0.md Pending canonical", "a.txt Pending duplicate", "b.txt Pending duplicate"], &[]);
}

#[test]
fn replaced_bytes_leave_the_old_content_to_a_copy() {
    let mut store = corpus(&[("a.txt", &["old"]), ("b.txt", &["old"])]);
    run(&mut store, |writer| {
        let new = Box::new(pending("new"));
        let file_id = writer.store().files().at("/r/a.txt").unwrap().unwrap().file_id;
        let replace = task(writer, file_id, TaskKind::Replace { entry: Box::new(entry("a.txt", 3)), new });
        assert!(writer.start(replace.file.file_id, &replace.kind).unwrap());
        write(writer, &["new"]);
        let outcome = Outcome { status: Some(ProcessingStatus::Processed), ..Outcome::default() };
        writer.finish(&outcome).unwrap();
        let back = Box::new(pending("old"));
        let replace =
            task(writer, file_id, TaskKind::Replace { entry: Box::new(entry("a.txt", 3)), new: back });
        assert!(!writer.start(replace.file.file_id, &replace.kind).unwrap(), "a copy was read already");
    });
    check(&store, &["a.txt Processed canonical", "b.txt Processed duplicate"], &["old: a.txt"]);
}

#[test]
fn a_duplicate_and_a_deleted_file_are_not_read() {
    let mut store = corpus(&[("a.txt", &["same"]), ("b.txt", &["same"])]);
    run(&mut store, |writer| {
        let id = |writer: &Writer<'_>, path: &str| writer.store().files().at(path).unwrap().unwrap().file_id;
        let (a, b) = (id(writer, "/r/a.txt"), id(writer, "/r/b.txt"));
        let task_b = task(writer, b, TaskKind::Read);
        assert!(!writer.start(task_b.file.file_id, &task_b.kind).unwrap());
        let task_a = task(writer, a, TaskKind::Read);
        writer.delete_file(a).unwrap();
        assert!(!writer.start(task_a.file.file_id, &task_a.kind).unwrap());
    });
    check(&store, &["a.txt Deleted -", "b.txt Processed unique"], &["same: b.txt"]);
}

#[test]
fn work_on_what_was_read_is_reverted() {
    let mut store = corpus(&[("a.txt", &["words"])]);
    run(&mut store, |writer| {
        let chunk = task(writer, 1, TaskKind::Chunk);
        assert!(writer.start(chunk.file.file_id, &chunk.kind).unwrap());
        writer.add_chunks("Recursive_9_0", Vec::new()).unwrap();
        writer.abandon().unwrap();
    });
    check(&store, &["a.txt Processed unique"], &["words: a.txt"]);
    run(&mut store, |writer| {
        let chunk = task(writer, 1, TaskKind::Chunk);
        assert!(writer.start(chunk.file.file_id, &chunk.kind).unwrap());
        // The same file once more: the first attempt is reverted.
        assert!(writer.start(chunk.file.file_id, &chunk.kind).unwrap());
        writer.abandon().unwrap();
        let read = task(writer, 1, TaskKind::Read);
        assert!(writer.start(read.file.file_id, &read.kind).unwrap());
        write(writer, &["other"]);
        writer.abandon().unwrap();
    });
    check(&store, &["a.txt Processed unique"], &["words: a.txt"]);
    run(&mut store, |writer| {
        let read = task(writer, 1, TaskKind::Read);
        assert!(writer.start(read.file.file_id, &read.kind).unwrap());
        write(writer, &["other"]);
        assert!(writer.can_keep());
        writer.keep(&Problem::new(ProblemKind::Timeout, "slow")).unwrap();
    });
    check(&store, &["a.txt Processed unique"], &["words: a.txt"]);
    let sql = "SELECT error_message || ' ' || (settings_hash IS NULL) FROM errors JOIN files USING(file_id)";
    let kept: String = store.connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, "slow 1");
}

#[test]
fn one_clean_version_is_current() {
    let mut store = corpus(&[("a.txt", &["words"])]);
    let version = |version: &str| VersionRow {
        variant: "clean",
        version: version.to_owned(),
        sha256: ContentHash::of(b""),
        bytes: 0,
        chars: 0,
        review: Vec::new(),
        review_counts: None,
        facts: Default::default(),
    };
    let conclude = |writer: &mut Writer<'_>, versions| {
        let status = Some(ProcessingStatus::Processed);
        writer.finish(&Outcome { status, versions, keeps_problems: true, ..Outcome::default() }).unwrap();
    };
    let current = |store: &Store| {
        let versions = store.texts().versions_of(1).unwrap();
        let clean = versions.into_iter().filter(|stored| stored.variant == TextVariant::Clean);
        clean.map(|stored| format!("{} {}", stored.version, stored.is_current)).collect::<Vec<_>>()
    };
    let options = WriterOptions { clean_version: "clean_v2", ..options(&store) };
    let mut writer = Writer::new(&mut store, options, &SameExtension).unwrap();
    let clean = task(&writer, 1, TaskKind::Clean { raw: "raw_v1".to_owned() });
    assert!(writer.start(clean.file.file_id, &clean.kind).unwrap());
    conclude(&mut writer, vec![version("clean_v2")]);
    writer.complete().unwrap();
    assert_eq!(current(&store), ["clean_v1 false", "clean_v2 true"]);
    run(&mut store, |writer| {
        let recall = task(writer, 1, TaskKind::Recall { version: "clean_v1".to_owned() });
        assert!(writer.start(recall.file.file_id, &recall.kind).unwrap());
        conclude(writer, Vec::new());
    });
    assert_eq!(current(&store), ["clean_v1 true", "clean_v2 false"]);
    assert_eq!(chunks(&store), [""; 0]);
    assert_eq!(store.texts().current(1, TextVariant::Raw).unwrap().unwrap().version, "raw_v1");
}

#[test]
fn a_tombstone_gives_its_row_back_and_yields_to_a_rename() {
    let mut store = corpus(&[("a.txt", &["a"]), ("b.txt", &["b"])]);
    run(&mut store, |writer| writer.delete_file(1).unwrap());
    run(&mut store, |writer| assert_eq!(add(writer, "a.txt", "new"), 1));
    assert_eq!(files(&store), ["a.txt Pending unique", "b.txt Processed unique"]);
    run(&mut store, |writer| {
        writer.delete_file(1).unwrap();
        writer.rename(2, &root(), &entry("a.txt", 1)).unwrap();
    });
    check(&store, &["a.txt Processed unique"], &["b: a.txt"]);
    let folder = ScanEntry { file_type: FileType::Folder, ..entry("folder", 0) };
    run(&mut store, |writer| {
        let file_id = writer.add_file(&root(), &folder, &NewFile::default()).unwrap();
        writer.delete_file(file_id).unwrap();
    });
    check(&store, &["a.txt Processed unique"], &["b: a.txt"]);
}

#[test]
fn an_entry_is_written_as_the_scan_found_it() {
    let mut store = store();
    let mut file = ScanEntry { symlink_target: Some("x".to_owned()), hidden: true, ..entry("d/.A.TXT", 12) };
    file.stat.permissions = 0o644;
    file.stat.created = Some((60, 0));
    run(&mut store, |writer| writer.add_file(&root(), &file, &NewFile::default()).unwrap());
    let sql = "SELECT full_filepath || ' ' || folder_path || ' ' || filename || ' ' || file_extension || ' ' || size_bytes
                 || ' ' || creation_date || ' ' || modification_date || ' ' || permissions || ' ' || depth_level
                 || ' ' || is_hidden || ' ' || is_symlink || ' ' || symlink_target FROM files";
    let expected =
        "/r/d/.A.TXT /r/d .A.TXT txt 12 1970-01-01T00:01:00.000Z 1970-01-01T00:00:05.000Z 644 2 1 1 x";
    assert_eq!(texts(&store, sql), [expected]);
    file.file_type = FileType::Folder;
    run(&mut store, |writer| writer.update_entry(1, &root(), &file).unwrap());
    assert_eq!(
        texts(
            &store,
            "SELECT file_type || ' ' || size_bytes || ' ' || mtime_s || mtime_ns || ctime_s || ctime_ns || inode FROM files"
        ),
        ["folder 0 56789"]
    );
    run(&mut store, |writer| writer.set_mime(1, "a/b").unwrap());
    assert_eq!(texts(&store, "SELECT mime_type FROM files"), ["a/b"]);
}

#[test]
fn a_problem_is_stored_once_and_goes_when_its_file_is_read() {
    let mut store = corpus(&[("a.txt", &["a"])]);
    let problem = |message: &str| Problem::new(ProblemKind::Damaged, message);
    let problems = |store: &Store| texts(store, "SELECT path || ' ' || error_message FROM errors ORDER BY 1");
    run(&mut store, |writer| {
        writer.add_problem(Some(1), "/r/a.txt", &problem("of the scan")).unwrap();
        writer.add_problem(None, "/r/gone", &problem("loose")).unwrap();
        writer.add_problem(None, "/rest", &problem("elsewhere")).unwrap();
    });
    assert_eq!(problems(&store), ["/r/a.txt of the scan", "/r/gone loose", "/rest elsewhere"]);
    run(&mut store, |writer| {
        writer.clear_loose_problems(&root(), &|_| true).unwrap();
        let problems = vec![problem("twice"), problem("twice")];
        read(writer, 1, &["a"], Outcome { problems, ..Outcome::default() });
    });
    assert_eq!(problems(&store), ["/r/a.txt twice", "/rest elsewhere"]);
    run(&mut store, |writer| {
        let problems = vec![problem("more"), problem("twice")];
        read(writer, 1, &["a"], Outcome { problems, keeps_problems: true, ..Outcome::default() });
        writer.rename(1, &root(), &entry("b.txt", 1)).unwrap();
    });
    assert_eq!(problems(&store), ["/r/b.txt more", "/r/b.txt twice", "/rest elsewhere"]);
}

#[test]
fn nothing_is_visible_before_a_commit() {
    let mut store = store();
    let options = options(&store);
    let mut writer = Writer::new(&mut store, options, &SameExtension).unwrap();
    add(&mut writer, "a.txt", "a");
    writer.commit().unwrap();
    add(&mut writer, "b.txt", "b");
    assert!(writer.has_hash(&ContentHash::of(b"b")).unwrap());
    drop(writer);
    assert_eq!(files(&store), ["a.txt Pending unique"]);
}

#[test]
fn the_path_of_a_member_that_cannot_be_read_is_an_error() {
    let mut store = store();
    run(&mut store, |writer| {
        let file_id = add(writer, "a.eml", "1");
        let file = task(writer, file_id, TaskKind::Read);
        writer.start(file.file.file_id, &file.kind).unwrap();
        assert_eq!(writer.member_path().unwrap(), "");
        let new = NewMember {
            path: "1/b.txt".to_owned(),
            within: None,
            member: "1".to_owned(),
            name: "b.txt".to_owned(),
            hash: ContentHash::of(b"words"),
            size: 5,
            mime: "text/plain".to_owned(),
        };
        writer.start_member(&new).unwrap();
        assert_eq!(writer.member_path().unwrap(), "a.eml/1/b.txt");
        execute(writer.store(), "ALTER TABLE files RENAME COLUMN hash TO no_hash");
        assert!(writer.member_path().is_err());
        execute(writer.store(), "ALTER TABLE files RENAME COLUMN no_hash TO hash");
        writer.abandon().unwrap();
    });
}

#[test]
fn a_load_that_was_cut_off_goes_on() {
    let mut store = store();
    let first = options(&store);
    let mut writer = Writer::new(&mut store, first, &SameExtension).unwrap();
    let file_id = add(&mut writer, "a.txt", "a");
    read(&mut writer, file_id, &["shared", "一二"], Outcome::default());
    writer.commit().unwrap();
    drop(writer);
    let refused = store.search(&SearchOptions { query: "shared".to_owned(), ..SearchOptions::default() });
    assert!(matches!(refused, Err(StoreError::Unfinished { .. })));
    let added = run(&mut store, |writer| {
        let file_id = add(writer, "b.txt", "b");
        read(writer, file_id, &["shared", "own"], Outcome::default())
    });
    assert_eq!(added.new_chunks, 1);
    let files = ["a.txt Processed unique", "b.txt Processed unique"];
    check(&store, &files, &["own: b.txt", "shared: a.txt b.txt", "一二: a.txt"]);
    assert_eq!(
        (hits(&store, "own"), hits(&store, "二")),
        (vec!["b.txt".to_owned()], vec!["a.txt".to_owned()])
    );
    let index = "SELECT name FROM sqlite_master WHERE name = 'chunks_by_hash'";
    assert_eq!(texts(&store, index), ["chunks_by_hash"]);
}

#[test]
fn search_is_filled_and_emptied_as_runs_ask_for_it() {
    let mut store = corpus(&[("a.txt", &["plain", "一二"])]);
    let switch = |store: &mut Store, search: bool| {
        let options = WriterOptions { search, ..options(store) };
        Writer::new(store, options, &SameExtension).unwrap().complete().unwrap();
    };
    switch(&mut store, false);
    let refused = store.search(&SearchOptions { query: "plain".to_owned(), ..SearchOptions::default() });
    assert!(matches!(refused, Err(StoreError::NoSearch { .. })));
    assert_eq!(texts(&store, "SELECT count(*) || '' FROM chunks_fts_unspaced_docsize"), ["0"]);
    let without = WriterOptions { search: false, ..options(&store) };
    let mut writer = Writer::new(&mut store, without, &SameExtension).unwrap();
    let file_id = add(&mut writer, "b.txt", "b");
    read(&mut writer, file_id, &["plain", "later"], Outcome::default());
    writer.complete().unwrap();
    switch(&mut store, true);
    assert_eq!(hits(&store, "plain"), ["a.txt", "b.txt"]);
    assert_eq!(
        (hits(&store, "later"), hits(&store, "一")),
        (vec!["b.txt".to_owned()], vec!["a.txt".to_owned()])
    );
    run(&mut store, |writer| writer.delete_file(1).unwrap());
    assert_eq!((hits(&store, "plain"), hits(&store, "一")), (vec!["b.txt".to_owned()], Vec::new()));
}

#[test]
fn a_chunk_is_counted_again_by_another_tokenizer() {
    let mut store = corpus(&[("a.txt", &["two words"])]);
    execute(&store, "UPDATE chunks SET tokenizer_model = 'other', estimated_tokens = 9");
    let added = run(&mut store, |writer| {
        let file_id = add(writer, "b.txt", "b");
        read(writer, file_id, &["two words"], Outcome::default())
    });
    assert_eq!(added, AddedChunks { chunks: 1, ..AddedChunks::default() });
    assert_eq!(texts(&store, "SELECT tokenizer_model || estimated_tokens FROM chunks"), ["cl100k_base2"]);
}

#[test]
fn a_chunk_of_a_load_that_was_cut_off_is_counted_again_by_another_tokenizer() {
    let mut store = store();
    let other = WriterOptions { tokenizer: "o200k_base".to_owned(), ..options(&store) };
    let mut writer = Writer::new(&mut store, other, &SameExtension).unwrap();
    let file_id = add(&mut writer, "a.txt", "a");
    read(&mut writer, file_id, &["two words"], Outcome::default());
    writer.commit().unwrap();
    drop(writer);
    run(&mut store, |writer| {
        let file_id = add(writer, "b.txt", "b");
        read(writer, file_id, &["two words"], Outcome::default())
    });
    assert_eq!(texts(&store, "SELECT tokenizer_model || estimated_tokens FROM chunks"), ["cl100k_base2"]);
}

#[test]
fn the_details_of_a_file_that_is_read_first_are_in_its_digests() {
    // `run` compares the digests with the rows.
    let problem = Problem::new(ProblemKind::Damaged, "cut off");
    let metadata = vec![("title".to_owned(), "Fog".to_owned())];
    let section = DocumentSection {
        seq: 0,
        level: 1,
        label: "Fog".to_owned(),
        anchor: String::new(),
        start: 0,
        end: 3,
        locator: None,
    };
    for outcome in [
        Outcome { problems: vec![problem.clone()], ..Outcome::default() },
        Outcome { metadata: metadata.clone(), ..Outcome::default() },
        Outcome { sections: Some(vec![section.clone()]), ..Outcome::default() },
        Outcome { mail: Some(Box::default()), ..Outcome::default() },
        Outcome { problems: vec![problem], metadata, sections: Some(vec![section]), ..Outcome::default() },
    ] {
        let mut store = store();
        run(&mut store, |writer| {
            let file_id = add(writer, "a.txt", "fog");
            read(writer, file_id, &["fog"], outcome);
        });
        check(&store, &["a.txt Processed unique"], &["fog: a.txt"]);
    }
}

#[test]
fn a_duplicate_that_the_scan_has_found_follows_the_file_that_is_read() {
    let mut store = store();
    run(&mut store, |writer| {
        let new = |duplicate, group| NewFile { duplicate: Some(duplicate), group, ..pending("same") };
        let canonical = new(DuplicateStatus::Canonical, None);
        let first = writer.add_file(&root(), &entry("a.txt", 4), &canonical).unwrap();
        let copy = new(DuplicateStatus::Duplicate, Some(first));
        writer.add_file(&root(), &entry("b.txt", 4), &copy).unwrap();
        read(writer, first, &["same"], Outcome::default());
    });
    let files = ["a.txt Processed canonical", "b.txt Processed duplicate"];
    check(&store, &files, &["same: a.txt"]);
}

#[test]
fn a_new_row_takes_a_free_uid_and_a_tombstone_at_its_path() {
    let mut store = store();
    let other = store.roots().add(Path::new("/s")).unwrap();
    run(&mut store, |writer| {
        let first = add(writer, "a.txt", "1");
        let second = writer.add_file(&other, &entry("a.txt", 1), &pending("2")).unwrap();
        assert_ne!(first, second);
        writer.delete_file(first).unwrap();
        assert_eq!(writer.add_file(&root(), &entry("a.txt", 1), &pending("3")).unwrap(), first);
    });
    assert_eq!(texts(&store, "SELECT DISTINCT doc_uid FROM files").len(), 2);
    assert_eq!(files(&store), ["a.txt Pending -", "a.txt Pending -"]);
}

#[test]
fn a_root_is_forgotten_with_what_it_alone_has() {
    let mut store = corpus(&[("a.txt", &["shared", "own"])]);
    let other = store.roots().add(Path::new("/s")).unwrap();
    run(&mut store, |writer| {
        let bytes = "b";
        let file_id = writer.add_file(&other, &entry("b.txt", 1), &pending(bytes)).unwrap();
        writer.settle(&ContentHash::of(bytes.as_bytes())).unwrap();
        read(writer, file_id, &["shared", "other"], Outcome::default());
        let copy = writer.add_file(&other, &entry("c.txt", 1), &pending("shared\nown")).unwrap();
        writer.settle(&ContentHash::of(b"shared\nown")).unwrap();
        assert_eq!(read(writer, copy, &["x"], Outcome::default()), AddedChunks::default());
        writer.add_problem(None, "/r/loose", &Problem::new(ProblemKind::Io, "m")).unwrap();
    });
    store.meta().set_last_scan(1, (1, 2)).unwrap();
    assert_eq!(store.maintenance().forget(&root(), &SameExtension).unwrap(), 1);
    let files = ["b.txt Processed unique", "c.txt Processed unique"];
    check(&store, &files, &["other: b.txt", "own: c.txt", "shared: b.txt c.txt"]);
    assert_eq!(store.maintenance().forget(&other, &SameExtension).unwrap(), 2);
    check(&store, &[], &[]);
    assert_eq!(texts(&store, "SELECT path FROM errors UNION ALL SELECT path FROM roots"), [""; 0]);
    assert_eq!(store.meta().last_scan(1).unwrap(), None);
}

#[test]
fn equal_paths_of_two_roots_have_different_uids() {
    let mut store = corpus(&[("a.txt", &["a"])]);
    let other = store.roots().add(Path::new("/s")).unwrap();
    run(&mut store, |writer| writer.add_file(&other, &entry("a.txt", 1), &pending("b")).unwrap());
    let uids = texts(&store, "SELECT doc_uid FROM files ORDER BY file_id");
    let uid = |number| ContentHash::of(format!("doc\0a.txt\0{number}").as_bytes()).to_hex()[..32].to_owned();
    assert_eq!(uids, [uid(0), uid(1)]);
}

#[test]
fn any_number_of_chunks_is_written_in_order_and_a_repeated_one_once() {
    for count in [0, 1, 2, 3, 15, 16, 17, 18, 31, 32, 33, 50] {
        let mut store = store();
        // Every fifth repeats one that waits beside it, or was written with a group before.
        let contents: Vec<String> =
            (0..count).map(|at| format!("number {}", if at % 5 == 4 { at / 2 } else { at })).collect();
        let chunks: Vec<&str> = contents.iter().map(String::as_str).collect();
        let distinct: std::collections::HashSet<&str> = chunks.iter().copied().collect();
        let added = run(&mut store, |writer| {
            let file = add(writer, "a.txt", "1");
            read(writer, file, &chunks, Outcome::default())
        });
        assert_eq!((added.chunks, added.new_chunks), (count as u64, distinct.len() as u64), "{count}");
        let places = "SELECT content FROM chunk_sources JOIN chunks USING(chunk_id) ORDER BY start_index";
        assert_eq!(texts(&store, places), contents, "{count}");
        let ids = texts(&store, "SELECT chunk_id || '' FROM chunks ORDER BY chunk_id");
        let expected: Vec<String> = (1..=distinct.len()).map(|id| id.to_string()).collect();
        assert_eq!(ids, expected, "{count}");
        assert_eq!(store.laws().violations().unwrap(), [], "{count}");
    }
}

#[test]
fn constraints_are_checked_except_in_the_first_load_of_an_empty_database() {
    let mut store = store();
    let is_checked = |connection: &rusqlite::Connection| {
        let is_set = |name: &str| {
            connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, bool>(0)).unwrap()
        };
        assert_eq!(is_set("foreign_keys"), !is_set("ignore_check_constraints"));
        is_set("foreign_keys")
    };
    run(&mut store, |writer| {
        assert!(!is_checked(&writer.store().connection));
        add(writer, "a.txt", "1")
    });
    assert!(is_checked(&store.connection));
    // Files but no chunks: again a load, but there are rows to refer to.
    run(&mut store, |writer| assert!(is_checked(&writer.store().connection)));
    // A run that ends early.
    let mut store = self::store();
    let begun = options(&store);
    drop(Writer::new(&mut store, begun, &SameExtension).unwrap());
    assert!(is_checked(&store.connection));
}
