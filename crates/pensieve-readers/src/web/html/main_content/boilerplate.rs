//! Which parts of a page are boilerplate by their element, their role or their names.

use super::{ContentSearch, MIN_PROSE};
use crate::web::html::name_hints::{self, NameHints};
use crate::web::html::page_kind::PageKind;
use crate::web::html::tag::HtmlTag;

/// A part with a larger share of the page's prose is not boilerplate, whatever it is called.
const MAX_BOILERPLATE_SHARE: f32 = 0.35;

/// The same limit for parts outside of the element that is named as the content.
const MAX_BESIDE_SHARE: f32 = 0.85;

/// The same limit for comments, which may be longer than the text that they comment on.
const MAX_COMMENTS_SHARE: f32 = 0.92;

/// The same limit for reviews of a product.
const MAX_REVIEWS_SHARE: f32 = 0.95;

/// The same limit for dialogs: a short page may ask for consent at length.
const MAX_DIALOG_SHARE: f32 = 0.97;

/// Longer parts about who wrote a post are posts.
const MAX_POSTER_CHARS: f32 = 600.0;

/// Longer texts are not the label of a button.
const MAX_LABEL_CHARS: f32 = 40.0;

/// A part that is called a menu is text if it has at most this share of links,
const MAX_TEXT_LINKS: f32 = 0.1;

/// and at least this share of prose.
const MIN_TEXT_PROSE: f32 = 0.6;

/// A formula further below an element is not all of it.
const MAX_WRAPPER_NODES: usize = 2_000;

/// Why something is boilerplate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoilerplateKind {
    Named,
    Comments,
    Reviews,
    Dialog,
    Control,
    Form,
}

