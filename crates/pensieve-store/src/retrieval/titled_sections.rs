//! [`titled_section`]: the part of a text below the Markdown heading with some title.

use crate::store::{DocumentText, StoreError};
use pensieve_text::format;
use pensieve_text::model::TextKind;
use pensieve_text::text::markdown::{FencePosition, FenceTracker, atx_heading, heading_words};
use std::ops::Range;

/// From the first heading that `is_named` to the next heading of the same level or a higher one; `None` if there is no
/// such heading.
///
/// Cost: a pass over the text, one segment (at most 1 MiB) at a time.
pub fn titled_section(
    text: &DocumentText<'_>,
    is_named: impl Fn(&str) -> bool,
) -> Result<Option<Range<usize>>, StoreError> {
    let (mut found, mut end) = (None, None);
    each_heading(text, &mut |level, title, start| {
        match found {
            Some((own, _)) if level <= own => end = Some(start),
            None if is_named(title) => found = Some((level, start)),
            _ => {}
        }
        end.is_none()
    })?;
    Ok(found.map(|(_, start)| start..end.unwrap_or(text.bytes)))
}

/// Passes on level, words and first byte of each Markdown heading until the function returns false; nothing in code and
/// data, where such lines are something else.
pub fn each_heading(
    text: &DocumentText<'_>,
    each: &mut dyn FnMut(usize, &str, usize) -> bool,
) -> Result<(), StoreError> {
    let row = text.document.format.as_deref().and_then(format::by_name);
    if row.is_some_and(|row| matches!(row.kind, TextKind::Code | TextKind::Data)) {
        return Ok(());
    }
    let (mut fences, mut goes_on) = (FenceTracker::default(), true);
    let mut read = |line: &str, start: usize| {
        let is_outside = fences.read(line) == FencePosition::Outside;
        let heading = atx_heading(line).filter(|_| is_outside);
        heading.is_none_or(|(level, title)| each(level, &heading_words(title), start))
    };
    // A line may begin in one segment and end in the next.
    let (mut line, mut line_start) = (String::new(), 0);
    text.each_text(0, &mut |start, segment| {
        let mut at = start;
        for part in segment.split_inclusive('\n') {
            line.push_str(part);
            at += part.len();
            if goes_on && part.ends_with('\n') {
                goes_on = read(&line, line_start);
                line.clear();
                line_start = at;
            }
        }
        goes_on
    })?;
    if goes_on {
        read(&line, line_start);
    }
    Ok(())
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
