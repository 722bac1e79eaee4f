//! Finds the sections of a page that are notes or sources by their headings.

use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;

#[rustfmt::skip]
const NOTES: &[&str] = &[
    "notes", "note", "footnotes", "footnote", "endnotes", "endnote", "anmerkungen", "anmerkung", "fußnoten", "fussnoten",
    "endnoten", "noten", "voetnoten", "notas", "notas al pie", "notes de bas de page", "note a piè di pagina", "fotnoter",
    "noter", "noterna", "przypisy", "примечания", "сноски", "poznámky", "jegyzetek", "notlar", "dipnotlar", "注", "注释",
    "注釋", "註釋", "脚注", "注記",
];

#[rustfmt::skip]
const SOURCES: &[&str] = &[
    "references", "bibliography", "works cited", "sources", "literature cited", "literature", "further reading", "literatur",
    "literaturverzeichnis", "bibliographie", "bibliografía", "bibliografia", "références", "referenzen", "referencias",
    "литература", "参考文献", "glossary", "index", "citations",
];

/// The kind of a section by its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SectionKind {
    Notes,
    Sources,
}

/// The sections of a page, each with its first node and the one after it.
pub(super) fn note_sections(tree: &PageTree, source: &str) -> Vec<(usize, usize, SectionKind)> {
    let mut sections: Vec<(usize, usize, SectionKind)> = Vec::new();
    let mut open: Option<(usize, usize, SectionKind)> = None;
    for node in 0..tree.len() {
        let Some(level) = tree.tag(node).and_then(HtmlTag::heading_level) else { continue };
        // A section reaches to the next heading of its rank.
        if let Some((start, _, kind)) = open.take_if(|(_, own, _)| level <= *own) {
            sections.push((start, node, kind));
        }
        if let Some(kind) = kind_of_heading(&tree.text_below(node, source)) {
            // A section of notes or sources inside of another one ends that.
            if let Some((start, _, kind)) = open.take() {
                sections.push((start, node, kind));
            }
            open = Some((node, level, kind));
        }
    }
    sections.extend(open.map(|(start, _, kind)| (start, tree.len(), kind)));
    sections
}

fn kind_of_heading(heading: &str) -> Option<SectionKind> {
    let words = heading.to_lowercase();
    let words = words.trim_matches(|c: char| !c.is_alphabetic());
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    // Books collect their notes by chapters: `Notes to Chapter 3`.
    let is_of_notes = ["notes to ", "notes on ", "footnotes to ", "notes for ", "anmerkungen zu "];
    if NOTES.contains(&words.as_str()) || is_of_notes.iter().any(|start| words.starts_with(start)) {
        return Some(SectionKind::Notes);
    }
    SOURCES.contains(&words.as_str()).then_some(SectionKind::Sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_name_parts() {
        assert_eq!(kind_of_heading("FOOTNOTES:"), Some(SectionKind::Notes));
        assert_eq!(kind_of_heading("Notes to Chapter 1"), Some(SectionKind::Notes));
        assert_eq!(kind_of_heading("7. References"), Some(SectionKind::Sources));
        assert_eq!(kind_of_heading("Notes from Underground"), None);
    }

    #[test]
    fn sections_end_with_the_next_heading_of_their_level() {
        let check = |page: &str, expected: &[(SectionKind, &str)]| {
            let tree = crate::web::html::parse::parse(page, false);
            let text = |start: usize, end: usize| -> String {
                (start..end).filter_map(|at| tree.text(at)).map(|text| text.resolve(page)).collect()
            };
            let found = note_sections(&tree, page);
            let found: Vec<_> =
                found.into_iter().map(|(start, end, kind)| (kind, text(start, end))).collect();
            let expected: Vec<_> = expected.iter().map(|&(kind, text)| (kind, text.to_owned())).collect();
            assert_eq!(found, expected, "of {page}");
        };
        use SectionKind::{Notes, Sources};
        check("<h1>A</h1>b<h2>Notes</h2>c<h3>d</h3>e<h2>f</h2>g", &[(Notes, "Notescde")]);
        check("<h2>Notes</h2>c<h1>d</h1>e", &[(Notes, "Notesc")]);
        check("<h2>Notes</h2>c<p>e", &[(Notes, "Notesce")]);
        check(
            "<h2>Notes</h2>c<h3>References</h3>d<h3>e</h3>",
            &[(Notes, "Notesc"), (Sources, "Referencesd")],
        );
        check("<h1>A</h1><h2>b</h2><p>Notes</p>", &[]);
    }
}
