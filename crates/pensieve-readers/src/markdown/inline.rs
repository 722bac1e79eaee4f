//! Words of a line: white space collapses, emphasis hugs its words, what would be markup is escaped.

use super::MarkdownDraft;
use super::block::{TextRun, TextStyle, Words};
use super::escape::{Around, is_markup, is_special, line_start, reference_for};

/// What kind of line words stand on.
#[derive(Debug, Clone, Copy)]
pub(super) enum Line<'p> {
    /// A heading: one line.
    Heading,
    /// A paragraph whose later lines begin with a prefix.
    Paragraph { prefix: &'p str },
    /// A cell: one line, in which pipes divide.
    Cell,
}

/// What is open around the words that come.
#[derive(Default)]
struct Open<'r> {
    style: TextStyle,
    link: Option<&'r str>,
}

impl MarkdownDraft {
    /// Writes words.
    pub(super) fn words(&mut self, words: &Words, line: Line<'_>) {
        let mut open = Open::default();
        let mut has_space = false;
        // Where the space that waits stands in the source, if it is one literal space: copied, it keeps a line of
        // words one run of the map.
        let mut space_at = None;
        let mut is_fresh = true;
        for run in &words.0 {
            if let Some(label) = &run.note {
                self.close(&mut open, &TextRun::default());
                self.put(&format!("[^{label}]"));
                (is_fresh, has_space, space_at) = (false, false, None);
                continue;
            }
            let source = run.source.filter(|span| span.len() == run.text.len()).map(|span| span.start);
            let mut at = 0;
            for piece in run.text.split_inclusive([' ', '\n', '\t', '\r', '\u{b}']) {
                let word = piece.trim_end_matches([' ', '\n', '\t', '\r', '\u{b}']);
                if !word.is_empty() {
                    if has_space || style_ends(&open, run) {
                        self.close(&mut open, run);
                    }
                    match space_at.take() {
                        _ if !has_space || is_fresh => {}
                        Some(place) => {
                            self.map.seek(place);
                            self.copy(" ", true);
                        }
                        None => self.put(" "),
                    }
                    self.open(&mut open, run, line);
                    self.word(word, run, at, is_fresh, line);
                    (is_fresh, has_space) = (false, false);
                }
                at += word.len();
                let ends_line = piece[word.len()..].contains(['\n', '\u{b}']);
                if ends_line && let (Line::Paragraph { prefix }, false) = (line, is_fresh) {
                    self.close(&mut open, &TextRun::default());
                    self.put("\\\n");
                    self.put(prefix);
                    (is_fresh, has_space, space_at) = (true, false, None);
                } else if piece.len() > word.len() {
                    let is_literal = !has_space && &piece[word.len()..] == " ";
                    space_at = source.filter(|_| is_literal).map(|source| source + at);
                    has_space = true;
                }
                at += piece.len() - word.len();
            }
        }
        self.close(&mut open, &TextRun::default());
        self.drop_last_break(line);
    }

    /// A break at the end of a paragraph breaks nothing.
    fn drop_last_break(&mut self, line: Line<'_>) {
        let Line::Paragraph { prefix } = line else { return };
        let ending = format!("\\\n{prefix}");
        if self.text.ends_with(&ending) && !self.is_mapped {
            self.text.truncate(self.text.len() - ending.len());
        }
    }

    /// Closes what the next words do not share.
    fn close(&mut self, open: &mut Open<'_>, next: &TextRun) {
        let keeps_link = open.link == next.link.as_deref();
        if keeps_link && open.style == next.style {
            return;
        }
        for (is_open, mark) in marks(open.style).into_iter().rev() {
            if is_open {
                self.put(mark);
            }
        }
        open.style = TextStyle::default();
        if !keeps_link && let Some(link) = open.link.take() {
            self.put("](");
            self.put(&address(link));
            self.put(")");
        }
    }

    fn open<'r>(&mut self, open: &mut Open<'r>, run: &'r TextRun, line: Line<'_>) {
        if open.link.is_none()
            && let Some(link) = run.link.as_deref()
        {
            self.put("[");
            open.link = Some(link);
        }
        // A heading is strong by itself.
        let wanted = match line {
            Line::Heading => TextStyle { code: run.style.code, ..TextStyle::default() },
            _ => run.style,
        };
        if open.style != wanted {
            for (is_open, mark) in marks(wanted) {
                if is_open {
                    self.put(mark);
                }
            }
            open.style = wanted;
        }
    }

    fn word(&mut self, word: &str, run: &TextRun, at: usize, is_fresh: bool, line: Line<'_>) {
        let source = run.source.filter(|span| span.len() == run.text.len()).map(|span| span.start + at);
        if let Some(place) = source {
            self.map.seek(place);
        }
        let around = Around {
            in_cell: matches!(line, Line::Cell),
            in_link: run.link.is_some(),
            begins_bracket: is_fresh && word.starts_with('['),
            ..Around::default()
        };
        let starts =
            if is_fresh && matches!(line, Line::Paragraph { .. }) { line_start(word, false) } else { None };
        let mut done = 0;
        for (at, byte) in word.bytes().enumerate() {
            let is_pipe = byte == b'|' && around.in_cell;
            let is_code = (run.style.code || run.is_markup) && !is_pipe;
            if !is_code && (starts == Some(at) || is_special(byte) && is_markup(word, at, around)) {
                self.copy(&word[done..at], source.is_some());
                done = at;
                match reference_for(byte) {
                    Some(reference) => {
                        self.map.replace(reference.len(), usize::from(source.is_some()));
                        self.text.push_str(reference);
                        done += 1;
                    }
                    None => self.put("\\"),
                }
            }
        }
        self.copy(&word[done..], source.is_some());
    }

    fn copy(&mut self, text: &str, has_source: bool) {
        match (self.is_mapped, has_source) {
            (false, _) => {}
            (true, true) => self.map.copy(text.len()),
            (true, false) => self.map.insert(text.len()),
        }
        self.text.push_str(text);
    }
}

fn style_ends(open: &Open<'_>, next: &TextRun) -> bool {
    open.style != next.style || open.link != next.link.as_deref()
}

/// Marks in the order in which they open.
fn marks(style: TextStyle) -> [(bool, &'static str); 4] {
    [(style.strong, "**"), (style.emphasis, "*"), (style.strike, "~~"), (style.code, "`")]
}

/// An address that ends where its parenthesis does.
fn address(link: &str) -> String {
    let mut address = String::with_capacity(link.len());
    for c in link.trim().chars() {
        match c {
            ' ' => address.push_str("%20"),
            '(' => address.push_str("%28"),
            ')' => address.push_str("%29"),
            '<' => address.push_str("%3C"),
            '>' => address.push_str("%3E"),
            c if c.is_control() => {}
            c => address.push(c),
        }
    }
    address
}
