//! Examples for each kind of text, and the laws that hold for every text, however it is divided.

use super::cleaner::CleaningStep;
use super::*;
use crate::model::{LineAnchor, Locator, LocatorMap, Segment, Span, SpanMap, TextKind};
use crate::text::normalize::UnicodeForm;
use unicode_normalization::UnicodeNormalization;

const KINDS: [TextKind; 4] = [TextKind::Prose, TextKind::Markup, TextKind::Code, TextKind::Data];

fn options() -> CleanOptions {
    CleanOptions { version: CleanVersion::V0, ..CleanOptions::default() }
}

/// A raw text at byte 1,000 of its source, at line 5, with a page every ten bytes or so.
fn raw(text: &str) -> Segment {
    let ends = (1..=text.len()).filter(|&at| at == text.len() || at % 10 == 0 && text.is_char_boundary(at));
    let (mut from, mut page) = (0, 0);
    let pages = ends.map(|end| {
        page += 1;
        (Span::new(std::mem::replace(&mut from, end), end), Locator::page(page))
    });
    Segment {
        text: text.to_owned(),
        map: SpanMap::identity(text.len(), 1000),
        lines: vec![LineAnchor { out: 0, line: 5 }],
        places: LocatorMap(pages.collect()),
        ..Segment::default()
    }
}

/// Cleans a text that arrives in parts that end at `cuts`.
fn cleaned(text: &str, kind: TextKind, options: &CleanOptions, cuts: &[usize]) -> Segment {
    let mut cleaner = Cleaner::new(options, kind);
    let (mut rest, mut whole, mut from) = (raw(text), Segment::default(), 0);
    for &cut in cuts {
        let next = rest.split_off(cut - from);
        whole.append(cleaner.push(std::mem::replace(&mut rest, next)));
        from = cut;
    }
    whole.append(cleaner.push(rest));
    whole.append(cleaner.finish());
    whole
}

fn check(kind: TextKind, text: &str, expected: &str) {
    let got = cleaned(text, kind, &options(), &[]);
    assert_eq!(got.text, expected, "{kind:?} {text:?}");
    check_laws(kind, text, &options());
}

/// Laws that hold for every text: cleaning twice changes nothing, the cuts of the stream affect neither the text nor
/// anything attached to it, and runs that the map calls exact are exact.
fn check_laws(kind: TextKind, text: &str, options: &CleanOptions) {
    let whole = cleaned(text, kind, options, &[]);
    let again = cleaned(&whole.text, kind, options, &[]);
    assert_eq!(again.text, whole.text, "{kind:?} {text:?} cleaned twice");
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    check_same(&whole, &cleaned(text, kind, options, &places), text);
    for &cut in &places {
        check_same(&whole, &cleaned(text, kind, options, &[cut]), text);
    }
    check_exact(&whole, text, options);
}

/// The same laws, with the stream cut at these shares of the text.
pub(super) fn check_laws_at(kind: TextKind, text: &str, options: &CleanOptions, cuts: &[f64]) {
    let whole = cleaned(text, kind, options, &[]);
    let again = cleaned(&whole.text, kind, options, &[]);
    assert_eq!(again.text, whole.text, "{kind:?} {text:?} cleaned twice");
    let at = |share: &f64| text.floor_char_boundary((share * text.len() as f64) as usize);
    let mut cuts: Vec<usize> = cuts.iter().map(at).collect();
    cuts.sort_unstable();
    cuts.dedup();
    check_same(&whole, &cleaned(text, kind, options, &cuts), text);
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    check_same(&whole, &cleaned(text, kind, options, &places), text);
    check_exact(&whole, text, options);
}

fn check_same(one: &Segment, other: &Segment, text: &str) {
    assert_eq!(one.text, other.text, "{text:?} in parts");
    for start in 0..one.text.len() {
        assert_eq!(one.line_at(start), other.line_at(start), "line of {start} in {text:?}");
        for end in start + 1..=one.text.len().min(start + 12) {
            let span = Span::new(start, end);
            assert_eq!(one.map.source(span), other.map.source(span), "{span:?} of {text:?}");
            assert_eq!(one.places.of(span), other.places.of(span), "{span:?} of {text:?}");
        }
        assert_eq!(one.map.is_boundary(start), other.map.is_boundary(start));
    }
}

fn check_exact(clean: &Segment, text: &str, options: &CleanOptions) {
    let bare = |text: &str| -> String {
        let normal: String = match options.form {
            UnicodeForm::Nfkc => text.nfkc().collect(),
            UnicodeForm::Nfc => text.nfc().collect(),
            UnicodeForm::None => text.to_owned(),
        };
        normal.chars().filter(|&c| !c.is_whitespace() && !matches!(c, '-' | '\u{ad}' | '\u{feff}')).collect()
    };
    let places: Vec<usize> = clean.text.char_indices().map(|(at, _)| at).chain([clean.text.len()]).collect();
    for (i, &start) in places.iter().enumerate() {
        for &end in places[i + 1..].iter().take(12) {
            let span = Span::new(start, end);
            let Some(source) = clean.map.source(span).filter(|source| source.exact) else { continue };
            let (got, from) = (&clean.text[span.range()], &text[source.start - 1000..source.end - 1000]);
            assert_eq!(bare(got), bare(from), "{got:?} from {from:?} in {text:?}");
        }
    }
}

