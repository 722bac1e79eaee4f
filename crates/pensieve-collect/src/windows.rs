//! Windows: runs of units around matches, and the best set of them in a section that do not overlap.
//!
//! Every run of units with a match and a length within bounds is a candidate with a score. Weighted interval
//! scheduling selects among them: the set without overlap whose scores above the threshold have the largest sum. So
//! overlapping windows are merged if that is better, and otherwise the better one is kept. Between windows of equal
//! score, the one whose matches are nearer to its middle wins: it shows what leads to them and what follows.

use crate::keywords::{KeywordMatch, KeywordMatcher};
use crate::score::{Facts, PassageScore, PassageScorer};
use crate::units::PassageUnit;
use pensieve_text::model::Span;

/// A candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageWindow {
    /// Its bytes in the book.
    pub span: Span,
    /// Number of words, as separated by white space.
    pub words: usize,
    /// Keywords in it, each once, by index into the lexicon.
    pub keywords: Vec<usize>,
    /// Its score.
    pub score: PassageScore,
    /// How near its matches are to its middle, from 0 (at an end) to 1.
    pub balance: f64,
}

/// Options for the search in a section.
#[derive(Debug, Clone, Copy)]
pub struct PassageWindowOptions<'r> {
    /// Keywords of the sets.
    pub lexicon: &'r KeywordMatcher,
    /// Words of the author's voice.
    pub voice: &'r KeywordMatcher,
    /// The rules that score a window.
    pub judge: &'r PassageScorer,
    /// Minimum and maximum number of words of a window.
    pub bounds: (usize, usize),
    /// Windows with a lower score are not taken.
    pub threshold: f64,
}

/// The windows of a section.
///
/// Cost: the number of units times the number of units that fit into one window.
pub fn windows(book: &str, units: &[PassageUnit], options: &PassageWindowOptions<'_>) -> Vec<PassageWindow> {
    let matches: Vec<Vec<KeywordMatch>> =
        units.iter().map(|unit| options.lexicon.matches(book, unit.span)).collect();
    let voices: Vec<Vec<KeywordMatch>> =
        units.iter().map(|unit| options.voice.matches(book, unit.span)).collect();
    // best[n] is the largest sum over the first n units, with the window that ends there.
    let mut best: Vec<(f64, Option<(usize, PassageWindow)>)> = vec![(0.0, None)];
    for end in 1..=units.len() {
        let mut choice = (best[end - 1].0, None);
        for start in starts(units, end, options.bounds.1) {
            let parts = Parts {
                units: &units[start..end],
                matches: &matches[start..end],
                voices: &voices[start..end],
            };
            let Some(window) = parts.window(book, options) else { continue };
            let sum = best[start].0 + window.gain(options.threshold);
            if sum > choice.0 + 1e-9 {
                choice = (sum, Some((start, window)));
            }
        }
        best.push(choice);
    }
    let (mut chosen, mut end) = (Vec::new(), units.len());
    while end > 0 {
        match best[end].1.take() {
            Some((start, window)) => {
                chosen.push(window);
                end = start;
            }
            None => end -= 1,
        }
    }
    chosen.reverse();
    chosen
}

/// The gain of a window that just reaches the threshold; it must be more than zero.
const THRESHOLD_GAIN: f64 = 0.25;

/// The weight of the balance: its sum over all windows of a section stays far below one point.
const BALANCE_WEIGHT: f64 = 1e-5;

impl PassageWindow {
    /// What the window adds to the sum of a set.
    fn gain(&self, threshold: f64) -> f64 {
        self.score.total - threshold + THRESHOLD_GAIN + BALANCE_WEIGHT * self.balance
    }
}

/// The units that a window which ends before `end` may begin with, nearest first.
fn starts(units: &[PassageUnit], end: usize, most: usize) -> impl Iterator<Item = usize> {
    let (mut words, mut is_begun) = (0, false);
    (0..end).rev().take_while(move |at| {
        // What follows a boundary belongs to another passage than what is before it.
        let is_beyond = std::mem::replace(&mut is_begun, units[*at].is_boundary);
        words += units[*at].words + if at + 1 < end { units[*at].notes } else { 0 };
        !is_beyond && words <= most && !units[*at].is_barrier
    })
}

/// The units of a candidate with their matches.
struct Parts<'p> {
    units: &'p [PassageUnit],
    matches: &'p [Vec<KeywordMatch>],
    voices: &'p [Vec<KeywordMatch>],
}

