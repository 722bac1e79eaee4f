//! PDF documents laid out with random settings.

use super::Session;
use crate::support::Dice;
use std::fs;
use std::path::Path;

const DOCUMENTS: &[&str] = &["columns", "structure", "textbook", "fonts", "operators", "scan", "damaged"];

/// Settings of `pdf.layout` besides the usual ones.
const SETTINGS: &[(&str, &[&str])] = &[
    ("furniture_pages", &["2", "3", "12"]),
    ("furniture_share", &["20", "90"]),
    ("furniture_band", &["4", "25"]),
    ("column_overlap", &["50", "99"]),
    ("column_width", &["40", "100"]),
    ("size_tolerance", &["1", "40"]),
    ("line_height_tolerance", &["2", "60"]),
    ("density_low", &["1", "50"]),
    ("density_high", &["60", "99"]),
    ("density_tolerance", &["5", "80"]),
    ("heading_size", &["101", "180"]),
    ("prose_share", &["5", "80"]),
    ("box_share", &["40", "99"]),
    ("table_rows", &["2", "6"]),
    ("window_tokens", &["100", "120"]),
];

/// A session of layouts.
pub fn play(session: &mut Session, dice: &mut Dice) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/pensieve-readers/tests/golden/pdf");
    for name in DOCUMENTS {
        fs::copy(golden.join(format!("{name}.pdf")), session.place.path(format!("{name}.pdf"))).unwrap();
    }
    for _ in 0..10 {
        let file = format!("{}.pdf", dice.pick(DOCUMENTS));
        let mut words = vec!["layout".to_owned(), file, "--emit".to_owned()];
        words.push(dice.pick(&["metrics", "blocks", "units", "chunks"]).to_owned());
        for _ in 0..dice.below(4) {
            let (key, values) = dice.pick(SETTINGS);
            words.extend(["--set".to_owned(), format!("pdf.layout.{key}={}", dice.pick(values))]);
        }
        session.run(&words);
    }
    session.run(&["layout", &format!("{}.pdf", dice.pick(DOCUMENTS)), "--draw", "drawn"]);
    session.files("drawn");
}
