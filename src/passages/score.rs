//! What a passage is worth, by written rules: what it is about, then how well it reads.
//!
//! | points | for |
//! | --- | --- |
//! | 2, then 1.5 each | keywords that differ, up to five |
//! | 0.5 each | further matches, up to three |
//! | 4 | keywords of two sets or more |
//! | 0.5 each | words of the author's voice, up to four |
//! | 2, 1, 0 | length: inside the range, within a quarter of it outside, beyond |
//! | 1, 0.5 | whole paragraphs at both ends, at one end |
//! | 1, 0.5 | ends with a full sentence, begins like one |
//! | 1, less | share of running text: all of it, less than four fifths in proportion |
//! | 0.5 | a match that does not stand in the first or last tenth |
//! | 0.5 | two or three paragraphs, or a few more where they are short |
//!
//! The first four rows are what a passage is about, the others its quality.

/// Rules that a manifest sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageScorer {
    /// Least and most words that a passage should have.
    pub range: (usize, usize),
}

/// What is known of a candidate.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'t> {
    /// Its text.
    pub text: &'t str,
    /// Words between white space.
    pub words: usize,
    /// Matches of keywords.
    pub matches: usize,
    /// Keywords that differ.
    pub keywords: usize,
    /// Sets that they belong to.
    pub sets: usize,
    /// A match stands well inside.
    pub is_centred: bool,
    /// Words of the author's voice that differ.
    pub voice: usize,
    /// Paragraphs.
    pub paragraphs: usize,
    /// Words of running text.
    pub prose: usize,
    /// It begins with a paragraph.
    pub opens: bool,
    /// It ends with a paragraph.
    pub closes: bool,
}

/// Points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PassageScore {
    /// For what it is about.
    pub subject: f64,
    /// For how it reads.
    pub quality: f64,
    /// Both.
    pub total: f64,
}

impl PassageScorer {
    /// The points of a candidate.
    pub fn score(&self, facts: &Facts<'_>) -> PassageScore {
        let capped = |number: usize, most: usize| number.min(most) as f64;
        let subject = 2.0 * capped(facts.keywords, 1)
            + 1.5 * capped(facts.keywords.saturating_sub(1), 4)
            + 0.5 * capped(facts.matches - facts.keywords.min(facts.matches), 3)
            + if facts.sets >= 2 { 4.0 } else { 0.0 }
            + 0.5 * capped(facts.voice, 4);
        let quality = self.length(facts.words)
            + ends(facts)
            + sentences(facts.text)
            + prose(facts)
            + paragraphs(facts)
            + if facts.is_centred { 0.5 } else { 0.0 };
        PassageScore { subject, quality, total: subject + quality }
    }

    fn length(&self, words: usize) -> f64 {
        let (least, most) = self.range;
        if (least..=most).contains(&words) {
            2.0
        } else if (least - least / 4..=most + most / 4).contains(&words) {
            1.0
        } else {
            0.0
        }
    }
}

fn ends(facts: &Facts<'_>) -> f64 {
    0.5 * f64::from(u8::from(facts.opens) + u8::from(facts.closes))
}

fn sentences(text: &str) -> f64 {
    let closers = ['"', '”', '’', '\'', ')', ']', '_', '»', '*', ' ', '\n'];
    let ends = text.trim_end_matches(closers).ends_with(['.', '!', '?', '…']);
    let begins = text
        .trim_start_matches(['"', '“', '‘', '\'', '_', '«', '(', '—', '-', ' '])
        .starts_with(|c: char| !c.is_lowercase());
    f64::from(u8::from(ends)) + 0.5 * f64::from(u8::from(begins))
}

fn prose(facts: &Facts<'_>) -> f64 {
    let share = facts.prose as f64 / facts.words.max(1) as f64;
    if share >= 0.8 { 1.0 } else { share * 1.25 - 0.5 }
}

fn paragraphs(facts: &Facts<'_>) -> f64 {
    let are_short = facts.words < facts.paragraphs * 80;
    if (2..=3).contains(&facts.paragraphs) || are_short && facts.paragraphs > 3 { 0.5 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts<'static> {
        Facts {
            text: "It rained.",
            words: 300,
            matches: 1,
            keywords: 1,
            sets: 1,
            is_centred: false,
            voice: 0,
            paragraphs: 2,
            prose: 300,
            opens: true,
            closes: true,
        }
    }

    fn check(change: impl FnOnce(&mut Facts<'static>), subject: f64, quality: f64) {
        let mut facts = facts();
        change(&mut facts);
        let score = PassageScorer { range: (200, 500) }.score(&facts);
        assert_eq!(
            (score.subject, score.quality, score.total),
            (subject, quality, subject + quality),
            "{facts:?}"
        );
    }

    #[test]
    fn points_are_given_as_the_table_says() {
        check(|_| {}, 2.0, 6.0);
        check(|facts| (facts.keywords, facts.matches) = (3, 5), 6.0, 6.0);
        check(|facts| (facts.keywords, facts.matches, facts.sets) = (2, 2, 2), 7.5, 6.0);
        check(|facts| (facts.keywords, facts.matches, facts.voice) = (9, 30, 9), 2.0 + 6.0 + 1.5 + 2.0, 6.0);
        check(|facts| facts.words = 180, 2.0, 5.0);
        check(|facts| (facts.words, facts.prose) = (100, 100), 2.0, 4.0);
        check(|facts| facts.text = "and it rained on", 2.0, 4.5);
        check(|facts| facts.closes = false, 2.0, 5.5);
        check(|facts| facts.prose = 0, 2.0, 4.5);
        check(|facts| facts.paragraphs = 1, 2.0, 5.5);
        check(|facts| facts.is_centred = true, 2.0, 6.5);
    }
}
