//! The results of each group of queries on small corpora.

use super::problems::ProblemRow;
use super::statistics::FormatStats;
use super::*;
use crate::store::places::chunk_place::FileCopy;
use crate::store::testing::{
    add, corpus, execute, read, read_member, rewrite_digests, root, run, store, task, texts, write,
};
use crate::store::{NewFile, Outcome, Store, TaskKind, TextVariant};
use pensieve_text::model::{
    ContentHash, FileType, Problem, ProblemKind, ProcessingStatus, ReviewReasonKind, SourceSpan,
};

/// A mail with a member, a copy of that member, a file without a copy.
fn sample() -> Store {
    let mut store = store();
    run(&mut store, |writer| {
        let mail = add(writer, "box/m.eml", "mail");
        let start = task(writer, mail, TaskKind::Read);
        assert!(writer.start(start.file.file_id, &start.kind).unwrap());
        write(writer, &["letter", "shared"]);
        read_member(writer, None, "2/inner.txt", &["inside", "shared"]);
        let metadata =
            vec![("title".to_owned(), "A Title".to_owned()), ("author".to_owned(), "B".to_owned())];
        let (status, format) = (Some(ProcessingStatus::Processed), Some("eml".to_owned()));
        writer.finish(&Outcome { status, format, metadata, ..Outcome::default() }).unwrap();
        let copy = add(writer, "z.txt", "inside\nshared");
        read(writer, copy, &["inside", "shared"], Outcome::default());
        let a = add(writer, "a.md", "a");
        read(writer, a, &["Top > Next | alpha beta", "shared", "gamma"], Outcome::default());
    });
    store
}

fn id(store: &Store, path: &str) -> i64 {
    store.files().at(&format!("/r/{path}")).unwrap().unwrap().file_id
}

fn uid(store: &Store, path: &str) -> String {
    texts(store, &format!("SELECT doc_uid FROM files WHERE relative_path = '{path}'")).remove(0)
}

fn names(documents: Vec<DocumentName>) -> Vec<String> {
    documents.into_iter().map(|document| document.name).collect()
}

#[test]
fn files_are_found_by_what_people_call_them() {
    let store = sample();
    let check = |absolute: &str, name: &str, expected: &[&str]| {
        let found = store.files().named(absolute, name).unwrap();
        let found: Vec<&str> = found.iter().map(|file| file.relative_path.as_str()).collect();
        assert_eq!(found, expected, "{name}");
    };
    check("/r/a.md", "nothing", &["a.md"]);
    check("/x/a.md", "a.md", &["a.md"]);
    check("/x", "m.eml", &["box/m.eml"]);
    check("/x", "inner.txt", &["box/m.eml/2/inner.txt"]);
    check("/x", "m.eml » 2 » inner.txt", &["box/m.eml/2/inner.txt"]);
    check("/r/box/m.eml » 2 » inner.txt", "x", &["box/m.eml/2/inner.txt"]);
    check("/x", "nner.txt", &[]);
    let member = id(&store, "box/m.eml/2/inner.txt");
    assert_eq!(store.files().shown_name(member).unwrap(), "box/m.eml » 2 » inner.txt");
    assert_eq!(store.files().shown_name(id(&store, "a.md")).unwrap(), "a.md");
    assert_eq!(store.files().container_of(member).unwrap().unwrap().relative_path, "box/m.eml");
    assert_eq!(store.files().container_of(id(&store, "a.md")).unwrap().unwrap().relative_path, "a.md");
    let canonical = store.files().get(id(&store, "z.txt")).unwrap().unwrap();
    let member = store.files().get(member).unwrap().unwrap();
    assert_eq!(store.files().canonical_of(&member).unwrap().relative_path, "z.txt");
    assert_eq!(store.files().canonical_of(&canonical).unwrap(), canonical);
    let group = store.files().with_hash(&ContentHash::of(b"inside\nshared")).unwrap();
    assert_eq!(group, [canonical, member]);
    assert_eq!(store.files().get(99).unwrap(), None);
}

#[test]
fn facts_of_a_file_count_what_it_shares() {
    let store = sample();
    let facts = store.files().facts(id(&store, "z.txt")).unwrap();
    assert_eq!((facts.chunks, facts.shared_chunks, facts.members), (2, 1, 0));
    assert_eq!(
        (facts.tokens, facts.characters, facts.version.as_deref()),
        (Some(2), Some(14), Some("clean_v1"))
    );
    assert_eq!(facts.copies, ["/r/box/m.eml/2/inner.txt"]);
    let facts = store.files().facts(id(&store, "box/m.eml")).unwrap();
    assert_eq!((facts.members, facts.copies.len(), facts.shared_chunks), (1, 0, 1));
    let facts = store.files().facts(id(&store, "box/m.eml/2/inner.txt")).unwrap();
    assert_eq!((facts.chunks, facts.version, facts.copies), (0, None, vec!["/r/z.txt".to_owned()]));
}

