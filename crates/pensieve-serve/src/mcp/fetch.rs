//! The tool `fetch`: the text of a document, part by part, or the exact words of a citation.

use super::corpora::{CorpusView, heading_of};
use super::error::ToolError;
use super::parameters::{ParameterKind, ToolArguments, ToolParameter};
use super::shared_parameters::CORPUS;
use pensieve_store::retrieval::{
    CheckedCitation, Citation, Expansion, check_citation, expand, lines_numbered, outline, page_numbered,
    section_named,
};
use pensieve_store::scan::stored_path;
use pensieve_store::store::{DocumentRow, DocumentText};
use rmcp::model::JsonObject;
use serde::Serialize;
use std::ffi::OsStr;
use std::ops::Range;

/// Documents that are named when a path fits several.
const MAX_CANDIDATES: usize = 5;

const OFFSET: ToolParameter = ToolParameter {
    name: "offset",
    about: "Characters to skip",
    kind: ParameterKind::Number { least: 0, most: usize::MAX, default: None },
};

const LIMIT: ToolParameter = ToolParameter {
    name: "limit",
    about: "Characters",
    kind: ParameterKind::Number { least: 1, most: 200_000, default: Some(20_000) },
};

const LINES: ToolParameter = ToolParameter {
    name: "lines",
    about: "Only these lines: 10-24, or 10 to go on from there",
    kind: ParameterKind::Text,
};

const OUTLINE: ToolParameter =
    ToolParameter { name: "outline", about: "Headings instead of text", kind: ParameterKind::Flag };

const EXPAND: ToolParameter = ToolParameter {
    name: "expand",
    about: "Text around the citation",
    kind: ParameterKind::OneOf(&Expansion::NAMES),
};

const SECTION: ToolParameter =
    ToolParameter { name: "section", about: "Only below this heading", kind: ParameterKind::Text };

const PAGE: ToolParameter = ToolParameter {
    name: "page",
    about: "Only this page or slide",
    kind: ParameterKind::Number { least: 1, most: usize::MAX, default: None },
};

/// The parameters of `fetch`.
pub const PARAMETERS: &[ToolParameter] = &[
    ToolParameter {
        name: "citation",
        about: "As in hits; or give path or doc_uid",
        kind: ParameterKind::Text,
    },
    ToolParameter { name: "path", about: "", kind: ParameterKind::Text },
    ToolParameter { name: "doc_uid", about: "", kind: ParameterKind::Text },
    CORPUS,
    EXPAND,
    OUTLINE,
    SECTION,
    LINES,
    PAGE,
    OFFSET,
    LIMIT,
];

/// Which document, or which part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchTarget {
    /// The words of a citation.
    Citation(Citation),
    /// A document by its public id.
    Document(String),
    /// A document by its path.
    Path(String),
}

/// Which part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchPart {
    /// All that the target names.
    All,
    /// More text around the words of a citation.
    Around(Expansion),
    /// The section below a heading.
    Section(String),
    /// From a line of the source to another, or to the end.
    Lines(u64, Option<u64>),
    /// A page or slide.
    Page(usize),
    /// The headings alone.
    Outline,
}

/// The arguments of `fetch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchArguments {
    /// What to fetch.
    pub target: FetchTarget,
    /// Which part of it.
    pub part: FetchPart,
    /// Characters of it to skip.
    pub offset: usize,
    /// Maximum characters.
    pub limit: usize,
}

/// The result of `fetch`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FetchAnswer {
    /// The corpus, if several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// The characters.
    pub text: String,
    /// Characters before them in what was asked for.
    #[serde(skip_serializing_if = "is_zero")]
    pub offset: usize,
    /// All characters of what was asked for.
    pub total_chars: usize,
    /// The `offset` of the next part; null after the last one.
    pub next_offset: Option<usize>,
    /// True if the words of the citation are at another place now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<bool>,
    /// False if the file on disk is not the one that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_unchanged: Option<bool>,
    /// Why it is something else than what was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where the words are: the keys of a place in `search --json`, with the citation of this part.
    #[serde(flatten)]
    pub place: JsonObject,
}

