//! A question: the words of a query without operators, each with the words of the index that count as it.
//!
//! Sources: forms by stems as in M. F. Porter, "Snowball: A language for stemming algorithms" (2001); two letters of a
//! script without spaces as a word, as in most search engines for Chinese and Japanese.

pub(super) mod completion;
pub(super) mod names;
pub(super) mod stems;
pub(super) mod vocabulary;

use super::index_size::table_size;
use crate::store::query::characters::{is_letter, is_unspaced};
use crate::store::query::words::{TextWord, text_words};
use crate::store::query::{Expression, Query, QueryNote, QueryTerm};
use crate::store::rows::sql::{Queries, count};
use completion::WordCompletions;
use names::{CodeName, names};
use rusqlite::Connection;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use stems::{Stemmers, letter_spellings, spellings};
use unicode_normalization::UnicodeNormalization;
use vocabulary::{MAX_CORRECTED_CHARS, Vocabulary};

/// Words of a question that are looked up, at most: a longer text is more than a question.
const MAX_WORDS: usize = 64;

/// Chunks that the words of a question may match together before its most frequent words are left out of the search
/// for candidates. They count in the ranking of the candidates all the same.
const MAX_MATCHES: u64 = 20_000;

/// How much a word counts for one of the question that is longer or shorter: a completion, a part of a name, a compound.
const PART_SHARE: f64 = 0.5;

/// How much a word without matter (*what, is, the*) counts beside those with: .6 measures .003 to .008 lower on three of five kinds of
/// questions, nothing at all .025 lower on code, .008 lower on books and .017 higher on annual reports.
const FUNCTION_SHARE: f64 = 0.3;

/// Letters of the second part of a word that is divided in the text, at least: of a part that is no function word, and of any.
const MIN_PART_CHARS: usize = 2;
const MIN_DIVIDED_CHARS: usize = 3;

/// Letters of a word that does not occur, at least, of which longer words are looked up: of a name in a program, of a hash.
const MIN_BEGUN_CHARS: usize = 6;

/// Longer words that count as one that does not occur, at most.
const MAX_LONGER_WORDS: usize = 32;

/// A word of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QuestionWord {
    /// The word as the index has it, folded; of a word that signs join, the words it is made of with spaces between.
    pub text: String,
    /// The words of the index that count as it, the word itself among them, each with how much it counts; empty if it does
    /// not occur.
    pub forms: Vec<(String, f64)>,
    /// The number of chunks with one of the forms, or a little more: a chunk with two forms counts twice.
    pub chunks: u64,
    /// The number of chunks with a name of which it is a part.
    pub part_chunks: u64,
    /// How much it counts, 1 for a word with matter.
    pub share: f64,
    /// For a word with signs at its edges, such as `C++`: the word with them. Without them it counts less.
    pub literal: Option<String>,
}

impl QuestionWord {
    /// True if it is several words of the index that signs join.
    pub fn is_joined(&self) -> bool {
        self.text.contains(' ')
    }
}

/// The words of a question, each once, in order.
pub(super) struct Question {
    pub words: Vec<QuestionWord>,
    /// The number of the question's word for each of its stems: words of paths and headings need not occur in any text.
    stems: FxHashMap<String, usize>,
    stemmers: Rc<Stemmers>,
    /// What [`Question::number_of`] has found.
    numbers: RefCell<FxHashMap<String, Option<usize>>>,
    /// Names of a program's parts.
    pub names: Vec<CodeName>,
    /// Words that do not occur, and what was searched for besides.
    pub notes: Vec<QueryNote>,
}

/// What the words of a question are looked up in.
struct WordLookup<'l> {
    connection: &'l Connection,
    vocabulary: &'l Vocabulary<'l>,
    stemmers: Rc<Stemmers>,
    completions: Option<&'l WordCompletions>,
    is_one_word: bool,
}

