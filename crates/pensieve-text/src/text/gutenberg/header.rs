//! The fields of the header, and where the header ends if it has no marker.

use super::lines::{PlainLine, PlainLines, plain_form};
use super::wording::count_cues;

/// The fields of a header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GutenbergHeader {
    /// The title with its continuation lines.
    pub title: Option<String>,
    /// The first line of the title: its continuation lines may be a subtitle.
    pub main_title: Option<String>,
    /// Author.
    pub author: Option<String>,
    /// The language as the header names it.
    pub language: Option<String>,
    /// The declared encoding.
    pub encoding: Option<String>,
    /// The number of the book.
    pub id: Option<u32>,
}

impl GutenbergHeader {
    /// True if it has nothing that identifies a book.
    pub fn is_empty(&self) -> bool {
        self.title.is_none() && self.author.is_none() && self.id.is_none()
    }
}

/// How many lines of a file are searched for fields.
const MAX_HEADER_LINES: usize = 400;

/// The keys of fields.
const KEYS: &[&str] = &[
    "title",
    "author",
    "authors",
    "editor",
    "translator",
    "illustrator",
    "contributor",
    "release date",
    "last updated",
    "first released",
    "posting date",
    "date first posted",
    "date last updated",
    "most recently updated",
    "language",
    "character set encoding",
    "encoding",
    "other information and formats",
    "original publication",
    "ebook",
    "etext",
    "edition",
    "credits",
    "titel",
    "autor",
    "auteur",
    "titre",
    "langue",
    "sprache",
    "commentator",
    "compiler",
    "dedicatee",
    "produced by",
];

/// A field of one line: key and value.
fn field<'t>(line: PlainLine<'t>) -> Option<(String, &'t str)> {
    let (key, value) = line.text.split_once(':')?;
    let key = plain_form(key);
    KEYS.contains(&key.as_str()).then_some((key, value.trim()))
}

/// Reads the fields, or the first sentence if there are none.
pub(super) fn read(lines: &PlainLines<'_>) -> GutenbergHeader {
    let mut header = GutenbergHeader::default();
    let reach = lines
        .range(0, MAX_HEADER_LINES)
        .iter()
        .position(|line| is_body(*line))
        .unwrap_or(MAX_HEADER_LINES.min(lines.len()));
    for at in 0..reach {
        let Some(line) = lines.get(at) else { break };
        header.id = header.id.or_else(|| number(line.text));
        let Some((key, value)) = field(line) else { continue };
        let place = match key.as_str() {
            "title" | "titel" | "titre" => &mut header.title,
            "author" | "authors" | "autor" | "auteur" => &mut header.author,
            "language" | "langue" | "sprache" => &mut header.language,
            "character set encoding" | "encoding" => &mut header.encoding,
            _ => continue,
        };
        if place.is_none() && !value.is_empty() {
            *place = Some(continued(lines, at, value));
            if key.starts_with("tit") {
                header.main_title = Some(value.to_owned());
            }
        }
    }
    if header.title.is_none()
        && let Some((title, author)) = (0..reach).find_map(|at| first_sentence(lines, at))
    {
        header.title = Some(title);
        header.author = header.author.or(author);
    }
    header
}

fn is_body(line: PlainLine<'_>) -> bool {
    line.text.starts_with("***") && line.form().starts_with("start of")
        || line.form().starts_with("end the small print")
}

