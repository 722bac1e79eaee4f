//! Drawn pages: what a reader of PDF files would find, written by hand.
//!
//! A drawing has one instruction a line; positions are points from the top left, `y` is a baseline:
//!
//! * `page WIDTH HEIGHT` begins a page; `font NAME WEIGHT STEM [italic] [mono]` makes a font, which all pages share.
//! * `text X Y SIZE FONT WORDS` draws a line; `turned X Y SIZE FONT WORDS` one that runs upwards; `hidden ...` one that
//!   nobody sees.
//! * `run X Y LENGTH SIZE FONT GAPS WORDS` is a line as a reader of PDF files found it, with its length and with `-` or
//!   its wide gaps: the byte after each, where it begins and ends along the line. `tag h1`, `tag caption` and `tag note`
//!   say what the file calls the next line.
//! * `prose X Y WIDTH SIZE LEADING FONT` sets the indented lines below it as justified paragraphs, a blank one between
//!   two; `@N` stands for a sentence of N words. Words are cut at `~` with a hyphen where a line ends.
//! * `rule`, `frame`, `fill`, `image` with left, top, right, bottom.
//! * `outline LEVEL PAGE TITLE` is an entry of the document's outline.

mod changes;

pub use changes::change_line;
use pensieve_text::layout::{
    FontFace, LayoutBatch, LayoutComposer, LayoutOptions, LayoutPage, OutlineEntry, PageShape, ShapeKind,
    SpanGap, TextSpan, TextTag,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a drawing says.
#[derive(Default)]
pub struct Drawing {
    pages: Vec<LayoutPage>,
    fonts: BTreeMap<String, Arc<FontFace>>,
    outline: Vec<OutlineEntry>,
    sentences: usize,
    /// For the next line.
    tag: Option<TextTag>,
}

/// Where and how a line is drawn.
#[derive(Clone, Copy)]
struct Pen<'d> {
    x: f32,
    y: f32,
    size: f32,
    font: &'d str,
}

