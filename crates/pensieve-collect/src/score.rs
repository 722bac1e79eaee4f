//! The score of a passage, by fixed rules: what it is about, then how well it reads.
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
//! The first four rows score the subject of a passage, the others its quality.

/// Rules that a manifest sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageScorer {
    /// Minimum and maximum number of words that a passage should have.
    pub range: (usize, usize),
}

/// The facts of a candidate that count for its score.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'t> {
    /// Its text.
    pub text: &'t str,
    /// Number of words, as separated by white space.
    pub words: usize,
    /// Number of matches.
    pub matches: usize,
    /// Number of different keywords.
    pub keywords: usize,
    /// Number of keyword sets that they belong to.
    pub sets: usize,
    /// True if a match is neither in the first nor in the last tenth.
    pub is_centred: bool,
    /// Number of different words of the author's voice.
    pub voice: usize,
    /// Number of paragraphs.
    pub paragraphs: usize,
    /// Number of words of running text.
    pub prose: usize,
    /// True if it begins with a paragraph.
    pub opens: bool,
    /// True if it ends with a paragraph.
    pub closes: bool,
}

/// The score in points.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PassageScore {
    /// Points for the subject.
    pub subject: f64,
    /// Points for the quality.
    pub quality: f64,
    /// The sum of both.
    pub total: f64,
}

impl PassageScorer {
    /// The score of a candidate.
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

    #[test]
    fn length_counts_within_a_quarter_of_the_range() {
        let judge = PassageScorer { range: (200, 500) };
        let points =
            [(149, 0.0), (150, 1.0), (199, 1.0), (200, 2.0), (500, 2.0), (501, 1.0), (625, 1.0), (626, 0.0)];
        for (words, expected) in points {
            assert_eq!(judge.length(words), expected, "{words}");
        }
    }

    #[test]
    fn each_row_of_the_table_ends_where_it_says() {
        check(|facts| facts.keywords = 0, 0.5, 6.0);
        check(|facts| (facts.keywords, facts.matches) = (2, 2), 3.5, 6.0);
        check(|facts| (facts.keywords, facts.matches) = (5, 5), 8.0, 6.0);
        check(|facts| (facts.keywords, facts.matches) = (6, 6), 8.0, 6.0);
        check(|facts| facts.matches = 4, 3.5, 6.0);
        check(|facts| facts.matches = 5, 3.5, 6.0);
        check(|facts| facts.matches = 0, 2.0, 6.0);
        check(|facts| facts.sets = 3, 6.0, 6.0);
        check(|facts| facts.voice = 3, 3.5, 6.0);
        check(|facts| facts.voice = 4, 4.0, 6.0);
        check(|facts| (facts.opens, facts.closes) = (false, false), 2.0, 5.0);
        check(|facts| facts.prose = 240, 2.0, 6.0);
        check(|facts| facts.prose = 225, 2.0, 5.4375);
        check(|facts| facts.prose = 150, 2.0, 5.125);
        check(|facts| facts.paragraphs = 3, 2.0, 6.0);
        check(|facts| (facts.words, facts.paragraphs) = (300, 4), 2.0, 6.0);
        check(|facts| (facts.words, facts.prose, facts.paragraphs) = (319, 319, 4), 2.0, 6.0);
        check(|facts| (facts.words, facts.prose, facts.paragraphs) = (320, 320, 4), 2.0, 5.5);
        check(|facts| facts.paragraphs = 0, 2.0, 5.5);
        check(|facts| (facts.words, facts.prose) = (0, 0), 2.0, 2.5);
    }

    #[test]
    fn a_sentence_may_be_quoted() {
        let check = |text: &str, expected: f64| assert_eq!(sentences(text), expected, "{text}");
        check("“It rained.”", 1.5);
        check("‘(—It rained!)’ \n", 1.5);
        check("_“it rained?”_", 1.0);
        check("It rained…", 1.5);
        check("It rained,", 0.5);
        check("it rained,", 0.0);
        check("12 herons", 0.5);
        check("", 0.0);
    }
}
