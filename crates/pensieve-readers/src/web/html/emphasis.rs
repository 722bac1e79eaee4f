//! Emphasis and code in a line, as far as Markdown can say them.
//!
//! What touches its neighbours is read as emphasis only by the rules of CommonMark 0.31, section 6.2: `**Note:**text` is
//! none. So the characters at both ends decide whether stars are written, underscores, or the words alone. Elements of one
//! kind that touch are one: `<b>a</b><b>b</b>` is `**ab**`. Code stands between more backticks than it holds in a row,
//! and apart from those that it begins or ends with (section 6.1).

use super::render::{NEAR, Renderer};
use super::tag::Tag;
use crate::markdown::flanking::{EmphasisSides, Side};
use crate::markdown::{CodeTicks, InlineMark};

/// Nodes at the ends of an element that are looked at; where no words stand among them, letters are assumed.
const ENDS: usize = 200;

/// Elements that touch each other and are looked at together.
const MOST_TOUCHING: usize = 4;

/// The characters at both ends of an element, and white space that it brings along.
struct Ends {
    first: Side,
    last: Side,
    begins_blank: bool,
    ends_blank: bool,
}

impl Renderer<'_> {
    /// Begins what an element puts around its words.
    pub(super) fn enter_marker(&mut self, node: usize, marker: InlineMark) {
        if self.continues(node) {
            return;
        }
        let before = Side::of(self.writer.last_char());
        let touching = ['*', '_'].into_iter().find(|&sign| self.writer.ends_with_sign(sign));
        let marker = match marker {
            InlineMark::Strong(_) => {
                self.emphasis_sign(node, &['*', '_'], before, touching, 0).map(InlineMark::Strong)
            }
            InlineMark::Emphasis(_) => {
                self.emphasis_sign(node, &['*', '_'], before, touching, 0).map(InlineMark::Emphasis)
            }
            InlineMark::Strike => {
                self.emphasis_sign(node, &['~'], before, None, 0).map(|_| InlineMark::Strike)
            }
            InlineMark::Code(_) => Some(InlineMark::Code(self.ticks(node))),
            InlineMark::Link(address) => Some(InlineMark::Link(address)),
        };
        self.writer.open_mark(marker);
    }

    /// Ends it, unless the next element goes on with it.
    pub(super) fn leave_marker(&mut self, node: usize) {
        if self.next_of_kind(node).is_none() {
            self.writer.close_mark();
        }
    }

    /// The element of the same kind that begins where this one ends.
    fn next_of_kind(&self, node: usize) -> Option<usize> {
        let next = self.tree.end(node);
        let kind = |node: usize| self.tree.tag(node).and_then(kind);
        let is_typed =
            |node: usize| ["epub:type", "role"].iter().any(|name| self.tree.attribute(node, name).is_some());
        let is_near = next < self.tree.len() && self.tree.parent(next) == self.tree.parent(node);
        let is_same = is_near && kind(node).is_some() && kind(node) == kind(next);
        (is_same && !is_typed(next) && !self.selection.is_dropped(next)).then_some(next)
    }

    /// True where the element before goes on with this one.
    fn continues(&self, node: usize) -> bool {
        let parent = self.tree.parent(node);
        let mut before = node.saturating_sub(1);
        while before > parent && self.tree.parent(before) != parent {
            before = self.tree.parent(before);
        }
        before > parent && !self.selection.is_dropped(before) && self.next_of_kind(before) == Some(node)
    }

    /// The end of the last of the elements that are one with this.
    fn whole_end(&self, node: usize) -> usize {
        let last = std::iter::successors(Some(node), |&node| self.next_of_kind(node)).last();
        self.tree.end(last.unwrap_or(node))
    }

    /// The sign among `signs` with which Markdown can say the emphasis of an element, behind `before`, and behind the
    /// emphasis of the sign `touching`.
    fn emphasis_sign(
        &self,
        node: usize,
        signs: &[char],
        before: Side,
        touching: Option<char>,
        depth: usize,
    ) -> Option<char> {
        let end = self.whole_end(node);
        let ends = self.ends(node, end)?;
        let before = if ends.begins_blank { Side::Blank } else { before };
        let touching = touching.filter(|_| !ends.begins_blank);
        if touching.is_some() && self.is_punctuation(node, end) {
            return None;
        }
        signs.iter().copied().filter(|&sign| Some(sign) != touching).find(|&sign| {
            let after = if ends.ends_blank { Side::Blank } else { self.after(node, end, sign, depth) };
            let sides = EmphasisSides { before, first: ends.first, last: ends.last, after };
            let is_apart = sign != '_' || self.has_no_underscore(node, end);
            sides.allow(sign) && is_apart && !(sides.is_unclear() && self.writer.outer_sign() == Some(sign))
        })
    }

    /// True for a full stop or the like, which emphasis says nothing about.
    fn is_punctuation(&self, node: usize, end: usize) -> bool {
        let is_mark = |c: char| c.is_whitespace() || ".,;:!?)]”’»…".contains(c);
        let mut pieces = (node..end).filter_map(|at| self.tree.piece(at));
        end - node <= ENDS && pieces.all(|piece| piece.resolve(self.source).chars().all(is_mark))
    }

    fn has_no_underscore(&self, node: usize, end: usize) -> bool {
        let pieces = (node..end).filter_map(|at| self.tree.piece(at));
        end - node <= ENDS && !pieces.into_iter().any(|piece| piece.resolve(self.source).contains('_'))
    }

    /// The ends of what is written of an element; none where that is nothing.
    fn ends(&self, node: usize, end: usize) -> Option<Ends> {
        let mut begins_blank = false;
        let mut first = None;
        let mut at = node + 1;
        while at < end && first.is_none() && at - node < ENDS {
            match self.is_unwritten(at) {
                true => at = self.tree.end(at),
                false => {
                    first = self.side(at, node, false, &mut begins_blank);
                    at += 1;
                }
            }
        }
        if first.is_none() && at >= end {
            return None;
        }
        let mut ends_blank = false;
        let last = (node + 1..end)
            .rev()
            .take(ENDS)
            .filter(|&at| !self.is_inside_unwritten(at, node))
            .find_map(|at| self.side(at, node, true, &mut ends_blank));
        let [first, last] = [first, last].map(|side| side.unwrap_or(Side::Letter));
        Some(Ends { first, last, begins_blank, ends_blank })
    }

    /// True for an element of which nothing is written, or what goes again: machinery, references to notes.
    fn is_unwritten(&self, at: usize) -> bool {
        let Some(tag) = self.tree.tag(at) else { return false };
        self.selection.is_dropped(at) || tag.is_machinery() || tag == Tag::A && self.is_reference(at)
    }

    fn is_inside_unwritten(&self, at: usize, node: usize) -> bool {
        self.is_unwritten(at)
            || self.tree.ancestors(at).take_while(|&above| above > node).any(|above| self.is_unwritten(above))
    }

    /// True for a reference to a note of the book.
    pub(super) fn is_reference(&self, node: usize) -> bool {
        self.book.is_some_and(|marks| marks.page.references.contains_key(&node))
    }

    /// The first (or last) character that a node writes, as emphasis around `outer` sees it.
    fn side(&self, at: usize, outer: usize, from_end: bool, is_blank: &mut bool) -> Option<Side> {
        let text = match (self.tree.piece(at), self.tree.tag(at)) {
            (Some(piece), _) => piece.resolve(self.source),
            (None, Some(Tag::Img)) => self.tree.attribute(at, "alt").unwrap_or_default().trim(),
            (None, Some(Tag::Br)) => " ",
            (None, tag) => return (tag == Some(Tag::Math) && self.book.is_some()).then_some(Side::Letter),
        };
        let c = match from_end {
            false => first_shown(text.chars(), is_blank),
            true => first_shown(text.chars().rev(), is_blank),
        }?;
        let is_marked = |above: usize| {
            matches!(self.tree.tag(above), Some(Tag::Code | Tag::Tt | Tag::Kbd | Tag::Samp | Tag::Q | Tag::A))
        };
        let is_in_mark = self.tree.ancestors(at).take_while(|&above| above > outer).any(is_marked);
        Some(if is_in_mark { Side::Sign } else { Side::of(Some(c)) })
    }

    /// What is written directly behind an element whose emphasis ends with `sign`.
    fn after(&self, node: usize, end: usize, sign: char, depth: usize) -> Side {
        let is_block = |&above: &usize| {
            self.tree.tag(above).is_some_and(|tag| {
                tag.is_block() || matches!(tag, Tag::Td | Tag::Th | Tag::Li | Tag::Dt | Tag::Dd)
            })
        };
        let block_end =
            self.tree.ancestors(node).find(is_block).map_or(self.tree.len(), |block| self.tree.end(block));
        let mut at = end;
        while at < block_end.min(end + NEAR) {
            if self.is_unwritten(at) {
                at = self.tree.end(at);
                continue;
            }
            match self.tree.tag(at) {
                Some(tag) if tag.is_block() => return Side::Blank,
                Some(tag) if kind(tag) == Some("code") => return Side::Sign,
                Some(tag) if kind(tag).is_some() => {
                    let is_written = depth < MOST_TOUCHING
                        && self.emphasis_sign(at, &['*', '_'], Side::Sign, Some(sign), depth + 1).is_some();
                    if is_written {
                        let is_blank = self.ends(at, self.tree.end(at)).is_some_and(|ends| ends.begins_blank);
                        return if is_blank { Side::Blank } else { Side::Sign };
                    }
                }
                _ => {}
            }
            let mut is_blank = false;
            let side = self.side(at, end.saturating_sub(1), false, &mut is_blank);
            if is_blank {
                return Side::Blank;
            }
            if let Some(side) = side {
                return side;
            }
            at += 1;
        }
        if at >= block_end { Side::Blank } else { Side::Letter }
    }

    /// Backticks that stand around code.
    pub(super) fn ticks(&self, node: usize) -> CodeTicks {
        let pieces = (node..self.whole_end(node)).filter_map(|at| self.tree.piece(at));
        CodeTicks::around(&pieces.map(|piece| piece.resolve(self.source)).collect::<String>())
    }
}

/// What elements that may be one have in common.
fn kind(tag: Tag) -> Option<&'static str> {
    match tag {
        Tag::B | Tag::Strong => Some("strong"),
        Tag::I | Tag::Em => Some("emphasis"),
        Tag::S | Tag::Strike | Tag::Del => Some("strike"),
        Tag::Code | Tag::Tt | Tag::Kbd | Tag::Samp => Some("code"),
        _ => None,
    }
}

/// The first character that is seen; whether white space stands before it.
fn first_shown(chars: impl Iterator<Item = char>, is_blank: &mut bool) -> Option<char> {
    for c in chars {
        match c {
            '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => {}
            c if c.is_whitespace() => *is_blank = true,
            c => return Some(c),
        }
    }
    None
}
