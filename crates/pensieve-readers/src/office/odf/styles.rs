//! Styles of OpenDocument, as far as Markdown can express them: bold, italic, struck, monospaced, hidden, and the
//! role of a paragraph (a heading, a quotation, code), with inheritance. Sizes, colours and pages are not read.
//!
//! Source: OpenDocument 1.3 part 3, sections 16 (styles), 19.498 (`style:parent-style-name`), 20 (formatting
//! properties).

use super::lists::{ListStyle, read_level};
use crate::limits::odf::{MAX_STYLE_DEPTH, MAX_STYLES};
use crate::markdown::BaselineShift;
use crate::office::story::{CharacterFormat, ParagraphRole, role_of};
use crate::shared::symbols::is_monospaced;
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Families of styles that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum StyleFamily {
    Paragraph,
    Text,
    Other,
}

/// A style with everything that it inherits.
#[derive(Debug, Clone, Default)]
pub(super) struct ResolvedStyle {
    pub format: CharacterFormat,
    pub role: ParagraphRole,
    /// The list style of the paragraph; empty if the style explicitly sets no list.
    pub list: Option<Rc<str>>,
}

#[derive(Debug, Default)]
struct StyleDefinition {
    parent: Option<String>,
    format: CharacterFormat,
    list: Option<Rc<str>>,
    outline: Option<u8>,
}

#[derive(Debug, Default)]
struct StyleSheet {
    styles: HashMap<(StyleFamily, String), StyleDefinition>,
    lists: HashMap<String, Rc<ListStyle>>,
}

/// Which styles: automatic ones belong to one part and may share names with those of another part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StyleScope {
    Common,
    Automatic,
}

#[derive(Debug, Default)]
pub(super) struct Styles {
    common: StyleSheet,
    automatic: StyleSheet,
    outline: Rc<ListStyle>,
    /// A background, or a shape behind the text, may have any colour.
    pub has_backdrop: bool,
    /// The styles of slides that are left out of the show.
    pub hidden_slides: HashSet<String>,
    resolved: HashMap<(StyleFamily, String), Rc<ResolvedStyle>>,
}

impl Styles {
    /// Reads the styles of a part. The automatic styles of an earlier part are forgotten.
    pub fn read(&mut self, part: &str) {
        self.automatic = StyleSheet::default();
        self.resolved.clear();
        let mut scope = StyleScope::Common;
        let mut style: Option<(StyleFamily, String)> = None;
        let mut list: Option<(String, ListStyle)> = None;
        let mut levels = 0;
        let mut name = String::new();
        let mut reader = XmlReader::new(part);
        while let Some(event) = reader.next() {
            match event {
                XmlEvent::Start(tag) => match tag.name() {
                    "body" | "master-styles" | "font-face-decls" => reader.pass(),
                    "styles" => scope = StyleScope::Common,
                    "automatic-styles" => scope = StyleScope::Automatic,
                    "style" if tag.prefix() == "style" => {
                        name = tag.get("name").unwrap_or_default();
                        style = self.add_style(scope, &tag);
                    }
                    "drawing-page-properties" if tag.get("visibility").as_deref() == Some("hidden") => {
                        self.hidden_slides.insert(name.clone());
                    }
                    "page-layout-properties" | "section-properties" => {
                        let look = character_format_of(&tag).look;
                        let is_drawn = tag.get("fill").is_some_and(|fill| fill != "none");
                        self.has_backdrop |= look.on_colour || is_drawn;
                    }
                    "background-image" => self.has_backdrop |= tag.get("href").is_some(),
                    "graphic-properties" => {
                        self.has_backdrop |= tag.get("run-through").as_deref() == Some("background");
                    }
                    "paragraph-properties" => {
                        if let Some(named) =
                            style.as_ref().and_then(|key| self.sheet(scope).styles.get_mut(key))
                        {
                            named.format.look.on_colour |= character_format_of(&tag).look.on_colour;
                        }
                    }
                    "text-properties" => {
                        if let Some(key) = &style
                            && let Some(named) = self.sheet(scope).styles.get_mut(key)
                        {
                            named.format = character_format_of(&tag).over(named.format);
                        }
                        // The same element also sets the format of list markers, which applies to no text.
                    }
                    "list-style" => list = Some((tag.get("name").unwrap_or_default(), ListStyle::default())),
                    "outline-style" => list = Some((String::new(), ListStyle::default())),
                    "list-level-style-number"
                    | "list-level-style-bullet"
                    | "list-level-style-image"
                    | "outline-level-style" => {
                        if let Some((_, list)) = &mut list {
                            levels += 1;
                            read_level(&tag, list);
                        }
                    }
                    _ => {}
                },
                XmlEvent::End("style") => style = None,
                XmlEvent::End("outline-style") => {
                    if let Some((_, read)) = list.take() {
                        self.outline = Rc::new(read);
                    }
                }
                XmlEvent::End("list-style") => {
                    if let Some((name, read)) = list.take()
                        && levels < MAX_STYLES
                    {
                        self.sheet(scope).lists.entry(name).or_insert_with(|| Rc::new(read));
                    }
                }
                XmlEvent::End(_) | XmlEvent::Text { .. } => {}
            }
        }
    }

    fn sheet(&mut self, scope: StyleScope) -> &mut StyleSheet {
        match scope {
            StyleScope::Common => &mut self.common,
            StyleScope::Automatic => &mut self.automatic,
        }
    }

