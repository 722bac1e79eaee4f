//! Electronic books.

pub mod epub;
pub mod fb2;
pub mod lit;
pub(crate) mod mobi;
pub(crate) mod palm;
pub(crate) mod palm_database;
pub mod palm_or_mobi;
pub(crate) mod palmdoc_lz;
pub mod tcr;
