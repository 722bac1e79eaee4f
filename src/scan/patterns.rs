//! Selects paths below a root by patterns in the language of ignore files, which here select instead of ignoring.

use super::rules::{IgnoreRuleList, RuleSubject};

/// Patterns that choose files by their path below a root: `docs/**`, `*.md`, `/docs`; with `!` before them they leave
/// out. A pattern that names a folder means everything in it.
#[derive(Debug)]
pub struct PathPatterns {
    wanted: IgnoreRuleList,
    unwanted: IgnoreRuleList,
}

impl PathPatterns {
    /// Parses patterns. A pattern with `#` at its start is a name, not a comment as in an ignore file.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> PathPatterns {
        let list = |is_unwanted: bool| {
            let chosen =
                patterns.iter().map(AsRef::as_ref).filter(|text| text.starts_with('!') == is_unwanted);
            let plain = chosen.map(|text| literal(text.trim_start_matches('!')));
            IgnoreRuleList::of_setting("path", &plain.collect::<Vec<_>>())
        };
        PathPatterns { wanted: list(false), unwanted: list(true) }
    }

    /// True if there are no patterns, so that every path is selected.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }

    /// True for a path below its root, in stored form, that is selected and not left out.
    pub fn choose(&self, path: &str) -> bool {
        (self.wanted.is_empty() || matches(&self.wanted, path)) && !matches(&self.unwanted, path)
    }
}

fn literal(pattern: &str) -> String {
    let pattern = pattern.trim_start_matches("./");
    if pattern.starts_with('#') { format!("\\{pattern}") } else { pattern.to_owned() }
}

/// True if the path or a folder above it matches. A document that contains others counts as their folder.
fn matches(list: &IgnoreRuleList, path: &str) -> bool {
    if list.is_empty() {
        return false;
    }
    let bytes = path.as_bytes();
    let folders = memchr::memchr_iter(b'/', bytes).map(|end| (end, true));
    let mut ends = std::iter::once((bytes.len(), false)).chain(folders);
    ends.any(|(end, is_folder)| list.verdict(RuleSubject { path: &bytes[..end], is_folder }) == Some(true))
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
        check(&["/docs"], "x/docs/b.md", false);
        check(&["./docs/**"], "docs/b.md", true);
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
