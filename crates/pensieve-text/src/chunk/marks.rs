//! Headings of markups that are not Markdown: Org, AsciiDoc, wikis, reStructuredText, TeX and Texinfo.
//!
//! These files are their own source text; what a chunk gets from their structure is its heading path and a place to
//! cut. A line tells its heading by itself in most of them ([`heading_of`]). What needs more than the line is kept in
//! [`Marks`]: reStructuredText gives its underlines their levels by the order in which they appear, DokuWiki counts
//! its signs backwards, and listings hold lines that only look like headings. After the Org Syntax document, the
//! AsciiDoc Language documentation, mediawiki.org/Help:Formatting, docutils' reStructuredText specification, LaTeX2e
//! section 6 and the Texinfo manual.

/// A title that is longer is no title.
const LONGEST_TITLE: usize = 400;

/// Kinds of underlines that reStructuredText may have.
const MOST_STYLES: usize = 32;

/// What is carried from line to line of one document.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    format: String,
    /// Underlines in the order of their first use, with whether a line of the same signs stands above.
    styles: Vec<(u8, bool)>,
    /// The line that ends the listing that is open.
    listing: Option<String>,
    counts_backwards: Option<bool>,
}

impl Marks {
    /// For a document of a format of the table; `None` where its markup is not known here.
    pub(super) fn new(format: &str) -> Option<Marks> {
        let is_known = matches!(format, "org" | "asciidoc" | "wiki" | "rst" | "tex");
        is_known.then(|| Marks { format: format.to_owned(), ..Marks::default() })
    }

    /// Level and title of the heading that a line is, with the lines around it. Every line of the document must be
    /// shown, in order. Underlined titles are told at the title, not at the underline.
    pub(super) fn heading<'l>(
        &mut self,
        above: Option<&str>,
        line: &'l str,
        below: Option<&str>,
    ) -> Option<(u8, &'l str)> {
        if self.passes_listing(line, above) {
            return None;
        }
        match self.format.as_str() {
            "rst" => {
                let (style, title) = underlined(above, line, below)?;
                Some((self.level_of(style)?, title))
            }
            "wiki" => {
                let (level, title) = wiki(line)?;
                let backwards = *self.counts_backwards.get_or_insert(level > 4);
                Some((if backwards { 7 - level } else { level }, title))
            }
            "asciidoc" => asciidoc(line).or_else(|| two_lines(above, line, below)),
            format => heading_of(format, line),
        }
    }

    /// The first and the last line of the heading whose title is line `at`: with the lines of signs over and under it,
    /// and the lines above that name it or give it attributes.
    pub(super) fn extent<'l>(&self, at: usize, line: impl Fn(usize) -> Option<&'l str>) -> (usize, usize) {
        let signs = |at: usize| line(at).and_then(sign_line);
        let stands_alone = line(at).is_some_and(|title| heading_of(&self.format, title).is_some());
        let under = signs(at + 1).filter(|_| !stands_alone);
        let has_overline = self.format == "rst" && under.is_some() && at > 0 && signs(at - 1) == under;
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

    /// True for a line that belongs to what follows it.
    fn is_label(&self, line: &str) -> bool {
        match self.format.as_str() {
            "rst" => line.starts_with(".. _") && line.ends_with(':'),
            "asciidoc" => line.starts_with('[') && line.ends_with(']'),
            _ => false,
        }
    }

    /// True inside a listing, and on the lines that begin and end it.
    fn passes_listing(&mut self, line: &str, above: Option<&str>) -> bool {
        let words = line.trim();
        if let Some(end) = &self.listing {
            if words.eq_ignore_ascii_case(end) || (self.format == "wiki" && words.ends_with(end.as_str())) {
                self.listing = None;
            }
            return true;
        }
        self.listing = listing_end(&self.format, words, above.unwrap_or_default().trim());
        self.listing.is_some()
    }

    fn level_of(&mut self, style: (u8, bool)) -> Option<u8> {
        let known = self.styles.iter().position(|known| *known == style);
        if known.is_none() && self.styles.len() >= MOST_STYLES {
            return None;
        }
        let at = known.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        Some((at + 1).min(6) as u8)
    }
}