impl Parts<'_> {
    fn window(&self, book: &str, options: &PassageWindowOptions<'_>) -> Option<PassageWindow> {
        let (first, last) = (self.units.first()?, self.units.last()?);
        let all: usize = self.units.iter().map(|unit| unit.words + unit.notes).sum();
        let words = all - last.notes;
        let hits: usize = self.matches.iter().map(Vec::len).sum();
        if words < options.bounds.0 || hits == 0 || last.is_headline {
            return None;
        }
        let span = Span::new(first.span.start, last.span.end);
        let distinct = |lists: &[Vec<KeywordMatch>]| {
            let mut all: Vec<usize> = lists.iter().flatten().map(|found| found.keyword).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let keywords = distinct(self.matches);
        let mut sets: Vec<usize> = keywords.iter().map(|keyword| options.lexicon.set(*keyword)).collect();
        sets.sort_unstable();
        sets.dedup();
        let sum = |of: fn(&PassageUnit) -> usize| self.units.iter().map(of).sum::<usize>();
        let score = options.judge.score(&Facts {
            text: &book[span.range()],
            words,
            matches: hits,
            keywords: keywords.len(),
            sets: sets.len(),
            is_centred: self.matches.iter().flatten().any(|found| is_inside(found.span, span)),
            voice: distinct(self.voices).len(),
            paragraphs: sum(|unit| unit.paragraphs),
            prose: sum(|unit| unit.prose),
            opens: first.opens,
            closes: last.closes,
        });
        let balance = balance(self.matches.iter().flatten().map(|found| found.span), span);
        (score.total >= options.threshold).then_some(PassageWindow { span, words, keywords, score, balance })
    }
}

/// How near matches are on average to the middle of a window, from 0 (at an end) to 1.
fn balance(found: impl Iterator<Item = Span>, window: Span) -> f64 {
    let (count, sum) = found.fold((0usize, 0usize), |(count, sum), found| {
        (count + 1, sum + (found.start + found.end) / 2 - window.start)
    });
    let place = sum as f64 / (count * window.len()).max(1) as f64;
    1.0 - (2.0 * place - 1.0).abs()
}

