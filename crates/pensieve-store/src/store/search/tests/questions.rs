//! Queries of words alone: all words first, then any of them; other forms and misspelt words; what notes say.

use super::{contents, narrowed, options};
use crate::store::query::QueryNote;
use crate::store::testing::{SameExtension, add, corpus, execute, read, root, run, store};
use crate::store::{LastWord, Outcome, SearchOptions, SearchResults, Store, WordMatch};

const HARBOUR: &[(&str, &[&str])] = &[
    (
        "harbour.md",
        &[
            "The keeper lights the lamp at dusk.",
            "Ships wait outside the harbour until the tide is high.",
            "A pilot leads each ship into the harbour.",
        ],
    ),
    ("oil.md", &["Oil for lamps is stored in the cellar.", "The cellar floods in winter."]),
    ("zh.md", &["内存限制是多少", "数据库的大小"]),
];

fn harbour() -> Store {
    corpus(HARBOUR)
}

fn notes(store: &Store, query: &str) -> Vec<String> {
    store.search(&options(query)).unwrap().notes.iter().map(ToString::to_string).collect()
}

#[test]
fn a_question_finds_chunks_with_any_of_its_words() {
    let store = harbour();
    let check = |query: &str, first: &str| {
        let found = store.search(&options(query)).unwrap();
        assert_eq!(found.hits.first().map(|hit| hit.content.as_str()), Some(first), "{query}");
        assert!(found.hits.windows(2).all(|pair| pair[0].score >= pair[1].score), "{query}");
    };
    check("where is the oil for the lamps kept?", "Oil for lamps is stored in the cellar.");
    check("who leads ships into a harbour", "A pilot leads each ship into the harbour.");
    check("What floods in the winter?", "The cellar floods in winter.");
    check("内存的限制", "内存限制是多少");
    let question = notes(&store, "who leads ships into a harbour");
    assert_eq!(question, [""; 0]);
    // Words without matter neither demand nor are missed.
    assert_eq!(
        notes(&store, "what is a gale to the tide?"),
        ["`gale` does not occur", "no hit has all 2 words; ranked by any of them"]
    );
}

#[test]
fn chunks_with_all_words_come_first() {
    let store = harbour();
    let found = store.search(&options("cellar lamps")).unwrap();
    assert_eq!(found.hits[0].content, "Oil for lamps is stored in the cellar.");
    assert_eq!(found.total, 3);
    assert_eq!(found.notes, []);
    let only = |word_match| {
        let found = store.search(&SearchOptions { word_match, ..options("cellar lamps") }).unwrap();
        (found.total, found.match_name(), found.notes.len())
    };
    assert_eq!(only(WordMatch::All), (1, "all", 0));
    assert_eq!(only(WordMatch::Any), (3, "any", 0));
    assert_eq!(only(WordMatch::Auto), (3, "any", 0));
}

#[test]
fn hits_that_all_have_every_word_are_told() {
    let many: Vec<String> = (0..10).map(|number| format!("fog and lamp {number}")).collect();
    let mut chunks: Vec<&str> = many.iter().map(String::as_str).collect();
    chunks.push("a lamp without mist");
    let store = corpus(&[("a.txt", &chunks)]);
    let found = store.search(&options("lamp fog")).unwrap();
    assert_eq!((found.total, found.match_name(), found.notes.len()), (11, "all", 0));
    let all = store.search(&SearchOptions { limit: 11, ..options("lamp fog") }).unwrap();
    assert_eq!((all.match_name(), all.hits[10].content.as_str()), ("any", "a lamp without mist"));
}

#[test]
fn operators_that_match_nothing_leave_the_words() {
    let store = harbour();
    for query in ["\"cellar lamps\"", "cellar AND lamps AND tide", "lamp* tide", "^tide lamp"] {
        let found = store.search(&options(query)).unwrap();
        assert!(found.total > 0 && found.notes.contains(&QueryNote::WordsAlone), "{query}");
        let all = store.search(&SearchOptions { word_match: WordMatch::All, ..options(query) }).unwrap();
        assert_eq!((all.total, all.match_name()), (0, "all"), "{query}");
    }
    assert_eq!(store.search(&options("cellar lamps path:nowhere.md")).unwrap().total, 0);
    // A word alone is found in all its forms.
    assert_eq!(store.search(&options("lamp")).unwrap().total, 2);
}

