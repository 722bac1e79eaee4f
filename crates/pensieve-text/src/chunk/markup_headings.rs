//! Headings of markups that are not Markdown: Org, AsciiDoc, wikis, reStructuredText, TeX, Texinfo, Textile, Typst.
//!
//! These files are read as source text; their structure gives chunks a heading path and places to cut. In most markups
//! a line alone shows whether it is a heading ([`heading_of`]). [`MarkupHeadings`] keeps the state for the other cases:
//! reStructuredText assigns levels to underlines by the order in which they appear, DokuWiki counts its signs
//! backwards, and listings contain lines that only look like headings. Sources: the Org Syntax document, the AsciiDoc
//! Language documentation, mediawiki.org/Help:Formatting, docutils' reStructuredText specification, LaTeX2e section 6,
//! the Texinfo manual, textile-lang.com and typst.app/docs.

use crate::text::markdown::{FencePosition, FenceTracker, atx_heading};

/// A longer line is not a title.
const MAX_TITLE_BYTES: usize = 400;

/// Maximum styles of underlines in one reStructuredText document.
const MAX_UNDERLINE_STYLES: usize = 32;

/// A markup other than Markdown, by how it writes headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadingSyntax {
    /// `== Title`, or a title with a line of signs under it.
    AsciiDoc,
    /// `** Title`.
    Org,
    /// A title with a line of signs under it, and perhaps over it.
    ReStructuredText,
    /// `\section{Title}` of LaTeX, `@section Title` of Texinfo.
    Tex,
    /// `h2(class). Title`.
    Textile,
    /// `== Title`, `#heading(level: 2)[Title]`.
    Typst,
    /// `== Title ==` of MediaWiki, Creole and DokuWiki, `h2. Title` of older ones.
    Wiki,
}

/// Recognises the headings of one document, line by line.
#[derive(Debug, Clone)]
pub(super) struct MarkupHeadings {
    syntax: HeadingSyntax,
    /// Underlines in the order of first use, each with whether a line of the same signs is above the title.
    styles: Vec<(u8, bool)>,
    /// The line that ends the open listing.
    listing: Option<String>,
    counts_backwards: Option<bool>,
}

impl MarkupHeadings {
    /// The state before the first line of a document.
    pub(super) fn new(syntax: HeadingSyntax) -> MarkupHeadings {
        MarkupHeadings { syntax, styles: Vec::new(), listing: None, counts_backwards: None }
    }

