//! The table of contents: the navigation document of EPUB 3, or the NCX of EPUB 2, as one flat list with levels.
//!
//! After EPUB 3.3, section 7, and the NCX of ANSI/NISO Z39.86-2005, section 8.

use super::path::{PathTarget, resolve};
use crate::limits::epub::{MAX_LABEL_CHARACTERS, MAX_TOC_ENTRIES};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};

/// An entry of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TocEntry {
    /// Its depth, from 1.
    pub level: usize,
    /// Its text.
    pub label: String,
    /// Its link, as it is written; empty for a label without a place.
    pub href: String,
    /// True for a link, whatever its target; false for words that only group others.
    pub is_link: bool,
    /// The target that the link means.
    pub target: Option<PathTarget>,
    /// The first place of the spine that it points to, from 0.
    pub spine: Option<usize>,
}

/// The entries of a navigation document at `path`.
pub(super) fn of_nav(path: &str, xml: &str) -> Vec<TocEntry> {
    entries_of(path, xml, nav_that(xml, ("toc", "doc-toc")).unwrap_or(0))
}

/// The printed pages that a navigation document at `path` lists.
pub(super) fn pages_of_nav(path: &str, xml: &str) -> Vec<TocEntry> {
    let chosen = nav_that(xml, ("page-list", "doc-pagelist"));
    chosen.map(|chosen| entries_of(path, xml, chosen)).unwrap_or_default()
}

fn entries_of(path: &str, xml: &str, chosen: usize) -> Vec<TocEntry> {
    let mut entries: Vec<TocEntry> = Vec::new();
    let (mut navs, mut level, mut is_inside) = (0, 0_usize, false);
    let mut open: Option<TocEntry> = None;
    let mut parting = LabelParts::default();
    let mut base = path.to_owned();
    let reader = XmlReader::new(xml);
    for event in reader {
        if let Some(entry) = &mut open {
            parting.see(&event, &mut entry.label);
        }
        match event {
            XmlEvent::Start(tag) if tag.name() == "nav" => {
                is_inside = navs == chosen;
                navs += 1;
                level = 0;
            }
            XmlEvent::End("nav") => is_inside = false,
            XmlEvent::Start(tag) if tag.name() == "base" => {
                let href = tag.get("href").unwrap_or_default();
                if let Some(found) = target(path, &href) {
                    base = if href.ends_with('/') { found.path + "/" } else { found.path };
                }
            }
            _ if !is_inside => {}
            XmlEvent::Start(tag) => match tag.name() {
                "ol" | "ul" => {
                    keep(open.take(), &mut entries);
                    level += 1;
                }
                "a" | "span" if open.is_none() && level > 0 => {
                    let href = tag.get("href");
                    let is_link = tag.name() == "a" && href.is_some();
                    let href = href.unwrap_or_default();
                    let target = target(&base, &href);
                    open = Some(TocEntry { level, target, href, is_link, ..TocEntry::default() });
                }
                "img" => {
                    if let (Some(entry), Some(alt)) = (&mut open, tag.get("alt")) {
                        entry.label.push_str(&alt);
                    }
                }
                _ => {}
            },
            XmlEvent::End("ol" | "ul") => level = level.saturating_sub(1),
            XmlEvent::End("a" | "li") => keep(open.take(), &mut entries),
            XmlEvent::End(_) => {}
            XmlEvent::Text { text, .. } => {
                if let Some(entry) = &mut open {
                    entry.label.push_str(&text);
                }
            }
        }
        if entries.len() >= MAX_TOC_ENTRIES {
            break;
        }
    }
    entries
}

/// Elements inside a line.
const INSIDE: [&str; 24] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "dfn", "em", "font", "i", "img", "q", "rb", "rt",
    "ruby", "s", "small", "span", "strong", "sub", "sup", "u",
];

/// Separates the words of a label that are on lines of their own, or in adjacent spans that only a style separates:
/// `<span>1</span><span>Title</span>`. Spans inside a word, such as large initials, stay together.
#[derive(Debug, Default)]
struct LabelParts {
    after_span: bool,
    beside_span: bool,
}

