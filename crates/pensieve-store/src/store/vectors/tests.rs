//! Vectors stored as a run stores them, and found again.

use super::{
    ChunkFailure, ComparedChunks, NearChunks, NewVector, QueryVector, VectorFormat, VectorSet, nearest,
};
use crate::store::rows::sql::Queries;
use crate::store::testing::{corpus, execute, run};
use crate::store::{SearchMode, SearchOptions, Store};
use pensieve_text::model::ContentHash;

fn set(dimensions: usize) -> VectorSet {
    VectorSet { model: "m".to_owned(), dimensions: Some(dimensions), prefix: String::new() }
}

fn question(numbers: &[f32]) -> QueryVector {
    QueryVector { model: "m".to_owned(), prefix: String::new(), numbers: numbers.to_vec() }
}

fn hash(content: &str) -> String {
    ContentHash::of(content.as_bytes()).to_hex()
}

fn add(store: &Store, format: VectorFormat, vectors: &[(&str, &[f32])]) {
    let new = |(content, numbers): &(&str, &[f32])| NewVector {
        content_hash: hash(content),
        bytes: format.encode(numbers).unwrap(),
    };
    let vectors: Vec<NewVector> = vectors.iter().map(new).collect();
    store.vectors().add(&set(2), true, format, &vectors, &[]).unwrap();
}

/// The nearest among all vectors.
fn nearest_to(store: &Store, numbers: &[f32], limit: usize) -> NearChunks {
    nearest(&store.connection, &question(numbers), &ComparedChunks::All, limit).unwrap()
}

/// Four chunks in two files, with vectors around a circle, in three formats.
fn circle() -> Store {
    let store = corpus(&[("a.txt", &["east", "north east", "north"]), ("b.md", &["west"])]);
    add(&store, VectorFormat::F16, &[("east", &[1.0, 0.0]), ("north", &[0.0, 3.0])]);
    add(&store, VectorFormat::F32, &[("north east", &[1.0, 1.0])]);
    add(&store, VectorFormat::I8, &[("west", &[-1.0, 0.0])]);
    store
}

#[test]
fn the_nearest_come_first_whatever_their_format_and_length() {
    let store = circle();
    let check = |numbers: &[f32], limit: usize, expected: &[&str]| {
        let found = nearest_to(&store, numbers, limit);
        assert_eq!(found.compared, 4);
        let content = |hash: &String| {
            let sql = "SELECT content FROM chunks WHERE content_hash = ?1";
            store.ask(|connection| connection.one(sql, [hash], |row| row.get::<_, String>(0))).unwrap()
        };
        let contents: Vec<String> = found.chunks.iter().map(|near| content(&near.content_hash)).collect();
        assert_eq!(contents, expected);
    };
    check(&[5.0, 1.0], 9, &["east", "north east", "north", "west"]);
    check(&[-1.0, 0.1], 2, &["west", "north"]);
    check(&[1.0, 1.0], 1, &["north east"]);
    assert_eq!(store.vectors().get(&hash("north"), "m", 2).unwrap(), Some(vec![0.0, 3.0]));
    assert_eq!(store.vectors().get(&hash("north"), "m", 3).unwrap(), None);
}

#[test]
fn filters_count_before_the_comparison_and_missing_vectors_are_told() {
    let store = circle();
    let search = |query: &str, mode: SearchMode| {
        let options = SearchOptions { query: query.to_owned(), mode, ..SearchOptions::default() };
        store.search_by_vector(&options, &question(&[1.0, 0.0])).unwrap()
    };
    let found = search("anything format:md", SearchMode::Vectors);
    assert_eq!((found.total, found.hits[0].content.as_str(), found.notes.len()), (1, "west", 1));
    let found = search("north", SearchMode::Hybrid);
    assert_eq!(
        (found.total, found.hits[0].content.as_str(), found.hits[0].highlights.len()),
        (4, "north", 1)
    );
    execute(&store, "DELETE FROM vectors WHERE format = 'i8'");
    let found = search("anything", SearchMode::Vectors);
    let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        (found.total, notes),
        (3, vec!["1 of 4 chunks have no vector yet; `pensieve embed` makes them".to_owned()])
    );
}

#[test]
fn vectors_of_chunks_that_are_gone_are_never_found_and_dropped_in_time() {
    let mut store = circle();
    run(&mut store, |writer| {
        let file = writer.store().files().at("/r/b.md").unwrap().unwrap();
        writer.delete_file(file.file_id).unwrap();
    });
    let options = SearchOptions { query: "anything".to_owned(), limit: 1, ..SearchOptions::default() };
    let options = SearchOptions { mode: SearchMode::Vectors, ..options };
    let found = store.search_by_vector(&options, &question(&[-1.0, 0.0])).unwrap();
    assert_eq!((found.hits.len(), found.total, found.notes.len()), (1, 3, 0));
    assert_eq!(store.vectors().drop_orphans(1).unwrap(), 0);
    run(&mut store, |_| ());
    assert_eq!(store.vectors().drop_orphans(1).unwrap(), 1);
    assert_eq!(store.vectors().models().unwrap()[0].vectors, 3);
}

#[test]
fn what_is_missing_is_counted_and_listed_in_order() {
    let store = circle();
    let totals = store.vectors().totals(&set(2)).unwrap();
    assert_eq!((totals.chunks, totals.missing), (4, 0));
    let other = VectorSet { prefix: "passage: ".to_owned(), ..set(2) };
    assert_eq!(store.vectors().totals(&other).unwrap().missing, 4);
    let missing = store.vectors().missing(&other, 1, 2).unwrap();
    let contents: Vec<&str> = missing.iter().map(|chunk| chunk.content.as_str()).collect();
    assert_eq!(contents, ["north east", "north"]);
    let failure = ChunkFailure { content_hash: hash("west"), message: "too long".to_owned() };
    store.vectors().add(&other, true, VectorFormat::F16, &[], &[failure]).unwrap();
    let problems = store.problems().all().unwrap();
    assert_eq!(
        (problems.len(), problems[0].path.as_str(), problems[0].message.as_str()),
        (1, "/r/b.md", "too long")
    );
    store.vectors().clear_failures().unwrap();
    assert_eq!(store.problems().all().unwrap(), []);
    assert_eq!(
        (store.vectors().native_dimensions("m").unwrap(), store.vectors().has_any().unwrap()),
        (Some(2), true)
    );
    assert_eq!((store.vectors().drop_model("m").unwrap(), store.vectors().has_any().unwrap()), (4, false));
}

#[test]
fn a_database_of_an_earlier_schema_has_no_vectors() {
    let store = corpus(&[("a.txt", &["east", "north"])]);
    execute(&store, "DROP TRIGGER chunks_with_vectors_removed");
    for table in ["vectors", "vector_models", "vector_orphans"] {
        execute(&store, &format!("DROP TABLE {table}"));
    }
    let vectors = store.vectors();
    assert!(!vectors.has_any().unwrap() && !vectors.has("m", 2).unwrap());
    assert_eq!(
        (vectors.native_dimensions("m").unwrap(), vectors.totals(&set(2)).unwrap().missing),
        (None, 2)
    );
}
