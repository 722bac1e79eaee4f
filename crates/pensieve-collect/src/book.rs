//! A raw file as a clean book: decoded, without the project's header and footer, without marks, with a map for every
//! step.

use crate::manifest::{MarkupPolicy, PassageRules, Work};
use pensieve_text::model::{Problem, Segment, Span};
use pensieve_text::text::decode::{Encoding, EncodingHints, decode_all, decode_slice};
use pensieve_text::text::gutenberg::{
    GutenbergFinding, GutenbergHeader, TranscriberMarkOptions, drop_transcriber_marks, read_header,
    strip_boilerplate,
};
use unicode_normalization::UnicodeNormalization;

/// A clean book.
#[derive(Debug, Clone)]
pub struct Book {
    /// The text with its map to the bytes of the raw file. Lines end in `\n`.
    pub segment: Segment,
    /// The text before marks were removed: keywords are counted in it.
    pub counted: String,
    /// The facts in the header.
    pub header: GutenbergHeader,
    /// What was found around the book.
    pub findings: Vec<GutenbergFinding>,
    /// The encoding that the file was decoded from.
    pub encoding: Encoding,
    /// Problems with its bytes.
    pub problems: Vec<Problem>,
}

impl Book {
    /// The clean book in the bytes of a raw file.
    pub fn of(raw: &[u8], rules: &PassageRules) -> Book {
        let (decoded, encoding, problems) = decode_all(raw, &EncodingHints::default());
        let header = read_header(&decoded.text);
        let (stripped, findings) = strip_boilerplate(decoded);
        let counted = stripped.text.clone();
        let marks = TranscriberMarkOptions {
            drop_illustrations: rules.illustrations == MarkupPolicy::Drop,
            drop_italics: rules.italics == MarkupPolicy::Drop,
            drop_notes: rules.notes == MarkupPolicy::Drop,
        };
        Book {
            segment: drop_transcriber_marks(stripped, &marks),
            counted,
            header,
            findings,
            encoding,
            problems,
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.segment.text
    }

    /// The bytes of the raw file that a span comes from, in order: one range, and one more for each place inside
    /// where something was removed.
    pub fn ranges(&self, span: Span) -> Vec<Span> {
        let drops = self
            .segment
            .map
            .runs()
            .iter()
            .filter(|run| run.out_unit == 0 && span.start < run.out && run.out < span.end);
        let mut cuts: Vec<usize> = drops.map(|run| run.out).collect();
        cuts.dedup();
        let starts = [span.start].into_iter().chain(cuts.iter().copied());
        let ends = cuts.iter().copied().chain([span.end]);
        let part = |(start, end)| {
            self.segment.map.source(Span::new(start, end)).map(|source| Span::new(source.start, source.end))
        };
        starts.zip(ends).filter_map(part).collect()
    }

    /// The text in these ranges of the raw file, with line ends as in the book.
    pub fn read_back(&self, raw: &[u8], ranges: &[Span]) -> Option<String> {
        let mut text = String::new();
        for range in ranges {
            text.push_str(&decode_slice(self.encoding, raw.get(range.range())?)?);
        }
        Some(text.replace("\r\n", "\n").replace('\r', "\n"))
    }
}

/// Whether a text is the expected work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// Title and author match.
    Fits,
    /// There is no header to compare with.
    Unknown,
    /// It is another book; the reason in words.
    Other(String),
}

/// Compares the header with the work in the manifest.
pub fn identify(header: &GutenbergHeader, work: &Work) -> Identity {
    let Some(title) = &header.title else {
        return Identity::Unknown;
    };
    let mut wanted = [&work.title].into_iter().chain(&work.title_aliases);
    let fits =
        |wanted: &String| [title].into_iter().chain(&header.main_title).any(|own| is_same_title(wanted, own));
    if !wanted.any(fits) {
        return Identity::Other(format!("the text is titled `{title}`, not `{}`", work.title));
    }
    let authors: Vec<&String> = [&work.author].into_iter().chain(&work.author_aliases).collect();
    match &header.author {
        Some(author) if !authors.iter().any(|wanted| is_same_author(wanted, author)) => {
            Identity::Other(format!("the text is by `{author}`, not by `{}`", work.author))
        }
        _ => Identity::Fits,
    }
}

