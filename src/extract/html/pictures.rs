//! What stands for pictures and formulas: their alternative texts, captions told only once, the signs of MathML.

use super::render::{NEAR, Renderer, Step};
use super::tag::Tag;

impl Renderer<'_> {
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
        let words =
            |at: &usize| self.tree.piece(*at).is_some_and(|piece| !piece.text(self.source).trim().is_empty());
        let last = self.tree.len();
        let end = self.tree.end(node);
        let Some(first) = (end..last.min(end + NEAR)).find(words) else { return String::new() };
        let is_block = |&above: &usize| self.tree.tag(above).is_some_and(Tag::is_block);
        let block = self.tree.ancestors(first).find(is_block).filter(|&block| block > node);
        block.map(|block| self.tree.text_below(block, self.source)).unwrap_or_default()
    }

    /// A formula: in words of TeX where the page has them.
    pub(super) fn math(&mut self, node: usize) -> Step {
        let annotation = || {
            let tex = self.tree.below(node).find(|&below| {
                self.tree.tag(below) == Some(Tag::Annotation)
                    && self.tree.attribute(below, "encoding").is_some_and(|encoding| encoding.contains("tex"))
            })?;
            Some(self.tree.text_below(tex, self.source))
        };
        // Books spell their formulas out for those who listen; the signs say it shorter.
        let spoken = || self.tree.attribute(node, "alttext").map(str::to_owned);
        let has_signs = || !self.tree.text_below(node, self.source).trim().is_empty();
        if let Some(words) = spoken().filter(|words| self.book.is_some() && !words.trim().is_empty()) {
            self.put_alternative(&words);
            return Step::Over;
        }
        let words = match self.selection.is_chapter && has_signs() {
            true => annotation(),
            false => spoken().or_else(annotation),
        };
        match words.filter(|words| !words.trim().is_empty()) {
            Some(words) if self.writer.with_markup() => {
                self.writer.put_words(&format!("${}$", words.trim()));
                Step::Over
            }
            Some(words) => {
                self.writer.put_text(&words);
                Step::Over
            }
            None => {
                self.formula(node);
                Step::Over
            }
        }
    }

    /// A formula without words for it: its signs, apart from each other, so that none becomes part of another.
    fn formula(&mut self, node: usize) {
        let mut signs = String::new();
        let mut at = node + 1;
        while at < self.tree.end(node) {
            if self.tree.tag(at).is_some_and(|tag| tag == Tag::Annotation || tag.is_machinery()) {
                at = self.tree.end(at);
                continue;
            }
            let parent = self.tree.parent(at);
            let joint = match self.tree.tag(parent) {
                Some(Tag::Mfrac) => " / ",
                Some(Tag::Msup) => " ^ ",
                _ => " ",
            };
            let is_first =
                || self.tree.children(parent).find(|&child| self.tree.tag(child).is_some()) == Some(at);
            if self.tree.tag(at).is_some() && joint != " " && !is_first() {
                signs.push_str(joint);
            }
            if let Some(piece) = self.tree.piece(at) {
                signs.push(' ');
                signs.push_str(piece.text(self.source));
            }
            at += 1;
        }
        self.writer.put_text(&signs);
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
