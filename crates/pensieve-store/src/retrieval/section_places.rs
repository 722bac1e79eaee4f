//! [`section_around`]: the smallest section of a document around a span; [`section_named`]: one by its title.

use super::markdown_sections::markdown_section;
use super::titled_sections::{each_heading, titled_section};
use crate::store::{ChunkSpan, DocumentText, StoreError};
use pensieve_text::chunk::HEADING_SEPARATOR;
use std::ops::Range;

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
    let has_headings = section.is_some() || chunk.place.heading_path.is_some();
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

/// The headings of a document, each with its level: those of Markdown, else its own contents, else those of its chunks.
///
/// Cost: a pass over the text, and one over the chunks where it has no headings.
pub fn outline(text: &DocumentText<'_>) -> Result<Vec<(usize, String)>, StoreError> {
    let mut found = Vec::new();
    each_heading(text, &mut |level, title, _| {
        found.push((level, title.to_owned()));
        true
    })?;
    if found.is_empty() {
        found = text.sections()?.into_iter().map(|section| (section.level, section.label)).collect();
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let (mut next, mut path): (usize, Vec<String>) = (0, Vec::new());
    loop {
        let chunks = text.chunks_from(next, CHUNKS)?;
        for chunk in &chunks {
            next = chunk.place.start + 1;
            let headings = chunk.place.heading_path.as_deref().unwrap_or_default().split(HEADING_SEPARATOR);
            let headings: Vec<String> =
                headings.filter(|title| !title.is_empty()).map(str::to_owned).collect();
            let same = headings.iter().zip(&path).take_while(|(one, other)| one == other).count();
            found.extend(headings.iter().enumerate().skip(same).map(|(at, title)| (at + 1, title.clone())));
            path = headings;
        }
        if chunks.len() < CHUNKS {
            return Ok(found);
        }
    }
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
            next = chunk.place.start + 1;
            match &mut found {
                Some((heading, run)) if is_below(chunk, Some(heading)) => {
                    run.end = run.end.max(chunk.place.end)
                }
                Some((_, run)) => return Ok(Some(run.clone())),
                None => {
                    let path = chunk.place.heading_path.as_deref().unwrap_or_default();
                    let heading = heading_named(path, &is_named);
                    found = heading.map(|heading| (heading.to_owned(), chunk.place.start..chunk.place.end));
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
    let heading = own.place.heading_path.as_deref();
    let mut run = own.place.start.min(span.start)..own.place.end.max(span.end);
    let (floor, ceiling) = (span.start.saturating_sub(reach), span.end.saturating_add(reach));
    loop {
        let before = text.chunks_before(run.start, CHUNKS)?;
        let same: Vec<&ChunkSpan> = before.iter().take_while(|chunk| is_below(chunk, heading)).collect();
        let is_all = same.len() < CHUNKS;
        run.start = same.last().map_or(run.start, |chunk| chunk.place.start);
        if is_all || run.start < floor {
            break;
        }
    }
    let mut next = own.place.start + 1;
    loop {
        let after = text.chunks_from(next, CHUNKS)?;
        let same: Vec<&ChunkSpan> = after.iter().take_while(|chunk| is_below(chunk, heading)).collect();
        let is_all = same.len() < CHUNKS;
        run.end = same.iter().map(|chunk| chunk.place.end).max().unwrap_or_default().max(run.end);
        next = same.last().map_or(next, |chunk| chunk.place.start + 1);
        if is_all || run.end > ceiling {
            break;
        }
    }
    Ok(run)
}

/// True if a chunk is below these headings.
fn is_below(chunk: &ChunkSpan, heading: Option<&str>) -> bool {
    match (chunk.place.heading_path.as_deref(), heading) {
        (None, None) => true,
        (Some(path), Some(heading)) => {
            let rest = path.strip_prefix(heading);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(HEADING_SEPARATOR))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{add_sections, corpus, execute, only_uid, text_in_segments};
    use crate::store::{PlaceColumns, Store};

    fn text_of(store: &Store) -> DocumentText<'_> {
        store.documents().clean_text(&only_uid(store)).unwrap().unwrap()
    }

    /// Five chunks below `Z`, 150 below `A > x` and its headings, five below `B`; each begins five bytes after another.
    fn long_corpus() -> Store {
        let heading = |at: usize| match at {
            0..5 => "Z",
            5..90 => "A > x",
            90..155 => "A > x > y",
            _ => "B",
        };
        let chunks: Vec<String> = (0..160).map(|at| format!("{} | c{at:03}", heading(at))).collect();
        corpus(&[("a.txt", &chunks.iter().map(String::as_str).collect::<Vec<_>>())])
    }

    #[test]
    fn a_run_of_chunks_below_a_heading_ends_where_another_begins() {
        let store = long_corpus();
        let text = text_of(&store);
        let own = text.chunk_at(400).unwrap().unwrap();
        let run = |reach: usize| heading_run(&text, &(400..404), &own, reach).unwrap();
        assert_eq!((run(1_000), run(320), run(319)), (25..774, 25..774, 80..724));
        let own = text.chunk_at(500).unwrap().unwrap();
        assert_eq!(heading_run(&text, &(498..504), &own, 1_000).unwrap(), 450..774);
        let own = text.chunk_at(777).unwrap().unwrap();
        assert_eq!(heading_run(&text, &(776..777), &own, 1_000).unwrap(), 775..799);
    }

    #[test]
    fn a_run_is_found_by_a_heading_of_its_path() {
        let store = long_corpus();
        let text = text_of(&store);
        let run = |name: &str| run_named(&text, |heading| heading == name).unwrap();
        assert_eq!(
            ["Z", "A", "x", "y", "B"].map(run),
            [0..24, 25..774, 25..774, 450..774, 775..799].map(Some)
        );
        assert_eq!(run("A > x"), None);
        let named = |title: &str| section_named(&text, title).unwrap();
        assert_eq!((named(" X "), named("z"), named("q")), (Some(25..774), Some(0..24), None));
    }

    #[test]
    fn a_title_that_is_the_same_comes_before_one_that_contains_the_words() {
        let store = corpus(&[("a.txt", &["The rain | aaaa", "rain > Wind | bbbb", "Snow | cccc"])]);
        let text = text_of(&store);
        let named = |title: &str| section_named(&text, title).unwrap();
        assert_eq!((named("Rain"), named("the"), named("no")), (Some(5..9), Some(0..4), Some(10..14)));
        add_sections(&store, &[("Old Snow", 2, 9), ("snow", 3, 8)]);
        assert_eq!((named("SNOW"), named("old")), (Some(3..8), Some(2..9)));
    }

    #[test]
    fn a_heading_of_a_path_ends_at_its_separator() {
        let check = |path: &str, name: &str, expected: Option<&str>| {
            assert_eq!(heading_named(path, &|heading: &str| heading == name), expected, "{path} {name}");
        };
        check("A > B > C", "A", Some("A"));
        check("A > B > C", "B", Some("A > B"));
        check("A > B > C", "C", Some("A > B > C"));
        check("A > B > C", "D", None);
        check("A > ", "", None);
        check("", "", None);
    }

    #[test]
    fn a_chunk_is_below_the_headings_that_its_path_begins_with() {
        let check = |path: Option<&str>, heading: Option<&str>, expected: bool| {
            let chunk = ChunkSpan {
                place: PlaceColumns {
                    start: 0,
                    end: 1,
                    source: None,
                    locator: None,
                    heading_path: path.map(str::to_owned),
                    context: None,
                },
                strategy: String::new(),
            };
            assert_eq!(is_below(&chunk, heading), expected, "{path:?} {heading:?}");
        };
        check(None, None, true);
        check(Some("A"), None, false);
        check(None, Some("A"), false);
        check(Some("A"), Some("A"), true);
        check(Some("A > B"), Some("A"), true);
        check(Some("AB"), Some("A"), false);
        check(Some("A"), Some("A > B"), false);
    }

    #[test]
    fn the_innermost_sections_of_the_contents_are_around_a_span() {
        let store = text_in_segments(&[&"x".repeat(120)]);
        add_sections(&store, &[("A", 0, 100), ("B", 10, 50), ("C", 20, 30), ("D", 50, 90)]);
        let text = text_of(&store);
        let check = |span: Range<usize>, expected: Option<Range<usize>>| {
            assert_eq!(contents_section(&text, &span).unwrap(), expected, "{span:?}");
        };
        check(20..25, Some(20..30));
        check(29..30, Some(20..30));
        check(30..31, Some(10..50));
        check(19..20, Some(10..50));
        check(25..50, Some(20..50));
        check(25..51, Some(20..90));
        check(25..60, Some(20..90));
        check(60..70, Some(50..90));
        check(95..105, Some(0..105));
        check(100..101, None);
    }

    #[test]
    fn contents_count_if_they_say_more_than_headings() {
        let check = |chunks: &[&str], section: Option<(usize, usize)>, expected: Range<usize>| {
            let store = corpus(&[("a.txt", chunks)]);
            add_sections(
                &store,
                &section.map(|(start, end)| ("S", start, end)).into_iter().collect::<Vec<_>>(),
            );
            assert_eq!(
                section_around(&text_of(&store), &(5..9), 99).unwrap(),
                expected,
                "{chunks:?} {section:?}"
            );
        };
        let headed = ["A | aaaa", "A | bbbb", "B | cccc"];
        check(&headed, None, 0..9);
        check(&headed, Some((2, 11)), 2..11);
        check(&headed, Some((2, 12)), 0..9);
        check(&["aaaa", "bbbb", "cccc"], None, 0..14);
        check(&["aaaa", "bbbb", "cccc"], Some((0, 15)), 0..15);
        let store = text_in_segments(&["aaaa\nbbbb\n"]);
        assert_eq!(section_around(&text_of(&store), &(5..9), 99).unwrap(), 5..9);
        add_sections(&store, &[("S", 1, 10)]);
        assert_eq!(section_around(&text_of(&store), &(5..9), 99).unwrap(), 1..10);
    }

    #[test]
    fn a_section_below_a_heading_goes_on_after_what_was_looked_at() {
        let store = text_in_segments(&["# A\n\nsome words here\n\nmore\n\n# B\n"]);
        let text = text_of(&store);
        let check = |span: Range<usize>, reach: usize, expected: Option<Range<usize>>| {
            assert_eq!(heading_section(&text, &span, reach).unwrap(), expected, "{span:?} {reach}");
        };
        check(5..9, 99, Some(0..28));
        check(5..9, 10, Some(0..20));
        check(10..15, 5, None);
        check(28..31, 1, Some(28..32));
    }

    #[test]
    fn text_cut_as_markdown_has_the_sections_of_its_headings() {
        let store = corpus(&[("a.txt", &["# A", "bbbb", "# C", "dddd"])]);
        execute(&store, "UPDATE chunk_sources SET chunking_strategy = 'Markdown_9_0'");
        assert_eq!(section_around(&text_of(&store), &(4..8), 99).unwrap(), 0..9);
    }
}
