//! What is kept beside the chunks to find them by: the index on their hashes and the search tables, which a first load
//! builds at its end.

pub(super) mod chunk_hashes;
pub(super) mod load;
pub(super) mod search_builders;
pub(super) mod search_check;
pub(super) mod search_letters;
pub(super) mod search_segments;
pub(super) mod search_tables;
