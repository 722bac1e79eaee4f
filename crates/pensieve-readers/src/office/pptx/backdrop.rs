//! What lies behind the words of a slide: whether nothing but its paper can be there.

use crate::shared::xml::{XmlEvent, XmlReader};

/// A colour of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordColour {
    /// That of the paper, by its name in the theme.
    Paper,
    White,
    Other,
}

impl WordColour {
    /// The colour of an element inside a fill.
    pub fn of(name: &str, value: &str) -> WordColour {
        match (name, value) {
            ("schemeClr", "bg1" | "lt1") => WordColour::Paper,
            ("srgbClr", value) if value.eq_ignore_ascii_case("ffffff") => WordColour::White,
            ("prstClr", "white") | ("sysClr", "window") => WordColour::White,
            _ => WordColour::Other,
        }
    }
}

/// True if a slide, a layout or a master paints no area: no picture, no fill of a shape, a cell or the background, no
/// other colours of the theme. Tables and charts have fills of their styles.
pub(super) fn is_plain(source: &str) -> bool {
    let mut open: Vec<String> = Vec::new();
    for event in XmlReader::new(source) {
        match event {
            XmlEvent::Start(tag) => {
                let parent = open.last().map_or("", String::as_str);
                let is_area = matches!(parent, "spPr" | "grpSpPr" | "tcPr" | "bgPr");
                let paints = match tag.name() {
                    "pic" | "graphicFrame" | "blipFill" | "overrideClrMapping" => true,
                    "solidFill" | "gradFill" | "pattFill" => is_area,
                    "fillRef" => tag.get("idx").is_some_and(|index| index != "0"),
                    "clrMap" => tag.get("bg1").is_some_and(|colour| colour != "lt1"),
                    "schemeClr" if parent == "bgRef" => {
                        tag.get("val").is_none_or(|colour| !matches!(colour.as_str(), "bg1" | "lt1"))
                    }
                    "srgbClr" | "sysClr" | "prstClr" => parent == "bgRef",
                    _ => false,
                };
                if paints {
                    return false;
                }
                open.push(tag.name().to_owned());
            }
            XmlEvent::End(_) => drop(open.pop()),
            XmlEvent::Text { .. } => {}
        }
    }
    true
}

/// True if the paper of a theme is white.
pub(super) fn is_white(theme: &str) -> bool {
    let mut is_paper = false;
    for event in XmlReader::new(theme) {
        let XmlEvent::Start(tag) = event else { continue };
        if is_paper {
            let colour = tag.get("val").unwrap_or_default();
            return WordColour::of(tag.name(), &colour) == WordColour::White;
        }
        is_paper = tag.name() == "lt1";
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_seen() {
        let check = |inside: &str, expected: bool| {
            assert_eq!(is_plain(&format!("<p:sld><p:sp>{inside}</p:sp></p:sld>")), expected, "{inside}");
        };
        let white = "<a:solidFill><a:srgbClr val='FFFFFF'/></a:solidFill>";
        check("<p:spPr><a:noFill/></p:spPr>", true);
        check(&format!("<a:rPr>{white}</a:rPr>"), true);
        check(&format!("<p:spPr><a:ln>{white}</a:ln></p:spPr>"), true);
        check(&format!("<p:spPr>{white}</p:spPr>"), false);
        check("<p:pic/>", false);
        check("<p:style><a:fillRef idx='0'/></p:style>", true);
        check("<p:style><a:fillRef idx='1'/></p:style>", false);
        check("<p:bgRef idx='1001'><a:schemeClr val='bg1'/></p:bgRef>", true);
        check("<p:bgRef idx='1001'><a:schemeClr val='accent1'/></p:bgRef>", false);
        check("<p:clrMap bg1='lt1'/>", true);
        check("<p:clrMap bg1='dk1'/>", false);
    }

    #[test]
    fn paper_is_a_colour_of_the_theme() {
        assert!(is_white("<a:dk1><a:x/></a:dk1><a:lt1><a:sysClr val='window' lastClr='FFFFFF'/></a:lt1>"));
        assert!(is_white("<a:lt1><a:srgbClr val='ffffff'/></a:lt1>"));
        assert!(!is_white(
            "<a:lt1><a:srgbClr val='101010'/></a:lt1><a:lt2><a:srgbClr val='FFFFFF'/></a:lt2>"
        ));
        assert!(!is_white("<a:theme/>"));
    }
}
