//! The attributes of elements that are kept, and lists of words in their values.

/// Attributes that any later step reads; the others are not kept. Sorted by length, then by name.
// A page has many more, and keeping them all would cost more memory than its words.
const ATTRIBUTES: &[&str] = &[
    "y",
    "dy",
    "id",
    "alt",
    "rel",
    "src",
    "face",
    "form",
    "href",
    "lang",
    "name",
    "open",
    "role",
    "size",
    "type",
    "class",
    "close",
    "color",
    "media",
    "start",
    "style",
    "title",
    "value",
    "ac:alt",
    "hidden",
    "ac:name",
    "alttext",
    "bgcolor",
    "checked",
    "colspan",
    "content",
    "display",
    "rowspan",
    "data-tex",
    "datetime",
    "disabled",
    "encoding",
    "itemprop",
    "itemtype",
    "notation",
    "property",
    "reversed",
    "xml:lang",
    "data-lang",
    "data-list",
    "epub:type",
    "aria-label",
    "aria-modal",
    "background",
    "data-latex",
    "http-equiv",
    "separators",
    "aria-hidden",
    "data-mathml",
    "aria-checked",
    "data-checked",
    "aria-controls",
    "aria-expanded",
    "code-language",
    "data-language",
    "definitionurl",
    "linethickness",
    "shadowrootmode",
    "ri:content-title",
];

/// Bytes of the longest name.
const MAX_NAME_BYTES: usize = 16;

/// Where the names of each length begin.
const STARTS: [usize; MAX_NAME_BYTES + 2] = starts();

const fn starts() -> [usize; MAX_NAME_BYTES + 2] {
    let mut starts = [ATTRIBUTES.len(); MAX_NAME_BYTES + 2];
    let mut at = ATTRIBUTES.len();
    while at > 0 {
        at -= 1;
        let mut len = ATTRIBUTES[at].len() + 1;
        while len > 0 && starts[len - 1] > at {
            len -= 1;
            starts[len] = at;
        }
    }
    starts
}

/// The attribute of this name, in any case, if it is kept.
pub(super) fn kept_attribute(name: &str) -> Option<&'static str> {
    // All longer names have the same, empty place.
    let len = name.len().min(MAX_NAME_BYTES + 1);
    let end = STARTS.get(len + 1).copied().unwrap_or(ATTRIBUTES.len());
    ATTRIBUTES[STARTS[len]..end].iter().copied().find(|known| known.eq_ignore_ascii_case(name))
}

/// True if a list of words, such as a class, has one of these.
pub(crate) fn has_word(list: &str, words: &[&str]) -> bool {
    list.split_ascii_whitespace().any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_sorted_and_found() {
        assert!(ATTRIBUTES.is_sorted_by_key(|name| (name.len(), *name)));
        assert_eq!(ATTRIBUTES.last().map(|name| name.len()), Some(MAX_NAME_BYTES));
        for &name in ATTRIBUTES {
            assert_eq!(kept_attribute(&name.to_ascii_uppercase()), Some(name));
        }
        for name in ["", "x", "onclick", "data-language-of-code", "xml:base"] {
            assert_eq!(kept_attribute(name), None);
        }
    }
}
