//! Rules for markup that says nothing to a reader: tags, attributes, images, page breaks, links that lead nowhere.

use super::Scene;
use regex::{Captures, Regex};
use std::collections::HashSet;
use std::sync::LazyLock;

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is tested")
}

static ANCHOR: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?m)^<a id="([^"\n]+)"></a>$"#));

/// The anchors that links may lead to.
pub(super) fn anchors(text: &str) -> HashSet<String> {
    ANCHOR.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

pub(super) fn soft_hyphens(text: &str, _: &Scene) -> String {
    text.replace('\u{ad}', "")
}

/// Signs without width that part or join what stands beside them; joiners of letters (ZWJ, ZWNJ) are spelling and stay.
pub(super) fn zero_width(text: &str, _: &Scene) -> String {
    text.replace(['\u{200b}', '\u{2060}', '\u{feff}'], "")
}

static PAGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"[ \t]*(?:<!-- ?page(?:[ -]?break)?:? ?([^\n]*?) ?-->|\\(?:newpage|pagebreak|clearpage)\b|"#,
        r#"<span\b[^>]*(?:pagebreak|doc-pagebreak)[^>]*>[^<]*</span>|<(?:mbp|hr):?pagebreak[^>]*/?>|"#,
        r#"\[\]\{[^}\n]*(?:pagebreak|#page[_-]?\w+)[^}\n]*\}|\f)"#
    ))
});

/// Page breaks, as the reader marks them and as pandoc and other tools leave them.
pub(super) fn page_breaks(text: &str, scene: &Scene) -> String {
    let replaced = PAGE.replace_all(text, |found: &Captures<'_>| {
        if !scene.page_markers {
            return String::new();
        }
        let page = found.get(1).map_or("", |page| page.as_str()).trim();
        let space = if found[0].starts_with([' ', '\t']) { " " } else { "" };
        match page {
            "" => format!("{space}--- PAGE ---"),
            page => format!("{space}--- PAGE {page} ---"),
        }
    });
    replaced.into_owned()
}

static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"(?s)<!--.*?-->|</?(?:div|span|section|article|aside|figure|figcaption|center|font|small|big|nav|header|footer|"#,
        r#"main|hgroup|svg|u|ins|abbr|cite|dfn|time|wbr|a)\b[^<>]*>|</?(?:p|br)\b[^<>]*>"#
    ))
});

static IMAGE_TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<img\b[^<>]*>"#));
static ALT: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\balt=(?:"([^"]*)"|'([^']*)')"#));

/// Tags without a meaning in Markdown; images become their words; anchors of ours stay.
pub(super) fn raw_html(text: &str, _: &Scene) -> String {
    let with_images = IMAGE_TAG.replace_all(text, |tag: &Captures<'_>| {
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

pub(super) fn div_fences(text: &str, _: &Scene) -> String {
    DIV_FENCE.replace_all(text, "").into_owned()
}

/// `{#id}`, `{.class #id key="value"}`, `{=html}`: what begins otherwise is prose.
static ATTRIBUTES: LazyLock<Regex> = LazyLock::new(|| {
    let one = r#"(?:[#.][\w:.-]+|[\w:-]+="[^"\n]*"|[\w:-]+=[\w.:-]+|-|=\w+)"#;
    pattern(&format!(
        r#"\[([^\[\]\n]*)\]\{{(?:{one})(?:[ \t]+{one})*[ \t]*\}}|[ \t]*\{{(?:[#.][\w:.-]+|[\w:-]+="[^"\n]*"|=\w+)(?:[ \t]+{one})*[ \t]*\}}"#
    ))
});

/// Attribute blocks; spans that have them become their words.
pub(super) fn attributes(text: &str, _: &Scene) -> String {
    let replaced = ATTRIBUTES.replace_all(text, |found: &Captures<'_>| {
        found.get(1).map_or(String::new(), |words| words.as_str().to_owned())
    });
    replaced.into_owned()
}

static EMPTY_IMAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"!\[[ \t]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])"));

pub(super) fn empty_images(text: &str, _: &Scene) -> String {
    EMPTY_IMAGE.replace_all(text, "").into_owned()
}

static IMAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"!\[([^\[\]\n]+)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"));

/// Images become their words.
pub(super) fn image_links(text: &str, _: &Scene) -> String {
    IMAGE.replace_all(text, "$1").into_owned()
}

/// A link with one level of brackets in its words and of parentheses in its address.
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"(!?)\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*)\]"#,
        r#"\(<?([^()<>\s]*(?:\([^()\s]*\)[^()<>\s]*)*)>?(?:[ \t]+"[^"\n]*")?\)"#
    ))
});

/// What follows a link: its address once more, as print needs it.
static ECHO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[ \t]*\n?[ \t>]*(?:\[<?([a-z]+:[^\s\[\]<>]+)>?\]|\(<?([a-z]+:[^\s()<>]+)>?\))")
});

/// Addresses in brackets straight behind a link that leads there.
pub(super) fn address_echoes(text: &str, _: &Scene) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut done = 0;
    for link in LINK.captures_iter(text) {
        let (Some(whole), Some(address)) = (link.get(0), link.get(3)) else { continue };
        let Some(echo) = ECHO.captures(&text[whole.end()..]).filter(|_| &link[1] != "!") else { continue };
        let said = echo.get(1).or(echo.get(2)).map_or("", |said| said.as_str());
        let end = whole.end() + echo[0].len();
        let is_link = text[end..].starts_with(['(', '[']);
        if !is_link && plain_address(said) == plain_address(address.as_str()) {
            changed.push_str(&text[done..whole.end()]);
            done = end;
        }
    }
    changed.push_str(&text[done..]);
    changed
}

/// An address without the signs that Markdown needs in it.
fn plain_address(address: &str) -> String {
    let plain = address.replace('\\', "").replace("&amp;", "&").replace("&lt;", "<");
    let plain = [("%28", "("), ("%29", ")"), ("%7C", "|"), ("%3C", "<"), ("%3E", ">")]
        .into_iter()
        .fold(plain, |plain, (code, sign)| plain.replace(code, sign));
    plain.trim_end_matches('/').to_owned()
}

/// Links that lead neither outside nor to an anchor of the document become their words.
pub(super) fn dangling_links(text: &str, scene: &Scene) -> String {
    let replaced = LINK.replace_all(text, |link: &Captures<'_>| match leads_somewhere(&link[3], scene) {
        _ if &link[1] == "!" => link[0].to_owned(),
        true => link[0].to_owned(),
        false => link[2].to_owned(),
    });
    replaced.into_owned()
}

fn leads_somewhere(address: &str, scene: &Scene) -> bool {
    match address.strip_prefix('#') {
        Some(anchor) => scene.anchors.contains(anchor),
        None => {
            let scheme = address.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
            scheme.is_some_and(|scheme| {
                matches!(scheme.as_str(), "http" | "https" | "mailto" | "ftp" | "doi" | "urn" | "tel")
            })
        }
    }
}