impl WordLookup<'_> {
    /// The number of chunks with words that follow each other.
    fn chunks_with_phrase(&self, words: &str) -> rusqlite::Result<u64> {
        let sql = "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?1";
        self.connection.one(sql, [format!("\"{words}\"")], |row| count(row, 0))
    }
}

impl Question {
    /// Looks up the words of a query, whose last one may have completions.
    pub fn new(
        connection: &Connection,
        query: &Query,
        completions: Option<&WordCompletions>,
    ) -> rusqlite::Result<Question> {
        let vocabulary = Vocabulary::open(connection)?;
        let terms: Vec<&QueryTerm> = query.expression.iter().flat_map(Expression::wanted_terms).collect();
        let texts: Vec<String> = terms.iter().map(|term| term.text.nfkc().collect()).collect();
        let words: Vec<Vec<String>> = texts.iter().map(|text| index_words(text)).collect();
        let (chunks, _) = table_size(connection, "chunks_fts")?;
        let stemmers = Rc::new(Stemmers::new(words.iter().flatten().map(String::as_str), chunks, |word| {
            vocabulary.chunks_with(word)
        })?);
        let is_one_word = words.iter().flatten().count() == 1;
        let lookup = WordLookup {
            connection,
            vocabulary: &vocabulary,
            stemmers: stemmers.clone(),
            completions,
            is_one_word,
        };
        let mut question = Question {
            words: Vec::new(),
            stems: FxHashMap::default(),
            stemmers,
            numbers: RefCell::default(),
            names: names(&terms),
            notes: Vec::new(),
        };
        for (text, words) in texts.iter().zip(&words) {
            for word in words {
                question.add(word, text, &lookup)?;
            }
            if words.len() > 1 && !text.contains(is_unspaced) {
                question.add_joined(words, &lookup)?;
            }
            if let [word] = words.as_slice() {
                question.add_literal(word, text);
            }
        }
        question.add_quarters(&lookup)?;
        question.join_unknown(&lookup)?;
        // `to be or not to be` is all the question has.
        let has_matter = question.words.iter().any(|word| word.share == 1.0);
        if !has_matter {
            question.words.iter_mut().for_each(|word| word.share = 1.0);
        }
        Ok(question)
    }

    /// The number of the word that a folded word of a path or a heading is a form of.
    pub fn number_of(&self, word: &str) -> Option<usize> {
        // Paths share their folders: each word is stemmed once.
        if let Some(known) = self.numbers.borrow().get(word) {
            return *known;
        }
        let stemmed =
            || self.stemmers.stems(word).into_iter().find_map(|stem| self.stems.get(&stem).copied());
        let number = self.stems.get(word).copied().or_else(stemmed);
        self.numbers.borrow_mut().insert(word.to_owned(), number);
        number
    }

    fn is_known(&self, word: &str) -> bool {
        self.words.len() >= MAX_WORDS || self.words.iter().any(|known| known.text == word)
    }

    /// Adds a word; `typed` is the term that it is of.
    fn add(&mut self, word: &str, typed: &str, lookup: &WordLookup<'_>) -> rusqlite::Result<()> {
        if self.is_known(word) {
            return Ok(());
        }
        let share = if lookup.stemmers.is_function_word(word) { FUNCTION_SHARE } else { 1.0 };
        let mut found = QuestionWord {
            text: word.to_owned(),
            forms: Vec::new(),
            chunks: 0,
            part_chunks: lookup.vocabulary.chunks_with_part(word)?,
            share,
            literal: None,
        };
        found.add_forms(forms_of(word, lookup)?, 1.0);
        let mut others = Vec::new();
        if share == 1.0 && !word.contains(is_unspaced) {
            others.extend(spellings(word, typed).into_iter().chain(fiscal_years(word)));
            // Other spellings have forms of their own.
            for other in &others {
                found.add_forms(lookup.vocabulary.forms(other, &lookup.stemmers)?, 1.0);
            }
            found.add_forms(lookup.vocabulary.compounds(word)?, PART_SHARE);
        }
        if let Some(completed) = lookup.completions.filter(|completed| completed.word == word) {
            found.add_forms(completed.words.clone(), PART_SHARE);
        }
        if found.forms.is_empty() && found.part_chunks == 0 && share == 1.0 && !word.contains(is_unspaced) {
            self.correct(&mut found, lookup)?;
        }
        let number = self.words.len();
        let stems = lookup.stemmers.stems(&found.text).into_iter().chain([found.text.clone()]);
        self.stems.extend(stems.map(|stem| (stem, number)));
        // A report of `FY2022` is called `2022`.
        others.into_iter().for_each(|other| _ = self.stems.entry(other).or_insert(number));
        self.words.push(found);
        Ok(())
    }

