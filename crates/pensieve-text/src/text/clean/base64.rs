//! The rule `base64`: pictures, fonts and files that are written as text have no words. Their characters go, the
//! address around them (`data:image/png;base64,`) stays.
//!
//! Base64 (RFC 4648 section 4) is told from words by its length and by letters in both cases with digits among them. Runs
//! of one kind of letter (a genome, a rule of hyphens, a number) are content. JSON writes `\/` and `\n` inside of them.

use crate::model::Segment;
use crate::text::edits::Edits;

/// Characters from which a run is no word, name, hash (128) or key in one line.
const MIN_RUN_BYTES: usize = 256;

/// The same after `;base64,`, which says what follows.
const MIN_DECLARED_BYTES: usize = 64;

const DECLARATION: &str = ";base64,";

/// Bytes of a run at the end of the text so far after which it is decided before its end is known.
// A run of this length is base64 or nothing, so what follows need not be held back for it.
const MAX_HELD_BYTES: usize = 4096;

/// Removes runs of base64.
#[derive(Debug, Default)]
pub(super) struct Base64Step {
    /// The run at the end of the text so far, with what may declare it.
    held: Segment,
    /// True inside of a run that is being removed.
    is_inside: bool,
}

impl Base64Step {
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        let mut text = std::mem::take(&mut self.held);
        text.append(segment);
        self.settle(text, false)
    }

    pub(super) fn finish(&mut self) -> Segment {
        let rest = std::mem::take(&mut self.held);
        self.settle(rest, true)
    }

    fn settle(&mut self, mut segment: Segment, is_last: bool) -> Segment {
        let mut edits = Edits::default();
        let text = segment.text.as_str();
        let (mut at, mut done) = (0, 0);
        if self.is_inside {
            done = run_end(text, 0);
            edits.loss(0, done);
            // A backslash at the end of the segment may be half of an escape.
            let is_divided = text[done..] == *"\\" && !is_last;
            self.is_inside = is_divided || done == text.len();
            if is_divided {
                self.held = segment.split_off(done);
                return edits.apply(segment);
            }
            at = done;
        }
        while let Some(start) = next_run(text, at) {
            at = run_end(text, start);
            // The next segment may go on with it.
            let is_open = matches!(&text[at..], "" | "\\") && !is_last;
            if is_open && at - start < MAX_HELD_BYTES {
                break;
            }
            if is_base64(text, start, at) {
                edits.loss(start, at);
                done = at;
                self.is_inside = is_open;
            }
            // A backslash may begin a run that it does not belong to.
            at = at.max(start + 1);
        }
        let end = match self.is_inside {
            true => done,
            false if is_last => text.len(),
            false => held_start(text).max(done),
        };
        if end < text.len() {
            self.held = segment.split_off(end);
        }
        edits.apply(segment)
    }
}

fn is_sign(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Where the run at the end of a text begins, with its declaration; the end if that run was decided.
fn held_start(text: &str) -> usize {
    // The end of the text may cut the declaration, too.
    let declared = (1..=DECLARATION.len()).rev().find(|length| text.ends_with(&DECLARATION[..*length]));
    if let Some(length) = declared {
        return text.len() - length;
    }
    let run = text.bytes().rev().take_while(|byte| is_sign(*byte) || *byte == b'\\').count();
    let start = text.len() - run;
    match run {
        MAX_HELD_BYTES.. => text.len(),
        _ if text[..start].ends_with(DECLARATION) => start - DECLARATION.len(),
        _ => start,
    }
}

/// The next place from which enough characters of a run follow for it to be base64.
fn next_run(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut start = from;
    // Looks at the last byte of the shortest run first: nearly every word ends before it.
    while start + MIN_DECLARED_BYTES <= bytes.len() {
        let window = &bytes[start..start + MIN_DECLARED_BYTES];
        match window.iter().rposition(|byte| !is_sign(*byte) && *byte != b'\\') {
            Some(other) => start += other + 1,
            None => return Some(start),
        }
    }
    None
}

/// The end of the run that begins at `start`.
fn run_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        // JSON escapes slashes and line ends.
        let is_escape = byte == b'\\' && matches!(bytes.get(at + 1), Some(b'/' | b'n' | b'r'));
        if !is_sign(byte) && !is_escape {
            break;
        }
        at += if is_escape { 2 } else { 1 };
    }
    at
}

fn is_base64(text: &str, start: usize, end: usize) -> bool {
    let run = &text.as_bytes()[start..end];
    if text[..start].ends_with(DECLARATION) {
        return run.len() >= MIN_DECLARED_BYTES;
    }
    let has = |is: fn(&u8) -> bool| run.iter().take(MAX_HELD_BYTES).any(is);
    run.len() >= MIN_RUN_BYTES
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SpanMap;

    fn check(text: &str, expected: &str) {
        for size in [1, 7, 64, 300, 5000, text.len().max(1)] {
            let mut rest = Segment {
                text: text.to_owned(),
                map: SpanMap::identity(text.len(), 0),
                ..Segment::default()
            };
            let mut step = Base64Step::default();
            let mut clean = Segment::default();
            while !rest.text.is_empty() {
                let mut next = if size < rest.text.len() { rest.split_off(size) } else { Segment::default() };
                std::mem::swap(&mut rest, &mut next);
                clean.append(step.push(next));
            }
            clean.append(step.finish());
            assert_eq!(clean.text, expected, "in parts of {size}");
            for run in clean.map.runs().iter().filter(|run| run.exact) {
                assert_eq!(clean.text[run.out..run.out_end()], text[run.src..run.src_end()]);
            }
        }
    }

    #[test]
    fn long_runs_of_base64_go() {
        let data = |count: usize| "iVBORw0KGgo+AAA/".repeat(count);
        let picture = |data: &str| format!("Before ![plot](data:image/png;base64,{data}) after");
        check(&picture(&format!("{}==", data(4))), &picture(""));
        check(&picture(&data(1000)), &picture(""));
        check(&picture(&data(3)), &picture(&data(3)));
        let json = |data: &str| format!("{{\"text\": \"{data}\", \"size\": 4}}");
        check(&json(&data(16)), &json(""));
        check(&json(&format!("{}\\/{}\\n{}=", data(8), data(8), data(2))), &json(""));
        check(&json(&data(15)), &json(&data(15)));
    }

    #[test]
    fn other_long_runs_stay() {
        for text in [
            "ACGT".repeat(200),
            "=".repeat(700),
            "0123456789".repeat(60),
            "longword".repeat(90),
            "a/B/c ".repeat(200),
        ] {
            check(&text, &text);
        }
    }
}