#[test]
fn prose_lines_and_spaces() {
    let check = |text, expected| check(TextKind::Prose, text, expected);
    check("", "");
    check("  \n \t\n ", "");
    check("one", "one");
    check("one\n", "one\n");
    check("one\r\n\r\n\r\n\r\ntwo  \t three\r\n\r\n", "one\n\ntwo three\n");
    check("\n\n  one  \n   two\t", "one\ntwo");
    check("a\rb\u{85}c\u{2028}d\u{2029}e\u{b}f\u{c}g", "a\nb\nc\nd\n\ne\nf\ng");
    check("a\u{a0}\u{a0}b\u{3000}c \u{2003}d", "a b c d");
    check("a \u{b4}b\n\u{b4}c", "a \u{301}b\n\u{301}c");
    check("Le mot\u{a0}: «\u{a0}été\u{a0}»…\n", "Le mot : « été »...\n");
    check("x\u{feff}y\0z\u{ad}\u{200b}", "xyz\u{ad}\u{200b}");
    check("“quoted”  — «so»\n\n\n\n“next”", "“quoted” — «so»\n\n“next”");
    check("日本、 語。\n\n\n\u{3000}次", "日本、 語。\n\n次");
}

#[test]
fn markup_keeps_its_structure() {
    let check = |text, expected| check(TextKind::Markup, text, expected);
    check("# A  \n\n\n\n- b \n    - c\t\n", "# A\n\n- b\n    - c\n");
    check("one  \ntwo   \nthree \nfour  \n\nfive  ", "one  \ntwo  \nthree\nfour\n\nfive");
    check("a\n```\nx  \n\n\n\n  y \n```\nb \n\n\n\nc", "a\n```\nx  \n\n\n\n  y \n```\nb\n\nc");
    check("```\n\n\n\n", "```\n");
    check("a\n\n    code \n\n\n\n    more\n\n\n\nb", "a\n\n    code\n\n\n\n    more\n\nb");
    check("\n\n\ttabs stay\n", "\ttabs stay\n");
    check("| a   |  b |\n|-----|----|\r\n| 1   |  2 |  ", "| a   |  b |\n|-----|----|\n| 1   |  2 |");
    check("Title\n~~~~~\n\n\n\ntext \n", "Title\n~~~~~\n\ntext\n");
    check("- ```\n  a \n  ```\nb \nc", "- ```\n  a \n  ```\nb\nc");
    check("```\u{2028}x\n```\u{2028}y \nz", "```\nx\n```\ny\nz");
    check("  \n   \n", "");
}

#[test]
fn code_keeps_indentation_and_blank_lines() {
    let check = |text, expected| check(TextKind::Code, text, expected);
    check(
        "\r\n\r\n    fn  a() {  \r\n\t\tb\t\r\n}\r\n\r\n\r\n\r\nc\n\n \n",
        "    fn  a() {\n\t\tb\n}\n\n\n\nc\n",
    );
    check("a = \"ﬁ\"; \t", "a = \"fi\";");
    check("a\n\u{c}\nb\u{b}c", "a\n\nb c");
    check("s = '\u{2028}';\u{a0}\n", "s = '\u{2028}';\n");
    check("   \n  ", "");
}

#[test]
fn data_keeps_white_space() {
    let check = |text, expected| check(TextKind::Data, text, expected);
    check("a\tb\t\t\r\n\t\t\t\r\nc  d\t\t\n\n\n", "a\tb\t\t\n\t\t\t\nc  d\t\t\n");
    check("\n\na\u{b}b\u{c}", "a b ");
    check("a\t\t", "a\t\t");
    check("a\r\n\r\n\r\nb\rc \n ", "a\n\n\nb\nc \n ");
}

#[test]
fn more_blank_lines_stay_where_they_may() {
    let three = CleanOptions { max_blank_lines: 3, ..options() };
    assert_eq!(cleaned("a\n\n\n\n\n\nb", TextKind::Prose, &three, &[]).text, "a\n\n\n\nb");
    let none = CleanOptions { max_blank_lines: 0, ..options() };
    assert_eq!(cleaned("a\n\n\nb\u{2029}c", TextKind::Prose, &none, &[]).text, "a\nb\nc");
    check_laws(TextKind::Prose, "a\n\n\nb\u{2029}\u{2029}c", &three);
    check_laws(TextKind::Markup, "a\n\n\nb\u{2029}\u{2029}c", &none);
}

#[test]
fn lines_are_those_of_the_source() {
    let clean = cleaned("\n\n one\r\n\r\n\r\n\r\ntwo\rthree\nfour", TextKind::Prose, &options(), &[]);
    assert_eq!(clean.text, "one\n\ntwo\nthree\nfour");
    let line = |word: &str| clean.text.find(word).and_then(|at| clean.line_at(at));
    assert_eq!(
        [line("one"), line("two"), line("three"), line("four")],
        [Some(7), Some(11), Some(11), Some(12)]
    );
}