#[test]
fn documents_come_page_by_page_as_filters_say() {
    let mut store = sample();
    run(&mut store, |writer| {
        let gone = add(writer, "gone.txt", "gone");
        writer.delete_file(gone).unwrap();
        let folder =
            crate::scan::ScanEntry { file_type: FileType::Folder, ..crate::store::testing::entry("box", 0) };
        writer.add_file(&root(), &folder, &NewFile::default()).unwrap();
    });
    execute(&store, "UPDATE text_versions SET needs_review = 1 WHERE variant = 'clean' AND file_id = 4");
    let check = |filter: DocumentFilter, expected: &[&str]| {
        let rows = store.documents().page(&filter, None, 10).unwrap();
        let found: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(found, expected, "{filter:?}");
    };
    let all = DocumentFilter::default;
    let some = |text: &str| Some(text.to_owned());
    let member = "box/m.eml » 2 » inner.txt";
    check(all(), &["a.md", "box/m.eml", member, "z.txt"]);
    check(DocumentFilter { status: some("Deleted"), ..all() }, &["gone.txt"]);
    check(DocumentFilter { format: some("text"), ..all() }, &["a.md", member, "z.txt"]);
    check(DocumentFilter { format: some("eml"), ..all() }, &["box/m.eml"]);
    check(DocumentFilter { format: some("md"), ..all() }, &["a.md"]);
    check(DocumentFilter { needs_review: true, ..all() }, &["a.md"]);
    check(DocumentFilter { query: some("INNER"), ..all() }, &[member]);
    check(DocumentFilter { query: some("title"), ..all() }, &["box/m.eml"]);
    check(DocumentFilter { query: some("inside"), ..all() }, &[member, "z.txt"]);
    check(DocumentFilter { query: some("alpha gamma"), ..all() }, &[]);
    check(DocumentFilter { query: some("alpha beta"), ..all() }, &["a.md"]);
    check(DocumentFilter { query: some("box m."), ..all() }, &["box/m.eml", member]);
    check(DocumentFilter { query: some("shared"), format: some("eml"), ..all() }, &["box/m.eml"]);
    let after = DocumentPosition { root_id: 1, relative_path: "box/m.eml".to_owned() };
    let rows = store.documents().page(&all(), Some(&after), 1).unwrap();
    assert_eq!((rows.len(), rows[0].name.as_str()), (1, member));
    let nowhere = DocumentPosition { root_id: 9, relative_path: "z".to_owned() };
    assert_eq!(store.documents().page(&all(), Some(&nowhere), 9).unwrap().len(), 4);
}

#[test]
fn a_duplicate_shows_the_text_of_its_canonical_file() {
    let store = sample();
    let row = store.documents().get(&uid(&store, "box/m.eml/2/inner.txt")).unwrap().unwrap();
    assert_eq!((row.text_id, row.canonical_uid), (id(&store, "z.txt"), Some(uid(&store, "z.txt"))));
    assert_eq!((row.format.as_deref(), row.tokens, row.is_member), (Some("text"), Some(2), true));
    let row = store.documents().get(&uid(&store, "z.txt")).unwrap().unwrap();
    assert_eq!((row.text_id, row.canonical_uid, row.size, row.needs_review), (row.file_id, None, 13, false));
    assert_eq!(store.documents().get("nothing").unwrap(), None);
    let documents = store.documents();
    let (mail, member, z) =
        (id(&store, "box/m.eml"), id(&store, "box/m.eml/2/inner.txt"), id(&store, "z.txt"));
    let shown = ["box/m.eml » 2 » inner.txt"];
    assert_eq!(names(documents.members_of(mail).unwrap()), shown);
    assert_eq!(names(documents.copies_of(z).unwrap()), shown);
    assert_eq!(names(documents.copies_of(member).unwrap()), ["z.txt"]);
    assert_eq!(documents.parent_of(member).unwrap().unwrap().name, "box/m.eml");
    assert_eq!(documents.parent_of(mail).unwrap(), None);
    let metadata = documents.metadata_of(mail).unwrap();
    assert_eq!(metadata, [("title".to_owned(), "A Title".to_owned()), ("author".to_owned(), "B".to_owned())]);
}

