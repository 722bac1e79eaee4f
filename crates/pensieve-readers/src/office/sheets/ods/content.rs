//! The content of an OpenDocument spreadsheet, streamed: sheets, rows, cells, comments, shapes.

use super::super::annotations::{CellComment, TextAllowance};
use super::super::grid::SheetGrid;
use super::super::number::{push_general, truth_name};
use super::super::rich_text::RichText;
use super::super::row::{RowCells, clip_name, link_of_formula, push_link};
use super::super::stream::{StreamTag, XmlStream, XmlToken, resolve};
use crate::limits::sheets::{MAX_CELL_BYTES, MAX_REPEATS};
use crate::markdown::BaselineShift;
use pensieve_text::model::{Problem, ProblemKind};
use std::collections::{HashMap, HashSet};
use std::io::Read;

/// The destination of the words of paragraphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextTarget {
    Nowhere,
    Cell,
    Comment,
    Shape,
}

/// Reads the content parts of a spreadsheet, and keeps everything that is not a cell.
pub(super) struct OdsContentReader {
    /// Rows of metadata, in the order found.
    pub metadata: Vec<(String, String)>,
    /// Titles of the objects inside the package, which are charts, by their names.
    pub objects: HashMap<String, Vec<String>>,
    has_comments: bool,
    sheets: usize,
    hidden_styles: HashSet<String>,
    /// The styles of words above or below the line.
    shifted_styles: HashMap<String, BaselineShift>,
    style: Option<String>,
    row: RowCells,
    next_row: u32,
    row_repeats: u32,
    column: u32,
    /// The column that follows the last one that was declared.
    next_column: u32,
    cell: OdsCell,
    cell_depth: Option<usize>,
    sheet_depth: Option<usize>,
    target: TextTarget,
    paragraph_depth: Option<usize>,
    comment: Option<(usize, CellComment)>,
    comments: Vec<CellComment>,
    shapes: Vec<String>,
    shape: String,
    repeats_left: u32,
    is_cut: bool,
    meta_depth: Option<usize>,
    allowance: TextAllowance,
}

/// The cell that is being read.
#[derive(Debug, Default)]
struct OdsCell {
    text: String,
    runs: RichText,
    has_paragraph: bool,
    repeats: u32,
    value: String,
    formula: String,
    link: Option<String>,
}

impl OdsContentReader {
    pub fn new(has_comments: bool) -> OdsContentReader {
        OdsContentReader {
            metadata: Vec::new(),
            objects: HashMap::new(),
            has_comments,
            sheets: 0,
            hidden_styles: HashSet::new(),
            shifted_styles: HashMap::new(),
            style: None,
            row: RowCells::default(),
            next_row: 1,
            row_repeats: 1,
            column: 1,
            next_column: 1,
            cell: OdsCell::default(),
            cell_depth: None,
            sheet_depth: None,
            target: TextTarget::Nowhere,
            paragraph_depth: None,
            comment: None,
            comments: Vec::new(),
            shapes: Vec::new(),
            shape: String::new(),
            repeats_left: MAX_REPEATS,
            is_cut: false,
            meta_depth: None,
            allowance: TextAllowance::default(),
        }
    }

    /// True when neither a sheet nor metadata was found.
    pub fn is_empty(&self) -> bool {
        self.sheets == 0 && self.metadata.is_empty()
    }

    /// The report on repetitions that were left out.
    pub fn problems(&self) -> Vec<Problem> {
        let message = format!("rows or cells are repeated more than {MAX_REPEATS} times");
        if self.is_cut { vec![Problem::new(ProblemKind::SizeLimit, message)] } else { Vec::new() }
    }

