//! The facts of a link's target as a possible note.

use super::element::{block_of, class_of, kind_of};
use super::note_section::{SectionKind, note_sections};
use super::note_sign::NoteSign;
use super::raised::leading_sign;
use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;
use crate::web::html::parse::tree::PageTree;

/// How many texts at the start of a block are searched for its sign.
const MAX_SIGN_TEXTS: usize = 12;

/// How many elements around a possible note are examined.
const MAX_ANCESTORS: usize = 12;

/// How many blocks after a note may continue it.
const MAX_BLOCKS: usize = 40;

/// The facts of a possible note.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PlaceFacts {
    /// Its first node and the one after it.
    pub range: (usize, usize),
    /// The same for the element around it, if nothing in that comes before it and it contains no other note.
    pub outer: Option<(usize, usize)>,
    /// Blocks after it that may belong to it, and whether the class or the section of each says so.
    pub following: Vec<(usize, usize, bool)>,
    /// The sign that it begins with.
    pub sign: String,
    /// The texts that the sign covers, each with a count of bytes.
    pub label: Vec<(usize, usize)>,
    /// It is a note by its type or by that of an element around it.
    pub is_typed: bool,
    /// It is among notes by a class, a type or a heading.
    pub is_noted: bool,
    /// It is among sources or terms.
    pub is_source: bool,
    /// It contains a formula.
    pub has_formula: bool,
}

/// Finds the possible notes of a page.
pub(super) struct NotePlaces<'t> {
    tree: &'t PageTree,
    source: &'t str,
    parts: Vec<(usize, usize, SectionKind)>,
}

