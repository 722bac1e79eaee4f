//! Golden pairs of the rules of cleaning: `tests/clean/<rule>/<what it shows>.<extension>` is cleaned by that rule,
//! with what it needs and the white space in order, and becomes `<what it shows>.expected`. The extension says what kind of text it is:
//! `txt` is prose, `md` markup, `rs` code, `csv` data. A name that ends in `markers` wants page markers.
//!
//! `UPDATE_GOLDEN=1` writes the expected texts anew; read the difference before you keep it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use pensieve_text::model::{Segment, Span, SpanMap, TextKind};
use pensieve_text::text::clean::{CLEAN_RULES, CleanOptions, CleanRule, CleanRuleRow, CleanRuleSet, Cleaner};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(rule: &CleanRuleRow) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clean").join(rule.name)
}

fn inputs(rule: &CleanRuleRow) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(rule)).into_iter().flatten();
    let mut inputs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.retain(|path| path.extension().is_some_and(|extension| extension != "expected"));
    inputs.sort();
    inputs
}

fn kind(path: &Path) -> TextKind {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("md") => TextKind::Markup,
        Some("rs") => TextKind::Code,
        Some("csv") => TextKind::Data,
        _ => TextKind::Prose,
    }
}

/// The rule, what it needs, and what its work would not show without.
fn rules(rule: &CleanRuleRow) -> CleanRuleSet {
    let with = |rules: CleanRuleSet, names: &[CleanRule]| {
        names.iter().fold(rules, |rules, &name| rules.with(name, true))
    };
    let only = CleanRuleSet::only(rule.rule);
    match rule.rule {
        CleanRule::Mojibake | CleanRule::Controls | CleanRule::Unicode => only,
        CleanRule::Lists => {
            with(only, &[CleanRule::LineEnds, CleanRule::Blanks, CleanRule::BlankLines, CleanRule::SoftWraps])
        }
        _ => with(only, &[CleanRule::LineEnds, CleanRule::Blanks, CleanRule::BlankLines]),
    }
}

fn cleaned(text: &str, kind: TextKind, options: &CleanOptions) -> Segment {
    let mut cleaner = Cleaner::new(options, kind);
    let map = SpanMap::identity(text.len(), 0);
    let mut clean = cleaner.push(Segment { text: text.to_owned(), map, ..Segment::default() });
    clean.append(cleaner.finish());
    clean
}

/// What the map calls exact says the same as its source, but for white space and hyphens.
fn check_map(clean: &Segment, source: &str) {
    let bare = |text: &str| {
        text.chars().filter(|c| !c.is_whitespace() && !"-\u{ad}\u{feff}".contains(*c)).collect::<String>()
    };
    let words =
        clean.text.split_whitespace().map(|word| word.as_ptr() as usize - clean.text.as_ptr() as usize);
    let starts: Vec<usize> = words.collect();
    for pair in starts.windows(4) {
        let span = Span::new(pair[0], pair[3]);
        if let Some(found) = clean.map.source(span).filter(|found| found.exact) {
            assert_eq!(bare(&clean.text[span.range()]), bare(&source[found.start..found.end]));
        }
    }
}

#[test]
fn every_rule_does_what_its_golden_pairs_show() {
    for rule in CLEAN_RULES {
        let inputs = inputs(rule);
        assert!(!inputs.is_empty(), "{} has no golden pair", rule.name);
        for path in inputs {
            let text = fs::read_to_string(&path).unwrap();
            let page_markers =
                path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("markers"));
            let options = CleanOptions { rules: rules(rule), page_markers, ..CleanOptions::default() };
            let clean = cleaned(&text, kind(&path), &options);
            let golden = path.with_extension("expected");
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&golden, &clean.text).unwrap();
            }
            assert_eq!(clean.text, fs::read_to_string(&golden).unwrap_or_default(), "{}", path.display());
            if !clean.text.is_ascii() && rule.name == "unicode" {
                continue;
            }
            check_map(&clean, &text);
        }
    }
}

#[test]
fn all_rules_together_clean_every_pair_once_and_for_all() {
    for path in CLEAN_RULES.iter().flat_map(inputs) {
        let text = fs::read_to_string(&path).unwrap();
        let options = CleanOptions::default();
        let once = cleaned(&text, kind(&path), &options).text;
        assert_eq!(cleaned(&once, kind(&path), &options).text, once, "{}", path.display());
    }
}