/// Level and title of a line that is a heading by itself, in a format whose headings are.
pub(super) fn heading_of<'l>(format: &str, line: &'l str) -> Option<(u8, &'l str)> {
    match format {
        "org" => org(line),
        "asciidoc" => asciidoc(line),
        "wiki" => wiki(line),
        "tex" => tex(line),
        _ => None,
    }
}

/// The line that ends the listing that this line begins.
fn listing_end(format: &str, words: &str, above: &str) -> Option<String> {
    let lower = || words.get(..words.len().min(64)).unwrap_or_default().to_ascii_lowercase();
    match format {
        "org" => {
            let block = lower().strip_prefix("#+begin_")?.split_whitespace().next()?.to_owned();
            Some(format!("#+end_{block}"))
        }
        "asciidoc" => {
            // A paragraph's last line may be underlined by what elsewhere opens a listing.
            let is_fence = words.len() >= 4
                && ["-", ".", "+", "/"].iter().any(|sign| words.replace(sign, "").is_empty());
            let is_underline = !above.is_empty()
                && !above.starts_with(['[', '.'])
                && words.len().abs_diff(above.chars().count()) < 2;
            (is_fence && !is_underline).then(|| words.to_owned())
        }
        "wiki" => {
            let lower = lower();
            let name = ["pre", "nowiki", "source", "syntaxhighlight", "code"].into_iter().find(|name| {
                let rest = lower.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with(['>', ' ']))
            })?;
            let end = format!("</{name}>");
            (!words.to_ascii_lowercase().contains(&end)).then_some(end)
        }
        "tex" => {
            let name = words.strip_prefix("\\begin{")?.split('}').next()?;
            let is_listing = matches!(
                name.trim_end_matches('*'),
                "verbatim" | "Verbatim" | "lstlisting" | "minted" | "comment"
            );
            is_listing.then(|| format!("\\end{{{name}}}"))
        }
        _ => None,
    }
}

/// `** TODO [#A] Title :tag:`
fn org(line: &str) -> Option<(u8, &str)> {
    let stars = line.bytes().take_while(|&byte| byte == b'*').count();
    let mut title = line.get(stars..)?.strip_prefix([' ', '\t']).filter(|_| stars > 0)?.trim();
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

/// `== Title` with or without the same signs behind it.
fn asciidoc(line: &str) -> Option<(u8, &str)> {
    let sign = line.bytes().next().filter(|byte| matches!(byte, b'=' | b'#'))?;
    let level = line.bytes().take_while(|&byte| byte == sign).count();
    let title = line[level..].strip_prefix([' ', '\t'])?.trim();
    let bare = title.strip_suffix(&line[..level]).filter(|bare| bare.ends_with([' ', '\t']));
    titled(if level > 6 { 0 } else { level }, bare.unwrap_or(title).trim_end())
}

/// AsciiDoc's older form: a title, and under it as many signs.
fn two_lines<'l>(above: Option<&str>, line: &'l str, below: Option<&str>) -> Option<(u8, &'l str)> {
    let under = below?.trim_end();
    let sign = *under.as_bytes().first()?;
    let level = b"=-~^+".iter().position(|&known| known == sign)? + 1;
    let is_line = under.bytes().all(|byte| byte == sign) && under.len() > 2;
    let is_alike = under.len().abs_diff(line.trim_end().chars().count()) < 2;
    let is_first = above.is_none_or(|above| above.trim().is_empty() || above.starts_with('['));
    let has_words = line.chars().any(char::is_alphanumeric) && !line.starts_with([' ', '\t', '.', '[']);
    if is_line && is_alike && is_first && has_words { titled(level, line.trim()) } else { None }
}

