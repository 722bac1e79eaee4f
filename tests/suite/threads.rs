//! Law 7: the same tree gives the same fingerprint, whatever the threads and the order in which the system lists it.

use crate::audit::assert_same;
use crate::editing::Editor;
use crate::support::{Dice, Workshop, rows, seed, with_seed};
use std::fs;
use std::path::{Path, PathBuf};

/// Files of a tree with their bytes, by relative path.
fn contents(root: &Path, files: &[PathBuf]) -> Vec<(PathBuf, Vec<u8>)> {
    files.iter().map(|file| (file.strip_prefix(root).unwrap().to_owned(), fs::read(file).unwrap())).collect()
}

/// A tree of its own with the same files, written in another order.
fn rebuilt(files: &[(PathBuf, Vec<u8>)], dice: &mut Dice) -> Workshop {
    let workshop = Workshop::new();
    let mut order: Vec<_> = files.iter().collect();
    dice.shuffle(&mut order);
    // Folders come into being in the order in which files need them.
    for (name, bytes) in order {
        workshop.write(name, bytes);
    }
    workshop
}

#[test]
fn threads_and_listing_order_leave_no_trace() {
    with_seed(seed(), |dice| {
        let first = Workshop::new();
        let mut editor = Editor::new(first.tree());
        editor.furnish(dice, 90);
        let files = editor.files();
        // Duplicates, so that what is canonical matters.
        for (at, file) in files.iter().enumerate().step_by(4) {
            let folder = first.tree().join(format!("copies/{}", at % 3));
            fs::create_dir_all(&folder).unwrap();
            fs::copy(file, folder.join(format!("{at}-{}", file.file_name().unwrap().to_str().unwrap())))
                .unwrap();
        }
        let files = contents(&first.tree(), &editor.files());
        let flags = |threads| ["--threads", threads, "--chunk-size", "48", "--chunk-overlap", "6"];
        first.ingest(&flags("1"));
        let expected = first.fingerprint();
        for threads in ["2", "8", "3"] {
            assert_eq!(first.clean_fingerprint(&flags(threads)), expected, "{threads} threads");
            assert_same(&first.path("clean.db"), &first.database());
        }
        // Ids come in list order: even they are the same.
        let ids = "SELECT file_id, relative_path FROM files ORDER BY 1";
        let first_ids = first.rows(ids);
        for threads in ["1", "8"] {
            let other = rebuilt(&files, dice);
            other.ingest(&flags(threads));
            assert_eq!(other.fingerprint(), expected, "another order, {threads} threads");
            assert_eq!(other.rows(ids), first_ids);
            other.verify();
        }
    });
}

#[test]
fn chunk_ids_do_not_depend_on_threads() {
    with_seed(seed() + 1, |dice| {
        let workshop = Workshop::new();
        Editor::new(workshop.tree()).furnish(dice, 60);
        let ids = |threads: &str| {
            let _ = fs::remove_file(workshop.database());
            workshop.ingest(&["--threads", threads]);
            workshop.rows("SELECT chunk_id, content_hash, file_id FROM chunks JOIN chunk_sources USING(chunk_id) ORDER BY 1, 3")
        };
        let one = ids("1");
        assert!(one.len() > 30, "{} chunks", one.len());
        assert_eq!(ids("8"), one);
    });
}

#[test]
fn isolation_and_memory_leave_no_trace() {
    with_seed(seed() + 2, |dice| {
        let workshop = Workshop::new();
        Editor::new(workshop.tree()).furnish(dice, 60);
        let plain = workshop.clean_fingerprint(&[]);
        assert_eq!(workshop.clean_fingerprint(&["--isolation", "off"]), plain);
        assert_eq!(workshop.clean_fingerprint(&["--max-mem", "2GiB", "--threads", "5"]), plain);
    });
}

/// Texts of some megabytes in many words, one file in five in a script without spaces between words.
pub fn write_texts(workshop: &Workshop, dice: &mut Dice, files: usize) {
    for number in 0..files {
        let words: Vec<String> = (0..9_000)
            .map(|_| match number % 5 {
                0 => format!("第{}章の漢字", dice.below(300)),
                _ => format!("word{}", dice.below(3_000)),
            })
            .collect();
        workshop.write(
            format!("{}/{number}.txt", number % 3),
            words.chunks(12).map(|line| line.join(" ") + "\n").collect::<String>(),
        );
    }
}

/// The hits and ranks of some queries, by the content of their chunks.
fn hits(workshop: &Workshop) -> Vec<String> {
    workshop.run(["verify", "corpus.db"]).expect(0);
    let corpus = workshop.corpus();
    let mut hits = Vec::new();
    for (table, query) in [
        ("chunks_fts", "word17"),
        ("chunks_fts", "word17 OR word2999"),
        ("chunks_fts", "word17 AND word3 AND word4"),
        ("chunks_fts", "word29*"),
        ("chunks_fts", "\"第17章の漢字\""),
        ("chunks_fts_unspaced", "\"の漢 漢字\""),
        ("chunks_fts_unspaced", "\"17 章の\" OR \"章の\""),
    ] {
        let sql = format!(
            "SELECT c.content_hash, bm25({table}) FROM {table} JOIN chunks c ON c.chunk_id = {table}.rowid
             WHERE {table} MATCH '{query}' ORDER BY 1"
        );
        hits.push(format!("{table}: {query}"));
        hits.extend(rows(&corpus, &sql));
    }
    let check = "INSERT INTO chunks_fts(chunks_fts, rank) VALUES('integrity-check', 1)";
    corpus.execute_batch(check).unwrap();
    hits
}

#[test]
fn hits_and_ranks_do_not_depend_on_threads() {
    with_seed(seed() + 3, |dice| {
        let workshop = Workshop::new();
        write_texts(&workshop, dice, 24);
        let again = |threads: &str| {
            let _ = fs::remove_file(workshop.database());
            workshop.ingest(&["--threads", threads]);
            hits(&workshop)
        };
        let expected = again("1");
        assert!(expected.len() > 1_000, "{} hits", expected.len());
        for threads in ["2", "3", "8"] {
            assert_eq!(again(threads), expected, "{threads} threads");
        }
        // Later runs change the indexes that were taken over.
        workshop.remove("0/3.txt");
        workshop.write("1/new.txt", "word17 and words that are new\n".repeat(400));
        workshop.ingest(&["--threads", "8"]);
        let after = hits(&workshop);
        assert_ne!(after, expected);
        workshop.run(["compact", "corpus.db"]).expect(0);
        assert_eq!(hits(&workshop), after);
        assert_eq!(again("1"), after);
    });
}