impl Drawing {
    /// What the instructions say.
    pub fn read(text: &str) -> Drawing {
        let mut drawing = Drawing::default();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "" | "#" => {}
                "prose" => {
                    let mut copy = Vec::new();
                    while let Some(line) = lines.next_if(|line| line.starts_with("  ") || line.is_empty()) {
                        copy.push(line.trim());
                    }
                    drawing.prose(rest, &copy);
                }
                _ => drawing.instruction(word, rest),
            }
        }
        drawing
    }

    fn instruction(&mut self, word: &str, rest: &str) {
        let fields: Vec<&str> = rest.split(' ').collect();
        let number = |at: usize| fields[at].parse::<f32>().unwrap_or_else(|_| panic!("{word} {rest}"));
        let corners = || [number(0), number(1), number(2), number(3)];
        match word {
            "page" => self.pages.push(LayoutPage {
                number: self.pages.len() as u64 + 1,
                width: number(0),
                height: number(1),
                ..LayoutPage::default()
            }),
            "font" => {
                let face = FontFace {
                    name: fields[0].to_owned(),
                    weight: number(1) as u16,
                    stem: number(2) as u16,
                    is_italic: fields.contains(&"italic"),
                    is_monospace: fields.contains(&"mono"),
                };
                self.fonts.insert(fields[0].to_owned(), Arc::new(face));
            }
            "outline" => self.outline.push(OutlineEntry {
                level: number(0) as usize,
                page: Some(number(1) as u64),
                title: fields[2..].join(" "),
            }),
            "text" | "turned" | "hidden" => {
                let pen = Pen { x: number(0), y: number(1), size: number(2), font: fields[3] };
                let words = fields[4..].join(" ");
                let span = self.line(pen, &words, width(&words, pen.size), word);
                self.page().spans.push(span);
            }
            "run" => {
                let pen = Pen { x: number(0), y: number(1), size: number(3), font: fields[4] };
                let tag = self.tag.take();
                let span = self.line(pen, &fields[6..].join(" "), number(2), word);
                self.page().spans.push(TextSpan { gaps: gaps(fields[5]), tag, ..span });
            }
            "tag" => {
                self.tag = Some(match rest {
                    "caption" => TextTag::Caption,
                    "note" => TextTag::Note,
                    level => TextTag::Heading(level[1..].parse().unwrap()),
                });
            }
            _ => {
                let kind = match word {
                    "rule" => ShapeKind::Rule,
                    "frame" => ShapeKind::Frame,
                    "fill" => ShapeKind::Fill,
                    "image" => ShapeKind::Image,
                    _ => panic!("no instruction: {word}"),
                };
                self.page().shapes.push(PageShape { kind, bbox: corners() });
            }
        }
    }

    fn page(&mut self) -> &mut LayoutPage {
        self.pages.last_mut().expect("a page before what is drawn on it")
    }

    fn line(&self, pen: Pen<'_>, words: &str, length: f32, way: &str) -> TextSpan {
        let Pen { x, y, size, font } = pen;
        let turned = way == "turned";
        let bbox = match turned {
            true => [x - 0.78 * size, y - length, x + 0.22 * size, y],
            false => [x, y - 0.78 * size, x + length, y + 0.22 * size],
        };
        TextSpan {
            text: words.to_owned(),
            font: Arc::clone(self.fonts.get(font).unwrap_or_else(|| panic!("no font {font}"))),
            size,
            rotation: if turned { 270.0 } else { 0.0 },
            origin: [x, y],
            length,
            bbox,
            line_height: size,
            is_invisible: way == "hidden",
            is_vertical: false,
            gaps: Vec::new(),
            tag: None,
        }
    }

    fn prose(&mut self, rest: &str, copy: &[&str]) {
        let fields: Vec<&str> = rest.split(' ').collect();
        let number = |at: usize| fields[at].parse::<f32>().unwrap_or_else(|_| panic!("prose {rest}"));
        let (wide, leading) = (number(2), number(4));
        let mut pen = Pen { x: number(0), y: number(1), size: number(3), font: fields[5] };
        for paragraph in copy.split(|line| line.is_empty()).filter(|lines| !lines.is_empty()) {
            let words: Vec<String> =
                paragraph.iter().flat_map(|line| line.split(' ')).flat_map(|word| self.said(word)).collect();
            let lines = broken(&words, wide, pen.size);
            for (at, line) in lines.iter().enumerate() {
                let natural = width(line, pen.size);
                let length = if at + 1 == lines.len() { natural } else { wide };
                let span = self.line(pen, line, length, "text");
                self.page().spans.push(span);
                pen.y += leading;
            }
            pen.y += leading * 0.5;
        }
    }

    /// The words for a word of the drawing: `@N` is a sentence.
    fn said(&mut self, word: &str) -> Vec<String> {
        const WORDS: [&str; 17] = [
            "keepers", "count", "the", "lamps", "of", "a", "harbour", "and", "nobody", "writes", "what",
            "they", "found", "in", "winter", "or", "summer",
        ];
        let Some(count) = word.strip_prefix('@').and_then(|count| count.parse::<usize>().ok()) else {
            return vec![word.to_owned()];
        };
        self.sentences += 1;
        let from = self.sentences * 5;
        let mut words: Vec<String> = (from..from + count).map(|at| WORDS[at % 17].to_owned()).collect();
        words[0] = words[0][..1].to_uppercase() + &words[0][1..];
        words[count - 1].push('.');
        words
    }

    /// The layout of all pages.
    pub fn laid_out(&self) -> Vec<LayoutBatch> {
        let mut composer = LayoutComposer::new(&LayoutOptions::default(), self.outline.clone());
        for page in &self.pages {
            composer.push(page);
        }
        vec![composer.compose(&mut |_| {}).unwrap()]
    }
}

/// `9:40.1-52.3,...` or `-`.
fn gaps(listed: &str) -> Vec<SpanGap> {
    let listed = listed.split(',').filter_map(|gap| gap.split_once(':'));
    listed
        .map(|(at, places)| {
            let (from, to) = places.split_once('-').unwrap();
            SpanGap { at: at.parse().unwrap(), from: from.parse().unwrap(), to: to.parse().unwrap() }
        })
        .collect()
}

/// Half the size a character, which is about what fonts have.
fn width(text: &str, size: f32) -> f32 {
    text.chars().count() as f32 * size * 0.5
}

/// Words as lines of at most this width; `~` is where a word may be cut.
fn broken(words: &[String], wide: f32, size: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words {
        let whole = word.replace('~', "");
        let line = lines.last_mut().unwrap();
        let blank = if line.is_empty() { "" } else { " " };
        if width(line, size) + width(blank, size) + width(&whole, size) <= wide || line.is_empty() {
            line.push_str(blank);
            line.push_str(&whole);
            continue;
        }
        let cut = word.split_once('~').filter(|(first, _)| width(&format!("{line} {first}-"), size) <= wide);
        match cut {
            Some((first, rest)) => {
                line.push_str(&format!("{blank}{first}-"));
                lines.push(rest.replace('~', ""));
            }
            None => lines.push(whole),
        }
    }
    lines
}
