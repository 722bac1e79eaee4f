//! What a reader of Markdown sees only in its source, or after unfolding it: comments, `<details>` that are closed, and
//! elements with `display: none` or `hidden`.
//!
//! Works on text as it streams: what is open at the end of a segment is open at the beginning of the next. Fences and
//! code spans show their text as it is. Tags that do not stand on one line are not found.

use crate::model::{FoldKind, Segment, Span, Visibility};
use memchr::memmem;

/// Finds folded parts in the segments of one text.
#[derive(Debug, Default)]
pub struct FoldFinder {
    /// The signs of the fence that is open.
    fence: Option<String>,
    open: Option<OpenFold>,
}

/// A part that is open.
#[derive(Debug)]
enum OpenFold {
    /// A comment, until `-->`.
    Comment,
    /// An element of this name, and how many of that name are open.
    Element { name: String, kind: FoldKind, depth: usize },
}

impl OpenFold {
    fn kind(&self) -> FoldKind {
        match self {
            OpenFold::Comment => FoldKind::Comment,
            OpenFold::Element { kind, .. } => *kind,
        }
    }
}

impl FoldFinder {
    /// Marks the folded parts of the next segment.
    ///
    /// Cost: one look at each line; a segment without `<` and `[` is only searched for these.
    pub fn mark(&mut self, segment: &mut Segment) {
        let is_plain = self.open.is_none() && memchr::memchr2(b'<', b'[', segment.text.as_bytes()).is_none();
        if is_plain && self.fence.is_none() && !segment.text.contains("```") && !segment.text.contains("~~~")
        {
            return;
        }
        let mut found: Vec<(Span, Visibility)> = Vec::new();
        let mut start = 0;
        for line in segment.text.split_inclusive('\n') {
            self.line(line, start, &mut found);
            start += line.len();
        }
        segment.places.mark(&found);
    }

    fn line(&mut self, line: &str, start: usize, found: &mut Vec<(Span, Visibility)>) {
        if self.open.is_none() && self.is_code(line) {
            return;
        }
        let mut at = 0;
        while at < line.len() {
            let from = at;
            match self.open.take() {
                None => {
                    let Some((begin, next, open)) = beginning(line, at) else { return };
                    if let Some(open) = open {
                        self.open = Some(open);
                        add(found, begin..next, start, self.open.as_ref().map(OpenFold::kind));
                    } else {
                        add(found, begin..next, start, Some(FoldKind::Comment));
                    }
                    at = next;
                }
                Some(open) => {
                    let kind = open.kind();
                    let (next, still_open) = end_of(line, at, open);
                    self.open = still_open;
                    at = next;
                    add(found, from..next, start, Some(kind));
                }
            }
        }
    }

    /// True for a line of a fence, whose words are shown as they are.
    fn is_code(&mut self, line: &str) -> bool {
        let words = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let sign = words.chars().next().filter(|sign| matches!(sign, '`' | '~'));
        let signs = sign.map_or("", |sign| &words[..words.len() - words.trim_start_matches(sign).len()]);
        match &self.fence {
            Some(fence) => {
                if signs.starts_with(fence.as_str()) && signs.len() == words.len() {
                    self.fence = None;
                }
                true
            }
            None if signs.len() >= 3 && !words[signs.len()..].contains('`') => {
                self.fence = Some(signs.to_owned());
                true
            }
            None => false,
        }
    }
}

fn add(
    found: &mut Vec<(Span, Visibility)>,
    range: std::ops::Range<usize>,
    start: usize,
    kind: Option<FoldKind>,
) {
    let Some(kind) = kind else { return };
    let span = Span::new(start + range.start, start + range.end);
    match found.last_mut() {
        Some((last, visibility)) if last.end == span.start && *visibility == Visibility::Folded(kind) => {
            last.end = span.end;
        }
        _ => found.push((span, Visibility::Folded(kind))),
    }
}

/// The first folded part that begins at `at` or after it: its first byte, where to read on, and what is open there. A
/// line `[//]: # (words)` is a comment as a whole.
fn beginning(line: &str, at: usize) -> Option<(usize, usize, Option<OpenFold>)> {
    if at == 0 && ["[//]: #", "[comment]: #"].iter().any(|mark| line.trim_start().starts_with(mark)) {
        return Some((0, line.len(), None));
    }
    let mut next = at;
    while let Some(sign) = memchr::memchr2(b'<', b'`', &line.as_bytes()[next..]).map(|found| next + found) {
        let rest = &line[sign..];
        if rest.starts_with('`') {
            // The code span ends at as many signs; without an end they are signs only.
            let count = rest.len() - rest.trim_start_matches('`').len();
            next = sign + count;
            let mut ends = memmem::find_iter(&line.as_bytes()[next..], &rest.as_bytes()[..count]);
            let is_end = |end: &usize| {
                let after = line.as_bytes().get(next + end + count);
                let before = (*end > 0).then(|| line.as_bytes()[next + end - 1]);
                after != Some(&b'`') && before != Some(b'`')
            };
            next += ends.find(is_end).map_or(0, |end| end + count);
            continue;
        }
        if rest.starts_with("<!--") {
            return Some((sign, sign + 4, Some(OpenFold::Comment)));
        }
        if let Some((length, open)) = folded_element(rest) {
            return Some((sign, sign + length, Some(open)));
        }
        next = sign + 1;
    }
    None
}

