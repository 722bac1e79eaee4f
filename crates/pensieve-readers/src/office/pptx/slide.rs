//! A slide, or the notes of one: its shapes in the order of the file, which is the one that screen readers follow.
//!
//! Every open element has a [`Frame`] that says what its end does, so groups need no recursion. Source: ECMA-376
//! part 1, sections 19.3 (slides), 20.1 and 21.1 (shapes, text, tables).

use super::bullets::{Bullet, LEVELS, Layout, Levels, Placeholder, number, read_levels};
use crate::markdown::{Block, ItemMarker, Table, TableCell, TableRow, TextRun, TextStyle, Words};
use crate::shared::opc::math::read_math;
use crate::shared::opc::{Package, Relations, drawing};
use crate::shared::symbols::{SignFont, is_monospaced};
use crate::shared::xml::{Tag, XmlEvent, XmlReader};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// Cells, and rows, of tables of one slide; text of further ones stays, their borders do not.
const MOST_CELLS: usize = 50_000;

/// Paragraphs of one slide; further ones are lines of the last.
const MOST_BLOCKS: usize = 50_000;

/// Changes of style in one paragraph; text behind them looks like the last.
const MOST_RUNS: usize = 20_000;

/// Shapes inside shapes, groups aside; deeper ones belong to the innermost of these.
const DEEPEST: usize = 16;

/// Charts and diagrams of one slide.
const MOST_DRAWINGS: usize = 200;

/// What a slide says.
#[derive(Debug, Default)]
pub(super) struct Slide {
    pub title: Words,
    pub blocks: Vec<Block>,
    /// Footer and date.
    pub foot: Vec<Block>,
    /// What was wrong with its XML.
    pub broken: Option<String>,
}

/// What the end of an open element does.
enum Frame {
    Plain,
    Shape,
    Paragraph,
    Run(TextStyle, Option<Arc<str>>, Option<SignFont>),
    Text,
    Table,
    Row,
    Cell,
    Alternate { is_taken: bool },
    Choice(usize),
}

/// A shape that is open.
#[derive(Default)]
struct Shape {
    place: Option<Placeholder>,
    levels: Levels,
    alternative: Option<String>,
    blocks: Vec<Block>,
    /// So much was said before it.
    said: usize,
    counters: [u32; LEVELS],
}

/// A paragraph that is open.
#[derive(Default)]
struct Paragraph {
    level: usize,
    bullet: Option<Bullet>,
    words: Words,
}

/// Where a slide gets what it does not say itself.
pub(super) struct Around<'s, 'a> {
    pub package: &'s mut Package<'a>,
    pub relations: &'s Relations,
    /// Layout, then master.
    pub layouts: &'s [Rc<Layout>],
}

struct Reading<'s, 'a> {
    around: Around<'s, 'a>,
    slide: Slide,
    frames: Vec<Frame>,
    shapes: Vec<Shape>,
    paragraph: Option<Paragraph>,
    /// Open tables; a cell holds text alone, so that there is hardly more than one.
    tables: Vec<Table>,
    style: TextStyle,
    link: Option<Arc<str>>,
    signs: Option<SignFont>,
    cells: usize,
    rows: usize,
    blocks: usize,
    drawings: usize,
    said: usize,
}

/// Reads a slide, or the notes of one.
pub(super) fn read_slide(source: &str, around: Around<'_, '_>) -> Slide {
    let mut reading = Reading {
        around,
        slide: Slide::default(),
        frames: Vec::new(),
        shapes: Vec::new(),
        paragraph: None,
        tables: Vec::new(),
        style: TextStyle::default(),
        link: None,
        signs: None,
        cells: 0,
        rows: 0,
        blocks: 0,
        drawings: 0,
        said: 0,
    };
    let mut reader = XmlReader::new(source);
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => {
                if let Some(frame) = reading.begin(&mut reader, &tag) {
                    reading.frames.push(frame);
                }
            }
            XmlEvent::Text { text, .. } => {
                if let Some(Frame::Text) = reading.frames.last() {
                    reading.say_text(&text);
                }
            }
            XmlEvent::End(_) => {
                if let Some(frame) = reading.frames.pop() {
                    reading.end(frame);
                }
            }
        }
    }
    reading.slide.broken = reader.broken().map(str::to_owned);
    reading.slide
}

