//! What may be a heading, block by block: labels with numbers, numbers alone, known names, titles by their layout.
//!
//! Plain texts have no headings, they have conventions: capitals, blank lines, `CHAPTER IV.`, a numeral alone. Each
//! candidate says how sure it is by its sort; which of them are real, and which stand in a list of contents, is decided
//! by [`super::sections`], which sees them all.

use super::blocks::{Block, BlockKind, opens_quote};
use super::numbers::{LAST, number, roman};

/// What speaks for a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadingSort {
    /// `CHAPTER IV`, `Erstes Kapitel`.
    Labelled,
    /// `IV.`, alone or with a title.
    Numbered,
    /// `PREFACE` and its like.
    Named,
    /// `CONTENTS`, `INDEX`: what follows is a list.
    List,
    /// A title by capitals and blank lines.
    Titled,
}

/// A block that may be a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its block.
    pub block: usize,
    /// Blocks that it takes: one more where the title stands below the label.
    pub takes: usize,
    /// What speaks for it.
    pub sort: HeadingSort,
    /// Volumes 0, parts 1, books and acts 2, chapters 3, numbers alone 4.
    pub rank: u8,
    /// Its number, with the word that it counts.
    pub key: Option<(&'static str, u32)>,
    /// As it stands there, without the point behind it; empty for titles.
    pub label: String,
    /// What it is called.
    pub title: Option<String>,
}

impl Heading {
    /// `CHAPTER I. CAMELOT`.
    pub fn name(&self) -> String {
        match (&self.label[..], &self.title) {
            ("", title) => title.clone().unwrap_or_default(),
            (label, None) => label.to_owned(),
            (label, Some(title)) => format!("{label}. {title}"),
        }
    }
}

/// Words that count, with the one that stands for them and its rank.
const COUNTED: &[(&str, &str, u8)] = &[
    ("volume", "volume", 0),
    ("vol", "volume", 0),
    ("tome", "volume", 0),
    ("band", "volume", 0),
    ("part", "part", 1),
    ("partie", "part", 1),
    ("teil", "part", 1),
    ("theil", "part", 1),
    ("parte", "part", 1),
    ("deel", "part", 1),
    ("book", "book", 2),
    ("livre", "book", 2),
    ("buch", "book", 2),
    ("libro", "book", 2),
    ("act", "act", 2),
    ("acte", "act", 2),
    ("akt", "act", 2),
    ("aufzug", "act", 2),
    ("chapter", "chapter", 3),
    ("chap", "chapter", 3),
    ("chapitre", "chapter", 3),
    ("kapitel", "chapter", 3),
    ("capitel", "chapter", 3),
    ("capitulo", "chapter", 3),
    ("capítulo", "chapter", 3),
    ("capitolo", "chapter", 3),
    ("hoofdstuk", "chapter", 3),
    ("scene", "scene", 3),
    ("scène", "scene", 3),
    ("szene", "scene", 3),
    ("auftritt", "scene", 3),
    ("letter", "letter", 3),
    ("lettre", "letter", 3),
    ("brief", "letter", 3),
    ("canto", "canto", 3),
    ("chant", "canto", 3),
    ("gesang", "canto", 3),
    ("stave", "stave", 3),
    ("section", "section", 3),
    ("lecture", "lecture", 3),
    ("essay", "essay", 3),
    ("adventure", "adventure", 3),
    ("fable", "fable", 3),
    ("fit", "fit", 3),
    ("sonnet", "sonnet", 3),
    ("psalm", "psalm", 3),
    ("appendix", "appendix", 3),
];

/// Names of sections that need no number, in lower case.
const NAMES: &[&str] = &[
    "preface",
    "introduction",
    "introductory",
    "introductory note",
    "prologue",
    "epilogue",
    "conclusion",
    "foreword",
    "afterword",
    "notice",
    "explanatory",
    "explanation",
    "dedication",
    "postscript",
    "to the reader",
    "authors note",
    "note",
    "appendix",
    "prelude",
    "interlude",
    "finale",
    "argument",
    "proem",
    "envoi",
    "preamble",
    "induction",
    "dramatis personae",
    "the argument",
    "préface",
    "avant propos",
    "prologue du traducteur",
    "épilogue",
    "avertissement",
    "dédicace",
    "au lecteur",
    "vorwort",
    "vorrede",
    "einleitung",
    "nachwort",
    "widmung",
    "vorspiel",
    "schluß",
    "schluss",
    "anhang",
    "prolog",
    "epilog",
    "voorwoord",
    "inleiding",
    "prefazione",
    "introduzione",
    "prólogo",
    "epílogo",
];

