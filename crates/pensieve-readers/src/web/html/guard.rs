//! Which tags the tree builder gets to see: nesting and formatting that nobody closes have bounds, and what is held back
//! takes its end tag with it.

use std::collections::BTreeMap;

/// So many elements that format may be open at once: each is opened again in every paragraph that follows.
const MOST_OPEN_FORMATS: usize = 16;

/// True for elements that have no end tag.
pub(super) fn is_void(name: &str) -> bool {
    let voids = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr",
    ];
    voids.contains(&name)
}

/// Decides which tags the tree builder gets to see.
#[derive(Debug, Default)]
pub(super) struct Guard {
    /// Start tags held back, by name, whose end tags are to be held back too.
    held: BTreeMap<String, usize>,
    open_formats: usize,
}

impl Guard {
    pub(super) fn lets_start_through(&mut self, name: &str, is_full: bool) -> bool {
        // Raw text needs its element: without it a script would be read as text.
        let is_harmless = is_void(name) || is_raw(name);
        let is_format = is_format(name);
        if (is_full && !is_harmless) || (is_format && self.open_formats >= MOST_OPEN_FORMATS) {
            *self.held.entry(name.to_owned()).or_default() += 1;
            return false;
        }
        self.open_formats += usize::from(is_format);
        true
    }

    pub(super) fn lets_end_through(&mut self, name: &str) -> bool {
        if let Some(count) = self.held.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            return false;
        }
        if is_format(name) {
            self.open_formats = self.open_formats.saturating_sub(1);
        }
        true
    }
}

fn is_raw(name: &str) -> bool {
    matches!(
        name,
        "script" | "style" | "title" | "textarea" | "iframe" | "noembed" | "noframes" | "xmp" | "plaintext"
    )
}

/// Formatting that the standard opens again where a block cut it off; `a` closes itself and needs no bound.
fn is_format(name: &str) -> bool {
    matches!(
        name,
        "b" | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "nobr"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}
