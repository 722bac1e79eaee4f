//! Electronic books.

pub mod epub;
pub mod fb2;
pub mod lit;
pub mod mobi;
pub mod palm;
pub mod tcr;
