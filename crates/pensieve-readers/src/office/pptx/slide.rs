//! A slide, or the notes of one: its shapes in the order of the file, which screen readers follow too, unless all are free and
//! are seen in another.
//!
//! Every open element has an [`OpenElement`] with the action of its end, so groups need no recursion. Source:
//! ECMA-376 part 1, sections 19.3 (slides), 20.1 and 21.1 (shapes, text, tables).

use super::backdrop::{self, WordColour};
use super::bullets::{
    BulletFormat, LEVEL_COUNT, LayoutBullets, LevelBullets, Placeholder, number, read_levels,
};
use super::drawings::DrawingKind;
use crate::limits::pptx::{MAX_BLOCKS, MAX_DRAWINGS, MAX_PARAGRAPH_RUNS, MAX_SHAPE_DEPTH, MAX_TABLE_CELLS};
use crate::markdown::{
    BaselineShift, Block, ItemMarker, Table, TableCell, TableRow, TextRun, TextStyle, Words,
};
use crate::office::story::{Paragraph, flatten_code};
use crate::shared::formula::{formula_run, read_equations, read_office_math};
use crate::shared::opc::{OpcPackage, Relationships, drawing};
use crate::shared::slide_order::{Frame, seen_order};
use crate::shared::symbols::{SymbolFont, is_monospaced};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use pensieve_text::model::{FoldKind, HiddenReason, Visibility};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// The text of a slide.
#[derive(Debug, Default)]
pub(super) struct SlideContent {
    pub title: Words,
    pub blocks: Vec<Block>,
    /// Footer and date.
    pub footer: Vec<Block>,
    /// Charts and diagrams.
    pub drawings: Vec<Block>,
    /// Texts of shapes that are hidden or lie beside the slide, and words that nobody can see.
    pub hidden: Vec<(HiddenReason, String)>,
    /// Set if the slide is left out of the show.
    pub fold: Option<Visibility>,
    /// What is broken in its XML.
    pub broken: Option<String>,
}

/// The action at the end of an open element.
enum OpenElement {
    Plain,
    Shape,
    Paragraph,
    Run(TextStyle, Option<Arc<str>>, Option<SymbolFont>, Option<HiddenReason>),
    Text,
    Table,
    Row,
    Cell,
    Alternate {
        is_taken: bool,
    },
    Choice(usize),
    /// A group of shapes, and why it is hidden.
    Group(Option<HiddenReason>),
}

/// A shape that is open.
#[derive(Default)]
struct OpenShape {
    place: Option<Placeholder>,
    levels: LevelBullets,
    alternative: Option<String>,
    hidden: Option<HiddenReason>,
    frame: Option<Frame>,
    blocks: Vec<Block>,
    /// The amount of content before it.
    content_count: usize,
    counters: [u32; LEVEL_COUNT],
}

/// A paragraph that is open.
#[derive(Default)]
struct OpenParagraph {
    level: usize,
    bullet: Option<BulletFormat>,
    words: Words,
}

/// The package and layouts from which a slide inherits.
pub(super) struct SlideContext<'s, 'a> {
    pub package: &'s mut OpcPackage<'a>,
    pub relations: &'s Relationships,
    /// Layout, then master.
    pub layouts: &'s [Rc<LayoutBullets>],
    /// Width and height of the slide, in EMU, if what lies beside it is not shown.
    pub size: Option<(i64, i64)>,
}

struct SlideReader<'s, 'a> {
    context: SlideContext<'s, 'a>,
    slide: SlideContent,
    open_elements: Vec<OpenElement>,
    shapes: Vec<OpenShape>,
    /// The blocks of complete shapes, and where they are if no layout says it.
    placed: Vec<(Option<Frame>, Vec<Block>)>,
    paragraph: Option<OpenParagraph>,
    /// Open tables; a cell contains only text, so there is hardly ever more than one.
    tables: Vec<Table>,
    style: TextStyle,
    link: Option<Arc<str>>,
    symbol_font: Option<SymbolFont>,
    /// Why nobody can see the words of the run.
    hidden_run: Option<HiddenReason>,
    source: &'s str,
    /// Nothing but paper can be behind words, once that was asked.
    is_plain: Option<bool>,
    cells: usize,
    rows: usize,
    blocks: usize,
    drawings: usize,
    content_count: usize,
}