impl Reading<'_, '_> {
    /// What the end of this element does; `None` where it was read to its end.
    fn begin(&mut self, reader: &mut XmlReader<'_>, tag: &Tag<'_>) -> Option<Frame> {
        match tag.name() {
            "sp" | "pic" | "graphicFrame" | "cxnSp" if self.shapes.len() < DEEPEST => {
                self.shapes.push(Shape { said: self.said, ..Shape::default() });
                return Some(Frame::Shape);
            }
            "cNvPr" => {
                if let Some(shape) = self.shapes.last_mut().filter(|shape| shape.alternative.is_none()) {
                    shape.alternative = tag.get("descr").and_then(|text| drawing::alternative(&text));
                }
            }
            "ph" => {
                if let Some(shape) = self.shapes.last_mut() {
                    shape.place = Some(Placeholder::of(tag));
                }
            }
            "lstStyle" => {
                let levels = read_levels(reader);
                if let Some(shape) = self.shapes.last_mut() {
                    shape.levels = levels;
                }
                return None;
            }
            "p" => {
                self.end_paragraph();
                self.paragraph = Some(Paragraph::default());
                return Some(Frame::Paragraph);
            }
            "pPr" => {
                self.set_paragraph(reader, tag);
                return None;
            }
            "r" | "fld" => return Some(Frame::Run(self.style, self.link.clone(), self.signs)),
            "rPr" => {
                self.set_run(reader, tag);
                return None;
            }
            "endParaRPr" | "bodyPr" | "extLst" | "spPr" | "style" | "transition" | "timing" | "tcPr"
            | "tblPr" | "tblGrid" => {
                reader.pass();
                return None;
            }
            "t" => return Some(Frame::Text),
            "br" => {
                self.say("\n");
                reader.pass();
                return None;
            }
            "tab" => self.say("\t"),
            "oMath" => {
                let equation = read_math(reader);
                self.say(&equation);
                return None;
            }
            _ => return self.begin_content(reader, tag),
        }
        Some(Frame::Plain)
    }

