//! Passages in the form of the results, and their selection from all books.

use crate::choice::{PassageCandidate, PassageChoice, choose};
use crate::manifest::{Manifest, PassageRules};
use crate::names::names;
use crate::reading::{PreparedBook, WindowFindings, set_names};
use crate::score::PassageScore;
use pensieve_text::model::Span;
use serde::Serialize;

/// A passage in the form of the results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Passage {
    /// `twain_tom_sawyer_001`.
    pub passage_id: String,
    /// Name of the author.
    pub author_name: String,
    /// Short name of the author.
    pub author_id: String,
    /// Title of the work.
    pub book_title: String,
    /// Number of the work at Project Gutenberg.
    pub book_id: u32,
    /// Year of first publication.
    pub publication_year: i32,
    /// Name of the section.
    pub chapter_section: String,
    /// The text, with its paragraph breaks.
    pub text: String,
    /// Number of words, as separated by white space.
    pub word_count: usize,
    /// Genres of the work.
    pub genre_tags: Vec<String>,
    /// Keywords that occur in it, in alphabetical order.
    pub keywords_matched: Vec<String>,
    /// The keyword set that they belong to; `both` if there is more than one.
    pub context_type: String,
    /// Who speaks in it, according to its speech tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub character_names: Vec<String>,
    /// Web page of the work.
    pub source_url: String,
    /// The time of extraction.
    pub extraction_date: String,
}

/// Where a passage comes from: facts for which the results have no field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Provenance {
    /// Its id.
    pub passage_id: String,
    /// The raw file, relative to the folder of the collection.
    pub file: String,
    /// The encoding that the raw file was decoded from.
    pub encoding: String,
    /// Byte ranges of the raw file, each with its first byte and the byte after its last; together they contain the
    /// text.
    pub source_ranges: Vec<(usize, usize)>,
    /// The clean book, relative to the folder of the collection.
    pub clean_file: String,
    /// First byte in the clean book.
    pub clean_start: usize,
    /// The byte after its last.
    pub clean_end: usize,
    /// The score, and how it was computed.
    pub score: f64,
    /// The part for its subject.
    pub score_subject: f64,
    /// The part for its quality.
    pub score_quality: f64,
}

/// A passage with everything known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltPassage {
    /// As written to the results.
    pub passage: Passage,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Index of its book among those that were read.
    pub book: usize,
    /// Its bytes in the clean book.
    pub span: Span,
    /// Its bytes in the raw file.
    pub ranges: Vec<Span>,
    /// Its score.
    pub score: PassageScore,
    /// Index of its section among those of the book.
    pub section: usize,
}

/// One step towards the target.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreStep {
    /// The score that passages had to reach.
    pub min_score: f64,
    /// Windows that reached it.
    pub candidates: usize,
    /// Passages that were chosen.
    pub passages: usize,
    /// Windows left out because they are nearly identical to better ones.
    pub near_identical: usize,
    /// Windows left out because there were enough already.
    pub surplus: usize,
}

/// The result of the selection.
#[derive(Debug, Default)]
pub struct SelectedPassages {
    /// The passages of each book, in the order of works and of their text.
    pub found: Vec<(usize, WindowFindings)>,
    /// The steps that were taken; the last one gives the result.
    pub steps: Vec<ScoreStep>,
}

/// Selects passages from all books. With a target, the score falls step by step until there are enough or no step is
/// left.
pub fn choose_all(books: &[PreparedBook], rules: &PassageRules) -> SelectedPassages {
    let steps = rules.steps.iter().copied().filter(|_| rules.target.is_some());
    let (least, most) = rules.target.unwrap_or((0, usize::MAX));
    let mut chosen = SelectedPassages::default();
    for min_score in [rules.min_score].into_iter().chain(steps) {
        let found: Vec<(usize, WindowFindings)> = books
            .iter()
            .enumerate()
            .flat_map(|(book, read)| {
                read.windows(rules, min_score).into_iter().map(move |found| (book, found))
            })
            .collect();
        let candidates: Vec<PassageCandidate<'_>> = found
            .iter()
            .map(|(book, found)| PassageCandidate {
                text: &books[*book].book.text()[found.window.span.range()],
                book: *book,
                score: found.window.score.total,
                keywords: &found.keywords,
            })
            .collect();
        let PassageChoice { chosen: places, near_identical, surplus } =
            choose(&candidates, most, rules.max_overlap);
        chosen.steps.push(ScoreStep {
            min_score,
            candidates: candidates.len(),
            passages: places.len(),
            near_identical,
            surplus,
        });
        chosen.found = places.into_iter().map(|place| found[place].clone()).collect();
        if chosen.found.len() >= least {
            break;
        }
    }
    chosen
}