#[test]
fn the_page_of_cleaning_has_the_table_of_rules() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cleaning.md")).unwrap();
    let mut table = "| rule | does | works on | needs |\n| --- | --- | --- | --- |\n".to_owned();
    for rule in CLEAN_RULES {
        let kinds: Vec<&str> = rule.kinds.iter().map(|kind| kind.as_str()).collect();
        let needs = CLEAN_RULES.iter().filter(|other| rule.needs.contains(&other.rule));
        let needs: Vec<String> = needs.map(|other| format!("`{}`", other.name)).collect();
        let row =
            format!("| `{}` | {} | {} | {} |\n", rule.name, rule.does, kinds.join(", "), needs.join(", "));
        table.push_str(&row);
    }
    let (head, rest) = page.split_once("<!-- rules -->\n").unwrap();
    let (_, tail) = rest.split_once("<!-- /rules -->").unwrap();
    let generated = format!("{head}<!-- rules -->\n{table}<!-- /rules -->{tail}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cleaning.md"), &generated).unwrap();
    }
    assert!(
        page == generated,
        "docs/cleaning.md is out of date: UPDATE_DOCS=1 cargo test -p pensieve-text --test cleaning"
    );
}

#[test]
fn the_examples_of_the_page_are_what_comes_out() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cleaning.md")).unwrap();
    let (_, examples) = page.split_once("\n## Before and after\n").unwrap();
    let blocks: Vec<&str> =
        examples.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    for pair in blocks.chunks(2) {
        let before = pair[0].replace("^L\n", "\u{c}");
        assert_eq!(cleaned(&before, TextKind::Prose, &CleanOptions::default()).text, pair[1]);
    }
}

/// One invented case of `cleaning_cases.tsv`.
struct InventedCase {
    group: String,
    fires: bool,
    before: String,
    after: String,
}

fn invented_cases() -> Vec<InventedCase> {
    let plain = |text: &str| {
        let signs = [
            ("⏎", "\n"),
            ("⇥", "\t"),
            ("¬", "\u{ad}"),
            ("^L", "\n\u{c}"),
            ("^[", "\u{1b}"),
            ("\\r", "\r"),
            ("\\u9d", "\u{9d}"),
        ];
        signs.iter().fold(text.to_owned(), |text, (sign, means)| text.replace(sign, means))
    };
    let lines = include_str!("cleaning_cases.tsv").lines().filter(|line| !line.starts_with('#'));
    let cells = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    let case = |cells: Vec<&str>| InventedCase {
        group: cells[0].to_owned(),
        fires: cells[1] == "fires",
        before: plain(cells[2]),
        after: plain(if cells[3] == "=" { cells[2] } else { cells[3] }),
    };
    cells.map(case).collect()
}

/// The table of the page: cases of the groups in which one is wrong, and of all, right and wrong.
fn table_of_cases(cases: &[InventedCase], is_right: &[bool]) -> String {
    let wrong = cases.iter().zip(is_right).filter(|(_, ok)| !**ok);
    let mut groups: Vec<&str> = wrong.map(|(case, _)| case.group.as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    let row = |name: &str| {
        let count = |fires: bool, right: bool| {
            let of = |(case, ok): (&InventedCase, &bool)| {
                usize::from((name == "all" || case.group == name) && case.fires == fires && *ok == right)
            };
            cases.iter().zip(is_right).map(of).sum::<usize>()
        };
        let cells = [count(true, true), count(true, false), count(false, true), count(false, false)];
        format!("| {name} | {} | {} | {} | {} |\n", cells[0], cells[1], cells[2], cells[3])
    };
    let mut table =
        "| cases | must fire: right | wrong | must not: right | wrong |\n| --- | --- | --- | --- | --- |\n"
            .to_owned();
    groups.iter().chain(&["all"]).for_each(|name| table.push_str(&row(name)));
    table
}

#[test]
fn invented_cases_are_cleaned_as_the_page_says() {
    let cases = invented_cases();
    assert!(cases.len() >= 200 && cases.iter().filter(|case| !case.fires).count() >= 100);
    let mut is_right = Vec::new();
    let mut wrong = String::new();
    for case in &cases {
        let clean = cleaned(&case.before, TextKind::Prose, &CleanOptions::default()).text;
        assert_eq!(
            cleaned(&clean, TextKind::Prose, &CleanOptions::default()).text,
            clean,
            "{:?}",
            case.before
        );
        if clean != case.after {
            wrong += &format!("{}: {:?}\nis  {clean:?}\nnot {:?}\n", case.group, case.before, case.after);
        }
        is_right.push(clean == case.after);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cleaning.md");
    let page = fs::read_to_string(path).unwrap();
    let (head, rest) = page.split_once("<!-- cases -->\n").unwrap();
    let (_, tail) = rest.split_once("<!-- /cases -->").unwrap();
    let generated =
        format!("{head}<!-- cases -->\n{}<!-- /cases -->{tail}", table_of_cases(&cases, &is_right));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, &generated).unwrap();
    }
    assert!(
        page == generated,
        "docs/cleaning.md has other counts: UPDATE_DOCS=1 cargo test -p pensieve-text --test cleaning\n{wrong}"
    );
}
