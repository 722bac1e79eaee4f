//! Workbooks as XML of 2003 (SpreadsheetML), which many programs write under the name `.xls`.
//!
//! Owns that one vocabulary, which no crate reads. Source: the XML Spreadsheet reference of Microsoft Office 2003.

use super::annotations::{CellComment, TextAllowance, without_author};
use super::grid::SheetGrid;
use super::number::{DateEpoch, NumberFormat, push_general, serial_of, truth_name};
use super::row::{RowCells, clip_name};
use super::stream::{StreamTag, XmlStream, XmlToken};
use crate::limits::sheets::{MAX_CELL_BYTES, MAX_NAMED_STYLES};
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use memchr::memmem;
use pensieve_text::model::{Document, HiddenReason, Problem, ProblemKind};
use std::collections::HashMap;

/// The namespace by which workbooks are recognised.
const NAMESPACE: &[u8] = b"urn:schemas-microsoft-com:office:spreadsheet";

/// True when a file begins as such a workbook.
pub(super) fn begins_workbook(head: &[u8]) -> bool {
    let narrow: Vec<u8> = head.iter().copied().filter(|byte| *byte != 0).collect();
    memmem::find(&narrow, NAMESPACE).is_some() && memmem::find(&narrow, b"<html").is_none()
}

/// Reads a workbook.
///
/// # Errors
/// `Damaged` if there is no sheet in it.
pub(super) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut grid = SheetGrid::new(sink, source.size());
    let mut reader = Xml2003Reader { has_comments: settings.office.comments, ..Xml2003Reader::default() };
    let broken = reader.read(source, &mut grid)?;
    if reader.sheets == 0 {
        return Err(Problem::new(ProblemKind::Damaged, "the XML has no workbook"));
    }
    let problems = broken.into_iter().collect();
    grid.finish()?.into_document(Document { metadata: reader.metadata, problems, ..Document::default() })
}

/// Reads the elements of a workbook.
#[derive(Default)]
struct Xml2003Reader {
    has_comments: bool,
    metadata: Vec<(String, String)>,
    styles: HashMap<String, NumberFormat>,
    style: String,
    sheets: usize,
    sheet: String,
    row: RowCells,
    column: u32,
    /// The column that follows the last one that was declared.
    next_column: u32,
    across: u32,
    cell_style: String,
    kind: String,
    comments: Vec<CellComment>,
    allowance: TextAllowance,
}

impl Xml2003Reader {
    fn read(
        &mut self,
        source: &mut DocumentSource<'_>,
        grid: &mut SheetGrid<'_>,
    ) -> Result<Option<Problem>, Problem> {
        let mut stream = XmlStream::new(source.file()?);
        while let Some(token) = stream.next() {
            match token {
                XmlToken::Start(tag) => match tag.name {
                    b"Data" => {
                        self.kind = tag.get("Type").unwrap_or_default().into_owned();
                        let text = stream.text_inside(MAX_CELL_BYTES);
                        self.data(&text);
                    }
                    b"Comment" => {
                        let author = tag.get("Author").unwrap_or_default().into_owned();
                        let text = stream.text_inside(MAX_CELL_BYTES);
                        if self.has_comments && self.allowance.take(&text) && self.allowance.take(&author) {
                            let (row, column) = (self.row.number().max(1), self.column.max(1));
                            self.comments.push(without_author(CellComment { row, column, author, text }));
                        }
                    }
                    b"Visible" => {
                        if stream.text_inside(100).contains("Hidden") && self.allowance.take(&self.sheet) {
                            self.metadata.push(("hidden_sheet".to_owned(), self.sheet.clone()));
                        }
                    }
                    b"Title" | b"Author" | b"Subject" | b"Keywords" | b"Description" | b"Company"
                    | b"Created" | b"LastSaved" => {
                        let key = key_of(tag.name);
                        let value = stream.text_inside(MAX_CELL_BYTES).trim().to_owned();
                        if self.sheets == 0 && !value.is_empty() && self.allowance.take(&value) {
                            self.metadata.push((key.to_owned(), value));
                        }
                    }
                    _ => self.start(&tag, grid)?,
                },
                XmlToken::End(b"Row") => {
                    grid.row(&mut self.row)?;
                    let number = self.row.number();
                    self.row.begin(number);
                    if grid.is_full() {
                        break;
                    }
                }
                XmlToken::End(b"Worksheet") => self.end_sheet(grid)?,
                _ => {}
            }
        }
        let broken = stream
            .broken()
            .map(|why| Problem::new(ProblemKind::Damaged, format!("the workbook is cut: {why}")));
        self.end_sheet(grid)?;
        Ok(broken)
    }

