//! Colour for people at a terminal. Pipes, files and programs get none, nor does who sets `NO_COLOR`.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, IsTerminal};

/// Codes of the terminal for what is wrong, doubtful, and fine.
const RED: &str = "31";
const YELLOW: &str = "33";
const GREEN: &str = "32";
const CYAN: &str = "36";

/// The words that begin a line on stderr, or name a severity, each with its colour.
const COLOURS: [(&str, &str); 6] = [
    ("error:", RED),
    ("warning:", YELLOW),
    ("hint:", CYAN),
    ("lost:", RED),
    ("partly:", YELLOW),
    ("repaired:", GREEN),
];

/// True for a stream that shows colour: a terminal that is not dumb, and nobody asked for none.
pub fn is_shown(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && is_wanted(|name| std::env::var_os(name))
}

fn is_wanted(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    // no-color.org: set and not empty, whatever the value.
    variable("NO_COLOR").is_none_or(|value| value.is_empty())
        && variable("TERM").is_none_or(|term| term != "dumb")
}

/// Lines for stderr, with the words that begin them in colour.
pub fn on_stderr(lines: &str) -> Cow<'_, str> {
    if is_shown(&io::stderr()) { Cow::Owned(painted(lines)) } else { Cow::Borrowed(lines) }
}

/// The same for stdout.
pub fn on_stdout(lines: &str) -> Cow<'_, str> {
    if is_shown(&io::stdout()) { Cow::Owned(painted(lines)) } else { Cow::Borrowed(lines) }
}

fn painted(lines: &str) -> String {
    let paint = |line: &str| match COLOURS.iter().find(|(word, _)| line.starts_with(word)) {
        Some((word, colour)) => format!("\u{1b}[1;{colour}m{word}\u{1b}[0m{}", &line[word.len()..]),
        None => line.to_owned(),
    };
    lines.split_inclusive('\n').map(paint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_begins_a_line_is_coloured() {
        let painted = painted("error: no `error:` here\nhint: x\n  lost: y\nplain");
        let expected =
            "\u{1b}[1;31merror:\u{1b}[0m no `error:` here\n\u{1b}[1;36mhint:\u{1b}[0m x\n  lost: y\nplain";
        assert_eq!(painted, expected);
    }

    #[test]
    fn colour_can_be_switched_off_as_everywhere() {
        let check = |set: &[(&str, &str)], expected: bool| {
            let variable = |name: &str| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            };
            assert_eq!(is_wanted(variable), expected, "{set:?}");
        };
        check(&[], true);
        check(&[("TERM", "xterm")], true);
        check(&[("NO_COLOR", "")], true);
        check(&[("NO_COLOR", "0")], false);
        check(&[("NO_COLOR", "1"), ("TERM", "xterm")], false);
        check(&[("TERM", "dumb")], false);
    }
}
