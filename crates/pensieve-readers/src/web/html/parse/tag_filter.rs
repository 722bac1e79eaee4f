//! Decides which tags the tree builder gets: nesting and unclosed formatting have limits, and with a start tag its
//! end tag is held back too.

use crate::limits::web::MAX_OPEN_FORMATS;
use std::collections::BTreeMap;

/// True for elements that have no end tag.
pub(crate) fn is_void(name: &str) -> bool {
    let voids = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
        "track", "wbr",
    ];
    voids.contains(&name)
}

/// Decides which tags the tree builder gets.
#[derive(Debug, Default)]
pub(super) struct TagFilter {
    /// Start tags held back, by name, whose end tags are to be held back too.
    held: BTreeMap<String, usize>,
    open_formats: usize,
}

impl TagFilter {
    pub(super) fn passes_start(&mut self, name: &str, is_full: bool) -> bool {
        // Raw text needs its element: without it a script would be read as text.
        let is_harmless = is_void(name) || is_raw(name);
        let is_format = is_format(name);
        if (is_full && !is_harmless) || (is_format && self.open_formats >= MAX_OPEN_FORMATS) {
            // Its end tag would close another element.
            *self.held.entry(name.to_owned()).or_default() += 1;
            return false;
        }
        self.open_formats += usize::from(is_format);
        true
    }

    pub(super) fn passes_end(&mut self, name: &str) -> bool {
        if let Some(count) = self.held.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            return false;
        }
        if is_format(name) {
            // End tags without a start are common.
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

/// Formatting that the standard reopens after a block closed it; a new `a` closes the open one, so it needs no limit.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_tree_gets_only_what_has_no_depth() {
        let mut filter = TagFilter::default();
        for (name, is_full, expected) in [
            ("div", false, true),
            ("div", true, false),
            ("br", true, true),
            ("script", true, true),
            ("b", true, false),
        ] {
            assert_eq!(filter.passes_start(name, is_full), expected, "of {name}");
        }
        // With a start tag its end tag is held back, once.
        let ends = ["div", "div", "b", "b", "script", "p"].map(|name| filter.passes_end(name));
        assert_eq!(ends, [false, true, false, true, true, true]);
        assert!(filter.passes_start("div", false));
    }

    #[test]
    fn formats_are_open_up_to_a_limit() {
        let mut filter = TagFilter::default();
        let opened =
            |filter: &mut TagFilter| (0..100).take_while(|_| filter.passes_start("b", false)).count();
        assert_eq!(opened(&mut filter), MAX_OPEN_FORMATS);
        assert!(!filter.passes_start("i", false));
        assert!(filter.passes_start("p", false) && filter.passes_start("br", false));
        assert_eq!(["i", "b", "b", "b"].map(|name| filter.passes_end(name)), [false, false, true, true]);
        assert_eq!(opened(&mut filter), 2);
        let mut ended = TagFilter::default();
        assert!(ended.passes_end("b") && ended.passes_end("p"));
        assert_eq!(opened(&mut ended), MAX_OPEN_FORMATS);
    }
}
