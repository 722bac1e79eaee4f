//! Rules for markup without meaning for a reader: tags, attributes, images, page breaks, links without a target.

use super::context::RuleContext;
use pensieve_text::text::clean::without_controls;
use regex::{Captures, Regex};
use std::collections::HashSet;
use std::sync::LazyLock;

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is tested")
}

static ANCHOR: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?m)^<a id="([^"\n]+)"></a>$"#));

/// The anchors that links may point to.
pub(super) fn anchors(text: &str) -> HashSet<String> {
    ANCHOR.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

pub(super) fn soft_hyphens(text: &str, _: &RuleContext) -> String {
    text.replace('\u{ad}', "")
}

/// Removes control characters, what a terminal does by them, and characters without width, as cleaning of other texts does.
pub(super) fn controls(text: &str, _: &RuleContext) -> String {
    without_controls(text)
}

static PAGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"[ \t]*(?:<!-- ?page(?:[ -]?break)?:? ?([^\n]*?) ?-->|\\(?:newpage|pagebreak|clearpage)\b|"#,
        r#"<span\b[^>]*(?:pagebreak|doc-pagebreak)[^>]*>[^<]*</span>|<(?:mbp|hr):?pagebreak[^>]*/?>|"#,
        r#"\[\]\{[^}\n]*(?:pagebreak|#page[_-]?\w+)[^}\n]*\}|\f)"#
    ))
});

/// Removes or marks page breaks, as written by the reader, by pandoc and by other tools. Words keep their spaces, and
/// a word that continues after a page break stays whole.
pub(super) fn page_breaks(text: &str, context: &RuleContext) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut done = 0;
    for found in PAGE.captures_iter(text) {
        let whole = found.get(0).expect("a match has a place");
        changed.push_str(text.get(done..whole.start()).unwrap_or_default());
        done = whole.end().max(done);
        let blank = whole.as_str().len() - whole.as_str().trim_start_matches([' ', '\t']).len();
        let begins_line = changed.is_empty() || changed.ends_with('\n');
        let next = text[done..].chars().next();
        let goes_on = next.is_some_and(|c| !c.is_whitespace());
        if begins_line {
            changed.push_str(&whole.as_str()[..blank]);
        }
        if !context.page_markers {
            if begins_line {
                done += text[done..].len() - text[done..].trim_start_matches([' ', '\t']).len();
            } else if blank > 0 && goes_on {
                changed.push(' ');
            }
            continue;
        }
        let is_in_word = blank == 0 && changed.ends_with(|c: char| c.is_alphanumeric() || c == '-');
        if is_in_word {
            let rest = text[done..].find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len() - done);
            changed.push_str(&text[done..done + rest]);
            done += rest;
        }
        if !changed.is_empty() && !changed.ends_with(char::is_whitespace) {
            changed.push(' ');
        }
        match found.get(1).map_or("", |page| page.as_str()).trim() {
            "" => changed.push_str("--- PAGE ---"),
            page => changed.push_str(&format!("--- PAGE {page} ---")),
        }
        if text[done..].starts_with(|c: char| !c.is_whitespace() && !".,;:!?)".contains(c)) {
            changed.push(' ');
        }
    }
    changed + text.get(done..).unwrap_or_default()
}

static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"(?s)<!--.*?-->|</?(?:div|span|section|article|aside|figure|figcaption|center|font|small|big|nav|header|footer|"#,
        r#"main|hgroup|svg|u|ins|abbr|cite|dfn|time|wbr|a)\b[^<>]*>|</?(?:p|br)\b[^<>]*>"#
    ))
});

static SCRIPT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"([\p{L}\d)\]*]?)<(sup|sub)>([^<>\[\]\n]*)</su[pb]>"));

/// Superscript numbers after words become exponents; the text of all other superscripts and subscripts is kept.
fn without_scripts(text: &str) -> String {
    let replaced = SCRIPT.replace_all(text, |found: &Captures<'_>| {
        let words = found[3].trim();
        let is_number =
            words.chars().all(|c| c.is_ascii_digit() || "+-−–nx".contains(c)) && !words.is_empty();
        let mark = if is_number && &found[2] == "sup" && !found[1].is_empty() { "^" } else { "" };
        format!("{}{mark}{words}", &found[1])
    });
    replaced.into_owned()
}

static IMAGE_TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<img\b[^<>]*>"#));
static ALT: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\balt=(?:"([^"]*)"|'([^']*)')"#));

