//! Text by characters: whatever the step, the pages put together are the text.

use crate::audit::clean_text;
use crate::editing::Editor;
use crate::support::{Dice, Workshop, rounds, seed, with_seed};
use pensieve_store::store::{Store, TextVariant};

/// Letters of one to four bytes, signs of several scalar values, marks, and what editors and terminals trip over.
const PIECES: &[&str] = &[
    "a",
    " ",
    "\n",
    "ß",
    "é",
    "e\u{301}",
    "日本語",
    "한국어",
    "ไทย",
    "हिन्दी",
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "𝔘",
    "\u{301}",
    "ﬁ",
    "…",
    "شكرا",
    "\t",
    "word ",
    "Z\u{300}\u{301}\u{302}",
];

fn mixed(dice: &mut Dice, pieces: usize) -> String {
    (0..pieces).map(|_| dice.pick(PIECES)).collect()
}

/// The text in pages of `step` characters, and the pages themselves.
fn paged(store: &Store, file_id: i64, variant: TextVariant, step: usize) -> String {
    let version = store.texts().current(file_id, variant).unwrap().unwrap();
    let mut text = String::new();
    for offset in (0..=version.chars).step_by(step) {
        let mut page = String::new();
        let mut each = |piece: &str| {
            page.push_str(piece);
            true
        };
        store.text(file_id, variant, &version.version).each_slice(offset..offset + step, &mut each).unwrap();
        assert_eq!(page.chars().count(), step.min(version.chars - offset));
        text.push_str(&page);
    }
    text
}

#[test]
fn pages_of_any_step_are_the_text() {
    with_seed(seed(), |dice| {
        let workshop = Workshop::new();
        Editor::new(workshop.tree()).furnish(dice, 20);
        for number in 0..rounds(8) {
            let pieces = 1 + dice.below(400);
            workshop.write(format!("mixed{number}.txt"), mixed(dice, pieces));
        }
        // Several segments, with letters of every length on their borders.
        workshop.write("long.md", mixed(dice, 400_000));
        workshop.ingest(&[]);
        let corpus = workshop.corpus();
        let store = Store::open_for_reading(&workshop.database()).unwrap();
        let processed = "SELECT file_id, relative_path FROM files
                         WHERE is_canonical AND processing_status = 'Processed'";
        for row in workshop.rows(processed) {
            let (id, name) = row.split_once('|').unwrap();
            let file_id: i64 = id.parse().unwrap();
            let text = clean_text(&corpus, file_id);
            let length = text.chars().count();
            let steps = match length {
                0..2_000 => vec![1, 2, 3, 7, 64, length.max(1), length + 9],
                _ => vec![4_096 + dice.below(5_000), 100_000 + dice.below(9), length],
            };
            for step in steps {
                assert!(paged(&store, file_id, TextVariant::Clean, step) == text, "{name} by {step}");
            }
            paged(&store, file_id, TextVariant::Raw, 5_000);
        }
        assert_ne!(workshop.one("SELECT count(*) FROM texts WHERE segment > 1"), "0");
    });
}

#[test]
fn the_command_pages_as_the_library_does() {
    let workshop = Workshop::new();
    let mut dice = Dice::new(seed());
    workshop.write("mixed.txt", mixed(&mut dice, 300));
    workshop.ingest(&[]);
    let whole = workshop.run(["text", "corpus.db", "mixed.txt"]).expect(0).stdout;
    let mut text = String::new();
    for page in 0.. {
        let offset = (page * 97).to_string();
        let words = ["text", "corpus.db", "mixed.txt", "--offset", &offset, "--limit", "97", "--json"];
        let page = workshop.run(words).expect(0).json();
        let part = page["text"].as_str().unwrap();
        assert_eq!(
            (&page["limit"], page["total_chars"].as_u64()),
            (&97.into(), Some(whole.chars().count() as u64))
        );
        text.push_str(part);
        assert_eq!(page["truncated"], text != whole);
        if text.chars().count() >= whole.chars().count() {
            break;
        }
    }
    assert_eq!(text, whole);
}