    /// Reads a part into the grid; returns the reason if it ended early.
    ///
    /// # Errors
    /// The grid's.
    pub fn read(&mut self, source: impl Read, grid: &mut SheetGrid<'_>) -> Result<Option<String>, Problem> {
        let mut stream = XmlStream::new(source);
        let mut depth = 0_usize;
        while let Some(token) = stream.next() {
            match token {
                XmlToken::Start(tag) => {
                    depth = tag.depth;
                    let is_passed = match tag.name {
                        b"tracked-changes" | b"dde-links" | b"forms" | b"scripts" | b"event-listeners"
                        | b"ruby-text" | b"binary-data" | b"master-styles" => true,
                        // The numbers of a chart, or a table inside a cell.
                        b"table" => self.sheet_depth.is_some(),
                        _ => false,
                    };
                    if is_passed {
                        stream.skip_element();
                        depth = depth.saturating_sub(1);
                    } else {
                        self.start(&tag, grid)?;
                        if let Some(key) = self.key_of(&tag) {
                            let value = stream.text_inside(MAX_CELL_BYTES).trim().to_owned();
                            depth = depth.saturating_sub(1);
                            self.keep_value(key, value);
                        }
                    }
                }
                XmlToken::End(name) => {
                    self.end(name, depth, grid)?;
                    depth = depth.saturating_sub(1);
                    if grid.is_full() {
                        break;
                    }
                }
                XmlToken::Text(raw) if self.paragraph_depth.is_some() => self.push(&resolve(raw)),
                XmlToken::Verbatim(raw) if self.paragraph_depth.is_some() => {
                    self.push(&String::from_utf8_lossy(raw))
                }
                _ => {}
            }
        }
        if stream.broken().is_some() && self.sheet_depth.is_some() {
            self.end_row(grid)?;
            self.end_sheet(grid)?;
        }
        Ok(stream.broken().map(str::to_owned))
    }

