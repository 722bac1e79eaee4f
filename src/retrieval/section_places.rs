//! [`section_around`]: the smallest section of a document around a span; [`section_named`]: one by its title.

use super::markdown_sections::markdown_section;
use super::titled_sections::titled_section;
use crate::store::{ChunkSpan, DocumentText, StoreError};
use std::ops::Range;

/// What separates the headings of a path.
const HEADING_SEPARATOR: &str = " > ";

/// Chunks that are read at a time.
const CHUNKS: usize = 64;

/// What the strategies that cut Markdown are named.
const MARKDOWN: &str = "Markdown_";

/// The smallest section around a span: of the document's own contents, below the same heading of Markdown, or the run
/// of chunks below the same headings. The span is part of it even if it ends in another section. Headings and runs are
/// looked for in `reach` bytes on each side.
pub fn section_around(
    text: &DocumentText<'_>,
    span: &Range<usize>,
    reach: usize,
) -> Result<Range<usize>, StoreError> {
    let contents = contents_section(text, span)?;
    let Some(chunk) = text.chunk_at(span.start)? else { return Ok(contents.unwrap_or_else(|| span.clone())) };
    let section = match chunk.strategy.starts_with(MARKDOWN) {
        true => heading_section(text, span, reach)?,
        false => None,
    };
    let has_headings = section.is_some() || chunk.heading_path.is_some();
    let section = match section {
        Some(section) => section,
        None => heading_run(text, span, &chunk, reach)?,
    };
    Ok(contents.filter(|contents| !has_headings || contents.len() <= section.len()).unwrap_or(section))
}

/// The section below a heading of Markdown; if the text that was looked at ends before it, it reaches further.
fn heading_section(
    text: &DocumentText<'_>,
    span: &Range<usize>,
    reach: usize,
) -> Result<Option<Range<usize>>, StoreError> {
    let (start, around) = text.around(span.clone(), reach)?;
    let section = markdown_section(&around, &(span.start - start..span.end - start), start == 0);
    Ok(section.map(|section| {
        let goes_on = section.end == around.len() && start + section.end < text.bytes;
        start + section.start..start + section.end + usize::from(goes_on)
    }))
}

/// The first section with this title: below a Markdown heading, of the document's own contents, or the run of chunks below
/// such a heading. Letter case makes no difference; a title that only contains the words counts if no title is the same.
///
/// Cost: a pass over the chunks of the document.
pub fn section_named(text: &DocumentText<'_>, title: &str) -> Result<Option<Range<usize>>, StoreError> {
    let title = title.trim().to_lowercase();
    for is_whole in [true, false] {
        let is_named = |name: &str| {
            let name = name.trim().to_lowercase();
            if is_whole { name == title } else { name.contains(&title) }
        };
        if let Some(section) = titled_section(text, is_named)? {
            return Ok(Some(section));
        }
        if let Some(section) = text.sections()?.into_iter().find(|section| is_named(&section.label)) {
            return Ok(Some(section.start..section.end));
        }
        if let Some(run) = run_named(text, is_named)? {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// The chunks below the first heading that `is_named`.
fn run_named(
    text: &DocumentText<'_>,
    is_named: impl Fn(&str) -> bool,
) -> Result<Option<Range<usize>>, StoreError> {
    let mut found: Option<(String, Range<usize>)> = None;
    let mut next = 0;
    loop {
        let chunks = text.chunks_from(next, CHUNKS)?;
        for chunk in &chunks {
            next = chunk.start + 1;
            match &mut found {
                Some((heading, run)) if is_below(chunk, Some(heading)) => run.end = run.end.max(chunk.end),
                Some((_, run)) => return Ok(Some(run.clone())),
                None => {
                    let path = chunk.heading_path.as_deref().unwrap_or_default();
                    let heading = heading_named(path, &is_named);
                    found = heading.map(|heading| (heading.to_owned(), chunk.start..chunk.end));
                }
            }
        }
        if chunks.len() < CHUNKS {
            return Ok(found.map(|(_, run)| run));
        }
    }
}

/// A path of headings up to the first that `is_named`.
fn heading_named<'p>(path: &'p str, is_named: &impl Fn(&str) -> bool) -> Option<&'p str> {
    let mut start = 0;
    loop {
        let end = path[start..].find(HEADING_SEPARATOR).map_or(path.len(), |at| start + at);
        if !path.is_empty() && is_named(&path[start..end]) {
            return Some(&path[..end]);
        }
        start = end + HEADING_SEPARATOR.len();
        if start >= path.len() {
            return None;
        }
    }
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

/// The chunks around a span below the headings of its first chunk, `own`.
fn heading_run(
    text: &DocumentText<'_>,
    span: &Range<usize>,
    own: &ChunkSpan,
    reach: usize,
) -> Result<Range<usize>, StoreError> {
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
