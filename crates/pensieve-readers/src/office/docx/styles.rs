//! Styles: the role of a paragraph, and the format of its words.
//!
//! Owns the inheritance between styles. Bold and italics of paragraph styles are layout, not emphasis, and
//! left out. Source: ECMA-376 part 1, section 17.7.

use super::properties::{ListPosition, paragraph_properties, run_properties};
use crate::limits::docx::{MAX_STYLE_DEPTH, MAX_STYLES};
use crate::office::story::{CharacterFormat, ParagraphRole, TextLook, role_of};
use crate::shared::xml::{XmlEvent, XmlReader};
use std::collections::HashMap;

/// A style with everything that it inherits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ResolvedStyle {
    pub role: ParagraphRole,
    pub place: ListPosition,
    pub format: CharacterFormat,
}

#[derive(Debug, Default)]
struct StyleDefinition {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    place: ListPosition,
    format: CharacterFormat,
    /// What is behind the words of its paragraphs.
    ground: TextLook,
}

#[derive(Debug, Default)]
pub(super) struct Styles {
    definitions: HashMap<String, StyleDefinition>,
    resolved: HashMap<String, ResolvedStyle>,
    default_paragraph: Option<String>,
    /// The format of everything, before any style.
    defaults: CharacterFormat,
}

impl Styles {
    /// Reads the part of styles.
    pub fn read(source: &str) -> Styles {
        let mut styles = Styles::default();
        let mut reader = XmlReader::new(source);
        while let Some(event) = reader.next() {
            let XmlEvent::Start(tag) = event else { continue };
            match tag.name() {
                "rPrDefault" => styles.defaults = run_properties(&mut reader).format,
                "style" if styles.definitions.len() < MAX_STYLES => {
                    let id = tag.get("styleId").unwrap_or_default();
                    let is_default = matches!(tag.get("default").as_deref(), Some("1" | "true" | "on"));
                    if is_default && tag.get("type").as_deref() == Some("paragraph") {
                        styles.default_paragraph = Some(id.clone());
                    }
                    styles.definitions.insert(id, definition(&mut reader));
                }
                _ => {}
            }
        }
        styles
    }

    /// A paragraph style; the default one if no style is named.
    pub fn paragraph(&mut self, id: Option<&str>) -> ResolvedStyle {
        match id.map(str::to_owned).or_else(|| self.default_paragraph.clone()) {
            Some(id) => self.resolve(&id),
            None => ResolvedStyle { format: self.defaults, ..ResolvedStyle::default() },
        }
    }

    /// The format of words in a character style.
    pub fn characters(&mut self, id: &str) -> CharacterFormat {
        let style = self.resolve(id);
        let mut format = style.format;
        // A value that comes from the defaults is not set by the style.
        if format.code == self.defaults.code {
            format.code = None;
        }
        if style.role == ParagraphRole::Code {
            format.code = Some(true);
        }
        format
    }

    fn resolve(&mut self, id: &str) -> ResolvedStyle {
        if let Some(style) = self.resolved.get(id) {
            return *style;
        }
        let mut style = ResolvedStyle::default();
        let mut role = None;
        let mut next = Some(id);
        // A style that is used but not defined is identified by its id.
        if !self.definitions.contains_key(id) {
            role = role_of(id);
        }
        for _ in 0..MAX_STYLE_DEPTH {
            let Some(definition) = next.and_then(|id| self.definitions.get(id)) else { break };
            role = role.or(match definition.outline {
                Some(level @ 0..=8) => Some(ParagraphRole::Heading(level + 1)),
                Some(_) => Some(ParagraphRole::Body),
                None => role_of(&definition.name),
            });
            style.place.list = style.place.list.or(definition.place.list);
            style.place.level = style.place.level.or(definition.place.level);
            style.format = style.format.over(definition.format);
            style.format.look.on_colour |= definition.ground.on_colour;
            next = definition.based_on.as_deref();
        }
        style.role = role.unwrap_or_default();
        style.format = style.format.over(self.defaults);
        self.resolved.insert(id.to_owned(), style);
        style
    }

    /// The list of a style, for lists that are defined by a style.
    pub fn list_of(&mut self, id: &str) -> Option<u32> {
        self.resolve(id).place.list
    }
}

