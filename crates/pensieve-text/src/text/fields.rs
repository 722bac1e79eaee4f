//! The fields by which documents are found and listed: one vocabulary for what every format calls otherwise.
//!
//! Readers report metadata under the names of their format. Here these names are one table, and values have one form:
//! dates are ISO 8601, languages codes, tags and persons one value each. Which name comes first in the table counts where
//! a field has one value.

use super::dates::iso_date;
use super::languages::{is_told, language_code};

/// What is known of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// What it is called; of a mail its subject.
    Title,
    /// Who wrote it; of a mail its sender. Several values.
    Author,
    /// When it was sent, published or made.
    Date,
    /// When it was changed.
    Modified,
    /// The code of its language.
    Language,
    /// Senders of a mail.
    From,
    /// Recipients of a mail, of copies too.
    To,
    /// What it is about, in words.
    Subject,
    /// Keywords, categories, subjects of books. Several values.
    Tag,
    /// The address that it has or comes from.
    Url,
    /// The number of a book, with 13 digits.
    Isbn,
    /// The name of a publication.
    Doi,
}

impl Field {
    /// Every field with its names; the first is the one that is stored and shown.
    pub const NAMES: [(Field, &'static [&'static str]); 12] = [
        (Field::Title, &["title"]),
        (Field::Author, &["author", "authors"]),
        (Field::Date, &["date"]),
        (Field::Modified, &["modified"]),
        (Field::Language, &["language", "lang"]),
        (Field::From, &["from", "sender"]),
        (Field::To, &["to", "recipient"]),
        (Field::Subject, &["subject"]),
        (Field::Tag, &["tag", "tags", "keyword", "keywords"]),
        (Field::Url, &["url", "site"]),
        (Field::Isbn, &["isbn"]),
        (Field::Doi, &["doi"]),
    ];

    /// The field of this name.
    pub fn named(name: &str) -> Option<Field> {
        Field::NAMES.iter().find(|(_, names)| names.contains(&name)).map(|(field, _)| *field)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        Field::NAMES[self as usize].1[0]
    }

    /// True for a field of which a document has one value: the first.
    fn is_single(self) -> bool {
        matches!(self, Field::Title | Field::Date | Field::Modified | Field::Language)
    }
}

/// Names of metadata and the fields that they are values of, best first.
const KEYS: &[(&str, &[Field])] = &[
    ("title", &[Field::Title]),
    ("subject", &[Field::Subject]),
    ("author", &[Field::Author]),
    ("authors", &[Field::Author]),
    ("creator", &[Field::Author]),
    ("from", &[Field::From, Field::Author]),
    ("to", &[Field::To]),
    ("cc", &[Field::To]),
    ("bcc", &[Field::To]),
    ("date", &[Field::Date]),
    ("published", &[Field::Date]),
    ("pubdate", &[Field::Date]),
    ("created", &[Field::Date]),
    ("modified", &[Field::Modified]),
    ("updated", &[Field::Modified]),
    ("lastmod", &[Field::Modified]),
    ("language", &[Field::Language]),
    ("lang", &[Field::Language]),
    ("tag", &[Field::Tag]),
    ("tags", &[Field::Tag]),
    ("filetags", &[Field::Tag]),
    ("keyword", &[Field::Tag]),
    ("keywords", &[Field::Tag]),
    ("category", &[Field::Tag]),
    ("categories", &[Field::Tag]),
    ("url", &[Field::Url]),
    ("source", &[Field::Url]),
    ("permalink", &[Field::Url]),
    ("isbn", &[Field::Isbn]),
    ("doi", &[Field::Doi]),
    ("identifier", &[Field::Isbn, Field::Doi, Field::Url]),
];

/// Formats of books, whose subjects are the tags of libraries, not a sentence.
const BOOKS: &[&str] = &["epub", "fb2", "lit", "mobi"];

/// Values of one field, at most, and characters of a value.
const MAX_VALUES: usize = 500;
const MAX_VALUE_CHARS: usize = 1_000;

/// True for a name under which documents state a field.
pub fn is_key(key: &str) -> bool {
    KEYS.iter().any(|(known, _)| *known == key)
}