/// Removes tags without a meaning in Markdown; images become their alternative text; anchors of ours stay.
pub(super) fn raw_html(text: &str, _: &RuleContext) -> String {
    let text = without_scripts(text);
    let with_images = IMAGE_TAG.replace_all(&text, |tag: &Captures<'_>| {
        let alt = ALT.captures(&tag[0]);
        let words = alt.and_then(|alt| alt.get(1).or(alt.get(2)).map(|words| words.as_str().to_owned()));
        words.unwrap_or_default()
    });
    let mut changed = String::with_capacity(with_images.len());
    for line in anchored_lines(&with_images) {
        match line {
            Line::Anchor(line) => changed.push_str(line),
            Line::Other(text) => {
                let replaced = TAG.replace_all(
                    text,
                    |tag: &Captures<'_>| {
                        if tag[0].starts_with("<br") { "\n" } else { "" }
                    },
                );
                changed.push_str(&replaced);
            }
        }
    }
    changed
}

enum Line<'t> {
    Anchor(&'t str),
    Other(&'t str),
}

/// The lines of anchors, and everything between them.
fn anchored_lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut done = 0;
    for found in ANCHOR.find_iter(text) {
        lines.push(Line::Other(&text[done..found.start()]));
        lines.push(Line::Anchor(found.as_str()));
        done = found.end();
    }
    lines.push(Line::Other(&text[done..]));
    lines
}

static DIV_FENCE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^[ \t>]*:{3,}[ \t]*(?:\{[^}\n]*\}|[\w.-]+)?[ \t]*:*[ \t]*\n?"));

pub(super) fn div_fences(text: &str, _: &RuleContext) -> String {
    DIV_FENCE.replace_all(text, "").into_owned()
}

/// `{#id}`, `{.class #id key="value"}`, `{=html}`: braces with another beginning are prose.
static ATTRIBUTES: LazyLock<Regex> = LazyLock::new(|| {
    let one = r#"(?:[#.][\w:.-]+|[\w:-]+="[^"\n]*"|[\w:-]+=[\w.:-]+|-|=\w+)"#;
    pattern(&format!(
        r#"\[([^\[\]\n]*)\]\{{(?:{one})(?:[ \t]+{one})*[ \t]*\}}|[ \t]*\{{(?:[#.][\w:.-]+|[\w:-]+="[^"\n]*"|=\w+)(?:[ \t]+{one})*[ \t]*\}}"#
    ))
});

/// Removes attribute blocks; spans with attributes become their text.
pub(super) fn attributes(text: &str, _: &RuleContext) -> String {
    let replaced = ATTRIBUTES.replace_all(text, |found: &Captures<'_>| {
        found.get(1).map_or(String::new(), |words| words.as_str().to_owned())
    });
    replaced.into_owned()
}

static EMPTY_IMAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"!\[[ \t]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])"));

pub(super) fn empty_images(text: &str, _: &RuleContext) -> String {
    EMPTY_IMAGE.replace_all(text, "").into_owned()
}

static IMAGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"!\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])+)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
});

/// Images become their alternative text.
pub(super) fn image_links(text: &str, _: &RuleContext) -> String {
    IMAGE.replace_all(text, "$1").into_owned()
}

/// A link with one level of nested brackets in its text and of nested parentheses in its address.
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"(!?)\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*)\]"#,
        r#"\(<?([^()<>\s]*(?:\([^()\s]*\)[^()<>\s]*)*)>?(?:[ \t]+"[^"\n]*")?\)"#
    ))
});

/// What may follow a link: its address again, as printed editions need it.
static ECHO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[ \t]*\n?[ \t>]*(?:\[<?([a-z]+:[^\s\[\]<>]+)>?\]|\(<?([a-z]+:[^\s()<>]+)>?\))")
});

/// Removes an address in brackets directly after a link to it.
pub(super) fn address_echoes(text: &str, _: &RuleContext) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut done = 0;
    for link in LINK.captures_iter(text) {
        let (Some(whole), Some(address)) = (link.get(0), link.get(3)) else { continue };
        let Some(echo) = ECHO.captures(&text[whole.end()..]).filter(|_| &link[1] != "!") else { continue };
        let echoed = echo.get(1).or(echo.get(2)).map_or("", |echoed| echoed.as_str());
        let end = whole.end() + echo[0].len();
        let is_link = text[end..].starts_with(['(', '[']);
        if !is_link && plain_address(echoed) == plain_address(address.as_str()) {
            changed.push_str(&text[done..whole.end()]);
            done = end;
        }
    }
    changed.push_str(&text[done..]);
    changed
}

/// An address without Markdown's escapes.
fn plain_address(address: &str) -> String {
    let plain = address.replace('\\', "").replace("&amp;", "&").replace("&lt;", "<");
    let plain = [("%28", "("), ("%29", ")"), ("%7C", "|"), ("%3C", "<"), ("%3E", ">")]
        .into_iter()
        .fold(plain, |plain, (code, sign)| plain.replace(code, sign));
    plain.trim_end_matches('/').to_owned()
}

