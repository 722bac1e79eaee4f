//! Subtitles as running text: SubRip, WebVTT, SubViewer, Advanced SubStation and lyrics with times.
//!
//! What is shown is text; numbers, times, styles and notes are not. Places are lines of the file, which has the times
//! beside them. Captions of broadcasts roll: each cue repeats the line before it and adds one. Such a document has each line
//! once. Format: W3C WebVTT, section 4; the others are documented by what players accept.

use crate::markdown::{TextRun, Words};
use crate::settings::ReadSettings;
use crate::shared::text_file::TextFile;
use crate::shared::xml::unescape;
use crate::source::{DocumentSink, DocumentSource};
use crate::web::svg::plain;
use pensieve_text::model::{Document, Problem, Span};
use pensieve_text::text::decode::EncodingHints;

/// Milliseconds without a cue after which a paragraph begins.
const MIN_PAUSE_MS: u64 = 3000;

/// Milliseconds between two cues of which the second may repeat a line of the first.
const MAX_ROLLING_GAP_MS: u64 = 500;

/// One of so many cues repeats a line where captions roll; people who say a word twice are rarer.
const ROLLING_SHARE: usize = 4;

/// Reads subtitles.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let file = TextFile::read(source, &EncodingHints::default())?;
    let (cues, metadata) = cues(&file.decoded.text);
    let text = plain(&shown_lines(&cues), &file.decoded);
    Ok(Document { metadata, ..file.document_or_source(text, None) })
}

/// What is shown at one time.
#[derive(Debug)]
struct Cue {
    start: u64,
    /// Not before `start`; the same where the file does not say it.
    end: u64,
    lines: Vec<CueLine>,
}

/// A line without its tags.
#[derive(Debug)]
struct CueLine {
    speaker: Option<TextRun>,
    words: Words,
    /// Its words, by which lines are compared.
    text: String,
}

/// The cues of a file, and what lyrics say about their song.
fn cues(source: &str) -> (Vec<Cue>, Vec<(String, String)>) {
    let mut cues: Vec<Cue> = Vec::new();
    let mut metadata = Vec::new();
    let mut is_inside = false;
    let mut at = 0;
    for full in source.split_inclusive('\n') {
        let start = at;
        at += full.len();
        let line = full.trim_end_matches(['\n', '\r']);
        let bare = line.trim_start_matches('\u{feff}').trim();
        if let Some((start, end)) = timing(bare) {
            end_without_blank(&mut cues, is_inside);
            cues.push(Cue { start, end, lines: Vec::new() });
            is_inside = true;
        } else if let Some(cue) = dialogue(line, start).or_else(|| lyrics(line, start, &mut metadata)) {
            cues.push(cue);
            is_inside = false;
        } else if bare.is_empty() {
            is_inside = false;
        } else if is_inside && let Some(cue) = cues.last_mut() {
            cue.lines.push(CueLine::of(line, start));
        }
    }
    cues.iter_mut().for_each(|cue| cue.lines.retain(|line| !line.text.is_empty()));
    cues.retain(|cue| !cue.lines.is_empty());
    (cues, metadata)
}

/// A number directly before the times of the next cue is not a line of the one before it.
fn end_without_blank(cues: &mut [Cue], is_inside: bool) {
    if let Some(cue) = cues.last_mut().filter(|_| is_inside) {
        cue.lines.pop_if(|line| line.text.bytes().all(|byte| byte.is_ascii_digit()));
    }
}

/// The times of a line that has nothing else: `00:00:01,000 --> 00:00:02.500 align:start`, `0:00:01.000,0:00:02.500`.
fn timing(line: &str) -> Option<(u64, u64)> {
    let (start, end) = match line.split_once("-->") {
        Some((start, end)) => (start, end.split_whitespace().next()?),
        None => line.split_once(',').filter(|(start, _)| start.contains('.'))?,
    };
    let (start, end) = (milliseconds(start.trim())?, milliseconds(end.trim())?);
    Some((start, end.max(start)))
}

/// `[[hours:]minutes:]seconds[.fraction]`.
fn milliseconds(time: &str) -> Option<u64> {
    let (clock, fraction) = time.split_once([',', '.']).unwrap_or((time, "0"));
    let mut seconds = 0_u64;
    let mut parts = 0;
    for part in clock.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.trim().parse().ok()?)?;
        parts += 1;
    }
    let digits: String = fraction.chars().take(3).collect();
    let fraction: u64 = format!("{digits:0<3}").parse().ok()?;
    (2..=3).contains(&parts).then(|| seconds.saturating_mul(1000).saturating_add(fraction))
}