    /// Looks for the nearest word to one that does not occur. It is searched for besides other words; alone it is offered.
    fn correct(&mut self, word: &mut QuestionWord, lookup: &WordLookup<'_>) -> rusqlite::Result<()> {
        let wrong = word.text.clone();
        // Each place of the word is tried.
        if wrong.chars().count() <= MAX_CORRECTED_CHARS {
            word.add_forms(Question::other_words(&wrong, lookup)?, 1.0);
        }
        if !word.forms.is_empty() {
            return Ok(());
        }
        let Some(nearest) = lookup.vocabulary.nearest(&wrong)? else {
            word.add_forms(longer_words(&wrong, lookup)?, PART_SHARE);
            self.notes.extend(word.forms.is_empty().then_some(QueryNote::Unknown { word: wrong }));
            return Ok(());
        };
        self.notes.push(match lookup.is_one_word {
            true => QueryNote::DidYouMean { word: wrong, nearest },
            false => {
                word.add_forms(lookup.vocabulary.forms(&nearest, &lookup.stemmers)?, 1.0);
                QueryNote::Corrected { word: wrong, used: nearest }
            }
        });
        Ok(())
    }

    /// Words that signs join, such as `spawn_blocking`, are a word of their own besides their parts.
    fn add_joined(&mut self, words: &[String], lookup: &WordLookup<'_>) -> rusqlite::Result<()> {
        let text = words.join(" ");
        if self.is_known(&text) {
            return Ok(());
        }
        let mut found = QuestionWord {
            text: text.clone(),
            forms: Vec::new(),
            chunks: 0,
            part_chunks: 0,
            share: 1.0,
            literal: None,
        };
        let chunks = lookup.chunks_with_phrase(&text)?;
        if chunks > 0 {
            found.add_forms(vec![(text, chunks)], 1.0);
        }
        // `co-operative` is also `cooperative`.
        found.add_forms(lookup.vocabulary.forms(&words.concat(), &lookup.stemmers)?, 1.0);
        self.words.push(found);
        Ok(())
    }

    /// Words that mean one that does not occur: with other letters (`łódź`), or divided (`co-operative`, `U.S.A.`, `1,500`,
    /// `100 km`).
    fn other_words(word: &str, lookup: &WordLookup<'_>) -> rusqlite::Result<Vec<(String, u64)>> {
        let mut found = Vec::new();
        let mut phrases = signed_parts(word);
        if word.chars().all(char::is_alphabetic) {
            let spelled = spellings(word, word);
            let all = spelled.iter().map(String::as_str).chain([word]).flat_map(letter_spellings);
            let respelled = spelled.iter().flat_map(|other| spellings(other, other));
            for other in all.chain(spelled.iter().cloned()).chain(respelled) {
                found.extend(lookup.vocabulary.forms(&other, &lookup.stemmers)?);
                found.extend(lookup.vocabulary.compounds(&other)?);
            }
            let ends = word.char_indices().map(|(at, _)| at).skip(1);
            for (first, second) in ends.map(|at| word.split_at(at)) {
                let letters = second.chars().count();
                let is_part =
                    |part: &str| part.chars().nth(1).is_some() && !lookup.stemmers.is_function_word(part);
                let is_long = letters >= MIN_DIVIDED_CHARS
                    || letters >= MIN_PART_CHARS && is_part(first) && is_part(second);
                // A look-up of both halves is cheaper than a search for the phrase.
                if is_long
                    && lookup.vocabulary.chunks_with(first)? > 0
                    && lookup.vocabulary.chunks_with(second)? > 0
                {
                    phrases.push(format!("{first} {second}"));
                }
            }
        }
        for phrase in phrases {
            let chunks = lookup.chunks_with_phrase(&phrase)?;
            found.extend((chunks > 0).then_some((phrase, chunks)));
        }
        Ok(found)
    }

