//! Footnotes: removed, put at their references, or collected at the end.
//!
//! References are `[^1]`, and the forms that other tools write: superscript links and back links. A definition begins
//! a line with `[^1]:` and continues on indented lines.

use super::code::escape_of;
use super::context::{Footnotes, RuleContext};
use super::fenced::fenced_parts;
use pensieve_text::text::markdown::{FencePosition, FenceTracker};
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

static REFERENCE: LazyLock<Regex> = LazyLock::new(|| Regex::new(REF).expect("the pattern is tested"));

const REF: &str = r"\[\^([^\]\[\s]+)\]";

/// A run of references with what surrounds only them: brackets, and commas and dashes between them.
static CLUSTER: LazyLock<Regex> = LazyLock::new(|| {
    let all = format!(r"{REF}(?:[ \t]*[,;–—-]?[ \t]*{REF})*");
    let (open, close) = brackets();
    let raised = format!(r"<sup>[ \t]*(?:{open}{all}{close}|\({all}\)|{all})[ \t]*</sup>");
    let pattern = format!(r"{raised}|{open}{all}{close}|\({all}\)|{all}");
    Regex::new(&pattern).expect("the pattern is tested")
});

/// The empty brackets that a removed back link leaves at the end of a note.
static EMPTIED: LazyLock<Regex> = LazyLock::new(|| {
    let (open, close) = brackets();
    let pattern = format!(r"(?m)[ \t]+(?:{open}[ \t]*{close}|\([ \t]*\))[ \t]*$");
    Regex::new(&pattern).expect("the pattern is tested")
});

/// Patterns for square brackets, either plain or escaped; escapes are masked at this point.
fn brackets() -> (String, String) {
    let either = |sign: u8| {
        format!(r"[\{}{}]", char::from(sign), escape_of(sign).map(String::from).unwrap_or_default())
    };
    (either(b'['), either(b']'))
}

/// Depth to which notes inside notes are put at their references.
const MAX_NOTE_DEPTH: usize = 8;

/// References at the start of a line or of an item's text, with the space after them, which would otherwise remain.
static LEADING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?m)^((?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]))*[ \t]*)((?:\[\^[^\]\[\s]+\])+)[ \t]+",
    )
    .expect("the pattern is tested")
});

static DEFINITION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^ {0,3}\[\^([^\]\[\s]+)\]:[ \t]*").expect("the pattern is tested"));

/// Superscript links and back links, as pandoc and others write them.
static LINKED: LazyLock<Regex> = LazyLock::new(|| {
    let sign = r"(?:\d{1,4}|[*†‡§¶]{1,3}|[a-z]|[ivxlc]{1,6}|note \d+)";
    let inside = r"\((?:[^()\s:]*#[^()\s]*|[^()\s:]+\.x?html?(?:#[^()\s]*)?)\)";
    // Pandoc escapes the brackets of a note's sign; escapes are masked at this point.
    let bracket = |sign: u8| format!("{}?", escape_of(sign).map(String::from).unwrap_or_default());
    let sign = format!(r"{}\[?{sign}{}\]?", bracket(b'['), bracket(b']'));
    let numbers = format!(r"{}\[?(?:\d{{1,4}}|[*†‡§¶]{{1,3}}){}\]?", bracket(b'['), bracket(b']'));
    let pattern = [
        format!(r"\^\[{sign}\]{inside}\^"),
        format!(r"\[\^{sign}\^\]{inside}"),
        format!(r"<sup>\[{sign}\]{inside}</sup>"),
        format!(r"\[<sup>{sign}</sup>\]{inside}"),
        format!(r"[ \t]*\[(?:[↩↑↵⏎⮐^]\u{{fe0e}}?)+\]{inside}"),
        format!(r"\[{numbers}\]\([^()\s:]*#[^()\s]*(?:note|fn|ref)[^()\s]*\)"),
    ]
    .join("|");
    Regex::new(&pattern).expect("the pattern is tested")
});

/// Treats footnotes as requested.
pub(super) fn footnotes(text: &str, context: &RuleContext) -> String {
    let mut taken = Taken::default();
    let body = taken.take(text);
    match context.footnotes {
        Footnotes::Drop => outside(&body, |part| {
            let part = LINKED.replace_all(part, "");
            let part = LEADING.replace_all(&part, "$1");
            replaced(&part, |_, _| String::new())
        }),
        Footnotes::Inline => taken.inlined(&body),
        Footnotes::End => taken.gathered(body),
    }
}