    /// Level and title, if this line is a heading, given the lines around it. The caller must pass every line of the
    /// document, in order. An underlined title is found at the title, not at the underline.
    pub(super) fn heading<'l>(
        &mut self,
        above: Option<&str>,
        line: &'l str,
        below: Option<&str>,
    ) -> Option<(u8, &'l str)> {
        if self.passes_listing(line, above) {
            return None;
        }
        match self.syntax {
            HeadingSyntax::ReStructuredText => {
                let (style, title) = underlined(above, line, below)?;
                Some((self.level_of(style)?, title))
            }
            HeadingSyntax::Wiki => {
                let (level, title) = wiki(line)?;
                // The first level of DokuWiki has six signs, that of MediaWiki one or two.
                let backwards = *self.counts_backwards.get_or_insert(level > 4);
                Some((if backwards { 7 - level } else { level }, title))
            }
            HeadingSyntax::AsciiDoc => asciidoc(line).or_else(|| two_lines(above, line, below)),
            syntax => heading_of(syntax, line),
        }
    }

    /// The first and the last line of the heading whose title is line `at`, including the lines of signs over and under
    /// it and the lines above that name it or give it attributes.
    pub(super) fn extent<'l>(&self, at: usize, line: impl Fn(usize) -> Option<&'l str>) -> (usize, usize) {
        let signs = |at: usize| line(at).and_then(sign_line);
        let stands_alone = line(at).is_some_and(|title| heading_of(self.syntax, title).is_some());
        let under = signs(at + 1).filter(|_| !stands_alone);
        let has_overline = self.syntax == HeadingSyntax::ReStructuredText
            && under.is_some()
            && at > 0
            && signs(at - 1) == under;
        let mut first = if has_overline { at - 1 } else { at };
        for above in (0..first).rev() {
            match line(above).unwrap_or_default().trim_end() {
                "" => {}
                words if self.is_label(words) => first = above,
                _ => break,
            }
        }
        (first, if under.is_some() { at + 1 } else { at })
    }

    /// True for a line that belongs to the heading after it.
    fn is_label(&self, line: &str) -> bool {
        match self.syntax {
            // A target of links.
            HeadingSyntax::ReStructuredText => line.starts_with(".. _") && line.ends_with(':'),
            // An anchor, or a role.
            HeadingSyntax::AsciiDoc => line.starts_with('[') && line.ends_with(']'),
            _ => false,
        }
    }

    /// True inside a listing and on its first and last line.
    fn passes_listing(&mut self, line: &str, above: Option<&str>) -> bool {
        let words = line.trim();
        if let Some(end) = &self.listing {
            // There the end tag may follow the last words of the listing.
            let may_end_a_line =
                matches!(self.syntax, HeadingSyntax::Textile | HeadingSyntax::Typst | HeadingSyntax::Wiki);
            if words.eq_ignore_ascii_case(end) || (may_end_a_line && words.ends_with(end.as_str())) {
                self.listing = None;
            }
            return true;
        }
        self.listing = listing_end(self.syntax, words, above.unwrap_or_default().trim());
        self.listing.is_some()
    }

    fn level_of(&mut self, style: (u8, bool)) -> Option<u8> {
        let known = self.styles.iter().position(|known| *known == style);
        if known.is_none() && self.styles.len() >= MAX_UNDERLINE_STYLES {
            return None;
        }
        let at = known.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        Some((at + 1).min(6) as u8)
    }
}

/// The titles of the headings that stand in a text: of Markdown where no other markup is given.
///
/// Cost: linear.
pub fn heading_titles(text: &str, syntax: Option<HeadingSyntax>) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let around = |at: usize| (at.checked_sub(1).map(|above| lines[above]), lines.get(at + 1).copied());
    match syntax {
        Some(syntax) => {
            let mut headings = MarkupHeadings::new(syntax);
            let mut title = |at: usize| headings.heading(around(at).0, lines[at], around(at).1);
            (0..lines.len()).filter_map(|at| Some(title(at)?.1)).collect()
        }
        None => {
            let mut fences = FenceTracker::default();
            let mut is_text = |line: &str| fences.read(line) == FencePosition::Outside;
            let is_underline = |line: &str| {
                let signs = line.trim_end();
                !signs.is_empty() && ['=', '-'].iter().any(|sign| signs.trim_matches(*sign).is_empty())
            };
            let mut found = Vec::new();
            for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_text(line)) {
                let underlined = || around(at).1.filter(|below| is_underline(below)).map(|_| line.trim());
                let title = atx_heading(line.trim()).map(|(_, title)| title).or_else(underlined);
                found.extend(title.filter(|title| !title.is_empty()));
            }
            found
        }
    }
}

/// Level and title of a line that is a heading whatever lines are around it.
pub(super) fn heading_of(syntax: HeadingSyntax, line: &str) -> Option<(u8, &str)> {
    match syntax {
        HeadingSyntax::AsciiDoc => asciidoc(line),
        HeadingSyntax::Org => org(line),
        HeadingSyntax::ReStructuredText => None,
        HeadingSyntax::Tex => tex(line),
        HeadingSyntax::Textile => textile(line),
        HeadingSyntax::Typst => typst(line),
        HeadingSyntax::Wiki => wiki(line),
    }
}

