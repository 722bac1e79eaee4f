//! The numbers of elements and attributes in LIT books, with their names.
//!
//! The numbers were found by making books with every element and attribute and examining the result; elements of HTML
//! are in the order of their names. Attributes that do not affect text are left out.

/// Elements and attributes of one kind of document.
#[derive(Debug)]
pub(super) struct MarkupNames {
    elements: &'static [&'static str],
    /// Element, number and name; element 0 means all elements.
    attributes: &'static [(u32, u32, &'static str)],
}

impl MarkupNames {
    /// The name of an element.
    pub(super) fn element(&self, number: u32) -> Option<&'static str> {
        self.elements.get(number as usize).copied().filter(|name| !name.is_empty())
    }

    /// The name of an attribute of an element.
    pub(super) fn attribute(&self, element: u32, number: u32) -> Option<&'static str> {
        let is_it = |row: &&(u32, u32, &str)| row.1 == number && (row.0 == element || row.0 == 0);
        self.attributes.iter().find(is_it).map(|row| row.2)
    }
}

/// Pages.
#[rustfmt::skip]
pub(super) const PAGE: MarkupNames = MarkupNames {
    elements: &[
        "", "", "", "a", "acronym", "address", "applet", "area", "b", "base", "basefont", "bdo", "bgsound", "big",
        "blink", "blockquote", "body", "br", "button", "caption", "center", "cite", "code", "col", "colgroup", "", "",
        "dd", "del", "dfn", "dir", "div", "dl", "dt", "em", "embed", "fieldset", "font", "form", "frame", "frameset",
        "", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "html", "i", "iframe", "img", "input", "ins", "kbd",
        "label", "legend", "li", "link", "pre", "map", "marquee", "menu", "meta", "nextid", "nobr", "noembed",
        "noframes", "noscript", "object", "ol", "option", "p", "param", "pre", "pre", "q", "rp", "rt", "ruby", "s",
        "samp", "script", "select", "small", "span", "strike", "strong", "style", "sub", "sup", "table", "tbody", "",
        "td", "textarea", "tfoot", "th", "thead", "title", "tr", "tt", "u", "ul", "var", "wbr",
    ],
    attributes: &[
        (0, 0x8001, "name"), (0, 0x8046, "title"), (0, 0x83ea, "class"), (0, 0x83eb, "id"), (0, 0x9392, "lang"),
        (0, 0x93fe, "dir"),
        (3, 1, "href"), (7, 1, "href"), (7, 1006, "alt"), (23, 1002, "span"), (24, 1002, "span"), (53, 1003, "alt"),
        (54, 2011, "alt"), (59, 1002, "value"), (65, 1003, "content"), (72, 1004, "start"), (73, 1003, "value"),
        (96, 2002, "rowspan"), (96, 2003, "colspan"), (99, 2002, "rowspan"), (99, 2003, "colspan"),
    ],
};

/// Package documents.
#[rustfmt::skip]
pub(super) const PACKAGE: MarkupNames = MarkupNames {
    elements: &[
        "", "package", "title", "creator", "", "", "", "", "", "", "", "", "", "", "", "", "manifest", "item", "spine",
        "itemref", "metadata", "dc-metadata", "subject", "description", "publisher", "contributor", "date", "type",
        "format", "identifier", "source", "language", "relation", "coverage", "rights", "x-metadata", "meta", "tours",
        "tour", "site", "guide", "reference",
    ],
    attributes: &[
        (0, 6, "id"), (0, 7, "href"), (0, 8, "media-type"), (0, 10, "idref"), (0, 13, "role"), (0, 14, "file-as"),
        (0, 16, "scheme"), (0, 17, "title"), (0, 18, "type"), (0, 20, "name"), (0, 21, "content"),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_names() {
        let check = |names: &MarkupNames, number: u32, expected: Option<&str>| {
            assert_eq!(names.element(number), expected)
        };
        check(&PAGE, 3, Some("a"));
        check(&PAGE, 47, Some("h6"));
        check(&PAGE, 96, Some("td"));
        check(&PAGE, 107, Some("wbr"));
        check(&PAGE, 108, None);
        check(&PACKAGE, 41, Some("reference"));
        assert_eq!(PAGE.attribute(96, 2003), Some("colspan"));
        assert_eq!(PAGE.attribute(74, 0x83eb), Some("id"));
        assert_eq!(PAGE.attribute(74, 2003), None);
    }
}