/// `Dialogue: 0,0:00:01.00,0:00:02.00,Default,Name,0,0,0,,Text\Nmore` of SubStation.
fn dialogue(line: &str, at: usize) -> Option<Cue> {
    let rest = line.strip_prefix("Dialogue:")?;
    let mut fields = rest.splitn(10, ',');
    let (start, end) = (fields.nth(1)?, fields.next()?);
    let (start, end) = (milliseconds(start.trim())?, milliseconds(end.trim())?);
    let text = fields.nth(6)?;
    let mut lines = Vec::new();
    let mut from = at + line.len() - text.len();
    for part in text.split("\\N").flat_map(|part| part.split("\\n")) {
        lines.push(CueLine::of(part, from));
        from += part.len() + 2;
    }
    Some(Cue { start, end: end.max(start), lines })
}

/// `[00:12.00]A line` of lyrics; `[ti:Title]` is noted.
fn lyrics(line: &str, at: usize, metadata: &mut Vec<(String, String)>) -> Option<Cue> {
    let (tag, mut rest) = line.trim_start().strip_prefix('[')?.split_once(']')?;
    let Some(start) = milliseconds(tag) else {
        let (key, value) = tag.split_once(':')?;
        let key = match key.trim() {
            "ti" => "title",
            "ar" => "author",
            _ => return None,
        };
        metadata.push((key.to_owned(), value.trim().to_owned()));
        return None;
    };
    while let Some((_, more)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        rest = more;
    }
    let lines = vec![CueLine::of(rest, at + line.len() - rest.len())];
    Some(Cue { start, end: start, lines })
}

impl CueLine {
    /// A line without `<i>`, `<00:00:01.000>` and `{\an8}`; the name in `<v Name>` is its speaker.
    fn of(line: &str, at: usize) -> CueLine {
        let mut words = Words::default();
        let mut speaker = None;
        let mut done = 0;
        let mut is_drawing = false;
        while let Some((start, end)) = tag(line, done) {
            if !is_drawing {
                push(&line[done..start], at + done, &mut words);
            }
            let inside = &line[start + 1..end - 1];
            is_drawing = begins_drawing(inside).unwrap_or(is_drawing);
            if let Some(name) = inside
                .strip_prefix("v ")
                .or_else(|| inside.strip_prefix("v.")?.split_once(' ').map(|name| name.1))
            {
                let from = at + end - 1 - name.len();
                let source = Some(Span::new(from, from + name.len()));
                speaker = Some(TextRun { text: name.to_owned(), source, ..TextRun::default() });
            }
            done = end;
        }
        if !is_drawing {
            push(&line[done..], at + done, &mut words);
        }
        let text = words.to_plain().replace("\\h", " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        CueLine { speaker, words, text }
    }
}

/// True if strokes of a drawing follow a tag of SubStation (`{\p1}`), false if words follow them again (`{\p0}`).
fn begins_drawing(tag: &str) -> Option<bool> {
    let mut scales = tag.split('\\').filter_map(|command| command.strip_prefix('p')?.parse::<u8>().ok());
    scales.next_back().map(|scale| scale > 0)
}

/// The next tag of a line, by its first byte and the byte after it. `<` before a blank or a digit of a sum is text.
fn tag(line: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        let start = at + line[at..].find(['<', '{'])?;
        let rest = &line[start + 1..];
        let close = if line.as_bytes()[start] == b'<' { '>' } else { '}' };
        let is_style = |inside: &str| match close {
            '}' => inside.starts_with('\\'),
            _ => {
                inside.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '/')
                    || milliseconds(inside).is_some()
            }
        };
        match rest.find(close).filter(|end| is_style(&rest[..*end])) {
            Some(end) => return Some((start, start + end + 2)),
            None => at = start + 1,
        }
    }
}

fn push(text: &str, at: usize, words: &mut Words) {
    let shown = unescape(text);
    let source = (shown == text).then(|| Span::new(at, at + text.len()));
    words.push(TextRun { text: shown.into_owned(), source, ..TextRun::default() });
}