/// Names of lists.
const LISTS: &[&str] = &[
    "contents",
    "table of contents",
    "the contents",
    "illustrations",
    "list of illustrations",
    "index",
    "footnotes",
    "notes",
    "bibliography",
    "list of plates",
    "plates",
    "maps",
    "errata",
    "erratum",
    "corrigenda",
    "transcribers note",
    "transcribers notes",
    "transcriber notes",
    "advertisements",
    "table des matières",
    "table",
    "table des chapitres",
    "inhalt",
    "inhaltsverzeichnis",
    "inhoud",
    "inhalts verzeichnis",
    "indice",
    "índice",
    "frontispiece",
    "list of maps",
    "colophon",
    "navigation",
    "notes du transcripteur",
    "anmerkungen zur transkription",
    "liste des illustrations",
    "abbildungen",
];

/// Ends of books: not headings, and no text either.
const ENDINGS: &[&str] = &["the end", "finis", "fin", "ende", "einde", "fine", "end", "the end of the book"];

/// The plain wording of a short text.
fn wording(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            plain.extend(c.to_lowercase());
        } else if !matches!(c, '\'' | '’') && !plain.is_empty() && !plain.ends_with(' ') {
            plain.push(' ');
        }
    }
    plain.trim_end().to_owned()
}

/// True for `THE END` and its like.
pub fn is_ending(text: &str) -> bool {
    ENDINGS.contains(&wording(text).as_str())
}

/// A label with its number and what follows on the line.
struct Label {
    word: &'static str,
    number: u32,
    rank: u8,
    len: usize,
}

/// Words of a line with where they end; a dash ends a word: `SECOND.--THE RAIN`.
fn ends(line: &str) -> Vec<(&str, usize)> {
    line.split_whitespace()
        .map(|word| {
            &word[..word.find("--").or_else(|| word.find('—')).filter(|at| *at > 0).unwrap_or(word.len())]
        })
        .map(|word| (word, word.as_ptr() as usize - line.as_ptr() as usize + word.len()))
        .collect()
}

fn counted(word: &str) -> Option<(&'static str, u8)> {
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    COUNTED.iter().find(|(name, ..)| *name == word).map(|(_, stands, rank)| (*stands, *rank))
}

/// The label with which a line begins.
fn label(line: &str) -> Option<Label> {
    let words = ends(line);
    let (first, _) = *words.first()?;
    let at = |n: usize| words.get(n).copied();
    if let Some((word, rank)) = counted(first) {
        let article = |word: &str| ["THE", "the", "The", "LE", "le", "No."].contains(&word);
        let (second, end) = at(1)?;
        let (counts, end) = if article(second) { at(2)? } else { (second, end) };
        let letter = word == "appendix" && counts.trim_end_matches(['.', ':']).chars().count() == 1;
        let small = || {
            roman(&counts.trim_end_matches(['.', ':', ',']).to_uppercase())
                .filter(|_| counts.chars().all(|c| !c.is_uppercase()))
        };
        let value = number(counts)
            .or_else(small)
            .or_else(|| letter.then(|| counts.chars().next().map_or(0, u32::from)))?;
        return Some(Label { word, number: value, rank, len: end });
    }
    let (second, end) = at(1)?;
    let (word, rank) = counted(second)?;
    let value =
        number(first).filter(|_| first.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))?;
    Some(Label { word, number: value, rank, len: end })
}

/// What follows a label: nothing, or a title that is set off.
fn title_behind(line: &str, len: usize) -> Option<Option<&str>> {
    let (label, rest) = line.split_at(len);
    let is_set_off = label.ends_with(['.', ':', ',', '—', '-', ')'])
        || rest.trim_start().starts_with(['-', '—', '–', ':', '.', '(']);
    let rest = rest.trim().trim_start_matches(['-', '—', '–', ':', '.', ' ']);
    let is_loud = rest.chars().all(|c| !c.is_lowercase());
    match rest {
        "" => Some(None),
        rest if is_set_off || is_loud => Some(Some(rest)),
        _ => None,
    }
}

/// A heading without signs of italics, stars and the like around it.
fn bare(text: &str) -> &str {
    text.trim().trim_matches(['_', '*', '=', '~', '[', ']', '|', '#']).trim()
}

