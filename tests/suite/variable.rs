//! What differs from run to run, from machine to machine, or from version to version, replaced by names in `<>`.

use crate::support::Workshop;
use regex::Regex;

/// The patterns, compiled once.
pub struct Variable(Vec<(Regex, &'static str)>);

impl Variable {
    pub fn new() -> Variable {
        let patterns = [
            (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?", "<TIME>"),
            // Dates of files, which a test has just written.
            (r#"(<td class="date">)\d{4}-\d\d-\d\d"#, "$1<DAY>"),
            (r"[\d,.]+ (files|MB)/s", "<N> $1/s"),
            (r"\b\d+\.\d s\b", "<N> s"),
            (
                r#"("(seconds|compare|finish|read|scan|chunk|clean|extract|prepare)": ?)\d[\d.e-]*"#,
                "$1<SECONDS>",
            ),
            (
                r#"("(audits|baselines|blocks|classes|furniture|order|ownership|reading|threads)": ?)\d+\.\d+"#,
                "$1<MS>",
            ),
            // Files that are as young as the run before are hashed again.
            (r#"("bytes_hashed": ?)\d+"#, "$1<N>"),
            (r"(scan: [\d,]+ entries, )[\d.,]+ MB", "$1<N> MB"),
            (r#"("(database_)?bytes": ?)\d{5,}"#, "$1<BYTES>"),
            (r"(<dt>database</dt>\n<dd>)[^<]+", "$1<SIZE>"),
            (r"(?m)^(size +)[\d.]+ MB$", "$1<N> MB"),
            (r#"("score": ?\d+\.\d{1,4})\d*"#, "$1"),
            // The part of a cursor that tells databases apart.
            (r"\b([cpst]\d+((\.|/|%2E|%2F)[\dcs]+)*(-|%2D))[0-9a-f]{8}\b", "$1<DATABASE>"),
            (r"\b0\.\d+\.\d+\b", "<VERSION>"),
            (r"127\.0\.0\.1:\d+", "<HOST>"),
            (r"(?m)^(meta\|scan_started:\d+\|).*", "$1<TIME>"),
        ];
        Variable(patterns.map(|(pattern, name)| (Regex::new(pattern).unwrap(), name)).into())
    }

    /// What was printed in a workshop, without what varies.
    pub fn replaced(&self, place: &Workshop, text: &str) -> String {
        let here = place.path("").display().to_string();
        let mut text = text.replace(here.trim_end_matches('/'), "<DIR>").replace(&fixtures(), "<FIXTURES>");
        for (pattern, name) in &self.0 {
            text = pattern.replace_all(&text, *name).into_owned();
        }
        text
    }
}

/// The folder of the repository's fixtures.
pub fn fixtures() -> String {
    format!("{}/fixtures", env!("CARGO_MANIFEST_DIR"))
}
