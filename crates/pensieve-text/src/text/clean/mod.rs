//! Cleaning: from decoded text to the clean text that is stored, cut and cited, as a stream.
//!
//! A recipe is an ordered table of named rules. `clean_v0` removes NUL characters and inner byte-order marks, then
//! normalises, then sets white space in order as the kind of text wants it. `clean_v1` is [`CLEAN_RULES`], each on or off.
//! Every rule takes segments with maps and gives segments whose maps lead to the source. The result does not depend on
//! how the text was cut into segments, and cleaning clean text changes nothing.

mod controls;
mod findings;
mod flags;
mod mojibake;
mod pages;
mod reflow;
mod rules;
mod space;
mod white;

pub use findings::CleaningReport;
pub use rules::{CLEAN_RULES, CleanRule, CleanRuleRow, CleanRuleSet};

use super::gutenberg::GutenbergStripper;
use super::normalize::{Normalizer, UnicodeForm};
use crate::model::{ReviewReason, ReviewReasonKind, Segment, TextKind};
use controls::Controls;
use mojibake::Mojibake;
use pages::Pages;
use reflow::Reflow;
use serde::Deserialize;
use space::Space;

/// The recipes. A name stands for one way of cleaning, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum CleanVersion {
    /// White space and normal form.
    #[serde(rename = "clean_v0")]
    V0,
    /// The rules of [`CLEAN_RULES`].
    #[default]
    #[serde(rename = "clean_v1")]
    V1,
}

impl CleanVersion {
    /// Every recipe, the oldest first.
    pub const ALL: &'static [CleanVersion] = &[CleanVersion::V0, CleanVersion::V1];

    /// Its stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            CleanVersion::V0 => "clean_v0",
            CleanVersion::V1 => "clean_v1",
        }
    }

    /// The recipe of a stored name.
    pub fn from_name(name: &str) -> Option<CleanVersion> {
        CleanVersion::ALL.iter().copied().find(|version| version.as_str() == name)
    }
}

/// What cleaning may be told.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanOptions {
    /// The recipe.
    pub version: CleanVersion,
    /// The normal form.
    pub form: UnicodeForm,
    /// How many blank lines may follow each other in prose and markup.
    pub max_blank_lines: usize,
    /// Leave out what Project Gutenberg puts around a book.
    pub gutenberg: bool,
    /// Form feeds become `--- PAGE ---`.
    pub page_markers: bool,
    /// The rules of `clean_v1` that are on.
    pub rules: CleanRuleSet,
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

    /// True where the recipe has the rule, and it works on texts of this kind.
    fn works(&self, rule: CleanRule, kind: TextKind) -> bool {
        match self.version {
            CleanVersion::V0 => match rule {
                CleanRule::Controls
                | CleanRule::Unicode
                | CleanRule::LineEnds
                | CleanRule::Blanks
                | CleanRule::BlankLines => true,
                CleanRule::Mojibake
                | CleanRule::PageFurniture
                | CleanRule::PageBreaks
                | CleanRule::Lists
                | CleanRule::Hyphens
                | CleanRule::SoftWraps => false,
            },
            // Texts of the project divide no words: a hyphen at the end of a line belongs to its word.
            CleanVersion::V1 => {
                self.rules.works(rule, kind) && !(self.gutenberg && rule == CleanRule::Hyphens)
            }
        }
    }

    /// The rules at work on a text of this kind, in order. Normalisation sees the neighbours that remain, and white
    /// space may be what it made of other characters; lines are joined when they are in order.
    fn steps(&self, kind: TextKind, is_letter: bool) -> Vec<Step> {
        let works = |rule| self.works(rule, kind);
        let form = if works(CleanRule::Unicode) { self.form } else { UnicodeForm::None };
        let mut steps = Vec::new();
        // First of all, on the text as it was read: only prose has such a header.
        if self.gutenberg && kind == TextKind::Prose {
            steps.push(Step::Gutenberg(Box::default()));
        }
        let repairs = works(CleanRule::Mojibake);
        let mojibake = |form| Step::Mojibake(Box::new(Mojibake::new(works(CleanRule::Controls), form)));
        if repairs {
            steps.push(mojibake(UnicodeForm::None));
        }
        if works(CleanRule::Controls) {
            steps.push(Step::Controls(Controls::new(form, self.version)));
        }
        if form != UnicodeForm::None {
            steps.push(Step::Unicode(Box::new(Normalizer::new(form))));
        }
        // Both of them may bring together what looks garbled: cleaning clean text would find it.
        if repairs && (form != UnicodeForm::None || works(CleanRule::Controls)) {
            steps.push(mojibake(form));
        }
        if works(CleanRule::PageFurniture) || works(CleanRule::PageBreaks) {
            steps.push(Step::Pages(Box::new(Pages::new(self, kind))));
        }
        steps.push(Step::Space(Box::new(Space::new(self, kind))));
        // Where no blank line may stay, a line end is all that parts paragraphs.
        let lines = if is_letter { TextKind::Prose } else { kind };
        if self.max_blank_lines > 0
            && (self.works(CleanRule::Hyphens, lines) || self.works(CleanRule::SoftWraps, lines))
        {
            steps.push(Step::Reflow(Box::new(Reflow::new(self, lines))));
        }
        steps
    }
}

