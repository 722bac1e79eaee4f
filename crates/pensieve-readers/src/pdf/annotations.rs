//! Text of a page that is not in its content: form fields, text boxes and stamps, as their appearance streams draw
//! them, or by their value if no appearance is stored; the state of check boxes and radio buttons as a sign; the notes of
//! reviewers, which belong to no line of the page. Links and hidden annotations are no text. Source: ISO 32000-2, 12.5.5
//! (appearance streams), 12.5.6 (kinds of annotations), 12.7 (forms).

use super::decoder::StreamDecoder;
use super::geometry::{Bounds, Matrix};
use super::interpreter::ContentInterpreter;
use super::strings;
use crate::limits::pdf::{MAX_ANNOTATIONS, MAX_FIELD_PARENTS, MAX_FIELD_VALUES};
use hayro_font::hayro_syntax::object::{Array, Dict, Name, Object, Rect, Stream};
use hayro_font::hayro_syntax::page::Page as PdfPage;
use pensieve_text::layout::PageNote;

/// Flags of annotations that are not on the screen: hidden, no view.
const NOT_SHOWN: u32 = 1 << 1 | 1 << 5;

/// Flag of password fields.
const PASSWORD: u32 = 1 << 13;

/// Flags of buttons: one of a group, and one without a state.
const RADIO: u32 = 1 << 15;
const PUSH_BUTTON: u32 = 1 << 16;

/// Kinds of annotations whose contents are the note of a reviewer. Text boxes and stamps show theirs on the page; the
/// window of a note repeats it.
const NOTES: &[&[u8]] = &[
    b"Text",
    b"Highlight",
    b"Underline",
    b"Squiggly",
    b"StrikeOut",
    b"Caret",
    b"Line",
    b"Square",
    b"Circle",
    b"Polygon",
    b"PolyLine",
    b"Ink",
    b"FileAttachment",
];

/// Draws the annotations of a page, and returns the notes of reviewers.
pub(super) fn draw<'a>(
    interpreter: &mut ContentInterpreter<'a, '_>,
    page: &PdfPage<'a>,
    matrix: &Matrix,
) -> Vec<PageNote> {
    let mut notes = Vec::new();
    let Some(annotations) = page.raw().get::<Array<'a>>("Annots") else { return notes };
    for annotation in annotations.iter::<Dict<'a>>().take(MAX_ANNOTATIONS) {
        let subtype = annotation.get::<Name<'_>>("Subtype");
        let is_text = matches!(subtype.as_deref(), Some(b"Widget" | b"FreeText" | b"Stamp"));
        let is_shown = annotation.get::<u32>("F").unwrap_or_default() & NOT_SHOWN == 0;
        let is_note = subtype.as_deref().is_some_and(|subtype| NOTES.contains(&subtype));
        if !is_text && !is_note || !is_shown || !interpreter.budget.take_operators(20) {
            continue;
        }
        if is_note {
            notes.extend(note(&annotation, &interpreter.budget.decoder, matrix));
            continue;
        }
        if let Some((sign, rect)) = state(&annotation).zip(annotation.get::<Rect>("Rect")) {
            let bounds = Bounds { x0: rect.x0, y0: rect.y0, x1: rect.x1, y1: rect.y1 };
            interpreter.spans.add_value(sign, matrix.apply_box(bounds));
            continue;
        }
        let before = interpreter.spans.mapped;
        if let Some(form) = appearance(&annotation) {
            interpreter.spans.is_in_field = subtype.as_deref() == Some(b"Widget");
            draw_appearance(interpreter, page, &annotation, &form, matrix);
            interpreter.spans.is_in_field = false;
        }
        if interpreter.spans.mapped == before
            && let Some(value) = value(&annotation, &interpreter.budget.decoder)
            && let Some(rect) = annotation.get::<Rect>("Rect")
        {
            let bounds = Bounds { x0: rect.x0, y0: rect.y0, x1: rect.x1, y1: rect.y1 };
            interpreter.spans.add_value(&value, matrix.apply_box(bounds));
        }
    }
    notes
}

/// The note of a reviewer, with its author.
fn note(annotation: &Dict<'_>, decoder: &StreamDecoder, matrix: &Matrix) -> Option<PageNote> {
    let text = text_of(annotation.get::<Object<'_>>("Contents")?, decoder)?;
    let author = annotation.get::<Object<'_>>("T").and_then(|author| text_of(author, decoder));
    let rect = annotation.get::<Rect>("Rect")?;
    let bounds = matrix.apply_box(Bounds { x0: rect.x0, y0: rect.y0, x1: rect.x1, y1: rect.y1 });
    // Programs write the author before the contents as well.
    let text = match author.filter(|author| !text.starts_with(author.as_str())) {
        Some(author) => format!("{author}: {text}"),
        None => text,
    };
    let is_finite = (bounds.width() + bounds.height() + bounds.x0 + bounds.y0).is_finite();
    is_finite.then(|| PageNote { text, bbox: bounds.to_array() })
}

/// The sign of a check box or radio button, by its state.
fn state(annotation: &Dict<'_>) -> Option<&'static str> {
    if annotation.get::<Name<'_>>("Subtype").as_deref() != Some(b"Widget") {
        return None;
    }
    let (mut kind, mut flags, mut value) = (None, None, None);
    let mut field = Some(annotation.clone());
    for _ in 0..MAX_FIELD_PARENTS {
        let Some(current) = field else { break };
        kind = kind.or_else(|| current.get::<Name<'_>>("FT").map(|name| name.as_ref().to_vec()));
        flags = flags.or_else(|| current.get::<u32>("Ff"));
        value = value.or_else(|| current.get::<Name<'_>>("V").map(|name| name.as_ref().to_vec()));
        field = current.get::<Dict<'_>>("Parent");
    }
    let flags = flags.unwrap_or_default();
    if kind.as_deref() != Some(b"Btn") || flags & PUSH_BUTTON != 0 {
        return None;
    }
    let shown = annotation.get::<Name<'_>>("AS").map(|name| name.as_ref().to_vec());
    let is_on = shown.or(value).is_some_and(|state| state != b"Off");
    Some(match (flags & RADIO != 0, is_on) {
        (false, true) => "\u{2612}",
        (false, false) => "\u{2610}",
        (true, true) => "\u{25c9}",
        (true, false) => "\u{25cb}",
    })
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
