//! Records: whole rows, including quoted fields that contain newlines.
//!
//! The header row of a table is the context of later chunks. Lines of JSON are rows without a header. A quote that is
//! never closed is treated as a plain character: the row ends with its line.

use super::boundary::BoundaryRank;
use super::outline::{BoundaryCollector, ProtectedSpan, SegmentOutline};
use crate::model::Span;
use crate::text::tokens::TokenCounter;

/// The quote of a longer field is treated as unclosed.
const MAX_FIELD_BYTES: usize = 64 * 1024;
/// Separators of fields.
const DELIMITERS: [u8; 4] = *b",;\t|";

/// State that is kept from segment to segment.
#[derive(Default)]
pub(super) struct RowState {
    is_begun: bool,
    header: Option<String>,
}

/// The outline of records; a header of at most `max_header_tokens` is repeated as context.
pub(super) fn outline(
    mut collector: BoundaryCollector<'_>,
    state: &mut RowState,
    counter: &mut TokenCounter,
    max_header_tokens: usize,
) -> SegmentOutline {
    let text = collector.text();
    let starts = record_starts(text);
    let mut body = 0;
    let first = text.trim_start();
    // Only the first row of a document may be its header.
    if !state.is_begun && !first.is_empty() {
        state.is_begun = true;
        let at = text.len() - first.len();
        body = starts.iter().copied().find(|&start| start > at).unwrap_or(text.len());
        let row = text[at..body].trim_end();
        let is_header = row.len() <= max_header_tokens * 16
            && looks_like_header(row)
            && counter.count(row) <= max_header_tokens;
        state.header = is_header.then(|| row.to_owned());
    }
    for &start in &starts {
        collector.mark(start, BoundaryRank::Block, true);
    }
    let mut protected = vec![ProtectedSpan { span: Span::new(0, body), context: None }];
    protected.push(ProtectedSpan { span: Span::new(body, text.len()), context: state.header.clone() });
    SegmentOutline { boundaries: collector.finish(), protected, ..SegmentOutline::default() }
}

/// True for a first row that names its columns: two or more, hardly any of them empty or a number.
fn looks_like_header(row: &str) -> bool {
    if row.starts_with(['{', '[', '<']) || row.contains('\n') {
        // Lines of JSON and XML have no header.
        return false;
    }
    let cells: Vec<&str> = row.split(|c: char| c.is_ascii() && DELIMITERS.contains(&(c as u8))).collect();
    let names = |cell: &&str| {
        let cell = cell.trim_matches(['"', ' ']);
        !cell.is_empty() && cell.parse::<f64>().is_err()
    };
    // A header may have an empty cell, or a year as a name.
    cells.len() >= 2 && cells.iter().filter(|cell| names(cell)).count() * 4 >= cells.len() * 3
}

/// The first byte of each row except the first.
pub(crate) fn record_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = Vec::new();
    let mut at = 0;
    let mut is_field_start = true;
    while at < bytes.len() {
        match bytes[at] {
            b'"' if is_field_start => {
                at = quoted_end(bytes, at).unwrap_or(at + 1);
                is_field_start = false;
                continue;
            }
            b'\n' => {
                is_field_start = true;
                if at + 1 < bytes.len() {
                    starts.push(at + 1);
                }
            }
            byte => is_field_start = DELIMITERS.contains(&byte),
        }
        at += 1;
    }
    starts
}

/// The first byte after a quoted field that starts at `at`; `None` if the quote is never closed.
///
/// Cost: stops at the first quote that neither closes a field nor is doubled, so that unclosed quotes stay linear.
fn quoted_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = bytes.len().min(at + MAX_FIELD_BYTES);
    let mut next = at + 1;
    while next < end {
        if bytes[next] != b'"' {
            next += 1;
            continue;
        }
        match bytes.get(next + 1) {
            Some(b'"') => next += 2,
            // A closing quote stands before a delimiter or a line end (RFC 4180).
            None | Some(b'\n' | b'\r') => return Some(next + 1),
            Some(byte) if DELIMITERS.contains(byte) => return Some(next + 1),
            Some(_) => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut cuts = vec![0];
        cuts.extend(record_starts(text));
        cuts.push(text.len());
        let rows: Vec<&str> = cuts.windows(2).map(|pair| text[pair[0]..pair[1]].trim_end()).collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn quoted_newlines_do_not_end_a_row() {
        check("a,b\n1,\"x\ny\"\n2,z\n", &["a,b", "1,\"x\ny\"", "2,z"]);
        check("a,\"say \"\"hi\"\"\nthere\"\nb", &["a,\"say \"\"hi\"\"\nthere\"", "b"]);
    }

    #[test]
    fn a_stray_quote_ends_with_its_line() {
        check("5\",a\n\"b\nc,\"d\" e\nf", &["5\",a", "\"b", "c,\"d\" e", "f"]);
    }

    #[test]
    fn headers_name_their_columns() {
        assert!(looks_like_header("id,name,\"unit price\""));
        assert!(!looks_like_header("1,2,3"));
        assert!(!looks_like_header("{\"a\":1,\"b\":2}"));
        assert!(!looks_like_header("one"));
    }
}
