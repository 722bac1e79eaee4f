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