    fn start(&mut self, tag: &StreamTag<'_>, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        match tag.name {
            b"p" | b"h" if self.paragraph_depth.is_none() => self.start_paragraph(tag.depth),
            b"s" if self.paragraph_depth.is_some() => self.push(" "),
            b"tab" | b"line-break" if self.paragraph_depth.is_some() => self.push("\n"),
            b"table-cell" | b"covered-table-cell" if self.sheet_depth.is_some() => {
                self.start_cell(tag, grid);
            }
            b"table-row" if self.sheet_depth.is_some() => {
                self.row_repeats = tag.number("number-rows-repeated").unwrap_or(1).max(1);
                self.row.begin(self.next_row);
                self.row.is_hidden = is_collapsed(tag);
                self.column = 1;
            }
            b"table-column" if self.sheet_depth.is_some() => {
                let count = tag.number("number-columns-repeated").unwrap_or(1).max(1);
                let first = self.next_column;
                self.next_column = first.saturating_add(count);
                if is_collapsed(tag) {
                    grid.hide_columns(first, self.next_column - 1);
                }
            }
            b"table" => self.start_sheet(tag, grid)?,
            b"annotation" => self.comment = Some((tag.depth, self.comment_here())),
            b"shapes" => self.target = TextTarget::Shape,
            b"object" => {
                let titles = tag.get("href").and_then(|to| self.objects.remove(to.trim_start_matches("./")));
                self.shapes.extend(titles.into_iter().flatten());
            }
            b"style" => self.style = tag.get("name").map(|name| clip_name(&name)),
            b"table-properties" if tag.get("display").as_deref() == Some("false") => {
                self.hidden_styles.extend(self.style.take().filter(|style| self.allowance.take(style)));
            }
            b"text-properties" => {
                let shift = BaselineShift::written(&tag.get("text-position").unwrap_or_default());
                let style = self.style.as_ref().filter(|_| shift != BaselineShift::None);
                let style = style.filter(|style| self.allowance.take(style)).cloned();
                self.shifted_styles.extend(style.map(|style| (style, shift)));
            }
            b"span" if self.target == TextTarget::Cell => {
                let shift = tag.get("style-name").and_then(|style| self.shifted_styles.get(&*style).copied());
                self.cell.runs.shift(shift.unwrap_or_default());
            }
            b"a" if self.target == TextTarget::Cell => {
                self.cell.link = tag.get("href").map(|to| clip_name(&to))
            }
            b"meta" => self.meta_depth = Some(tag.depth),
            _ => {}
        }
        Ok(())
    }

    fn start_sheet(&mut self, tag: &StreamTag<'_>, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        let name = clip_name(&tag.get("name").unwrap_or_default());
        self.sheets += 1;
        let is_hidden = tag.get("style-name").is_some_and(|style| self.hidden_styles.contains(&*style));
        if is_hidden && self.allowance.take(&name) {
            self.metadata.push(("hidden_sheet".to_owned(), name.clone()));
        }
        (self.sheet_depth, self.next_row) = (Some(tag.depth), 1);
        self.next_column = 1;
        grid.begin(&name, is_hidden)
    }

    fn start_cell(&mut self, tag: &StreamTag<'_>, grid: &mut SheetGrid<'_>) {
        if let Some(rows) = tag.number("number-rows-spanned").filter(|rows| *rows > 1) {
            let row = self.row.number();
            grid.merge_down(row, self.column, row.saturating_add(rows - 1));
        }
        self.cell.text.clear();
        self.cell.value.clear();
        self.cell.link = None;
        self.cell.formula = tag
            .get("formula")
            .map(|formula| formula.trim_start_matches("of:").to_owned())
            .unwrap_or_default();
        self.cell.has_paragraph = false;
        self.cell.repeats = tag.number("number-columns-repeated").unwrap_or(1).max(1);
        self.cell_depth = Some(tag.depth);
        if let Some(kind) = tag.exact("office:value-type") {
            push_value(&kind, tag, &mut self.cell.value);
        }
    }

    fn start_paragraph(&mut self, depth: usize) {
        self.target = match self.cell_depth {
            _ if self.comment.is_some() => TextTarget::Comment,
            Some(cell) if depth == cell + 1 => TextTarget::Cell,
            _ if self.sheet_depth.is_some() => TextTarget::Shape,
            _ => TextTarget::Nowhere,
        };
        self.paragraph_depth = Some(depth);
        if self.target == TextTarget::Cell && std::mem::replace(&mut self.cell.has_paragraph, true) {
            self.cell.text.push('\n');
        }
    }

    fn comment_here(&self) -> CellComment {
        CellComment { row: self.row.number().max(1), column: self.column, ..CellComment::default() }
    }

    fn push(&mut self, text: &str) {
        let out = match self.target {
            TextTarget::Cell => {
                let OdsCell { text: out, runs, .. } = &mut self.cell;
                if out.len() < MAX_CELL_BYTES {
                    runs.push(text, |words| out.push_str(words));
                }
                return;
            }
            TextTarget::Shape => &mut self.shape,
            TextTarget::Comment => match &mut self.comment {
                Some((_, comment)) => &mut comment.text,
                None => return,
            },
            TextTarget::Nowhere => return,
        };
        if out.len() < MAX_CELL_BYTES {
            out.push_str(text);
        }
    }

    fn end(&mut self, name: &[u8], depth: usize, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        if self.paragraph_depth == Some(depth) {
            self.paragraph_depth = None;
            match self.target {
                TextTarget::Shape if self.allowance.take(&self.shape) => {
                    self.shapes.push(std::mem::take(&mut self.shape))
                }
                TextTarget::Comment => self.push("\n"),
                TextTarget::Cell => self.cell.runs.end(|words| self.cell.text.push_str(words)),
                _ => {}
            }
            self.shape.clear();
            return Ok(());
        }
        if name == b"a" && self.paragraph_depth.is_some() {
            let OdsCell { text, runs, link, .. } = &mut self.cell;
            if let Some(link) = link.take() {
                runs.end(|words| text.push_str(words));
                push_link(text, &link);
            }
        } else if name == b"span" && self.paragraph_depth.is_some() {
            self.cell.runs.begin_run();
        } else if self.comment.as_ref().is_some_and(|(start, _)| *start == depth) {
            let comment = self.comment.take().map(|(_, comment)| comment);
            self.comments
                .extend(comment.filter(|comment| self.has_comments && comment.fits(&mut self.allowance)));
        } else if self.cell_depth == Some(depth) {
            self.end_cell();
        } else if self.sheet_depth == Some(depth) {
            self.end_sheet(grid)?;
        } else if name == b"table-row" && self.sheet_depth.is_some() {
            self.end_row(grid)?;
        } else if self.meta_depth == Some(depth) {
            self.meta_depth = None;
        }
        Ok(())
    }

    fn end_cell(&mut self) {
        self.cell_depth = None;
        let OdsCell { has_paragraph, text, value, formula, .. } = &self.cell;
        let text = match has_paragraph {
            true => text,
            // Nobody has calculated it yet.
            false if value.is_empty() => formula,
            false => value,
        };
        if !text.trim().is_empty() {
            let out = self.row.cell(self.column);
            out.push_str(text);
            if let Some(address) = link_of_formula(formula).filter(|_| text != formula) {
                push_link(out, address);
            }
            let wanted = self.cell.repeats - 1;
            let repeats = wanted.min(self.repeats_left);
            self.is_cut |= repeats < wanted;
            self.repeats_left -= repeats;
            (1..=repeats).for_each(|more| self.row.repeat(self.column.saturating_add(more)));
        }
        self.column = self.column.saturating_add(self.cell.repeats);
    }

    fn end_row(&mut self, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        let wanted = if self.row.is_blank() { 0 } else { self.row_repeats - 1 };
        let repeats = wanted.min(self.repeats_left);
        self.is_cut |= repeats < wanted;
        self.repeats_left -= repeats;
        grid.row(&mut self.row)?;
        for more in 1..=repeats {
            self.row.set_number(self.next_row.saturating_add(more));
            grid.row(&mut self.row)?;
            if grid.is_full() {
                break;
            }
        }
        self.next_row = self.next_row.saturating_add(self.row_repeats);
        self.row.begin(self.next_row);
        self.row_repeats = 1;
        Ok(())
    }

    fn end_sheet(&mut self, grid: &mut SheetGrid<'_>) -> Result<(), Problem> {
        self.sheet_depth = None;
        grid.end_block()?;
        for text in self.shapes.drain(..) {
            grid.drawing(&text)?;
        }
        for comment in self.comments.drain(..) {
            if !comment.text.trim().is_empty() {
                grid.comment(&comment)?;
            }
        }
        Ok(())
    }

    /// The key under which the characters of an element are kept: metadata, or the author of a comment.
    fn key_of(&self, tag: &StreamTag<'_>) -> Option<&'static str> {
        if let Some((depth, _)) = &self.comment {
            let is_direct = tag.depth == depth + 1;
            return match tag.name {
                b"creator" if is_direct => Some("creator"),
                b"date" if is_direct => Some(""),
                _ => None,
            };
        }
        // The description of a picture or shape.
        if self.sheet_depth.is_some() {
            return match tag.name {
                b"title" | b"desc" if self.paragraph_depth.is_none() => Some("shape"),
                _ => None,
            };
        }
        self.meta_depth.filter(|depth| tag.depth == depth + 1)?;
        Some(match tag.name {
            b"title" => "title",
            b"initial-creator" | b"creator" => "author",
            b"subject" => "subject",
            b"keyword" => "keywords",
            b"description" => "description",
            b"language" => "language",
            b"creation-date" => "created",
            b"date" => "modified",
            _ => return None,
        })
    }

    fn keep_value(&mut self, key: &'static str, value: String) {
        match key {
            _ if value.is_empty() => {}
            "" => {}
            "creator" => self.comment.iter_mut().for_each(|(_, comment)| comment.author = value.clone()),
            "shape" if self.allowance.take(&value) => self.shapes.push(value),
            "shape" => {}
            key => {
                let is_known = self.metadata.iter().any(|(other, known)| other == key && *known == value);
                if !is_known && self.metadata.len() < 1000 && self.allowance.take(&value) {
                    self.metadata.push((key.to_owned(), value));
                }
            }
        }
    }
}

