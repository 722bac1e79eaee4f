//! Which blocks may be headings: labels with numbers, numbers alone, known names, titles recognised by their layout.
//!
//! Plain texts have no markup for headings, only conventions: capitals, blank lines, `CHAPTER IV.`, a numeral alone.
//! The kind of each candidate tells how certain it is; [`crate::sections`], which sees them all, decides which are
//! real and which belong to a list of contents. The words of headings are in [`crate::labels`].

use crate::blocks::{Block, BlockKind, opens_quote};
use crate::labels::{bare, ends, is_ending, is_list, is_name, label, title_after, wording};
use crate::numbers::roman;

/// Why a block may be a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadingKind {
    /// `CHAPTER IV`, `Erstes Kapitel`.
    Labelled,
    /// `IV.`, alone or with a title.
    Numbered,
    /// `PREFACE` and similar names.
    Named,
    /// `CONTENTS`, `INDEX`: what follows is a list.
    List,
    /// A title recognised by capitals and blank lines.
    Titled,
}

/// A block that may be a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Index of its block.
    pub block: usize,
    /// Number of blocks it takes: two where the title is below the label.
    pub takes: usize,
    /// Why it may be a heading.
    pub kind: HeadingKind,
    /// Its level: volumes 0, parts 1, books and acts 2, chapters 3, numbers alone 4.
    pub rank: u8,
    /// Its number, with the word that is numbered.
    pub key: Option<(&'static str, u32)>,
    /// The label as written, without the final period; empty for titles.
    pub label: String,
    /// Its title.
    pub title: Option<String>,
}

impl Heading {
    /// The full name, such as `CHAPTER I. CAMELOT`.
    pub fn name(&self) -> String {
        match (&self.label[..], &self.title) {
            ("", title) => title.clone().unwrap_or_default(),
            (label, None) => label.to_owned(),
            (label, Some(title)) => format!("{label}. {title}"),
        }
    }
}

/// Maximum number of words that a heading may have.
const MAX_HEADING_WORDS: usize = 40;

/// The heading that the block at `at` may be.
pub fn heading(book: &str, blocks: &[Block], at: usize) -> Option<Heading> {
    let block = &blocks[at];
    let joined = block.joined(book);
    let text = bare(&joined);
    if block.words > MAX_HEADING_WORDS
        || block.lines.len() > 4
        || text.is_empty()
        || matches!(block.kind, BlockKind::Rule | BlockKind::Footnote)
    {
        return None;
    }
    labelled(book, blocks, at)
        .or_else(|| numbered(book, blocks, at))
        .or_else(|| named(block, text, at))
        .or_else(|| titled(book, blocks, at, text))
}

fn labelled(book: &str, blocks: &[Block], at: usize) -> Option<Heading> {
    let block = &blocks[at];
    let first = bare(&book[block.lines.first()?.range()]);
    let label = label(first)?;
    let same_line = title_after(first, label.len)?;
    let below: Vec<&str> = block.lines[1..].iter().map(|line| bare(&book[line.range()])).collect();
    let title = [same_line.unwrap_or_default(), &below.join(" ")].join(" ");
    let key = Some((label.word, label.number));
    let name = first[..label.len].trim_end_matches(['.', ':', ',', '—', '-']).to_owned();
    Some(with_title(
        book,
        blocks,
        Heading {
            block: at,
            takes: 1,
            kind: HeadingKind::Labelled,
            rank: label.rank,
            key,
            label: name,
            title: clean_title(&title),
        },
    ))
}

fn numbered(book: &str, blocks: &[Block], at: usize) -> Option<Heading> {
    let block = &blocks[at];
    let joined = block.joined(book);
    let text = bare(&joined);
    let (first, end) = *ends(text).first()?;
    let numeral = first.trim_end_matches(['.', ')', ':']);
    let value =
        roman(numeral).or_else(|| numeral.parse().ok().filter(|n| *n < 200 && !numeral.starts_with('0')))?;
    let rest = text[end..].trim_start_matches(['-', '—', ' ']).trim();
    let is_alone = rest.is_empty();
    let has_title = first.ends_with('.') && block.gap >= 2 && block.lines.len() <= 2 && block.words <= 14;
    let is_titled = has_title && block.kind != BlockKind::Table;
    if !(is_alone || is_titled) {
        return None;
    }
    let heading = Heading {
        block: at,
        takes: 1,
        kind: HeadingKind::Numbered,
        rank: 4,
        key: Some(("", value)),
        label: numeral.to_owned(),
        title: clean_title(rest),
    };
    Some(with_title(book, blocks, heading))
}