fn definition(reader: &mut XmlReader<'_>) -> StyleDefinition {
    let mut definition = StyleDefinition::default();
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "name" => definition.name = tag.get("val").unwrap_or_default(),
            "basedOn" => definition.based_on = tag.get("val"),
            "pPr" => {
                let properties = paragraph_properties(reader);
                definition.outline = properties.outline;
                definition.place = properties.place;
                definition.ground = properties.look;
            }
            "rPr" => definition.format = run_properties(reader).format,
            // The format of parts of tables.
            "tblStylePr" => reader.pass(),
            _ => {}
        }
    }
    definition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_come_by_outline_name_and_inheritance() {
        let mut styles = Styles::read(
            "<styles><docDefaults><rPrDefault><rPr><rFonts ascii='Arial'/></rPr></rPrDefault></docDefaults>\
             <style type='paragraph' default='1' styleId='a'><name val='Normal'/></style>\
             <style styleId='1'><name val='Überschrift 2'/></style>\
             <style styleId='mine'><name val='Mine'/><basedOn val='1'/></style>\
             <style styleId='toc'><name val='TOC Heading'/><basedOn val='1'/><pPr><outlineLvl val='9'/></pPr></style>\
             <style styleId='x'><name val='X'/><basedOn val='y'/><pPr><outlineLvl val='0'/><numPr><numId val='4'/></numPr></pPr></style>\
             <style styleId='y'><name val='Source Code'/><basedOn val='x'/><rPr><rFonts ascii='Consolas'/></rPr></style></styles>",
        );
        let mut role = |id: &str| styles.paragraph(Some(id)).role;
        assert_eq!(role("mine"), ParagraphRole::Heading(2));
        assert_eq!(role("toc"), ParagraphRole::Body);
        assert_eq!(role("x"), ParagraphRole::Heading(1));
        assert_eq!(role("y"), ParagraphRole::Code);
        assert_eq!(role("Heading3"), ParagraphRole::Heading(3));
        assert_eq!(styles.list_of("y"), Some(4));
        assert_eq!(styles.characters("y").code, Some(true));
        assert_eq!(styles.characters("x").code, Some(true));
        assert_eq!(styles.paragraph(None).format.code, Some(false));
    }

    /// Styles, each based on the one after it; the last has a list.
    fn chain(length: usize) -> Styles {
        let style = |at: usize| {
            let more = match at + 1 == length {
                true => "<pPr><numPr><numId val='4'/></numPr></pPr>".to_owned(),
                false => format!("<basedOn val='s{}'/>", at + 1),
            };
            format!("<style styleId='s{at}'><name val='x'/>{more}</style>")
        };
        Styles::read(&format!("<styles>{}</styles>", (0..length).map(style).collect::<String>()))
    }

    #[test]
    fn styles_far_up_are_not_inherited() {
        assert_eq!(chain(MAX_STYLE_DEPTH).list_of("s0"), Some(4));
        assert_eq!(chain(MAX_STYLE_DEPTH + 1).list_of("s0"), None);
        assert_eq!(chain(MAX_STYLE_DEPTH + 1).list_of("s1"), Some(4));
    }

    #[test]
    fn styles_beyond_the_limit_are_known_by_their_names_alone() {
        let last = |count: usize| chain(count).list_of(&format!("s{}", count - 1));
        assert_eq!((last(MAX_STYLES), last(MAX_STYLES + 1)), (Some(4), None));
    }

    #[test]
    fn the_default_style_is_one_of_paragraphs() {
        for (attributes, role) in [
            ("type='paragraph' default='1'", ParagraphRole::Quote),
            ("type='paragraph' default='true'", ParagraphRole::Quote),
            ("type='paragraph' default='on'", ParagraphRole::Quote),
            ("type='paragraph' default='0'", ParagraphRole::Body),
            ("type='paragraph'", ParagraphRole::Body),
            ("type='character' default='1'", ParagraphRole::Body),
        ] {
            let style = format!("<style {attributes} styleId='q'><name val='Quote'/></style>");
            let mut styles = Styles::read(&format!("<styles>{style}</styles>"));
            assert_eq!(styles.paragraph(None).role, role, "{attributes}");
            assert_eq!(styles.paragraph(Some("x")).role, ParagraphRole::Body);
        }
    }

    #[test]
    fn outlines_are_stronger_than_names_and_own_values_than_inherited_ones() {
        let outline = |level: u8| format!("<pPr><outlineLvl val='{level}'/></pPr>");
        let style = |id: &str, base: &str, inside: &str| {
            format!("<style styleId='{id}'><name val='Quote'/><basedOn val='{base}'/>{inside}</style>")
        };
        let place = |list: u8, level: u8| {
            format!("<pPr><numPr><ilvl val='{level}'/><numId val='{list}'/></numPr></pPr>")
        };
        let part = "<tblStylePr><pPr><outlineLvl val='2'/></pPr></tblStylePr>";
        let all = [
            style("a", "", &outline(0)),
            style("b", "", &outline(8)),
            style("c", "", &outline(9)),
            style("d", "", &place(3, 1)),
            style("e", "d", &place(5, 2)),
            style("f", "e", part),
        ];
        let mut styles = Styles::read(&format!("<styles>{}</styles>", all.concat()));
        let mut role = |id: &str| styles.paragraph(Some(id)).role;
        let headings = [ParagraphRole::Heading(1), ParagraphRole::Heading(9), ParagraphRole::Body];
        assert_eq!([role("a"), role("b"), role("c")], headings);
        assert_eq!(role("f"), ParagraphRole::Quote);
        let mut place = |id: &str| {
            let place = styles.paragraph(Some(id)).place;
            (place.list, place.level)
        };
        assert_eq!([place("d"), place("f")].map(|place| place.0), [Some(3), Some(5)]);
        assert_ne!(place("d").1, place("f").1);
    }
}
