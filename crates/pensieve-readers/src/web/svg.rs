//! Words of drawings: the title, the description and the texts of an SVG image, in the order of the file.
//!
//! After SVG 2, sections 5.8 (`title`, `desc`) and 11 (text). Positions on the canvas are ignored: files are nearly
//! always written in reading order, and if they are not, coordinates would not give the order either. Style sheets,
//! scripts and metadata are not text.

use crate::limits::web::{MAX_DRAWING_RUNS, MAX_LINE_RUNS};
use crate::markdown::{Block, MarkdownDraft, TextRun, Words};
use crate::settings::ReadSettings;
use crate::shared::text_file::TextFile;
use crate::shared::xml::{LineIndex, XmlEvent, XmlReader, XmlTag};
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, LocatorMap, MapBuilder, Problem, Segment, Span, TextKind};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints};

/// Reads a drawing.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let hints = EncodingHints { declared: None, format: DeclarationFormat::Xml };
    let file = TextFile::read(source, &hints)?;
    let Drawing { lines, title, broken } = Drawing::read(&file.decoded.text);
    let metadata = title.map(|title| ("title".to_owned(), title)).into_iter().collect();
    let text = plain(&lines, &file.decoded);
    Ok(Document { kind: Some(TextKind::Prose), metadata, ..file.document(text, broken) })
}

/// The words of a drawing, one entry a title, description or text.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    /// Each with its runs of words and their places.
    pub lines: Vec<Words>,
    /// The title of the drawing.
    pub title: Option<String>,
    /// What is broken in the file, if anything.
    pub broken: Option<String>,
}

impl Drawing {
    /// Reads the decoded source of a drawing.
    pub fn read(source: &str) -> Drawing {
        let mut drawing = Drawing::default();
        let mut line = Words::default();
        let mut reader = XmlReader::new(source);
        // Open elements whose characters are words.
        let mut texts = 0_usize;
        let mut runs = 0;
        while let Some(event) = reader.next() {
            match event {
                XmlEvent::Start(tag) if matches!(tag.name(), "style" | "script" | "metadata") => {
                    reader.pass()
                }
                XmlEvent::Start(tag) if begins_line(tag.name()) => {
                    drawing.end(&mut line);
                    texts += 1;
                }
                XmlEvent::Start(tag) if texts > 0 && begins_at_margin(&tag) => drawing.end(&mut line),
                XmlEvent::Start(tag) if texts > 0 && is_set_apart(&tag) => line.push_plain(" "),
                XmlEvent::End(name) if begins_line(name) => {
                    let is_title = name == "title" && reader.depth() <= 1 && drawing.title.is_none();
                    let title = line.to_plain().split_whitespace().collect::<Vec<_>>().join(" ");
                    drawing.title = if is_title && !title.is_empty() { Some(title) } else { drawing.title };
                    drawing.end(&mut line);
                    texts = texts.saturating_sub(1);
                }
                XmlEvent::Text { text, at, len } if texts > 0 => {
                    let span = (text.len() == len).then(|| Span::new(at, at + len));
                    // Line ends of the file are white space.
                    let text = text.replace(['\n', '\u{b}'], "\r");
                    if line.0.len() > MAX_LINE_RUNS {
                        drawing.end(&mut line);
                    }
                    runs += 1;
                    if runs > MAX_DRAWING_RUNS {
                        drawing.broken = Some(format!("it has more than {MAX_DRAWING_RUNS} pieces of text"));
                        break;
                    }
                    line.push(TextRun { text, source: span, ..TextRun::default() });
                }
                _ => {}
            }
        }
        drawing.end(&mut line);
        drawing.broken = drawing.broken.or_else(|| reader.broken().map(str::to_owned));
        drawing
    }

    fn end(&mut self, line: &mut Words) {
        let line = std::mem::take(line);
        if !line.is_blank() {
            self.lines.push(line);
        }
    }

    /// The drawing as Markdown.
    pub fn into_text(self, decoded: &Segment) -> Segment {
        let mut draft = MarkdownDraft::mapped();
        let index = LineIndex::new(&decoded.text);
        for line in self.lines {
            draft.place(index.of_words(&line));
            draft.push(&Block::Paragraph(line));
        }
        draft.finish_mapped(decoded)
    }
}

/// Elements whose words are on lines of their own; `foreignObject` contains pages.
fn begins_line(name: &str) -> bool {
    matches!(name, "text" | "title" | "desc" | "foreignObject" | "flowRoot" | "flowPara" | "p" | "div" | "li")
}

/// True for a part of a text with a place of its own in both directions: a line.
fn begins_at_margin(tag: &XmlTag<'_>) -> bool {
    let is_moved =
        tag.get("y").is_some() || tag.get("dy").is_some_and(|dy| !matches!(dy.trim(), "" | "0" | "0em"));
    tag.name() == "tspan" && tag.get("x").is_some() && is_moved
}

/// True for a part of a text that has its own position: it is a separate word.
fn is_set_apart(tag: &XmlTag<'_>) -> bool {
    let is_placed = || ["x", "y", "dy"].iter().any(|name| tag.get(name).is_some());
    tag.name() == "br" || (tag.name() == "tspan" && is_placed())
}

