//! The rules of `clean_v1`, in the order in which they run: name, effect, and the kinds of text that each applies to.
//!
//! Configuration, documentation and the recipe read this one table. It also lists the other rules that a rule needs;
//! the rule is inactive while one of them is off.

use crate::model::TextKind;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A rule of `clean_v1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CleanRule {
    /// Letters that data writes as `\u00f6`.
    Escapes,
    /// UTF-8 that was decoded as CP1252.
    Mojibake,
    /// Invisible characters without meaning.
    Controls,
    /// Soft hyphens inside lines.
    SoftHyphens,
    /// The normal form of `clean.unicode`.
    Unicode,
    /// Pictures and files written as text.
    Base64,
    /// Headers, footers and page numbers.
    PageFurniture,
    /// Form feeds.
    PageBreaks,
    /// Line ends of any system.
    LineEnds,
    /// Columns of tables and indentation of code in prose.
    Shapes,
    /// Runs of blanks.
    Blanks,
    /// Runs of blank lines.
    BlankLines,
    /// Lines that are items of a list.
    Lists,
    /// Words that are divided between two lines.
    Hyphens,
    /// Lines that belong to one paragraph.
    SoftWraps,
}

/// A row of [`CLEAN_RULES`].
#[derive(Debug)]
pub struct CleanRuleRow {
    /// Which rule.
    pub rule: CleanRule,
    /// Its name, as in `[clean.rules]`.
    pub name: &'static str,
    /// Its effect, for people.
    pub does: &'static str,
    /// The kinds of text that it applies to.
    pub kinds: &'static [TextKind],
    /// Rules without which it is inactive.
    pub needs: &'static [CleanRule],
}

const ALL_KINDS: &[TextKind] = &[TextKind::Prose, TextKind::Markup, TextKind::Code, TextKind::Data];
const PROSE_AND_MARKUP: &[TextKind] = &[TextKind::Prose, TextKind::Markup];
const PROSE: &[TextKind] = &[TextKind::Prose];

/// Every rule, in the order in which they run.
pub const CLEAN_RULES: &[CleanRuleRow] = &[
    CleanRuleRow {
        rule: CleanRule::Escapes,
        name: "escapes",
        does: "puts letters and signs in the place of their escapes (`M\\u00f6we` becomes `Möwe`), also in XML and TeX",
        // Source code, and a text about escapes, keep what they write.
        kinds: &[TextKind::Markup, TextKind::Data],
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::Mojibake,
        name: "mojibake",
        does: "repairs UTF-8 that was read as CP1252 (`cafÃ©` becomes `café`), where nothing else can be meant",
        kinds: ALL_KINDS,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::Controls,
        name: "controls",
        does: "takes out control characters, escape sequences of terminals and letters printed over each other; what nobody sees: U+200B, U+2060 to U+2064, inner U+FEFF, overrides of direction, joiners between letters that do not join, tag letters outside of flags; other joiners and bidi marks stay",
        kinds: ALL_KINDS,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::SoftHyphens,
        name: "soft_hyphens",
        does: "takes out soft hyphens; at the end of a line they go with the line end",
        kinds: PROSE_AND_MARKUP,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::Unicode,
        name: "unicode",
        does: "brings characters to the normal form of `clean.unicode`",
        kinds: ALL_KINDS,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::Base64,
        name: "base64",
        does: "takes out base64: 256 or more characters in a row, or 64 after `;base64,`",
        kinds: ALL_KINDS,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::PageFurniture,
        name: "page_furniture",
        does: "takes out headers, footers and page numbers that repeat over pages",
        kinds: PROSE,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::PageBreaks,
        name: "page_breaks",
        does: "makes form feeds `--- PAGE ---` with `clean.page_markers`; else they go",
        kinds: PROSE_AND_MARKUP,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::LineEnds,
        name: "line_ends",
        does: "makes every line end a line feed",
        kinds: ALL_KINDS,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::Shapes,
        name: "shapes",
        does: "keeps the lines and columns of tables that spaces or tabs align, and the indentation of code, YAML and \
               stack traces",
        kinds: PROSE,
        needs: &[CleanRule::LineEnds],
    },
    CleanRuleRow {
        rule: CleanRule::Blanks,
        name: "blanks",
        does: "makes runs of spaces and tabs one space, and takes them away at both ends of a line (prose); \
               takes them away at the end of a line (markup, code)",
        // In data a blank may be part of a value.
        kinds: &[TextKind::Prose, TextKind::Markup, TextKind::Code],
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::BlankLines,
        name: "blank_lines",
        does: "leaves at most `clean.max_blank_lines` blank lines in a row",
        kinds: PROSE_AND_MARKUP,
        // A line of spaces is blank only without them.
        needs: &[CleanRule::Blanks],
    },
    CleanRuleRow {
        rule: CleanRule::Lists,
        name: "lists",
        does: "keeps the lines of list items (`-`, `*`, `•`, `1.`, `a)`) apart where lines are joined",
        kinds: PROSE,
        needs: &[],
    },
    CleanRuleRow {
        rule: CleanRule::Hyphens,
        name: "hyphens",
        does: "joins words that a hyphen divides between two lines; real compounds keep their hyphen",
        kinds: PROSE,
        needs: &[CleanRule::LineEnds, CleanRule::Blanks],
    },
    CleanRuleRow {
        rule: CleanRule::SoftWraps,
        name: "soft_wraps",
        does: "joins the lines of a paragraph; verse, tables, code and addresses keep their lines",
        kinds: PROSE,
        needs: &[CleanRule::LineEnds, CleanRule::Blanks],
    },
];

/// Which rules are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<String, bool>")]
pub struct CleanRuleSet {
    off: u32,
}

impl Default for CleanRuleSet {
    fn default() -> CleanRuleSet {
        CleanRuleSet::all()
    }
}

/// By names of rules; those that it does not name are on.
impl From<BTreeMap<String, bool>> for CleanRuleSet {
    fn from(named: BTreeMap<String, bool>) -> CleanRuleSet {
        let is_on = |name: &str| named.get(name).is_none_or(|is_on| *is_on);
        CLEAN_RULES.iter().fold(CleanRuleSet::all(), |rules, row| rules.with(row.rule, is_on(row.name)))
    }
}

impl CleanRuleSet {
    /// Every rule.
    pub const fn all() -> CleanRuleSet {
        CleanRuleSet { off: 0 }
    }

    /// The same with one rule on or off.
    pub const fn with(self, rule: CleanRule, is_on: bool) -> CleanRuleSet {
        let bit = 1 << rule as u32;
        CleanRuleSet { off: if is_on { self.off & !bit } else { self.off | bit } }
    }

    /// Only this rule and those that it needs.
    pub fn only(rule: CleanRule) -> CleanRuleSet {
        let needs = CLEAN_RULES.iter().find(|row| row.rule == rule).map_or(&[][..], |row| row.needs);
        let is_off = |row: &&CleanRuleRow| row.rule != rule && !needs.contains(&row.rule);
        CLEAN_RULES.iter().filter(is_off).fold(CleanRuleSet::all(), |set, row| set.with(row.rule, false))
    }

    /// True unless the rule was switched off.
    pub const fn has(self, rule: CleanRule) -> bool {
        self.off >> rule as u32 & 1 == 0
    }

    /// True if the rule and those that it needs are on, and it applies to texts of this kind.
    pub(super) fn applies(self, rule: CleanRule, kind: TextKind) -> bool {
        let row = CLEAN_RULES.iter().find(|row| row.rule == rule);
        row.is_some_and(|row| row.kinds.contains(&kind) && row.needs.iter().all(|&need| self.has(need)))
            && self.has(rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_one_row_and_one_name() {
        for (at, row) in CLEAN_RULES.iter().enumerate() {
            assert_eq!(row.rule as usize, at, "{} stands where the enum has it", row.name);
            assert!(
                CLEAN_RULES[..at].iter().all(|other| other.name != row.name),
                "{} stands twice",
                row.name
            );
            assert!(!row.kinds.is_empty() && row.needs.iter().all(|&need| (need as usize) < at));
        }
    }

    #[test]
    fn a_rule_is_inactive_without_the_rules_that_it_needs() {
        let all = CleanRuleSet::all();
        assert!(
            all.applies(CleanRule::Hyphens, TextKind::Prose)
                && !all.applies(CleanRule::Hyphens, TextKind::Code)
        );
        assert!(!all.with(CleanRule::Hyphens, false).applies(CleanRule::Hyphens, TextKind::Prose));
        assert!(!all.with(CleanRule::LineEnds, false).applies(CleanRule::Hyphens, TextKind::Prose));
        assert!(CleanRuleSet::only(CleanRule::Hyphens).applies(CleanRule::Hyphens, TextKind::Prose));
        assert!(!CleanRuleSet::only(CleanRule::Hyphens).has(CleanRule::SoftWraps));
        assert_eq!(all.with(CleanRule::Blanks, false).with(CleanRule::Blanks, true), all);
    }
}