    fn add_style(&mut self, scope: StyleScope, tag: &XmlTag<'_>) -> Option<(StyleFamily, String)> {
        let key = (family_of(&tag.get("family")?), tag.get("name")?);
        let sheet = self.sheet(scope);
        if key.0 == StyleFamily::Other || sheet.styles.len() >= MAX_STYLES {
            return None;
        }
        let named = StyleDefinition {
            parent: tag.get("parent-style-name"),
            format: CharacterFormat::default(),
            list: tag.get("list-style-name").map(Rc::from),
            outline: tag.get("default-outline-level").and_then(|level| level.parse().ok()),
        };
        sheet.styles.insert(key.clone(), named);
        Some(key)
    }

    /// The style of a name with everything that it inherits; empty if there is no such style.
    pub fn resolve(&mut self, family: StyleFamily, name: Option<&str>) -> Rc<ResolvedStyle> {
        let Some(name) = name else { return Rc::default() };
        let key = (family, name.to_owned());
        if let Some(resolved) = self.resolved.get(&key) {
            return resolved.clone();
        }
        let resolved = Rc::new(self.follow(&key));
        if self.resolved.len() < MAX_STYLES {
            self.resolved.insert(key, resolved.clone());
        }
        resolved
    }

    fn follow(&self, key: &(StyleFamily, String)) -> ResolvedStyle {
        let mut resolved = ResolvedStyle::default();
        let mut next = Some(key.1.clone());
        for _ in 0..MAX_STYLE_DEPTH {
            let Some(name) = next.take() else { break };
            if resolved.role == ParagraphRole::Body && key.0 == StyleFamily::Paragraph {
                // `_20_` is a space in the name of a style.
                resolved.role = role_of(&name.replace("_20_", " ")).unwrap_or_default();
            }
            let key = (key.0, name);
            let Some(named) = self.automatic.styles.get(&key).or_else(|| self.common.styles.get(&key)) else {
                break;
            };
            resolved.format = resolved.format.over(named.format);
            resolved.list = resolved.list.take().or_else(|| named.list.clone());
            if resolved.role == ParagraphRole::Body
                && let Some(level) = named.outline
            {
                resolved.role = ParagraphRole::Heading(level);
            }
            next = named.parent.clone().filter(|parent| *parent != key.1);
        }
        resolved
    }

    pub fn list(&self, name: &str) -> Option<Rc<ListStyle>> {
        self.automatic.lists.get(name).or_else(|| self.common.lists.get(name)).cloned()
    }

    /// The numbering of headings.
    pub fn outline(&self) -> Rc<ListStyle> {
        self.outline.clone()
    }
}

fn family_of(name: &str) -> StyleFamily {
    match name {
        "paragraph" => StyleFamily::Paragraph,
        "text" => StyleFamily::Text,
        _ => StyleFamily::Other,
    }
}

fn character_format_of(tag: &XmlTag<'_>) -> CharacterFormat {
    let mut format = CharacterFormat::default();
    for (name, value) in tag.attributes() {
        match name {
            "fo:font-weight" => {
                format.strong =
                    Some(value == "bold" || value.parse::<u32>().is_ok_and(|weight| weight >= 600));
            }
            "fo:font-style" => format.emphasis = Some(matches!(value.as_str(), "italic" | "oblique")),
            "style:text-line-through-style" | "style:text-line-through-type" => {
                format.strike = Some(value != "none" && format.strike != Some(false));
            }
            "style:text-position" => format.shift = Some(BaselineShift::written(&value)),
            "text:display" => format.look.hidden = Some(value == "none"),
            "fo:color" => format.look.set_colour(&value),
            "fo:background-color" => format.look.set_ground(&value),
            // A percentage is a share of a size that is not known.
            "fo:font-size" => {
                let points = value.strip_suffix("pt").and_then(|points| points.parse().ok());
                points.into_iter().for_each(|points| format.look.set_points(points));
            }
            "style:font-name" | "fo:font-family" => {
                format.code = Some(format.code == Some(true) || is_monospaced(&value));
            }
            _ => {}
        }
    }
    format
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: &str = "<d><office:styles>\
        <style:style style:name='Base' style:family='paragraph'><style:text-properties fo:font-weight='bold'/></style:style>\
        <style:style style:name='Heading_20_2' style:family='paragraph' style:parent-style-name='Base'/>\
        <style:style style:name='Loop' style:family='text' style:parent-style-name='Loop'/>\
        </office:styles><office:automatic-styles>\
        <style:style style:name='P1' style:family='paragraph' style:parent-style-name='Heading_20_2' style:list-style-name=''>\
        <style:text-properties fo:font-style='italic' style:text-line-through-style='none' style:text-line-through-type='single'/>\
        </style:style></office:automatic-styles></d>";

    #[test]
    fn styles_inherit() {
        let mut styles = Styles::default();
        styles.read(PART);
        let resolved = styles.resolve(StyleFamily::Paragraph, Some("P1"));
        let style = resolved.format.style();
        assert_eq!((style.strong, style.emphasis, style.strike), (true, true, false));
        assert_eq!(resolved.role, ParagraphRole::Heading(2));
        assert_eq!(resolved.list.as_deref(), Some(""));
        assert_eq!(styles.resolve(StyleFamily::Text, Some("Loop")).role, ParagraphRole::Body);
        assert_eq!(styles.resolve(StyleFamily::Text, Some("None")).role, ParagraphRole::Body);
    }
}