/// No heading has more words.
const MOST_WORDS: usize = 40;

/// The heading that a block may be.
pub fn heading(book: &str, blocks: &[Block], at: usize) -> Option<Heading> {
    let block = &blocks[at];
    let joined = block.joined(book);
    let text = bare(&joined);
    if block.words > MOST_WORDS
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
    let same_line = title_behind(first, label.len)?;
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
            sort: HeadingSort::Labelled,
            rank: label.rank,
            key,
            label: name,
            title: tidy(&title),
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
    if !(is_alone || is_titled) || block.gap < 1 && at > 0 {
        return None;
    }
    let heading = Heading {
        block: at,
        takes: 1,
        sort: HeadingSort::Numbered,
        rank: 4,
        key: Some(("", value)),
        label: numeral.to_owned(),
        title: tidy(rest),
    };
    Some(with_title(book, blocks, heading))
}

fn named(block: &Block, text: &str, at: usize) -> Option<Heading> {
    let plain = wording(text);
    let sort = if LISTS.contains(&plain.as_str()) {
        HeadingSort::List
    } else if NAMES.contains(&plain.as_str()) {
        HeadingSort::Named
    } else {
        return None;
    };
    let is_set = block.gap >= 2 || text.chars().all(|c| !c.is_lowercase());
    is_set.then(|| Heading {
        block: at,
        takes: 1,
        sort,
        rank: 3,
        key: None,
        label: String::new(),
        title: tidy(text),
    })
}

/// A title by its layout: in capitals behind two blank lines, or short and capitalised behind four.
fn titled(book: &str, blocks: &[Block], at: usize, text: &str) -> Option<Heading> {
    let block = &blocks[at];
    let is_short = block.lines.len() <= 3
        && block.words <= 12
        && text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let next_gap = blocks.get(at + 1)?.gap;
    if !is_short
        || block.gap < 2
        || next_gap == 0
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
        sort: HeadingSort::Titled,
        rank: 3,
        key: None,
        label: String::new(),
        title: tidy(text),
    };
    if matches!(text, "THE" | "A" | "AN" | "LE" | "LA" | "DER" | "DIE" | "DAS") {
        // An article alone is the first line of a title that is set in several.
        heading.title = None;
        heading = with_title(book, blocks, heading);
        heading.title = Some(format!("{text} {}", heading.title?));
    }
    fits.then_some(heading)
}

fn is_capitals(text: &str) -> bool {
    text.chars().all(|c| !c.is_lowercase())
}

/// Words that titles have in small letters.
const SMALL: &[&str] = &[
    "from", "with", "upon", "into", "that", "over", "under", "their", "this", "which", "what", "when",
    "where", "your", "pour", "dans", "avec", "sans", "chez", "vers", "nach", "über", "unter", "einem",
    "einer", "eines", "ohne",
];

/// True when the words that carry meaning begin with capitals.
fn is_title_case(text: &str) -> bool {
    let words: Vec<&str> =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let long = words.iter().filter(|word| word.chars().count() >= 4 && !SMALL.contains(word));
    let (all, capital) = long.fold((0, 0), |(all, capital), word| {
        (all + 1, capital + usize::from(word.starts_with(char::is_uppercase)))
    });
    let first =
        words.first().is_some_and(|word| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric()));
    first && capital * 4 >= all * 3
}

/// True for a title in quotation marks and capitals, which is more than a cry.
fn is_quoted_title(text: &str) -> bool {
    text.split_whitespace().count() >= 2 && is_capitals(text) && text.ends_with(['"', '”', '’', '\'', '»'])
}

fn tidy(title: &str) -> Option<String> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    // The point of `M.T.` is not that of a sentence.
    let is_initial = title.rsplit(' ').next().is_some_and(|last| last.matches('.').count() > 1);
    let ends: &[char] = if is_initial { &[':', ',', ';'] } else { &['.', ':', ',', ';'] };
    let title = title.trim_end_matches(ends).trim_matches('_').trim();
    (!title.is_empty()).then(|| title.to_owned())
}

/// A heading that is a label alone, with the title that stands below it.
fn with_title(book: &str, blocks: &[Block], mut heading: Heading) -> Heading {
    let below = heading.block + 1;
    let (Some(block), None) = (blocks.get(below), &heading.title) else { return heading };
    let joined = block.joined(book);
    let text = bare(&joined);
    let is_short = block.lines.len() <= 3 && block.words <= 16 && !text.is_empty();
    let is_apart = block.gap <= 3 && blocks.get(below + 1).is_none_or(|next| next.gap >= 1);
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
            && block.gap >= 1
            && block.words >= 2;
    if is_short && is_apart && is_plain && is_title && !is_ending(text) {
        heading.title = tidy(text);
        heading.takes = 2;
    }
    heading
}