/// Replaces references, which may be in a row of a table. If the replacement is empty, a space before punctuation is
/// removed too.
fn replaced(text: &str, mut replacement: impl FnMut(&str, bool) -> String) -> String {
    let mut words = String::with_capacity(text.len());
    let mut done = 0;
    for found in CLUSTER.find_iter(text) {
        words.push_str(&text[done..found.start()]);
        done = found.end();
        let line = text[..found.start()].rsplit('\n').next();
        let new = replacement(found.as_str(), line.is_some_and(|line| line.trim_start().starts_with('|')));
        if new.is_empty() && text[done..].starts_with(['.', ',', ';', ':', '!', '?', ')', '\n']) {
            words.truncate(words.trim_end_matches([' ', '\t']).len());
        }
        words.push_str(&new);
    }
    words + &text[done..]
}

/// The references of a cluster, without what is around and between them.
fn bare(cluster: &str) -> String {
    REFERENCE.find_iter(cluster).map(|found| found.as_str()).collect()
}

fn outside(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    fenced_parts(text)
        .into_iter()
        .map(|(part, is_code)| if is_code { part.to_owned() } else { change(part) })
        .collect()
}

/// Removes the rule and the heading at the end of `body` that only notes followed; a heading with an anchor stays,
/// since the contents link to it.
fn drop_emptied_heading(body: &mut String, next: Option<&str>) {
    if next.is_none_or(|next| next.starts_with('#')) && body.trim_end().ends_with("\n\n---") {
        body.truncate(body.trim_end().len() - "---".len());
    }
    let end = body.trim_end().len();
    let start = body[..end].rfind('\n').map_or(0, |at| at + 1);
    let level = |line: &str| {
        let level = line.len() - line.trim_start_matches('#').len();
        (level > 0 && line[level..].starts_with(' ')).then_some(level)
    };
    let Some(own) = level(&body[start..end]) else { return };
    if next.is_none_or(|next| level(next).is_some_and(|next| next <= own)) {
        body.truncate(start);
    }
}

/// Definitions removed from a text, in order.
#[derive(Default)]
struct Taken {
    order: Vec<String>,
    texts: HashMap<String, String>,
}

impl Taken {
    /// Removes the definitions from a text and returns the rest.
    fn take(&mut self, text: &str) -> String {
        let mut body = String::with_capacity(text.len());
        let mut open: Option<String> = None;
        let mut blank = 0;
        for (part, is_code) in fenced_parts(text) {
            for line in part.split_inclusive('\n') {
                let words = line.trim_end_matches('\n');
                if let Some(found) = DEFINITION.captures(words).filter(|_| !is_code) {
                    let label = found[1].to_owned();
                    let start = words[found[0].len()..].to_owned();
                    if !self.texts.contains_key(&label) {
                        self.order.push(label.clone());
                        self.texts.insert(label.clone(), start);
                    }
                    (open, blank) = (Some(label), 0);
                    continue;
                }
                let is_inside = words.starts_with("    ") || words.starts_with('\t');
                match &open {
                    Some(_) if words.trim().is_empty() => {
                        blank += 1;
                        continue;
                    }
                    Some(label) if is_inside => {
                        let text = self.texts.entry(label.clone()).or_default();
                        text.push_str(if blank > 0 { "\n\n" } else { "\n" });
                        text.push_str(words.strip_prefix("    ").unwrap_or(words.trim_start()));
                        blank = 0;
                        continue;
                    }
                    _ => {}
                }
                if open.take().is_some() && !words.trim().is_empty() {
                    drop_emptied_heading(&mut body, Some(words));
                    if !body.ends_with("\n\n") {
                        body.push('\n');
                    }
                }
                blank = 0;
                body.push_str(line);
            }
        }
        if open.is_some() {
            drop_emptied_heading(&mut body, None);
        }
        body
    }

    /// Puts each note in brackets at its first reference, with its paragraphs on one line.
    fn inlined(&mut self, body: &str) -> String {
        outside(body, |part| LINKED.replace_all(&self.expanded(part, MAX_NOTE_DEPTH), "").into_owned())
    }

