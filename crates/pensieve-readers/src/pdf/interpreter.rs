//! Runs content streams as far as text needs it: transforms, text state, fonts, forms and marked content. Of paths,
//! colours and images only the position and the visibility matter. Source: ISO 32000-2, 8.2 to 8.6 (operators, state,
//! paths, colours), 9.3 and 9.4 (text), 14.6 (marked content).

use super::budget::DocumentBudget;
use super::font::{FontTable, GlyphText, PdfFont};
use super::geometry::{Bounds, Matrix};
use super::layers::LayerVisibility;
use super::open_span::PlacedGlyph;
use super::shapes::{PathPaint, ShapeCollector};
use super::spans::SpanCollector;
use super::strings;
use super::structure::StructureTags;
use super::visibility::{CurrentColour, PaintState, PaintedAreas};
use crate::limits::pdf::{MAX_FORM_DEPTH, MAX_MARKED_CONTENT_DEPTH, MAX_SAVED_STATES};
use hayro_font::hayro_syntax::content::{Instruction, UntypedIter};
use hayro_font::hayro_syntax::object::{Dict, Name, Object, Rect, Stream};
use hayro_font::hayro_syntax::page::Resources;
use pensieve_text::layout::TextTag;
use pensieve_text::model::HiddenReason;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Longer replacement texts replace whole paragraphs and have no information on lines.
const MAX_ACTUAL_TEXT_CHARS: usize = 48;

/// The scale of letters that have no width, so that they have a place and can be listed.
const NO_WIDTH: f64 = 1e-3;

#[derive(Clone)]
struct GraphicsState<'a> {
    matrix: Matrix,
    font: Option<Rc<PdfFont<'a>>>,
    size: f64,
    character_spacing: f64,
    word_spacing: f64,
    scale: f64,
    leading: f64,
    rise: f64,
    mode: i64,
    paint: PaintState,
}

impl GraphicsState<'_> {
    fn new(matrix: Matrix, paint: PaintState) -> Self {
        GraphicsState {
            matrix,
            font: None,
            size: 0.0,
            character_spacing: 0.0,
            word_spacing: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            mode: 0,
            paint,
        }
    }
}

/// A level of marked content.
struct MarkedContent {
    actual_text: Option<Rc<str>>,
    is_hidden: bool,
    tag: Option<TextTag>,
}

/// Runs the content streams of a document.
pub(super) struct ContentInterpreter<'a, 'd> {
    pub(super) fonts: &'d mut FontTable<'a>,
    pub(super) budget: &'d mut DocumentBudget,
    pub(super) layers: &'d LayerVisibility,
    pub(super) spans: &'d mut SpanCollector,
    pub(super) shapes: &'d mut ShapeCollector,
    pub(super) tags: &'d StructureTags,
    /// The areas of the page.
    pub(super) areas: &'d mut PaintedAreas,
    /// How a stream begins to paint: forms inherit it from where they are drawn.
    pub(super) paint: PaintState,
}

