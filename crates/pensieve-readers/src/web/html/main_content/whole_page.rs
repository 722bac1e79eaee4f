//! Pages without one element that holds their text: short ones, tables, lists of cards.
//!
//! Measures of prose say nothing there, because the words are links and fragments. What elements and names say about
//! menus, page headers and footers still holds.

use super::boilerplate::BoilerplateKind;
use super::{ContentName, ContentSearch};
use crate::web::html::content_selection::ContentSelection;
use crate::web::html::tag::HtmlTag;

/// A part with a larger share of all words is no furniture.
const MAX_FURNITURE_SHARE: f32 = 0.6;

/// If fewer characters, or a smaller share, are left, nothing is left out.
const MIN_CHARS: f32 = 40.0;
const MIN_SHARE: f32 = 0.05;

/// The least share of the words in the only `main` element for it to be the content.
const MIN_MAIN_SHARE: f32 = 0.3;

/// An element with a smaller share of what is shown is an island beside the content.
const MAX_ISLAND_SHARE: f32 = 0.35;

/// The share of what is shown that the content has at least.
const MIN_CONTENT_SHARE: f32 = 0.85;

impl ContentSearch<'_> {
    /// The whole body without menus, page headers and footers, if much else is left.
    pub(super) fn without_furniture(mut self, body: usize, unseen: Vec<bool>) -> ContentSelection {
        let whole = ContentSelection::shown(body, unseen);
        self.dropped.clone_from(&whole.dropped);
        self.measure();
        let shown = self.measures[body].chars;
        self.drop_where(body, |page, node, tag| {
            let is_named = matches!(
                page.boilerplate_kind(node, tag),
                Some(BoilerplateKind::Named | BoilerplateKind::Dialog)
            );
            let is_small = page.measures[node].chars < shown * MAX_FURNITURE_SHARE;
            is_named && is_small && page.tree.find(node, HtmlTag::H1).is_none()
        });
        let root = self.only_main(body).unwrap_or(body);
        let left = self.measures[root].chars;
        if left < MIN_CHARS || left < shown * MIN_SHARE {
            return whole;
        }
        ContentSelection { roots: vec![root], dropped: self.dropped, ..whole }
    }

    /// The `main` element, if there is one only, with a good part of the words.
    fn only_main(&self, body: usize) -> Option<usize> {
        let mut mains = self.tree.below(body).filter(|&node| self.is_named(node, ContentName::Main));
        let main = mains.next().filter(|_| mains.next().is_none())?;
        (self.measures[main].chars > self.measures[body].chars * MIN_MAIN_SHARE).then_some(main)
    }

    /// The chosen element, or if it is a small part of a page that is no article, the smallest with nearly all that
    /// is shown: in lists of cards all words are links, and a note beside them has all the prose.
    pub(super) fn widened(&self, root: usize, body: usize) -> usize {
        let has_most = |&main: &usize| self.measures[main].chars > self.measures[body].chars * 0.5;
        let main = self.tree.below(body).find(|&node| self.is_named(node, ContentName::Main));
        let around = main.filter(has_most).unwrap_or(body);
        let all = self.measures[around].chars;
        if self.is_article || self.measures[root].chars >= all * MAX_ISLAND_SHARE {
            return root;
        }
        let has_all = |&node: &usize| {
            self.tree.tag(node).is_some_and(HtmlTag::is_container)
                && !self.dropped[node]
                && self.measures[node].chars >= all * MIN_CONTENT_SHARE
        };
        self.tree.below(around).rfind(|node| has_all(node)).unwrap_or(around)
    }
}