    /// A text with the notes in place of their references, nested ones included.
    fn expanded(&mut self, text: &str, depth: usize) -> String {
        replaced(text, |cluster, is_row| {
            let mut notes = String::new();
            for reference in REFERENCE.captures_iter(cluster) {
                let Some(note) = self.texts.remove(&reference[1]).filter(|_| depth > 0) else { continue };
                let note = self.expanded(&EMPTIED.replace_all(&note, ""), depth - 1);
                let words = note.split_whitespace().collect::<Vec<_>>().join(" ");
                // In a row of a table a pipe separates cells.
                let words = if is_row { words.replace('|', "\\|") } else { words };
                if !words.is_empty() {
                    notes.push_str(&format!(" [{words}]"));
                }
            }
            notes
        })
    }

    /// Appends all notes to the text.
    fn gathered(&self, body: String) -> String {
        let mut body = outside(&body, |part| replaced(part, |cluster, _| bare(cluster)));
        if self.order.is_empty() {
            return body;
        }
        body.truncate(body.trim_end().len());
        body.push_str("\n\n");
        for label in &self.order {
            let text = self.texts.get(label).map(String::as_str).unwrap_or_default();
            let text = EMPTIED.replace_all(text, "");
            let mut lines = String::new();
            for (at, line) in text.trim().lines().enumerate() {
                // A fence cannot open after a marker.
                let begins_code = at == 0 && FenceTracker::default().read(line) == FencePosition::Opens;
                lines.push_str(if at > 0 || begins_code { "\n" } else { "" });
                lines.push_str(if (at > 0 || begins_code) && !line.is_empty() { "    " } else { "" });
                lines.push_str(line);
            }
            body.push_str(format!("[^{label}]: {}", lines).trim_end());
            body.push('\n');
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_space_before_punctuation_goes_with_a_reference() {
        let check = |text: &str, new: &str, expected: &str| {
            assert_eq!(replaced(text, |_, _| new.to_owned()), expected, "{text} {new}");
        };
        for sign in ['.', ',', ';', ':', '!', '?', ')', '\n'] {
            check(&format!("a \t[^1]{sign}"), "", &format!("a{sign}"));
            check(&format!("a [^1]{sign}"), "x", &format!("a x{sign}"));
        }
        check("a [^1] b", "", "a  b");
        check("a [^1]", "", "a ");
        check("a[^1][^2], [^3] b", "x", "ax b");
        check("a[^1] and [^2] b", "x", "ax and x b");
        check("a", "x", "a");
    }

    #[test]
    fn a_reference_in_a_row_of_a_table_is_known() {
        let rows = |text: &str| {
            let mut rows = Vec::new();
            replaced(text, |_, is_row| {
                rows.push(is_row);
                String::new()
            });
            rows
        };
        assert_eq!(rows("a [^1]\n  | b [^2] | c [^3] |\nd | [^4]"), [false, true, true, false]);
        assert_eq!(bare("([^1], [^2])"), "[^1][^2]");
    }

    #[test]
    fn a_heading_of_notes_alone_is_removed() {
        let check = |body: &str, next: Option<&str>, expected: &str| {
            let mut found = body.to_owned();
            drop_emptied_heading(&mut found, next);
            assert_eq!(found, expected, "{body:?} {next:?}");
        };
        let (rule, heading) = ("Words.\n\n---\n", "Words.\n\n## Notes\n\n");
        check(rule, None, "Words.\n\n");
        check(rule, Some("# B"), "Words.\n\n");
        check(rule, Some("b"), rule);
        check("Words.\n---\n", None, "Words.\n---\n");
        check(heading, None, "Words.\n\n");
        check(heading, Some("# B"), "Words.\n\n");
        check(heading, Some("## B"), "Words.\n\n");
        check(heading, Some("### B"), heading);
        check(heading, Some("b"), heading);
        check("## Notes", None, "");
        check("Words.\n\n##Notes\n", None, "Words.\n\n##Notes\n");
        check("Words.\n\n## Notes\n\n---\n", None, "Words.\n\n");
    }

    #[test]
    fn a_note_goes_on_in_indented_lines() {
        let text = "a[^1] b[^2]\n\n[^1]: One\n    two\n\n\n    three\n[^2]: Four\n[^1]: Again\n\nc\n";
        let mut taken = Taken::default();
        assert_eq!(taken.take(text), "a[^1] b[^2]\n\nc\n");
        assert_eq!(taken.order, ["1", "2"]);
        assert_eq!((taken.texts["1"].as_str(), taken.texts["2"].as_str()), ("One\ntwo\n\nthree", "Four"));
        let body = taken.gathered("a[^1] b([^2])\n\n".to_owned());
        assert_eq!(body, "a[^1] b[^2]\n\n[^1]: One\n    two\n\n    three\n[^2]: Four\n");
    }
}