    /// Two words of which one does not occur may be one word of the index: `GTX 1080`, `100 km`.
    fn join_unknown(&mut self, lookup: &WordLookup<'_>) -> rusqlite::Result<()> {
        for second in 1..self.words.len() {
            let is_unknown = |word: &QuestionWord| word.forms.is_empty() && word.part_chunks == 0;
            let pair = &self.words[second - 1..=second];
            if !pair.iter().any(is_unknown) || pair.iter().any(QuestionWord::is_joined) {
                continue;
            }
            let joined = pair[0].text.clone() + &pair[1].text;
            let forms = lookup.vocabulary.forms(&joined, &lookup.stemmers)?;
            if forms.is_empty() {
                continue;
            }
            for word in &mut self.words[second - 1..=second] {
                let text = &word.text;
                self.notes.retain(|note| !matches!(note, QueryNote::Unknown { word } if word == text));
                word.add_forms(forms.clone(), 1.0);
            }
        }
        Ok(())
    }

    /// The words with matter that no text has, by their numbers.
    pub fn unknown_words(&self) -> Vec<usize> {
        let is_unknown = |word: &QuestionWord| {
            word.forms.is_empty() && word.part_chunks == 0 && word.share == 1.0 && !word.is_joined()
        };
        (0..self.words.len()).filter(|&at| is_unknown(&self.words[at])).collect()
    }

    /// Notes the signs around the only word of a term: `C++`, `C#`, `.NET`.
    fn add_literal(&mut self, word: &str, typed: &str) {
        // Quotes and brackets of the sentence; a point may begin `.NET`.
        let literal = typed.trim_matches(|c: char| !is_letter(c) && !"+#.".contains(c)).to_lowercase();
        // A point at the end is that of the sentence.
        let literal = literal.trim_end_matches('.');
        let has_sign = literal.starts_with('.') || literal.ends_with(['+', '#']);
        if let Some(found) = self.words.iter_mut().find(|found| found.text == word && has_sign) {
            found.literal = Some(literal.to_owned());
        }
    }

    /// `third quarter` is also `Q3`.
    fn add_quarters(&mut self, lookup: &WordLookup<'_>) -> rusqlite::Result<()> {
        let quarter = |pair: &[QuestionWord]| {
            let at = QUARTERS.iter().position(|names| names.contains(&pair[0].text.as_str()))?;
            (pair[1].text == "quarter").then(|| format!("q{}", at + 1))
        };
        let found: Vec<String> = self.words.windows(2).filter_map(quarter).collect();
        found.iter().try_for_each(|word| self.add(word, word, lookup))
    }

    /// The search for candidates: any form of any of the words with matter, the most frequent words left out where the others
    /// match enough. `None` if no word occurs.
    pub fn any_word(&self) -> Option<Expression> {
        let terms: Vec<Expression> = self
            .searched(|word| word.chunks)
            .flat_map(|word| &word.forms)
            .map(|(form, _)| {
                Expression::Term(QueryTerm {
                    text: form.clone(),
                    is_whole: !is_single_letter(form),
                    ..QueryTerm::default()
                })
            })
            .collect();
        (!terms.is_empty()).then_some(Expression::Any(terms))
    }

