//! The settings of cleaning: the recipe, the normal form and the rules that are on.

use super::rules::{CLEAN_RULES, CleanRule, CleanRuleSet};
use crate::model::names;
use crate::model::{RecipeLine, TextKind};
use crate::text::normalize::UnicodeForm;
use serde::Deserialize;

names! {
    /// The recipes. The meaning of a name never changes.
    #[derive(Default)]
    CleanVersion {
        /// White space and normal form.
        V0 = "clean_v0",
        /// The rules of [`CLEAN_RULES`].
        #[default]
        V1 = "clean_v1",
    }
}

/// The settings of cleaning.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CleanOptions {
    /// The recipe.
    pub version: CleanVersion,
    /// The normal form.
    #[serde(rename = "unicode")]
    pub form: UnicodeForm,
    /// How many blank lines may follow each other in prose and markup.
    pub max_blank_lines: usize,
    /// Remove Project Gutenberg's header and footer around a book.
    pub gutenberg: bool,
    /// Form feeds become `--- PAGE ---`.
    pub page_markers: bool,
    /// The enabled rules of `clean_v1`.
    pub rules: CleanRuleSet,
}

impl CleanOptions {
    /// What clean text depends on. Of the rules those that are off: a new one is in the edition of the cleaner.
    pub fn recipe_lines(&self) -> Vec<RecipeLine> {
        let CleanOptions { version, form, max_blank_lines, gutenberg, page_markers, rules } = self;
        let off = CLEAN_RULES.iter().filter(|row| !rules.has(row.rule)).map(|row| row.name);
        vec![
            ("clean.version", version.as_str().to_owned()),
            ("clean.unicode", form.as_str().to_owned()),
            ("clean.max_blank_lines", max_blank_lines.to_string()),
            ("clean.gutenberg", gutenberg.to_string()),
            ("clean.page_markers", page_markers.to_string()),
            ("clean.rules", off.map(|name| format!("no {name}")).collect::<Vec<_>>().join(", ")),
        ]
    }
}

impl Default for CleanOptions {
    fn default() -> CleanOptions {
        CleanOptions {
            version: CleanVersion::default(),
            form: UnicodeForm::default(),
            max_blank_lines: 1,
            page_markers: false,
            gutenberg: false,
            rules: CleanRuleSet::all(),
        }
    }
}

impl CleanOptions {
    /// The name of the recipe, as stored with each text.
    pub fn version(&self) -> &'static str {
        self.version.as_str()
    }

    /// The kind whose white space a text of this kind has: without the rule `blanks`, they are content as in data.
    pub(super) fn white_space_kind(&self, kind: TextKind) -> TextKind {
        if self.has_rule(CleanRule::Blanks, kind) { kind } else { TextKind::Data }
    }

    /// True if the recipe has the rule, and the rule applies to texts of this kind.
    pub(super) fn has_rule(&self, rule: CleanRule, kind: TextKind) -> bool {
        match self.version {
            CleanVersion::V0 => {
                use CleanRule::{BlankLines, Blanks, Controls, LineEnds, Unicode};
                matches!(rule, Controls | Unicode | LineEnds | Blanks | BlankLines)
            }
            // Texts of Project Gutenberg do not divide words: a hyphen at the end of a line belongs to its word.
            CleanVersion::V1 => {
                self.rules.applies(rule, kind) && !(self.gutenberg && rule == CleanRule::Hyphens)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_have_names() {
        for &version in CleanVersion::ALL {
            assert_eq!(CleanVersion::from_name(version.as_str()), Some(version));
        }
        assert_eq!(CleanVersion::from_name("clean_v9"), None);
    }
}