/// Reads a slide, or the notes of one.
pub(super) fn read_slide<'s>(source: &'s str, context: SlideContext<'s, '_>) -> SlideContent {
    let mut reading = SlideReader {
        context,
        slide: SlideContent::default(),
        open_elements: Vec::new(),
        shapes: Vec::new(),
        placed: Vec::new(),
        paragraph: None,
        tables: Vec::new(),
        style: TextStyle::default(),
        link: None,
        symbol_font: None,
        hidden_run: None,
        source,
        is_plain: None,
        cells: 0,
        rows: 0,
        blocks: 0,
        drawings: 0,
        content_count: 0,
    };
    let mut reader = XmlReader::new(source);
    while let Some(event) = reader.next() {
        match event {
            XmlEvent::Start(tag) => {
                if let Some(element) = reading.begin(&mut reader, &tag) {
                    reading.open_elements.push(element);
                }
            }
            XmlEvent::Text { text, .. } => {
                if let Some(OpenElement::Text) = reading.open_elements.last() {
                    reading.push_characters(&text);
                }
            }
            XmlEvent::End(_) => {
                if let Some(element) = reading.open_elements.pop() {
                    reading.end(element);
                }
            }
        }
    }
    reading.place_shapes();
    reading.slide.broken = reader.broken().map(str::to_owned);
    reading.slide
}

impl SlideReader<'_, '_> {
    /// The action at the end of this element; `None` if the element was already read to its end.
    fn begin(&mut self, reader: &mut XmlReader<'_>, tag: &XmlTag<'_>) -> Option<OpenElement> {
        match tag.name() {
            "sp" | "pic" | "graphicFrame" | "cxnSp" if self.shapes.len() < MAX_SHAPE_DEPTH => {
                self.shapes.push(OpenShape { content_count: self.content_count, ..OpenShape::default() });
                return Some(OpenElement::Shape);
            }
            "grpSp" => return Some(OpenElement::Group(None)),
            "sld" if matches!(tag.get("show").as_deref(), Some("0" | "false")) => {
                self.slide.fold = Some(Visibility::Folded(FoldKind::Slide));
            }
            "cNvPr" => {
                self.hide(is_on(tag, "hidden").then_some(HiddenReason::NotDisplayed));
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
                self.paragraph = Some(OpenParagraph::default());
                return Some(OpenElement::Paragraph);
            }
            "pPr" => {
                self.set_paragraph(reader, tag);
                return None;
            }
            "r" | "fld" => {
                let outer = (self.style, self.link.clone(), self.symbol_font, self.hidden_run);
                return Some(OpenElement::Run(outer.0, outer.1, outer.2, outer.3));
            }
            "rPr" => {
                self.set_run(reader, tag);
                return None;
            }
            "spPr" | "xfrm" => {
                let frame = read_frame(reader);
                self.hide(self.is_beside(frame).then_some(HiddenReason::OffPage));
                if let Some(shape) = self.shapes.last_mut() {
                    shape.frame = shape.frame.or(frame);
                }
                return None;
            }
            "endParaRPr" | "bodyPr" | "extLst" | "style" | "transition" | "timing" | "tcPr" | "tblPr"
            | "tblGrid" => {
                reader.pass();
                return None;
            }
            "t" => return Some(OpenElement::Text),
            "br" => {
                self.push_text("\n");
                reader.pass();
                return None;
            }
            "tab" => self.push_text("\t"),
            "oMath" => {
                let equation = read_office_math(reader);
                self.push_run(formula_run(&equation, false));
                return None;
            }
            "oMathPara" => {
                for equation in read_equations(reader) {
                    self.push_run(formula_run(&equation, true));
                }
                return None;
            }
            _ => return self.begin_content(reader, tag),
        }
        Some(OpenElement::Plain)
    }

