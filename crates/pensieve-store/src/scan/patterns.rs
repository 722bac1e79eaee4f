//! Selects paths below a root by patterns in the language of ignore files, which here select instead of ignoring.

use super::rules::{IgnoreRuleList, RuleSubject};
use std::borrow::Cow;
use std::cell::RefCell;
use unicode_normalization::UnicodeNormalization;

/// Patterns that choose files by their path below a root: `docs/**`, `*.md`, `/docs`; with `!` before them they leave
/// out. A pattern that names a folder means everything in it.
///
/// A pattern also means the path that it spells: names have brackets (`app/[id]/page.tsx`), and letters with marks that
/// were typed as one character stand for those that a file system keeps as two.
#[derive(Debug)]
pub struct PathPatterns {
    wanted: PatternList,
    unwanted: PatternList,
}

/// Patterns, as ignore rules and as the paths that they spell.
#[derive(Debug)]
struct PatternList {
    rules: IgnoreRuleList,
    /// The patterns as paths, composed.
    paths: Vec<String>,
    /// The folder of the last path and whether it or one above it matches: paths come in order, so that most share theirs.
    last_folder: RefCell<(Vec<u8>, bool)>,
}

impl PathPatterns {
    /// Parses patterns. A pattern with `#` at its start is a name, not a comment as in an ignore file.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> PathPatterns {
        let list = |is_unwanted: bool| {
            let chosen =
                patterns.iter().map(AsRef::as_ref).filter(|text| text.starts_with('!') == is_unwanted);
            let plain: Vec<String> = chosen.map(|text| literal(text.trim_start_matches('!'))).collect();
            let path =
                |pattern: &String| composed(pattern.replace("\\[", "[").trim_matches('/')).into_owned();
            let paths = plain.iter().filter(|pattern| pattern.contains('/')).map(path).collect();
            let folders: Vec<String> = plain.iter().map(|pattern| folder_of(pattern)).collect();
            let rules = IgnoreRuleList::of_setting("path", &folders);
            PatternList { rules, paths, last_folder: RefCell::default() }
        };
        PathPatterns { wanted: list(false), unwanted: list(true) }
    }

    /// True if there are no patterns, so that every path is selected.
    pub fn is_empty(&self) -> bool {
        self.wanted.rules.is_empty() && self.unwanted.rules.is_empty()
    }

    /// True for a path below its root, in stored form, that is selected and not left out.
    pub fn choose(&self, path: &str) -> bool {
        (self.wanted.rules.is_empty() || self.wanted.has(path)) && !self.unwanted.has(path)
    }
}

/// A pattern as an ignore file would have it. Brackets around a whole name are part of the name: as a class they would mean
/// names of one letter.
fn literal(pattern: &str) -> String {
    let pattern = pattern.trim_start_matches("./");
    let name = |name: &str| match name.starts_with('[') && name.ends_with(']') {
        true => name.replace('[', "\\["),
        false => name.to_owned(),
    };
    let pattern = pattern.split('/').map(name).collect::<Vec<_>>().join("/");
    if pattern.starts_with('#') { format!("\\{pattern}") } else { pattern }
}

/// What is inside of a folder, `docs/**`, as that folder, `/docs/`, which is compared once for all that it has.
fn folder_of(pattern: &str) -> String {
    match pattern.strip_suffix("/**") {
        Some(folder) if !folder.is_empty() && !folder.ends_with("**") => {
            let is_anchored = folder.starts_with('/') || folder.starts_with("**/");
            format!("{}{folder}/", if is_anchored { "" } else { "/" })
        }
        _ => pattern.to_owned(),
    }
}

/// A path with letters and their marks as one character.
fn composed(path: &str) -> Cow<'_, str> {
    if path.is_ascii() { path.into() } else { path.nfc().collect::<String>().into() }
}

impl PatternList {
    /// True if the path or a folder above it matches. A document that contains others counts as their folder.
    fn has(&self, path: &str) -> bool {
        if self.rules.is_empty() {
            return false;
        }
        let is_below = |path: &str, folder: &String| {
            path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let whole = composed(path);
        self.paths.iter().any(|folder| is_below(&whole, folder))
            || self.matches(path.as_bytes())
            || (!whole.is_ascii()
                && (self.matches(whole.as_bytes())
                    || self.matches(path.nfd().collect::<String>().as_bytes())))
    }

    fn matches(&self, path: &[u8]) -> bool {
        let folder = memchr::memrchr(b'/', path).map(|end| &path[..end]);
        folder.is_some_and(|folder| self.has_folder(folder)) || self.has_entry(path, false)
    }

    fn has_folder(&self, folder: &[u8]) -> bool {
        let mut last = self.last_folder.borrow_mut();
        if last.0 != folder {
            let ends = memchr::memchr_iter(b'/', folder).chain([folder.len()]);
            last.1 = ends.into_iter().any(|end| self.has_entry(&folder[..end], true));
            last.0.clear();
            last.0.extend_from_slice(folder);
        }
        last.1
    }

    fn has_entry(&self, path: &[u8], is_folder: bool) -> bool {
        self.rules.verdict(RuleSubject { path, is_folder }) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patterns: &[&str], path: &str, expected: bool) {
        assert_eq!(PathPatterns::new(patterns).choose(path), expected, "{patterns:?} {path}");
    }

    #[test]
    fn patterns_choose_and_leave_out() {
        check(&[], "a/b.md", true);
        check(&["docs/**"], "docs/a/b.md", true);
        check(&["docs/**"], "x/docs/b.md", false);
        check(&["docs"], "x/docs/b.md", true);
        check(&["app/[id]/page.tsx"], "app/[id]/page.tsx", true);
        check(&["app/[id]/page.tsx"], "app/i/page.tsx", false);
        check(&["app/(shop)"], "app/(shop)/page.tsx", true);
        check(&["*.[ch]"], "src/a.c", true);
        check(&["no/Caf\u{e9}.md"], "no/Cafe\u{301}.md", true);
        check(&["/docs"], "x/docs/b.md", false);
        check(&["./docs/**"], "docs/b.md", true);
        check(&["docs/**"], "docs", false);
        check(&["**/docs/**"], "x/docs/y/b.md", true);
        check(&["**/docs/**"], "x/docs", false);
        check(&["a/**/docs/**"], "a/x/docs/b.md", true);
        check(&["**/**"], "b.md", true);
        check(&["a*/**"], "ab/c/d.md", true);
        check(&["a*/**"], "x/ab/d.md", false);
        check(&["*.md"], "x/y/b.md", true);
        check(&["docs/*.md"], "docs/y/b.md", false);
        check(&["*.md", "*.txt"], "b.txt", true);
        check(&["!*.md"], "b.txt", true);
        check(&["!*.md"], "x/b.md", false);
        check(&["docs/**", "!docs/old/**"], "docs/old/b.md", false);
        check(&["#x"], "#x", true);
        check(&["mail.eml"], "mail.eml/2/report.pdf", true);
        check(&["**/report.*"], "mail.eml/2/report.pdf", true);
    }
}