/// Words of titles that carry no meaning.
const STOP_WORDS: &[&str] = &[
    "the", "a", "an", "of", "and", "in", "to", "by", "or", "s", "complete", "volume", "vol", "part", "le",
    "la", "les", "de", "du", "des", "et", "der", "die", "das", "und", "von", "el", "los", "y",
];

fn plain_words(text: &str) -> Vec<String> {
    let plain: String = text
        .nfkd()
        .filter(|c| !unicode_normalization::char::is_combining_mark(*c))
        .collect::<String>()
        .to_lowercase();
    let plain = plain.replace(['\'', '’'], "");
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// True when one title contains every meaningful word of the other. The main title of one may equal the whole of the
/// other: what follows a colon or a semicolon is a subtitle.
fn is_same_title(wanted: &str, found: &str) -> bool {
    let words = |title: &str| -> Vec<String> {
        let all = plain_words(title);
        let meaning: Vec<String> =
            all.iter().filter(|word| !STOP_WORDS.contains(&word.as_str())).cloned().collect();
        if meaning.is_empty() { all } else { meaning }
    };
    let main = |title: &str| words(title.split([':', ';']).next().unwrap_or(title));
    let covers =
        |whole: &[String], part: &[String]| !part.is_empty() && part.iter().all(|word| whole.contains(word));
    let fits = |wanted: &[String], found: &[String]| {
        // One word out of many is not enough: `Poems` is not `Poems of the Reeds`, unless it is the whole title.
        covers(found, wanted) && wanted.len() * 3 >= found.len()
            || covers(wanted, found) && found.len() * 2 >= wanted.len()
    };
    fits(&words(wanted), &words(found))
        || fits(&main(wanted), &main(found))
        || fits(&words(wanted), &main(found))
}

/// True when the last name occurs in the author of the header.
fn is_same_author(wanted: &str, found: &str) -> bool {
    let found = plain_words(found);
    let wanted = plain_words(wanted);
    wanted.iter().rfind(|word| !matches!(word.as_str(), "jr" | "sr")).is_some_and(|last| found.contains(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_compared_by_what_they_mean() {
        let check = |wanted: &str, found: &str, expected: bool| {
            assert_eq!(is_same_title(wanted, found), expected, "{wanted} | {found}");
        };
        check("The Adventures of Tom Sawyer", "The Adventures of Tom Sawyer, Complete", true);
        check("Adventures of Huckleberry Finn", "Huckleberry Finn", true);
        check("The Way to Wealth", "Franklin's Way to Wealth; or, \"Poor Richard Improved\"", true);
        check("Autobiography of Benjamin Franklin", "The Autobiography of Benjamin Franklin", true);
        check("Poor Richard's Almanack", "The Sacred Wood Essays on Poetry and Criticism", false);
        check("Life on the Mississippi", "Life of Benjamin Franklin", false);
        check("Candide", "Candide: ou l'optimisme", true);
        check("Les Misérables", "Les miserables Tome I: Fantine", true);
        check("Roughing It", "The Innocents Abroad", false);
    }

    #[test]
    fn authors_are_compared_by_their_last_name() {
        let check = |wanted: &str, found: &str, expected: bool| {
            assert_eq!(is_same_author(wanted, found), expected, "{wanted} | {found}");
        };
        check("Mark Twain", "Mark Twain (Samuel Clemens)", true);
        check("Mark Twain", "Twain/Clemens", true);
        check("Charlotte Brontë", "Charlotte Bronte", true);
        check("Benjamin Franklin", "T. S. Eliot", false);
    }

    #[test]
    fn ranges_lead_back_to_the_text() {
        let raw = b"One,\r\n[Illustration: a heron]\r\ntwo _and_ three.\r\n";
        let rules = PassageRules { italics: MarkupPolicy::Drop, ..PassageRules::default() };
        let book = Book::of(raw, &rules);
        assert_eq!(book.text(), "One,\ntwo and three.\n");
        let ranges = book.ranges(Span::new(0, book.text().len() - 1));
        assert_eq!(ranges.len(), 4);
        assert_eq!(book.read_back(raw, &ranges).as_deref(), Some("One,\ntwo and three."));
    }

    #[test]
    fn a_title_has_at_most_three_times_the_words_of_the_wanted_one_and_at_least_half() {
        let check = |wanted: &str, found: &str, expected: bool| {
            assert_eq!(is_same_title(wanted, found), expected, "{wanted} | {found}");
        };
        check("Reeds", "Reeds Rivers Rains", true);
        check("Reeds", "Reeds Rivers Rains Winds", false);
        check("Reeds Rivers", "Reeds", true);
        check("Reeds Rivers Rains", "Reeds", false);
        check("Reeds Rivers Rains Winds", "Rains Reeds", true);
        check("Reeds Rivers Rains Winds Snows", "Rains Reeds", false);
        check("Reeds", "Rains", false);
        check("The Reeds of the River", "The Rains of the River", false);
        check("Reeds: one two three four", "Reeds; five six seven eight", true);
        check("Rain: Reeds River Snow", "Reeds River Snow Rain; a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3", true);
        check("The Of", "Of the", true);
        check("The Of", "", false);
        check("", "", false);
        check("Heron’s Rivière", "HERONS RIVIERE", true);
    }

    #[test]
    fn a_title_of_words_that_carry_no_meaning_is_compared_with_them() {
        let author = |wanted: &str, found: &str| is_same_author(wanted, found);
        assert!(is_same_title("The A", "A: The"));
        assert!(author("Ann Other Jr.", "Other, Ann") && !author("Ann Other Jr.", "Jr., Ann"));
        assert!(!author("Jr.", "Jr.") && !author("", ""));
    }

    #[test]
    fn a_text_is_the_work_if_title_and_author_fit_one_of_their_names() {
        let manifest = crate::manifest::parse(
            "[collection]\nname = \"x\"\n[keywords.weather]\nwords = [\"rain\"]\n[[works]]\nauthor = \"Ann Other\"\n\
             author_id = \"other\"\nauthor_aliases = [\"Bob Else\"]\ntitle = \"The Grey Heron\"\n\
             title_aliases = [\"Reeds\"]\nslug = \"heron\"\ngutenberg_id = 9\npublication_year = 1899\n",
            std::path::Path::new("m.toml"),
        )
        .unwrap();
        let check = |title: Option<&str>, main: Option<&str>, author: Option<&str>, expected: Identity| {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            let header = GutenbergHeader {
                title: owned(title),
                main_title: owned(main),
                author: owned(author),
                ..GutenbergHeader::default()
            };
            assert_eq!(identify(&header, &manifest.works[0]), expected, "{title:?} {main:?} {author:?}");
        };
        let other = |reason: &str| Identity::Other(reason.to_owned());
        check(None, Some("The Grey Heron"), Some("Ann Other"), Identity::Unknown);
        check(Some("The Grey Heron"), None, Some("Ann Other"), Identity::Fits);
        check(Some("Reeds"), None, Some("Bob Else"), Identity::Fits);
        check(Some("Snow"), Some("Reeds"), None, Identity::Fits);
        check(Some("Snow"), None, None, other("the text is titled `Snow`, not `The Grey Heron`"));
        check(Some("Reeds"), None, Some("Cy Third"), other("the text is by `Cy Third`, not by `Ann Other`"));
    }

    #[test]
    fn a_removal_at_the_edge_of_a_span_does_not_split_its_range() {
        let raw = b"One,\n[Illustration: a heron]\ntwo.\n";
        let book = Book::of(raw, &PassageRules::default());
        assert_eq!(book.text(), "One,\ntwo.\n");
        let check = |start: usize, end: usize, expected: &[(usize, usize)]| {
            let expected: Vec<Span> = expected.iter().map(|&(start, end)| Span::new(start, end)).collect();
            assert_eq!(book.ranges(Span::new(start, end)), expected, "{start}..{end}");
        };
        check(0, 9, &[(0, 5), (29, 33)]);
        check(0, 5, &[(0, 5)]);
        check(5, 9, &[(29, 33)]);
        check(1, 6, &[(1, 5), (29, 30)]);
        assert_eq!(book.read_back(raw, &[Span::new(0, 40)]), None);
    }
}