/// The fields of a document of a format: from its metadata, best first, and the language that its text was found to be in.
pub fn fields_of<'m>(
    format: &str,
    metadata: impl Iterator<Item = (&'m str, &'m str)> + Clone,
    told: Option<&str>,
) -> Vec<(Field, String)> {
    let mut found: Vec<(Field, String)> = Vec::new();
    let is_mail = metadata.clone().any(|(key, _)| key == "from");
    for (key, fields) in KEYS {
        let fields: &[Field] = match *key {
            "subject" if BOOKS.contains(&format) => &[Field::Tag],
            // A mail is called by its subject.
            "subject" if is_mail => &[Field::Subject, Field::Title],
            _ => fields,
        };
        let stated = || metadata.clone().filter(|(own, _)| own == key);
        // Who states several subjects states each by itself: `Franklin, Benjamin, 1706-1790` is one.
        let are_apart = *key == "subject" && stated().count() > 1;
        for (_, value) in stated() {
            for field in fields {
                let values = match field {
                    Field::Tag if are_apart => value.split(';').filter_map(tag_of).collect(),
                    _ => values_of(*field, value),
                };
                values.into_iter().for_each(|value| add(&mut found, *field, value));
            }
        }
    }
    let modified = found.iter().find(|(field, _)| *field == Field::Modified).map(|(_, date)| date.clone());
    modified.into_iter().for_each(|date| add(&mut found, Field::Date, date));
    // What templates declare is often wrong: the text decides, unless it is in a language that cannot be told.
    if let Some(told) = told {
        found.retain(|(field, code)| *field != Field::Language || !is_told(code));
        add(&mut found, Field::Language, told.to_owned());
    }
    found.sort_by_key(|(field, _)| *field);
    found
}

fn add(found: &mut Vec<(Field, String)>, field: Field, value: String) {
    let known = || found.iter().filter(|(known, _)| *known == field);
    let is_new = known().all(|(_, old)| *old != value);
    if is_new && known().count() < if field.is_single() { 1 } else { MAX_VALUES } {
        found.push((field, value));
    }
}

/// The values that a text states for a field, in their stored form.
fn values_of(field: Field, text: &str) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = text.chars().take(MAX_VALUE_CHARS).collect();
    let values: Vec<Option<String>> = match field {
        Field::Date | Field::Modified => vec![iso_date(&text)],
        Field::Language => vec![language_code(&text)],
        Field::Tag => text.split([',', ';']).map(tag_of).collect(),
        Field::Author => text.split(';').map(|name| Some(name.trim().to_owned())).collect(),
        Field::Url => {
            vec![Some(text).filter(|text| text.starts_with("http://") || text.starts_with("https://"))]
        }
        Field::Isbn => vec![isbn_of(&text)],
        Field::Doi => vec![doi_of(&text)],
        _ => vec![Some(text)],
    };
    values.into_iter().flatten().filter(|value| value.chars().any(char::is_alphanumeric)).collect()
}

/// A tag in the form in which it is stored and compared, but for letters: without its sign.
pub fn tag_of(text: &str) -> Option<String> {
    let tag = text.trim().trim_start_matches('#').trim_matches(['"', '\'', '/']).trim();
    (!tag.is_empty()).then(|| tag.to_owned())
}

/// The number of a book with 13 digits, from one of 10 or 13 with whatever stands around it.
pub fn isbn_of(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let rest = lower.rsplit("isbn").next().unwrap_or_default();
    let digits: String = rest.chars().filter(|c| c.is_ascii_digit() || *c == 'x').collect();
    let is_plain = rest.chars().all(|c| c.is_ascii_digit() || matches!(c, 'x' | '-' | ' ' | ':' | '.'));
    let weighted = |text: &str| {
        text.bytes()
            .zip([1, 3].into_iter().cycle())
            .map(|(byte, by)| u32::from(byte - b'0') * by)
            .sum::<u32>()
    };
    match digits.len() {
        13 if is_plain && !digits.contains('x') && weighted(&digits).is_multiple_of(10) => Some(digits),
        10 if is_plain && !digits[..9].contains('x') => {
            let sum: u32 = digits
                .bytes()
                .zip((1..=10).rev())
                .map(|(byte, by)| if byte == b'x' { 10 } else { u32::from(byte - b'0') } * by)
                .sum();
            let first = format!("978{}", &digits[..9]);
            let check = (10 - weighted(&first) % 10) % 10;
            sum.is_multiple_of(11).then(|| format!("{first}{check}"))
        }
        _ => None,
    }
}