/// A value with its continuation lines, which are neither fields nor the start of the book.
fn continued(lines: &PlainLines<'_>, at: usize, value: &str) -> String {
    let mut whole = value.to_owned();
    for line in lines.range(at + 1, lines.paragraph_end(at)) {
        if field(*line).is_some() || line.text.contains(':') || is_body(*line) {
            break;
        }
        whole.push(' ');
        whole.push_str(line.text);
    }
    whole.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `[EBook #74]`, `[Etext #76]`, `[eBook #: 12]`.
fn number(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let at = ["[ebook", "[etext", "[e-book", "[e-text"].iter().find_map(|word| lower.find(word))?;
    let rest = lower[at..].split_once('#')?.1;
    let digits: String = rest
        .chars()
        .skip_while(|c| !c.is_ascii_digit() && *c != ']')
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

/// Title and author from `The Project Gutenberg EBook of TITLE, by AUTHOR`.
fn first_sentence(lines: &PlainLines<'_>, at: usize) -> Option<(String, Option<String>)> {
    const OPENINGS: &[&str] = &[
        "the project gutenberg ebook of ",
        "the project gutenberg etext of ",
        "project gutenbergs etext of ",
        "project gutenberg etext of ",
        "project gutenberg etext ",
        "project gutenbergs ",
    ];
    let form = lines.get(at)?.form();
    let opening = OPENINGS.iter().find(|opening| form.starts_with(**opening))?;
    let paragraph = lines.range(at, lines.paragraph_end(at).min(at + 3));
    let taken =
        paragraph.iter().take_while(|line| !line.text.starts_with("***") || line.start == paragraph[0].start);
    let sentence = taken.map(|line| line.text.trim_matches('*')).collect::<Vec<_>>().join(" ");
    let said = after_words(&sentence, opening.split(' ').filter(|word| !word.is_empty()).count())?;
    Some(match said.rsplit_once(" by ") {
        Some((title, author)) => (tidy(title), Some(tidy(author))),
        None => (tidy(said), None),
    })
}

fn tidy(text: &str) -> String {
    text.trim().trim_end_matches([',', '.', ';', '*']).to_owned()
}

/// The rest of a sentence after its first `count` words.
fn after_words(sentence: &str, count: usize) -> Option<&str> {
    let mut rest = sentence;
    for _ in 0..count {
        rest = rest.trim_start();
        rest = &rest[rest.find(char::is_whitespace)?..];
    }
    Some(rest.trim()).filter(|rest| !rest.is_empty())
}

/// The end of a header without a marker: the leading paragraphs that are the project's words or fields. The first must
/// name the project, otherwise there is no header.
pub(super) fn end_by_words(lines: &PlainLines<'_>, limit: usize) -> usize {
    let mut at = lines.skip_blank(0);
    let mut end = 0;
    let mut named = false;
    while at < limit {
        let next = lines.paragraph_end(at);
        let form = lines.form(at, next);
        let fields = lines.range(at, next).iter().filter(|line| field(**line).is_some()).count();
        let speaks = form.contains("gutenberg") || reads_like_boilerplate(lines, at, next);
        let is_header = speaks || fields > 0 && named && (next - at) <= 2 * fields + 1;
        if !is_header {
            break;
        }
        named |= form.contains("project gutenberg");
        end = next;
        at = lines.skip_blank(next);
    }
    if named { end } else { 0 }
}

/// True for a paragraph with so many cue words that it must be the project's own.
fn reads_like_boilerplate(lines: &PlainLines<'_>, from: usize, to: usize) -> bool {
    let (words, cues) = count_cues(lines, from, to);
    cues > 0 && cues * 25 >= words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, title: &str, author: &str, others: &str) {
        let header = read(&PlainLines::of(text));
        let said = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        assert_eq!([said(&header.title), said(&header.author)], [title, author], "{text:?}");
        let id = header.id.map(|id| id.to_string());
        let found = [&header.main_title, &header.language, &header.encoding, &id].map(said);
        assert_eq!(found.join(" "), others, "{text:?}");
    }

    #[test]
    fn fields_have_values_and_continuation_lines() {
        check("Title: A\n  B\n\nC\nAuthor: D", "A B", "D", "A - - -");
        check("Title: A\nNote: B\nAuthor: C\nLanguage: D", "A", "C", "A D - -");
        check("Titel: A\nAutor: B\nSprache: C\nEncoding: D\n[eBook #: 12]", "A", "B", "A C D 12");
        check("Titre: A\nTitle: B\nAuteur: C\nLangue: D\nCharacter Set Encoding: E", "A", "C", "A D E -");
        check("Title:\nTitle: A\nAuthors: B\nEditor: C", "A", "B", "A - - -");
        check("Start of it\nTitle: A\n*** Start of it\nAuthor: B", "A", "-", "A - - -");
        check("Title: A\nEnd THE SMALL PRINT\nAuthor: B", "A", "-", "A - - -");
        check("*** other\nTitle: A", "A", "-", "A - - -");
    }

    #[test]
    fn a_first_sentence_names_title_and_author() {
        check("The Project Gutenberg EBook of Emma, by Jane Austen.", "Emma", "Jane Austen", "- - - -");
        check("x\n\nProject Gutenberg's Etext of A\nB\nC\nD", "A B C", "-", "- - - -");
        check("*** The Project Gutenberg Etext of A by B ***\n***C", "A", "B", "- - - -");
        check("*** The Project Gutenberg Etext of ***", "-", "-", "- - - -");
        check("Project Gutenberg Etext A by B\n\nAuthor: C", "A", "C", "- - - -");
        check("Title: A\n\nProject Gutenberg Etext B", "A", "-", "A - - -");
    }

    #[test]
    fn numbers_stand_after_a_hash() {
        let check = |text: &str, expected: Option<u32>| assert_eq!(number(text), expected, "{text}");
        check("[EBook #74]", Some(74));
        check("x [E-Text # 5", Some(5));
        check("[ebook #] 12", None);
        check("[ebook 74]", None);
        check("# 74", None);
    }

    #[test]
    fn a_title_an_author_or_a_number_identifies_a_book() {
        let empty = GutenbergHeader { language: Some("en".to_owned()), ..GutenbergHeader::default() };
        assert!(empty.is_empty());
        let some = Some("x".to_owned());
        assert!(!GutenbergHeader { title: some.clone(), ..empty.clone() }.is_empty());
        assert!(!GutenbergHeader { author: some, ..empty.clone() }.is_empty());
        assert!(!GutenbergHeader { id: Some(1), ..empty }.is_empty());
    }

    #[test]
    fn a_header_without_a_marker_ends_with_the_words_of_the_project() {
        let check = |text: &str, expected: usize| {
            assert_eq!(end_by_words(&PlainLines::of(text), 10), expected, "{text:?}");
        };
        let boilerplate = |words: usize| format!("Project Gutenberg\n\nftp{}\n\nx", " x".repeat(words - 1));
        check("Project Gutenberg\n\nText", 1);
        check("An etext by ftp\n\nText", 0);
        check("An etext by ftp\n\nProject Gutenberg\n\nText", 3);
        check("Project Gutenberg\n\n***\n\nText", 1);
        check(&boilerplate(25), 3);
        check(&boilerplate(26), 1);
        check("Project Gutenberg\n\nTitle: x\nx\nx\n\nText", 5);
        check("Project Gutenberg\n\nTitle: x\nx\nx\nx\n\nText", 1);
        check("Project Gutenberg\n\nTitle: x\nx\nx\nx\nAuthor: x\n\nText", 7);
        check("Title: x\n\nProject Gutenberg\n\nText", 0);
        let limited = PlainLines::of("Project Gutenberg\n\nftp\n");
        assert_eq!([2, 3].map(|limit| end_by_words(&limited, limit)), [1, 3]);
    }
}