    /// The words to look for among parts of names, as an FTS5 expression.
    pub fn any_part(&self) -> Option<String> {
        let words: Vec<String> =
            self.searched(|word| word.part_chunks).map(|word| format!("\"{}\"", word.text)).collect();
        (!words.is_empty()).then(|| words.join(" OR "))
    }

    /// The words that select candidates, by the numbers of their chunks.
    fn searched(&self, chunks: impl Fn(&QuestionWord) -> u64) -> impl Iterator<Item = &QuestionWord> {
        let mut words: Vec<(u64, &QuestionWord)> =
            self.words.iter().map(|word| (chunks(word), word)).filter(|(chunks, _)| *chunks > 0).collect();
        let has_matter = words.iter().any(|(_, word)| word.share == 1.0);
        // Words of grammar are in nearly every chunk.
        words.retain(|(_, word)| !has_matter || word.share == 1.0);
        words.sort_by_key(|(chunks, _)| *chunks);
        let mut matched = 0_u64;
        let is_searched = move |(chunks, _): &(u64, &QuestionWord)| {
            // The rarest word selects, however frequent it is.
            let is_searched = matched == 0 || matched + chunks <= MAX_MATCHES;
            matched += chunks;
            is_searched
        };
        words.into_iter().take_while(is_searched).map(|(_, word)| word)
    }
}

impl QuestionWord {
    fn add_forms(&mut self, forms: Vec<(String, u64)>, share: f64) {
        let known: FxHashSet<String> = self.forms.iter().map(|(form, _)| form.clone()).collect();
        // The first share of a form is its largest: forms come before spellings, compounds and completions.
        for (form, chunks) in forms.into_iter().filter(|(form, _)| !known.contains(form)) {
            self.forms.push((form, share));
            self.chunks += chunks;
        }
    }
}

/// The most frequent words that begin with one that does not occur.
fn longer_words(word: &str, lookup: &WordLookup<'_>) -> rusqlite::Result<Vec<(String, u64)>> {
    if word.chars().count() < MIN_BEGUN_CHARS {
        return Ok(Vec::new());
    }
    let mut longer = lookup.vocabulary.beginning_with(word)?;
    longer.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    longer.truncate(MAX_LONGER_WORDS);
    Ok(longer)
}

/// A word as it may be written with signs or blanks between its parts, which the index has as words: the letters of an
/// acronym, letters and digits, digits by thousands, the groups of four of an account.
fn signed_parts(word: &str) -> Vec<String> {
    let letters = word.chars().count();
    let is_digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let spaced = |every: &dyn Fn(usize) -> bool| {
        let mut text = String::new();
        for (at, c) in word.chars().enumerate() {
            if at > 0 && every(at) {
                text.push(' ');
            }
            text.push(c);
        }
        text
    };
    let mut found = Vec::new();
    if is_digits && letters > 3 && !word.starts_with('0') {
        found.push(spaced(&|at| (letters - at).is_multiple_of(3)));
    }
    let is_account =
        word.is_ascii() && letters >= 12 && word.bytes().filter(u8::is_ascii_digit).count() * 2 > letters;
    if is_account {
        found.push(spaced(&|at| at % 4 == 0));
    }
    if word.chars().all(char::is_alphabetic) && (2..=5).contains(&letters) {
        found.push(spaced(&|_| true));
    }
    let kinds: Vec<bool> = word.chars().map(char::is_numeric).collect();
    if kinds.contains(&true) && kinds.contains(&false) {
        found.push(spaced(&|at| kinds[at - 1] != kinds[at]));
    }
    found
}

/// The ordinals of quarters of a year.
const QUARTERS: [[&str; 2]; 4] = [["first", "1st"], ["second", "2nd"], ["third", "3rd"], ["fourth", "4th"]];

