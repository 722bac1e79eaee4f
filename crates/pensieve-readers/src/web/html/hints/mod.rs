//! What names, words and forms of elements say of them: the kind of a page, prose, formulas, quotes of mails.

pub(super) mod formula_forms;
pub(super) mod mail_marks;
pub(super) mod name_hints;
pub(super) mod name_words;
pub(super) mod page_kind;
pub(super) mod prose;
pub(super) mod word_tables;