impl<'a> ContentInterpreter<'a, '_> {
    /// Runs a stream that is nested in `depth` forms.
    pub(super) fn run(&mut self, data: &[u8], resources: &Resources<'a>, matrix: Matrix, depth: usize) {
        let mut run = ContentRun {
            resources,
            depth,
            state: GraphicsState::new(matrix, self.paint),
            saved: Vec::new(),
            unsaved_states: 0,
            line: Matrix::IDENTITY,
            text: Matrix::IDENTITY,
            marks: Vec::new(),
            deeper_marks: 0,
            fonts: FxHashMap::default(),
            clips: false,
        };
        let mut operators = UntypedIter::new(self.budget.readable(data));
        while let Some(instruction) = operators.next() {
            if !self.budget.take_operators(1) {
                break;
            }
            self.step(&mut run, &instruction);
        }
        self.spans.break_here();
    }

    fn step(&mut self, run: &mut ContentRun<'a, '_>, instruction: &Instruction<'_, '_>) {
        let operator: &[u8] = instruction.operator;
        match operator {
            b"q" => run.save(),
            b"Q" => run.restore(),
            b"cm" => {
                if let Some(matrix) = matrix_of(instruction) {
                    run.state.matrix = matrix.then(&run.state.matrix);
                }
            }
            b"BT" => (run.text, run.line) = (Matrix::IDENTITY, Matrix::IDENTITY),
            b"Tf" => self.set_font(run, instruction),
            b"gs" => self.set_parameters(run, instruction),
            b"Tj" | b"'" | b"\"" | b"TJ" => self.show_operands(run, operator, instruction),
            b"Do" => self.draw(run, instruction),
            b"BDC" | b"BMC" => self.begin_mark(run, instruction),
            b"EMC" => {
                run.deeper_marks = match run.deeper_marks {
                    0 => run.marks.pop().map_or(0, |_| 0),
                    unsaved_states => unsaved_states - 1,
                };
                self.spans.end_actual_text();
            }
            b"m" | b"l" | b"c" | b"v" | b"y" | b"re" => self.add_to_path(run, operator, instruction),
            b"f" | b"F" | b"f*" | b"S" | b"s" | b"B" | b"B*" | b"b" | b"b*" | b"n" => {
                self.paint(run, operator)
            }
            b"W" | b"W*" => run.clips = true,
            b"sh" => self.areas.picture(run.state.paint.clip, &run.state.paint, false),
            b"BI" => self.areas.picture(unit_square(&run.state.matrix), &run.state.paint, false),
            b"cs" | b"CS" => run.set_colour_space(operator, instruction),
            b"g" | b"rg" | b"k" | b"sc" | b"scn" | b"G" | b"RG" | b"K" | b"SC" | b"SCN" => {
                run.set_colour(operator, instruction);
            }
            _ => run.set_text_state(operator, instruction),
        }
    }

    /// Adds to the path in page coordinates; of curves only the end point.
    fn add_to_path(&mut self, run: &ContentRun<'a, '_>, operator: &[u8], instruction: &Instruction<'_, '_>) {
        if self.shapes.is_full() {
            return;
        }
        let mut numbers = [0.0; 6];
        let mut count = 0;
        for (slot, operand) in numbers.iter_mut().zip(instruction.operands()) {
            let Some(value) = number(operand) else { return };
            *slot = value;
            count += 1;
        }
        let matrix = &run.state.matrix;
        match (operator, count) {
            (b"m", 2) => self.shapes.move_to(matrix, numbers[0], numbers[1]),
            (b"re", 4) => self.shapes.rectangle(matrix, [numbers[0], numbers[1], numbers[2], numbers[3]]),
            (b"l", 2) => self.shapes.line_to(matrix, numbers[0], numbers[1], false),
            (_, 4 | 6) => self.shapes.line_to(matrix, numbers[count - 2], numbers[count - 1], true),
            _ => {}
        }
    }

    fn paint(&mut self, run: &mut ContentRun<'a, '_>, operator: &[u8]) {
        let is_hidden = run.marks.iter().any(|mark| mark.is_hidden);
        let fills = matches!(operator[0], b'f' | b'F' | b'B' | b'b');
        let strokes = matches!(operator[0], b'S' | b's' | b'B' | b'b');
        if !self.shapes.knows_path() {
            self.areas.give_up();
        }
        if fills && !is_hidden {
            self.areas.fill(self.shapes.path(), &run.state.paint);
        } else if strokes && !is_hidden {
            self.areas.stroke(self.shapes.path(), &run.state.paint);
        }
        if std::mem::take(&mut run.clips) {
            run.state.paint.clip_to(self.shapes.path());
        }
        self.shapes.paint(PathPaint {
            fills: fills && run.state.paint.fill.shows() && !is_hidden,
            strokes: strokes && run.state.paint.stroke.shows() && !is_hidden,
        });
    }

    fn set_font(&mut self, run: &mut ContentRun<'a, '_>, instruction: &Instruction<'_, '_>) {
        let mut operands = instruction.operands();
        let (Some(Object::Name(name)), Some(size)) = (operands.next(), operands.next()) else { return };
        run.state.size = number(size).unwrap_or_default();
        if let Some(font) = run.fonts.get(name.as_ref() as &[u8]) {
            run.state.font = font.clone();
            return;
        }
        let font = run.resources.get_font(name).map(|dict| self.fonts.get(&dict));
        run.fonts.insert(name.as_ref().to_vec(), font.clone());
        run.state.font = font;
    }

    fn set_parameters(&mut self, run: &mut ContentRun<'a, '_>, instruction: &Instruction<'_, '_>) {
        let Some(Object::Name(name)) = instruction.operands().next() else { return };
        let Some(parameters) = run.resources.get_ext_g_state(name) else { return };
        let paint = &mut run.state.paint;
        paint.opacity = parameters.get::<f64>("ca").unwrap_or(paint.opacity);
        if parameters.contains_key("BM") {
            let mode = parameters.get::<Name<'_>>("BM");
            paint.is_plain = matches!(mode.as_deref(), Some(b"Normal" | b"Compatible"));
        }
        if let Some(mask) = parameters.get::<Object<'_>>("SMask") {
            paint.is_plain &= matches!(mask, Object::Name(name) if name.as_ref() as &[u8] == b"None");
        }
        let Some(font) = parameters.get::<hayro_font::hayro_syntax::object::Array<'a>>("Font") else {
            return;
        };
        let mut items = font.flex_iter();
        if let (Some(dict), Some(size)) = (items.next::<Dict<'a>>(), items.next::<f64>()) {
            run.state.font = Some(self.fonts.get(&dict));
            run.state.size = size;
        }
    }

    fn show_operands(
        &mut self,
        run: &mut ContentRun<'a, '_>,
        operator: &[u8],
        instruction: &Instruction<'_, '_>,
    ) {
        let operands: [Option<&Object<'_>>; 3] = {
            let mut operands = instruction.operands();
            [operands.next(), operands.next(), operands.next()]
        };
        let shown = match operator {
            b"\"" => {
                run.state.word_spacing = operands[0].and_then(number).unwrap_or_default();
                run.state.character_spacing = operands[1].and_then(number).unwrap_or_default();
                operands[2]
            }
            _ => operands[0],
        };
        if matches!(operator, b"'" | b"\"") {
            run.next_line(0.0, -run.state.leading);
        }
        match shown {
            Some(Object::String(text)) => self.show(run, text),
            Some(Object::Array(parts)) => {
                for part in parts.iter::<Object<'_>>() {
                    match &part {
                        Object::String(text) => self.show(run, text),
                        Object::Number(by) => {
                            let by = -by.as_f64() / 1000.0 * run.state.size;
                            run.advance(by);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn show(&mut self, run: &mut ContentRun<'a, '_>, bytes: &[u8]) {
        let Some(font) = run.state.font.clone() else { return };
        let is_hidden = run.marks.iter().any(|mark| mark.is_hidden);
        self.spans.tag = run.marks.iter().rev().find_map(|mark| mark.tag);
        let mut rest = bytes;
        let mut hidden = is_hidden.then_some(HiddenReason::NotDisplayed);
        let mut is_first = true;
        while !rest.is_empty() {
            if !self.budget.take_glyph() {
                return;
            }
            let (code, length) = font.next_code(rest);
            rest = rest.get(length.max(1)..).unwrap_or_default();
            let glyph = font.glyph(code, length);
            let GraphicsState { size, character_spacing, word_spacing, scale, rise, .. } = run.state;
            let is_space = length == 1 && code == 32;
            let spacing = character_spacing + if is_space { word_spacing } else { 0.0 };
            let advance = glyph.advance / 1000.0 * size;
            let text = self.replaced(run, &glyph.text);
            let to_page =
                Matrix([size * scale, 0.0, 0.0, size, 0.0, rise]).then(&run.text).then(&run.state.matrix);
            if std::mem::replace(&mut is_first, false) && !is_hidden {
                hidden = match scale.abs() <= NO_WIDTH {
                    true => Some(HiddenReason::Tiny),
                    // The middle of a small letter.
                    false => self.areas.hides(&run.state.paint, run.state.mode, to_page.apply(0.25, 0.25)),
                };
            }
            let (x, y) = (glyph.shift.0 / 1000.0, glyph.shift.1 / 1000.0);
            self.spans.add(&PlacedGlyph {
                text: &text,
                font: &font,
                to_page: &Matrix::translation(x, y).then(&to_page),
                advance: glyph.advance / 1000.0,
                spacing: if size == 0.0 { 0.0 } else { character_spacing / size },
                is_vertical: font.is_vertical(),
                is_invisible: run.state.mode == 3,
                is_stroked: run.state.mode == 2,
                hidden,
                clip: run.state.paint.clip,
                areas_before: self.areas.count(),
            });
            run.advance(advance + spacing);
        }
    }

    /// The replacement text of the innermost marked content that has one, for its first glyph; nothing for the others.
    fn replaced(&mut self, run: &ContentRun<'a, '_>, text: &GlyphText) -> GlyphText {
        match run.marks.iter().rev().find_map(|mark| mark.actual_text.as_ref()) {
            None => text.clone(),
            Some(actual) => self.spans.actual_text(actual),
        }
    }

    fn draw(&mut self, run: &mut ContentRun<'a, '_>, instruction: &Instruction<'_, '_>) {
        let Some(Object::Name(name)) = instruction.operands().next() else { return };
        self.budget.take_operators(10);
        if run.depth >= MAX_FORM_DEPTH
            || self.budget.is_used_up()
            || run.marks.iter().any(|mark| mark.is_hidden)
        {
            return;
        }
        let Some(form) = run.resources.get_x_object(name) else { return };
        match form.dict().get::<Name<'_>>("Subtype").as_deref() {
            Some(b"Form") => {}
            Some(b"Image") => {
                let is_opaque =
                    !["SMask", "Mask", "ImageMask"].iter().any(|key| form.dict().contains_key(*key));
                self.areas.picture(unit_square(&run.state.matrix), &run.state.paint, is_opaque);
                return self.shapes.image(&run.state.matrix);
            }
            _ => return,
        }
        let outer = std::mem::replace(&mut self.paint, run.state.paint);
        self.draw_form(&form, run.resources, &run.state.matrix, run.depth);
        self.paint = outer;
    }

    /// Draws a form with its own resources, or else with those of the stream that draws it.
    pub(super) fn draw_form(
        &mut self,
        form: &Stream<'a>,
        outer: &Resources<'a>,
        matrix: &Matrix,
        depth: usize,
    ) {
        let dict = form.dict();
        if dict
            .get_raw::<Dict<'a>>("OC")
            .is_some_and(|group| self.layers.hides(&group, dict.get::<Dict<'_>>("OC")))
        {
            return;
        }
        let own = dict.get::<[f64; 6]>("Matrix").map_or(Matrix::IDENTITY, Matrix);
        // The decoder notes a form that it cannot decode.
        let Ok(data) = self.budget.decoder.decode(form) else { return };
        let matrix = own.then(matrix);
        let bounds = dict
            .get::<Rect>("BBox")
            .map(|rect| matrix.apply_box(Bounds { x0: rect.x0, y0: rect.y0, x1: rect.x1, y1: rect.y1 }));
        let paint = self.paint.of_form(bounds, matrix.is_upright());
        let around = std::mem::replace(&mut self.paint, paint);
        match dict.get::<Dict<'a>>("Resources") {
            Some(resources) => self.run(&data, &Resources::new(resources), matrix, depth + 1),
            None => self.run(&data, outer, matrix, depth + 1),
        }
        self.paint = around;
    }

    fn begin_mark(&mut self, run: &mut ContentRun<'a, '_>, instruction: &Instruction<'_, '_>) {
        if run.marks.len() >= MAX_MARKED_CONTENT_DEPTH {
            run.deeper_marks += 1;
            return;
        }
        let mut operands = instruction.operands();
        let (tag, properties) = (operands.next(), operands.next());
        let mut mark = MarkedContent { actual_text: None, is_hidden: false, tag: None };
        match properties {
            Some(Object::Dict(properties)) => {
                mark.actual_text = actual_text(properties);
                mark.tag = self.tags.tag_of(properties).filter(|_| run.depth == 0);
            }
            Some(Object::Name(name)) => {
                let properties = run.resources.properties.get::<Dict<'a>>(name);
                if matches!(tag, Some(Object::Name(tag)) if tag.as_ref() as &[u8] == b"OC") {
                    let raw = run.resources.properties.get_raw::<Dict<'a>>(name);
                    mark.is_hidden = raw.is_some_and(|raw| self.layers.hides(&raw, properties));
                } else {
                    mark.actual_text = properties.as_ref().and_then(actual_text);
                }
            }
            _ => {}
        }
        if mark.actual_text.is_some() {
            self.spans.start_actual_text();
        }
        run.marks.push(mark);
    }
}

/// The run of one stream.
struct ContentRun<'a, 'r> {
    resources: &'r Resources<'a>,
    depth: usize,
    state: GraphicsState<'a>,
    saved: Vec<GraphicsState<'a>>,
    /// How many states `q` saved beyond the limit; they are counted so that each `Q` matches its own `q`.
    unsaved_states: usize,
    line: Matrix,
    text: Matrix,
    marks: Vec<MarkedContent>,
    deeper_marks: usize,
    fonts: FxHashMap<Vec<u8>, Option<Rc<PdfFont<'a>>>>,
    /// True if the path is the next clip.
    clips: bool,
}

impl ContentRun<'_, '_> {
    fn save(&mut self) {
        match self.saved.len() < MAX_SAVED_STATES {
            true => self.saved.push(self.state.clone()),
            false => self.unsaved_states += 1,
        }
    }

    fn restore(&mut self) {
        if self.unsaved_states > 0 {
            self.unsaved_states -= 1;
        } else if let Some(state) = self.saved.pop() {
            self.state = state;
        }
    }

    /// Notes what the numbers of colours mean from now on.
    fn set_colour_space(&mut self, operator: &[u8], instruction: &Instruction<'_, '_>) {
        let Some(Object::Name(name)) = instruction.operands().next() else { return };
        let components = components_of(name).or_else(|| match self.resources.get_color_space(name)? {
            Object::Name(name) => components_of(&name),
            Object::Array(parts) => {
                let mut parts = parts.iter::<Object<'_>>();
                match (parts.next()?, parts.next()) {
                    (Object::Name(kind), Some(Object::Stream(profile))) if is_named(&kind, b"ICCBased") => {
                        profile.dict().get::<u32>("N").map(|components| components as usize)
                    }
                    (Object::Name(kind), _) => components_of(&kind),
                    _ => None,
                }
            }
            _ => None,
        });
        self.current_colour(operator).enter(components);
    }

    fn set_colour(&mut self, operator: &[u8], instruction: &Instruction<'_, '_>) {
        let numbers: Vec<f64> = instruction.operands().filter_map(number).take(5).collect();
        let colour = self.current_colour(operator);
        match operator {
            b"g" | b"G" => colour.enter(Some(1)),
            b"rg" | b"RG" => colour.enter(Some(3)),
            b"k" | b"K" => colour.enter(Some(4)),
            _ => {}
        }
        colour.set(&numbers);
    }

    /// The colour that an operator is about: those in capitals are about strokes.
    fn current_colour(&mut self, operator: &[u8]) -> &mut CurrentColour {
        match operator.first().is_some_and(u8::is_ascii_uppercase) {
            true => &mut self.state.paint.stroke,
            false => &mut self.state.paint.fill,
        }
    }

    fn set_text_state(&mut self, operator: &[u8], instruction: &Instruction<'_, '_>) {
        let mut operands = instruction.operands().map(number);
        let mut next = || operands.next().flatten();
        match operator {
            b"Tc" => self.state.character_spacing = next().unwrap_or_default(),
            b"Tw" => self.state.word_spacing = next().unwrap_or_default(),
            b"Tz" => {
                let scale = next().unwrap_or(100.0) / 100.0;
                self.state.scale = if scale == 0.0 { NO_WIDTH } else { scale };
            }
            b"TL" => self.state.leading = next().unwrap_or_default(),
            b"Ts" => self.state.rise = next().unwrap_or_default(),
            b"Tr" => self.state.mode = next().unwrap_or_default() as i64,
            b"T*" => self.next_line(0.0, -self.state.leading),
            b"Td" | b"TD" => {
                let (Some(x), Some(y)) = (next(), next()) else { return };
                if operator == b"TD" {
                    self.state.leading = -y;
                }
                self.next_line(x, y);
            }
            b"Tm" => {
                if let Some(matrix) = matrix_of(instruction) {
                    (self.text, self.line) = (matrix, matrix);
                }
            }
            _ => {}
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line = Matrix::translation(x, y).then(&self.line);
        self.text = self.line;
    }

    /// Moves along the baseline by a distance in text space.
    fn advance(&mut self, by: f64) {
        let is_vertical = self.state.font.as_ref().is_some_and(|font| font.is_vertical());
        let (x, y) = if is_vertical { (0.0, by) } else { (by * self.state.scale, 0.0) };
        self.text = Matrix::translation(x, y).then(&self.text);
    }
}

/// The components of the colour spaces whose numbers say how a colour looks.
fn components_of(space: &Name<'_>) -> Option<usize> {
    match space.as_ref() as &[u8] {
        b"DeviceGray" | b"CalGray" | b"G" => Some(1),
        b"DeviceRGB" | b"CalRGB" | b"RGB" => Some(3),
        b"DeviceCMYK" | b"CMYK" => Some(4),
        _ => None,
    }
}

fn is_named(name: &Name<'_>, expected: &[u8]) -> bool {
    name.as_ref() as &[u8] == expected
}

/// Where a picture is drawn.
fn unit_square(matrix: &Matrix) -> Bounds {
    matrix.apply_box(Bounds { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 })
}

fn number(object: &Object<'_>) -> Option<f64> {
    match object {
        Object::Number(number) => Some(number.as_f64()).filter(|number| number.is_finite()),
        _ => None,
    }
}

fn matrix_of(instruction: &Instruction<'_, '_>) -> Option<Matrix> {
    let mut numbers = [0.0; 6];
    let mut operands = instruction.operands();
    for slot in &mut numbers {
        *slot = number(operands.next()?)?;
    }
    Some(Matrix(numbers)).filter(Matrix::is_finite)
}

fn actual_text(properties: &Dict<'_>) -> Option<Rc<str>> {
    let text = properties.get::<hayro_font::hayro_syntax::object::String<'_>>("ActualText")?;
    let text = strings::decode(&text);
    (text.chars().count() <= MAX_ACTUAL_TEXT_CHARS).then(|| text.into())
}
