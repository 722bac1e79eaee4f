//! What follows the body of an office document: headers and footers, each once, and comments with their authors.

use crate::markdown::{Block, MarkdownDraft, TextRun, TextStyle, Words};
use crate::settings::OfficeOptions;
use std::collections::HashSet;

/// What a document has beside its body.
#[derive(Debug, Default)]
pub struct After {
    /// Headers in the order of their sections.
    pub headers: Vec<Vec<Block>>,
    /// Footers.
    pub footers: Vec<Vec<Block>>,
    /// Comments with the names of their authors, which may be empty.
    pub comments: Vec<(String, Vec<Block>)>,
}

/// Writes what the settings ask for.
pub fn push_after(draft: &mut MarkdownDraft, after: After, options: &OfficeOptions) {
    let mut seen = HashSet::new();
    if options.headers {
        for blocks in after.headers.into_iter().chain(after.footers) {
            if seen.insert(plain_of(&blocks)) {
                blocks.iter().for_each(|block| draft.push(block));
            }
        }
    }
    if options.comments {
        for (author, mut blocks) in after.comments {
            if !author.is_empty() {
                sign(&author, &mut blocks);
            }
            blocks.iter().for_each(|block| draft.push(block));
        }
    }
}

/// Puts the author before the first words.
fn sign(author: &str, blocks: &mut Vec<Block>) {
    let name = TextRun {
        text: format!("{author}:"),
        style: TextStyle { strong: true, ..TextStyle::default() },
        ..TextRun::default()
    };
    match blocks.first_mut() {
        Some(Block::Paragraph(words)) => {
            words.0.insert(0, TextRun { text: " ".to_owned(), ..TextRun::default() });
            words.0.insert(0, name);
        }
        Some(_) => blocks.insert(0, Block::Paragraph(Words(vec![name]))),
        None => {}
    }
}

/// All words, for comparison.
fn plain_of(blocks: &[Block]) -> String {
    let mut draft = MarkdownDraft::new();
    blocks.iter().for_each(|block| draft.push(block));
    draft.finish().text
}