impl<'t> NotePlaces<'t> {
    pub fn new(tree: &'t PageTree, source: &'t str) -> NotePlaces<'t> {
        NotePlaces { tree, source, parts: note_sections(tree, source) }
    }

    /// The note at an element that its type declares a note.
    pub fn typed(&self, node: usize) -> Option<PlaceFacts> {
        let tag = self.tree.tag(node)?;
        let is_outer = matches!(
            tag,
            // Whole pages, references and cells are no single notes, whatever their type.
            HtmlTag::Body | HtmlTag::Html | HtmlTag::A | HtmlTag::Td | HtmlTag::Th | HtmlTag::Sup
        );
        let is_note = !is_outer && tag.heading_level().is_none() && self.is_typed(node);
        is_note.then(|| self.facts((node, self.tree.end(node)), true))
    }

    /// The note at a block without blocks that begins with a raised sign, or with a sign among notes.
    pub fn signed(&self, node: usize) -> Option<PlaceFacts> {
        let tree = self.tree;
        let is_block = |at: usize| tree.tag(at).is_some_and(HtmlTag::is_block);
        let is_holder = matches!(tree.tag(node)?, HtmlTag::P | HtmlTag::Div | HtmlTag::Li | HtmlTag::Dd);
        // A block around others begins with the sign of its first one.
        if !is_holder || tree.below(node).any(is_block) {
            return None;
        }
        let range = (node, tree.end(node));
        if let Some((sign, label)) = leading_sign(tree, self.source, node) {
            return Some(PlaceFacts { sign, label: vec![label], ..self.facts(range, false) });
        }
        let is_noted = self.part(node) == Some(SectionKind::Notes);
        is_noted.then(|| self.facts(range, false)).filter(|place| !place.sign.is_empty())
    }

    /// The possible note at a named element.
    pub fn at(&self, node: usize) -> Option<PlaceFacts> {
        let tree = self.tree;
        let above = || std::iter::once(node).chain(tree.ancestors(node).take(MAX_ANCESTORS));
        // What a type says needs no further evidence.
        if let Some(typed) = above().find_map(|above| self.typed(above)) {
            return Some(typed);
        }
        if above().any(|above| tree.tag(above).is_some_and(HtmlTag::is_preformatted)) {
            return None;
        }
        let block = block_of(tree, node);
        let tag = tree.tag(block)?;
        let is_holder = matches!(
            tag,
            HtmlTag::Body
                | HtmlTag::Html
                | HtmlTag::Main
                | HtmlTag::Nav
                | HtmlTag::Ol
                | HtmlTag::Ul
                | HtmlTag::Dl
                | HtmlTag::Pre
                | HtmlTag::Figure
        );
        // A name in the middle of a block is that of a place in the text.
        let is_late = block != node && !self.is_blank(block + 1..node);
        if is_holder || is_late || self.has_heading(block) {
            return None;
        }
        // Books lay out signs and notes in two columns.
        let start = if matches!(tag, HtmlTag::Td | HtmlTag::Th) { self.row_of(block)? } else { block };
        let range = (start, if tag == HtmlTag::Dt { self.end_of_term(block) } else { tree.end(start) });
        Some(self.facts(range, false))
    }

    fn facts(&self, range: (usize, usize), is_typed: bool) -> PlaceFacts {
        let (sign, label) = self.label(range);
        let has_formula = (range.0..range.1).any(|at| self.tree.tag(at) == Some(HtmlTag::Math));
        let part = self.part(range.0);
        let outer = self.outer(range.0);
        PlaceFacts {
            range,
            outer: outer.filter(|_| !is_typed).map(|outer| (outer, self.tree.end(outer))),
            // A type is on the whole note.
            following: if is_typed { Vec::new() } else { self.following(outer.unwrap_or(range.0)) },
            sign,
            label,
            is_typed,
            is_noted: is_typed || part == Some(SectionKind::Notes),
            is_source: part == Some(SectionKind::Sources),
            has_formula,
        }
    }

    fn is_typed(&self, node: usize) -> bool {
        has_word(
            &kind_of(self.tree, node),
            &["footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote"],
        )
    }

    /// The kind of section by the elements around, the nearest first; else by the heading above.
    fn part(&self, node: usize) -> Option<SectionKind> {
        let around = std::iter::once(node).chain(self.tree.ancestors(node)).take(MAX_ANCESTORS);
        let named = around.filter_map(|above| self.named_part(above)).next();
        let headed = self.parts.iter().rev().find(|(start, end, _)| (*start..*end).contains(&node));
        named.or(headed.map(|headed| headed.2))
    }

    fn named_part(&self, node: usize) -> Option<SectionKind> {
        let (kind, class) = (kind_of(self.tree, node), class_of(self.tree, node));
        let has = |names: &[&str]| names.iter().any(|name| class.contains(name));
        // Before notes: a list of sources is at times called both.
        if ["biblio", "glossary", "doc-index"].iter().any(|name| kind.contains(name))
            || has(&["biblio", "bibitem", "citation", "csl-entry", "glossary"])
        {
            return Some(SectionKind::Sources);
        }
        let types = ["footnotes", "endnotes", "rearnotes", "doc-endnotes", "doc-footnotes"];
        let is_noted = has_word(&kind, &types) || has(&["footnote", "endnote", "rearnote"]);
        is_noted.then_some(SectionKind::Notes)
    }

    fn has_heading(&self, node: usize) -> bool {
        let is_heading = |at: usize| self.tree.tag(at).is_some_and(|tag| tag.heading_level().is_some());
        is_heading(node) || self.tree.below(node).any(is_heading)
    }

    /// True if there are no letters or digits.
    fn is_blank(&self, mut nodes: std::ops::Range<usize>) -> bool {
        !nodes.any(|at| {
            let node_text = self.tree.text(at);
            node_text.is_some_and(|node_text| node_text.resolve(self.source).contains(char::is_alphanumeric))
        })
    }

    /// The row whose first cell this is.
    fn row_of(&self, cell: usize) -> Option<usize> {
        let row = self.tree.parent(cell);
        (self.tree.tag(row) == Some(HtmlTag::Tr) && self.is_blank(row + 1..cell)).then_some(row)
    }

    /// The node after the definitions of a term.
    fn end_of_term(&self, term: usize) -> usize {
        let explains = |&at: &usize| self.tree.tag(at) != Some(HtmlTag::Dt);
        self.tree
            .following(term)
            .take_while(explains)
            .last()
            .map_or(self.tree.end(term), |last| self.tree.end(last))
    }

    /// The outermost element that contains one note by its class, or that is the note's list item.
    fn outer(&self, node: usize) -> Option<usize> {
        let mut found = None;
        let mut inner = node;
        for above in self.tree.ancestors(node).take(MAX_ANCESTORS) {
            let tag = self.tree.tag(above)?;
            let class = class_of(self.tree, above);
            let is_one = |word: &str| {
                ["footnote", "endnote", "rearnote", "fnote", "note", "fn"].contains(&word)
                    || ((word.contains("footnote") || word.contains("endnote"))
                        && !["notes", "list", "section", "block", "ref"]
                            .iter()
                            .any(|name| word.contains(name)))
            };
            let is_row = matches!(tag, HtmlTag::Td | HtmlTag::Tr | HtmlTag::Tbody | HtmlTag::Table);
            let is_note = tag == HtmlTag::Li || class.split_ascii_whitespace().any(is_one);
            // Around more than the note is the list of notes.
            if !self.is_blank(above + 1..inner) || !(is_note || is_row) || self.has_heading(above) {
                break;
            }
            inner = above;
            if is_note || tag == HtmlTag::Tr {
                found = Some(above);
            }
        }
        found
    }

    /// The blocks after a note, up to what must be something else.
    fn following(&self, node: usize) -> Vec<(usize, usize, bool)> {
        if !matches!(self.tree.tag(node), Some(HtmlTag::P | HtmlTag::Div | HtmlTag::Blockquote)) {
            return Vec::new();
        }
        let is_among = self
            .tree
            .ancestors(node)
            .take(MAX_ANCESTORS)
            .any(|above| self.named_part(above) == Some(SectionKind::Notes));
        let mut found = Vec::new();
        for at in self.tree.following(node).take(MAX_BLOCKS) {
            let Some(tag) = self.tree.tag(at) else { continue };
            let goes_on = matches!(
                tag,
                HtmlTag::P
                    | HtmlTag::Div
                    | HtmlTag::Blockquote
                    | HtmlTag::Ul
                    | HtmlTag::Ol
                    | HtmlTag::Dl
                    | HtmlTag::Pre
            );
            let end = self.tree.end(at);
            // A block with a sign is the next note.
            if !goes_on || self.has_heading(at) || !self.label((at, end)).0.is_empty() {
                break;
            }
            let class = class_of(self.tree, at);
            let is_named = is_among || ["note", "cont"].iter().any(|name| class.contains(name));
            found.push((at, end, is_named));
        }
        found
    }

    /// The sign at the start of a range, and the texts that it covers.
    fn label(&self, range: (usize, usize)) -> (String, Vec<(usize, usize)>) {
        let node_texts = || {
            let nodes = (range.0..range.1).take(MAX_SIGN_TEXTS * 2);
            nodes.filter_map(|at| Some((at, self.tree.text(at)?.resolve(self.source)))).take(MAX_SIGN_TEXTS)
        };
        let mut text = String::new();
        let mut ends = Vec::new();
        let mut last = range.0;
        let begins_cell =
            |at: usize| matches!(self.tree.tag(at), Some(HtmlTag::Td | HtmlTag::Th | HtmlTag::Dd));
        for (at, node_text) in node_texts() {
            // No sign is longer, with the blanks around it.
            if text.len() > 64 {
                break;
            }
            // `1` in a cell and `Note` in the next are not one word.
            if let Some(end) = ends.last_mut().filter(|_| (last..at).any(begins_cell)) {
                text.push(' ');
                *end = text.len();
            }
            last = at;
            text.push_str(node_text);
            ends.push(text.len());
        }
        let Some(found) = NoteSign::leading(&text) else { return Default::default() };
        // A letter is a sign if it is separated: by a dot, a bracket or an element of its own.
        let is_letter = found.sign.chars().all(char::is_alphabetic);
        let is_apart =
            ends.iter().zip(node_texts()).any(|(end, _)| text[..*end].trim_end().ends_with(&found.sign));
        if is_letter && !found.is_closed && !is_apart {
            return Default::default();
        }
        let mut label = Vec::new();
        let mut start = 0;
        for ((node, node_text), end) in node_texts().zip(ends) {
            if start >= found.len {
                break;
            }
            label.push((node, node_text.len().min(found.len - start)));
            start = end;
        }
        (found.sign, label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::PageFacts;
    use crate::web::html::parse::dialect::PageDialect;
    use crate::web::html::parse::parse_as;

    /// A place in words: its sign, its text, the text of the element around, the texts that follow (those that are named
    /// so with a sign), the lengths of its label, and what else it is.
    fn described(page: &str, place: &PlaceFacts) -> String {
        let tree = parse_as(page, PageDialect::of_chapter(page));
        let text = |start: usize, end: usize| -> String {
            (start..end).filter_map(|at| tree.text(at)).map(|text| text.resolve(page)).collect()
        };
        let mut words = format!("{}: {}", place.sign, text(place.range.0, place.range.1).trim());
        if let Some((start, end)) = place.outer {
            words += &format!(" in {:?}[{}]", tree.tag(start).unwrap(), text(start, end).trim());
        }
        for &(start, end, is_named) in &place.following {
            words += &format!(" + {}{}", text(start, end), if is_named { "!" } else { "" });
        }
        let label: Vec<usize> = place.label.iter().map(|label| label.1).collect();
        words += &format!(" {label:?}");
        let traits = [
            (place.is_typed, " typed"),
            (place.is_noted, " noted"),
            (place.is_source, " source"),
            (place.has_formula, " formula"),
        ];
        words + &traits.iter().filter(|found| found.0).map(|found| found.1).collect::<String>()
    }

    /// The place of the name `n`.
    #[track_caller]
    fn check(page: &str, expected: &str) {
        let facts = PageFacts::of_chapter(page);
        let found = facts.places.get("n").map(|place| described(page, place)).unwrap_or_default();
        assert_eq!(found, expected, "of {page}");
    }

    #[test]
    fn a_note_is_the_block_that_is_named() {
        for (page, expected) in [
            ("<p id='n'>1. Note</p>", "1: 1. Note [3]"),
            ("<p><a id='n'/>1. Note</p>", "1: 1. Note [3]"),
            ("<p>x</p><p><a id='n'/>1. Note</p>", "1: 1. Note [3]"),
            ("<p>* <a id='n'/>Note</p>", "*: * Note [2]"),
            ("<p>1. <a id='n'/>Note</p>", ""),
            ("<p><b id='n'>a</b> Note</p>", "a: a Note [1, 1]"),
            ("<p id='n'>a Note</p>", ": a Note []"),
            ("<p id='n'>a. Note</p>", "a: a. Note [3]"),
            ("<p id='n'>a <b>Note</b></p>", "a: a Note [2]"),
            ("<p id='n'><b>1</b><i>. </i>Note</p>", "1: 1. Note [1, 2]"),
            ("<p id='n'>[<b>1</b>] Note</p>", "1: [1] Note [1, 1, 2]"),
            ("<p id='n'>See <math><mi>x</mi></math></p>", ": See x [] formula"),
            ("<ol id='n'><li>1. Note</li></ol>", ""),
            ("<ul id='n'><li>1. Note</li></ul>", ""),
            ("<dl id='n'><dt>1</dt></dl>", ""),
            ("<nav id='n'>1. Note</nav>", ""),
            ("<main id='n'>1. Note</main>", ""),
            ("<figure id='n'>1. Note</figure>", ""),
            ("<body id='n'>1. Note</body>", ""),
            ("<pre id='n'>1. Note</pre>", ""),
            ("<pre><a id='n'/>1. Note</pre>", ""),
            ("<h2 id='n'>1. Note</h2>", ""),
            ("<div id='n'><h2>a</h2>1. Note</div>", ""),
        ] {
            check(page, expected);
        }
    }

    #[test]
    fn rows_and_terms_are_notes_as_a_whole() {
        let row = |first: &str, second: &str| {
            format!("<table><tr><td{first}>1</td> <td{second}>Note</td></tr></table>")
        };
        check(&row(" id='n'", ""), "1: 1 Note [1, 1]");
        check(&row("", " id='n'"), "");
        let second = row(" id='n'", "").replace("<table>", "<table><tr><td>a</td></tr>");
        check(&second, "1: 1 Note [1, 1]");
        check("<table><tr><td> </td><td id='n'>1. Note</td></tr></table>", "1: 1. Note [1, 3]");
        check(
            "<dl><dt id='n'>1</dt> <dd>Note</dd><dd>More</dd><dt>2</dt><dd>Other</dd></dl>",
            "1: 1 NoteMore [1, 1]",
        );
        check("<dl><dt id='n'>1</dt></dl>", "1: 1 [1]");
        check("<dl><dt>1</dt><dd id='n'>1 Note</dd></dl>", "1: 1 Note [2]");
    }

    #[test]
    fn the_element_around_one_note_belongs_to_it() {
        let note = "<p id='n'>1. Note</p>";
        for (open, close, expected) in [
            ("<li>", "</li>", "1: 1. Note in Li[1. Note] [3]"),
            ("<div class='footnote'>", "</div>", "1: 1. Note in Div[1. Note] [3] noted"),
            ("<div class='x fn'>", "</div>", "1: 1. Note in Div[1. Note] [3]"),
            ("<div class='footnote-text'>", "</div>", "1: 1. Note in Div[1. Note] [3] noted"),
            ("<div class='footnote-list'>", "</div>", "1: 1. Note [3] noted"),
            ("<div class='endnotes'>", "</div>", "1: 1. Note [3] noted"),
            ("<div class='x'>", "</div>", "1: 1. Note [3]"),
            ("<div class='x'><li>", "</li></div>", "1: 1. Note in Li[1. Note] [3]"),
            ("<li><div class='x'>", "</div></li>", "1: 1. Note [3]"),
            ("<li>x ", "</li>", "1: 1. Note [3]"),
            ("<li>* ", " y</li>", "1: 1. Note in Li[* 1. Note y] [3]"),
            ("<li>", "<h3>y</h3></li>", "1: 1. Note [3]"),
            ("<table><tr><td>", "</td><td>y</td></tr></table>", "1: 1. Note in Tr[1. Notey] [3]"),
            (
                "<table><tr><td>a</td></tr><tr><td>",
                "</td><td>y</td></tr></table>",
                "1: 1. Note in Tr[1. Notey] [3]",
            ),
            (
                "<table class='footnote'><tr><td>",
                "</td></tr><tr><td>y</td></tr></table>",
                "1: 1. Note in Table[1. Notey] [3] noted",
            ),
        ] {
            check(&format!("{open}{note}{close}"), expected);
        }
    }

    #[test]
    fn blocks_may_continue_a_note_up_to_the_next_sign() {
        let note = "<p id='n'>1. Note</p>";
        for (after, expected) in [
            ("<p>A</p><div>B</div><ul><li>C</li></ul><pre>D</pre>", "1: 1. Note + A + B + C + D [3]"),
            ("<p class='footnote-cont'>A</p> <p class='MyNote'>B</p>", "1: 1. Note + A! + B! [3]"),
            ("<p>A</p><p>2. Other</p><p>B</p>", "1: 1. Note + A [3]"),
            ("<p>A</p><h2>B</h2><p>C</p>", "1: 1. Note + A [3]"),
            ("<div><h2>B</h2></div><p>C</p>", "1: 1. Note [3]"),
            ("<table><tr><td>B</td></tr></table><p>C</p>", "1: 1. Note [3]"),
        ] {
            check(&format!("{note}{after}"), expected);
        }
        check(&format!("<div class='footnotes'>{note}<p>A</p></div>"), "1: 1. Note + A! [3] noted");
        check("<ul><li id='n'>1. Note</li><li>B</li></ul>", "1: 1. Note [3]");
        check(&format!("<ul><li>{note}<p>B</p></li></ul>"), "1: 1. Note in Li[1. NoteB] [3]");
        let many = format!("{note}{}", "<p>A</p>".repeat(MAX_BLOCKS + 1));
        check(&many, &format!("1: 1. Note{} [3]", " + A".repeat(MAX_BLOCKS)));
    }

    #[test]
    fn a_cell_of_its_own_ends_the_sign() {
        check("<table><tr id='n'><td>1</td><td>Note</td></tr></table>", "1: 1Note [1]");
        check("<table><tr id='n'><td>12</td><td>3 Note</td></tr></table>", "12: 123 Note [2]");
        check("<dl><dt id='n'>1</dt><dd>Note</dd></dl>", "1: 1Note [1]");
        check("<p id='n'><i>1</i>Note</p>", ": 1Note []");
    }

    #[test]
    fn types_declare_notes() {
        for (page, expected) in [
            ("<aside epub:type='footnote' id='n'><p>1. Note</p></aside>", "1: 1. Note [3] typed noted"),
            ("<aside role='doc-endnote'><p id='n'>1. Note</p></aside>", "1: 1. Note [3] typed noted"),
            (
                "<aside epub:type='rearnote'><p>x</p><p id='n'>1. Note</p></aside>",
                ": x1. Note [] typed noted",
            ),
            ("<li epub:type='endnote'><h3>x</h3><p id='n'>1</p></li><p>y</p>", ": x1 [] typed noted"),
            ("<pre epub:type='footnote' id='n'>1. Note</pre>", "1: 1. Note [3] typed noted"),
            ("<aside epub:type='footnotes'><p id='n'>1. Note</p></aside>", "1: 1. Note [3] noted"),
            ("<h2 epub:type='footnote' id='n'>1. Note</h2>", ""),
            ("<p><sup epub:type='footnote' id='n'>1</sup> Note</p>", "1: 1 Note [1, 1]"),
            ("<p><a epub:type='footnote' id='n'>1</a> Note</p>", "1: 1 Note [1, 1]"),
        ] {
            check(page, expected);
        }
    }

    #[test]
    fn the_section_says_if_a_block_is_a_note_or_a_source() {
        let note = "<p id='n'>1. Note</p>";
        for (page, expected) in [
            (format!("<h2>Notes</h2>{note}"), "1: 1. Note [3] noted"),
            (format!("<h2>References</h2>{note}"), "1: 1. Note [3] source"),
            (format!("<h2>Notes</h2><p>a</p><h2>Text</h2>{note}"), "1: 1. Note [3]"),
            (format!("<h2>Notes</h2><div class='bibitem'>{note}</div>"), "1: 1. Note [3] source"),
            (format!("<h2>References</h2><div class='endnotes'>{note}</div>"), "1: 1. Note [3] noted"),
            (format!("<section epub:type='bibliography'>{note}</section>"), "1: 1. Note [3] source"),
            (format!("<section role='doc-endnotes'>{note}</section>"), "1: 1. Note [3] noted"),
        ] {
            check(&page, expected);
        }
    }

    #[test]
    fn a_long_start_is_no_sign() {
        let parts = |count: usize| format!("<p id='n'>{}1. Note</p>", "<b> </b>".repeat(count));
        check(&parts(MAX_SIGN_TEXTS - 1), &format!("1: 1. Note {:?}", label(MAX_SIGN_TEXTS - 1)));
        check(&parts(MAX_SIGN_TEXTS), ": 1. Note []");
        fn label(blanks: usize) -> Vec<usize> {
            std::iter::repeat_n(1, blanks).chain([3]).collect()
        }
    }

    #[test]
    fn a_letter_far_from_the_start_makes_no_sign() {
        let long = "x".repeat(64);
        check(&format!("<p id='n'>a {long}<b>y a</b></p>"), &format!(": a {long}y a []"));
    }

    /// The blocks that begin with a sign after a raised one.
    #[track_caller]
    fn check_signed(page: &str, expected: &str) {
        let page = format!("<p>word<sup>1</sup></p>{page}");
        let signed = PageFacts::of_chapter(&page).signed;
        let found: Vec<String> = signed.iter().map(|place| described(&page, place)).collect();
        assert_eq!(found.join("; "), expected, "of {page}");
    }

    #[test]
    fn blocks_begin_with_the_sign_that_was_raised() {
        check_signed("<p><sup>1</sup> Note</p><p>2. Other</p>", "1: 1 Note [1]");
        check_signed("<div><sup>*</sup> Note</div><h3><sup>2</sup>a</h3>", "*: * Note [1]");
        check_signed("<div><p>a</p><sup>1</sup></div>", "");
        check_signed("<h2>Notes</h2><p>1. Note</p><p>See</p>", "1: 1. Note + See [3] noted");
        check_signed("<h2>References</h2><p>1. Note</p>", "");
        assert!(PageFacts::of_chapter("<p><sup>1</sup> Note</p>").signed.is_empty());
    }
}
