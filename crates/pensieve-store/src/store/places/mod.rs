//! Where text comes from, and where else it is: places of chunks, names and ids of documents, citations, repetition.

pub(super) mod chunk_place;
pub(super) mod citation;
pub(super) mod document_address;
pub(super) mod repetition;
