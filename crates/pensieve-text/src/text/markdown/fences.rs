//! Which lines of Markdown open or close a fenced block of code, and which are indented.
//!
//! Follows CommonMark 0.31, section 4.5: a fence may open after the marks of the quotes and list items that contain
//! it, as in `1. ```sh`; a closing fence never follows the marker of an item. Open containers are not tracked, so
//! that a block in a list is recognised even if it is not indented.

/// The line that opens a fenced block, or a line that could close one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeFence {
    /// Backtick or tilde.
    sign: u8,
    /// How many of them.
    len: usize,
    /// The column of the first one.
    indent: usize,
}

/// The kind of a line, by its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineStart {
    /// Text.
    Text,
    /// A line that opens a fence, or closes one if it `is_bare`.
    Fence {
        /// The fence.
        fence: CodeFence,
        /// True if no list marker precedes the signs and nothing follows them.
        is_bare: bool,
    },
    /// Undecided until more text is known.
    Open,
}

/// A longer line is not a fence, which bounds the text that a stream must hold back.
const MAX_LINE_BYTES: usize = 4096;

/// Classifies the line at the start of `bytes`. `is_last` means that the text ends with `bytes`.
pub(crate) fn line_start(bytes: &[u8], is_last: bool) -> LineStart {
    let near = &bytes[..bytes.len().min(MAX_LINE_BYTES)];
    // The first byte decides for nearly every line.
    let first = near.get(containers(near).0);
    if first.is_some_and(|byte| !matches!(byte, b'`' | b'~' | b'-' | b'*' | b'+' | b'0'..=b'9')) {
        return LineStart::Text;
    }
    let end = (0..near.len()).find(|&at| is_line_end(&near[at..])).unwrap_or(near.len());
    if end < near.len() || is_last && near.len() == bytes.len() {
        return fence_of(&near[..end]);
    }
    let is_open = match near.len() {
        MAX_LINE_BYTES => bytes.iter().all(|&byte| is_blank(byte)),
        _ => may_become_fence(near),
    };
    if is_open && !is_last { LineStart::Open } else { LineStart::Text }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_line_end(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\n'..=b'\r', ..] | [0xC2, 0x85, ..] | [0xE2, 0x80, 0xA8 | 0xA9, ..])
}

/// True if the line could become a fence with more bytes.
fn may_become_fence(line: &[u8]) -> bool {
    let (at, _, _) = containers(line);
    match line.get(at) {
        Some(b'`' | b'~') => true,
        // The first bytes of a list marker: `-`, `12`, `12.`
        Some(_) => line.len() - at < 12,
        None => true,
    }
}

fn fence_of(line: &[u8]) -> LineStart {
    let (at, indent, is_listed) = containers(line);
    let Some(&sign) = line.get(at).filter(|byte| matches!(byte, b'`' | b'~')) else { return LineStart::Text };
    let len = line[at..].iter().take_while(|&&byte| byte == sign).count();
    let info = &line[at + len..];
    if len < 3 || sign == b'`' && info.contains(&b'`') {
        return LineStart::Text;
    }
    let is_bare = !is_listed && info.iter().all(|&byte| is_blank(byte));
    LineStart::Fence { fence: CodeFence { sign, len, indent }, is_bare }
}

/// Skips indentation, quote marks and list markers: returns the byte and column after them, and whether there was a
/// list marker.
fn containers(line: &[u8]) -> (usize, usize, bool) {
    let (mut at, mut column, mut is_listed) = (0, 0, false);
    loop {
        match line.get(at) {
            Some(b' ' | b'>') => column += 1,
            Some(b'\t') => column = (column + 4) / 4 * 4,
            Some(_) => {
                let len = list_marker(&line[at..]);
                if len == 0 {
                    return (at, column, is_listed);
                }
                (at, column, is_listed) = (at + len - 1, column + len, true);
            }
            None => return (at, column, is_listed),
        }
        at += 1;
    }
}

/// The length of a list marker with the blank after it; 0 if there is none.
fn list_marker(line: &[u8]) -> usize {
    let digits = line.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let is_marker = match line.get(digits) {
        Some(b'-' | b'*' | b'+') => digits == 0,
        Some(b'.' | b')') => digits > 0,
        _ => false,
    };
    let is_spaced = matches!(line.get(digits + 1), Some(b' ' | b'\t'));
    if is_marker && is_spaced { digits + 2 } else { 0 }
}

/// Where a line is in relation to the fences of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FencePosition {
    /// Outside of every fenced block.
    Outside,
    /// The opening fence.
    Opens,
    /// Code in a fenced block.
    Inside,
    /// The closing fence.
    Closes,
}