#[test]
fn chunks_come_in_the_order_of_the_text() {
    let store = sample();
    let (chunks, a) = (store.chunks(), id(&store, "a.md"));
    let shared = chunks.get(&ChunkName::Hash(ContentHash::of(b"shared").to_hex())).unwrap().unwrap();
    assert_eq!(
        (shared.content.as_str(), shared.tokens, shared.tokenizer.as_str()),
        ("shared", 1, "cl100k_base")
    );
    assert_eq!(chunks.get(&ChunkName::Row(shared.chunk_id)).unwrap(), Some(shared.clone()));
    assert_eq!(chunks.get(&ChunkName::Row(99)).unwrap(), None);
    let (total, sources) = chunks.sources_of(&shared, 2).unwrap();
    let places: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
    assert_eq!((total, places), (3, vec!["a.md", "box/m.eml"]));
    let source = &sources[0];
    assert_eq!(
        (source.at.start, source.at.end, source.at.source),
        (11, 17, Some(SourceSpan { start: 11, end: 17, exact: true }))
    );
    assert_eq!((source.file_id, source.at.heading_path.as_deref()), (a, None));
    let page = |after, limit| {
        let rows = chunks.page(a, after, limit).unwrap();
        rows.into_iter().map(|(chunk, _)| chunk.content).collect::<Vec<_>>()
    };
    assert_eq!(page(None, 9), ["alpha beta", "shared", "gamma"]);
    assert_eq!(page(None, 1), ["alpha beta"]);
    assert_eq!(page(Some((11, shared.chunk_id)), 9), ["gamma"]);
    assert_eq!(page(Some((11, shared.chunk_id - 1)), 9), ["shared", "gamma"]);
    assert_eq!(page(Some((10, 99)), 9), ["shared", "gamma"]);
    let first = &chunks.page(a, None, 1).unwrap()[0].1;
    assert_eq!(
        (first.at.heading_path.as_deref(), first.at.locator_value()),
        (Some("Top > Next"), Some(serde_json::json!({"line": 1})))
    );
    assert_eq!((chunks.counts(a, 0).unwrap(), chunks.counts(a, 11).unwrap()), ((3, 0), (3, 1)));
    assert_eq!(chunks.counts(a, usize::MAX).unwrap(), (3, 3));
    assert_eq!(chunks.before_number(a, 0).unwrap(), None);
    assert_eq!(chunks.before_number(a, 2).unwrap(), Some((11, shared.chunk_id)));
    assert_eq!(chunks.before_number(a, 4).unwrap(), None);
}

