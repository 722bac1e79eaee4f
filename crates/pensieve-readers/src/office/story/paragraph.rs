//! Paragraphs: the roles that styles give to them, and the blocks that they become.

use crate::markdown::{Block, ItemMarker, TextRun, Words};

/// The role of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ParagraphRole {
    /// Running text.
    #[default]
    Body,
    /// A heading of a level from 1.
    Heading(u8),
    /// A line of code.
    Code,
    /// A quotation.
    Quote,
}

impl ParagraphRole {
    /// The role of a paragraph that has an outline level of its own, from 0; 9 is body text.
    pub fn with_outline(self, outline: Option<u8>) -> ParagraphRole {
        match (outline, self) {
            (Some(level @ 0..=8), _) => ParagraphRole::Heading(level + 1),
            (Some(9..), ParagraphRole::Heading(_)) => ParagraphRole::Body,
            (_, role) => role,
        }
    }
}

/// A paragraph that has ended.
#[derive(Debug, Default)]
pub(crate) struct Paragraph {
    /// What its style or its outline level makes of it.
    pub role: ParagraphRole,
    /// If it is in a list: how deep, and what begins it; without a marker it goes on with the item before.
    pub item: Option<(u8, Option<ItemMarker>)>,
    /// Its words.
    pub words: Words,
}

impl Paragraph {
    /// The block that it becomes; none without words, except for lines of code, of which blank ones are kept.
    pub fn into_block(self) -> Option<Block> {
        let Paragraph { role, item, mut words } = self;
        Some(match (role, item) {
            (ParagraphRole::Code, None) => Block::Code { language: String::new(), text: words.to_plain() },
            _ if words.is_blank() => return None,
            (ParagraphRole::Heading(level), item) => {
                if let Some((_, Some(ItemMarker::Number(number)))) = item {
                    words.0.insert(0, TextRun { text: number + " ", ..TextRun::default() });
                }
                Block::Heading { level, words }
            }
            (_, Some((depth, marker))) => Block::Item { depth, marker, words },
            (ParagraphRole::Quote, None) => Block::Quote(words),
            (_, None) if is_all_code(&words) => {
                Block::Code { language: String::new(), text: words.to_plain() }
            }
            (_, None) => Block::Paragraph(words),
        })
    }
}

/// True if every word has a monospaced font.
fn is_all_code(words: &Words) -> bool {
    let is_code = |run: &TextRun| run.style.code || run.text.trim().is_empty();
    words.0.iter().all(|run| run.note.is_none() && run.link.is_none() && is_code(run))
}

/// Words before the level in names of heading styles. Word itself writes the English one in every language; other
/// programs do not.
const HEADINGS: &[&str] = &[
    "heading",
    "überschrift",
    "titre",
    "título",
    "titulo",
    "titolo",
    "kop",
    "rubrik",
    "overskrift",
    "otsikko",
    "заголовок",
    "nagłówek",
    "nadpis",
    "címsor",
    "επικεφαλίδα",
    "başlık",
    "titlu",
    "naslov",
    "标题",
    "標題",
    "見出し",
    "제목",
];

const CODE: &[&str] = &[
    "code",
    "code block",
    "codeblock",
    "html code",
    "html preformatted",
    "html sample",
    "html typewriter",
    "inline code",
    "listing",
    "macro",
    "macro text",
    "preformatted",
    "preformatted text",
    "program listing",
    "programlisting",
    "source",
    "source code",
    "source text",
    "sourcecode",
    "verbatim",
    "verbatim char",
];

const QUOTES: &[&str] = &[
    "block quotation",
    "block quote",
    "block text",
    "blockquote",
    "intense quote",
    "quotation",
    "quotations",
    "quote",
    "zitat",
];

/// The role of a style by its name, as the programs of office formats write it.
pub(crate) fn role_of(name: &str) -> Option<ParagraphRole> {
    let name = name.trim().trim_end_matches(';').to_lowercase();
    let name = name.trim_end_matches(" char");
    if matches!(name, "title" | "titel") {
        return Some(ParagraphRole::Heading(1));
    }
    if CODE.binary_search(&name).is_ok() {
        return Some(ParagraphRole::Code);
    }
    if QUOTES.binary_search(&name).is_ok() {
        return Some(ParagraphRole::Quote);
    }
    let level =
        name.chars().next_back().and_then(|c| c.to_digit(10)).filter(|level| (1..=9).contains(level))?;
    let word = name[..name.len() - 1].trim_end();
    let is_heading = HEADINGS.contains(&word);
    is_heading.then_some(ParagraphRole::Heading(level as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(CODE.is_sorted() && QUOTES.is_sorted());
    }

    #[test]
    fn names_say_what_a_style_is_for() {
        use ParagraphRole::{Code, Heading, Quote};
        for (name, expected) in [
            ("Title", Some(Heading(1))),
            (" titel ", Some(Heading(1))),
            ("heading 1", Some(Heading(1))),
            ("Heading9", Some(Heading(9))),
            ("heading 0", None),
            ("heading 3 char", Some(Heading(3))),
            ("a heading 3", None),
            ("3", None),
            ("", None),
            ("見出し 2", Some(Heading(2))),
            (" heading3;", Some(Heading(3))),
            ("heading 10", None),
            ("heading", None),
            ("Título 2", Some(Heading(2))),
            ("Nagłówek 2", Some(Heading(2))),
            ("Source Code", Some(Code)),
            ("Verbatim Char", Some(Code)),
            ("Block Text", Some(Quote)),
            ("Intense Quote Char", Some(Quote)),
            ("Normal", None),
        ] {
            assert_eq!(role_of(name), expected, "{name}");
        }
    }
}