    fn start(&mut self, tag: &StreamTag<'_>, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        match tag.name {
            b"Style" => self.style = clip_name(&tag.get("ID").unwrap_or_default()),
            b"NumberFormat" if self.styles.len() < MAX_NAMED_STYLES => {
                let code = tag.get("Format").unwrap_or_default();
                self.styles.insert(
                    std::mem::take(&mut self.style),
                    NumberFormat::parse(named_code(&clip_name(&code))),
                );
            }
            b"Worksheet" => {
                self.sheets += 1;
                self.sheet = clip_name(&tag.get("Name").unwrap_or_default());
                self.row.begin(0);
                grid.begin(&self.sheet, false)?;
                self.next_column = 1;
            }
            b"Row" => {
                let number = tag.number("Index").unwrap_or_else(|| self.row.number().saturating_add(1));
                self.row.begin(number);
                self.row.is_hidden = tag.get("Hidden").as_deref() == Some("1");
                (self.column, self.across) = (0, 0);
            }
            b"Column" => {
                let first = tag.number("Index").unwrap_or(self.next_column);
                let last = first.saturating_add(tag.number("Span").unwrap_or(0));
                self.next_column = last.saturating_add(1);
                if tag.get("Hidden").as_deref() == Some("1") {
                    grid.hide_columns(first, last);
                }
            }
            b"Cell" => {
                let next = self.column.saturating_add(1).saturating_add(self.across);
                self.column = tag.number("Index").unwrap_or(next);
                self.across = tag.number("MergeAcross").unwrap_or(0);
                if let Some(down) = tag.number("MergeDown") {
                    let row = self.row.number();
                    grid.merge_down(row, self.column, row.saturating_add(down));
                }
                self.cell_style = tag.get("StyleID").unwrap_or_default().into_owned();
            }
            _ => {}
        }
        Ok(())
    }

    fn data(&mut self, text: &str) {
        let format = self.styles.get(&self.cell_style);
        let out = self.row.cell(self.column);
        let value = text.trim();
        match (self.kind.as_str(), format) {
            ("Number", format) => match (value.parse(), format) {
                (Ok(number), Some(format)) => format.push_number(number, DateEpoch::Year1900, out),
                (Ok(number), None) => push_general(number, out),
                (Err(_), _) => out.push_str(value),
            },
            ("DateTime", format) => match (serial_of(value), format) {
                (Some(serial), Some(format)) => format.push_number(serial, DateEpoch::Year1900, out),
                _ => out.push_str(value.trim_end_matches(".000")),
            },
            ("Boolean", _) => out.push_str(truth_name(value == "1")),
            (_, Some(format)) => format.push_text(text, out),
            (_, None) => out.push_str(text),
        }
        let is_text = !matches!(self.kind.as_str(), "Number" | "DateTime");
        let is_unseen = format.is_some_and(|format| format.hides(is_text)) && self.kind != "Boolean";
        self.row.hide(is_unseen.then_some(HiddenReason::NotDisplayed));
    }

    fn end_sheet(&mut self, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        grid.row(&mut self.row)?;
        self.row.begin(0);
        grid.end_block()?;
        for comment in self.comments.drain(..) {
            grid.comment(&comment)?;
        }
        Ok(())
    }
}

fn key_of(name: &[u8]) -> &'static str {
    match name {
        b"Title" => "title",
        b"Author" => "author",
        b"Subject" => "subject",
        b"Keywords" => "keywords",
        b"Description" => "description",
        b"Company" => "publisher",
        b"Created" => "created",
        _ => "modified",
    }
}

/// The code of a format that has a name instead.
fn named_code(code: &str) -> &str {
    match code {
        "General Number" => "General",
        "General Date" => "m/d/yyyy h:mm",
        "Short Date" => "m/d/yyyy",
        "Medium Date" => "d-mmm-yy",
        "Long Date" => "dddd, mmmm dd, yyyy",
        "Short Time" => "h:mm",
        "Medium Time" => "h:mm AM/PM",
        "Long Time" => "h:mm:ss AM/PM",
        "Currency" => "\"$\"#,##0.00_);[Red](\"$\"#,##0.00)",
        "Euro Currency" => "[$€-2] #,##0.00",
        "Fixed" => "0.00",
        "Standard" => "#,##0.00",
        "Percent" => "0.00%",
        "Scientific" => "0.00E+00",
        "Yes/No" => "\"Yes\";\"Yes\";\"No\"",
        "True/False" => "\"True\";\"True\";\"False\"",
        "On/Off" => "\"On\";\"On\";\"Off\"",
        other => other,
    }
}