/// The line that ends the listing that this line begins.
fn listing_end(syntax: HeadingSyntax, words: &str, above: &str) -> Option<String> {
    let lower = || words.get(..words.len().min(64)).unwrap_or_default().to_ascii_lowercase();
    match syntax {
        HeadingSyntax::Org => {
            let block = lower().strip_prefix("#+begin_")?.split_whitespace().next()?.to_owned();
            Some(format!("#+end_{block}"))
        }
        HeadingSyntax::AsciiDoc => {
            // The signs under a title may be the same as those that open a listing.
            // Blocks of AsciiDoc are delimited by four signs or more.
            let is_fence = words.len() >= 4
                && ["-", ".", "+", "/"].iter().any(|sign| words.replace(sign, "").is_empty());
            let is_underline = !above.is_empty()
                && !above.starts_with(['[', '.'])
                // The same difference as Asciidoctor allows between a title and its underline.
                && words.len().abs_diff(above.chars().count()) < 2;
            (is_fence && !is_underline).then(|| words.to_owned())
        }
        HeadingSyntax::Typst => {
            let fence: String = words.chars().take_while(|sign| *sign == '`').collect();
            (fence.len() > 2 && !words[fence.len()..].contains(&fence)).then_some(fence)
        }
        HeadingSyntax::Textile | HeadingSyntax::Wiki => {
            let lower = lower();
            let name = ["pre", "nowiki", "source", "syntaxhighlight", "code"].into_iter().find(|name| {
                let rest = lower.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with(['>', ' ']))
            })?;
            let end = format!("</{name}>");
            (!words.to_ascii_lowercase().contains(&end)).then_some(end)
        }
        HeadingSyntax::Tex => {
            let name = words.strip_prefix("\\begin{")?.split('}').next()?;
            let is_listing = matches!(
                name.trim_end_matches('*'),
                "verbatim" | "Verbatim" | "lstlisting" | "minted" | "comment"
            );
            is_listing.then(|| format!("\\end{{{name}}}"))
        }
        HeadingSyntax::ReStructuredText => None,
    }
}

/// `** TODO [#A] Title :tag:`
fn org(line: &str) -> Option<(u8, &str)> {
    let stars = line.bytes().take_while(|&byte| byte == b'*').count();
    let mut title = line.get(stars..)?.strip_prefix([' ', '\t']).filter(|_| stars > 0)?.trim();
    // Org's default words, and two that many set.
    for word in ["TODO ", "DONE ", "NEXT ", "WAITING "] {
        title = title.strip_prefix(word).unwrap_or(title).trim_start();
    }
    if let Some(rest) =
        title.strip_prefix("[#").and_then(|rest| rest.get(1..)).and_then(|rest| rest.strip_prefix(']'))
    {
        title = rest.trim_start();
    }
    if title.ends_with(':')
        && let Some(at) = title.rfind([' ', '\t'])
        && title[at..].trim_start().starts_with(':')
    {
        title = title[..at].trim_end();
    }
    titled(stars, title)
}

/// `== Title` with or without the same signs after it.
fn asciidoc(line: &str) -> Option<(u8, &str)> {
    let sign = line.bytes().next().filter(|byte| matches!(byte, b'=' | b'#'))?;
    let level = line.bytes().take_while(|&byte| byte == sign).count();
    let title = line[level..].strip_prefix([' ', '\t'])?.trim();
    let bare = title.strip_suffix(&line[..level]).filter(|bare| bare.ends_with([' ', '\t']));
    titled(if level > 6 { 0 } else { level }, bare.unwrap_or(title).trim_end())
}

/// AsciiDoc's older form: a title over a line of equally many signs.
fn two_lines<'l>(above: Option<&str>, line: &'l str, below: Option<&str>) -> Option<(u8, &'l str)> {
    let under = below?.trim_end();
    let sign = *under.as_bytes().first()?;
    // AsciiDoc has a fixed order of signs.
    let level = b"=-~^+".iter().position(|&known| known == sign)? + 1;
    let is_line = under.bytes().all(|byte| byte == sign) && under.len() > 2;
    let is_alike = under.len().abs_diff(line.trim_end().chars().count()) < 2;
    let is_first = above.is_none_or(|above| above.trim().is_empty() || above.starts_with('['));
    let has_words = line.chars().any(char::is_alphanumeric) && !line.starts_with([' ', '\t', '.', '[']);
    if is_line && is_alike && is_first && has_words { titled(level, line.trim()) } else { None }
}

