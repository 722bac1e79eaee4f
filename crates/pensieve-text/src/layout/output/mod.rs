//! What comes out: the text of each section in paragraphs and sentences, its units in order, and the audits of them.

pub(super) mod audit;
pub(super) mod batch;
pub(super) mod counters;
pub(super) mod list_levels;
pub(super) mod paragraph_flow;
pub(super) mod section_text;
pub(super) mod serializer;
pub(super) mod table_captions;
pub(super) mod units;
