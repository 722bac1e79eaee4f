//! Lines: spans on one baseline, and what the form of a line says of it, such as a bullet, a number or a listing.

pub(super) mod bullets;
pub(super) mod heading_number;
pub(super) mod index_entry;
pub(super) mod leaders;
pub(super) mod line_measure;
pub(super) mod line_numbers;
pub(super) mod list_items;
pub(super) mod listings;
pub(super) mod scripts;
pub(super) mod table_numbers;
pub(super) mod text_line;
pub(super) mod vertical_lines;
pub(super) mod vocabulary;