/// `h2. Title`; a class, an id, a language, a style and an alignment may stand between the level and the point.
fn textile(line: &str) -> Option<(u8, &str)> {
    let rest = line.strip_prefix('h')?;
    let level = rest.bytes().next().filter(|digit| (b'1'..=b'6').contains(digit))? - b'0';
    let mut rest = &rest[1..];
    loop {
        // Attributes may come in any order.
        let close = match rest.bytes().next()? {
            b'.' => return titled(level.into(), rest[1..].strip_prefix([' ', '\t'])?.trim()),
            b'(' => ')',
            b'[' => ']',
            b'{' => '}',
            b'<' | b'>' | b'=' => {
                rest = &rest[1..];
                continue;
            }
            _ => return None,
        };
        rest = rest.split_once(close)?.1;
    }
}

/// `== Title <label>`, and `#heading(level: 2)[Title]`.
fn typst(line: &str) -> Option<(u8, &str)> {
    let line = line.trim();
    if let Some(call) = line.strip_prefix("#heading") {
        let (arguments, title) = call.split_once('[')?;
        let level = arguments.split_once("level:").map_or("1", |(_, level)| level.trim());
        let digits = level.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(level.len());
        return titled(level[..digits].parse().ok()?, title[..title.rfind(']')?].trim());
    }
    let level = line.bytes().take_while(|&byte| byte == b'=').count();
    let mut title = line[level..].strip_prefix([' ', '\t'])?.trim();
    // A label has no space; what has one is text between signs of comparison.
    if let Some((before, label)) = title.strip_suffix('>').and_then(|title| title.rsplit_once('<'))
        && !label.contains(char::is_whitespace)
    {
        title = before.trim_end();
    }
    titled(level, title)
}

/// `== Title ==` of MediaWiki, Creole and DokuWiki, `h2. Title` of older wikis.
fn wiki(line: &str) -> Option<(u8, &str)> {
    if let Some(rest) = line.strip_prefix('h')
        && let Some((level, title)) = rest.split_once(". ")
    {
        return titled(level.parse().ok().filter(|level| (1..=6).contains(level))?, title.trim());
    }
    let mut line = line.trim();
    // MediaWiki allows a comment after a heading.
    if let Some(at) = line.find("<!--").filter(|_| line.ends_with("-->")) {
        line = line[..at].trim_end();
    }
    let signs = |text: &str| text.bytes().take_while(|&byte| byte == b'=').count();
    let before = signs(line);
    let after = line.bytes().rev().take_while(|&byte| byte == b'=').count();
    let level = before.min(after).min(6);
    if level == 0 || before + after >= line.len() {
        return None;
    }
    titled(level, line[level..line.len() - level].trim())
}

/// `\section*[short]{Title}`, and `@section Title` of Texinfo.
fn tex(line: &str) -> Option<(u8, &str)> {
    const LEVELS: &[(&str, usize)] = &[
        ("part", 1),
        ("chapter", 1),
        ("section", 2),
        ("subsection", 3),
        ("subsubsection", 4),
        ("paragraph", 5),
        ("subparagraph", 6),
    ];
    let line = line.trim();
    if let Some(rest) = line.strip_prefix('@') {
        let (name, title) = rest.split_once([' ', '\t'])?;
        // `@unnumbered` and `@appendix` alone are chapters.
        let name = name.strip_prefix("unnumbered").or_else(|| name.strip_prefix("appendix")).unwrap_or(name);
        let level = match name {
            "" | "top" | "chapter" => 1,
            "sec" | "section" => 2,
            "subsec" | "subsection" => 3,
            "subsubsec" | "subsubsection" => 4,
            _ => return None,
        };
        return titled(level, title.trim());
    }
    let rest = line.strip_prefix('\\')?;
    let end = rest.find(|c: char| !c.is_ascii_alphabetic())?;
    let level = LEVELS.iter().find(|(name, _)| *name == &rest[..end])?.1;
    let mut rest = rest[end..].trim_start_matches('*');
    if rest.starts_with('[') {
        rest = &rest[rest.find(']')? + 1..];
    }
    let inside = rest.strip_prefix('{')?;
    let mut depth = 1;
    let close = inside.bytes().position(|byte| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth == 0
    });
    titled(level, inside[..close.unwrap_or(inside.len())].trim())
}

