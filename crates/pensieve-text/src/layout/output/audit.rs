//! Audits that every document with layout must pass before it is stored or printed. They do not depend on how the
//! output was made, but compare it with the page.

use super::units::{LayoutUnit, OrderKey};
use crate::layout::blocks::block::TextBlock;
use crate::layout::blocks::block_class::{BlockClass, BlockClasses};
use crate::layout::input::letter_tally::LetterTally;
use crate::model::{AuxKind, LayoutRole, names};
use rustc_hash::FxHashMap;
use std::fmt;

names! {
    /// The audits.
    LayoutAudit {
        /// No chunk mixes roles, sections, or kinds of AUX.
        Isolation = "aux_isolation",
        /// The order key only rises.
        Order = "monotonic_order",
        /// A section's AUX comes after its MAIN.
        Phase = "phase_order",
        /// Every AUX sentence is wrapped in tags, and nothing else is.
        Wrapping = "wrapping",
        /// Every letter of a page that is not furniture is in exactly one unit.
        Coverage = "coverage",
        /// No line of a MAIN paragraph has, after a gap, a text in another type: a note beside it, or another column.
        Columns = "columns",
    }
}

/// A failed audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayoutViolation {
    /// The audit.
    pub audit: LayoutAudit,
    /// The facts, as a lower-case fragment.
    pub detail: String,
}

impl fmt::Display for LayoutViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.audit.as_str(), self.detail)
    }
}

fn violation(audit: LayoutAudit, detail: String) -> LayoutViolation {
    LayoutViolation { audit, detail }
}

/// A sentence of a chunk: its role, its section, its kind, and whether it is a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkSentence {
    /// MAIN or AUX.
    pub role: LayoutRole,
    /// The number of its section.
    pub section: u64,
    /// Of AUX.
    pub kind: Option<AuxKind>,
    /// True for a heading.
    pub is_heading: bool,
}

/// The sentences of a chunk.
pub type ChunkContents = Vec<ChunkSentence>;

/// No chunk mixes roles or sections; AUX chunks are of one kind. Sections that are headings alone may be with the section
/// after them.
pub fn isolation(chunks: &[ChunkContents]) -> Vec<LayoutViolation> {
    let is_mixed = |chunk: &ChunkContents| {
        let titles = chunk.iter().take_while(|sentence| sentence.is_heading).count();
        chunk.windows(2).enumerate().any(|(at, pair)| {
            let (one, next) = (pair[0], pair[1]);
            one.role != next.role
                // A heading without words of its own is with the section after it.
                || (one.section != next.section && at >= titles)
                || (one.role == LayoutRole::Aux && one.kind != next.kind)
        })
    };
    let found = chunks.iter().enumerate().filter(|(_, chunk)| is_mixed(chunk));
    found.map(|(at, _)| violation(LayoutAudit::Isolation, format!("chunk {at} is mixed"))).collect()
}

/// The order key rises from unit to unit.
pub(crate) fn order(keys: impl IntoIterator<Item = OrderKey>) -> Vec<LayoutViolation> {
    let mut found = Vec::new();
    let mut last: Option<OrderKey> = None;
    for key in keys {
        if let Some(before) = last.filter(|before| key <= *before) {
            found.push(violation(LayoutAudit::Order, format!("{before:?} is followed by {key:?}")));
        }
        last = Some(key);
    }
    found
}

/// In no section does MAIN follow AUX.
pub fn phase(units: &[LayoutUnit]) -> Vec<LayoutViolation> {
    let mut found = Vec::new();
    for section in units.chunk_by(|a, b| a.key.section_seq == b.key.section_seq) {
        let seq = section[0].key.section_seq;
        let fits = |unit: &LayoutUnit| (unit.role == LayoutRole::Aux) == (unit.key.emit_phase == 1);
        if section.windows(2).any(|pair| pair[0].role == LayoutRole::Aux && pair[1].role == LayoutRole::Main)
        {
            found.push(violation(LayoutAudit::Phase, format!("MAIN follows AUX in section {seq}")));
        }
        if !section.iter().all(fits) {
            found.push(violation(
                LayoutAudit::Phase,
                format!("a phase in section {seq} is not that of its role"),
            ));
        }
    }
    found
}

