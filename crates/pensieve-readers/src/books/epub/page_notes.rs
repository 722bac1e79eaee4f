//! Notes in the Markdown that a converter made of a page with marker words for its notes: they become `[^1]` and
//! definitions below the block that contained them.

use crate::web::html::note_words::{BEGIN, CLOSE, END, REFERENCE};
use regex::{Captures, Regex};
use std::sync::LazyLock;

static REFERRED: LazyLock<Regex> = LazyLock::new(|| {
    let word = format!(r"{REFERENCE}(\d+){CLOSE}");
    let pattern = format!(r"<a\b[^<>]*>{word}</a>|\[{word}\]\([^()\s]*\)|{word}");
    Regex::new(&pattern).expect("the pattern is tested")
});

static NOTE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"(?s){BEGIN}(\d+){CLOSE}(.*?){END}")).expect("the pattern is tested")
});

static LEFT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!(r"{BEGIN}\d+{CLOSE}|{END}")).expect("the pattern is tested"));

/// Links whose words were left out: links back.
static EMPTY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(^|[^!\\])\[\]\([^()\s]*\)|<a\b[^<>]*\bhref=[^<>]*>\s*</a>").expect("the pattern is tested")
});

/// Marks that may precede a note on its line and are meaningless without it: of items, quotes, cells.
static MARKS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:[ \t>|*+\-]|\d+[.)]|<[^<>]*>|\*\*)*$").expect("the pattern is tested"));

/// The Markdown with its notes.
pub(super) fn settled(converted: &str) -> String {
    let text = REFERRED.replace_all(converted, |found: &Captures<'_>| {
        let number = (1..=3).find_map(|at| found.get(at)).map_or("", |number| number.as_str());
        format!("[^{number}]")
    });
    let text = EMPTY.replace_all(&text, "$1");
    let mut body = String::with_capacity(text.len());
    let mut waiting = String::new();
    let mut done = 0;
    for found in NOTE.captures_iter(&text) {
        let (Some(whole), Some(words)) = (found.get(0), found.get(2)) else { continue };
        let start = text[..whole.start()].rfind('\n').map_or(0, |at| at + 1);
        push_blocks(&mut body, &text[done..whole.start()], &mut waiting);
        done = whole.end();
        let line = &text[start..whole.start()];
        waiting.push_str(&definition(&found[1], words.as_str(), indent(line)));
        if MARKS.is_match(&body[body.rfind('\n').map_or(0, |at| at + 1)..]) {
            body.truncate(body.rfind('\n').map_or(0, |at| at + 1));
            let rest = text[done..].find('\n').map_or(text.len(), |at| done + at);
            if MARKS.is_match(&text[done..rest]) {
                done = rest;
            }
        }
    }
    push_blocks(&mut body, &text[done..], &mut waiting);
    if !waiting.is_empty() {
        body = format!("{}\n\n{waiting}", body.trim_end());
    }
    LEFT.replace_all(&body, "").into_owned()
}

/// Columns before the words of a line that begins with marks.
fn indent(line: &str) -> usize {
    if MARKS.is_match(line) { line.len() } else { 0 }
}

/// Adds text; the waiting definitions follow its first blank line.
fn push_blocks(body: &mut String, text: &str, waiting: &mut String) {
    match text.find("\n\n").filter(|_| !waiting.is_empty()) {
        Some(at) => {
            body.push_str(&text[..at]);
            body.push_str("\n\n");
            body.push_str(waiting);
            body.push_str(&text[at + 1..]);
            waiting.clear();
        }
        None => body.push_str(text),
    }
}

fn definition(number: &str, words: &str, indent: usize) -> String {
    let mut text = format!("[^{number}]: ");
    for (at, line) in words.trim().lines().enumerate() {
        let blank = line.len() - line.trim_start_matches([' ', '>']).len();
        let line = if at > 0 { &line[blank.min(indent)..] } else { line };
        text.push_str(if at > 0 { "\n" } else { "" });
        text.push_str(if at > 0 && !line.is_empty() { "    " } else { "" });
        text.push_str(line);
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(converted: &str, expected: &str) {
        assert_eq!(settled(converted), expected, "of {converted}");
    }

    #[test]
    fn words_become_notes() {
        check(
            "a<a href=\"#n\" class=\"noteref\">PENSIEVEREF1XQ</a> b<sup>[PENSIEVEREF2XQ](#m)</sup>\n\n\
            PENSIEVENOTE1XQOne.\n\nMore.PENSIEVEENDXQ\n\nc\n",
            "a[^1] b<sup>[^2]</sup>\n\n\n\n[^1]: One.\n\n    More.\n\nc\n",
        );
        check(
            "1.  PENSIEVENOTE3XQC [](#r)\n\n    morePENSIEVEENDXQ\n\n2.  D\n",
            "\n\n[^3]: C \n\n    more\n\n2.  D\n",
        );
        check("a PENSIEVENOTE1XQnPENSIEVEENDXQ b\n", "a  b\n\n[^1]: n\n");
        check("|  | PENSIEVENOTE4XQcellPENSIEVEENDXQ |\n", "\n\n[^4]: cell\n");
    }
}
