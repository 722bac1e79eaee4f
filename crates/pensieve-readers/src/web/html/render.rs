//! From the tree to Markdown or plain text: what each element becomes.

use super::BookContext;
use super::letter::Marks;
use super::lists::List;
use super::main_content::Selection;
use super::marks::Begun;
use super::tag::Tag;
use super::tree::Tree;
use super::verse::Verse;
use crate::markdown::{BlockBreak, CodeTicks, InlineMark, StreamWriter, WrittenText, link_address};
use crate::shared::formula::Element;

/// Longer addresses are state of a program, not a reference for a reader.
const LONGEST_ADDRESS: usize = 1000;

/// How many nodes around a link or a picture are looked at for words.
pub(super) const NEAR: usize = 30;

/// Whether a walk goes into an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Into,
    Over,
}

/// What ends where a walk has come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closing {
    Element(usize),
    /// A quotation that has no element.
    Quote,
    Note,
}

/// Renders the selected parts of a page.
pub(super) struct Renderer<'a> {
    pub(super) tree: &'a Tree,
    pub(super) source: &'a str,
    pub(super) selection: &'a Selection,
    pub(super) writer: StreamWriter<'a>,
    /// The lists around, innermost last.
    pub(super) lists: Vec<List>,
    /// So much may merged cells repeat.
    pub(super) repeats_left: usize,
    /// Inside a table; those inside tables become text.
    pub(super) in_table: bool,
    /// Tables around whose rows are items.
    pub(super) items: usize,
    /// Names of places inside a chapter, with what was written before them.
    anchors: Vec<(String, usize)>,
    /// What the programs that write letters mean by their markup.
    pub(super) marks: Marks,
    /// What the asker wants marked.
    pub(super) book: Option<&'a BookContext<'a>>,
    /// The notes that are open: first node, and the one behind.
    pub(super) notes: Vec<(usize, usize)>,
    /// Notes that are to be written behind the block that they stand in.
    pub(super) waiting: Vec<usize>,
    /// The printed page that begins with the next words.
    pub(super) page: Option<String>,
    /// The poem that is open.
    pub(super) verse: Verse,
}