/// The numbers that the lines of a list of contents begin with, by the word that they count.
pub fn listed(book: &str, block: &Block) -> Vec<(&'static str, u32)> {
    let lines = block.lines.iter().map(|line| bare(&book[line.range()]));
    lines.filter_map(label).map(|label| (label.word, label.number)).collect()
}

/// True for the number of what is called the last.
pub fn is_last(key: Option<(&'static str, u32)>) -> bool {
    key.is_some_and(|(_, number)| number == LAST)
}

#[cfg(test)]
mod tests {
    use super::super::blocks::blocks;
    use super::*;

    /// The name and the rank of the heading that stands first, above running text.
    fn check(text: &str, expected: Option<(&str, u8)>) {
        let book = format!(
            "Some words before.\n\n\n\n\n{text}\n\nThe heron stood where it had always stood, and it rained on everybody\nalike, which is what rain does.\n"
        );
        let blocks = blocks(&book);
        let found = heading(&book, &blocks, 1).map(|heading| (heading.name(), heading.rank));
        assert_eq!(found.as_ref().map(|(name, rank)| (name.as_str(), *rank)), expected, "{text}");
    }

    #[test]
    fn headings_are_told_by_their_conventions() {
        check("CHAPTER IV.", Some(("CHAPTER IV", 3)));
        check("Chapter 12: The Reeds", Some(("Chapter 12. The Reeds", 3)));
        check("CHAPTER I\n\nCAMELOT", Some(("CHAPTER I. CAMELOT", 3)));
        check("CHAPTER 1\n\nThe River and Its History", Some(("CHAPTER 1. The River and Its History", 3)));
        check("CHAPTER THE LAST", Some(("CHAPTER THE LAST", 3)));
        check("_Erstes Kapitel_", Some(("Erstes Kapitel", 3)));
        check("CHAPITRE PREMIER", Some(("CHAPITRE PREMIER", 3)));
        check("PART THE SECOND.--THE RAIN", Some(("PART THE SECOND. THE RAIN", 1)));
        check("ACT III. SCENE 1. The reeds.", Some(("ACT III. SCENE 1. The reeds", 2)));
        check("XIV", Some(("XIV", 4)));
        check("II.--THE RAIN", Some(("II. THE RAIN", 4)));
        check("II. Papa se fâche.", Some(("II. Papa se fâche", 4)));
        check("7", Some(("7", 4)));
        check("PREFACE", Some(("PREFACE", 3)));
        check("Préface.", Some(("Préface", 3)));
        check("THE\n\n_WAY OF THE HERON._", Some(("THE WAY OF THE HERON", 3)));
        check("THE STRANGER'S HISTORY", Some(("THE STRANGER'S HISTORY", 3)));
        check("The Perfect Heron", Some(("The Perfect Heron", 3)));
        check("Letter the first. To a Friend", Some(("Letter the first. To a Friend", 3)));
    }

    #[test]
    fn running_text_is_no_heading() {
        check("Chapter two was the best of them.", None);
        check("Part of the river was grey.", None);
        check("\"TOM!\"", None);
        check("THE END", None);
        check("* * *", None);
        check("I never said so.", None);
        check("He went home, and nobody saw him there.", None);
        check("1898", None);
    }

    #[test]
    fn what_stands_below_a_label_is_no_title_if_it_is_text() {
        check("CHAPTER I\n\n“TOM!”", Some(("CHAPTER I", 3)));
        check("CHAPTER XIV\n\n“DEFEND THEE, LORD”", Some(("CHAPTER XIV. “DEFEND THEE, LORD”", 3)));
        check("CHAPTER 3\n\nFrescoes from the Past", Some(("CHAPTER 3. Frescoes from the Past", 3)));
        check("FINAL P.S. BY M.T.", Some(("FINAL P.S. BY M.T.", 3)));
        check("CHAPTER I\n\nNo answer.", Some(("CHAPTER I", 3)));
        check("I\n\nANCESTRY AND EARLY YOUTH IN BOSTON", Some(("I. ANCESTRY AND EARLY YOUTH IN BOSTON", 4)));
    }
}