/// Lines of words without markup, white space collapsed.
pub(crate) fn plain(lines: &[Words], decoded: &Segment) -> Segment {
    let mut text = String::new();
    let mut map = MapBuilder::new(0);
    let mut places = LocatorMap::default();
    let index = LineIndex::new(&decoded.text);
    for line in lines {
        let mut has_space = false;
        let start = text.len();
        for run in &line.0 {
            let mut at = 0;
            for part in run.text.split_inclusive(char::is_whitespace) {
                let word = part.trim_end();
                if !word.is_empty() {
                    if has_space && text.len() > start {
                        text.push(' ');
                        map.insert_blank(1);
                    }
                    has_space = false;
                    text.push_str(word);
                    match run.source {
                        Some(span) => {
                            map.seek(span.start + at);
                            map.copy(word.len());
                        }
                        None => map.insert(word.len()),
                    }
                }
                has_space |= word.len() < part.len();
                at += part.len();
            }
        }
        text.push('\n');
        map.insert_blank(1);
        if let Some(place) = index.of_words(line) {
            places.push(Span::new(start, text.len()), place);
        }
    }
    let is_blank = |gap: Span| decoded.text.get(gap.range()).is_some_and(|gap| gap.trim().is_empty());
    let map = map.finish().with_losses(&text, is_blank).through(&decoded.map);
    Segment { text, map, lines: Vec::new(), places, ..Segment::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::DiscardingSink;
    use std::io::Cursor;

    fn check(svg: &str, expected: &str) {
        let mut file = Cursor::new(svg.as_bytes());
        let mut source = DocumentSource::new(&mut file, "x.svg").unwrap();
        let document = read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap();
        assert_eq!(document.text.text, expected, "of {svg}");
        for run in document.text.map.runs().iter().filter(|run| run.exact) {
            assert_eq!(document.text.text[run.out..run.out_end()], svg[run.src..run.src_end()]);
        }
    }

    #[test]
    fn titles_descriptions_and_texts_come_in_order() {
        check(
            "<svg><title>The  map</title><style>a{}</style><metadata><x>no</x></metadata><g><desc>D &amp; d</desc>\
             <text x='1'>one <tspan>t</tspan>wo<tspan x='5' dy='1'>three</tspan></text></g>no<text>four</text></svg>",
            "The map\nD & d\none two\nthree\nfour\n",
        );
    }

    #[test]
    fn broken_drawings_give_what_they_have() {
        check("<svg><text>a <b>b", "a b\n");
        check("", "");
        check("no drawing", "");
    }

    #[test]
    fn zeros_in_a_drawing_are_a_problem() {
        let problems = |zeros: usize| {
            let svg = format!("<svg><text>a{}b</text></svg>", "\0".repeat(zeros));
            let mut file = Cursor::new(svg.as_bytes());
            let mut source = DocumentSource::new(&mut file, "x.svg").unwrap();
            read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap().problems.len()
        };
        assert_eq!((problems(0), problems(64)), (0, 1));
    }

    #[test]
    fn parts_with_a_place_are_words_or_lines_of_their_own() {
        for (inside, expected) in [
            ("a<tspan>b</tspan>c", "abc"),
            ("a<tspan x='5'>b</tspan>c", "a bc"),
            ("a<tspan y='5'>b</tspan>c", "a bc"),
            ("a<tspan dy='5'>b</tspan>c", "a bc"),
            ("a<tspan x='5' dy='0'>b</tspan>c", "a bc"),
            ("a<tspan x='5' dy=' 0em '>b</tspan>c", "a bc"),
            ("a<tspan x='5' dy='1'>b</tspan>c", "a\nbc"),
            ("a<tspan x='5' y='0'>b</tspan>c", "a\nbc"),
            ("a<b x='5' y='6'>b</b>c", "abc"),
            ("a<br/>b", "a b"),
            ("a<style>b</style>c<script>d</script>e<metadata>f</metadata>g", "aceg"),
            ("a &amp; b\n  c", "a & b c"),
        ] {
            check(&format!("<svg><text>{inside}</text></svg>"), &format!("{expected}\n"));
        }
    }

    #[test]
    fn the_title_of_a_drawing_is_its_first_one() {
        for (inside, expected) in [
            ("<title> The \n map </title><text>a</text><title>Other</title>", Some("The map")),
            ("<title> </title><title>Other</title>", Some("Other")),
            ("<g><g><title>Inner</title></g></g>", None),
            ("<desc>Of it</desc>", None),
        ] {
            let svg = format!("<svg>{inside}</svg>");
            let mut file = Cursor::new(svg.as_bytes());
            let mut source = DocumentSource::new(&mut file, "x.svg").unwrap();
            let document = read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap();
            let metadata: Vec<(&str, &str)> =
                document.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
            assert_eq!(metadata, expected.map(|title| ("title", title)).as_slice(), "of {inside}");
            assert_eq!(document.kind, Some(TextKind::Prose));
            assert_eq!(document.encoding.as_deref(), Some("utf-8"));
        }
    }

    #[test]
    fn words_of_a_drawing_keep_their_places() {
        let svg = "<svg>\n<text>one</text>\n<text>two</text></svg>";
        let mut file = Cursor::new(svg.as_bytes());
        let mut source = DocumentSource::new(&mut file, "x.svg").unwrap();
        let document = read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap();
        assert_eq!(document.text.text, "one\ntwo\n");
        let places: Vec<Span> = document.text.places.0.iter().map(|place| place.0).collect();
        assert_eq!(places, [Span::new(0, 4), Span::new(4, 8)]);
        let source = document.text.map.source(Span::new(4, 7)).unwrap();
        assert_eq!(&svg[source.start..source.end], "two");
        let as_markdown = |svg: &str| {
            let decoded = Segment { text: svg.to_owned(), ..Segment::default() };
            Drawing::read(svg).into_text(&decoded).text
        };
        assert_eq!(as_markdown(svg), "one\n\ntwo\n");
    }
}
