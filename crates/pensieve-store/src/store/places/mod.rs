//! Where a chunk occurs: its places with their names, how they are cited, and how much of them is repeated elsewhere.

pub(super) mod chunk_place;
pub(super) mod citation;
pub(super) mod document_address;
pub(super) mod repetition;