impl FetchAnswer {
    /// The characters from `offset` to `until` of `total`, and where they are.
    fn of(text: String, offset: usize, until: usize, total: usize, place: JsonObject) -> FetchAnswer {
        FetchAnswer {
            corpus: None,
            text,
            offset,
            total_chars: total,
            next_offset: (until < total).then_some(until),
            moved: None,
            source_unchanged: None,
            note: None,
            place,
        }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl FetchAnswer {
    /// The answer as text: what it is in the first line, then the words as they are.
    pub fn text(&self) -> String {
        let corpus = self.corpus.as_ref().map(|name| format!("{name} | ")).unwrap_or_default();
        let mut first = format!("{corpus}{}", heading_of(&self.place));
        if self.moved.is_some() {
            first.push_str(" | the words have moved here");
        }
        if self.source_unchanged.is_some() {
            first.push_str(" | the file has changed since it was read");
        }
        if let Some(next) = self.next_offset {
            first.push_str(&format!(
                " | {} of {} characters, next_offset {next}",
                next - self.offset,
                self.total_chars
            ));
        }
        let note = self.note.as_ref().map(|note| format!("note: {note}\n")).unwrap_or_default();
        format!("{first}\n{note}\n{}", self.text)
    }
}

impl FetchArguments {
    /// Reads checked arguments.
    pub fn of(arguments: &ToolArguments) -> Result<FetchArguments, ToolError> {
        let given = ["citation", "path", "doc_uid"].map(|name| arguments.text(name).map(str::trim));
        let target = match given {
            [Some(citation), None, None] => FetchTarget::Citation(
                citation
                    .parse()
                    .map_err(|error| ToolError::new(format!("{error}; hits of `search` have them")))?,
            ),
            [None, Some(path), None] => FetchTarget::Path(path.to_owned()),
            [None, None, Some(uid)] => FetchTarget::Document(uid.to_owned()),
            [None, None, None] => {
                return Err(ToolError::new("give one of `citation`, `path` and `doc_uid`"));
            }
            _ => return Err(ToolError::new("give only one of `citation`, `path` and `doc_uid`")),
        };
        let (offset, limit) = (arguments.number_of(&OFFSET), arguments.number_of(&LIMIT));
        Ok(FetchArguments { part: FetchPart::of(arguments, &target)?, target, offset, limit })
    }

    /// The error if no corpus has it.
    pub fn not_found(&self) -> ToolError {
        ToolError::new(match &self.target {
            FetchTarget::Citation(citation) => {
                format!("no corpus has the document of `{citation}`; find the words again with `search`")
            }
            FetchTarget::Document(uid) => {
                format!("no corpus has a document `{uid}`; `list_documents` and `search` give `doc_uid`")
            }
            FetchTarget::Path(path) => {
                format!("no corpus has a document `{path}`; `list_documents` shows paths, also by patterns")
            }
        })
    }
}

impl FetchPart {
    fn of(arguments: &ToolArguments, target: &FetchTarget) -> Result<FetchPart, ToolError> {
        let expansion = arguments.text(EXPAND.name).and_then(Expansion::from_name).map(FetchPart::Around);
        let parts = [
            arguments.flag(OUTLINE.name).then_some(FetchPart::Outline),
            arguments.text(SECTION.name).map(|title| FetchPart::Section(title.to_owned())),
            arguments.text(LINES.name).map(lines).transpose()?,
            arguments.number(PAGE.name).map(FetchPart::Page),
        ];
        let mut parts = parts.into_iter().flatten();
        match (matches!(target, FetchTarget::Citation(_)), expansion, parts.next(), parts.next()) {
            (_, None, None, _) => Ok(FetchPart::All),
            (true, Some(expansion), None, _) => Ok(expansion),
            (false, None, Some(part), None) => Ok(part),
            _ => Err(ToolError::new(
                "`expand` goes with `citation`; one of `outline`, `section`, `lines` and `page` with `path` or `doc_uid`",
            )),
        }
    }
}

/// `10-24`, or `10` for all from there.
fn lines(given: &str) -> Result<FetchPart, ToolError> {
    let (first, last) = given.split_once('-').map_or((given, None), |(first, last)| (first, Some(last)));
    let number = |text: &str| text.trim().parse::<u64>().ok().filter(|number| *number > 0);
    match (number(first), last.map(number)) {
        (Some(first), None) => Ok(FetchPart::Lines(first, None)),
        (Some(first), Some(Some(last))) if first <= last => Ok(FetchPart::Lines(first, Some(last))),
        _ => Err(ToolError::new(format!("`lines` are two numbers as `10-24`, or one, not `{given}`"))),
    }
}

/// Fetches from one corpus; `None` if it has no such document.
///
/// # Errors
/// A path fits several documents, the document has no text or no such part, or a citation no longer holds.
///
/// Cost: unpacks the segments (at most 1 MiB of text each) of the part. A page, a section and words that have moved cost
/// a pass over the document.
pub fn fetch(view: &CorpusView<'_>, arguments: &FetchArguments) -> Result<Option<FetchAnswer>, ToolError> {
    let documents = view.store.documents();
    let checked = match &arguments.target {
        FetchTarget::Citation(citation) => Some(check_citation(view.store, citation)?),
        FetchTarget::Document(_) | FetchTarget::Path(_) => None,
    };
    let row = match (&arguments.target, &checked) {
        (FetchTarget::Path(path), _) => document_at(view, path)?,
        (FetchTarget::Document(uid), _) => documents.with_uid(uid)?.into_iter().next(),
        (_, Some(checked)) => checked.doc_uid().map(|uid| documents.get(uid)).transpose()?.flatten(),
        _ => None,
    };
    let Some(row) = row else { return Ok(None) };
    let Some(text) = documents.clean_text(&row.doc_uid)? else {
        return Err(no_text(view, &row));
    };
    if let Some(checked) = checked.as_ref().filter(|checked| !checked.holds) {
        return Err(no_longer_holds(view, checked));
    }
    if arguments.part == FetchPart::Outline {
        return Ok(Some(outline_of(view, &text, arguments)?));
    }
    let whole =
        checked.as_ref().and_then(CheckedCitation::words_place).map(|place| place.at.start..place.at.end);
    let (span, note) = span_of(&text, whole.unwrap_or(0..text.bytes), &arguments.part)?;
    let mut answer = slice(view, &text, span, arguments)?;
    answer.note = note;
    answer.moved = checked.as_ref().map(|checked| checked.moved).filter(|has_moved| *has_moved);
    answer.source_unchanged = checked.and_then(|checked| checked.source_unchanged).filter(|is_same| !is_same);
    Ok(Some(answer))
}

fn no_longer_holds(view: &CorpusView<'_>, checked: &CheckedCitation) -> ToolError {
    let reason = checked.reason.as_deref().map(|reason| view.redactor.message(reason)).unwrap_or_default();
    let citation = &checked.citation;
    ToolError::new(format!("`{citation}` no longer holds: {reason}; find the words again with `search`"))
}

/// The headings of a document as text, each after as many `#` as its level says.
fn outline_of(
    view: &CorpusView<'_>,
    text: &DocumentText<'_>,
    arguments: &FetchArguments,
) -> Result<FetchAnswer, ToolError> {
    let headings = outline(text)?;
    if headings.is_empty() {
        let (name, total) = (&text.document.name, text.chars);
        return Err(ToolError::new(format!("`{name}` has no headings; its text has {total} characters")));
    }
    let line = |(level, title): &(usize, String)| format!("{} {title}\n", "#".repeat((*level).clamp(1, 6)));
    let whole: String = headings.iter().map(line).collect();
    let total = whole.chars().count();
    let until = arguments.offset.saturating_add(arguments.limit).min(total);
    let place = text.place(0..text.bytes.min(1))?.map(|(_, place)| place);
    let mut place = place.map(|place| view.shown_place(place)).transpose()?.unwrap_or_default();
    place.retain(|key, _| !matches!(key.as_str(), "citation" | "locator" | "heading_path" | "context"));
    let words = whole.chars().skip(arguments.offset).take(arguments.limit).collect();
    Ok(FetchAnswer::of(words, arguments.offset, until, total, place))
}

/// The part of a span, or of the document, that was asked for, and why it is another.
fn span_of(
    text: &DocumentText<'_>,
    whole: Range<usize>,
    part: &FetchPart,
) -> Result<(Range<usize>, Option<String>), ToolError> {
    let name = &text.document.name;
    let found = match part {
        FetchPart::All | FetchPart::Outline => Some(whole),
        FetchPart::Around(expansion) => {
            let expanded = expand(text, whole.clone(), *expansion)?;
            let (span, note) = expanded.map_or((whole, None), |text| (text.start..text.end, text.note));
            return Ok((span, note));
        }
        FetchPart::Section(title) => section_named(text, title)?,
        FetchPart::Lines(first, last) => lines_numbered(text, *first, *last)?,
        FetchPart::Page(number) => page_numbered(text, *number as u64)?,
    };
    let missing = || match part {
        FetchPart::Page(number) => format!(
            "`{name}` has no page {number}, or its text has no pages; read it by `offset` and `limit`"
        ),
        FetchPart::Lines(first, _) => {
            format!("`{name}` has no line {first}, or its text has no lines; read it by `offset` and `limit`")
        }
        _ => format!("`{name}` has no such section; `outline` lists its headings"),
    };
    found.map(|span| (span, None)).ok_or_else(|| ToolError::new(missing()))
}

/// The document that a path names: below a root, on disk, or by the end of either.
fn document_at(view: &CorpusView<'_>, path: &str) -> Result<Option<DocumentRow>, ToolError> {
    let documents = view.store.documents();
    let (stored, _) = stored_path(OsStr::new(path));
    let given = stored.trim_start_matches("./");
    let mut found = documents.at_relative_path(given)?;
    if found.is_empty() {
        let files = view.store.files().named(&stored, given)?;
        let rows = files.iter().filter_map(|file| documents.of_file(file.file_id).transpose());
        found = rows.collect::<Result<_, _>>()?;
    }
    match &found[..] {
        [] => Ok(None),
        [_] => Ok(found.pop()),
        several => {
            let names = several.iter().take(MAX_CANDIDATES);
            let names: Vec<String> =
                names.map(|row| format!("`{}` (doc_uid {})", row.relative_path, row.doc_uid)).collect();
            let more = several.len().saturating_sub(MAX_CANDIDATES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let message =
                format!("`{path}` fits several documents: {}{more}; give a `doc_uid`", names.join(", "));
            Err(ToolError::new(message))
        }
    }
}

fn no_text(view: &CorpusView<'_>, row: &DocumentRow) -> ToolError {
    let reason = row.reason.as_deref().map(|reason| format!(": {}", view.redactor.message(reason)));
    let (name, status) = (&row.name, &row.status);
    ToolError::new(format!("`{name}` has no text ({status}{})", reason.unwrap_or_default()))
}

/// The requested characters of a span.
fn slice(
    view: &CorpusView<'_>,
    text: &DocumentText<'_>,
    span: Range<usize>,
    arguments: &FetchArguments,
) -> Result<FetchAnswer, ToolError> {
    let [first, end] = text.characters_before([span.start, span.end])?;
    let total = end - first;
    if arguments.offset > total {
        let offset = arguments.offset;
        return Err(ToolError::new(format!(
            "`offset` {offset} is after the end: there are {total} characters"
        )));
    }
    let until = arguments.offset.saturating_add(arguments.limit).min(total);
    let bytes = text.byte_of_character(first + arguments.offset)?..text.byte_of_character(first + until)?;
    let (words, place) = match text.place(bytes)? {
        Some((words, mut place)) => {
            view.store.documents().add_titles([&mut place].into_iter())?;
            (words, view.shown_place(place)?)
        }
        None => (String::new(), JsonObject::new()),
    };
    Ok(FetchAnswer::of(words, arguments.offset, until, total, place))
}