/// True for a row or a column that is hidden, or left out by a filter.
fn is_collapsed(tag: &StreamTag<'_>) -> bool {
    matches!(tag.get("visibility").as_deref(), Some("collapse" | "filter"))
}

/// The value of a cell without a shown text.
fn push_value(kind: &str, tag: &StreamTag<'_>, out: &mut String) {
    let number = || tag.exact("office:value").and_then(|value| value.trim().parse::<f64>().ok());
    match kind {
        "float" | "currency" => {
            if let Some(number) = number() {
                push_general(number, out);
            }
            if let Some(currency) = tag.exact("office:currency") {
                out.push(' ');
                out.push_str(&currency);
            }
        }
        "percentage" => {
            if let Some(number) = number() {
                push_general(number * 100.0, out);
                out.push('%');
            }
        }
        "boolean" => out.push_str(truth_name(tag.exact("office:boolean-value").as_deref() == Some("true"))),
        "date" => out.push_str(&tag.exact("office:date-value").unwrap_or_default()),
        "time" => push_duration(&tag.exact("office:time-value").unwrap_or_default(), out),
        _ => out.push_str(&tag.exact("office:string-value").unwrap_or_default()),
    }
}

/// `PT12H30M00S` as `12:30:00`.
fn push_duration(value: &str, out: &mut String) {
    let part = |ends_with: char| {
        let (before, _) = value.split_once(ends_with)?;
        let digits = before.rsplit(|c: char| !c.is_ascii_digit() && c != '.').next()?;
        digits.split('.').next()?.parse::<u64>().ok()
    };
    match (part('H'), part('M'), part('S')) {
        (Some(hours), Some(minutes), Some(seconds)) => {
            *out += &format!("{hours:02}:{minutes:02}:{seconds:02}")
        }
        _ => out.push_str(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_without_words_show_their_values() {
        let check = |kind: &str, attributes: &str, expected: &str| {
            let xml = format!("<table-cell{attributes}/>");
            let mut stream = XmlStream::new(xml.as_bytes());
            let Some(XmlToken::Start(tag)) = stream.next() else { panic!("{xml}") };
            let mut out = String::new();
            push_value(kind, &tag, &mut out);
            assert_eq!(out, expected, "{kind} {attributes}");
        };
        check("float", " office:value=' 1.5 '", "1.5");
        check("float", " office:value='x'", "");
        check("currency", " office:value='1.5' office:currency='EUR'", "1.5 EUR");
        check("currency", " office:currency='EUR'", " EUR");
        check("percentage", " office:value='0.25'", "25%");
        check("percentage", "", "");
        check("boolean", " office:boolean-value='true'", "TRUE");
        check("boolean", " office:boolean-value='false'", "FALSE");
        check("boolean", "", "FALSE");
        check("date", " office:date-value='2024-01-15'", "2024-01-15");
        check("time", " office:time-value='PT12H30M00S'", "12:30:00");
        check("string", " office:string-value='a'", "a");
        check("", " office:string-value='a'", "a");
        check("string", " office:value='1'", "");
    }

    #[test]
    fn durations_are_hours_minutes_and_seconds() {
        for (value, expected) in [
            ("PT12H30M05S", "12:30:05"),
            ("PT1H2M3.75S", "01:02:03"),
            ("PT100H00M00S", "100:00:00"),
            ("PT12H30M", "PT12H30M"),
            ("P1D", "P1D"),
            ("", ""),
        ] {
            let mut out = String::new();
            push_duration(value, &mut out);
            assert_eq!(out, expected);
        }
    }

    /// The text of the sheets in this content, the metadata, and whether repetitions were left out; `repeats` of them
    /// are allowed.
    fn read(content: &str, repeats: u32) -> (String, Vec<(String, String)>, bool) {
        let mut sink = crate::source::DiscardingSink;
        let mut grid = SheetGrid::new(&mut sink, 0);
        let mut reader = OdsContentReader::new(true);
        reader.repeats_left = repeats;
        let xml = format!("<document>{content}</document>");
        assert_eq!(reader.read(xml.as_bytes(), &mut grid), Ok(None));
        let text = grid.finish().map(|output| output.text.text).unwrap_or_default();
        (text, reader.metadata, reader.is_cut)
    }

    fn check(rows: &str, expected: &str) {
        let (text, _, is_cut) = read(&format!("<table name='S'>{rows}</table>"), 100);
        assert_eq!((text, is_cut), (format!("## S\n\n{expected}"), false), "{rows}");
    }

    fn cell(text: &str) -> String {
        format!("<table-cell><p>{text}</p></table-cell>")
    }

    #[test]
    fn cells_have_their_paragraphs() {
        let two = format!("{}<table-cell><p>b</p><p>c<s/>d<tab/>e</p></table-cell>", cell("a"));
        check(&format!("<table-row>{two}</table-row>"), "| a | b c d e |\n| - | - |\n");
        // A shape in a cell, and paragraphs in its paragraphs.
        let shape = "<table-cell><p>a</p><frame><p>box</p></frame></table-cell>";
        check(&format!("<table-row>{shape}{}</table-row>", cell("b")), "| a | b |\n| - | - |\n\nbox\n");
        let inner = "<table-cell><p>a<frame><p>b</p></frame>c</p></table-cell>";
        check(&format!("<table-row>{inner}{}</table-row>", cell("d")), "| abc | d |\n| - | - |\n");
        check(
            "<table-row><table-cell office:value-type='float' office:value='2'/><table-cell office:value-type='float' office:value='3'><p>three</p></table-cell></table-row>",
            "| 2 | three |\n| - | - |\n",
        );
        check(
            &format!("<table-row>{}<ruby-text>x</ruby-text>{}</table-row>", cell("a"), cell("b")),
            "| a | b |\n| - | - |\n",
        );
    }

    #[test]
    fn a_label_over_rows_is_in_each_of_them() {
        let label = "<table-cell number-rows-spanned='2'><p>Q1</p></table-cell>";
        let rows = format!(
            "<table-row>{}{}</table-row><table-row>{label}{}</table-row><table-row><covered-table-cell/>{}</table-row>",
            cell("Quarter"),
            cell("Team"),
            cell("Reds"),
            cell("Blues")
        );
        check(&rows, "| Quarter | Team |\n| - | - |\n| Q1 | Reds |\n| Q1 | Blues |\n");
    }

    #[test]
    fn powers_have_a_mark() {
        let style = "<style name='T1'><text-properties text-position='super 58%'/></style>";
        let cells = "<table-cell><p>10<span style-name='T1'>6</span> m</p></table-cell><table-cell><p>a</p></table-cell>";
        let (text, ..) = read(&format!("{style}<table name='S'><table-row>{cells}</table-row></table>"), 1);
        assert_eq!(text, "## S\n\n| 10^6 m | a |\n| - | - |\n");
    }

    #[test]
    fn comments_have_an_author_and_no_date() {
        let comment = "<annotation><creator>Ann</creator><date>2024</date><p>why</p><p>not <i><creator>x</creator></i></p></annotation>";
        check(
            &format!("<table-row>{}<table-cell>{comment}<p>b</p></table-cell></table-row>", cell("a")),
            "| a | b |\n| - | - |\n\n- B1 Ann: why\\\n  not x\n",
        );
    }

    #[test]
    fn pictures_have_titles_and_descriptions() {
        let picture =
            "<shapes><frame><title>T</title><desc>D</desc><p>words<title>no</title></p></frame></shapes>";
        check(&format!("{picture}<table-row>{}</table-row>", cell("a")), "a\n\nT\n\nD\n\nwordsno\n");
    }

    #[test]
    fn cells_and_rows_are_repeated() {
        let repeated = |count: u32, text: &str| {
            format!("<table-cell number-columns-repeated='{count}'><p>{text}</p></table-cell>")
        };
        let row = |count: u32, cells: &str| {
            format!("<table-row number-rows-repeated='{count}'>{cells}</table-row>")
        };
        let sheet = |rows: &str| format!("<table name='S'>{rows}</table>");
        let cells = format!("{}{}", repeated(2, "a"), cell("b"));
        let line = "| a | a | b |\n";
        let table = |rows: usize| format!("## S\n\n{line}| - | - | - |\n{}", line.repeat(rows - 1));
        for (rows, repeats, lines, is_cut) in
            [(3, 3, 3, false), (3, 2, 2, true), (1, 1, 1, false), (3, 99, 3, false)]
        {
            let (text, _, found) = read(&sheet(&row(rows, &cells)), repeats);
            assert_eq!((text, found), (table(lines), is_cut), "{rows} {repeats}");
        }
        let (text, _, is_cut) = read(&sheet(&row(1, &format!("{}{}", repeated(4, "a"), cell("b")))), 2);
        assert_eq!((text.as_str(), is_cut), ("## S\n\n| a | a | a | b |\n| - | - | - | - |\n", true));
        // Blank rows and cells only keep their places.
        let blank = row(1_000_000, &repeated(5, " "));
        let (text, _, is_cut) = read(&sheet(&format!("{}{blank}{}", row(1, &cells), row(1, &cells))), 2);
        assert_eq!((text, is_cut), (format!("{}\n{line}| - | - | - |\n", table(1)), false));
    }

    #[test]
    fn metadata_are_direct_children_and_hidden_sheets() {
        let meta = "<meta><title>T</title><initial-creator>A</initial-creator><creator>A</creator><creator>B</creator>\
            <subject>S</subject><keyword>k</keyword><description> D </description><language>en</language>\
            <creation-date>1</creation-date><date>2</date><other>x</other><inner><title>no</title></inner></meta>\
            <title>no</title>";
        let style = "<style name='h'><table-properties display='false'/></style>\
            <style name='v'><table-properties display='true'/></style>";
        let sheets = "<table name='H' style-name='h'></table><table name='V' style-name='v'></table>";
        let (text, rows, _) = read(&format!("{meta}{style}{sheets}"), 0);
        let rows: Vec<_> = rows.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let expected = [
            ("title", "T"),
            ("author", "A"),
            ("author", "B"),
            ("subject", "S"),
            ("keywords", "k"),
            ("description", "D"),
            ("language", "en"),
            ("created", "1"),
            ("modified", "2"),
            ("hidden_sheet", "H"),
        ];
        assert_eq!((text.as_str(), rows.as_slice()), ("## H\n\n## V\n", expected.as_slice()));
    }
}
