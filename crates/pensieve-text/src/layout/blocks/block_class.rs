//! The class of a block, and the rules that led to it.

use crate::model::{AuxKind, names};
use rustc_hash::FxHashMap;
use std::fmt;

/// The class of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlockClass {
    /// Running prose.
    #[default]
    Main,
    /// A heading of this level.
    Heading(u8),
    /// Anything else, by its kind.
    Aux(AuxKind),
}

/// One rule applied to a block.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassReason {
    /// The rule.
    pub rule: ClassRule,
    /// The measured value.
    pub found: f32,
    /// The allowed range: from, to.
    pub wanted: (f32, f32),
    /// True if the block may be MAIN by this rule.
    pub holds: bool,
}

names! {
    /// The rules of classification.
    ClassRule {
        /// Percent of the block's width that lies inside its column.
        ColumnOverlap = "column_overlap",
        /// Percent of the column's width that wrapped lines reach.
        ColumnWidth = "column_width",
        /// Percent of the body's font size.
        FontSize = "font_size",
        /// Percent of the body's line distance.
        LineHeight = "line_height",
        /// Characters per font size of width, against the percentiles.
        Density = "density",
        /// It does not begin with a cue.
        Cue = "cue",
        /// It is not in a box.
        Box = "box",
        /// It is not a table.
        Table = "table",
        /// It runs in the direction of the page.
        Direction = "direction",
        /// It is not a note below the text.
        Footnote = "footnote",
        /// It is not below a heading such as `Exercises`.
        Section = "section",
        /// It is a heading by its font, or by the outline.
        Heading = "heading",
        /// It is running text before the body of a document, such as an abstract.
        FrontMatter = "front_matter",
        /// The file does not say that it is a caption or a note.
        Tag = "tag",
        /// The document is not prose, and no rule applies.
        Plain = "plain",
    }
}

impl fmt::Display for ClassReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: f32| match value.is_finite() {
            true => format!("{:.1}", value).trim_end_matches(".0").to_owned(),
            false => "any".to_owned(),
        };
        let verdict = if self.holds { "holds" } else { "fails" };
        let name = self.rule.as_str();
        match self.rule {
            ClassRule::ColumnOverlap
            | ClassRule::ColumnWidth
            | ClassRule::FontSize
            | ClassRule::LineHeight
            | ClassRule::Density
            | ClassRule::Heading => {
                let (from, to) = self.wanted;
                write!(f, "{name} {} in {}..{} {verdict}", number(self.found), number(from), number(to))
            }
            _ => write!(f, "{name} {verdict}"),
        }
    }
}

/// The classes of a document's blocks.
#[derive(Debug, Clone, Default)]
pub struct BlockClasses {
    /// The class of each block, with its reasons.
    pub of: Vec<(BlockClass, Vec<ClassReason>)>,
    /// True if the document is running prose.
    pub is_prose: bool,
    /// Labels of captions, by block: `figure 2.1`.
    pub(crate) labels: FxHashMap<usize, String>,
}