    /// Tables, drawings, alternatives.
    fn begin_content(&mut self, reader: &mut XmlReader<'_>, tag: &XmlTag<'_>) -> Option<OpenElement> {
        match tag.name() {
            "tbl" if self.tables.len() < MAX_SHAPE_DEPTH => {
                self.tables.push(Table::default());
                return Some(OpenElement::Table);
            }
            "tr" if self.rows < MAX_TABLE_CELLS => {
                self.rows += 1;
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(TableRow::default());
                    return Some(OpenElement::Row);
                }
            }
            "tc" if self.cells < MAX_TABLE_CELLS => {
                if let Some(row) = self.tables.last_mut().and_then(|table| table.rows.last_mut()) {
                    let count =
                        |name: &str| tag.get(name).and_then(|value| value.parse().ok()).unwrap_or(1_u32);
                    // Cells that a merged cell covers are in the file, but empty.
                    if is_on(tag, "hMerge") || is_on(tag, "vMerge") {
                        reader.pass();
                        return None;
                    }
                    self.cells += 1;
                    let (columns, rows) =
                        (count("gridSpan").clamp(1, 1000), count("rowSpan").clamp(1, 100_000));
                    row.cells.push(TableCell { blocks: Vec::new(), columns, rows });
                    return Some(OpenElement::Cell);
                }
            }
            "chart" => self.add_drawing(tag.get("id"), DrawingKind::Chart),
            "relIds" => self.add_drawing(tag.get("dm"), DrawingKind::Diagram),
            "AlternateContent" => return Some(OpenElement::Alternate { is_taken: false }),
            "Choice" | "Fallback" => {
                if let Some(OpenElement::Alternate { is_taken: true }) = self.open_elements.last() {
                    reader.pass();
                    return None;
                }
                return Some(OpenElement::Choice(self.content_count));
            }
            _ => {}
        }
        Some(OpenElement::Plain)
    }

    fn end(&mut self, element: OpenElement) {
        match element {
            OpenElement::Plain
            | OpenElement::Text
            | OpenElement::Row
            | OpenElement::Alternate { .. }
            | OpenElement::Group(_) => {}
            OpenElement::Shape => self.end_shape(),
            OpenElement::Paragraph => self.end_paragraph(),
            OpenElement::Run(style, link, symbol_font, hidden) => {
                (self.style, self.link, self.symbol_font, self.hidden_run) =
                    (style, link, symbol_font, hidden)
            }
            OpenElement::Cell => self.end_paragraph(),
            OpenElement::Table => {
                if let Some(mut table) = self.tables.pop() {
                    flatten_code(&mut table);
                    self.put(Block::Table(table));
                }
            }
            OpenElement::Choice(content_count) => {
                let has_content = self.content_count > content_count;
                if let Some(OpenElement::Alternate { is_taken }) = self.open_elements.last_mut() {
                    *is_taken |= has_content;
                }
            }
        }
    }

    /// Hides the open shape, or the open group if no shape is open.
    fn hide(&mut self, reason: Option<HiddenReason>) {
        match self.shapes.last_mut() {
            Some(shape) => shape.hidden = shape.hidden.or(reason),
            None => {
                if let Some(OpenElement::Group(known)) =
                    self.open_elements.iter_mut().rfind(|open| matches!(open, OpenElement::Group(_)))
                {
                    *known = known.or(reason);
                }
            }
        }
    }

    /// Reads the properties or the place of a shape; true if it lies beside the slide. Shapes in groups have places of their own, which are
    /// not followed.
    fn is_beside(&self, frame: Option<Frame>) -> bool {
        let is_grouped = self.open_elements.iter().any(|open| matches!(open, OpenElement::Group(_)));
        let Some(([x, y, width, height], (right, bottom))) =
            frame.zip(self.context.size).filter(|_| !is_grouped)
        else {
            return false;
        };
        let is_outside =
            |start: i64, length: i64, end: i64| start >= end || start.saturating_add(length.max(1)) <= 0;
        is_outside(x, width, right) || is_outside(y, height, bottom)
    }

    fn set_paragraph(&mut self, reader: &mut XmlReader<'_>, tag: &XmlTag<'_>) {
        let level =
            tag.get("lvl").and_then(|level| level.parse().ok()).unwrap_or(0_usize).min(LEVEL_COUNT - 1);
        let mut bullet = None;
        let outer = reader.outer_depth();
        while let Some(tag) = reader.next_tag_inside(outer) {
            bullet = bullet.or_else(|| BulletFormat::of(&tag))
        }
        if let Some(paragraph) = &mut self.paragraph {
            (paragraph.level, paragraph.bullet) = (level, bullet);
        }
    }

    fn set_run(&mut self, reader: &mut XmlReader<'_>, tag: &XmlTag<'_>) {
        let mut style =
            TextStyle { strong: is_on(tag, "b"), emphasis: is_on(tag, "i"), ..TextStyle::default() };
        style.strike = tag.get("strike").is_some_and(|strike| strike != "noStrike");
        style.shift = BaselineShift::written(&tag.get("baseline").unwrap_or_default());
        let (mut link, mut symbol_font) = (None, None);
        // Sizes are hundredths of a point; type under two points is a dot beside all that is read.
        let size = tag.get("sz").and_then(|size| size.parse::<u32>().ok());
        let is_tiny = size.is_some_and(|size| size < 200);
        let (mut colour, mut fills) = (WordColour::Other, 0);
        let outer = reader.outer_depth();
        while let Some(tag) = reader.next_tag_inside(outer) {
            match tag.name() {
                "latin" => {
                    let font = tag.get("typeface").unwrap_or_default();
                    style.code = is_monospaced(&font);
                    symbol_font = symbol_font.or_else(|| SymbolFont::of(&font));
                }
                "sym" => {
                    symbol_font = tag.get("typeface").as_deref().and_then(SymbolFont::of).or(symbol_font)
                }
                "hlinkClick" => link = tag.get("id"),
                "solidFill" => fills += 1,
                // Lines and marks around words show them.
                "ln" | "highlight" | "gradFill" | "effectLst" => fills += 2,
                name if fills == 1 && name.ends_with("Clr") => {
                    colour = WordColour::of(name, &tag.get("val").unwrap_or_default());
                }
                _ => {}
            }
        }
        if fills > 1 {
            colour = WordColour::Other;
        }
        if !matches!(self.open_elements.last(), Some(OpenElement::Run(..))) {
            return;
        }
        let relation =
            link.and_then(|id| self.context.relations.get(&id)).filter(|relation| relation.is_external);
        self.link = relation.map(|relation| relation.target.clone());
        (self.style, self.symbol_font) = (style, symbol_font);
        self.hidden_run = match colour {
            _ if is_tiny => Some(HiddenReason::Tiny),
            WordColour::Other => None,
            colour => self.is_on_paper(colour).then_some(HiddenReason::SameColour),
        };
    }

    /// True if words of this colour are on paper of the same colour: neither the slide nor its layout and its master paint
    /// anything. Notes have no layouts and are on no paper.
    fn is_on_paper(&mut self, colour: WordColour) -> bool {
        let layouts = self.context.layouts;
        let is_known = layouts.len() == 2 && layouts.iter().all(|layout| layout.is_plain);
        let is_white = || layouts.iter().any(|layout| layout.is_white);
        is_known
            && (colour == WordColour::Paper || is_white())
            && *self.is_plain.get_or_insert_with(|| backdrop::is_plain(self.source))
    }

    fn push_characters(&mut self, text: &str) {
        let mut text = Cow::Borrowed(text);
        if text.contains(['\n', '\r', '\t', '\u{b}']) || text.contains("_x000D_") {
            let plain = text.replace(['\n', '\r', '\t'], " ");
            text = plain.replace("_x000D_", "").replace('\u{b}', "\n").into();
        }
        match self.symbol_font {
            Some(symbol_font) => self.push_text(&symbol_font.text(&text)),
            None => self.push_text(&text),
        }
    }

    fn push_text(&mut self, text: &str) {
        self.push_run(TextRun { text: text.to_owned(), ..TextRun::default() });
    }

    /// Adds words, which get the current style and link.
    fn push_run(&mut self, content: TextRun) {
        if let Some(reason) = self.hidden_run {
            self.slide.hidden.push((reason, content.text));
            return;
        }
        if !content.text.trim().is_empty() {
            self.content_count += 1;
        }
        let run = TextRun { style: self.style, link: self.link.clone(), ..content };
        if let Some(OpenParagraph { words, .. }) = &mut self.paragraph {
            let is_full = words.0.len() >= MAX_PARAGRAPH_RUNS;
            words.push_within(run, is_full);
        }
    }

    fn end_paragraph(&mut self) {
        let Some(paragraph) = self.paragraph.take().filter(|paragraph| !paragraph.words.is_blank()) else {
            return;
        };
        let item = self.marker(&paragraph).map(|marker| (paragraph.level as u8, Some(marker)));
        let block = Paragraph { item, words: paragraph.words, ..Paragraph::default() }.into_block();
        block.into_iter().for_each(|block| self.put(block));
    }

    /// The bullet or number of a paragraph, as set by the paragraph, its shape, the layout or the master.
    fn marker(&mut self, paragraph: &OpenParagraph) -> Option<ItemMarker> {
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
            let of_place = self.context.layouts.iter().find_map(|layout| layout.bullet(place, level));
            let of_body = || self.context.layouts.iter().find_map(|layout| layout.body(level));
            of_place.or_else(|| place.is_body().then(of_body).flatten())
        };
        let bullet = own.or_else(inherited).cloned();
        shape.counters[level + 1..].fill(0);
        match bullet? {
            BulletFormat::None => {
                shape.counters[level] = 0;
                None
            }
            BulletFormat::Symbol => {
                shape.counters[level] = 0;
                Some(ItemMarker::Bullet)
            }
            BulletFormat::Number(placeholder_type, start) => {
                let value = start.saturating_add(shape.counters[level]);
                shape.counters[level] = shape.counters[level].saturating_add(1);
                Some(ItemMarker::Number(number(&placeholder_type, value)))
            }
        }
    }

    /// Adds a block to the open cell or shape.
    fn put(&mut self, block: Block) {
        self.blocks += 1;
        let cell = self.tables.last_mut().and_then(|table| table.rows.last_mut()?.cells.last_mut());
        let blocks = match (cell, self.shapes.last_mut()) {
            (Some(cell), _) => &mut cell.blocks,
            (None, Some(shape)) => &mut shape.blocks,
            (None, None) => &mut self.slide.blocks,
        };
        add(blocks, block, self.blocks > MAX_BLOCKS);
    }

    fn end_shape(&mut self) {
        self.end_paragraph();
        let Some(mut shape) = self.shapes.pop() else { return };
        let is_title = shape.place.as_ref().is_some_and(Placeholder::is_title);
        let of_group = |open: &OpenElement| match open {
            OpenElement::Group(reason) => *reason,
            _ => None,
        };
        let hidden = shape.hidden.or_else(|| self.open_elements.iter().find_map(of_group));
        // A title beside the slide names it for those who cannot see it; PowerPoint puts it there.
        if let Some(reason) = hidden.filter(|_| !is_title) {
            self.slide.hidden.extend(shape.blocks.iter().map(|block| (reason, plain_text(block))));
            return;
        }
        if self.content_count == shape.content_count
            && let Some(text) = shape.alternative.take()
        {
            self.content_count += 1;
            shape.blocks.push(Block::Paragraph(Words(vec![drawing::image(&text)])));
        }
        if !self.shapes.is_empty() {
            return shape.blocks.into_iter().for_each(|block| self.put(block));
        }
        let placeholder_type = shape.place.as_ref().map_or("", |place| place.placeholder_type.as_str());
        match placeholder_type {
            "sldNum" | "sldImg" => {}
            "dt" | "ftr" | "hdr" => self.slide.footer.append(&mut shape.blocks),
            "title" | "ctrTitle" if self.slide.title.is_blank() => {
                let (title, other): (Vec<_>, Vec<_>) =
                    shape.blocks.into_iter().partition(|block| block.words().is_some());
                self.slide.title = Words::joined(&title);
                self.slide.blocks.extend(other);
            }
            _ if shape.blocks.is_empty() => {}
            _ => {
                let is_free = shape.place.is_none()
                    && !self.open_elements.iter().any(|open| matches!(open, OpenElement::Group(_)));
                self.placed.push((shape.frame.filter(|_| is_free), shape.blocks));
            }
        }
    }

    /// Adds the blocks of all shapes in the order in which they are seen.
    fn place_shapes(&mut self) {
        let mut placed = std::mem::take(&mut self.placed);
        let frames: Vec<_> = placed.iter().map(|(frame, _)| *frame).collect();
        let order = seen_order(&frames).unwrap_or_else(|| (0..placed.len()).collect());
        for block in order.into_iter().flat_map(|at| std::mem::take(&mut placed[at].1)) {
            let is_full = self.slide.blocks.len() >= MAX_BLOCKS;
            add(&mut self.slide.blocks, block, is_full);
        }
    }

    fn add_drawing(&mut self, id: Option<String>, kind: DrawingKind) {
        let Some(part) = id.and_then(|id| self.context.relations.part(&id)).cloned() else { return };
        self.drawings += 1;
        if self.drawings <= MAX_DRAWINGS {
            let mut blocks = kind.read(self.context.package, &part);
            self.content_count += blocks.len();
            self.slide.drawings.append(&mut blocks);
        }
    }
}

