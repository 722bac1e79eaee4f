//! Which elements of a page are read: what nobody sees is left out, by style sheets, attributes and colours, and so is what
//! the page shows twice.

pub(super) mod colours;
pub(super) mod concealment;
pub(super) mod content_selection;
pub(super) mod ground;
pub(super) mod hidden;
pub(super) mod hidden_words;
pub(super) mod known_pictures;
pub(super) mod repeated_text;