/// A DOI in small letters, without what stands before it.
pub fn doi_of(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let doi = &lower[lower.find("10.")?..];
    let is_prefixed = ["", "doi:", "info:doi/", "doi.org/", "urn:doi:", "doi: "].iter().any(|mark| {
        lower.strip_suffix(doi).is_some_and(|before| match *mark {
            "" => before.is_empty(),
            mark => before.ends_with(mark),
        })
    });
    let (registrant, name) = doi.split_once('/')?;
    let is_registrant =
        registrant.len() > 6 && registrant[3..].bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let doi = doi.split_whitespace().next().unwrap_or_default();
    (is_prefixed && is_registrant && !name.is_empty()).then(|| doi.trim_end_matches(['.', ',']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: &str, metadata: &[(&str, &str)], told: Option<&str>, expected: &[(&str, &str)]) {
        let found = fields_of(format, metadata.iter().copied(), told);
        let found: Vec<(&str, &str)> =
            found.iter().map(|(field, value)| (field.as_str(), value.as_str())).collect();
        assert_eq!(found, expected, "{metadata:?}");
    }

    #[test]
    fn names_are_in_the_order_of_fields() {
        for (at, (field, names)) in Field::NAMES.iter().enumerate() {
            assert_eq!((*field as usize, field.as_str()), (at, names[0]));
            assert!(names.iter().all(|name| Field::named(name) == Some(*field)));
        }
    }

    #[test]
    fn every_format_has_one_vocabulary() {
        check(
            "eml",
            &[
                ("subject", "Oil"),
                ("from", "Ann <ann@x.org>"),
                ("to", "b@x.org"),
                ("cc", "c@x.org"),
                ("date", "2024-05-31T10:00:00+02:00"),
            ],
            None,
            &[
                ("title", "Oil"),
                ("author", "Ann <ann@x.org>"),
                ("date", "2024-05-31T10:00:00+02:00"),
                ("from", "Ann <ann@x.org>"),
                ("to", "b@x.org"),
                ("to", "c@x.org"),
                ("subject", "Oil"),
            ],
        );
        check(
            "docx",
            &[
                ("author", "Ann; Ben"),
                ("modified", "2024-06-01T00:00:00Z"),
                ("created", "2024-05-31T00:00:00Z"),
                ("keywords", "a, b c;a"),
                ("subject", "Oil"),
            ],
            Some("de"),
            &[
                ("author", "Ann"),
                ("author", "Ben"),
                ("date", "2024-05-31T00:00:00Z"),
                ("modified", "2024-06-01T00:00:00Z"),
                ("language", "de"),
                ("subject", "Oil"),
                ("tag", "a"),
                ("tag", "b c"),
            ],
        );
        check(
            "epub",
            &[("subject", "Franklin, Benjamin, 1706-1790"), ("subject", "Lamps")],
            None,
            &[("tag", "Franklin, Benjamin, 1706-1790"), ("tag", "Lamps")],
        );
        check(
            "epub",
            &[
                ("subject", "Lamps -- History"),
                ("identifier", "urn:isbn:0-306-40615-2"),
                ("source", "https://x.org/1"),
            ],
            None,
            &[("tag", "Lamps -- History"), ("url", "https://x.org/1"), ("isbn", "9780306406157")],
        );
        check(
            "pdf",
            &[("modified", "2024-06-01"), ("author", "()")],
            None,
            &[("date", "2024-06-01"), ("modified", "2024-06-01")],
        );
    }

    #[test]
    fn the_text_decides_on_its_language() {
        check("html", &[("language", "en-US")], None, &[("language", "en")]);
        check("html", &[("language", "en-US")], Some("de"), &[("language", "de")]);
        check("html", &[("language", "ga")], Some("en"), &[("language", "ga")]);
    }

    #[test]
    fn numbers_of_books_and_publications() {
        let isbn =
            |text: &str, expected: Option<&str>| assert_eq!(isbn_of(text).as_deref(), expected, "{text}");
        isbn("978-3-16-148410-0", Some("9783161484100"));
        isbn("ISBN 0-8044-2957-X", Some("9780804429573"));
        isbn("urn:isbn:9783161484101", None);
        isbn("urn:uuid:8B3EBB46-DA57-11E2", None);
        let doi =
            |text: &str, expected: Option<&str>| assert_eq!(doi_of(text).as_deref(), expected, "{text}");
        doi("https://doi.org/10.1000/XYZ.1", Some("10.1000/xyz.1"));
        doi("info:doi/10.1145/3597503", Some("10.1145/3597503"));
        doi("10.5281/zenodo.7", Some("10.5281/zenodo.7"));
        doi("version 10.5/2", None);
    }
}