/// Emitted text with its role: AUX is one or more tagged sentences with white space between them, MAIN has no tags.
pub fn wrapping<T: AsRef<str>>(emitted: impl IntoIterator<Item = (LayoutRole, T)>) -> Vec<LayoutViolation> {
    let mut found = Vec::new();
    for (at, (role, text)) in emitted.into_iter().enumerate() {
        let text = text.as_ref();
        let is_sound = match role {
            // Tags in the text of the document have been escaped before.
            LayoutRole::Main => !text.contains("<aux>") && !text.contains("</aux>"),
            LayoutRole::Aux => is_wrapped(text),
        };
        if !is_sound {
            found.push(violation(LayoutAudit::Wrapping, format!("{role} text {at} is wrapped wrongly")));
        }
    }
    found
}

fn is_wrapped(text: &str) -> bool {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let Some(inside) = rest.strip_prefix("<aux>") else { return false };
        let Some((sentence, after)) = inside.split_once("</aux>") else { return false };
        if sentence.contains("<aux>") {
            return false;
        }
        rest = after.trim_start();
    }
    !text.trim().is_empty()
}

/// The letters of each page, without furniture, are those of its units.
pub fn coverage(
    pages: &FxHashMap<u64, LetterTally>,
    left_out: &FxHashMap<u64, LetterTally>,
    units: &[LayoutUnit],
) -> Vec<LayoutViolation> {
    let mut covered: FxHashMap<u64, LetterTally> = left_out.clone();
    for unit in units {
        for place in &unit.places {
            let text = unit.text.get(place.span.range()).unwrap_or_default();
            covered.entry(place.page).or_default().add(text);
        }
        // A gap between two places would be text without a page.
        let ends = unit.places.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
        if !ends || unit.places.first().is_none_or(|place| place.span.start > 0) {
            let key = unit.key;
            return vec![violation(
                LayoutAudit::Coverage,
                format!("the places of {key:?} do not cover its text"),
            )];
        }
    }
    let mut all: Vec<u64> = pages.keys().chain(covered.keys()).copied().collect();
    all.sort_unstable();
    all.dedup();
    let mut found = Vec::new();
    for page in all {
        let of = |tallies: &FxHashMap<u64, LetterTally>| tallies.get(&page).copied().unwrap_or_default();
        let (there, here) = (of(pages), of(&covered));
        if there != here {
            let counts = format!("{} letters on page {page}, {} in its units", there.count, here.count);
            found.push(violation(LayoutAudit::Coverage, counts));
        }
    }
    found
}

/// No full line of a MAIN paragraph goes on after a gap in another type.
pub(crate) fn columns(blocks: &[TextBlock], classes: &BlockClasses) -> Vec<LayoutViolation> {
    let is_running = |block: &TextBlock| block.wrapped_lines() >= MIN_WRAPPED_LINES && !block.is_listing;
    let main = blocks.iter().zip(&classes.of).filter(|(_, (class, _))| *class == BlockClass::Main);
    // Only prose has full lines that must be of one type; rows of a form need not.
    let running = main.map(|(block, _)| block).filter(|block| classes.is_prose && is_running(block));
    let mixed = running
        .flat_map(|block| block.lines.iter().filter(|line| line.is_mixed).map(|line| (block.page, line)));
    mixed
        .map(|(page, line)| {
            let start: String = line.text.chars().take(MAX_SHOWN_CHARACTERS).collect();
            violation(LayoutAudit::Columns, format!("a line of page {page} has two columns: {start}"))
        })
        .collect()
}

/// Full lines of a paragraph. Fewer may be rows of something.
const MIN_WRAPPED_LINES: usize = 2;

/// Characters of a line that a violation shows.
const MAX_SHOWN_CHARACTERS: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn main_text_has_no_tags_and_other_text_is_in_them() {
        let check = |role: LayoutRole, text: &str, expected: usize| {
            assert_eq!(wrapping([(role, text)]).len(), expected, "{role} {text}");
        };
        check(LayoutRole::Main, "Text.", 0);
        check(LayoutRole::Main, "<aux>Text.", 1);
        check(LayoutRole::Main, "Text.</aux>", 1);
        check(LayoutRole::Aux, "<aux>Text.</aux>", 0);
        check(LayoutRole::Aux, "<aux>One.</aux> <aux>Two.</aux>", 0);
        check(LayoutRole::Aux, "Text.", 1);
        check(LayoutRole::Aux, "<aux>One.</aux> Two.", 1);
    }
}
