//! Cleaning: from decoded text to the clean text that is stored, cut and cited, as a stream.
//!
//! A recipe is an ordered table of named rules; `clean_v0` removes NUL characters and inner byte-order marks, then
//! normalises, then sets white space in order as the kind of text wants it. Every rule takes segments with maps and
//! gives segments whose maps lead to the source. The result does not depend on how the text was cut into segments.

mod controls;
mod flags;
mod markup;
mod space;
mod white;

use super::gutenberg::Gutenberg;
use super::normalize::{Normalizer, UnicodeForm};
use crate::model::{Doubt, DoubtKind, Segment, TextKind};
use controls::Controls;
use space::Space;

/// What cleaning may be told.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanOptions {
    /// The normal form.
    pub form: UnicodeForm,
    /// How many blank lines may follow each other in prose and markup.
    pub max_blank_lines: usize,
    /// Leave out what Project Gutenberg puts around a book.
    pub gutenberg: bool,
}

impl CleanOptions {
    /// The name of the recipe, as stored with each text.
    pub fn version(&self) -> &'static str {
        "clean_v0"
    }

    /// The names of its rules, in the order in which they work.
    pub fn rules(&self) -> impl Iterator<Item = &'static str> {
        CLEAN_V0.iter().map(|rule| rule.name)
    }
}

/// One rule of a recipe.
struct Rule {
    name: &'static str,
    start: fn(&CleanOptions, TextKind) -> Step,
}

/// The recipe `clean_v0`. The order matters: white space may be what normalisation made of other characters, and
/// normalisation must see the neighbours that remain.
const CLEAN_V0: &[Rule] = &[
    Rule { name: "controls", start: |options, _| Step::Controls(Controls::new(options.form)) },
    Rule { name: "unicode", start: |options, _| Step::Unicode(Normalizer::new(options.form)) },
    Rule { name: "white_space", start: |options, kind| Step::Space(Box::new(Space::new(options, kind))) },
];

/// A rule at work on one text.
#[derive(Debug)]
enum Step {
    Gutenberg(Box<Gutenberg>),
    Controls(Controls),
    Unicode(Normalizer),
    Space(Box<Space>),
}

impl Step {
    fn push(&mut self, segment: Segment) -> Segment {
        match self {
            Step::Gutenberg(step) => step.push(segment),
            Step::Controls(step) => step.push(segment),
            Step::Unicode(step) => step.push(segment),
            Step::Space(step) => step.push(segment),
        }
    }

    fn finish(&mut self) -> Segment {
        match self {
            Step::Gutenberg(step) => step.finish(),
            Step::Controls(_) => Segment::default(),
            Step::Unicode(step) => step.finish(),
            Step::Space(step) => step.finish(),
        }
    }
}

/// Cleans the text of one document.
#[derive(Debug)]
pub struct Cleaner {
    steps: Vec<Step>,
}

impl Cleaner {
    /// A cleaner for one document.
    pub fn new(options: &CleanOptions, kind: TextKind) -> Cleaner {
        // First of all, on the text as it was read: only prose has such a header.
        let book = (options.gutenberg && kind == TextKind::Prose).then(|| Step::Gutenberg(Box::default()));
        Cleaner {
            steps: book.into_iter().chain(CLEAN_V0.iter().map(|rule| (rule.start)(options, kind))).collect(),
        }
    }

    /// Takes the next raw segment and gives the clean text that is decided by now; its map leads to the source. What
    /// depends on text to come is held back: open line ends and spaces, a letter that may get an accent.
    ///
    /// Cost: a text in which nothing changes is given back as it is, not copied.
    pub fn push(&mut self, raw: Segment) -> Segment {
        self.steps.iter_mut().fold(raw, |segment, step| step.push(segment))
    }

    /// The rest.
    pub fn finish(&mut self) -> Segment {
        let mut rest = Segment::default();
        for step in &mut self.steps {
            rest = step.push(rest);
            rest.append(step.finish());
        }
        rest
    }

    /// Why somebody should look at the clean text; complete behind the end.
    pub fn doubts(&self) -> Vec<Doubt> {
        let book = self.steps.iter().filter_map(|step| match step {
            Step::Gutenberg(step) => Some(step.findings()),
            _ => None,
        });
        let unsure = book.flatten().filter(|finding| finding.is_doubt());
        unsure.map(|finding| Doubt::new(DoubtKind::Boilerplate, finding.as_str())).collect()
    }
}

#[cfg(test)]
mod tests;