/// The style and the title of a line with an underline, by the rules of docutils: the underline may be shorter than its
/// title only if it has four signs or more, and a line of signs above the title is part of the style.
fn underlined<'l>(above: Option<&str>, line: &'l str, below: Option<&str>) -> Option<((u8, bool), &'l str)> {
    let (under, length) = sign_line(below?)?;
    let title = line.trim();
    let has_overline = above.and_then(sign_line) == Some((under, length));
    let is_first = has_overline || above.is_none_or(|above| above.trim().is_empty());
    let is_indented = line.starts_with([' ', '\t']) && !has_overline;
    let is_long = length >= title.chars().count().min(4) && length > 1;
    let has_words = sign_line(line).is_none() && title.chars().any(char::is_alphanumeric);
    if !is_first || is_indented || !is_long || !has_words {
        return None;
    }
    titled(1, title).map(|(_, title)| ((under, has_overline), title))
}

/// The sign that a line consists of, and how many there are.
fn sign_line(line: &str) -> Option<(u8, usize)> {
    let line = line.trim_end();
    let first = line.bytes().next().filter(u8::is_ascii_punctuation)?;
    line.bytes().all(|byte| byte == first).then_some((first, line.len()))
}

fn titled(level: usize, title: &str) -> Option<(u8, &str)> {
    let is_title = level > 0 && !title.is_empty() && title.len() <= MAX_TITLE_BYTES;
    is_title.then_some((level.min(6) as u8, title))
}

#[cfg(test)]
mod tests {
    use super::HeadingSyntax::*;
    use super::*;

    fn check(syntax: HeadingSyntax, line: &str, expected: Option<(u8, &str)>) {
        assert_eq!(heading_of(syntax, line), expected, "of {line}");
    }

