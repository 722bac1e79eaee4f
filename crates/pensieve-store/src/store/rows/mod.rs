//! How rows hold what they hold: statements, times, packed texts, columns of places, names of members, and the digests over
//! all of it.

pub(super) mod digest_lines;
pub(super) mod digests;
pub(super) mod document_fields;
pub(super) mod fingerprint;
pub(super) mod hidden_text;
pub(super) mod member_names;
pub(super) mod place_columns;
pub(super) mod sql;
pub(super) mod text_packing;
pub(super) mod time;
