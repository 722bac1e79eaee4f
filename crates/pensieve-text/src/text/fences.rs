//! Lines of Markdown: which of them open or close a fenced block of code, and which are indented.
//!
//! The one notion of a fence for all who read Markdown by lines (cleaning, chunks, rules, headings of books). As CommonMark
//! 0.31, section 4.5, has it, a fence may open behind the marks of the quotes and list items that it stands in:
//! `1. ```sh`. What closes it never stands behind the marker of an item. Nothing is known of which containers are open, so
//! that a block in a list that somebody did not indent is still one.

/// A fence that is open, or a line that could be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeFence {
    /// Backtick or tilde.
    mark: u8,
    /// How many of them.
    len: usize,
    /// The column at which they begin.
    indent: usize,
}

/// What the beginning of a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStart {
    /// Text like any other.
    Text,
    /// The line opens a fence, or closes one where `is_bare` (nothing stands before or behind the marks).
    Fence {
        /// The marks.
        fence: CodeFence,
        /// True when no list marker stands before the marks and nothing behind.
        is_bare: bool,
    },
    /// More text is needed to tell.
    Open,
}

/// A line that is longer is no fence, so that no more than this has to be held back to tell.
const LONGEST: usize = 4096;

/// Reads the beginning of the line that starts `bytes`. `is_last`: the text ends where `bytes` ends.
pub fn line_start(bytes: &[u8], is_last: bool) -> LineStart {
    let near = &bytes[..bytes.len().min(LONGEST)];
    // Nearly every line is told from text by its first byte.
    let first = near.get(containers(near).0);
    if first.is_some_and(|byte| !matches!(byte, b'`' | b'~' | b'-' | b'*' | b'+' | b'0'..=b'9')) {
        return LineStart::Text;
    }
    let end = (0..near.len()).find(|&at| is_line_end(&near[at..])).unwrap_or(near.len());
    if end < near.len() || is_last && near.len() == bytes.len() {
        return fence_of(&near[..end]);
    }
    let is_open = match near.len() {
        LONGEST => bytes.iter().all(|&byte| is_blank(byte)),
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

/// True when more bytes could make a fence of the line.
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
    let Some(&mark) = line.get(at).filter(|byte| matches!(byte, b'`' | b'~')) else { return LineStart::Text };
    let len = line[at..].iter().take_while(|&&byte| byte == mark).count();
    let info = &line[at + len..];
    if len < 3 || mark == b'`' && info.contains(&b'`') {
        return LineStart::Text;
    }
    let is_bare = !is_listed && info.iter().all(|&byte| is_blank(byte));
    LineStart::Fence { fence: CodeFence { mark, len, indent }, is_bare }
}

/// Passes over indentation, quote marks and list markers: the byte and column behind them, and whether there was a
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

/// The length of a list marker with the blank behind it, 0 if there is none.
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

/// What a line is to the fences of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FencePosition {
    /// It stands outside of all of them.
    Outside,
    /// It opens one.
    Opens,
    /// It is code.
    Inside,
    /// It closes one.
    Closes,
}

/// Follows the fences of a text, line by line.
#[derive(Debug, Clone, Copy, Default)]
pub struct FenceTracker {
    open: Option<CodeFence>,
    /// The length of the line above, as [`after`] wants it.
    above: usize,
}

impl FenceTracker {
    /// Takes the next line, with or without its end, and says what it is.
    pub fn read(&mut self, line: &str) -> FencePosition {
        let was_open = self.open.is_some();
        self.open = after(self.open, line_start(line.as_bytes(), true), self.above);
        self.above = if was_open { 0 } else { line.trim().len() };
        match (was_open, self.open.is_some()) {
            (false, false) => FencePosition::Outside,
            (false, true) => FencePosition::Opens,
            (true, true) => FencePosition::Inside,
            (true, false) => FencePosition::Closes,
        }
    }

    /// True behind a line that opened a fence which no line closed yet.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

/// The fence that is open behind a line, from the one before it. `above` is the length of the line above, 0 where
/// that is blank or inside a fence.
pub fn after(open: Option<CodeFence>, head: LineStart, above: usize) -> Option<CodeFence> {
    match (open, head) {
        (Some(fence), LineStart::Fence { fence: line, is_bare }) => {
            let closes = is_bare && line.mark == fence.mark && line.len >= fence.len;
            (!closes || line.indent > fence.indent + 3).then_some(fence)
        }
        // In reStructuredText tildes under a line of text make it a title.
        (None, LineStart::Fence { fence: line, is_bare })
            if line.mark == b'~' && is_bare && line.len > 3 && (1..=line.len).contains(&above) =>
        {
            None
        }
        (None, LineStart::Fence { fence: line, .. }) => Some(line),
        (open, _) => open,
    }
}

/// True when the blanks before a line make it indented code or the inside of a block.
pub fn is_indented(blanks: &[u8]) -> bool {
    blanks.len() >= 4 || blanks.contains(&b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the lines stand inside a fence or open one.
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
}
