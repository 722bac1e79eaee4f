//! Jupyter notebooks: their cells in order, as Markdown.
//!
//! Markdown cells come as they are, code in fences with the notebook's language, outputs in fences after it: streams,
//! plain text, tracebacks without their colours; Markdown and HTML if an output has no plainer form. Pictures,
//! widgets and other data are not read. After nbformat 4.5 and 3 (worksheets). A truncated file yields the cells
//! before the cut. Its text is in JSON strings, so places are cells, not bytes.

mod output;
mod parse;

use crate::limits::web::MAX_HELD_NOTEBOOK_BYTES;
use crate::markdown::block_mark::{fence_around, heading};
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use parse::{Notebook, NotebookCell};
use pensieve_text::model::{Document, Locator, LocatorMap, Problem, ProblemKind, Segment, Span, TextKind};

/// How many lines of Markdown are searched for a title.
const TITLE_LINES: usize = 40;

/// Reads a notebook.
///
/// # Errors
/// `Damaged` if it is not JSON, or is JSON without cells.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let (notebook, broken) = match source.size() > MAX_HELD_NOTEBOOK_BYTES {
        true => parse::parse_stream(source.file()?, &settings.html),
        false => parse::parse(&source.bytes()?, &settings.html),
    };
    if notebook.cells.is_empty() && !notebook.has_cells {
        let why = broken.unwrap_or_else(|| "it has no cells".to_owned());
        return Err(Problem::new(ProblemKind::Damaged, format!("no notebook: {why}")));
    }
    let mut text = NotebookText::default();
    for cell in &notebook.cells {
        text.cell(cell, &notebook);
    }
    let broken =
        broken.map(|why| Problem::new(ProblemKind::Damaged, format!("the notebook is broken: {why}")));
    Ok(Document {
        text: Segment { text: text.text, places: text.places, ..Segment::default() },
        kind: Some(TextKind::Markup),
        mime: Some("application/x-ipynb+json".to_owned()),
        metadata: metadata(&notebook),
        problems: broken.into_iter().collect(),
        ..Document::default()
    })
}

/// The metadata of the notebook; its first heading if it has no title.
fn metadata(notebook: &Notebook) -> Vec<(String, String)> {
    let title = notebook.title.clone().or_else(|| first_heading(notebook));
    let language = notebook.language.clone().map(|language| ("kernel_language", language));
    let title = title.map(|title| ("title", title));
    let authors = notebook.authors.iter().map(|author| ("author", author.clone()));
    let rows = title.into_iter().chain(authors).chain(language);
    rows.map(|(key, value)| (key.to_owned(), value)).collect()
}

fn first_heading(notebook: &Notebook) -> Option<String> {
    let cells = notebook.cells.iter().filter(|cell| cell.kind == "markdown");
    let lines = cells.flat_map(|cell| cell.source.lines()).take(TITLE_LINES);
    let mut titles = lines.filter_map(|line| line.strip_prefix("# ")).map(|title| title.trim().to_owned());
    titles.find(|title| !title.is_empty())
}

/// The text as it grows.
#[derive(Default)]
struct NotebookText {
    text: String,
    places: LocatorMap,
}

impl NotebookText {
    fn cell(&mut self, cell: &NotebookCell, notebook: &Notebook) {
        let start = self.text.len();
        let language = cell.language.as_deref().or(notebook.language.as_deref()).unwrap_or_default();
        match cell.kind.as_str() {
            "markdown" => self.block(&output::without_data(&cell.source)),
            "code" => self.fence(language, &cell.source),
            "heading" => {
                let level = cell.level.unwrap_or(1).clamp(1, 6) as usize;
                self.block(&format!("{}{}", heading(level), cell.source.trim()));
            }
            _ => self.fence("", &cell.source),
        }
        for output in &cell.shown {
            match output {
                output::OutputText::Lines(lines) => self.fence("", lines),
                output::OutputText::Markdown(text) => self.block(text),
            }
        }
        let from = self.places.0.last().map_or(0, |(span, _)| span.end);
        if self.text.len() > start {
            self.places.push(Span::new(from, self.text.len()), Locator::part(cell.place.as_str(), None));
        }
    }

    /// A block, after a blank line.
    fn block(&mut self, block: &str) {
        let block = block.trim_end().trim_start_matches(['\n', '\r']);
        if block.trim().is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(block);
        self.text.push('\n');
    }

    /// Lines in a fence that their own backticks cannot close.
    fn fence(&mut self, language: &str, lines: &str) {
        if lines.trim().is_empty() {
            return;
        }
        let fence = fence_around(lines);
        let language: String =
            language.chars().take_while(|&c| !c.is_whitespace() && c != '`').take(24).collect();
        let lines = lines.trim_matches(['\n', '\r']);
        self.block(&format!("{fence}{}\n{lines}\n{fence}", language.to_ascii_lowercase()));
    }
}

#[cfg(test)]
mod tests;
