//! Formulas: the elements of Office's formulas as groups, each named by a control word with an `m` before it. Format: Rich
//! Text Format Specification 1.9.1, "Math".

use super::group_state::{Destination, GroupRole};
use super::reader::RtfReader;
use crate::shared::formula::{OfficeMathBuilder, formula_run};

/// Values that control words number.
const STYLES: &[&str] = &["p", "b", "i", "bi"];
const SCRIPTS: &[&str] = &["roman", "script", "fraktur", "double-struck", "sans-serif", "monospace"];

impl RtfReader<'_> {
    /// A formula begins with this group.
    pub(super) fn open_formula(&mut self) {
        let can_begin = self.formula.is_none() && self.group.role == GroupRole::Nothing;
        if can_begin && self.group.destination == Destination::Body && !self.group.run.deleted {
            self.formula = Some(OfficeMathBuilder::new());
            self.group.role = GroupRole::Formula;
            self.group.destination = Destination::Formula;
        }
    }

    /// Handles a control word inside a formula; false if it names nothing of it.
    pub(super) fn formula_word(&mut self, name: &[u8], parameter: Option<i32>) -> bool {
        let Some(name) = name.strip_prefix(b"m").and_then(|name| std::str::from_utf8(name).ok()) else {
            return false;
        };
        let Some(formula) = self.formula.as_mut().filter(|_| self.group.destination == Destination::Formula)
        else {
            return false;
        };
        let numbered =
            |names: &[&'static str]| names.get(usize::try_from(parameter.unwrap_or(0)).ok()?).copied();
        match name {
            "sty" => formula.property(name, numbered(STYLES).unwrap_or_default()),
            "scr" => formula.property(name, numbered(SCRIPTS).unwrap_or_default()),
            "nor" => formula.property(name, if parameter == Some(0) { "0" } else { "1" }),
            _ if self.group.role != GroupRole::Nothing => {}
            _ if name != "ctrlPr" && (OfficeMathBuilder::knows(name) || name.ends_with("Pr")) => {
                formula.begin(name, None);
                self.group.role = GroupRole::FormulaElement;
            }
            // Values that change nothing.
            _ => self.group.destination = Destination::Skip,
        }
        true
    }

    pub(super) fn end_formula_element(&mut self) {
        if let Some(formula) = &mut self.formula {
            formula.end();
        }
    }

    pub(super) fn end_formula(&mut self, is_display: bool) {
        let tex = self.formula.take().map(OfficeMathBuilder::finish).unwrap_or_default();
        if let Some(open) = self.flows.last_mut() {
            open.words.push(formula_run(&tex, is_display));
        }
    }
}