/// True when a match is neither in the first nor in the last tenth of a window.
fn is_inside(found: Span, window: Span) -> bool {
    let margin = window.len() / 10;
    found.start >= window.start + margin && found.end + margin <= window.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::blocks;
    use crate::sections::{Section, SectionKind};
    use crate::units::{UnitOptions, units};

    /// A paragraph of `words` words with `word` in its middle.
    fn paragraph(words: usize, word: &str) -> String {
        let mut text: Vec<&str> = vec!["heron"; words - 1];
        text.insert(words / 2, word);
        let lines: Vec<String> = text.chunks(12).map(|line| line.join(" ")).collect();
        format!("The {}.", lines.join("\n"))
    }

    /// Checks the number of words of each window.
    fn check(paragraphs: &[(usize, &str)], expected: &[usize]) {
        let book =
            paragraphs.iter().map(|(words, word)| paragraph(*words, word)).collect::<Vec<_>>().join("\n\n");
        let blocks = blocks(&book);
        let section =
            Section { name: String::new(), key: None, first: 0, end: blocks.len(), kind: SectionKind::Text };
        let units =
            units(&book, &blocks, &section, &UnitOptions { max_group_words: 400, max_paragraph_words: 500 });
        let words = [vec!["rain".to_owned(), "snow".to_owned()], vec!["jest".to_owned()]];
        let lexicon = KeywordMatcher::new(words.iter().map(Vec::as_slice));
        let voice = KeywordMatcher::default();
        let judge = PassageScorer { range: (200, 500) };
        let options = PassageWindowOptions {
            lexicon: &lexicon,
            voice: &voice,
            judge: &judge,
            bounds: (100, 600),
            threshold: 6.0,
        };
        let found = windows(&book, &units, &options);
        assert_eq!(found.iter().map(|window| window.words).collect::<Vec<_>>(), expected, "{paragraphs:?}");
        assert!(found.windows(2).all(|pair| pair[0].span.end < pair[1].span.start));
        assert!(found.iter().all(|window| !window.keywords.is_empty()));
    }

    #[test]
    fn windows_grow_around_matches_to_their_range() {
        check(&[(99, "x"), (99, "rain"), (99, "x")], &[300]);
        check(&[(249, "x"), (149, "rain"), (149, "x"), (249, "x")], &[300]);
        check(&[(29, "rain")], &[]);
        check(&[(299, "x"), (299, "x")], &[]);
    }

    #[test]
    fn matches_in_the_first_and_last_tenth_are_at_the_edge() {
        let check = |start: usize, end: usize, expected: bool| {
            assert_eq!(is_inside(Span::new(start, end), Span::new(1_000, 1_200)), expected, "{start}..{end}");
        };
        check(1_020, 1_180, true);
        check(1_019, 1_100, false);
        check(1_100, 1_181, false);
        let check = |places: &[(usize, usize)], expected: f64| {
            let places = places.iter().map(|&(start, end)| Span::new(start, end));
            assert_eq!(balance(places, Span::new(1_000, 1_200)), expected);
        };
        check(&[(1_090, 1_110)], 1.0);
        check(&[(1_000, 1_000)], 0.0);
        check(&[(1_040, 1_060), (1_090, 1_110)], 0.75);
    }

    #[test]
    fn windows_that_overlap_are_merged_or_stand_side_by_side() {
        check(&[(149, "rain"), (149, "snow")], &[300]);
        check(&[(249, "rain"), (249, "x"), (249, "snow")], &[500, 250]);
    }

    fn unit(at: usize, words: usize) -> PassageUnit {
        PassageUnit {
            span: Span::new(at * 10, at * 10 + 9),
            words,
            paragraphs: 1,
            prose: words,
            notes: 0,
            opens: true,
            closes: true,
            is_barrier: false,
            is_headline: false,
            is_boundary: false,
        }
    }

    #[test]
    fn a_window_begins_with_any_unit_that_fits_up_to_a_barrier_or_a_boundary() {
        let check = |change: &dyn Fn(&mut [PassageUnit]), most: usize, expected: &[usize]| {
            let mut units: Vec<PassageUnit> = (0..5).map(|at| unit(at, 10 + at)).collect();
            change(&mut units);
            assert_eq!(starts(&units, 4, most).collect::<Vec<_>>(), expected, "{most}");
        };
        check(&|_| {}, 99, &[3, 2, 1, 0]);
        check(&|_| {}, 46, &[3, 2, 1, 0]);
        check(&|_| {}, 45, &[3, 2, 1]);
        check(&|_| {}, 12, &[]);
        // Notes count unless the window ends before them.
        check(&|units| units[3].notes = 50, 46, &[3, 2, 1, 0]);
        check(&|units| units[2].notes = 5, 30, &[3, 2]);
        check(&|units| units[2].notes = 5, 29, &[3]);
        check(&|units| units[1].is_barrier = true, 99, &[3, 2]);
        check(&|units| units[1].is_boundary = true, 99, &[3, 2, 1]);
        check(&|units| units[3].is_boundary = true, 99, &[3]);
    }

    #[test]
    fn the_gain_is_what_the_score_has_above_the_threshold() {
        let score = PassageScore { subject: 4.0, quality: 5.5, total: 9.5 };
        let window =
            PassageWindow { span: Span::new(0, 9), words: 3, keywords: vec![0], score, balance: 0.5 };
        assert!((window.gain(7.0) - 2.750_005).abs() < 1e-9);
    }

    #[test]
    fn a_window_knows_its_words_its_keywords_and_its_score() {
        let book = "The rain. Rain in the reeds, jest. The snow.";
        let words = [vec!["rain".to_owned(), "snow".to_owned()], vec!["jest".to_owned()]];
        let lexicon = KeywordMatcher::new(words.iter().map(Vec::as_slice));
        let voice = KeywordMatcher::new([&["reeds".to_owned()][..]]);
        let judge = PassageScorer { range: (9, 20) };
        let options = PassageWindowOptions {
            lexicon: &lexicon,
            voice: &voice,
            judge: &judge,
            bounds: (9, 30),
            threshold: 14.5,
        };
        let units = [
            PassageUnit { span: Span::new(0, 9), closes: false, notes: 3, ..unit(0, 2) },
            PassageUnit { span: Span::new(10, 44), opens: false, notes: 5, prose: 4, ..unit(1, 7) },
        ];
        let found = |units: &[PassageUnit], options: &PassageWindowOptions<'_>| {
            let find = |matcher: &KeywordMatcher| -> Vec<Vec<KeywordMatch>> {
                units.iter().map(|unit| matcher.matches(book, unit.span)).collect()
            };
            let (matches, voices) = (find(&lexicon), find(&voice));
            Parts { units, matches: &matches, voices: &voices }.window(book, options)
        };
        let window = found(&units, &options).unwrap();
        // Three keywords of two sets with one more match, and a voice; six of twelve words are running text.
        let subject = 2.0 + 2.0 * 1.5 + 0.5 + 4.0 + 0.5;
        let quality = 2.0 + 1.0 + 1.5 + 0.125 + 0.5 + 0.5;
        assert_eq!((window.span, window.words, window.keywords), (Span::new(0, 44), 12, vec![0, 1, 2]));
        assert_eq!(window.score, PassageScore { subject, quality, total: subject + quality });
        assert_eq!(found(&units, &PassageWindowOptions { threshold: 15.625, ..options }).unwrap().words, 12);
        assert!(found(&units, &PassageWindowOptions { threshold: 15.626, ..options }).is_none());
        assert!(found(&units, &PassageWindowOptions { bounds: (12, 30), ..options }).is_some());
        assert!(found(&units, &PassageWindowOptions { bounds: (13, 30), ..options }).is_none());
        let headline = [units[0].clone(), PassageUnit { is_headline: true, ..units[1].clone() }];
        assert!(found(&headline, &options).is_none());
        let without = [PassageUnit { span: Span::new(18, 27), ..unit(0, 20) }];
        assert!(found(&without, &PassageWindowOptions { threshold: 0.0, ..options }).is_none());
    }
}
