//! The shape of the sources: the order of `mod` lines in `lib.rs` is the architecture, and no module names one that
//! stands after it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The order that the design gives; modules of later work are not there yet.
const FLOORS: &[&str] = &[
    "model", "text", "layout", "chunk", "format", "process", "scan", "extract", "store", "verify", "ingest",
    "search", "export", "ragmd", "passages", "serve", "config", "cli",
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Modules of `lib.rs`, in order.
fn floors() -> Vec<String> {
    let text = fs::read_to_string(sources().join("lib.rs")).unwrap();
    let names = text.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    names.map(|name| name.trim_end_matches(';').to_owned()).collect()
}

/// Every Rust file below `src`, with its path from there.
fn files() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![sources()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(sources()).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

/// Code without comments. Strings stay; the sources hold none that look like a path of this crate.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_start().starts_with("//") {
        true => "",
        false => line.split(" // ").next().unwrap_or_default(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules that a file names by `crate::NAME` or in the braces of `crate::{...}`.
fn named(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, word) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + word.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(heads(group)),
            None => names.push(head(rest)),
        }
    }
    names
}

/// The identifier that a text begins with.
fn head(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first word of each item of a brace group.
fn heads(group: &str) -> Vec<String> {
    let (mut depth, mut names, mut fresh) = (1, Vec::new(), true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return names,
            '}' => depth -= 1,
            ',' if depth == 1 => fresh = true,
            c if fresh && depth == 1 && !c.is_whitespace() => {
                names.push(head(&group[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

#[test]
fn modules_stand_in_the_order_of_the_design() {
    let floors = floors();
    let mut order = FLOORS.iter();
    for name in &floors {
        assert!(order.any(|floor| floor == name), "`{name}` is unknown or out of order: {floors:?}");
    }
    assert!(floors.len() > 10);
}

#[test]
fn modules_name_only_modules_above_them() {
    let floors = floors();
    let place = |name: &str| floors.iter().position(|floor| floor == name);
    let mut wrong = Vec::new();
    let mut arrows = 0;
    for (file, text) in files() {
        let own = file.split('/').next().unwrap().trim_end_matches(".rs");
        let Some(here) = place(own) else { continue };
        for name in named(&code(&text)) {
            match place(&name) {
                Some(there) if there <= here => arrows += usize::from(there < here),
                Some(_) => wrong.push(format!("src/{file} names crate::{name}, which stands below it")),
                None => wrong.push(format!("src/{file} names crate::{name}, which is no module of lib.rs")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(arrows > 50, "only {arrows} uses were found: the search has gone blind");
}

#[test]
fn nobody_climbs_out_of_a_module_by_super() {
    for (file, text) in files() {
        let depth = file.trim_end_matches("/mod.rs").split('/').count();
        let climbs = format!("{}::", vec!["super"; depth + 1].join("::"));
        assert!(
            !code(&text).contains(&climbs),
            "src/{file} reaches the crate by `{climbs}`: name it `crate::`"
        );
    }
}

#[test]
fn every_file_says_what_it_owns_and_stays_short() {
    for (file, text) in files() {
        assert!(text.starts_with("//! "), "src/{file} does not open with a //! paragraph");
        let lines = text.lines().count();
        assert!(lines <= 700, "src/{file} has {lines} lines: it tells a second story");
    }
    let main = fs::read_to_string(sources().join("main.rs")).unwrap();
    assert!(main.lines().count() <= 20 && main.contains("cli::run"), "{main}");
}

#[test]
fn the_search_for_uses_sees_every_form() {
    let text = "use crate::model::{A, B};\nuse crate::{text::x, store::{self, y}, chunk};\n// crate::cli\nlet a = crate::scan::b();";
    assert_eq!(named(&code(text)), ["model", "text", "store", "chunk", "scan"]);
}