#[test]
fn misspelt_words_are_corrected_by_the_words_of_the_index() {
    let store = harbour();
    let check = |query: &str, expected: &[&str], first: &str| {
        assert_eq!(notes(&store, query), expected, "{query}");
        assert_eq!(store.search(&options(query)).unwrap().hits[0].content, first, "{query}");
    };
    check("celar floods", &["`celar` does not occur; searched `cellar`"], "The cellar floods in winter.");
    check(
        "high outsidde",
        &["`outsidde` does not occur; searched `outside`"],
        "Ships wait outside the harbour until the tide is high.",
    );
    // A word alone is asked for, short words and numbers are near too many others.
    assert_eq!(notes(&store, "celar"), ["`celar` does not occur; did you mean `cellar`?"]);
    assert_eq!(store.search(&options("celar")).unwrap().total, 0);
    assert_eq!(
        notes(&store, "high tdie"),
        ["`tdie` does not occur", "no hit has all 2 words; ranked by any of them"]
    );
    assert_eq!(notes(&store, "xylophone"), ["`xylophone` does not occur"]);
    assert_eq!(store.search(&options("xylophone")).unwrap().total, 0);
    let long = "lx".repeat(5_000);
    assert_eq!(notes(&store, &long), [format!("`{}…` does not occur", "lx".repeat(32))]);
    assert_eq!(notes(&store, "oll"), ["`oll` does not occur"]);
}

#[test]
fn options_narrow_a_question() {
    let store = harbour();
    let found = |paths: &[&str], formats: &[&str]| {
        let options = SearchOptions { documents: narrowed(paths, formats), ..options("lamp in the winter") };
        contents(&store, &options)
    };
    assert_eq!(found(&["oil.md"], &[]).len(), 2);
    assert_eq!(found(&["harbour.md"], &[])[0], "The keeper lights the lamp at dusk.");
    assert_eq!(found(&[], &["pdf"]), [""; 0]);
}

#[test]
fn pages_of_a_question_make_its_whole_list() {
    let store = harbour();
    let whole = contents(&store, &options("the harbour lamp in winter"));
    let mut pages = Vec::new();
    for offset in 0..whole.len() {
        pages.extend(contents(
            &store,
            &SearchOptions { offset, limit: 1, ..options("the harbour lamp in winter") },
        ));
    }
    assert_eq!(pages, whole);
    assert!(whole.len() > 4, "{whole:?}");
}

/// A stem can end in another letter than its word: `why` has the stem `whi`, `city` and `cities` have `citi`.
#[test]
fn words_whose_stem_ends_in_another_letter_are_found() {
    let store = corpus(&[("a.md", &["Why the city sleeps", "Cities never sleep", "Try it", "The sky fell"])]);
    let check = |query: &str, expected: &[&str]| {
        let mut found = contents(&store, &options(query));
        found.sort();
        assert_eq!(found, expected, "{query}");
        let notes = notes(&store, query);
        assert!(notes.iter().all(|note| !note.contains("does not occur")), "{query}: {notes:?}");
    };
    check("why city", &["Cities never sleep", "Why the city sleeps"]);
    check("cities try", &["Cities never sleep", "Try it", "Why the city sleeps"]);
    check("try sky", &["The sky fell", "Try it"]);
}

/// The neighbour of a short chunk tells what it is about.
#[test]
fn a_chunk_beside_a_good_one_comes_before_its_like() {
    let store = corpus(&[
        ("a.md", &["Of winds and waves", "It was built in 1811 of granite.", "Nothing else is known."]),
        (
            "b.md",
            &["The lighthouse of Bell Rock", "It was built in 1810 of granite.", "Nothing more is known."],
        ),
    ]);
    let found = contents(&store, &options("when was the lighthouse of Bell Rock built"));
    let place = |text: &str| found.iter().position(|content| content == text).unwrap();
    assert!(
        place("It was built in 1810 of granite.") < place("It was built in 1811 of granite."),
        "{found:?}"
    );
}

