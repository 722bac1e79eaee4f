//! Laws that hold on random pages, and pages of which each shows a rule.

pub(crate) mod laws;
mod page_cases;