impl<'a> Renderer<'a> {
    /// A renderer into `writer`.
    pub fn new(
        tree: &'a Tree,
        source: &'a str,
        selection: &'a Selection,
        writer: StreamWriter<'a>,
    ) -> Renderer<'a> {
        Renderer {
            tree,
            source,
            selection,
            writer,
            lists: Vec::new(),
            repeats_left: source.len() + (64 << 10),
            in_table: false,
            items: 0,
            anchors: Vec::new(),
            marks: Marks::default(),
            book: None,
            notes: Vec::new(),
            waiting: Vec::new(),
            page: None,
            verse: Verse::default(),
        }
    }

    /// The same with marks.
    pub fn with_marks(self, book: Option<&'a BookContext<'a>>) -> Renderer<'a> {
        Renderer { book, ..self }
    }

    /// Renders everything selected.
    pub fn finish(self) -> WrittenText {
        self.finish_anchored().0
    }

    /// As [`Renderer::finish`], with the names of places in a chapter and where in the text they stand.
    pub fn finish_anchored(mut self) -> (WrittenText, Vec<(String, usize)>) {
        for &root in &self.selection.roots {
            self.walk(root, true);
            self.writer.end_block(BlockBreak::Paragraph);
        }
        self.write_waiting_notes();
        (self.writer.finish(), self.anchors)
    }

    fn note_anchor(&mut self, node: usize, tag: Tag) {
        let name = self.tree.attribute(node, "id").or_else(|| match tag {
            Tag::A => self.tree.attribute(node, "name"),
            _ => self.tree.attribute(node, "xml:id"),
        });
        if let Some(name) = name {
            self.anchors.push((name.to_owned(), self.writer.len()));
        }
    }

    /// Notes the places inside what is written as a whole: rows of a table, lines of code. Those in cells are known.
    pub(super) fn note_anchors_below(&mut self, node: usize, place: usize) {
        if self.selection.is_chapter {
            let from = self.anchors.len();
            let names = self.tree.below(node).filter_map(|below| Some((below, self.tree.tag(below)?)));
            names.for_each(|(below, tag)| self.note_anchor(below, tag));
            self.anchors[from..].iter_mut().for_each(|(_, at)| *at = place);
        }
    }

    /// Renders what is below a node, and the node itself where `whole`.
    pub(super) fn walk(&mut self, root: usize, whole: bool) {
        self.walk_range(if whole { root } else { root + 1 }, self.tree.end(root));
    }

    /// Renders nodes that follow each other, each with all that is below it.
    pub(super) fn walk_range(&mut self, mut at: usize, end: usize) {
        let mut open: Vec<(usize, Closing)> = Vec::new();
        loop {
            while let Some((_, last)) = open.pop_if(|(end, _)| *end <= at) {
                self.close(last);
            }
            if at >= end {
                return;
            }
            if self.selection.is_dropped(at) {
                at = self.tree.end(at);
                continue;
            }
            if !self.waiting.is_empty()
                && self.lists.is_empty()
                && !self.in_table
                && self.writer.is_between_blocks()
            {
                self.write_waiting_notes();
            }
            let Some(tag) = self.tree.tag(at) else {
                self.put_piece(at);
                at += 1;
                continue;
            };
            match self.begin_note(at) {
                Some(Begun::Waits(behind)) => {
                    at = behind;
                    continue;
                }
                Some(Begun::Here(behind)) => open.push((behind, Closing::Note)),
                None => {}
            }
            self.begin_page(at, tag);
            if self.selection.is_chapter {
                self.note_anchor(at, tag);
            }
            if self.marks.signs(at) {
                self.sign();
            }
            if let Some(end) = self.marks.quote_end(at) {
                self.enter_quote();
                open.push((end, Closing::Quote));
            }
            match self.enter(at, tag) {
                Step::Into => {
                    open.push((self.tree.end(at), Closing::Element(at)));
                    at += 1;
                }
                Step::Over => at = self.tree.end(at),
            }
        }
    }

    fn close(&mut self, what: Closing) {
        match what {
            Closing::Element(node) => self.leave(node),
            Closing::Quote => self.leave_quote(),
            Closing::Note => self.end_note(),
        }
    }

    fn enter(&mut self, node: usize, tag: Tag) -> Step {
        let is_drawn = self.selection.is_chapter && tag.is_drawing();
        if (tag.is_machinery() && !is_drawn)
            || (tag.is_control() && !self.selection.keeps_controls)
            || tag == Tag::Title
        {
            return Step::Over;
        }
        if tag == Tag::A && self.is_permalink(node) {
            return Step::Over;
        }
        if self.mark(node, tag) {
            return Step::Over;
        }
        if let Some(marker) = self.marker(node, tag) {
            self.enter_marker(node, marker);
            return Step::Into;
        }
        match tag {
            Tag::Br => self.writer.line_break(),
            Tag::Hr => self.writer.rule(),
            Tag::Img => self.image(node),
            Tag::Math => {
                self.math(node);
                return Step::Over;
            }
            Tag::Annotation | Tag::Formula(Element::Unseen) => return Step::Over,
            Tag::Case | Tag::DefaultCase if !self.is_chosen(node) => return Step::Over,
            Tag::Table => {
                let before = self.writer.len();
                if self.table(node) {
                    self.note_anchors_below(node, before);
                    return Step::Over;
                }
                self.enter_block(node, tag);
            }
            Tag::Span if self.enter_verse_span(node) => return Step::Over,
            _ if tag.is_preformatted() && self.writer.is_in_row() => {
                self.code_in_cell(node);
                return Step::Over;
            }
            _ if tag.is_preformatted() && !self.writer.is_one_line() => {
                self.writer.end_block(BlockBreak::Paragraph);
                self.note_anchors_below(node, self.writer.len());
                self.preformatted(node);
                self.writer.end_block(BlockBreak::Paragraph);
                return Step::Over;
            }
            Tag::Q => self.writer.put_mark("“"),
            Tag::Sup if self.is_exponent(node) => self.writer.put_mark("^"),
            Tag::Rt if !self.has_ruby_parentheses(node) => self.writer.put_mark("("),
            _ => self.enter_block(node, tag),
        }
        Step::Into
    }

    fn enter_block(&mut self, node: usize, tag: Tag) {
        let tag = if self.is_title_of_box(node, tag) { Tag::Summary } else { tag };
        if self.enter_verse(node, tag) {
            return self.writer.end_block(BlockBreak::Line);
        }
        match tag {
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir | Tag::Dl => self.enter_list(node, tag),
            Tag::Li | Tag::Dt | Tag::Dd if self.is_note_frame(node) => {
                self.writer.end_block(BlockBreak::Paragraph)
            }
            Tag::Li => self.enter_item(node),
            Tag::Dt => self.enter_term(node),
            Tag::Dd => self.enter_definition(),
            Tag::Blockquote => self.enter_quote(),
            Tag::Summary => {
                self.writer.end_block(BlockBreak::Paragraph);
                if !self.holds_blocks(node) {
                    self.writer.open_mark(Some(InlineMark::Strong('*')));
                }
            }
            Tag::Tr => {
                self.writer.put_separator(";");
                self.writer.end_block(BlockBreak::Line);
            }
            Tag::Td | Tag::Th if self.writer.is_in_row() => self.writer.put_separator(","),
            _ if tag.heading_level().is_some() => {
                self.writer.end_block(BlockBreak::Paragraph);
                self.writer.start_heading(tag.heading_level().unwrap_or(6));
            }
            _ if tag.is_block() => self.writer.end_block(BlockBreak::Paragraph),
            _ => {}
        }
    }

    fn leave(&mut self, node: usize) {
        let Some(tag) = self.tree.tag(node) else { return };
        if self.marker(node, tag).is_some() {
            self.leave_marker(node);
            return;
        }
        let tag = if self.is_title_of_box(node, tag) { Tag::Summary } else { tag };
        if self.leave_verse(node, tag) {
            return self.writer.end_block(BlockBreak::Line);
        }
        match tag {
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir | Tag::Dl => self.leave_list(),
            Tag::Li | Tag::Dt | Tag::Dd if self.is_note_frame(node) => {
                self.writer.end_block(BlockBreak::Paragraph)
            }
            Tag::Li | Tag::Dt | Tag::Dd => self.leave_item(node, tag),
            Tag::Blockquote => self.leave_quote(),
            Tag::Summary => {
                if !self.holds_blocks(node) {
                    self.writer.close_mark();
                }
                self.writer.end_block(BlockBreak::Paragraph);
            }
            Tag::Q => self.writer.put_end_mark("”"),
            Tag::Rt if !self.has_ruby_parentheses(node) => self.writer.put_end_mark(")"),
            Tag::Tr => self.writer.end_block(BlockBreak::Line),
            _ if tag.heading_level().is_some() => {
                self.writer.end_heading();
                self.writer.end_block(BlockBreak::Paragraph);
            }
            _ if tag.is_block() => self.writer.end_block(BlockBreak::Paragraph),
            _ => {}
        }
    }

    fn enter_quote(&mut self) {
        self.writer.end_block(BlockBreak::Paragraph);
        self.writer.open_quote();
    }

    fn leave_quote(&mut self) {
        self.writer.end_block(BlockBreak::Paragraph);
        self.writer.close_container();
    }

    /// The line before a signature (RFC 3676 section 4.3).
    fn sign(&mut self) {
        self.writer.end_block(BlockBreak::Paragraph);
        self.writer.put_words("--");
        self.writer.end_block(BlockBreak::Paragraph);
    }

    /// True for an element that becomes a link with an address.
    pub(super) fn is_link(&self, node: usize) -> bool {
        node < self.tree.len()
            && self.tree.tag(node) == Some(Tag::A)
            && !self.is_reference(node)
            && matches!(self.marker(node, Tag::A), Some(InlineMark::Link(_)))
    }

    /// The markup that an element puts around its words.
    fn marker(&self, node: usize, tag: Tag) -> Option<InlineMark> {
        match tag {
            Tag::B | Tag::Strong => Some(InlineMark::Strong('*')),
            Tag::I | Tag::Em => Some(InlineMark::Emphasis('*')),
            Tag::S | Tag::Strike | Tag::Del => Some(InlineMark::Strike),
            Tag::Code | Tag::Tt | Tag::Kbd | Tag::Samp => Some(InlineMark::Code(CodeTicks::around(""))),
            Tag::A if self.selection.bare_links && self.is_in_sentence(node) => None,
            Tag::A => {
                let href = self.tree.attribute(node, "href");
                href.filter(|href| !self.selection.is_chapter || leads_out(href))
                    .and_then(address)
                    .map(InlineMark::Link)
            }
            _ => None,
        }
    }

    /// True for a link with words of the same block beside it.
    fn is_in_sentence(&self, node: usize) -> bool {
        let is_block = |&above: &usize| self.tree.tag(above).is_some_and(Tag::is_block);
        let Some(block) = self.tree.ancestors(node).find(is_block) else { return false };
        let near = |range: std::ops::Range<usize>| {
            range
                .filter_map(|at| self.tree.piece(at))
                .any(|piece| piece.resolve(self.source).contains(char::is_alphanumeric))
        };
        near(node.saturating_sub(NEAR).max(block)..node)
            || near(self.tree.end(node)..self.tree.end(block).min(self.tree.end(node) + NEAR))
    }

    /// A sign that links a heading to itself: `§`, `¶`, `#`. In a book other signs refer to notes.
    fn is_permalink(&self, node: usize) -> bool {
        let text = || self.tree.text_below(node, self.source);
        let is_sign = |text: &str| match self.selection.is_chapter {
            true => matches!(text.trim(), "¶" | "#" | "🔗"),
            false => !text.contains(char::is_alphanumeric),
        };
        let has_image = || self.tree.find(node, Tag::Img).is_some();
        self.tree.attribute(node, "href").is_some_and(|href| href.contains('#'))
            && self.tree.end(node) - node < 6
            && is_sign(&text())
            && !has_image()
    }

    fn holds_blocks(&self, node: usize) -> bool {
        self.tree.below(node).any(|below| self.tree.tag(below).is_some_and(Tag::is_block))
    }

    fn has_ruby_parentheses(&self, node: usize) -> bool {
        let end = self.tree.end(self.tree.parent(node));
        let next = self.tree.end(node);
        (next..end.min(next + 2)).any(|after| self.tree.tag(after) == Some(Tag::Rp))
    }
}

/// True for an address outside of the book.
fn leads_out(href: &str) -> bool {
    let scheme = href.trim().split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme
        .is_some_and(|scheme| matches!(scheme.as_str(), "http" | "https" | "mailto" | "ftp" | "doi" | "urn"))
}

/// An address that is worth giving: places inside the page, scripts and data are not.
fn address(href: &str) -> Option<String> {
    let href = href.trim();
    let scheme = href.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if href.is_empty()
        || href.starts_with('#')
        || href.len() > LONGEST_ADDRESS
        || matches!(scheme.as_str(), "javascript" | "data" | "blob" | "about" | "vbscript")
    {
        return None;
    }
    Some(link_address(href))
}
