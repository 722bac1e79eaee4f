//! Which parts of a page are notes or sources, say their headings.

use super::super::tag::Tag;
use super::super::tree::Tree;

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

/// What a part is by its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Notes,
    Sources,
}

/// The parts of a page, each with its first node and the one behind it.
pub(super) fn parts(tree: &Tree, source: &str) -> Vec<(usize, usize, Part)> {
    let mut parts: Vec<(usize, usize, Part)> = Vec::new();
    let mut open: Option<(usize, usize, Part)> = None;
    for node in 0..tree.len() {
        let Some(level) = tree.tag(node).and_then(Tag::heading_level) else { continue };
        if let Some((start, _, part)) = open.take_if(|(_, own, _)| level <= *own) {
            parts.push((start, node, part));
        }
        if let Some(part) = part_of(&tree.text_below(node, source)) {
            if let Some((start, _, part)) = open.take() {
                parts.push((start, node, part));
            }
            open = Some((node, level, part));
        }
    }
    parts.extend(open.map(|(start, _, part)| (start, tree.len(), part)));
    parts
}

fn part_of(heading: &str) -> Option<Part> {
    let words = heading.to_lowercase();
    let words = words.trim_matches(|c: char| !c.is_alphabetic());
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_of_notes = ["notes to ", "notes on ", "footnotes to ", "notes for ", "anmerkungen zu "];
    if NOTES.contains(&words.as_str()) || is_of_notes.iter().any(|start| words.starts_with(start)) {
        return Some(Part::Notes);
    }
    SOURCES.contains(&words.as_str()).then_some(Part::Sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_name_parts() {
        assert_eq!(part_of("FOOTNOTES:"), Some(Part::Notes));
        assert_eq!(part_of("Notes to Chapter 1"), Some(Part::Notes));
        assert_eq!(part_of("7. References"), Some(Part::Sources));
        assert_eq!(part_of("Notes from Underground"), None);
    }
}