#[test]
fn versions_of_texts_are_listed() {
    let mut store = sample();
    run(&mut store, |writer| add(writer, "waits.txt", "w"));
    let texts = store.texts();
    let a = id(&store, "a.md");
    let names: Vec<String> = texts.versions_of(a).unwrap().into_iter().map(|stored| stored.version).collect();
    assert_eq!(names, ["clean_v1", "raw_v1"]);
    assert_eq!(texts.version_names(TextVariant::Clean).unwrap(), [("clean_v1".to_owned(), 2)]);
    assert!(texts.has_version(TextVariant::Raw, "raw_v1").unwrap());
    assert!(!texts.has_version(TextVariant::Clean, "raw_v1").unwrap());
    let mut owners = Vec::new();
    texts.owners(&mut |owner| owners.push((owner.relative_path, owner.extension, owner.size))).unwrap();
    let expected = [("a.md", "md", 1), ("box/m.eml", "eml", 4), ("z.txt", "txt", 13)];
    assert_eq!(owners, expected.map(|(path, extension, size)| (path.to_owned(), extension.to_owned(), size)));
    let facts = texts.clean_facts(a).unwrap().unwrap();
    assert_eq!((facts.version.as_str(), facts.bytes, facts.chars), ("clean_v1", 24, 24));
    assert_eq!(texts.clean_facts(id(&store, "waits.txt")).unwrap(), None);
    execute(&store, "UPDATE text_versions SET review_reasons =
         '[{\"reason\":\"short_text\",\"detail\":\"d\"},{\"reason\":\"nothing known\",\"detail\":\"d\"}]' WHERE variant = 'raw'");
    let facts = texts.content_facts(a).unwrap();
    assert_eq!((facts.encoding.as_deref(), facts.extractor.as_deref()), (Some("UTF-8"), Some("text 1")));
    let kinds: Vec<ReviewReasonKind> = facts.review_reasons.iter().map(|reason| reason.kind).collect();
    assert_eq!(kinds, [ReviewReasonKind::ShortText]);
    assert_eq!(texts.current(a, TextVariant::Clean).unwrap().unwrap().chars, 24);
    execute(&store, "UPDATE text_versions SET is_current = 0");
    assert_eq!(store.texts().current(a, TextVariant::Clean).unwrap(), None);
}

#[test]
fn problems_come_by_path_by_file_and_in_the_order_found() {
    let mut store = sample();
    let (member, z) = (id(&store, "box/m.eml/2/inner.txt"), id(&store, "z.txt"));
    run(&mut store, |writer| {
        let mut add = |file_id, path: &str, kind| {
            writer.add_problem(file_id, path, &Problem::new(kind, path)).unwrap();
        };
        add(Some(z), "/r/z.txt", ProblemKind::Io);
        add(None, "/r/loose", ProblemKind::Io);
        add(Some(member), "/r/box/m.eml/2/inner.txt", ProblemKind::Damaged);
    });
    let problems = store.problems();
    let paths: Vec<String> = problems.all().unwrap().into_iter().map(|problem| problem.path).collect();
    assert_eq!(paths, ["/r/box/m.eml/2/inner.txt", "/r/loose", "/r/z.txt"]);
    assert_eq!(problems.of_file(z).unwrap()[0].error_type, "Io");
    assert_eq!(problems.kinds_of(member).unwrap(), ["Damaged"]);
    let counts: Vec<(String, u64)> = problems.counts().unwrap().into_iter().collect();
    assert_eq!(counts, [("Damaged".to_owned(), 1), ("Io".to_owned(), 2)]);
    let page = |kind, after, limit| {
        let rows = problems.page(kind, after, limit).unwrap();
        let name = |row: ProblemRow| row.document.map_or("-".to_owned(), |document| document.name);
        rows.into_iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(page(None, 0, 9), ["z.txt", "-", "box/m.eml » 2 » inner.txt"]);
    assert_eq!(page(None, 1, 1), ["-"]);
    assert_eq!(page(Some("Io"), 0, 9), ["z.txt", "-"]);
}

#[test]
fn everything_is_counted() {
    let mut store = sample();
    run(&mut store, |writer| {
        let gone = add(writer, "gone.txt", "gone");
        writer.delete_file(gone).unwrap();
        add(writer, "waits.txt", "12345");
        writer.add_problem(None, "/r/x", &Problem::new(ProblemKind::Io, "m")).unwrap();
    });
    execute(&store, "UPDATE text_versions SET needs_review = 1 WHERE file_id = 4");
    let stats = store.statistics().corpus().unwrap();
    let counts = stats.counts;
    assert_eq!(stats.roots, ["/r"]);
    assert_eq!((counts.files, counts.bytes, counts.members), (5, 36, 1));
    assert_eq!((counts.duplicates, counts.duplicate_bytes, counts.needs_review), (1, 13, 1));
    let map = |map: std::collections::BTreeMap<String, u64>| map.into_iter().collect::<Vec<_>>();
    assert_eq!(map(counts.by_status), [("Pending".to_owned(), 1), ("Processed".to_owned(), 4)]);
    assert_eq!(map(counts.errors), [("Io".to_owned(), 1)]);
    assert_eq!(counts.by_format["text"], FormatStats { files: 2, bytes: 14, tokens: 6 });
    assert_eq!((counts.chunks, counts.sources, counts.tokens), (5, 7, 6));
    // Two further places of `shared`, and the copy with two tokens.
    assert_eq!(counts.tokens_saved, 4);
    assert!(counts.last_run.unwrap().starts_with("finished 20") && counts.database_bytes > 4096);
    assert_eq!(counts.settings, None);
    let rows = store.statistics().by_format_and_status().unwrap();
    let rows: Vec<(Option<&str>, &str, u64)> =
        rows.iter().map(|row| (row.format.as_deref(), row.status.as_str(), row.files)).collect();
    assert_eq!(rows, [(None, "Pending", 1), (Some("eml"), "Processed", 1), (Some("text"), "Processed", 3)]);
}

#[test]
fn reports_cover_one_root_or_all() {
    let mut store = sample();
    let other = store.roots().add(std::path::Path::new("/s")).unwrap();
    run(&mut store, |writer| {
        let hash = ContentHash::of(b"s");
        let new = NewFile { hash: Some(hash), status: Some(ProcessingStatus::Pending), ..NewFile::default() };
        let file_id = writer.add_file(&other, &crate::store::testing::entry("s.txt", 1), &new).unwrap();
        writer.settle(&hash).unwrap();
        let error = Outcome { status: Some(ProcessingStatus::Error), ..Outcome::default() };
        let problems = vec![Problem::new(ProblemKind::Damaged, "m")];
        read(writer, file_id, &[], Outcome { problems, ..error });
        writer.add_problem(None, "/s/loose", &Problem::new(ProblemKind::Io, "m")).unwrap();
        writer.add_problem(None, "/stranger", &Problem::new(ProblemKind::Io, "m")).unwrap();
    });
    execute(
        &store,
        "UPDATE text_versions SET needs_review = 1, review_reasons = '[1]' WHERE file_id IN (1, 4)",
    );
    let reports = store.reports();
    let covered = |root| {
        let rows = reports.coverage(root).unwrap();
        let row = |row: CoverageRow| {
            format!(
                "{} {:?} {} {} {} {}",
                row.file_type, row.format, row.status, row.has_text, row.is_duplicate, row.files
            )
        };
        rows.into_iter().map(row).collect::<Vec<_>>()
    };
    let here = [
        "file Some(\"eml\") Processed false false 1",
        "file Some(\"text\") Processed true false 2",
        "member Some(\"text\") Processed true true 1",
    ];
    assert_eq!(covered(Some(1)), here);
    assert_eq!(covered(Some(2)), ["file Some(\"text\") Error false false 1"]);
    assert_eq!(covered(None).len(), 4);
    let failures = |root| {
        let mut found = Vec::new();
        reports.failures(root, &mut |failed| found.push(failed.path)).unwrap();
        found
    };
    assert_eq!(failures(None), ["/s/loose", "/s/s.txt", "/stranger"]);
    assert_eq!(failures(Some((2, "/s"))), ["/s/loose", "/s/s.txt"]);
    assert_eq!(failures(Some((1, "/r"))), [""; 0]);
    let reviews = |root, limit| {
        let mut found = Vec::new();
        reports
            .reviews(root, &mut |review| {
                found.push(review.path);
                found.len() < limit
            })
            .unwrap();
        found
    };
    let count = reports.review_count(None).unwrap();
    assert_eq!((reviews(None, 9).len() as u64, reviews(None, 1).len()), (count, 1));
    assert_eq!(
        (reviews(Some(1), 9), reports.review_count(Some(2)).unwrap()),
        (vec!["/r/a.md".to_owned()], 0)
    );
}

#[test]
fn an_export_has_every_chunk_once_by_its_first_place() {
    let store = sample();
    let mut rows = Vec::new();
    store
        .listings()
        .export(None, &mut |row| {
            rows.push((row.content, row.sources));
            true
        })
        .unwrap();
    let contents: Vec<&str> = rows.iter().map(|(content, _)| content.as_str()).collect();
    assert_eq!(contents, ["alpha beta", "shared", "gamma", "letter", "inside"]);
    let places: Vec<(&str, usize)> =
        rows[1].1.iter().map(|place| (place.name.as_str(), place.at.start)).collect();
    assert_eq!(places, [("a.md", 11), ("box/m.eml", 7), ("z.txt", 7)]);
    let copies: Vec<&FileCopy> = rows[4].1.iter().flat_map(|place| &place.duplicates).collect();
    assert_eq!(copies.len(), 1);
    assert_eq!(
        (copies[0].name.as_str(), copies[0].full_name()),
        ("box/m.eml » 2 » inner.txt", "/r/box/m.eml » 2 » inner.txt".to_owned())
    );
    let mut seen = 0;
    store
        .listings()
        .export(None, &mut |_| {
            seen += 1;
            false
        })
        .unwrap();
    assert_eq!(seen, 1);
}

#[test]
fn a_fingerprint_depends_on_content_and_on_no_history() {
    let fingerprint = |store: &Store| store.listings().fingerprint().unwrap();
    let first = corpus(&[("a.txt", &["one"]), ("b.txt", &["two"])]);
    let mut second = corpus(&[("c.txt", &["gone"]), ("b.txt", &["two"]), ("a.txt", &["one"])]);
    assert_ne!(fingerprint(&first), fingerprint(&second));
    run(&mut second, |writer| writer.delete_file(1).unwrap());
    assert_eq!(fingerprint(&first), fingerprint(&second));
    for change in [
        "UPDATE chunk_sources SET heading_path = 'x' WHERE file_id = 1",
        "UPDATE chunk_sources SET heading_path = 'x\ty' WHERE file_id = 1",
        "UPDATE chunk_sources SET heading_path = 'x\\ty' WHERE file_id = 1",
        "UPDATE chunk_sources SET heading_path = '' WHERE file_id = 1",
        "UPDATE text_versions SET needs_review = 1",
        "UPDATE files SET mime_type = 'm' WHERE file_id = 2",
    ] {
        let before = fingerprint(&first);
        execute(&first, change);
        rewrite_digests(&first);
        assert_ne!(fingerprint(&first), before, "{change}");
    }
}