/// The length of the tag of a folded element at the beginning of `rest`, and what is open after it.
fn folded_element(rest: &str) -> Option<(usize, OpenFold)> {
    let inside = rest[1..].bytes().take_while(u8::is_ascii_alphanumeric).count();
    let name = rest[1..1 + inside].to_ascii_lowercase();
    if !matches!(name.as_str(), "details" | "div" | "span" | "p" | "section" | "table" | "ul" | "ol") {
        return None;
    }
    let end = memchr::memchr(b'>', rest.as_bytes())?;
    let tag = rest[1 + inside..end].to_ascii_lowercase();
    let mut attributes = tag.split_ascii_whitespace();
    let kind = match name.as_str() {
        "details" if !attributes.any(|word| word == "open" || word.starts_with("open=")) => {
            FoldKind::Accordion
        }
        "details" => return None,
        _ => {
            let style: String = tag.split_once("style").map_or("", |(_, style)| style).split(' ').collect();
            let is_hidden = style.contains("display:none") || attributes.any(|word| word == "hidden");
            is_hidden.then_some(FoldKind::Comment)?
        }
    };
    Some((end + 1, OpenFold::Element { name, kind, depth: 1 }))
}

/// Where the open part ends on this line, or the end of the line and what is still open.
fn end_of(line: &str, at: usize, open: OpenFold) -> (usize, Option<OpenFold>) {
    let rest = &line[at..];
    let OpenFold::Element { name, kind, mut depth } = open else {
        return match rest.find("-->") {
            Some(end) => (at + end + 3, None),
            None => (line.len(), Some(OpenFold::Comment)),
        };
    };
    let mut next = at;
    while let Some(sign) = memchr::memchr(b'<', &line.as_bytes()[next..]).map(|found| next + found) {
        next = sign + 1;
        let is_end = line[next..].starts_with('/');
        let word = line[next + usize::from(is_end)..].get(..name.len());
        if word.is_some_and(|word| word.eq_ignore_ascii_case(&name)) {
            depth = if is_end { depth - 1 } else { depth + 1 };
        }
        if depth == 0 {
            let end = memchr::memchr(b'>', &line.as_bytes()[next..]).map_or(line.len(), |end| next + end + 1);
            return (end, None);
        }
    }
    (line.len(), Some(OpenFold::Element { name, kind, depth }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with its folded parts between brackets, as one segment and line by line.
    fn check(text: &str, expected: &str) {
        let shown = |parts: &[&str]| {
            let (mut finder, mut shown) = (FoldFinder::default(), String::new());
            for part in parts {
                let mut segment = Segment { text: (*part).to_owned(), ..Segment::default() };
                finder.mark(&mut segment);
                let mut at = 0;
                for (span, place) in &segment.places.0 {
                    let Some(Visibility::Folded(kind)) = place.visibility() else { continue };
                    let words = part[span.range()].trim_end_matches('\n');
                    let mark = if kind == FoldKind::Comment { ('{', '}') } else { ('«', '»') };
                    shown += &part[at..span.start];
                    shown.push(mark.0);
                    shown += words;
                    shown.push(mark.1);
                    at = span.start + words.len();
                }
                shown += &part[at..];
            }
            shown
        };
        assert_eq!(shown(&[text]), expected, "{text:?}");
    }

    #[test]
    fn comments_are_folded() {
        check("a <!-- b --> c", "a {<!-- b -->} c");
        check("a <!-- b\nc\n--> d\ne", "a {<!-- b\nc\n-->} d\ne");
        check("<!-- a --><!-- b -->", "{<!-- a --><!-- b -->}");
        check("[//]: # (a)\n[b]: c\n", "{[//]: # (a)}\n[b]: c\n");
        check("`<!-- a -->` b `` ` <!-- `` ` <!-- c -->", "`<!-- a -->` b `` ` <!-- `` ` {<!-- c -->}");
        check("```\n<!-- a -->\n```\n<!-- b -->", "```\n<!-- a -->\n```\n{<!-- b -->}");
        check("~~~~\n~~~\n<!-- a -->\n~~~~\nb < c <!-", "~~~~\n~~~\n<!-- a -->\n~~~~\nb < c <!-");
    }

    #[test]
    fn elements_are_folded() {
        check(
            "<details>\n<summary>a</summary>\n\nb\n</details>\nc",
            "«<details>\n<summary>a</summary>\n\nb\n</details>»\nc",
        );
        check("<details open>a</details>", "<details open>a</details>");
        check(
            "<DIV style=\"Display: none\">a<div>b</div>c</Div>d",
            "{<DIV style=\"Display: none\">a<div>b</div>c</Div>}d",
        );
        check("<span hidden>a</span> <div class=x>b</div>", "{<span hidden>a</span>} <div class=x>b</div>");
        check("<details>\n```\n</details>", "«<details>\n```\n</details>»");
    }

    #[test]
    fn what_is_open_stays_open() {
        let mut finder = FoldFinder::default();
        let mut folded = |text: &str| {
            let mut segment = Segment { text: text.to_owned(), ..Segment::default() };
            finder.mark(&mut segment);
            segment.places.0.iter().map(|(span, _)| span.len()).sum::<usize>()
        };
        assert_eq!([folded("a <!-- b\n"), folded("c\n"), folded("d --> e\n"), folded("f\n")], [7, 2, 5, 0]);
    }
}
