//! The title in the front matter of Markdown: lines of YAML or TOML before the text.

use crate::text::markdown::FenceTracker;

/// The title that lines of front matter give, if it is on one line.
pub(super) fn title_of<'t>(lines: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let mut values =
        // YAML has a colon, TOML an equals sign.
        lines.filter_map(|line| line.strip_prefix("title")?.trim_start().strip_prefix([':', '=']));
    let value = values.next()?.trim();
    let inside = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    // `|` and `>` begin a text of several lines.
    Some(inside.unwrap_or(value)).filter(|title| !title.is_empty() && !title.starts_with(['|', '>']))
}

/// The level of the first heading of lines, given by their numbers, outside of fences.
pub(super) fn first_level<'t>(
    mut lines: impl Iterator<Item = (usize, &'t str)>,
    level_at: impl Fn(usize) -> Option<usize>,
) -> Option<usize> {
    let mut fences = FenceTracker::default();
    lines.find_map(|(at, line)| {
        let was_open = fences.is_open();
        fences.read(line);
        level_at(at).filter(|_| !was_open && !fences.is_open())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_values_of_one_line() {
        for (lines, expected) in [
            ("tags: x\ntitle: \"Tide: notes\"", Some("Tide: notes")),
            ("title = 'Tide'", Some("Tide")),
            ("title: |\n  Tide", None),
            ("title:", None),
            ("titles: Tide", None),
        ] {
            assert_eq!(title_of(lines.lines()), expected, "of {lines}");
        }
    }

    #[test]
    fn headings_in_fences_are_none() {
        let level = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            let level_at = |at: usize| {
                Some(lines[at].bytes().take_while(|byte| *byte == b'#').count()).filter(|level| *level > 0)
            };
            first_level(lines.iter().copied().enumerate(), level_at)
        };
        assert_eq!(level("a\n## b\n# c"), Some(2));
        assert_eq!(level("```\n# a\n```\n### b"), Some(3));
        assert_eq!(level("a"), None);
    }
}
