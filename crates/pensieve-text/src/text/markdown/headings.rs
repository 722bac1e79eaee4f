//! Headings of Markdown that are written with `#`.

/// The level and the markup of an ATX heading (CommonMark 4.2): of a line without its indentation. `None` for any other
/// line.
pub fn atx_heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']);
    if !(1..=6).contains(&level) || !ends {
        return None;
    }
    let body = rest.trim();
    let open = body.trim_end_matches('#');
    Some((level, if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { body }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_a_level_and_a_title() {
        assert_eq!(atx_heading("## The *lamp* ##\n"), Some((2, "The *lamp*")));
        assert_eq!(atx_heading("#\tC#\r\n"), Some((1, "C#")));
        assert_eq!(atx_heading("### \n"), Some((3, "")));
        assert_eq!(atx_heading("#"), Some((1, "")));
        for none in ["#hashtag", "####### seven", "text # not", ""] {
            assert_eq!(atx_heading(none), None, "{none}");
        }
    }
}
