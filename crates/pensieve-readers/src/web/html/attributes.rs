//! The attributes of elements that are kept, and lists of words in their values.

/// Attributes that any later step reads; the others are not kept.
pub(super) const ATTRIBUTES: &[&str] = &[
    "alt",
    "alttext",
    "aria-hidden",
    "aria-label",
    "aria-modal",
    "class",
    "close",
    "code-language",
    "color",
    "colspan",
    "content",
    "data-lang",
    "data-language",
    "datetime",
    "definitionurl",
    "encoding",
    "epub:type",
    "face",
    "form",
    "hidden",
    "href",
    "http-equiv",
    "id",
    "itemprop",
    "itemtype",
    "lang",
    "linethickness",
    "name",
    "notation",
    "open",
    "property",
    "rel",
    "reversed",
    "role",
    "rowspan",
    "separators",
    "size",
    "src",
    "start",
    "style",
    "title",
    "type",
    "value",
    "xml:lang",
];

/// True if a list of words, such as a class, has one of these.
pub(super) fn has_word(list: &str, words: &[&str]) -> bool {
    list.split_ascii_whitespace().any(|word| words.contains(&word))
}