impl ContentSearch<'_> {
    /// Leaves out what names, roles and elements mark as boilerplate.
    pub(super) fn drop_boilerplate(&mut self, body: usize) {
        let all = self.measures[body];
        let core = self.core(body);
        self.drop_where(body, |page, node, tag| {
            let part = page.measures[node];
            let is_beside =
                core.is_some_and(|core| core >= page.tree.end(node) || page.tree.end(core) <= node);
            let most = match page.boilerplate_kind(node, tag) {
                None => return false,
                Some(BoilerplateKind::Control) => return true,
                Some(BoilerplateKind::Form) => 0.2,
                Some(BoilerplateKind::Comments) => MAX_COMMENTS_SHARE,
                Some(BoilerplateKind::Reviews) => MAX_REVIEWS_SHARE,
                Some(BoilerplateKind::Dialog) => MAX_DIALOG_SHARE,
                Some(BoilerplateKind::Named) if matches!(tag, HtmlTag::Nav | HtmlTag::Footer) => {
                    MAX_BESIDE_SHARE
                }
                Some(BoilerplateKind::Named) if is_beside => MAX_BESIDE_SHARE,
                Some(BoilerplateKind::Named) => MAX_BOILERPLATE_SHARE,
            };
            part.prose < all.prose * most && !page.holds_title(node)
        });
    }

    /// What makes an element boilerplate, if anything does.
    pub(super) fn boilerplate_kind(&self, node: usize, tag: HtmlTag) -> Option<BoilerplateKind> {
        let mut hints = self.hints[node];
        if !tag.is_block() && tag != HtmlTag::Other && self.is_in_prose(node) {
            hints = NameHints::default();
        }
        let role = self.tree.attribute(node, "role").unwrap_or_default();
        if self.is_control(node, tag, role) {
            return Some(BoilerplateKind::Control);
        }
        if name_hints::holds_everything(tag) {
            return None;
        }
        let is_part = tag.is_block() || tag == HtmlTag::Other;
        if hints.reviews && is_part && self.kind == PageKind::Product {
            return Some(BoilerplateKind::Reviews);
        }
        if hints.comments && is_part {
            return (self.kind != PageKind::Thread).then_some(BoilerplateKind::Comments);
        }
        if hints.poster && self.is_about_poster(node) {
            return Some(BoilerplateKind::Named);
        }
        if tag == HtmlTag::Dialog || matches!(role, "dialog" | "alertdialog") {
            // One inside the content has more of it, for those who ask.
            let is_content = self.is_inside(node, HtmlTag::Main);
            return Some(if is_content { BoilerplateKind::Named } else { BoilerplateKind::Dialog });
        }
        if tag == HtmlTag::Blockquote || self.is_formula(node) {
            return None;
        }
        if self.is_boilerplate_element(node, tag, hints) || self.is_named_boilerplate(node, role, hints) {
            return Some(BoilerplateKind::Named);
        }
        let reads_so = self.measures[node].density() > 0.3 || self.measures[node].prose == 0.0;
        let is_form = tag == HtmlTag::Form || hints.perhaps_boilerplate && !hints.note && reads_so;
        is_form.then_some(BoilerplateKind::Form)
    }

    fn is_boilerplate_element(&self, node: usize, tag: HtmlTag, hints: NameHints) -> bool {
        match tag {
            HtmlTag::Nav | HtmlTag::Menu | HtmlTag::Search => true,
            HtmlTag::Footer => {
                !self.is_inside(node, HtmlTag::Blockquote) && !self.is_inside(node, HtmlTag::Figure)
            }
            HtmlTag::Header => {
                !self.is_inside(node, HtmlTag::Article) && !self.is_inside(node, HtmlTag::Main)
            }
            HtmlTag::Aside => !hints.note,
            _ => false,
        }
    }

    /// True for names and roles of boilerplate. What is called a menu and has no links is a text.
    fn is_named_boilerplate(&self, node: usize, role: &str, hints: NameHints) -> bool {
        let part = self.measures[node];
        let is_text =
            || part.prose >= MIN_PROSE.max(part.chars * MIN_TEXT_PROSE) && part.density() < MAX_TEXT_LINKS;
        !hints.note
            && (name_hints::is_boilerplate_role(role) || hints.boilerplate || hints.menu && !is_text())
    }

    /// True for elements of forms, and for short words that are made a button, or a link that leads nowhere, and open
    /// nothing.
    fn is_control(&self, node: usize, tag: HtmlTag, role: &str) -> bool {
        if tag.is_control() {
            return !self.tree.is_button_of_heading(node);
        }
        if tag != HtmlTag::A && role != "button" {
            return false;
        }
        let is_button = match self.tree.attribute(node, "href") {
            Some(target) => tag == HtmlTag::A && leads_nowhere(target) && !self.is_beside_words(node),
            None => role == "button",
        };
        let opens = ["aria-expanded", "aria-controls"];
        let is_heading = |at: usize| self.tree.tag(at).and_then(HtmlTag::heading_level).is_some();
        is_button
            && self.measures[node].chars < MAX_LABEL_CHARS
            && !opens.iter().any(|name| self.tree.attribute(node, name).is_some())
            && !self.tree.below(node).chain(self.tree.ancestors(node)).any(is_heading)
    }

    /// True for an inline element with words before or after it.
    fn is_beside_words(&self, node: usize) -> bool {
        let is_word = |at: usize| {
            self.tree.text(at).is_some_and(|text| text.resolve(self.source).contains(char::is_alphanumeric))
        };
        self.tree.children(self.tree.parent(node)).any(is_word)
    }

    /// True for a short part of a thread about the writer of a post.
    fn is_about_poster(&self, node: usize) -> bool {
        self.kind == PageKind::Thread
            && self.measures[node].chars < MAX_POSTER_CHARS
            && self.tree.find(node, HtmlTag::H1).is_none()
    }

    /// True for a formula in the wrappers of its typesetter, which have menus of their own.
    fn is_formula(&self, node: usize) -> bool {
        let first = self.formulas[self.formulas.partition_point(|&formula| formula <= node)..].first();
        self.measures[node].chars < 400.0
            && first
                .is_some_and(|&formula| formula < self.tree.end(node) && formula <= node + MAX_WRAPPER_NODES)
    }

    /// True inside a block that reads as prose: names of links and spans there are decoration.
    fn is_in_prose(&self, node: usize) -> bool {
        let is_block = |&above: &usize| self.tree.tag(above).is_some_and(HtmlTag::is_block);
        let block = self.tree.ancestors(node).find(is_block);
        block.is_some_and(|block| self.measures[block].prose > self.measures[node].chars)
    }
}

/// True for links that only a script does something with.
fn leads_nowhere(target: &str) -> bool {
    target == "#" || target.starts_with("javascript:")
}
