//! Lines that belong together as blocks, and what each block is: body text, a heading, an aside of a section.

pub(super) mod block;
pub(super) mod block_class;
pub(super) mod body_style;
pub(super) mod classify;
pub(super) mod front_matter;
pub(super) mod heading_levels;
pub(super) mod headings;
pub(super) mod ownership;
pub(super) mod section_styles;