#[test]
fn text_in_which_nothing_changes_is_not_copied() {
    for kind in KINDS {
        let raw = raw("One line of text,\n\nand «another» — été.\n");
        let (at, map) = (raw.text.as_ptr(), raw.map.clone());
        let mut cleaner = Cleaner::new(&options(), kind);
        let mut clean = cleaner.push(raw);
        clean.append(cleaner.finish());
        assert_eq!((clean.text.as_ptr(), clean.map), (at, map), "{kind:?}");
    }
}

#[test]
fn laws_hold_on_mixtures() {
    const PARTS: [&str; 40] = [
        " ", " ", "  ", "   ", "    ", "\t", "\n", "\n", "\n\n", "\r", "\r\n", "\u{85}", "\u{2028}",
        "\u{2029}", "\u{b}", "\u{c}", "\u{a0}", "\u{3000}", "\u{1680}", "\u{feff}", "\0", "\u{9f}", "a", "b",
        "e", "\u{301}", "\u{323}", "\u{b4}", "\u{344}", "\u{fb01}", "\u{1100}", "\u{1161}", "\u{fdfa}",
        "```", "~~~", "~~~~~", "- ", "> ", "“", "字",
    ];
    let mut state = 11u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let forms = [UnicodeForm::Nfkc, UnicodeForm::Nfc, UnicodeForm::None];
    for round in 0..ROUNDS {
        let text: String = (0..1 + next(14)).map(|_| PARTS[next(PARTS.len())]).collect();
        let version = CleanVersion::ALL[next(2)];
        let max_blank_lines = next(4);
        let options = CleanOptions {
            version,
            form: forms[round % 3],
            max_blank_lines,
            gutenberg: round % 5 == 0,
            ..options()
        };
        check_laws(KINDS[next(4)], &text, &options);
    }
}

const ROUNDS: usize = 600;

#[test]
fn laws_hold_where_a_rule_is_off() {
    let without =
        |rule| CleanOptions { rules: CleanRuleSet::all().with(rule, false), ..CleanOptions::default() };
    for kind in [TextKind::Prose, TextKind::Markup] {
        check_laws(kind, "a\u{ad}\u{c}b\u{ad}\u{b}c\u{ad}\u{2028}d\u{ad}\u{c}", &without(CleanRule::Blanks));
    }
    let code = "int main() {\r\u{200b}\r\n    gate.open();\n\n";
    check_laws(TextKind::Prose, code, &without(CleanRule::BlankLines));
}

#[test]
fn repaired_characters_that_are_one_unit_are_normalised_one_by_one() {
    for text in ["Ã©ª\u{200b} ", "Ã©ªª", "aÃ©ª\u{301}b"] {
        check_laws(TextKind::Markup, text, &CleanOptions::default());
    }
}

#[test]
fn what_is_held_back_stays_small() {
    for kind in KINDS {
        for gap in ["\n\n", "\r\n", " \n", "\t \r", "\u{c}\n", "\u{2029} "] {
            let mut cleaner = Cleaner::new(&options(), kind);
            let part = Segment { text: gap.repeat(40_000), ..Segment::default() };
            let mut text = cleaner.push(raw("a")).text;
            for _ in 0..4 {
                text.push_str(&cleaner.push(part.clone()).text);
                let Some(CleaningStep::WhiteSpace(space)) = cleaner.steps.last() else {
                    panic!("white space is the last rule")
                };
                assert!(space.held_len() <= 200_000, "{kind:?} {gap:?} holds {} bytes", space.held_len());
            }
            text.push_str(&cleaner.finish().text);
            assert!(text == "a\n" || kind != TextKind::Prose);
        }
    }
}

#[test]
fn lines_of_a_letter_are_joined_and_its_structure_stays() {
    let letter = "# The gate\n\nFrom: Jane Miller <jane@mill.example>\nTo: the harbour board\n\n\
                  The lower gate was repaired in the course of the spring, as you\nwill have seen.\n\n\
                  > What does the keeper say, who was there at the time of the\n> flood?\n\n\
                  - a lamp\n- a rope\n\n    code that is indented and goes on in the next line,\n    as code does\n\n\
                  hard break  \nhere\n\n-- \nJane";
    let mut cleaner = Cleaner::for_mail_body(&CleanOptions::default());
    let mut clean = cleaner.push(raw(letter));
    clean.append(cleaner.finish());
    assert_eq!(clean.text, letter.replace("you\nwill", "you will").replace("-- \n", "--\n"));
    let mut again = Cleaner::for_mail_body(&CleanOptions::default());
    let mut twice = again.push(raw(&clean.text));
    twice.append(again.finish());
    assert_eq!(twice.text, clean.text);
}

#[test]
fn characters_that_are_joined_are_repaired_in_the_same_run() {
    let options = CleanOptions { form: UnicodeForm::None, ..CleanOptions::default() };
    let text = "The cafÃ\u{1}© is open.";
    assert_eq!(cleaned(text, TextKind::Prose, &options, &[]).text, "The café is open.");
    check_laws(TextKind::Prose, text, &options);
}
