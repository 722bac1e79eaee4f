//! [`section_around`]: the smallest section of a document around a span.

use crate::store::{ChunkSpan, DocumentText, StoreError};
use std::ops::Range;

/// What separates the headings of a path.
const HEADING_SEPARATOR: &str = " > ";

/// Chunks that are read at a time.
const CHUNKS: usize = 64;

/// The smallest section around a span: of the document's own contents, or the run of chunks below the same headings.
/// The span is part of it even if it ends in another section. A run is followed for `reach` bytes on each side.
pub fn section_around(
    text: &DocumentText<'_>,
    span: &Range<usize>,
    reach: usize,
) -> Result<Range<usize>, StoreError> {
    let run = heading_run(text, span, reach)?;
    let contents = contents_section(text, span)?;
    let has_headings = text.chunk_at(span.start)?.is_some_and(|chunk| chunk.heading_path.is_some());
    Ok(match contents {
        Some(section) if !has_headings || section.len() <= run.len() => section,
        _ => run,
    })
}

/// From the start of the innermost section at the span's first byte to the end of the one at its last.
fn contents_section(
    text: &DocumentText<'_>,
    span: &Range<usize>,
) -> Result<Option<Range<usize>>, StoreError> {
    let sections = text.sections()?;
    let innermost = |at: usize| {
        let around = sections.iter().filter(|section| section.start <= at && at < section.end);
        around.min_by_key(|section| section.end - section.start)
    };
    Ok(innermost(span.start).map(|first| {
        let last = innermost(span.end - 1).map_or(first.end, |last| last.end);
        first.start..first.end.max(last).max(span.end)
    }))
}

/// The chunks around a span below the headings of its first chunk.
fn heading_run(
    text: &DocumentText<'_>,
    span: &Range<usize>,
    reach: usize,
) -> Result<Range<usize>, StoreError> {
    let Some(own) = text.chunk_at(span.start)? else { return Ok(span.clone()) };
    let heading = own.heading_path.as_deref();
    let mut run = own.start.min(span.start)..own.end.max(span.end);
    let (floor, ceiling) = (span.start.saturating_sub(reach), span.end.saturating_add(reach));
    loop {
        let before = text.chunks_before(run.start, CHUNKS)?;
        let same: Vec<&ChunkSpan> = before.iter().take_while(|chunk| is_below(chunk, heading)).collect();
        let is_all = same.len() < CHUNKS;
        run.start = same.last().map_or(run.start, |chunk| chunk.start);
        if is_all || run.start < floor {
            break;
        }
    }
    let mut next = own.start + 1;
    loop {
        let after = text.chunks_from(next, CHUNKS)?;
        let same: Vec<&ChunkSpan> = after.iter().take_while(|chunk| is_below(chunk, heading)).collect();
        let is_all = same.len() < CHUNKS;
        run.end = same.iter().map(|chunk| chunk.end).max().unwrap_or_default().max(run.end);
        next = same.last().map_or(next, |chunk| chunk.start + 1);
        if is_all || run.end > ceiling {
            break;
        }
    }
    Ok(run)
}

/// True if a chunk is below these headings.
fn is_below(chunk: &ChunkSpan, heading: Option<&str>) -> bool {
    match (chunk.heading_path.as_deref(), heading) {
        (None, None) => true,
        (Some(path), Some(heading)) => {
            let rest = path.strip_prefix(heading);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(HEADING_SEPARATOR))
        }
        _ => false,
    }
}