impl LabelParts {
    fn see(&mut self, event: &XmlEvent<'_>, label: &mut String) {
        match event {
            XmlEvent::Start(tag) if !INSIDE.contains(&tag.name()) => label.push(' '),
            XmlEvent::End(name) if !INSIDE.contains(name) => label.push(' '),
            XmlEvent::Start(tag) => self.beside_span |= self.after_span && tag.name() == "span",
            XmlEvent::End(name) => self.after_span = *name == "span",
            XmlEvent::Text { text, .. } => {
                let ends = |c: char| c.is_lowercase() || c.is_numeric();
                let is_word = text.starts_with(char::is_uppercase) && label.ends_with(ends);
                if self.beside_span && is_word {
                    label.push(' ');
                }
                *self = LabelParts::default();
            }
        }
    }
}

/// The index of the `nav` element with this type or role.
fn nav_that(xml: &str, (kind, role): (&str, &str)) -> Option<usize> {
    let navs = XmlReader::new(xml).filter_map(|event| match event {
        XmlEvent::Start(tag) if tag.name() == "nav" => Some(has_type(&tag, kind, role)),
        _ => None,
    });
    navs.take(100).position(|is_chosen| is_chosen)
}

fn has_type(tag: &XmlTag<'_>, kind: &str, role: &str) -> bool {
    let has = |name: &str, word: &str| {
        tag.exact(name).is_some_and(|value| value.split_ascii_whitespace().any(|found| found == word))
    };
    has("epub:type", kind) || has("role", role) || has("type", kind)
}

/// The printed pages that an NCX at `path` lists.
pub(super) fn pages_of_ncx(path: &str, xml: &str) -> Vec<TocEntry> {
    let mut entries: Vec<TocEntry> = Vec::new();
    let mut open: Option<TocEntry> = None;
    let mut reader = XmlReader::new(xml);
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => match (tag.name(), &mut open) {
                ("pageTarget", _) => open = Some(TocEntry { level: 1, ..TocEntry::default() }),
                ("text", Some(entry)) => entry.label = reader.text_inside(),
                ("content", Some(entry)) => {
                    entry.href = tag.get("src").unwrap_or_default();
                    entry.target = target(path, &entry.href);
                }
                _ => {}
            },
            XmlEvent::End("pageTarget") => keep(open.take(), &mut entries),
            XmlEvent::End(_) | XmlEvent::Text { .. } => {}
        }
        if entries.len() >= MAX_TOC_ENTRIES {
            break;
        }
    }
    entries
}

/// The entries of an NCX at `path`.
pub(super) fn of_ncx(path: &str, xml: &str) -> Vec<TocEntry> {
    let mut entries: Vec<TocEntry> = Vec::new();
    let mut level = 0_usize;
    let mut open: Option<TocEntry> = None;
    let mut reader = XmlReader::new(xml);
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => match tag.name() {
                "navPoint" => {
                    keep(open.take(), &mut entries);
                    level += 1;
                    open = Some(TocEntry { level, ..TocEntry::default() });
                }
                "text" => {
                    let label = reader.text_inside();
                    if let Some(entry) = open.as_mut().filter(|entry| entry.label.is_empty()) {
                        entry.label = label;
                    }
                }
                "content" => {
                    if let Some(entry) = open.as_mut().filter(|entry| entry.href.is_empty()) {
                        entry.is_link = true;
                        entry.href = tag.get("src").unwrap_or_default();
                        entry.target = target(path, &entry.href);
                    }
                }
                "pageList" | "navList" => reader.pass(),
                _ => {}
            },
            XmlEvent::End("navPoint") => {
                keep(open.take(), &mut entries);
                level = level.saturating_sub(1);
            }
            XmlEvent::End(_) | XmlEvent::Text { .. } => {}
        }
        if entries.len() >= MAX_TOC_ENTRIES {
            break;
        }
    }
    entries
}

fn target(path: &str, href: &str) -> Option<PathTarget> {
    if href.trim().is_empty() { None } else { resolve(path, href) }
}

