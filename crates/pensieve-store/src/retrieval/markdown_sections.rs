//! [`markdown_section`]: the section of a Markdown text around a span, by its own headings.
//!
//! Small chunks join what follows, even below the next heading, so that the headings of chunks say only roughly where a
//! section ends.

use pensieve_text::text::markdown::{FencePosition, FenceTracker, atx_heading};
use std::ops::Range;

/// One heading written with `#`, as readers of documents write all of them.
struct Heading {
    start: usize,
    end: usize,
    level: usize,
}

/// The smallest section around a span, from its heading to the next one of the same or a higher level after the span.
/// `None` if the text does not have the heading; before the first heading of a whole text, a section without one.
///
/// Cost: one pass over the lines.
pub fn markdown_section(text: &str, span: &Range<usize>, is_start: bool) -> Option<Range<usize>> {
    let headings = headings(text);
    let body = body_start(text, span, &headings);
    let own = headings.iter().rev().find(|heading| heading.start < body || heading.start == span.start);
    let (start, level) = match own {
        Some(own) => (own.start.min(span.start), own.level),
        None if is_start => (0, usize::MAX),
        None => return None,
    };
    let next = headings.iter().find(|heading| heading.start >= span.end && heading.level <= level);
    Some(start..next.map_or(text.len(), |next| next.start))
}

/// The first byte of a span after the headings that it begins with.
fn body_start(text: &str, span: &Range<usize>, headings: &[Heading]) -> usize {
    let mut at = span.start;
    loop {
        let rest = text.get(at..span.end).unwrap_or_default();
        let next = at + rest.len() - rest.trim_start().len();
        match headings.iter().find(|heading| heading.start == next && heading.end < span.end) {
            Some(heading) => at = heading.end,
            None => return at,
        }
    }
}

fn headings(text: &str) -> Vec<Heading> {
    let (mut headings, mut fence, mut start) = (Vec::new(), FenceTracker::default(), 0);
    for line in text.split_inclusive('\n') {
        let is_outside = fence.read(line) == FencePosition::Outside;
        if let Some((level, _)) = atx_heading(line).filter(|_| is_outside) {
            headings.push(Heading { start, end: start + line.len(), level });
        }
        start += line.len();
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "Before.\n\n# A\n\n## B\n\nIn b.\n\n```\n## no\n```\n\n### C\n\nIn c.\n\n## D\n\nIn d.\n\n# E\n";

    fn section(of: &str) -> Option<&'static str> {
        let start = TEXT.find(of).unwrap();
        markdown_section(TEXT, &(start..start + of.len()), true).map(|range| &TEXT[range])
    }

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level() {
        assert_eq!(section("In b."), TEXT.get(TEXT.find("## B").unwrap()..TEXT.find("## D").unwrap()));
        assert_eq!(section("In c."), Some("### C\n\nIn c.\n\n"));
        assert_eq!(section("In d."), Some("## D\n\nIn d.\n\n"));
        assert_eq!(section("Before."), Some("Before.\n\n"));
        // A span that begins with headings is below the last of them.
        assert_eq!(
            section("# A\n\n## B\n\nIn b."),
            TEXT.get(TEXT.find("# A").unwrap()..TEXT.find("## D").unwrap())
        );
        // One that goes on below another heading is whole.
        assert_eq!(section("In c.\n\n## D\n\nIn"), Some("### C\n\nIn c.\n\n## D\n\nIn d.\n\n"));
        assert_eq!(section("# E"), Some("# E\n"));
        assert_eq!(markdown_section("Text.\n\n# A\n", &(0..5), false), None);
    }
}
