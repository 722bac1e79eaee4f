//! The laws of cleaning on random texts: cleaning clean text changes nothing, the result does not depend on how the
//! text is divided, and exact runs of the map agree with the source.

use super::tests::check_laws_at;
use super::*;
use crate::model::TextKind;
use crate::text::normalize::UnicodeForm;
use proptest::prelude::*;

/// Lines and parts of lines from real texts, and difficult cases for the rules.
const PIECES: &[&str] = &[
    "When the river had risen above the second mark, the keeper went down",
    "to the lower gate and looked at the water for a",
    "long time. Nobody had told him what to do, and the",
    "man who might have known was away until the end of the",
    "month. So was his brother, who kept the upper gate in",
    "better years, and knew the river well.",
    "The gate stood open to the rain,",
    "The lamp was out, the road was wet,",
    "And no one came along the lane",
    "12",
    "13",
    "The Mill",
    "Page 3",
    "Page 4",
    "- an item",
    "1. first",
    "a) second",
    "exam-",
    "ple of it",
    "well-",
    "known fact",
    "It is well-known.",
    "Anglo-",
    "Saxon",
    "apples 12 3.50",
    "From: Jane",
    "int main() {",
    "}",
    "-----",
    "> quoted",
    "Ã©",
    "â€™",
    "Ã",
    "Â",
    "©",
    "\u{200b}",
    "a\u{200c}",
    "\u{645}\u{200c}",
    "\u{200d}",
    "🏴\u{e0067}\u{e0062}",
    "\u{e007f}",
    "☺\u{fe0f}",
    "\u{1b}[1m",
    "日本語の文章を",
    "書く。",
    "ประเทศ",
    "ELEVEN MEN WENT DOWN TO THE SEA AND CAME",
    "\u{fdfa}",
    "e\u{301}",
    "A\u{303}",
    "ﬁ",
    "ª",
    "\u{feff}",
    "apples      12",
    "pears        9",
    "key: value",
    "    gate.open();",
    "\tat mill.Gate(Gate.java:12)",
    "a\u{ad}b\u{ad}",
    "2,4-",
    ", as",
    "，次",
    "state-of-the-",
];

const JOINTS: &[&str] = &[
    " ", " ", "  ", "\n", "\n", "\n", "\n", "\r\n", "\n\n", "\n\n", "\n\n\n", "\u{c}", "\n\u{c}", "", "\t",
    "\u{2029}", "-\n", "\u{ad}\n", "   ", "\n    ", "\n  ", "\r",
];

fn text() -> impl Strategy<Value = String> {
    let piece =
        (0..PIECES.len(), 0..JOINTS.len()).prop_map(|(piece, joint)| [PIECES[piece], JOINTS[joint]].concat());
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn options() -> impl Strategy<Value = CleanOptions> {
    let forms =
        prop::sample::select(vec![UnicodeForm::Nfkc, UnicodeForm::Nfkc, UnicodeForm::Nfc, UnicodeForm::None]);
    (forms, 0..3usize, any::<bool>(), 0..CLEAN_RULES.len() * 2).prop_map(
        |(form, max_blank_lines, page_markers, off)| {
            let rules = CLEAN_RULES
                .get(off)
                .map_or(CleanRuleSet::all(), |row| CleanRuleSet::all().with(row.rule, false));
            CleanOptions { form, max_blank_lines, page_markers, rules, ..CleanOptions::default() }
        },
    )
}

/// `TEST_ROUNDS=10` tests ten times as many texts.
fn config() -> ProptestConfig {
    let rounds = std::env::var("TEST_ROUNDS").ok().and_then(|rounds| rounds.parse::<u32>().ok());
    ProptestConfig {
        cases: 100 * rounds.unwrap_or(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_prose_keeps_the_laws(text in text(), options in options(), cuts in prop::collection::vec(0.0..1.0f64, 0..6)) {
        check_laws_at(TextKind::Prose, &text, &options, &cuts);
    }

    #[test]
    fn any_other_text_keeps_the_laws(
        text in text(),
        options in options(),
        kind in prop::sample::select(vec![TextKind::Markup, TextKind::Code, TextKind::Data]),
        cuts in prop::collection::vec(0.0..1.0f64, 0..6),
    ) {
        check_laws_at(kind, &text, &options, &cuts);
    }
}
