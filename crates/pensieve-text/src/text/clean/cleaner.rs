//! The cleaner of one document: the steps of its recipe, one after the other.

use super::base64::Base64Step;
use super::controls::ControlsStep;
use super::escapes::{EscapeSyntax, EscapesStep};
use super::mojibake::MojibakeStep;
use super::options::CleanOptions;
use super::pages::PagesStep;
use super::reflow::ReflowStep;
use super::report::CleaningReport;
use super::rules::CleanRule;
use super::white_space::WhiteSpaceStep;
use crate::model::{ReviewReason, ReviewReasonKind, Segment, TextKind};
use crate::text::gutenberg::GutenbergStripper;
use crate::text::normalize::{Normalizer, UnicodeForm};

/// Cleans the text of one document.
#[derive(Debug)]
pub struct Cleaner {
    pub(super) steps: Vec<CleaningStep>,
    report: CleaningReport,
}

impl Cleaner {
    /// A cleaner for one document.
    pub fn new(options: &CleanOptions, kind: TextKind) -> Cleaner {
        Cleaner::of_source(options, kind, None)
    }

    /// A cleaner for a text that escapes letters in a way of its own.
    pub fn of_source(options: &CleanOptions, kind: TextKind, escapes: Option<EscapeSyntax>) -> Cleaner {
        // JSON, YAML and the message files of Java share this form.
        let escapes = escapes.or((kind == TextKind::Data).then_some(EscapeSyntax::Unicode));
        Cleaner { steps: steps(options, kind, escapes, false), report: CleaningReport::default() }
    }

    /// A cleaner for the body of a mail: Markdown whose lines are joined like lines of prose.
    pub fn for_mail_body(options: &CleanOptions) -> Cleaner {
        Cleaner { steps: steps(options, TextKind::Markup, None, true), report: CleaningReport::default() }
    }

    /// Takes the next raw segment and returns the clean text that is final so far; its map leads to the source. Text
    /// that depends on later text is held back: trailing line ends and spaces, a letter that may get an accent,
    /// paragraphs that may continue.
    ///
    /// Cost: a text in which nothing changes is returned as it is, not copied.
    pub fn push(&mut self, raw: Segment) -> Segment {
        self.report.count_raw(&raw.text);
        let clean = self.steps.iter_mut().fold(raw, |segment, step| step.push(segment));
        self.report.count_clean(&clean.text);
        clean
    }

    /// Returns the rest of the clean text.
    pub fn finish(&mut self) -> Segment {
        let mut rest = Segment::default();
        for step in &mut self.steps {
            rest = step.push(rest);
            rest.append(step.finish());
        }
        self.report.count_clean(&rest.text);
        rest
    }

    /// Why a person should review the clean text; complete after [`Cleaner::finish`].
    pub fn review_reasons(&self) -> Vec<ReviewReason> {
        let book = self.steps.iter().filter_map(|step| match step {
            CleaningStep::Gutenberg(step) => Some(step.findings()),
            _ => None,
        });
        let unsure = book.flatten().filter(|finding| finding.needs_review());
        unsure.map(|finding| ReviewReason::new(ReviewReasonKind::Boilerplate, finding.as_str())).collect()
    }

    /// The counts so far; complete after [`Cleaner::finish`].
    pub fn report(&self) -> CleaningReport {
        let mut report = self.report.clone();
        for (rule, bytes) in self.steps.iter().filter_map(CleaningStep::removed) {
            report.removed[rule as usize] += bytes;
        }
        report
    }
}

/// The state of one rule, or of several that work together, on one text.
#[derive(Debug)]
pub(super) enum CleaningStep {
    Gutenberg(Box<GutenbergStripper>),
    Escapes(EscapesStep),
    Mojibake(Box<MojibakeStep>),
    Controls(ControlsStep),
    Unicode(Box<Normalizer>),
    Base64(Base64Step),
    Pages(Box<PagesStep>),
    WhiteSpace(Box<WhiteSpaceStep>),
    Reflow(Box<ReflowStep>),
}

impl CleaningStep {
    fn push(&mut self, segment: Segment) -> Segment {
        match self {
            CleaningStep::Gutenberg(step) => step.push(segment),
            CleaningStep::Escapes(step) => step.push(segment),
            CleaningStep::Mojibake(step) => step.push(segment),
            CleaningStep::Controls(step) => step.push(segment),
            CleaningStep::Unicode(step) => step.push(segment),
            CleaningStep::Base64(step) => step.push(segment),
            CleaningStep::Pages(step) => step.push(segment),
            CleaningStep::WhiteSpace(step) => step.push(segment),
            CleaningStep::Reflow(step) => step.push(segment),
        }
    }

