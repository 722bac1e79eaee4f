//! The state that an RTF group inherits from the one around it: the destination of its text, its character and
//! paragraph formats. Format: Rich Text Format Specification 1.9.1, "Destinations", "Character Formatting",
//! "Paragraph Formatting".

use crate::office::story::CharacterFormat;

/// The destination of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// Into the open flow: the body, a header, a note, ...
    Body,
    Skip,
    /// Nowhere, but groups inside may be read: pictures with their descriptions, the information group.
    Frame,
    /// Nowhere; control words tell what a form field shows.
    FormField,
    /// Into the open formula.
    Formula,
    /// Into the open capture.
    Capture,
    Fonts,
    Colours,
    /// The table of styles, or one of its rows.
    Styles,
    Time,
}

/// What the end of a group completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupRole {
    Nothing,
    Field,
    Formula,
    FormulaElement,
    Style,
    Time(&'static str),
    /// A captured text.
    Capture(CapturePurpose),
    /// A flow of its own.
    Flow(FlowKind),
}

/// The purpose of a captured text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CapturePurpose {
    /// A row of metadata.
    Info(&'static str),
    /// The number or bullet of the paragraph.
    Marker,
    /// The code of the field.
    Code,
    /// The author of the next comment.
    CommentAuthor,
    /// The name of a property of a shape.
    PropertyName,
    /// The value of that property.
    PropertyValue,
}

/// The content of a separate flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlowKind {
    Header,
    Footer,
    /// A footnote or an endnote.
    Note,
    Comment,
    /// The text of a shape.
    TextBox,
}

/// What applies to a run of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RunState {
    pub format: CharacterFormat,
    pub deleted: bool,
    /// Number in the table of fonts; `None` for the default font.
    pub font: Option<i32>,
    /// Number in the table of links, from 1.
    pub link: u32,
}

/// The format of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ParagraphFormat {
    pub in_table: bool,
    /// Depth of the table, if it is set.
    pub depth: Option<u8>,
    /// From 0; 9 is body text.
    pub outline: Option<u8>,
    pub style: i32,
    /// Number of the list; 0 for no list.
    pub list: i32,
    pub level: u8,
    /// A colour other than white is behind it.
    pub on_colour: bool,
}

/// The state inside a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GroupState {
    pub destination: Destination,
    /// The destination to which `\ud` inside `\upr` returns.
    pub outer: Option<Destination>,
    pub role: GroupRole,
    pub run: RunState,
    pub paragraph: ParagraphFormat,
    /// Formulas stand on lines of their own.
    pub in_equations: bool,
    /// How many characters after `\u` replace it in older readers.
    pub fallback: u8,
}

impl GroupState {
    /// The outermost group.
    pub(super) fn root() -> GroupState {
        GroupState {
            destination: Destination::Body,
            outer: None,
            role: GroupRole::Nothing,
            run: RunState::default(),
            paragraph: ParagraphFormat::default(),
            in_equations: false,
            fallback: 1,
        }
    }

    /// A group inside this one.
    pub(super) fn inner(self) -> GroupState {
        GroupState { role: GroupRole::Nothing, ..self }
    }
}

impl ParagraphFormat {
    /// How many tables the paragraph is in.
    pub(super) fn tables(self) -> usize {
        match self.depth {
            Some(depth) if depth > 0 => usize::from(depth),
            _ => usize::from(self.in_table),
        }
    }
}

/// The action of a control word that names a destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DestinationAction {
    /// Text goes to this destination.
    To(Destination),
    /// Text keeps its current destination.
    Through,
    /// A flow begins.
    Flow(FlowKind),
    /// A capture begins.
    Capture(CapturePurpose),
    Time(&'static str),
    Field,
    Formula,
    /// Formulas on lines of their own.
    Equations,
    /// The result of a field begins.
    Result,
    /// A group with a text for older readers and one in Unicode.
    Both,
    /// The text in Unicode.
    Unicode,
}