fn keep(entry: Option<TocEntry>, entries: &mut Vec<TocEntry>) {
    let Some(mut entry) = entry else { return };
    let label = entry.label.split_whitespace().collect::<Vec<_>>().join(" ");
    entry.label = label.chars().take(MAX_LABEL_CHARACTERS).collect();
    if !entry.label.is_empty() {
        entries.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(entries: Vec<TocEntry>) -> Vec<String> {
        let place = |entry: &TocEntry| match &entry.target {
            Some(PathTarget { path, fragment: Some(fragment) }) => format!("{path}#{fragment}"),
            Some(target) => target.path.clone(),
            None => "-".to_owned(),
        };
        entries.iter().map(|entry| format!("{} {} {}", entry.level, entry.label, place(entry))).collect()
    }

    #[test]
    fn the_contents_are_the_toc_among_the_navs() {
        let xml = "<nav epub:type='landmarks'><ol><li><a href='x'>X</a></li></ol></nav>\
            <nav epub:type='toc' hidden=''><h1>Contents</h1><ol><li><a href='a.xhtml'>One <b>b</b></a>\
            <ol><li><a href='a.xhtml#s'><img alt='Two'/></a></li></ol></li>\
            <li><span>Part</span><ol><li><a href='../b.xhtml'>Three</a></li></ol></li></ol></nav>";
        let expected = ["1 One b O/a.xhtml", "2 Two O/a.xhtml#s", "1 Part -", "2 Three b.xhtml"];
        assert_eq!(lines(of_nav("O/nav.xhtml", xml)), expected);
    }

    #[test]
    fn a_base_is_where_links_begin() {
        let nav = "<nav epub:type='toc'><ol><li><a href='x'>X</a></li></ol></nav>";
        let with = |base: &str| lines(of_nav("O/n/nav", &format!("<head><base href='{base}'/></head>{nav}")));
        assert_eq!(
            [with("../"), with("text/"), with("a.xhtml")],
            [["1 X O/x"], ["1 X O/n/text/x"], ["1 X O/n/x"]]
        );
    }

    #[test]
    fn words_on_lines_of_their_own_stand_apart() {
        let check = |label: &str, expected: &str| {
            let xml = format!("<nav epub:type='toc'><ol><li><a href='x'>{label}</a></li></ol></nav>");
            assert_eq!(lines(of_nav("n", &xml)), [format!("1 {expected} x")]);
        };
        check("Chapter 1<br/>The Beginning", "Chapter 1 The Beginning");
        check("<div>Chapter 1</div><div>The Beginning</div>", "Chapter 1 The Beginning");
        check("<span>Chapter 1</span><span>The Beginning</span>", "Chapter 1 The Beginning");
        check("<span>C</span><span>hapter</span> i<b>Phone</b>", "Chapter iPhone");
    }

    #[test]
    fn an_ncx_nests() {
        let point = |label: &str, src: &str, inner: &str| {
            format!(
                "<navPoint><navLabel><text>{label}</text></navLabel><content src='{src}'/>{inner}</navPoint>"
            )
        };
        let inner = point("Two", "a.html#x", &point("Three", "b.html", ""));
        let xml = format!(
            "<ncx><docTitle><text>T</text></docTitle><navMap>{}</navMap></ncx>",
            point("One", "a.html", &inner)
        );
        assert_eq!(lines(of_ncx("t.ncx", &xml)), ["1 One a.html", "2 Two a.html#x", "3 Three b.html"]);
    }

    #[test]
    fn pages_are_listed_apart() {
        let nav = "<nav epub:type='toc'><ol><li><a href='a'>A</a></li></ol></nav>\
            <nav epub:type='page-list'><ol><li><a href='a#p1'>1</a></li><li><a href='a#p2'>2</a></li></ol></nav>";
        assert_eq!(lines(pages_of_nav("n", nav)), ["1 1 a#p1", "1 2 a#p2"]);
        assert!(pages_of_nav("n", "<nav><ol><li><a href='a'>A</a></li></ol></nav>").is_empty());
        let ncx = "<pageList><pageTarget><navLabel><text>ix</text></navLabel><content src='a#p'/></pageTarget></pageList>";
        assert_eq!(lines(pages_of_ncx("n", ncx)), ["1 ix a#p"]);
    }

    #[test]
    fn deep_contents_end() {
        let deep = format!("<nav epub:type='toc'>{}", "<ol><li><a href='x'>y</a>".repeat(100_000));
        assert!(of_nav("n", &deep).len() < 2000);
    }
}
