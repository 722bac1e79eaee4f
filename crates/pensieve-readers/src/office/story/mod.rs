//! What office formats have in common between their own records and Markdown: the format of characters, the roles of
//! paragraphs, the numbers of lists, tables with merged cells, streams of paragraphs.
//!
//! A reader says what its format says; what that means for headings, items, code, hidden words and cells is decided here,
//! once for all of them.

mod character_format;
mod flow;
mod lists;
mod paragraph;
mod tables;
mod text_look;

pub(crate) use character_format::CharacterFormat;
pub(crate) use flow::{CellShape, NumberedBlock, ParagraphRange, ParagraphStream};
pub(crate) use lists::{LEVEL_COUNT, ListCounters, ListLevel, WORD_FORMATS};
pub(crate) use paragraph::{Paragraph, ParagraphRole, role_of};
pub(crate) use tables::{OpenCell, OpenRow, TableBuilder, flatten_code};
pub(crate) use text_look::{MIN_WHITE, TextLook};
