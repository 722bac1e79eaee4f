//! Text of a page that is not in its content: form fields, text boxes and stamps, as their appearance streams draw
//! them, or by their value if no appearance is stored. Notes that open on a click, links and hidden annotations are
//! not text of the page. Source: ISO 32000-2, 12.5.5 (appearance streams), 12.7 (forms).

use super::decoder::StreamDecoder;
use super::geometry::{Bounds, Matrix};
use super::interpreter::ContentInterpreter;
use super::strings;
use crate::limits::pdf::{MAX_ANNOTATIONS, MAX_FIELD_PARENTS, MAX_FIELD_VALUES};
use hayro_font::hayro_syntax::object::{Array, Dict, Name, Object, Rect, Stream};
use hayro_font::hayro_syntax::page::Page as PdfPage;

/// Flags of annotations that are not on the screen: hidden, no view.
const NOT_SHOWN: u32 = 1 << 1 | 1 << 5;

/// Flag of password fields.
const PASSWORD: u32 = 1 << 13;

/// Draws the annotations of a page.
pub(super) fn draw<'a>(interpreter: &mut ContentInterpreter<'a, '_>, page: &PdfPage<'a>, matrix: &Matrix) {
    let Some(annotations) = page.raw().get::<Array<'a>>("Annots") else { return };
    for annotation in annotations.iter::<Dict<'a>>().take(MAX_ANNOTATIONS) {
        let subtype = annotation.get::<Name<'_>>("Subtype");
        let is_text = matches!(subtype.as_deref(), Some(b"Widget" | b"FreeText" | b"Stamp"));
        let is_shown = annotation.get::<u32>("F").unwrap_or_default() & NOT_SHOWN == 0;
        if !is_text || !is_shown || !interpreter.budget.take_operators(20) {
            continue;
        }
        let before = interpreter.spans.mapped;
        if let Some(form) = appearance(&annotation) {
            draw_appearance(interpreter, page, &annotation, &form, matrix);
        }
        if interpreter.spans.mapped == before
            && let Some(value) = value(&annotation, &interpreter.budget.decoder)
            && let Some(rect) = annotation.get::<Rect>("Rect")
        {
            let bounds = Bounds { x0: rect.x0, y0: rect.y0, x1: rect.x1, y1: rect.y1 };
            interpreter.spans.add_value(&value, matrix.apply_box(bounds));
        }
    }
}

/// The normal appearance, or the one for the annotation's state if there are several.
fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    match annotation.get::<Dict<'a>>("AP")?.get::<Object<'a>>("N")? {
        Object::Stream(form) => Some(form),
        Object::Dict(states) => states.get::<Stream<'a>>(annotation.get::<Name<'a>>("AS")?),
        _ => None,
    }
}

/// Draws an appearance: the form's box, after its own matrix, is stretched to the annotation's rectangle.
fn draw_appearance<'a>(
    interpreter: &mut ContentInterpreter<'a, '_>,
    page: &PdfPage<'a>,
    annotation: &Dict<'a>,
    form: &Stream<'a>,
    matrix: &Matrix,
) {
    let Some(rect) = annotation.get::<Rect>("Rect") else { return };
    let bounds = form.dict().get::<Rect>("BBox").unwrap_or(rect);
    let own = form.dict().get::<[f64; 6]>("Matrix").map_or(Matrix::IDENTITY, Matrix);
    let drawn = own.apply_box(Bounds { x0: bounds.x0, y0: bounds.y0, x1: bounds.x1, y1: bounds.y1 });
    let scale = |from: f64, to: f64| if from > 0.0 && to > 0.0 { to / from } else { 1.0 };
    let (x, y) = (scale(drawn.width(), rect.width()), scale(drawn.height(), rect.height()));
    let fit = Matrix([x, 0.0, 0.0, y, rect.x0 - drawn.x0 * x, rect.y0 - drawn.y0 * y]);
    if fit.is_finite() {
        interpreter.draw_form(form, page.resources(), &fit.then(matrix), 0);
    }
}

/// The value of a field or the words of a text box, if they are text.
fn value(annotation: &Dict<'_>, decoder: &StreamDecoder) -> Option<String> {
    if annotation.get::<Name<'_>>("Subtype").as_deref() == Some(b"FreeText") {
        return text_of(annotation.get::<Object<'_>>("Contents")?, decoder);
    }
    let (mut kind, mut value, mut flags) = (None, None, None);
    let mut field = Some(annotation.clone());
    for _ in 0..MAX_FIELD_PARENTS {
        let Some(current) = field else { break };
        kind = kind.or_else(|| current.get::<Name<'_>>("FT").map(|name| name.as_ref().to_vec()));
        value = value.or_else(|| current.get::<Object<'_>>("V").and_then(|value| text_of(value, decoder)));
        flags = flags.or_else(|| current.get::<u32>("Ff"));
        field = current.get::<Dict<'_>>("Parent");
    }
    let is_text = matches!(kind.as_deref(), Some(b"Tx" | b"Ch"));
    value.filter(|_| is_text && flags.unwrap_or_default() & PASSWORD == 0)
}

fn text_of(value: Object<'_>, decoder: &StreamDecoder) -> Option<String> {
    let text = match value {
        Object::String(text) => strings::decode(&text),
        Object::Stream(stream) => strings::decode(&decoder.decode(&stream).ok()?),
        Object::Array(several) => {
            let each: Vec<String> = several
                .iter::<Object<'_>>()
                .take(MAX_FIELD_VALUES)
                .filter_map(|item| match item {
                    Object::String(text) => Some(strings::decode(&text)),
                    _ => None,
                })
                .collect();
            each.join("\n")
        }
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}