/// `FY2019` and `FY19` are also `2019`, and the reverse.
fn fiscal_years(word: &str) -> Vec<String> {
    let is_year = |text: &str| text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
    let digits = word.strip_prefix("fy").unwrap_or(word);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    match (digits.len() == word.len(), digits.len()) {
        (true, 4) if is_year(digits) => vec![format!("fy{digits}"), format!("fy{}", &digits[2..])],
        (false, 4) if is_year(digits) => vec![digits.to_owned(), format!("fy{}", &digits[2..])],
        // Years of this century: a company reports on its last ones.
        (false, 2) => vec![format!("20{digits}"), format!("fy20{digits}")],
        _ => Vec::new(),
    }
}

/// The forms of a word with their chunks. Two letters of a script without spaces have no other form; a single one is the
/// beginning of its pairs, of which there are many, so it is looked up as it is.
fn forms_of(word: &str, lookup: &WordLookup<'_>) -> rusqlite::Result<Vec<(String, u64)>> {
    if !word.contains(is_unspaced) {
        return lookup.vocabulary.forms(word, &lookup.stemmers);
    }
    let chunks = match is_single_letter(word) {
        true => lookup.vocabulary.beginning_with(word)?.iter().map(|(_, chunks)| *chunks).max().unwrap_or(0),
        false => lookup.vocabulary.chunks_with(word)?,
    };
    Ok(if chunks > 0 { vec![(word.to_owned(), chunks)] } else { Vec::new() })
}

/// True for one letter of a script without spaces, the beginning of the pairs that it is in.
fn is_single_letter(word: &str) -> bool {
    word.starts_with(is_unspaced) && text_words(word).len() == 1
}

/// The folded words of a text; of letters without spaces each two neighbours make a word, a single letter makes one by
/// itself.
pub(super) fn index_words(text: &str) -> Vec<String> {
    joined_letters(text_words(text)).into_iter().map(|word| word.folded.into_owned()).collect()
}

/// The words of [`index_words`] with their places in bytes.
pub(super) fn joined_letters(words: Vec<TextWord<'_>>) -> Vec<TextWord<'_>> {
    let is_letter = |word: &TextWord<'_>| word.folded.starts_with(is_unspaced);
    if !words.iter().any(is_letter) {
        return words;
    }
    let mut found = Vec::with_capacity(words.len());
    let mut follows = false;
    let mut words = words.into_iter().peekable();
    while let Some(mut word) = words.next() {
        let next = words.peek().filter(|next| is_letter(&word) && is_letter(next) && next.start == word.end);
        let ends_run = std::mem::replace(&mut follows, next.is_some()) && next.is_none();
        if let Some(next) = next {
            word.folded.to_mut().push_str(&next.folded);
            word.end = next.end;
        }
        if !ends_run {
            found.push(word);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_without_spaces_make_words_of_two() {
        let check = |text: &str, expected: &[&str]| assert_eq!(index_words(text), expected, "{text}");
        check("What is the Größe?", &["what", "is", "the", "große"]);
        check("内存限制", &["内存", "存限", "限制"]);
        check("库 x86", &["库", "x86"]);
        check("使用SQLite库", &["使用", "sqlite", "库"]);
    }

    #[test]
    fn words_may_be_written_with_signs_between_their_parts() {
        let check = |word: &str, expected: &[&str]| assert_eq!(signed_parts(word), expected, "{word}");
        check("usa", &["u s a"]);
        check("1234567", &["1 234 567"]);
        check("1500", &["1 500"]);
        check("gtx1080", &["gtx 1080"]);
        check("de8937040044053201", &["de89 3704 0044 0532 01", "de 8937040044053201"]);
        check("lantern", &[]);
        check("007", &[]);
    }

    #[test]
    fn fiscal_years_are_years() {
        let check = |word: &str, expected: &[&str]| assert_eq!(fiscal_years(word), expected, "{word}");
        check("fy2019", &["2019", "fy19"]);
        check("2019", &["fy2019", "fy19"]);
        check("fy19", &["2019", "fy2019"]);
        check("1234", &[]);
        check("fyrd", &[]);
        check("fy", &[]);
    }
}
