//! The layout of paged documents: separates running prose from everything else, in one order that audits check.
//!
//! Pages come in as spans of text with the shapes drawn around them ([`LayoutPage`]) and leave as [`LayoutUnit`]s: a
//! section's MAIN, then its AUX, sentence by sentence, each with its page and box. Each step has a file of its own: a
//! page in reading order ([`ordered_page`]), headers and footers, blocks, body style, headings, classes, ownership of
//! sections, paragraphs, the serializer, the audits. There are fixed rules and thresholds only; [`LayoutOptions`]
//! contains every number.
//!
//! [`LayoutComposer`] lays out a document in batches of a few thousand pages at most, so that memory does not grow
//! with the document. Nothing here depends on files, clocks or the format that the pages came from.

mod audit;
mod batch;
pub mod bidi;
mod block;
mod block_class;
mod body_style;
mod bounds;
mod bullets;
mod classify;
mod composer;
mod counters;
mod cues;
mod front_matter;
mod furniture;
mod furniture_line;
mod furniture_places;
mod grid_cells;
mod heading_levels;
mod heading_number;
mod headings;
mod insets;
mod leaders;
mod letter_tally;
mod line_measure;
mod line_numbers;
mod lines;
mod list_items;
mod list_levels;
mod listings;
mod margin_notes;
mod options;
mod ordered_page;
mod ownership;
mod page;
mod paragraph_flow;
mod plain_paragraphs;
mod positioned_span;
mod reading;
mod rule_tables;
mod running_heads;
mod scripts;
mod section_styles;
mod section_text;
mod serializer;
mod stage;
mod stems;
mod table;
mod table_bands;
mod table_captions;
mod table_draft;
mod table_frame;
mod table_numbers;
mod table_pieces;
mod table_rows;
mod typefaces;
mod units;
mod vertical_lines;
mod vocabulary;
mod watermarks;

#[cfg(test)]
pub(crate) mod laws;
#[cfg(test)]
mod page_cases;

pub use audit::{
    ChunkContents, ChunkSentence, LayoutAudit, LayoutViolation, coverage, isolation, phase, wrapping,
};
pub use batch::LayoutBatch;
pub use block_class::{BlockClass, BlockClasses, ClassReason, ClassRule};
pub use bounds::Bounds;
pub use composer::LayoutComposer;
pub use counters::LayoutCounters;
pub use furniture::{FurnitureBand, SuppressedLine};
pub use headings::OutlineEntry;
pub use options::{LayoutOptions, WindowOptions};
pub use page::{FontFace, LayoutPage, PageNote, PageShape, ShapeKind, SpanGap, TextSpan, TextTag};
pub use plain_paragraphs::{PlainParagraph, paragraphs};
pub use stage::{LayoutStage, StageObserver};
pub(crate) use table_captions::is_table_caption;
pub use units::{LayoutUnit, OrderKey, PlacedSpan, UnitMarks, UnitSeparator, UnitWriter};