/// People name a document or a chapter when they ask for something in it.
#[test]
fn words_of_the_path_and_of_headings_count_for_the_chunk() {
    let store = corpus(&[
        ("fees/mooring.md", &["A day costs two crowns.", "Boats pay in advance."]),
        ("fees/storage.md", &["A day costs nine crowns.", "Crates pay in advance."]),
        ("fees/towing.md", &["A day costs six crowns.", "Ships pay in advance."]),
    ]);
    for (name, first) in [("mooring", "two"), ("storage", "nine"), ("towing", "six")] {
        let found = contents(&store, &options(&format!("what does a day of {name} cost?")));
        assert!(found[0].contains(first), "{name}: {found:?}");
    }
}

/// Ranks depend on the corpus alone: a database that had other chunks before gives the same hits.
#[test]
fn former_content_does_not_change_the_ranks() {
    let fresh = harbour();
    let mut changed = store();
    run(&mut changed, |writer| {
        let file = add(writer, "harbour.md", "old");
        read(
            writer,
            file,
            &["The lamp of the old pilot", "A harbour in winter, in winter"],
            Outcome::default(),
        );
    });
    assert_eq!(changed.maintenance().forget(&root(), &SameExtension).unwrap(), 1);
    execute(&changed, "INSERT OR IGNORE INTO roots(root_id, path) VALUES(1, '/r')");
    run(&mut changed, |writer| {
        for (path, chunks) in HARBOUR {
            let file = add(writer, path, &chunks.join("\n"));
            read(writer, file, chunks, Outcome::default());
        }
    });
    let scores = |store: &Store, query: &str| {
        let found = store.search(&options(query)).unwrap();
        found.hits.iter().map(|hit| (hit.content.clone(), hit.score)).collect::<Vec<_>>()
    };
    for query in ["lamp in the harbour", "who leads ships into a harbour", "celar"] {
        assert_eq!(scores(&fresh, query), scores(&changed, query), "{query}");
    }
}

fn typed(store: &Store, query: &str) -> SearchResults {
    store.search(&SearchOptions { last_word: LastWord::Prefix, ..options(query) }).unwrap()
}

#[test]
fn an_unfinished_last_word_finds_what_it_may_become() {
    let store = corpus(&[(
        "a.md",
        &[
            "The lamp is lit",
            "A lampshade of glass",
            "Lamps and lampshades",
            "Glass from the lake",
            "使用lampion库",
        ],
    )]);
    let check = |query: &str, total: usize, expected: &[&str]| {
        let found = typed(&store, query);
        let mut hits: Vec<&str> =
            found.hits.iter().map(|hit| hit.content.as_str()).take(expected.len()).collect();
        hits.sort_unstable();
        assert_eq!((found.total, hits.as_slice()), (total, expected), "{query}");
        let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
        assert!(notes.iter().all(|note| !note.contains("does not occur")), "{query}: {notes:?}");
    };
    check("lampsha", 2, &["A lampshade of glass", "Lamps and lampshades"]);
    check("lampi", 1, &["使用lampion库"]);
    check("glass la", 5, &["A lampshade of glass", "Glass from the lake"]);
    check("lamp", 4, &["Lamps and lampshades"]);
    let whole = typed(&store, "lampshade").hits.remove(0);
    assert_eq!((whole.content.as_str(), whole.highlights), ("Lamps and lampshades", vec![(10, 20)]));
    // A finished word, a single letter, joined words and operators are searched as they are.
    for query in ["lampsha ", "l", "glass-la", "\"lampsha\"", "glass AND lampsha"] {
        let whole = store.search(&options(query)).unwrap();
        let found = typed(&store, query);
        assert_eq!((found.total, found.notes), (whole.total, whole.notes), "{query}");
    }
    // What nothing begins with is corrected as any word.
    assert_eq!(typed(&store, "glass lakke").hits[0].content, "Glass from the lake");
}

#[test]
fn completions_come_in_pages() {
    let many: Vec<String> = (0..40).map(|number| format!("fogbow{number} fog{number}")).collect();
    let mut chunks: Vec<&str> = many.iter().map(String::as_str).collect();
    chunks.extend(["fog and more", "lamp"]);
    let store = corpus(&[("a.txt", &chunks)]);
    let found = typed(&store, "fog");
    assert!(found.hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert!(found.total > 10 && found.total < 42, "{}", found.total);
    let page = |offset, limit| {
        let options = SearchOptions { last_word: LastWord::Prefix, offset, limit, ..options("fog") };
        contents(&store, &options)
    };
    assert_eq!([page(0, 3), page(3, 4)].concat(), page(0, 7));
    assert_eq!(page(0, 0), [""; 0]);
}