/// A rule, or several that work together, on one text.
#[derive(Debug)]
enum Step {
    Gutenberg(Box<GutenbergStripper>),
    Mojibake(Box<Mojibake>),
    Controls(Controls),
    Unicode(Box<Normalizer>),
    Pages(Box<Pages>),
    Space(Box<Space>),
    Reflow(Box<Reflow>),
}

impl Step {
    fn push(&mut self, segment: Segment) -> Segment {
        match self {
            Step::Gutenberg(step) => step.push(segment),
            Step::Mojibake(step) => step.push(segment),
            Step::Controls(step) => step.push(segment),
            Step::Unicode(step) => step.push(segment),
            Step::Pages(step) => step.push(segment),
            Step::Space(step) => step.push(segment),
            Step::Reflow(step) => step.push(segment),
        }
    }

    fn finish(&mut self) -> Segment {
        match self {
            Step::Gutenberg(step) => step.finish(),
            Step::Mojibake(step) => step.finish(),
            Step::Controls(_) => Segment::default(),
            Step::Unicode(step) => step.finish(),
            Step::Pages(step) => step.finish(),
            Step::Space(step) => step.finish(),
            Step::Reflow(step) => step.finish(),
        }
    }

    /// The rule and how much wording it took out so far.
    fn removed(&self) -> Option<(CleanRule, usize)> {
        match self {
            Step::Controls(step) => Some((CleanRule::Controls, step.removed())),
            Step::Pages(step) => Some((CleanRule::PageFurniture, step.removed())),
            Step::Gutenberg(_) | Step::Mojibake(_) | Step::Unicode(_) | Step::Space(_) | Step::Reflow(_) => {
                None
            }
        }
    }
}

/// Cleans the text of one document.
#[derive(Debug)]
pub struct Cleaner {
    steps: Vec<Step>,
    findings: CleaningReport,
}

impl Cleaner {
    /// A cleaner for one document.
    pub fn new(options: &CleanOptions, kind: TextKind) -> Cleaner {
        Cleaner { steps: options.steps(kind, false), findings: CleaningReport::default() }
    }

    /// A cleaner for a mail: Markdown whose lines are those of a letter, and are joined like lines of prose.
    pub fn of_letter(options: &CleanOptions) -> Cleaner {
        Cleaner { steps: options.steps(TextKind::Markup, true), findings: CleaningReport::default() }
    }

    /// Takes the next raw segment and gives the clean text that is decided by now; its map leads to the source. What
    /// depends on text to come is held back: open line ends and spaces, a letter that may get an accent, paragraphs
    /// that may go on.
    ///
    /// Cost: a text in which nothing changes is given back as it is, not copied.
    pub fn push(&mut self, raw: Segment) -> Segment {
        self.findings.note_raw(&raw.text);
        let clean = self.steps.iter_mut().fold(raw, |segment, step| step.push(segment));
        self.findings.note_clean(&clean.text);
        clean
    }

    /// The rest.
    pub fn finish(&mut self) -> Segment {
        let mut rest = Segment::default();
        for step in &mut self.steps {
            rest = step.push(rest);
            rest.append(step.finish());
        }
        self.findings.note_clean(&rest.text);
        rest
    }

    /// Why somebody should look at the clean text; complete behind the end.
    pub fn review_reasons(&self) -> Vec<ReviewReason> {
        let book = self.steps.iter().filter_map(|step| match step {
            Step::Gutenberg(step) => Some(step.findings()),
            _ => None,
        });
        let unsure = book.flatten().filter(|finding| finding.is_doubt());
        unsure.map(|finding| ReviewReason::new(ReviewReasonKind::Boilerplate, finding.as_str())).collect()
    }

    /// What was found out so far; all of it when the text is finished.
    pub fn findings(&self) -> CleaningReport {
        let mut findings = self.findings.clone();
        for (rule, bytes) in self.steps.iter().filter_map(Step::removed) {
            findings.removed[rule as usize] += bytes;
        }
        findings
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
