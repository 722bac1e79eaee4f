//! [`titled_section`]: the part of a text below the Markdown heading with some title.

use crate::store::{DocumentText, StoreError};
use pensieve_text::format;
use pensieve_text::model::TextKind;
use pensieve_text::text::markdown::{FencePosition, FenceTracker, atx_heading, heading_words};
use std::ops::Range;

/// From the first heading that `is_named` to the next heading of the same level or a higher one; `None` if there is no
/// such heading, and in code and data, where such lines are something else.
///
/// Cost: a pass over the text, one segment (at most 1 MiB) at a time.
pub fn titled_section(
    text: &DocumentText<'_>,
    is_named: impl Fn(&str) -> bool,
) -> Result<Option<Range<usize>>, StoreError> {
    let row = text.document.format.as_deref().and_then(format::by_name);
    if row.is_some_and(|row| matches!(row.kind, TextKind::Code | TextKind::Data)) {
        return Ok(None);
    }
    let mut search = SectionSearch { is_named, fences: FenceTracker::default(), found: None, end: None };
    // A line may begin in one segment and end in the next.
    let (mut line, mut line_start) = (String::new(), 0);
    text.each_text(0, &mut |start, segment| {
        let mut at = start;
        for part in segment.split_inclusive('\n') {
            line.push_str(part);
            at += part.len();
            if part.ends_with('\n') {
                search.read(&line, line_start);
                line.clear();
                line_start = at;
            }
        }
        search.end.is_none()
    })?;
    search.read(&line, line_start);
    Ok(search.found.map(|(_, start)| start..search.end.unwrap_or(text.bytes)))
}

/// A section while the lines of its document are read.
struct SectionSearch<N> {
    is_named: N,
    fences: FenceTracker,
    /// The level of its heading, and its first byte.
    found: Option<(usize, usize)>,
    /// The byte after its last one.
    end: Option<usize>,
}

impl<N: Fn(&str) -> bool> SectionSearch<N> {
    fn read(&mut self, line: &str, start: usize) {
        if self.end.is_some() || self.fences.read(line) != FencePosition::Outside {
            return;
        }
        let Some((level, title)) = atx_heading(line) else { return };
        match self.found {
            Some((own, _)) if level <= own => self.end = Some(start),
            Some(_) => {}
            None if (self.is_named)(&heading_words(title)) => self.found = Some((level, start)),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{execute, only_uid, text_in_segments};

    #[test]
    fn a_section_ends_before_a_heading_of_its_level_or_a_higher_one() {
        let store = text_in_segments(&["# A\n\n## B\nx\n### ", "C\n```\n## D\n```\n## E\n# F", "\n## B\ny"]);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        let check = |name: &str, expected: Option<std::ops::Range<usize>>| {
            assert_eq!(titled_section(&text, |title| title == name).unwrap(), expected, "{name}");
        };
        check("A", Some(0..36));
        check("B", Some(5..31));
        check("C", Some(12..31));
        check("D", None);
        check("E", Some(31..36));
        check("F", Some(36..46));
        check("b", None);
        for (format, has_section) in [("markdown", true), ("python", false), ("json", false)] {
            execute(&store, &format!("UPDATE files SET format = '{format}'"));
            let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
            let section = titled_section(&text, |title| title == "A").unwrap();
            assert_eq!(section.is_some(), has_section, "{format}");
        }
    }
}