/// The words of a paragraph or item.
pub(super) fn plain_text(block: &Block) -> String {
    block.words().map(|words| words.to_plain().trim().to_owned()).unwrap_or_default()
}

fn is_on(tag: &XmlTag<'_>, name: &str) -> bool {
    matches!(tag.get(name).as_deref(), Some("1" | "true"))
}

/// The place of a shape, from the element that has begun, which is read to its end.
fn read_frame(reader: &mut XmlReader<'_>) -> Option<Frame> {
    let (mut from, mut extent) = (None, None);
    let outer = reader.outer_depth();
    while let Some(tag) = reader.next_tag_inside(outer) {
        match tag.name() {
            "off" if from.is_none() => from = numbers(&tag, ["x", "y"]),
            "ext" if extent.is_none() => extent = numbers(&tag, ["cx", "cy"]),
            _ => {}
        }
    }
    let ([x, y], [width, height]) = from.zip(extent)?;
    Some([x, y, width, height])
}

/// Two numbers of a tag.
fn numbers(tag: &XmlTag<'_>, names: [&str; 2]) -> Option<[i64; 2]> {
    let number = |name: &str| tag.get(name)?.parse().ok();
    Some([number(names[0])?, number(names[1])?])
}

/// Adds a block; as a line of the last one if there are too many.
fn add(blocks: &mut Vec<Block>, block: Block, is_full: bool) {
    if !blocks.last_mut().is_some_and(|last| last.absorb(&block, is_full)) {
        blocks.push(block);
    }
}