    /// Tables, drawings, branches.
    fn begin_content(&mut self, reader: &mut XmlReader<'_>, tag: &Tag<'_>) -> Option<Frame> {
        match tag.name() {
            "tbl" if self.tables.len() < DEEPEST => {
                self.tables.push(Table::default());
                return Some(Frame::Table);
            }
            "tr" if self.rows < MOST_CELLS => {
                self.rows += 1;
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(TableRow::default());
                    return Some(Frame::Row);
                }
            }
            "tc" if self.cells < MOST_CELLS => {
                if let Some(row) = self.tables.last_mut().and_then(|table| table.rows.last_mut()) {
                    let count =
                        |name: &str| tag.get(name).and_then(|value| value.parse().ok()).unwrap_or(1_u32);
                    let is_on = |name: &str| matches!(tag.get(name).as_deref(), Some("1" | "true"));
                    // Cells that others reach over are there, and empty.
                    if is_on("hMerge") || is_on("vMerge") {
                        reader.pass();
                        return None;
                    }
                    self.cells += 1;
                    let (columns, rows) =
                        (count("gridSpan").clamp(1, 1000), count("rowSpan").clamp(1, 100_000));
                    row.cells.push(TableCell { blocks: Vec::new(), columns, rows });
                    return Some(Frame::Cell);
                }
            }
            "chart" => self.add_drawing(tag.get("id"), drawing::chart),
            "relIds" => self.add_drawing(tag.get("dm"), drawing::diagram),
            "AlternateContent" => return Some(Frame::Alternate { is_taken: false }),
            "Choice" | "Fallback" => {
                if let Some(Frame::Alternate { is_taken: true }) = self.frames.last() {
                    reader.pass();
                    return None;
                }
                return Some(Frame::Choice(self.said));
            }
            _ => {}
        }
        Some(Frame::Plain)
    }

    fn end(&mut self, frame: Frame) {
        match frame {
            Frame::Plain | Frame::Text | Frame::Row | Frame::Alternate { .. } => {}
            Frame::Shape => self.end_shape(),
            Frame::Paragraph => self.end_paragraph(),
            Frame::Run(style, link, signs) => (self.style, self.link, self.signs) = (style, link, signs),
            Frame::Cell => self.end_paragraph(),
            Frame::Table => {
                if let Some(table) = self.tables.pop() {
                    self.put(Block::Table(table));
                }
            }
            Frame::Choice(said) => {
                let has_said = self.said > said;
                if let Some(Frame::Alternate { is_taken }) = self.frames.last_mut() {
                    *is_taken |= has_said;
                }
            }
        }
    }

    fn set_paragraph(&mut self, reader: &mut XmlReader<'_>, tag: &Tag<'_>) {
        let level = tag.get("lvl").and_then(|level| level.parse().ok()).unwrap_or(0_usize).min(LEVELS - 1);
        let mut bullet = None;
        let outer = reader.depth().saturating_sub(1);
        while reader.depth() > outer {
            match reader.next() {
                Some(XmlEvent::Start(tag)) => bullet = bullet.or_else(|| Bullet::of(&tag)),
                Some(_) => {}
                None => break,
            }
        }
        if let Some(paragraph) = &mut self.paragraph {
            (paragraph.level, paragraph.bullet) = (level, bullet);
        }
    }

    fn set_run(&mut self, reader: &mut XmlReader<'_>, tag: &Tag<'_>) {
        let is_on = |name: &str| matches!(tag.get(name).as_deref(), Some("1" | "true"));
        let mut style = TextStyle { strong: is_on("b"), emphasis: is_on("i"), ..TextStyle::default() };
        style.strike = tag.get("strike").is_some_and(|strike| strike != "noStrike");
        let (mut link, mut signs) = (None, None);
        let outer = reader.depth().saturating_sub(1);
        while reader.depth() > outer {
            match reader.next() {
                Some(XmlEvent::Start(tag)) => match tag.name() {
                    "latin" => {
                        let font = tag.get("typeface").unwrap_or_default();
                        style.code = is_monospaced(&font);
                        signs = signs.or_else(|| SignFont::of(&font));
                    }
                    "sym" => signs = tag.get("typeface").as_deref().and_then(SignFont::of).or(signs),
                    "hlinkClick" => link = tag.get("id"),
                    _ => {}
                },
                Some(_) => {}
                None => break,
            }
        }
        if !matches!(self.frames.last(), Some(Frame::Run(..))) {
            return;
        }
        let relation =
            link.and_then(|id| self.around.relations.get(&id)).filter(|relation| relation.is_external);
        self.link = relation.map(|relation| relation.target.clone());
        (self.style, self.signs) = (style, signs);
    }

    fn say_text(&mut self, text: &str) {
        let mut text = Cow::Borrowed(text);
        if text.contains(['\n', '\r', '\t', '\u{b}']) || text.contains("_x000D_") {
            let plain = text.replace(['\n', '\r', '\t'], " ");
            text = plain.replace("_x000D_", "").replace('\u{b}', "\n").into();
        }
        match self.signs {
            Some(signs) => self.say(&signs.text(&text)),
            None => self.say(&text),
        }
    }

    fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.said += 1;
        }
        let mut run = TextRun {
            text: text.to_owned(),
            style: self.style,
            link: self.link.clone(),
            ..TextRun::default()
        };
        if let Some(Paragraph { words, .. }) = &mut self.paragraph {
            if words.0.len() >= MOST_RUNS
                && let Some(last) = words.0.last()
            {
                (run.style, run.link) = (last.style, last.link.clone());
            }
            words.push(run);
        }
    }

    fn end_paragraph(&mut self) {
        let Some(paragraph) = self.paragraph.take().filter(|paragraph| !paragraph.words.is_blank()) else {
            return;
        };
        let marker = self.marker(&paragraph);
        let words = paragraph.words;
        self.put(match marker {
            Some(marker) => Block::Item { depth: paragraph.level as u8, marker: Some(marker), words },
            None => Block::Paragraph(words),
        });
    }

    /// What stands in front of a paragraph, as itself, its shape, the layout or the master says.
    fn marker(&mut self, paragraph: &Paragraph) -> Option<ItemMarker> {
        if !self.tables.is_empty() {
            return None;
        }
        let shape = self.shapes.last_mut()?;
        let level = paragraph.level;
        let place = shape.place.as_ref();
        if place.is_some_and(Placeholder::is_title) {
            return None;
        }
        let own = paragraph.bullet.as_ref().or(shape.levels[level].as_ref());
        let inherited = || {
            let place = place?;
            let of_place = self.around.layouts.iter().find_map(|layout| layout.bullet(place, level));
            let of_body = || self.around.layouts.iter().find_map(|layout| layout.body(level));
            of_place.or_else(|| place.is_body().then(of_body).flatten())
        };
        let bullet = own.or_else(inherited).cloned();
        shape.counters[level + 1..].fill(0);
        match bullet? {
            Bullet::None => {
                shape.counters[level] = 0;
                None
            }
            Bullet::Sign => {
                shape.counters[level] = 0;
                Some(ItemMarker::Bullet)
            }
            Bullet::Number(kind, start) => {
                let value = start.saturating_add(shape.counters[level]);
                shape.counters[level] = shape.counters[level].saturating_add(1);
                Some(ItemMarker::Number(number(&kind, value)))
            }
        }
    }

    /// Puts a block into the open cell or shape.
    fn put(&mut self, block: Block) {
        self.blocks += 1;
        let cell = self.tables.last_mut().and_then(|table| table.rows.last_mut()?.cells.last_mut());
        let blocks = match (cell, self.shapes.last_mut()) {
            (Some(cell), _) => &mut cell.blocks,
            (None, Some(shape)) => &mut shape.blocks,
            (None, None) => &mut self.slide.blocks,
        };
        add(blocks, block, self.blocks > MOST_BLOCKS);
    }

    fn end_shape(&mut self) {
        self.end_paragraph();
        let Some(mut shape) = self.shapes.pop() else { return };
        if self.said == shape.said
            && let Some(text) = shape.alternative.take()
        {
            self.said += 1;
            shape.blocks.push(Block::Paragraph(Words(vec![drawing::image(&text)])));
        }
        if !self.shapes.is_empty() {
            return shape.blocks.into_iter().for_each(|block| self.put(block));
        }
        let kind = shape.place.as_ref().map_or("", |place| place.kind.as_str());
        match kind {
            "sldNum" | "sldImg" => {}
            "dt" | "ftr" | "hdr" => self.slide.foot.append(&mut shape.blocks),
            "title" | "ctrTitle" if self.slide.title.is_blank() => {
                for block in shape.blocks {
                    match block {
                        Block::Paragraph(words) => {
                            if !self.slide.title.0.is_empty() {
                                self.slide.title.push_plain(" ");
                            }
                            words.0.into_iter().for_each(|run| self.slide.title.push(run));
                        }
                        other => self.slide.blocks.push(other),
                    }
                }
            }
            _ => {
                for block in shape.blocks {
                    add(&mut self.slide.blocks, block, self.blocks > MOST_BLOCKS);
                }
            }
        }
    }

    /// A chart or diagram.
    fn add_drawing(&mut self, id: Option<String>, read: fn(&mut Package<'_>, &str) -> Vec<Block>) {
        let Some(part) = id.and_then(|id| self.around.relations.part(&id)).cloned() else { return };
        self.drawings += 1;
        if self.drawings <= MOST_DRAWINGS {
            let blocks = read(self.around.package, &part);
            self.said += blocks.len();
            blocks.into_iter().for_each(|block| self.put(block));
        }
    }
}

/// Adds a block; as a line of the last one where there are too many.
fn add(blocks: &mut Vec<Block>, block: Block, is_full: bool) {
    match (blocks.last_mut(), block) {
        (
            Some(Block::Paragraph(words) | Block::Item { words, .. }),
            Block::Paragraph(more) | Block::Item { words: more, .. },
        ) if is_full => {
            words.push_plain("\n");
            words.push_plain(&more.to_plain());
        }
        (_, block) => blocks.push(block),
    }
}
