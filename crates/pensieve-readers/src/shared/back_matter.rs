//! What follows the body of an office document: headers and footers, each once, and comments with their authors.

use crate::markdown::{Block, MarkdownDraft, TextRun, TextStyle, Words};
use crate::settings::OfficeOptions;
use std::collections::HashSet;

/// What a document has besides its body and notes.
#[derive(Debug, Default)]
pub(crate) struct BackMatter {
    /// Headers in the order of their sections.
    pub(crate) headers: Vec<Vec<Block>>,
    /// Footers in the order of their sections.
    pub(crate) footers: Vec<Vec<Block>>,
    /// Comments with the names of their authors, which may be empty.
    pub(crate) comments: Vec<(String, Vec<Block>)>,
}

impl BackMatter {
    /// Writes what the settings ask for.
    pub(crate) fn write(self, draft: &mut MarkdownDraft, options: &OfficeOptions) {
        if options.headers {
            let mut written = HashSet::new();
            for blocks in self.headers.into_iter().chain(self.footers) {
                if written.insert(markdown_of(&blocks)) {
                    blocks.iter().for_each(|block| draft.push(block));
                }
            }
        }
        if options.comments {
            for (author, mut blocks) in self.comments {
                add_author(&author, &mut blocks);
                blocks.iter().for_each(|block| draft.push(block));
            }
        }
    }
}

/// Puts the author of a comment before its first words.
fn add_author(author: &str, blocks: &mut Vec<Block>) {
    match blocks.first_mut() {
        _ if author.is_empty() => {}
        Some(Block::Paragraph(words)) => *words = with_author(author, std::mem::take(words)),
        Some(_) => blocks.insert(0, Block::Paragraph(with_author(author, Words::default()))),
        None => {}
    }
}

/// The words of a comment after the name of its author.
pub(crate) fn with_author(author: &str, mut words: Words) -> Words {
    let style = TextStyle { strong: true, ..TextStyle::default() };
    let name = TextRun { text: format!("{author}:"), style, ..TextRun::default() };
    words.0.splice(0..0, [name, TextRun { text: " ".to_owned(), ..TextRun::default() }]);
    words
}

/// The text of blocks alone, by which headers and footers are compared.
pub(crate) fn markdown_of(blocks: &[Block]) -> String {
    let mut draft = MarkdownDraft::new();
    blocks.iter().for_each(|block| draft.push(block));
    draft.finish().text
}
