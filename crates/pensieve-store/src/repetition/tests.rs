//! Updates of the ledger: by memory, and by settings.

use super::*;
use crate::store::NearRow;
use crate::store::testing::corpus;
use pensieve_text::model::ProgressEvent;

struct Silent;

impl Observer for Silent {
    fn on_event(&self, _: &ProgressEvent<'_>) {}
}

/// A stored corpus of four texts of some passages.
fn store() -> Store {
    let passage = |number: usize| -> String {
        (0..60).map(|at| format!("w{} ", (at * number * 7 + at * at) % 97)).collect()
    };
    let text = |numbers: &[usize]| -> String { numbers.iter().map(|number| passage(*number)).collect() };
    let texts = [&[1, 2, 3][..], &[2, 3, 4], &[5, 3, 2, 1], &[4, 5, 6, 4]].map(text);
    let files: Vec<(String, [&str; 1])> =
        (0..).zip(&texts).map(|(at, text): (usize, _)| (format!("{at}.txt"), [text.as_str()])).collect();
    let files: Vec<(&str, &[&str])> = files.iter().map(|(path, text)| (path.as_str(), &text[..])).collect();
    corpus(&files)
}

#[test]
fn the_ledger_does_not_depend_on_memory() {
    let made_with = |places_bytes: usize| {
        let store = store();
        let table = store.repetition();
        let documents = table.documents().unwrap();
        let work = LedgerWork {
            table,
            run: RunLength { words: 20 },
            boilerplate: 10,
            threads: 2,
            places_bytes,
            observer: &Silent,
            documents,
        };
        assert_eq!(work.update().unwrap(), Some(4));
        let mut rows = Vec::new();
        store.repetition().each_repeat(&mut |file_id, row| rows.push((file_id, row))).unwrap();
        rows
    };
    let rows = made_with(MEMORY_BYTES);
    assert!(rows.len() > 4, "{rows:?}");
    for places_bytes in [6_000, 20_000] {
        assert_eq!(made_with(places_bytes), rows, "{places_bytes}");
    }
}

#[test]
fn a_ledger_is_made_where_it_is_asked_for_and_then_kept() {
    let store = store();
    let update = |enabled: bool, words: usize| {
        update(&store, RepetitionSettings { enabled, words, boilerplate: 10 }, 1, &Silent)
            .unwrap()
            .map(|done| done.changed)
    };
    assert_eq!((update(false, 20), RepetitionSettings::of(&store).unwrap()), (None, None));
    assert_eq!((update(true, 20), update(true, 20), update(false, 20)), (Some(4), None, None));
    assert_eq!(update(false, 30), Some(4));
    let settings = RepetitionSettings { enabled: true, words: 30, boilerplate: 10 };
    assert_eq!(RepetitionSettings::of(&store).unwrap(), Some(settings));
}

#[test]
fn families_are_connected() {
    let pair = |(later, of_file_id)| (later, NearRow { of_file_id, jaccard: 0.9, containment: 0.9 });
    let found = families(&[(2, 1), (9, 8), (4, 3), (3, 2), (7, 6), (8, 7)].map(pair));
    assert_eq!(found, [vec![1, 2, 3, 4], vec![6, 7, 8, 9]]);
}