fn named(block: &Block, text: &str, at: usize) -> Option<Heading> {
    let plain = wording(text);
    let kind = if is_list(&plain) {
        HeadingKind::List
    } else if is_name(&plain) {
        HeadingKind::Named
    } else {
        return None;
    };
    let is_set = block.gap >= 2 || text.chars().all(|c| !c.is_lowercase());
    is_set.then(|| Heading {
        block: at,
        takes: 1,
        kind,
        rank: 3,
        key: None,
        label: String::new(),
        title: clean_title(text),
    })
}

/// A title recognised by its layout: in capitals after two blank lines, or short and capitalised after four.
fn titled(book: &str, blocks: &[Block], at: usize, text: &str) -> Option<Heading> {
    let block = &blocks[at];
    let is_short = block.lines.len() <= 3
        && block.words <= 12
        && text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let is_last = at + 1 == blocks.len();
    if !is_short
        || block.gap < 2
        || is_last
        || opens_quote(text) && !is_quoted_title(text)
        || is_ending(text)
        || block.kind == BlockKind::Table
    {
        return None;
    }
    let fits = if is_capitals(text) {
        !text.ends_with([',', ';'])
    } else {
        block.gap >= 4 && is_title_case(text) && !text.ends_with(['.', ',', ';', ':', '!', '"', '”'])
    };
    let mut heading = Heading {
        block: at,
        takes: 1,
        kind: HeadingKind::Titled,
        rank: 3,
        key: None,
        label: String::new(),
        title: clean_title(text),
    };
    if matches!(text, "THE" | "A" | "AN" | "LE" | "LA" | "DER" | "DIE" | "DAS") {
        // An article alone is the first line of a title that is set on several lines.
        heading.title = None;
        heading = with_title(book, blocks, heading);
        heading.title = Some(format!("{text} {}", heading.title?));
    }
    fits.then_some(heading)
}

fn is_capitals(text: &str) -> bool {
    text.chars().all(|c| !c.is_lowercase())
}

/// Words that titles write in lower case.
const LOWERCASE_WORDS: &[&str] = &[
    "from", "with", "upon", "into", "that", "over", "under", "their", "this", "which", "what", "when",
    "where", "your", "pour", "dans", "avec", "sans", "chez", "vers", "nach", "über", "unter", "einem",
    "einer", "eines", "ohne",
];

/// True when the first word and three quarters of the long ones begin with a capital.
fn is_title_case(text: &str) -> bool {
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let long = words.iter().filter(|word| word.chars().count() >= 4 && !LOWERCASE_WORDS.contains(word));
    let (all, capital) = long.fold((0, 0), |(all, capital), word| {
        (all + 1, capital + usize::from(word.starts_with(char::is_uppercase)))
    });
    let first =
        words.first().is_some_and(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric()));
    first && capital * 4 >= all * 3
}

/// True for a title in quotation marks and capitals that is more than an exclamation.
fn is_quoted_title(text: &str) -> bool {
    text.split_whitespace().count() >= 2 && is_capitals(text) && text.ends_with(['"', '”', '’', '\'', '»'])
}

fn clean_title(title: &str) -> Option<String> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    // The period of `M.T.` does not end a sentence.
    let is_initial = title.rsplit(' ').next().is_some_and(|last| last.matches('.').count() > 1);
    let ends: &[char] = if is_initial { &[':', ',', ';'] } else { &['.', ':', ',', ';'] };
    let title = title.trim_end_matches(ends).trim_matches('_').trim();
    (!title.is_empty()).then(|| title.to_owned())
}

/// Adds to a heading that is only a label the title below it.
fn with_title(book: &str, blocks: &[Block], mut heading: Heading) -> Heading {
    let below = heading.block + 1;
    let (Some(block), None) = (blocks.get(below), &heading.title) else { return heading };
    let joined = block.joined(book);
    let text = bare(&joined);
    let is_short = block.lines.len() <= 3 && block.words <= 16 && !text.is_empty();
    let is_near = block.gap <= 3;
    let is_plain = (!opens_quote(text) || is_quoted_title(text))
        && label(text).is_none()
        && roman(text.trim_end_matches('.')).is_none()
        && !matches!(block.kind, BlockKind::Rule | BlockKind::Footnote | BlockKind::Mark | BlockKind::Table);
    let is_title = is_capitals(text)
        || is_title_case(text) && !text.ends_with([',', ';', ':', '!', '.'])
        || is_title_case(text)
            && block.words <= 8
            && text.ends_with('.')
            && text.matches('.').count() == 1
            && block.words >= 2;
    if is_short && is_near && is_plain && is_title && !is_ending(text) {
        heading.title = clean_title(text);
        heading.takes = 2;
    }
    heading
}

#[cfg(test)]
mod tests;
