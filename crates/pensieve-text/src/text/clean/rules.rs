//! The rules of `clean_v1`, in the order in which they work: names, what each does, and to which texts.
//!
//! Configuration, documentation and the recipe read this one table. What a rule needs of another is said here too:
//! a rule rests while one that it needs is off.

use crate::model::TextKind;

/// A rule of `clean_v1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// UTF-8 that was read as CP1252.
    Mojibake,
    /// Invisible characters that carry nothing.
    Controls,
    /// The normal form of `clean.unicode`.
    Unicode,
    /// Headers, footers and page numbers.
    PageFurniture,
    /// Form feeds.
    PageBreaks,
    /// Line ends of any system.
    LineEnds,
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

/// A row of the table.
#[derive(Debug)]
pub struct RuleRow {
    /// Which rule.
    pub rule: Rule,
    /// Its name, as in `[clean.rules]`.
    pub name: &'static str,
    /// What it does, for people.
    pub does: &'static str,
    /// The kinds of text that it touches.
    pub kinds: &'static [TextKind],
    /// Rules without which it rests.
    pub needs: &'static [Rule],
}

const ALL_KINDS: &[TextKind] = &[TextKind::Prose, TextKind::Markup, TextKind::Code, TextKind::Data];
const RUNNING: &[TextKind] = &[TextKind::Prose, TextKind::Markup];
const PROSE: &[TextKind] = &[TextKind::Prose];

/// Every rule, in the order in which they work.
pub const RULES: &[RuleRow] = &[
    RuleRow {
        rule: Rule::Mojibake,
        name: "mojibake",
        does: "repairs UTF-8 that was read as CP1252 (`cafÃ©` becomes `café`), where nothing else can be meant",
        kinds: ALL_KINDS,
        needs: &[],
    },
    RuleRow {
        rule: Rule::Controls,
        name: "controls",
        does: "takes out control characters, U+200B, U+2060 and inner U+FEFF; joiners and bidi marks stay",
        kinds: ALL_KINDS,
        needs: &[],
    },
    RuleRow {
        rule: Rule::Unicode,
        name: "unicode",
        does: "brings characters to the normal form of `clean.unicode`",
        kinds: ALL_KINDS,
        needs: &[],
    },
    RuleRow {
        rule: Rule::PageFurniture,
        name: "page_furniture",
        does: "takes out headers, footers and page numbers that repeat over pages",
        kinds: PROSE,
        needs: &[],
    },
    RuleRow {
        rule: Rule::PageBreaks,
        name: "page_breaks",
        does: "makes form feeds `--- PAGE ---` with `clean.page_markers`; else they go",
        kinds: RUNNING,
        needs: &[],
    },
    RuleRow {
        rule: Rule::LineEnds,
        name: "line_ends",
        does: "makes every line end a line feed",
        kinds: ALL_KINDS,
        needs: &[],
    },
    RuleRow {
        rule: Rule::Blanks,
        name: "blanks",
        does: "makes runs of spaces and tabs one space, and takes them away at both ends of a line (prose); \
               takes them away at the end of a line (markup, code)",
        kinds: &[TextKind::Prose, TextKind::Markup, TextKind::Code],
        needs: &[],
    },
    RuleRow {
        rule: Rule::BlankLines,
        name: "blank_lines",
        does: "leaves at most `clean.max_blank_lines` blank lines in a row",
        kinds: RUNNING,
        needs: &[Rule::Blanks],
    },
    RuleRow {
        rule: Rule::Lists,
        name: "lists",
        does: "keeps the lines of list items (`-`, `*`, `•`, `1.`, `a)`) apart where lines are joined",
        kinds: PROSE,
        needs: &[],
    },
    RuleRow {
        rule: Rule::Hyphens,
        name: "hyphens",
        does: "joins words that a hyphen divides between two lines; real compounds keep their hyphen",
        kinds: PROSE,
        needs: &[Rule::LineEnds, Rule::Blanks],
    },
    RuleRow {
        rule: Rule::SoftWraps,
        name: "soft_wraps",
        does: "joins the lines of a paragraph; verse, tables, code and addresses keep their lines",
        kinds: PROSE,
        needs: &[Rule::LineEnds, Rule::Blanks],
    },
];

/// Which rules are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleSet {
    off: u32,
}

impl Default for RuleSet {
    fn default() -> RuleSet {
        RuleSet::all()
    }
}

impl RuleSet {
    /// Every rule.
    pub const fn all() -> RuleSet {
        RuleSet { off: 0 }
    }

    /// The same with one rule on or off.
    pub const fn with(self, rule: Rule, is_on: bool) -> RuleSet {
        let bit = 1 << rule as u32;
        RuleSet { off: if is_on { self.off & !bit } else { self.off | bit } }
    }

    /// Only this rule, and what it needs.
    pub fn only(rule: Rule) -> RuleSet {
        let needs = RULES.iter().find(|row| row.rule == rule).map_or(&[][..], |row| row.needs);
        let is_off = |row: &&RuleRow| row.rule != rule && !needs.contains(&row.rule);
        RULES.iter().filter(is_off).fold(RuleSet::all(), |set, row| set.with(row.rule, false))
    }

    /// True where the rule was not switched off.
    pub const fn has(self, rule: Rule) -> bool {
        self.off >> rule as u32 & 1 == 0
    }

    /// True where the rule works on a text of this kind.
    pub fn works(self, rule: Rule, kind: TextKind) -> bool {
        let row = RULES.iter().find(|row| row.rule == rule);
        row.is_some_and(|row| row.kinds.contains(&kind) && row.needs.iter().all(|&need| self.has(need)))
            && self.has(rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_one_row_and_one_name() {
        for (at, row) in RULES.iter().enumerate() {
            assert_eq!(row.rule as usize, at, "{} stands where the enum has it", row.name);
            assert!(RULES[..at].iter().all(|other| other.name != row.name), "{} stands twice", row.name);
            assert!(!row.kinds.is_empty() && row.needs.iter().all(|&need| (need as usize) < at));
        }
    }

    #[test]
    fn a_rule_rests_without_what_it_needs() {
        let all = RuleSet::all();
        assert!(all.works(Rule::Hyphens, TextKind::Prose) && !all.works(Rule::Hyphens, TextKind::Code));
        assert!(!all.with(Rule::Hyphens, false).works(Rule::Hyphens, TextKind::Prose));
        assert!(!all.with(Rule::LineEnds, false).works(Rule::Hyphens, TextKind::Prose));
        assert!(RuleSet::only(Rule::Hyphens).works(Rule::Hyphens, TextKind::Prose));
        assert!(!RuleSet::only(Rule::Hyphens).has(Rule::SoftWraps));
        assert_eq!(all.with(Rule::Blanks, false).with(Rule::Blanks, true), all);
    }
}