    fn check_text(syntax: HeadingSyntax, text: &str, expected: &[(u8, &str)]) {
        let lines: Vec<&str> = text.lines().collect();
        let mut headings = MarkupHeadings::new(syntax);
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let above = at.checked_sub(1).map(|above| lines[above]);
            found.extend(headings.heading(above, line, lines.get(at + 1).copied()));
        }
        assert_eq!(found, expected, "of {text}");
    }

    #[test]
    fn titles_of_a_text_are_found_in_order() {
        let check = |text: &str, syntax, expected: &[&str]| {
            assert_eq!(heading_titles(text, syntax), expected, "{text}");
        };
        check(
            "---\ntitle: y\n---\n\n# Doc #\n\n```\n# no\n```\nKettle\n======\n\ntext",
            None,
            &["title: y", "Doc", "Kettle"],
        );
        check(
            "Doc\n===\n\nintro\n\nKettle\n------\n",
            Some(HeadingSyntax::ReStructuredText),
            &["Doc", "Kettle"],
        );
        check(
            "* Doc\n#+begin_src\n* no\n#+end_src\n** TODO Kettle",
            Some(HeadingSyntax::Org),
            &["Doc", "Kettle"],
        );
        check("no heading\n\n- a\n", None, &[]);
    }

    #[test]
    fn lines_that_are_headings_by_themselves() {
        check(Org, "* One", Some((1, "One")));
        check(Org, "** TODO [#A] Two three :a:b:", Some((2, "Two three")));
        check(Org, "*bold* text", None);
        check(Org, " * item", None);
        check(AsciiDoc, "== One", Some((2, "One")));
        check(AsciiDoc, "=== Two ===", Some((3, "Two")));
        check(AsciiDoc, "====", None);
        check(AsciiDoc, "==x", None);
        check(Wiki, "== One ==", Some((2, "One")));
        check(Wiki, "===Two=== <!-- c -->", Some((3, "Two")));
        check(Wiki, "= a", None);
        check(Wiki, "a == b", None);
        check(Wiki, "h3. Three", Some((3, "Three")));
        check(Wiki, "====", None);
        check(Tex, "\\section*[s]{On {e}} \\label{x}", Some((2, "On {e}")));
        check(Tex, "  \\chapter{Two", Some((1, "Two")));
        check(Tex, "\\sectionmark{x}", None);
        check(Tex, "% \\section{x}", None);
        check(Tex, "@unnumberedsec Three", Some((2, "Three")));
        check(ReStructuredText, "One", None);
        check(Typst, "= One", Some((1, "One")));
        check(Typst, "  == Two three <sec:two>", Some((2, "Two three")));
        check(Typst, "#heading(level: 3, outlined: false)[Three]", Some((3, "Three")));
        check(Typst, "#heading[Four]", Some((1, "Four")));
        check(Typst, "==", None);
        check(Typst, "// = a", None);
        check(Typst, "=a", None);
        check(Textile, "h1. One", Some((1, "One")));
        check(Textile, "h2(class#id){color:red}[en]>. Two", Some((2, "Two")));
        check(Textile, "h7. Seven", None);
        check(Textile, "h2.x", None);
        check(Textile, "how. x", None);
        check(Textile, "h", None);
    }

    #[test]
    fn underlines_have_levels_by_their_order() {
        let text =
            "=====\nTitle\n=====\n\nOne\n---\n\ntext\n\nTwo\n~~~~\n\nThree\n-----\na\n=\n\n----\n\n:a: b\n";
        check_text(ReStructuredText, text, &[(1, "Title"), (2, "One"), (3, "Two"), (2, "Three")]);
        check_text(
            ReStructuredText,
            "a\nTitle\n-----\n\nLonger title\n====\n\nAbcd\n==\n\n  In\n====\n",
            &[(1, "Longer title")],
        );
    }

    #[test]
    fn listings_hold_no_headings() {
        check_text(Org, "* A\n#+BEGIN_SRC sh\n* b\n#+end_src\n* C\n", &[(1, "A"), (1, "C")]);
        check_text(
            AsciiDoc,
            "= A\n\n----\n== b\n----\n\nC\n-\n\nTwo\n---\n\n== D\n",
            &[(1, "A"), (2, "Two"), (2, "D")],
        );
        check_text(Wiki, "<pre>\n== a ==\n</pre>\n== B ==\n<pre>x</pre>\n== C ==", &[(2, "B"), (2, "C")]);
        check_text(Typst, "= A\n```typ\n= b\n```\n== C\n```c = d```\n= E\n", &[(1, "A"), (2, "C"), (1, "E")]);
        check_text(Textile, "<pre>\nh1. a\n</pre>\nh2. B\n", &[(2, "B")]);
        check_text(Tex, "\\begin{verbatim}\n\\section{a}\n\\end{verbatim}\n\\section{B}\n", &[(2, "B")]);
    }

    #[test]
    fn some_wikis_count_levels_backwards() {
        check_text(Wiki, "====== A ======\n===== B =====\n", &[(1, "A"), (2, "B")]);
    }

    #[test]
    fn a_title_has_a_level_and_words_of_limited_length() {
        let long = "x".repeat(MAX_TITLE_BYTES + 1);
        assert_eq!(titled(0, "A"), None);
        assert_eq!(titled(1, "A"), Some((1, "A")));
        assert_eq!(titled(7, "A"), Some((6, "A")));
        assert_eq!(titled(1, ""), None);
        assert_eq!(titled(1, &long), None);
        assert_eq!(titled(1, &long[1..]), Some((1, &long[1..])));
    }
}