/// Replaces links that point neither outside nor to an anchor of the document with their text.
pub(super) fn dangling_links(text: &str, context: &RuleContext) -> String {
    let replaced = LINK.replace_all(text, |link: &Captures<'_>| match has_target(&link[3], context) {
        _ if &link[1] == "!" => link[0].to_owned(),
        true => link[0].to_owned(),
        false => link[2].to_owned(),
    });
    replaced.into_owned()
}

fn has_target(address: &str, context: &RuleContext) -> bool {
    match address.strip_prefix('#') {
        Some(anchor) => context.anchors.contains(anchor),
        None => {
            let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
            scheme.is_some_and(|scheme| {
                matches!(scheme.as_str(), "http" | "https" | "mailto" | "ftp" | "doi" | "urn" | "tel")
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(page_markers: bool) -> RuleContext {
        RuleContext { page_markers, anchors: HashSet::from(["a".to_owned()]), ..RuleContext::default() }
    }

    #[test]
    fn a_removed_page_break_leaves_words_and_their_spaces() {
        let check = |text: &str, expected: &str| {
            assert_eq!(page_breaks(text, &context(false)), expected, "{text:?}");
        };
        check("a \u{c}b", "a b");
        check("a\u{c}b", "ab");
        check("a \u{c} b", "a b");
        check("a \u{c}\nb", "a\nb");
        check(" \u{c}  b", " b");
        check("a\n\u{c}  b", "a\nb");
        check("a <!-- page 3 --> b", "a b");
        check("a", "a");
    }

    #[test]
    fn a_marked_page_break_is_after_the_word_that_goes_on() {
        let check = |text: &str, expected: &str| {
            assert_eq!(page_breaks(text, &context(true)), expected, "{text:?}");
        };
        check("<!-- page 12 -->\n", "--- PAGE 12 ---\n");
        check("a \\newpage\nb", "a --- PAGE ---\nb");
        check("wo\u{c}rd x", "word --- PAGE --- x");
        check("wo-\u{c}rd", "wo-rd --- PAGE ---");
        check("a.\u{c}b", "a. --- PAGE --- b");
        check("a \u{c}b", "a --- PAGE --- b");
        check("a \u{c}, b", "a --- PAGE ---, b");
        check("\u{c}b", "--- PAGE --- b");
        check("a\n\u{c}b", "a\n--- PAGE --- b");
    }

    #[test]
    fn raised_numbers_after_words_are_exponents() {
        let check = |text: &str, expected: &str| assert_eq!(without_scripts(text), expected, "{text}");
        check("x<sup>2</sup>", "x^2");
        check("x<sup>n+1</sup>", "x^n+1");
        check("x<sub>2</sub>", "x2");
        check("<sup>2</sup> a", "2 a");
        check("1<sup>st</sup>", "1st");
        check("x<sup> </sup>", "x");
    }

    #[test]
    fn tags_without_meaning_go_and_anchors_stay() {
        let check = |text: &str, expected: &str| {
            assert_eq!(raw_html(text, &context(false)), expected, "{text}");
        };
        check("<img src=x alt='a'> <img alt=\"b\"> <img>", "a b ");
        check("a<br>b<br/>c", "a\nb\nc");
        check("<p>a</p> <b>c</b><!-- d\n -->", "a <b>c</b>");
        check("# A\n<a id=\"a\"></a>\n<span>b</span> <a id=\"c\"></a>\n", "# A\n<a id=\"a\"></a>\nb \n");
    }

    #[test]
    fn links_lead_to_anchors_or_outside() {
        let check = |address: &str, expected: bool| {
            assert_eq!(has_target(address, &context(false)), expected, "{address}");
        };
        for address in ["#a", "http://b", "HTTPS://b", "mailto:b", "ftp://b", "doi:b", "urn:b", "tel:1"] {
            check(address, true);
        }
        for address in ["#b", "a", "b.html", "file:b", ""] {
            check(address, false);
        }
        assert_eq!(dangling_links("[x](#a) [y](#b) ![z](b.png)", &context(false)), "[x](#a) y ![z](b.png)");
    }

    #[test]
    fn addresses_are_compared_without_escapes() {
        assert_eq!(
            plain_address("https://b.org/a\\_b&amp;c%28d%29%7C%3C%3E&lt;//"),
            "https://b.org/a_b&c(d)|<><"
        );
        let check = |text: &str, expected: &str| {
            assert_eq!(address_echoes(text, &context(false)), expected, "{text}");
        };
        check("[a](http://b/) [http://b] c", "[a](http://b/) c");
        check("[a](http://b) [http://b](http://c)", "[a](http://b) [http://b](http://c)");
        check("[a](http://b) [http://b][c]", "[a](http://b) [http://b][c]");
        check("![a](http://b) [http://b]", "![a](http://b) [http://b]");
        check("[a](http://b) [http://c]", "[a](http://b) [http://c]");
    }
}