/// The lines of all cues, with a blank one where there is a pause or somebody else speaks.
fn shown_lines(cues: &[Cue]) -> Vec<Words> {
    let is_rolling = rolls(cues);
    let mut lines: Vec<Words> = Vec::new();
    let mut speaker = String::new();
    let mut before: Option<&Cue> = None;
    for cue in cues {
        let gap = before.map_or(0, |before| cue.start.saturating_sub(before.end));
        let repeated = before.filter(|_| is_rolling).map_or(0, |before| repeated_lines(before, cue));
        let is_new = |line: &CueLine| line.speaker.as_ref().is_some_and(|name| name.text != speaker);
        if before.is_some() && (gap >= MIN_PAUSE_MS || cue.lines.iter().skip(repeated).any(is_new)) {
            lines.push(Words::default());
        }
        for line in cue.lines.iter().skip(repeated) {
            let mut words = Words::default();
            if let Some(name) = line.speaker.as_ref().filter(|name| name.text != speaker) {
                speaker.clone_from(&name.text);
                words.push(name.clone());
                words.push_plain(": ");
            }
            line.words.0.iter().for_each(|run| words.push(run.clone()));
            lines.push(words);
        }
        before = Some(cue);
    }
    lines
}

/// True if cues repeat lines of those before them by habit.
fn rolls(cues: &[Cue]) -> bool {
    let repeating = cues.windows(2).filter(|pair| repeated_lines(&pair[0], &pair[1]) > 0).count();
    repeating > 1 && repeating * ROLLING_SHARE >= cues.len()
}

/// How many lines at the end of a cue are those at the beginning of the next.
fn repeated_lines(cue: &Cue, next: &Cue) -> usize {
    if next.start.saturating_sub(cue.end) > MAX_ROLLING_GAP_MS || cue.end == cue.start {
        return 0;
    }
    let longest = cue.lines.len().min(next.lines.len());
    let is_same = |count: &usize| {
        let ending = &cue.lines[cue.lines.len() - count..];
        ending.iter().zip(&next.lines).all(|(one, other)| one.text == other.text)
    };
    (1..=longest).rev().find(is_same).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::DiscardingSink;
    use std::io::Cursor;

    fn document(text: &str) -> Document {
        let mut file = Cursor::new(text.as_bytes());
        let mut source = DocumentSource::new(&mut file, "a.srt").unwrap();
        let document = read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap();
        for run in document.text.map.runs().iter().filter(|run| run.exact) {
            assert_eq!(document.text.text[run.out..run.out_end()], text[run.src..run.src_end()]);
        }
        document
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(document(text).text.text, expected, "of {text}");
    }

    #[test]
    fn cues_are_running_text() {
        check(
            "1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Good</i> evening,\r\n{\\an8}all of you.\r\n\r\n2\r\n\
             00:00:02,000 --> 00:00:03,000\r\n1 < 2 & 3\r\n3\r\n00:00:09,000 --> 00:00:10,000\r\nLater.\r\n",
            "Good evening,\nall of you.\n1 < 2 & 3\n\nLater.\n",
        );
        check(
            "WEBVTT - a\n\nNOTE no\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Bo>Yes\n\n\
             00:02.000 --> 00:03.000\n<v.loud Ines>No<00:02.500><c> &amp; no</c>\n",
            "Bo: Yes\n\nInes: No & no\n",
        );
        check("0:00:01.000,0:00:02.000\none\n\n0:00:02.000,0:00:03.000\ntwo\n", "one\ntwo\n");
        check(
            "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,One, {\\i1}two\\Nthree\n\
             Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\pos(1,2)\\p1}m 0 0 l 9 0{\\p0}four\n",
            "One, two\nthree\nfour\n",
        );
        check("no subtitles\n", "no subtitles\n");
    }

    #[test]
    fn lyrics_have_their_song() {
        let song =
            document("[ti:Lamps]\n[ar:Ines]\n[00:01.00][00:09.00]One\n[00:02.00]Two <00:02.50>three\n");
        assert_eq!(song.text.text, "One\nTwo three\n");
        let metadata: Vec<&str> = song.metadata.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(metadata, ["Lamps", "Ines"]);
    }

    #[test]
    fn rolling_captions_have_each_line_once() {
        let cue = |start: u32, text: &str| format!("00:0{start}.000 --> 00:0{}.000\n{text}\n\n", start + 1);
        let rolling = [cue(1, "a"), cue(2, "a\nb"), cue(3, "b\n "), cue(4, "b\nc")].concat();
        check(&format!("WEBVTT\n\n{rolling}"), "a\nb\nc\n");
        let said_twice: String =
            (1..8).map(|at| cue(at, if at < 3 { "No!" } else { ["x", "y"][at as usize % 2] })).collect();
        check(&format!("WEBVTT\n\n{said_twice}"), "No!\nNo!\ny\nx\ny\nx\ny\n");
    }
}