/// When a collection was made: a time and its date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractionDate {
    /// `2026-01-31T00:00:00Z`.
    pub time: String,
    /// `2026-01-31`.
    pub date: String,
}

impl ExtractionDate {
    /// A moment as a person writes it: a date, or a time with its offset from UTC.
    pub fn parse(text: &str) -> Option<ExtractionDate> {
        let text = text.trim();
        if let Ok(time) = text.parse::<jiff::Timestamp>() {
            return Some(ExtractionDate::of(time));
        }
        let date: jiff::civil::Date = text.parse().ok()?;
        Some(ExtractionDate { time: format!("{date}T00:00:00Z"), date: date.to_string() })
    }

    /// A moment given in seconds since 1970.
    pub fn at(seconds: i64) -> ExtractionDate {
        ExtractionDate::of(jiff::Timestamp::from_second(seconds).unwrap_or(jiff::Timestamp::UNIX_EPOCH))
    }

    fn of(time: jiff::Timestamp) -> ExtractionDate {
        let time = format!("{time:.0}");
        let date = time.split('T').next().unwrap_or_default().to_owned();
        ExtractionDate { time, date }
    }
}

/// Gives the chosen windows their numbers and all fields of the results.
pub fn make(
    books: &[PreparedBook],
    manifest: &Manifest,
    chosen: &SelectedPassages,
    moment: &ExtractionDate,
) -> Vec<BuiltPassage> {
    let sets = set_names(manifest);
    let mut numbers = vec![0usize; books.len()];
    let mut made = Vec::with_capacity(chosen.found.len());
    for (book, found) in &chosen.found {
        numbers[*book] += 1;
        made.push(one(&books[*book], *book, found, numbers[*book], manifest, &sets, moment));
    }
    made
}