/// `== Title ==` of MediaWiki, Creole and DokuWiki, `h2. Title` of Textile.
fn wiki(line: &str) -> Option<(u8, &str)> {
    if let Some(rest) = line.strip_prefix('h')
        && let Some((level, title)) = rest.split_once(". ")
    {
        return titled(level.parse().ok().filter(|level| (1..=6).contains(level))?, title.trim());
    }
    let mut line = line.trim();
    if let Some(at) = line.find("<!--").filter(|_| line.ends_with("-->")) {
        line = line[..at].trim_end();
    }
    let signs = |text: &str| text.bytes().take_while(|&byte| byte == b'=').count();
    let before = signs(line);
    let behind = line.bytes().rev().take_while(|&byte| byte == b'=').count();
    let level = before.min(behind).min(6);
    if level == 0 || before + behind >= line.len() {
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

/// The style and the title of a line with an underline, after the rules of docutils: the underline may be shorter than
/// its title only from four signs on, and a line above it is part of its style.
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

/// The sign that a line is made of, and how many there are.
fn sign_line(line: &str) -> Option<(u8, usize)> {
    let line = line.trim_end();
    let first = line.bytes().next().filter(u8::is_ascii_punctuation)?;
    line.bytes().all(|byte| byte == first).then_some((first, line.len()))
}

fn titled(level: usize, title: &str) -> Option<(u8, &str)> {
    let is_title = level > 0 && !title.is_empty() && title.len() <= LONGEST_TITLE;
    is_title.then_some((level.min(6) as u8, title))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, line: &str, expected: Option<(u8, &str)>) {
        assert_eq!(heading_of(format, line), expected, "of {line}");
    }

    fn check_text(format: &str, text: &str, expected: &[(u8, &str)]) {
        let lines: Vec<&str> = text.lines().collect();
        let mut marks = Marks::new(format).unwrap();
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let above = at.checked_sub(1).map(|above| lines[above]);
            found.extend(marks.heading(above, line, lines.get(at + 1).copied()));
        }
        assert_eq!(found, expected, "of {text}");
    }

    #[test]
    fn lines_that_are_headings_by_themselves() {
        check("org", "* One", Some((1, "One")));
        check("org", "** TODO [#A] Two three :a:b:", Some((2, "Two three")));
        check("org", "*bold* text", None);
        check("org", " * item", None);
        check("asciidoc", "== One", Some((2, "One")));
        check("asciidoc", "=== Two ===", Some((3, "Two")));
        check("asciidoc", "====", None);
        check("asciidoc", "==x", None);
        check("wiki", "== One ==", Some((2, "One")));
        check("wiki", "===Two=== <!-- c -->", Some((3, "Two")));
        check("wiki", "= a", None);
        check("wiki", "a == b", None);
        check("wiki", "h3. Three", Some((3, "Three")));
        check("wiki", "====", None);
        check("tex", "\\section*[s]{On {e}} \\label{x}", Some((2, "On {e}")));
        check("tex", "  \\chapter{Two", Some((1, "Two")));
        check("tex", "\\sectionmark{x}", None);
        check("tex", "% \\section{x}", None);
        check("tex", "@unnumberedsec Three", Some((2, "Three")));
        check("markdown", "# One", None);
    }

    #[test]
    fn underlines_have_levels_by_their_order() {
        let text =
            "=====\nTitle\n=====\n\nOne\n---\n\ntext\n\nTwo\n~~~~\n\nThree\n-----\na\n=\n\n----\n\n:a: b\n";
        check_text("rst", text, &[(1, "Title"), (2, "One"), (3, "Two"), (2, "Three")]);
        check_text(
            "rst",
            "a\nTitle\n-----\n\nLonger title\n====\n\nAbcd\n==\n\n  In\n====\n",
            &[(1, "Longer title")],
        );
    }

    #[test]
    fn listings_hold_no_headings() {
        check_text("org", "* A\n#+BEGIN_SRC sh\n* b\n#+end_src\n* C\n", &[(1, "A"), (1, "C")]);
        check_text(
            "asciidoc",
            "= A\n\n----\n== b\n----\n\nC\n-\n\nTwo\n---\n\n== D\n",
            &[(1, "A"), (2, "Two"), (2, "D")],
        );
        check_text("wiki", "<pre>\n== a ==\n</pre>\n== B ==\n<pre>x</pre>\n== C ==", &[(2, "B"), (2, "C")]);
        check_text("tex", "\\begin{verbatim}\n\\section{a}\n\\end{verbatim}\n\\section{B}\n", &[(2, "B")]);
    }

    #[test]
    fn some_wikis_count_backwards() {
        check_text("wiki", "====== A ======\n===== B =====\n", &[(1, "A"), (2, "B")]);
    }
}
