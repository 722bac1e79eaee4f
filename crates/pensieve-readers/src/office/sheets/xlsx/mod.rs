//! Excel workbooks: `.xlsx`, `.xlsm`, `.xltx`, `.xltm`; `.xlsb` shares the package and has its own parts.
//!
//! Owns the order of the parts; leaves out external links, macros, pivot caches and everything else that is not
//! visible on a sheet. Sheets are streamed, so a workbook may be larger than memory. Source: ECMA-376 part 1, chapter
//! 18; the strict edition differs only in namespaces, which are ignored.
//!
//! The crate `calamine` (0.38, `worksheet_cells_reader` with style ids) is not a replacement. A sheet of a million
//! rows of five cells (46 MB) takes it 2.1 s and 6 MB for the cells alone; this reader takes 2.4 s and 8 MB with
//! number formats, tables and Markdown. No workbook of the corpora gains a word. It opens the package itself, without
//! limits that a caller could set: a package of 1 MB whose shared text is 1 GB takes 3.1 GB of memory (here 100 MB,
//! reported), and `uniqueCount="100000000000"` aborts the process. One reference to a shared text that is absent, or
//! one invalid boolean, is an error that ends the sheet; this reader reads on.

mod parts;
mod sheet;

use super::grid::SheetGrid;
use super::number::CellStyles;
use super::package::{PersonNames, read_comments, read_drawings, read_people};
use super::strings::SharedStrings;
use super::workbook::{CellContext, SheetEntry, Workbook};
use super::xlsb;
use crate::settings::ReadSettings;
use crate::shared::opc::{OpcPackage, Relationships};
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem, ProblemKind};

/// Reads a workbook.
///
/// # Errors
/// `Encrypted`, `Damaged` if the package has no directory or no workbook, `SizeLimit`.
pub(super) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let size = source.size();
    let mut package = OpcPackage::open(source)?;
    let mut document = Document { metadata: package.metadata(), ..Document::default() };
    let part = workbook_part(&mut package)?;
    let related = package.relations(&part);
    let mut book = WorkbookReader {
        is_binary: part.ends_with(".bin"),
        workbook: Workbook::default(),
        styles: CellStyles::default(),
        strings: SharedStrings::default(),
        people: read_people(&mut package, &related),
        has_comments: settings.office.comments,
        problems: Vec::new(),
    };
    book.open(&mut package, &part, &related)?;
    for sheet in book.workbook.sheets.iter().filter(|sheet| sheet.is_hidden) {
        document.metadata.push(("hidden_sheet".to_owned(), sheet.name.clone()));
    }
    let mut grid = SheetGrid::new(sink, size);
    let sheets = std::mem::take(&mut book.workbook.sheets);
    for sheet in &sheets {
        book.sheet(&mut package, sheet, &related, &mut grid)?;
    }
    document.problems = book.problems;
    grid.finish()?.into_document(document)
}

/// The part that names the sheets.
fn workbook_part(package: &mut OpcPackage<'_>) -> Result<String, Problem> {
    let root = package.relations("");
    let named = root.of_kind("officeDocument").map(|part| part.to_string());
    let usual = ["xl/workbook.xml", "xl/workbook.bin"].map(str::to_owned);
    named
        .chain(usual)
        .find(|part| package.has(part))
        .ok_or_else(|| Problem::new(ProblemKind::Damaged, "the package has no workbook".to_owned()))
}

/// Reads a package; keeps the data that its sheets share.
struct WorkbookReader {
    is_binary: bool,
    workbook: Workbook,
    styles: CellStyles,
    strings: SharedStrings,
    people: PersonNames,
    has_comments: bool,
    problems: Vec<Problem>,
}

impl WorkbookReader {
    fn open(
        &mut self,
        package: &mut OpcPackage<'_>,
        part: &str,
        related: &Relationships,
    ) -> Result<(), Problem> {
        let target = |kind: &str| related.of_kind(kind).next().map(|part| part.to_string());
        let beside = |name: &str| format!("{}{name}", part.rsplit_once('/').map_or("", |_| "xl/"));
        let ending = if self.is_binary { "bin" } else { "xml" };
        self.workbook = match self.is_binary {
            true => xlsb::read_workbook(package.archive().stream(part)?),
            false => parts::read_workbook(package.archive().stream(part)?),
        };
        if self.workbook.sheets.is_empty() {
            self.workbook.sheets = parts::sheets_by_name(package.archive().names());
        }
        self.styles.epoch = self.workbook.epoch;
        let styles = target("styles").unwrap_or_else(|| beside(&format!("styles.{ending}")));
        if package.has(&styles) {
            let read = package.archive().stream(&styles).map(|stream| match self.is_binary {
                true => xlsb::read_styles(stream, &mut self.styles),
                false => parts::read_styles(stream, &mut self.styles),
            });
            self.note(&styles, read);
        }
        let strings = target("sharedStrings").unwrap_or_else(|| beside(&format!("sharedStrings.{ending}")));
        if package.has(&strings) {
            let read = package.archive().stream(&strings).map(|stream| match self.is_binary {
                true => xlsb::read_strings(stream, &mut self.strings),
                false => parts::read_strings(stream, &mut self.strings),
            });
            self.note(&strings, read);
        }
        self.problems.extend(self.strings.problem());
        Ok(())
    }

    /// Keeps the problem of a part.
    fn note(&mut self, part: &str, read: Result<Option<String>, Problem>) {
        match read {
            Ok(None) => {}
            Ok(Some(why)) => {
                self.problems.push(Problem::new(ProblemKind::Damaged, format!("`{part}` is cut: {why}")));
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    fn sheet(
        &mut self,
        package: &mut OpcPackage<'_>,
        sheet: &SheetEntry,
        related: &Relationships,
        grid: &mut SheetGrid<'_>,
    ) -> Result<(), Problem> {
        grid.begin(&sheet.name, sheet.is_hidden)?;
        let relation = related.get(&sheet.relation).filter(|relation| !relation.is_external);
        let part = match relation {
            Some(relation) => relation.target.to_string(),
            None if package.has(&sheet.relation) => sheet.relation.clone(),
            None => {
                let message = format!("the sheet `{}` has no part", sheet.name);
                self.problems.push(Problem::new(ProblemKind::Damaged, message));
                return Ok(());
            }
        };
        let has_cells = relation.is_none_or(|relation| relation.kind != "chartsheet");
        if has_cells {
            let cells = CellContext { styles: &self.styles, strings: &self.strings };
            let around = package.relations(&part);
            let address_of = |id: &str| {
                let relation = around.get(id).filter(|relation| relation.is_external);
                relation.map(|relation| relation.target.to_string())
            };
            if let Ok(stream) = package.archive().stream(&part) {
                match part.ends_with(".bin") {
                    true => xlsb::find_lists(stream, address_of, grid),
                    false => sheet::find_lists(stream, address_of, grid),
                }
            }
            let read = match package.archive().stream(&part) {
                Err(problem) => Err(problem),
                Ok(stream) if part.ends_with(".bin") => Ok(xlsb::read_sheet(stream, &cells, grid)?),
                Ok(stream) => Ok(sheet::read_sheet(stream, &cells, grid)?),
            };
            self.note(&part, read);
        }
        let around = package.relations(&part);
        for block in read_drawings(package, &around) {
            grid.block(&block)?;
        }
        if self.has_comments {
            let mut found = read_comments(package, &around, &self.people);
            for part in around.of_kind("comments").filter(|part| part.ends_with(".bin")) {
                found.extend(package.archive().stream(part).map(xlsb::read_comments).unwrap_or_default());
            }
            for comment in &found {
                grid.comment(comment)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
