//! Charts and diagrams of a slide. Their words follow the slide's own, each below a label: where they stand on the slide
//! is not where a reader of the text looks for them, and their items are no items of the slide.

use crate::markdown::{Block, TextRun, TextStyle, Words};
use crate::shared::opc::{OpcPackage, drawing};

/// What a drawing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DrawingKind {
    Chart,
    /// SmartArt.
    Diagram,
}

impl DrawingKind {
    /// The words of a drawing below its label; nothing if its part has no words.
    pub fn read(self, package: &mut OpcPackage<'_>, part: &str) -> Vec<Block> {
        match self {
            DrawingKind::Chart => labelled("Chart:", drawing::chart(package, part)),
            DrawingKind::Diagram => labelled("Diagram:", drawing::diagram(package, part)),
        }
    }
}

/// Puts a label before the first paragraph, which is the title of a chart, or above the first item.
fn labelled(label: &str, mut blocks: Vec<Block>) -> Vec<Block> {
    let style = TextStyle { strong: true, ..TextStyle::default() };
    let label = TextRun { text: label.to_owned(), style, ..TextRun::default() };
    match blocks.first_mut() {
        None => {}
        Some(Block::Paragraph(words)) => {
            let space = TextRun { text: " ".to_owned(), ..TextRun::default() };
            words.0.splice(0..0, [label, space]);
        }
        Some(_) => blocks.insert(0, Block::Paragraph(Words(vec![label]))),
    }
    blocks
}