/// Destinations, sorted by name. An unknown one marked with `\*` is skipped, so only those without that mark, or with
/// text, need a row.
#[rustfmt::skip]
const DESTINATIONS: &[(&[u8], DestinationAction)] = {
    use Destination::*;
    use DestinationAction::*;
    &[
        (b"aftncn", To(Skip)),
        (b"aftnsep", To(Skip)),
        (b"aftnsepc", To(Skip)),
        (b"annotation", DestinationAction::Flow(FlowKind::Comment)),
        (b"atnauthor", DestinationAction::Capture(CapturePurpose::CommentAuthor)),
        (b"atnid", To(Skip)),
        (b"author", DestinationAction::Capture(CapturePurpose::Info("author"))),
        (b"background", To(Skip)),
        (b"bkmkend", To(Skip)),
        (b"bkmkstart", To(Skip)),
        (b"buptim", To(Skip)),
        (b"category", DestinationAction::Capture(CapturePurpose::Info("category"))),
        (b"colortbl", To(Colours)),
        (b"comment", DestinationAction::Capture(CapturePurpose::Info("description"))),
        (b"company", DestinationAction::Capture(CapturePurpose::Info("company"))),
        (b"creatim", DestinationAction::Time("created")),
        (b"datafield", To(Skip)),
        (b"do", Through),
        (b"doccomm", DestinationAction::Capture(CapturePurpose::Info("description"))),
        (b"docvar", To(Skip)),
        (b"dptxbxtext", DestinationAction::Flow(FlowKind::TextBox)),
        (b"falt", To(Skip)),
        (b"field", Field),
        (b"filetbl", To(Skip)),
        (b"fldinst", DestinationAction::Capture(CapturePurpose::Code)),
        (b"fldrslt", Result),
        (b"fldtype", To(Skip)),
        (b"fontemb", To(Skip)),
        (b"fontfile", To(Skip)),
        (b"fonttbl", To(Fonts)),
        (b"footer", DestinationAction::Flow(FlowKind::Footer)),
        (b"footerf", DestinationAction::Flow(FlowKind::Footer)),
        (b"footerl", DestinationAction::Flow(FlowKind::Footer)),
        (b"footerr", DestinationAction::Flow(FlowKind::Footer)),
        (b"footnote", DestinationAction::Flow(FlowKind::Note)),
        (b"formfield", To(FormField)),
        (b"ftncn", To(Skip)),
        (b"ftnsep", To(Skip)),
        (b"ftnsepc", To(Skip)),
        (b"header", DestinationAction::Flow(FlowKind::Header)),
        (b"headerf", DestinationAction::Flow(FlowKind::Header)),
        (b"headerl", DestinationAction::Flow(FlowKind::Header)),
        (b"headerr", DestinationAction::Flow(FlowKind::Header)),
        (b"info", To(Frame)),
        (b"keycode", To(Skip)),
        (b"keywords", DestinationAction::Capture(CapturePurpose::Info("keywords"))),
        (b"list", To(Skip)),
        (b"listlevel", To(Skip)),
        (b"listname", To(Skip)),
        (b"listoverride", To(Skip)),
        (b"listoverridetable", To(Skip)),
        (b"listpicture", To(Skip)),
        (b"listtable", To(Skip)),
        (b"listtext", DestinationAction::Capture(CapturePurpose::Marker)),
        (b"manager", DestinationAction::Capture(CapturePurpose::Info("manager"))),
        (b"mctrlPr", To(Skip)),
        (b"mmathPict", To(Skip)),
        (b"moMath", DestinationAction::Formula),
        (b"moMathPara", Equations),
        (b"nesttableprops", Through),
        (b"nonesttables", To(Skip)),
        (b"nonshppict", To(Skip)),
        (b"objalias", To(Skip)),
        (b"objclass", To(Skip)),
        (b"objdata", To(Skip)),
        (b"object", Through),
        (b"objname", To(Skip)),
        (b"objsect", To(Skip)),
        (b"operator", To(Skip)),
        (b"panose", To(Skip)),
        (b"picprop", Through),
        (b"pict", To(Frame)),
        (b"pntext", DestinationAction::Capture(CapturePurpose::Marker)),
        (b"pntxta", To(Skip)),
        (b"pntxtb", To(Skip)),
        (b"printim", To(Skip)),
        (b"private", To(Skip)),
        (b"result", Through),
        (b"revtbl", To(Skip)),
        (b"revtim", DestinationAction::Time("modified")),
        (b"rxe", To(Skip)),
        (b"shpgrp", Through),
        (b"shpinst", Through),
        (b"shppict", Through),
        (b"shprslt", To(Skip)),
        (b"shptxt", DestinationAction::Flow(FlowKind::TextBox)),
        (b"sn", DestinationAction::Capture(CapturePurpose::PropertyName)),
        (b"sp", To(Frame)),
        (b"stylesheet", To(Styles)),
        (b"subject", DestinationAction::Capture(CapturePurpose::Info("subject"))),
        (b"sv", DestinationAction::Capture(CapturePurpose::PropertyValue)),
        (b"tc", To(Skip)),
        (b"template", To(Skip)),
        (b"title", DestinationAction::Capture(CapturePurpose::Info("title"))),
        (b"txe", To(Skip)),
        (b"ud", Unicode),
        (b"upr", Both),
        (b"userprops", To(Skip)),
        (b"xe", To(Skip)),
    ]
};

/// The action of a control word, if it names a destination.
pub(super) fn opens(word: &[u8]) -> Option<DestinationAction> {
    DESTINATIONS.binary_search_by_key(&word, |row| row.0).ok().map(|at| DESTINATIONS[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_are_sorted() {
        assert!(DESTINATIONS.is_sorted_by(|a, b| a.0 < b.0));
    }
}
