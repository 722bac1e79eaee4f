//! What stands for pictures and formulas: their alternative texts, captions told only once, MathML in a line.

use super::render::{NEAR, Renderer};
use super::tag::Tag;
use crate::shared::formula::{Element, MathBuilder};

impl Renderer<'_> {
    /// True for the case of a switch that is shown, exactly one: the first that is a formula, else the default.
    pub(super) fn is_chosen(&self, node: usize) -> bool {
        let cases = || {
            let all = self.tree.children(self.tree.parent(node));
            all.filter(|&child| matches!(self.tree.tag(child), Some(Tag::Case | Tag::DefaultCase)))
        };
        let is_formula = |&case: &usize| self.tree.find(case, Tag::Math).is_some();
        let is_default = |&case: &usize| self.tree.tag(case) == Some(Tag::DefaultCase);
        let chosen = cases().find(is_formula).or_else(|| cases().find(is_default)).or_else(|| cases().next());
        chosen == Some(node)
    }

    pub(super) fn image(&mut self, node: usize) {
        // In a book a picture of one letter or sign is a part of its text: a drop cap, a variable.
        let says = |alt: &&str| match self.book {
            Some(_) => !alt.is_empty() && !is_file_name(alt),
            None => is_description(alt),
        };
        let Some(alt) = self.tree.attribute(node, "alt").map(str::trim).filter(says) else { return };
        let above =
            |tag: Tag| self.tree.ancestors(node).take(8).find(|&above| self.tree.tag(above) == Some(tag));
        let in_link = above(Tag::A).is_some();
        // What a caption says is not said twice; in an article a linked picture advertises another page.
        let is_captioned =
            above(Tag::Figure).is_some_and(|figure| self.tree.find(figure, Tag::Figcaption).is_some());
        if self.book.is_some() {
            let caption = above(Tag::Figure).and_then(|figure| self.tree.find(figure, Tag::Figcaption));
            let caption =
                caption.map(|caption| self.tree.text_below(caption, self.source)).unwrap_or_default();
            let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let alt_words = plain(alt);
            if !plain(&caption).contains(&alt_words) && plain(&self.block_behind(node)) != alt_words {
                let alt = alt.to_owned();
                self.put_alternative(&alt);
            }
            return;
        }
        if is_captioned || (self.selection.bare_links && (in_link || above(Tag::Figure).is_some())) {
            return;
        }
        if self.writer.with_markup() && !in_link {
            let alt = alt.replace(['[', ']', '|'], " ");
            self.writer.put_words(&format!("![{}]()", alt.split_whitespace().collect::<Vec<_>>().join(" ")));
        } else {
            let alt = alt.to_owned();
            self.writer.put_text(&alt);
        }
    }

    /// The words of the block that follows a picture: captions repeat what stands for it.
    fn block_behind(&self, node: usize) -> String {
        let words = |at: &usize| {
            self.tree.piece(*at).is_some_and(|piece| !piece.resolve(self.source).trim().is_empty())
        };
        let last = self.tree.len();
        let end = self.tree.end(node);
        let Some(first) = (end..last.min(end + NEAR)).find(words) else { return String::new() };
        let is_block = |&above: &usize| self.tree.tag(above).is_some_and(Tag::is_block);
        let block = self.tree.ancestors(first).find(is_block).filter(|&block| block > node);
        block.map(|block| self.tree.text_below(block, self.source)).unwrap_or_default()
    }

    /// A formula: its alternative text, else its signs in a line, else its source in TeX.
    pub(super) fn math(&mut self, node: usize) {
        let spoken = self.tree.attribute(node, "alttext").filter(|words| !words.trim().is_empty());
        // Books spell their formulas out for those who listen; in a search the signs say it shorter.
        let spoken = spoken.filter(|_| self.book.is_some() || !self.selection.is_chapter).map(str::to_owned);
        if let Some(words) = spoken {
            return match self.book {
                Some(_) => self.put_alternative(&words),
                None => self.put_tex(&words),
            };
        }
        let signs = self.formula(node);
        if !signs.is_empty() {
            return self.writer.put_text(&signs);
        }
        let tex = self.tree.below(node).find(|&below| {
            self.tree.tag(below) == Some(Tag::Annotation)
                && self.tree.attribute(below, "encoding").is_some_and(|encoding| encoding.contains("tex"))
        });
        if let Some(tex) = tex {
            let tex = self.tree.text_below(tex, self.source);
            self.put_tex(&tex);
        }
    }

    fn put_tex(&mut self, tex: &str) {
        match self.writer.with_markup() {
            true => self.writer.put_words(&format!("${}$", tex.trim())),
            false => self.writer.put_words(tex),
        }
    }

    /// The signs of a formula in a line.
    fn formula(&self, node: usize) -> String {
        let mut builder = MathBuilder::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = node + 1;
        while at < self.tree.end(node) {
            while open.pop_if(|end| *end <= at).is_some() {
                builder.end();
            }
            match (self.tree.tag(at), self.tree.piece(at)) {
                (Some(tag), _) if tag.is_machinery() => at = self.tree.end(at),
                (Some(tag), _) => {
                    let element = match tag {
                        Tag::Formula(element) => element,
                        Tag::Annotation => Element::Unseen,
                        _ => Element::default(),
                    };
                    let attribute = |name: &str| self.tree.attribute(at, name).map(str::to_owned);
                    if builder.begin(element, &attribute) {
                        open.push(self.tree.end(at));
                        at += 1;
                    } else {
                        at = self.tree.end(at);
                    }
                }
                (None, piece) => {
                    builder.text(piece.map_or("", |piece| piece.resolve(self.source)));
                    at += 1;
                }
            }
        }
        builder.finish()
    }
}

/// True when an image's alternative text says something: file names do not.
fn is_description(alt: &str) -> bool {
    alt.chars().filter(|c| c.is_alphanumeric()).count() > 1 && !is_file_name(alt) && alt.len() < 2000
}

fn is_file_name(alt: &str) -> bool {
    !alt.contains(' ')
        && [".jpg", ".jpeg", ".png", ".gif", ".svg", ".webp"]
            .iter()
            .any(|end| alt.to_ascii_lowercase().ends_with(end))
}
