//! Manifests that are read, and refusals.

use super::*;

const GOOD: &str = r#"
[collection]
name = "herons"

[keywords.weather]
words = ["rain"]
authors = { other = ["drizzle"] }

[[works]]
author = "Ann N. Óther"
author_id = "other"
title = "The Grey Heron"
slug = "grey_heron"
gutenberg_id = 99999
publication_year = 1899
"#;

fn check(text: &str, expected: &str) {
    let error = parse(text, Path::new("m.toml")).unwrap_err();
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn a_short_manifest_is_enough() {
    let manifest = parse(GOOD, Path::new("m.toml")).unwrap();
    let work = &manifest.works[0];
    assert_eq!((work.stem().as_str(), work.language.as_str()), ("other_grey_heron", "en"));
    assert_eq!((manifest.rules, manifest.sources), (PassageRules::default(), SourceSettings::default()));
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    check(&GOOD.replace("slug =", "slugg ="), "m.toml:");
    check(&format!("{GOOD}\nnumber = 1"), "m.toml:17: unknown field `number`");
    check(&GOOD.replace("grey_heron", "Grey Heron"), "m.toml: works `Grey Heron`: slug and author_id");
    check(&GOOD.replace("99999", "0"), "m.toml: works `grey_heron`: needs a number");
    check(&GOOD.replace("[\"rain\"]", "[]"), "m.toml: keywords: needs a set");
    check(&format!("{GOOD}\n[rules]\nwords = [50, 20]"), "m.toml: rules: needs bounds");
    check(&format!("{GOOD}\n[sources]\nmirrors = [\"ftp://x\"]"), "m.toml: sources.mirrors: needs");
    check("[", "m.toml:1: ");
    let again = GOOD.split_once("[[works]]").unwrap().1;
    check(&format!("{GOOD}\n[[works]]\n{again}"), "m.toml: works `grey_heron`: has the file name");
}

#[test]
fn numbers_of_rules_are_in_order() {
    let check = |rules: &str, expected: Option<&str>| {
        let found = parse(&format!("{GOOD}\n[rules]\n{rules}"), Path::new("m.toml"));
        let message = found.err().map(|error| error.to_string());
        let expected = expected.map(|expected| format!("m.toml: {expected}"));
        assert_eq!(message, expected, "{rules}");
    };
    let order = "rules: needs bounds[0] <= words[0] <= words[1] <= bounds[1], none of them 0";
    check("words = [5, 5]\nbounds = [5, 5]", None);
    check("words = [1, 9]\nbounds = [1, 9]", None);
    check("words = [0, 9]\nbounds = [1, 9]", Some(order));
    check("words = [1, 9]\nbounds = [0, 9]", Some(order));
    check("words = [6, 5]\nbounds = [5, 6]", Some(order));
    check("words = [5, 6]\nbounds = [6, 6]", Some(order));
    check("words = [5, 6]\nbounds = [5, 5]", Some(order));
    let share = "rules.max_overlap: is a share, from 0 to 1";
    check("max_overlap = 0.0", None);
    check("max_overlap = 1.0", None);
    check("max_overlap = 1.01", Some(share));
    check("max_overlap = -0.01", Some(share));
    let target = "rules.target: needs its least before its most";
    check("target = [3, 3]", None);
    check("target = [0, 1]", None);
    check("target = [4, 3]", Some(target));
    check("target = [0, 0]", Some(target));
    let steps = "rules.steps: must fall, from below min_score on";
    check("min_score = 5.0\nsteps = [5.0, 4.0, 4.0]", None);
    check("min_score = 5.0\nsteps = []", None);
    check("min_score = 5.0\nsteps = [5.1, 4.0]", Some(steps));
    check("min_score = 5.0\nsteps = [4.0, 4.1]", Some(steps));
}

#[test]
fn addresses_and_waits_of_sources_are_checked() {
    let check = |sources: &str, expected: Option<&str>| {
        let found = parse(&format!("{GOOD}\n[sources]\n{sources}"), Path::new("m.toml"));
        let message = found.err().map(|error| error.to_string());
        let expected = expected.map(|expected| format!("m.toml: {expected}"));
        assert_eq!(message, expected, "{sources}");
    };
    let mirrors = "sources.mirrors: needs addresses that begin with https:// or http://";
    check("mirrors = [\"https://a\", \"http://b\"]", None);
    check("mirrors = [\"https://a\", \"b\"]", Some(mirrors));
    check("mirrors = []", Some(mirrors));
    let paths = "sources.paths: needs forms that begin with {base}/ and have {id}";
    check("paths = [\"{base}/{id}.txt\"]", None);
    check("paths = [\"{base}/a.txt\"]", Some(paths));
    check("paths = [\"{base}/{id}.txt\", \"/{id}.txt\"]", Some(paths));
    check("paths = []", Some(paths));
    let seconds = "sources: needs seconds from 0 to 86400, and a timeout above 0";
    check("delay_seconds = 0.0\nretry_seconds = 86400.0", None);
    check("timeout_seconds = 0.1", None);
    check("timeout_seconds = 0.0", Some(seconds));
    for key in ["delay_seconds", "timeout_seconds", "retry_seconds", "longest_wait_seconds"] {
        check(&format!("{key} = -0.1"), Some(seconds));
        check(&format!("{key} = 86400.1"), Some(seconds));
    }
}

#[test]
fn exceptions_and_senses_belong_to_a_word_of_their_set() {
    let set = |lines: &str| GOOD.replace("words = [\"rain\"]", &format!("words = [\"Rain\"]\n{lines}"));
    let good = |lines: &str| assert!(parse(&set(lines), Path::new("m.toml")).is_ok(), "{lines}");
    good("except = [\"rain coat\", \"in the DRIZZLE\"]");
    good("author_except = { other = [\"rain coat\"] }");
    good("senses = { rain = { near = [\"sky\"] }, drizzle = {} }");
    let idle = "m.toml: keywords.weather.except: `snow coat` has no word of the set";
    check(&set("except = [\"rain coat\", \"snow coat\"]"), idle);
    check(&set("author_except = { other = [\"snow coat\"] }"), idle);
    check(&set("senses = { snow = {} }"), "m.toml: keywords.weather.senses.snow: is no word of the set");
}

#[test]
fn names_are_small_letters_digits_and_underscores() {
    let is = |text: &str, expected: bool| assert_eq!(is_slug(text), expected, "{text}");
    is("grey_heron_2", true);
    is("", false);
    is("Grey", false);
    is("grey-heron", false);
    is("ä", false);
    is(&"x".repeat(80), true);
    is(&"x".repeat(81), false);
    check(&GOOD.replace("\"other\"", "\"O\""), "m.toml: works `grey_heron`: slug and author_id");
    check(&GOOD.replace("keywords.weather", "keywords.Weather"), "m.toml: keywords.Weather: is no name");
    check(&GOOD.replace("[\"rain\"]", "[\" \"]"), "m.toml: keywords: needs a set");
    let nameless = "m.toml: works `grey_heron`: needs an author and a title";
    check(&GOOD.replace("The Grey Heron", " "), nameless);
    check(&GOOD.replace("Ann N. Óther", " "), nameless);
    check(&format!("{GOOD}alternatives = [7, 0]"), "m.toml: works `grey_heron`: needs a number");
}

#[test]
fn the_key_of_an_author_is_the_last_name() {
    let check = |author: &str, expected: &str| {
        let manifest = parse(&GOOD.replace("Ann N. Óther", author), Path::new("m.toml")).unwrap();
        assert_eq!(manifest.works[0].author_key(), expected, "{author}");
    };
    check("Ann Brontë", "bronte");
    check("Ann Other Jr.", "other");
    check("Ann Other III", "other");
    check("Ann O'Hara", "ohara");
    check("李白", "other");
    let manifest = parse(&format!("{GOOD}alternatives = [7, 8]"), Path::new("m.toml")).unwrap();
    assert_eq!(manifest.works[0].ids().collect::<Vec<_>>(), [99_999, 7, 8]);
}