/// Follows the fences of a text, line by line.
#[derive(Debug, Clone, Copy, Default)]
pub struct FenceTracker {
    open: Option<CodeFence>,
    /// The length of the line above, for [`state_after`].
    above: usize,
}

impl FenceTracker {
    /// Takes the next line, with or without its line end.
    pub fn read(&mut self, line: &str) -> FencePosition {
        let was_open = self.open.is_some();
        self.open = state_after(self.open, line_start(line.as_bytes(), true), self.above);
        self.above = if was_open { 0 } else { line.trim().len() };
        match (was_open, self.open.is_some()) {
            (false, false) => FencePosition::Outside,
            (false, true) => FencePosition::Opens,
            (true, true) => FencePosition::Inside,
            (true, false) => FencePosition::Closes,
        }
    }

    /// True while a fence is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

/// The fence that is open after a line, given the one before it. `above` is the length of the line above, or 0 if
/// that is blank or inside a fence.
pub(crate) fn state_after(open: Option<CodeFence>, head: LineStart, above: usize) -> Option<CodeFence> {
    match (open, head) {
        (Some(fence), LineStart::Fence { fence: line, is_bare }) => {
            let closes = is_bare && line.sign == fence.sign && line.len >= fence.len;
            (!closes || line.indent > fence.indent + 3).then_some(fence)
        }
        // In reStructuredText tildes under a line of text make it a title.
        (None, LineStart::Fence { fence: line, is_bare })
            if line.sign == b'~' && is_bare && line.len > 3 && (1..=line.len).contains(&above) =>
        {
            None
        }
        (None, LineStart::Fence { fence: line, .. }) => Some(line),
        (open, _) => open,
    }
}

/// True if the blanks before a line make it indented code or part of a block.
pub(crate) fn is_indented(blanks: &[u8]) -> bool {
    blanks.len() >= 4 || blanks.contains(&b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are inside a fence or open one.
    fn check(text: &str, expected: &str) {
        let mut fences = FenceTracker::default();
        let inside: String = text
            .lines()
            .map(|line| match fences.read(line) {
                FencePosition::Opens | FencePosition::Inside => '#',
                FencePosition::Outside | FencePosition::Closes => '.',
            })
            .collect();
        assert_eq!(inside, expected, "{text}");
    }

    #[test]
    fn fences_open_and_close() {
        check("a\n```rust\nx\n```\nb", ".##..");
        check("~~~\n```\n~~~~\nb", "##..");
        check("````\n```\n````", "##.");
        check("- ```\n  x\n  ```\nb", "##..");
        check("> ```\n> x\n> ```", "##.");
        check("1. ```sh\n   x\n   ```", "##.");
        check("```\n      ```\n```", "##.");
        check("``` a`b\nx", "..");
        check("``\nx", "..");
    }

    #[test]
    fn an_underline_is_no_fence() {
        check("Title\n~~~~~\ntext", "...");
        check("text\n~~~\nx\n~~~", ".##.");
        check("Code:\n```\nx\n```", ".##.");
    }

    #[test]
    fn an_unfinished_line_is_open_only_while_it_may_be_a_fence() {
        for line in ["", "  ", "``", "```ru", "- ", "1", "12.", "> ~"] {
            assert_eq!(line_start(line.as_bytes(), false), LineStart::Open, "{line:?}");
        }
        for line in ["a", "  text", "# title", "- [ ] task", "- word", "123456789012"] {
            assert_eq!(line_start(line.as_bytes(), false), LineStart::Text, "{line:?}");
        }
        assert_eq!(line_start(&[b'`'; 5000], false), LineStart::Text);
        assert_eq!(line_start(b"", true), LineStart::Text);
    }

    #[test]
    fn markers_of_items_have_a_length() {
        for (line, length) in [
            ("- a", 2),
            ("* a", 2),
            ("+\ta", 2),
            ("1. a", 3),
            ("12) a", 4),
            ("-a", 0),
            ("-", 0),
            (". a", 0),
            (") a", 0),
            ("1- a", 0),
            ("1 a", 0),
            ("1234567890. a", 0),
            ("123456789. a", 11),
            ("12345678. a", 10),
            ("", 0),
        ] {
            assert_eq!(list_marker(line.as_bytes()), length, "{line}");
        }
    }
}