fn one(
    read: &PreparedBook,
    book: usize,
    found: &WindowFindings,
    number: usize,
    manifest: &Manifest,
    sets: &[String],
    moment: &ExtractionDate,
) -> BuiltPassage {
    let (work, span) = (&manifest.works[read.work], found.window.span);
    let text = &read.book.text()[span.range()];
    let passage_id = format!("{}_{number:03}", work.stem());
    let ranges = read.book.ranges(span);
    let score = found.window.score;
    let context_type = match found.sets[..] {
        [only] => sets[only].clone(),
        _ => "both".to_owned(),
    };
    let passage = Passage {
        passage_id: passage_id.clone(),
        author_name: work.author.clone(),
        author_id: work.author_id.clone(),
        book_title: work.title.clone(),
        book_id: read.id,
        publication_year: work.publication_year,
        chapter_section: read.sections[found.section].name.clone(),
        text: text.to_owned(),
        word_count: found.window.words,
        genre_tags: work.genre_tags.clone(),
        keywords_matched: found.keywords.clone(),
        context_type,
        character_names: names(text),
        source_url: manifest.sources.page.replace("{id}", &read.id.to_string()),
        extraction_date: moment.time.clone(),
    };
    let provenance = Provenance {
        passage_id,
        file: format!("raw/gutenberg/{}.txt", work.stem()),
        encoding: read.book.encoding.name().to_owned(),
        source_ranges: ranges.iter().map(|range| (range.start, range.end)).collect(),
        clean_file: format!("processed/books/{}.txt", work.stem()),
        clean_start: span.start,
        clean_end: span.end,
        score: score.total,
        score_subject: score.subject,
        score_quality: score.quality,
    };
    BuiltPassage { passage, provenance, book, span, ranges, score, section: found.section }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates_or_times() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let moment = ExtractionDate::parse(text);
            assert_eq!(
                moment.as_ref().map(|moment| (moment.time.as_str(), moment.date.as_str())),
                expected,
                "{text}"
            );
        };
        check("2026-01-31", Some(("2026-01-31T00:00:00Z", "2026-01-31")));
        check("2026-01-31T23:30:00.5-02:00", Some(("2026-02-01T01:30:00Z", "2026-02-01")));
        check("yesterday", None);
        assert_eq!(ExtractionDate::at(0).time, "1970-01-01T00:00:00Z");
    }
    use crate::book::Book;
    use crate::manifest::parse;
    use std::path::Path;

    /// Two books with a passage of each subject in four chapters.
    fn books(target: &str) -> (Manifest, Vec<PreparedBook>) {
        let work = |slug: &str, id: u32| {
            format!(
                "\n[[works]]\nauthor = \"Ann Other\"\nauthor_id = \"other\"\ntitle = \"The {slug}\"\nslug = \"{slug}\"\n\
                 gutenberg_id = {id}\npublication_year = 1899\n"
            )
        };
        let text = format!(
            "[collection]\nname = \"x\"\n[keywords.mood]\nwords = [\"jest\"]\n[keywords.weather]\nwords = [\"rain\"]\n\
             [rules]\nwords = [8, 60]\nbounds = [8, 80]\nmin_score = 11.0\nsteps = [9.0, 6.0, 3.0]\n{target}{}{}",
            work("pier", 7),
            work("mill", 8)
        );
        let manifest = parse(&text, Path::new("m.toml")).unwrap();
        let book = |at: usize| {
            let chapters =
                ["rain and jest", "rain", "jest", "nothing"].iter().enumerate().map(|(chapter, words)| {
                    let own: Vec<String> = (0..9).map(|n| format!("w{at}{chapter}{n}")).collect();
                    format!("CHAPTER {}\n\nThe {words} {}\nwas there.\n\n", chapter + 1, own.join(" "))
                });
            let book = Book::of(chapters.collect::<String>().as_bytes(), &manifest.rules);
            PreparedBook::new(&manifest, at, at as u32 + 7, book)
        };
        let books = vec![book(0), book(1)];
        (manifest, books)
    }

    #[test]
    fn the_score_falls_until_there_are_enough() {
        let check = |target: &str, expected: &[(f64, usize, usize, usize)]| {
            let (manifest, books) = books(target);
            let chosen = choose_all(&books, &manifest.rules);
            let steps: Vec<(f64, usize, usize, usize)> = chosen
                .steps
                .iter()
                .map(|step| (step.min_score, step.candidates, step.passages, step.surplus))
                .collect();
            assert_eq!(steps, expected, "{target}");
            assert_eq!(chosen.found.len(), expected.last().unwrap().2);
        };
        check("", &[(11.0, 2, 2, 0)]);
        check("target = [2, 9]\n", &[(11.0, 2, 2, 0)]);
        check("target = [1, 1]\n", &[(11.0, 2, 1, 1)]);
        check("target = [3, 9]\n", &[(11.0, 2, 2, 0), (9.0, 2, 2, 0), (6.0, 6, 6, 0)]);
        check("target = [3, 5]\n", &[(11.0, 2, 2, 0), (9.0, 2, 2, 0), (6.0, 6, 5, 1)]);
        let all = [(11.0, 2, 2, 0), (9.0, 2, 2, 0), (6.0, 6, 6, 0), (3.0, 6, 6, 0)];
        check("target = [7, 9]\n", &all);
    }

    #[test]
    fn passages_are_numbered_in_each_book() {
        let (manifest, books) = books("target = [6, 9]\n");
        let chosen = choose_all(&books, &manifest.rules);
        let made = make(&books, &manifest, &chosen, &ExtractionDate::at(0));
        let facts: Vec<(&str, &str, &str, u32)> = made
            .iter()
            .map(|made| {
                let passage = &made.passage;
                let (id, context) = (passage.passage_id.as_str(), passage.context_type.as_str());
                (id, context, passage.chapter_section.as_str(), passage.book_id)
            })
            .collect();
        let expected = [
            ("other_pier_001", "both", "CHAPTER 1", 7),
            ("other_pier_002", "weather", "CHAPTER 2", 7),
            ("other_pier_003", "mood", "CHAPTER 3", 7),
            ("other_mill_001", "both", "CHAPTER 1", 8),
            ("other_mill_002", "weather", "CHAPTER 2", 8),
            ("other_mill_003", "mood", "CHAPTER 3", 8),
        ];
        assert_eq!(facts, expected);
        let provenance = &made[1].provenance;
        assert_eq!(provenance.file, "raw/gutenberg/other_pier.txt");
        assert_eq!(provenance.source_ranges, [(provenance.clean_start, provenance.clean_end)]);
    }
}
