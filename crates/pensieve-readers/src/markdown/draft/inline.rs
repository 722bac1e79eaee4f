//! Words of a line: white space collapses, marks of emphasis adjoin their words, what would be markup is escaped.

use super::{LineKind, MarkdownDraft};
use crate::markdown::block::{TextRun, TextStyle, Words};
use crate::markdown::block_mark::note_reference;
use crate::markdown::escape::{LinePlace, Surroundings, WordKind, block_start, escapes};
use crate::markdown::inline_mark::{CodeTicks, InlineMark, link_address};

const SPACES: [char; 5] = [' ', '\n', '\t', '\r', '\u{b}'];

/// The marks that are open around the words to come.
#[derive(Default)]
struct OpenMarks<'r> {
    style: TextStyle,
    marks: Vec<InlineMark>,
    link: Option<&'r str>,
}

/// The words of a line as they are written.
struct WordsUnderWay<'r> {
    open: OpenMarks<'r>,
    has_space: bool,
    /// The place in the source of the waiting space, if it is one literal space. Copying it keeps a line of words one
    /// run of the map.
    space_at: Option<usize>,
    /// The line has no word yet.
    is_fresh: bool,
}

impl MarkdownDraft {
    /// Writes words.
    pub(super) fn words(&mut self, words: &Words, line: LineKind<'_>) {
        let mut state =
            WordsUnderWay { open: OpenMarks::default(), has_space: false, space_at: None, is_fresh: true };
        for (at, run) in words.0.iter().enumerate() {
            match &run.note {
                Some(label) => {
                    self.close_marks(&mut state.open, &TextRun::default());
                    self.out.put(&note_reference(label));
                    (state.is_fresh, state.has_space, state.space_at) = (false, false, None);
                }
                None => self.first_run(&words.0[at..], words.mark_before(at), line, &mut state),
            }
        }
        self.close_marks(&mut state.open, &TextRun::default());
        self.drop_last_break(line);
    }

    /// Writes the first of these runs.
    fn first_run<'r>(
        &mut self,
        runs: &'r [TextRun],
        mut mark: &'static str,
        line: LineKind<'_>,
        state: &mut WordsUnderWay<'r>,
    ) {
        let run = &runs[0];
        let style = run.style.on_the_line();
        let source = run.source.filter(|span| span.len() == run.text.len()).map(|span| span.start);
        let mut at = 0;
        for part in run.text.split_inclusive(SPACES) {
            let word = part.trim_end_matches(SPACES);
            let space = &part[word.len()..];
            if !word.is_empty() {
                if state.has_space || state.open.style != style || state.open.link != run.link.as_deref() {
                    self.close_marks(&mut state.open, run);
                }
                self.put_space(state);
                self.out.put(std::mem::take(&mut mark));
                self.open_marks(&mut state.open, runs, line);
                // What the next run begins with may follow directly.
                let is_cut = space.is_empty() && runs.len() > 1;
                let before = Surroundings { is_cut, ..Surroundings::default() };
                self.word(word, run, source.map(|source| source + at), state.is_fresh, (line, before));
                (state.is_fresh, state.has_space) = (false, false);
            }
            at += word.len();
            if space.contains(['\n', '\u{b}'])
                && let (LineKind::Paragraph { prefix }, false) = (line, state.is_fresh)
            {
                self.close_marks(&mut state.open, &TextRun::default());
                self.out.put("\\\n");
                self.out.put(prefix);
                (state.is_fresh, state.has_space, state.space_at) = (true, false, None);
            } else if !space.is_empty() {
                let is_literal = !state.has_space && space == " ";
                state.space_at = source.filter(|_| is_literal).map(|source| source + at);
                state.has_space = true;
            }
            at += space.len();
        }
    }

    /// The space before the next word.
    fn put_space(&mut self, state: &mut WordsUnderWay<'_>) {
        match state.space_at.take() {
            _ if !state.has_space || state.is_fresh => {}
            Some(place) => {
                self.out.seek(place);
                self.out.copy(" ");
            }
            None => self.out.put(" "),
        }
    }

    /// A break at the end of a paragraph breaks nothing.
    fn drop_last_break(&mut self, line: LineKind<'_>) {
        let LineKind::Paragraph { prefix } = line else { return };
        let ending = format!("\\\n{prefix}");
        if self.out.as_str().ends_with(&ending) {
            self.out.truncate(self.out.len() - ending.len());
        }
    }

    /// Closes the marks that the next words do not share.
    fn close_marks(&mut self, open: &mut OpenMarks<'_>, next: &TextRun) {
        let keeps_link = open.link == next.link.as_deref();
        if keeps_link && open.style == next.style.on_the_line() {
            return;
        }
        for mark in open.marks.drain(..).rev() {
            self.out.put(&mark.closing());
        }
        open.style = TextStyle::default();
        if !keeps_link && let Some(link) = open.link.take() {
            self.out.put(&InlineMark::Link(link_address(link)).closing());
        }
    }

    /// Opens the marks around the words of the first of these runs.
    fn open_marks<'r>(&mut self, open: &mut OpenMarks<'r>, runs: &'r [TextRun], line: LineKind<'_>) {
        let run = &runs[0];
        if open.link.is_none()
            && let Some(link) = run.link.as_deref()
        {
            self.out.put("[");
            open.link = Some(link);
        }
        // A heading is strong by itself.
        let wanted = match line {
            LineKind::Heading => TextStyle { code: run.style.code, ..TextStyle::default() },
            _ => run.style.on_the_line(),
        };
        if open.style != wanted {
            open.marks = marks_of(wanted, runs);
            open.marks.iter().for_each(|mark| self.out.put(&mark.opening()));
            open.style = wanted;
        }
    }

    fn word(
        &mut self,
        word: &str,
        run: &TextRun,
        source: Option<usize>,
        is_fresh: bool,
        (line, around): (LineKind<'_>, Surroundings),
    ) {
        if let Some(place) = source {
            self.out.seek(place);
        }
        let may_start_block = is_fresh && matches!(line, LineKind::Paragraph { .. });
        let kind = match run.style.code || run.is_markup {
            true => WordKind::Verbatim,
            false => WordKind::Text {
                block_start: may_start_block.then(|| block_start(word, LinePlace::First)).flatten(),
            },
        };
        let found = escapes(word, 0..word.len(), kind, || Surroundings {
            in_cell: matches!(line, LineKind::Cell),
            in_emphasis: run.style.emphasis || run.style.strong,
            in_link: run.link.is_some(),
            begins_bracket: is_fresh && word.starts_with('['),
            ..around
        });
        self.out.put_escaped(word, 0..word.len(), &found, source.is_some());
    }
}

/// The marks of a style in the order in which they open, around the first of these runs and those that share its style.
fn marks_of(style: TextStyle, runs: &[TextRun]) -> Vec<InlineMark> {
    let mut marks = Vec::new();
    if style.strong {
        marks.push(InlineMark::Strong('*'));
    }
    if style.emphasis {
        marks.push(InlineMark::Emphasis('*'));
    }
    if style.strike {
        marks.push(InlineMark::Strike);
    }
    if style.code {
        let same = runs.iter().take_while(|run| run.note.is_none() && run.style.on_the_line() == style);
        let code: String = same.map(|run| run.text.as_str()).collect();
        marks.push(InlineMark::Code(CodeTicks::around(&code)));
    }
    marks
}