    fn finish(&mut self) -> Segment {
        match self {
            CleaningStep::Gutenberg(step) => step.finish(),
            CleaningStep::Escapes(step) => step.finish(),
            CleaningStep::Mojibake(step) => step.finish(),
            CleaningStep::Controls(step) => step.finish(),
            CleaningStep::Unicode(step) => step.finish(),
            CleaningStep::Base64(step) => step.finish(),
            CleaningStep::Pages(step) => step.finish(),
            CleaningStep::WhiteSpace(step) => step.finish(),
            CleaningStep::Reflow(step) => step.finish(),
        }
    }

    /// The rule, and the bytes of wording that it has removed so far.
    fn removed(&self) -> Option<(CleanRule, usize)> {
        match self {
            CleaningStep::Controls(step) => Some((CleanRule::Controls, step.removed())),
            CleaningStep::Pages(step) => Some((CleanRule::PageFurniture, step.removed())),
            CleaningStep::Gutenberg(_)
            | CleaningStep::Escapes(_)
            | CleaningStep::Base64(_)
            | CleaningStep::Mojibake(_)
            | CleaningStep::Unicode(_)
            | CleaningStep::WhiteSpace(_)
            | CleaningStep::Reflow(_) => None,
        }
    }
}

/// The steps for a text of this kind, in order. Normalisation comes after the removal of characters and before white
/// space, because it produces white space; lines are joined last.
fn steps(
    options: &CleanOptions,
    kind: TextKind,
    escapes: Option<EscapeSyntax>,
    is_mail_body: bool,
) -> Vec<CleaningStep> {
    let has_rule = |rule| options.has_rule(rule, kind);
    let form = if has_rule(CleanRule::Unicode) { options.form } else { UnicodeForm::None };
    let mut steps = Vec::new();
    // First, on the text as it was read; books and plain texts have such a header.
    if options.gutenberg && matches!(kind, TextKind::Prose | TextKind::Markup) {
        steps.push(CleaningStep::Gutenberg(Box::default()));
    }
    // An escaped letter may get an accent of the text.
    if let Some(syntax) = escapes.filter(|_| has_rule(CleanRule::Escapes)) {
        steps.push(CleaningStep::Escapes(EscapesStep::new(syntax)));
    }
    let repairs = has_rule(CleanRule::Mojibake);
    let mojibake =
        |form| CleaningStep::Mojibake(Box::new(MojibakeStep::new(has_rule(CleanRule::Controls), form)));
    if repairs {
        steps.push(mojibake(UnicodeForm::None));
    }
    let takes_characters = has_rule(CleanRule::Controls) || has_rule(CleanRule::SoftHyphens);
    if takes_characters {
        steps.push(CleaningStep::Controls(ControlsStep::new(options, kind, form)));
    }
    if form != UnicodeForm::None {
        steps.push(CleaningStep::Unicode(Box::new(Normalizer::new(form))));
    }
    // Both steps may join characters that then look garbled, and cleaning clean text would repair them.
    if repairs && (form != UnicodeForm::None || takes_characters) {
        steps.push(mojibake(form));
    }
    // After what joins characters, before what joins lines.
    if has_rule(CleanRule::Base64) {
        steps.push(CleaningStep::Base64(Base64Step::default()));
    }
    if has_rule(CleanRule::PageFurniture) || has_rule(CleanRule::PageBreaks) {
        steps.push(CleaningStep::Pages(Box::new(PagesStep::new(options, kind))));
    }
    steps.push(CleaningStep::WhiteSpace(Box::new(WhiteSpaceStep::new(options, kind))));
    // If no blank lines are kept, only line ends separate paragraphs.
    let line_kind = if is_mail_body { TextKind::Prose } else { kind };
    if options.max_blank_lines > 0
        && (options.has_rule(CleanRule::Hyphens, line_kind)
            || options.has_rule(CleanRule::SoftWraps, line_kind))
    {
        steps.push(CleaningStep::Reflow(Box::new(ReflowStep::new(options, line_kind))));
    }
    steps
}
