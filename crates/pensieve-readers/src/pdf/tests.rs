//! Small whole files, made here, go through `read`.

use super::*;
use crate::limits::pdf::MAX_FORM_DEPTH;
use crate::limits::pdf::{MAX_ENDLESS_IMAGES, MAX_STREAM_BYTES};
use pensieve_text::model::{ContainerMember, ProblemKind, ReviewReasonKind};
use std::fmt::Write;
use std::io::{Cursor, Write as _};

struct CollectedText(Segment);

impl DocumentSink for CollectedText {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.0.append(segment);
        Ok(())
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}

fn read_bytes(bytes: &[u8], passwords: &[&str]) -> Result<Document, Problem> {
    let mut file = Cursor::new(bytes);
    let mut settings = ReadSettings::default();
    // Only the reader is tested here; the layout has its own tests.
    settings.pdf.layout = false;
    settings.pdf.passwords = passwords.iter().map(|password| (*password).to_owned()).collect();
    let mut collected = CollectedText(Segment::default());
    let mut source = DocumentSource::new(&mut file, "x.pdf")?;
    let mut document = read(&mut source, &settings, &mut collected)?;
    collected.0.append(std::mem::take(&mut document.text));
    document.text = collected.0;
    Ok(document)
}

/// A page with this content, without a cross-reference table: it is found by its objects.
fn page(content: &str, more: &str) -> String {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
    let mut file = String::from("%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n");
    file.push_str("2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n");
    file.push_str("3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 400 500] /Contents 4 0 R ");
    file.push_str("/Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> /ExtGState << /T << /ca 0.5 >> /U << /ca 1 >> >> >> >> endobj\n");
    let _ = write!(
        file,
        "4 0 obj << /Length {} >> stream\n{content}\nendstream endobj\n5 0 obj {font} endobj\n",
        content.len()
    );
    let _ = write!(file, "{more}\ntrailer << /Root 1 0 R >>\n");
    file
}

fn review_reasons(content: &str, more: &str) -> Vec<String> {
    let document = read_bytes(page(content, more).as_bytes(), &[]).expect("a page");
    let reasons = document.review_reasons.into_iter();
    // The pages of these tests have no table of objects.
    let reasons = reasons.filter(|reason| reason.kind != ReviewReasonKind::RepairedStructure);
    reasons.map(|reason| reason.detail).collect()
}

fn text_of(content: &str, more: &str) -> String {
    let document = read_bytes(page(content, more).as_bytes(), &[]).expect("a page");
    document.text.text.trim_end_matches('\u{c}').trim_end().to_owned()
}

fn check(content: &str, text: &str) {
    assert_eq!(text_of(content, ""), text, "{content}");
}

#[test]
fn gaps_separate_words_and_kerning_does_not() {
    check("BT /F 10 Tf 9 400 Td [(un) 60 (der) -300 (line) -90 (d)] TJ ET", "under lined");
    check("BT /F 10 Tf 9 400 Td 3 Tc (SPACED) Tj ET", "SPACED");
    check("BT /F 10 Tf 9 400 Td (a) Tj 5.5 0 Td (b) Tj 9 0 Td (c) Tj ET", "ab c");
}

#[test]
fn spacing_of_two_letters_is_a_space_and_of_more_is_none() {
    check("BT /F 10 Tf 50 400 Td (W) Tj 9 0 Td 2.5 Tc (ev) Tj 12.8 0 Td 0 Tc (ary) Tj ET", "We vary");
    check(
        "BT /F 10 Tf 50 400 Td (t) Tj 2.8 0 Td 2.5 Tc (oaV) Tj 20.2 0 Td 0 Tc (ertex) Tj ET",
        "to a Vertex",
    );
    check("BT /F 10 Tf 50 400 Td (x) Tj 2.5 Tc 5 0 Td (][) Tj ET", "x] [");
    check("BT /F 10 Tf 50 400 Td 2.5 Tc (vary) Tj 0 Tc (. We) Tj ET", "vary. We");
    check("BT /F 10 Tf 50 400 Td (a ) Tj 2.5 Tc (it) Tj 0 Tc ( is) Tj ET", "a it is");
}

#[test]
fn what_is_drawn_twice_counts_once() {
    check("BT /F 10 Tf 9 400 Td (Bold) Tj ET BT /F 10 Tf 9.3 400 Td (Bold) Tj ET", "Bold");
    check("BT /F 10 Tf 9 400 Td (B) Tj -6.4 0 Td ET BT /F 10 Tf 9.2 400 Td (B) Tj ET", "B");
    check("BT /F 10 Tf 9 400 Td (no) Tj 0 -12 Td (no) Tj ET", "no\nno");
}

#[test]
fn an_accent_over_a_letter_is_its_accent() {
    // TeX goes back by the width of the accent, and raises it over capital letters.
    check("BT /F 10 Tf 50 400 Td [(G) (\\250) 445 (odel, na) (\\250) 306 (\\151ve)] TJ ET", "Gödel, naïve");
    check("BT /F 10 Tf 50 400 Td (en ) Tj 15.57 2 Td (\\264) Tj -1.67 -2 Td (Etude) Tj ET", "en Étude");
    // Others draw the letter first.
    check("BT /F 10 Tf 50 400 Td [(c) 417 (\\270) 84 (a et la)] TJ ET", "ça et la");
    // Drawn twice to look bold.
    check("BT /F 10 Tf 50 400 Td [(G) (\\250) 445 (o) 556 (\\250) 445 (odel)] TJ ET", "Gödel");
    check("BT /F 10 Tf 50 400 Td [(G) (\\250) 330 (\\250) 448 (o) 554 (odel)] TJ ET", "Gödel");
    check("BT /F 10 Tf 50 400 Td [(c) 417 (\\270) 416 (c) 417 (\\270) 84 (a et la)] TJ ET", "ça et la");
    check("BT /F 10 Tf 2 Tr 50 400 Td [(G) (\\250) 445 (odel)] TJ ET", "Gödel");
    // An accent in front of a letter is a sign of its own.
    check("BT /F 10 Tf 50 400 Td (\\264a et `x or a^o ~n) Tj ET", "´a et `x or a^o ~n");
}

#[test]
fn text_outside_of_the_page_is_left_out() {
    check("BT /F 10 Tf 9 400 Td (in) Tj 0 200 Td (above) Tj -900 -200 Td (left) Tj ET", "in");
}

#[test]
fn turned_text_comes_after_the_page() {
    let turned =
        "BT /F 10 Tf 0 1 -1 0 20 100 Tm (margin) Tj ET BT /F 10 Tf 40 400 Td (The body of the page) Tj ET";
    check(turned, "The body of the page\n\nmargin");
}

#[test]
fn blanks_sizes_and_indents_separate_paragraphs() {
    let lines = "BT /F 18 Tf 40 460 Td (Heading) Tj /F 10 Tf 0 -20 Td (one) Tj 0 -12 Td (two) Tj 12 -12 Td (three) Tj \
                 -12 -12 Td (four) Tj 0 -30 Td (five) Tj ET";
    check(lines, "Heading\n\none\ntwo\n\nthree\nfour\n\nfive");
}

#[test]
fn a_form_that_draws_itself_ends() {
    let form = "6 0 obj << /Subtype /Form /BBox [0 0 400 500] /Length 40 /Resources << /XObject << /X 6 0 R >> \
                /Font << /F 5 0 R >> >> >> stream\nBT /F 10 Tf 9 400 Td (x) Tj ET /X Do /X Do \nendstream endobj";
    assert_eq!(text_of("/X Do /X Do", form), "x");
}

#[test]
fn forms_are_drawn_inside_each_other_up_to_a_depth() {
    let mut forms = String::new();
    for number in 6..10 + MAX_FORM_DEPTH {
        let content = format!("BT /F 10 Tf 9 400 Td (Form {number}) Tj ET 1 0 0 1 0 -12 cm /X Do");
        let _ = writeln!(
            forms,
            "{number} 0 obj << /Subtype /Form /BBox [0 0 400 500] /Length {} /Resources << /XObject << /X {} 0 R >> \
             /Font << /F 5 0 R >> >> >> stream\n{content}\nendstream endobj",
            content.len(),
            number + 1
        );
    }
    let text = text_of("/X Do", &forms);
    assert_eq!(text.lines().last(), Some(format!("Form {}", 5 + MAX_FORM_DEPTH).as_str()), "{text}");
}

#[test]
fn a_form_on_a_hidden_layer_is_not_drawn() {
    let content = "BT /F 10 Tf 9 400 Td (form) Tj ET";
    let form = format!(
        "6 0 obj << /Subtype /Form /BBox [0 0 400 500] /Length {} /Resources << /Font << /F 5 0 R >> >> >> stream\n\
         {content}\nendstream endobj\n7 0 obj << /Type /OCG /Name (Draft) >> endobj",
        content.len()
    );
    let layer = "/OC /L BDC BT /F 10 Tf 9 300 Td (hidden) Tj ET /X Do EMC BT /F 10 Tf 9 200 Td (shown) Tj ET";
    let with = |off: &str| {
        let properties =
            format!("/Pages 2 0 R /OCProperties << /OCGs [7 0 R] /D << /OFF [{off}] >> >> >> endobj");
        let file = page(layer, &form)
            .replacen("/Pages 2 0 R >> endobj", &properties, 1)
            .replace("/XObject <<", "/Properties << /L 7 0 R >> /XObject <<");
        read_bytes(file.as_bytes(), &[])
            .expect("a page")
            .text
            .text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(with("7 0 R"), "shown");
    assert_eq!(with(""), "form hidden shown");
}

/// A form whose content is packed and written in hexadecimal digits, after blanks that expand it to `bytes`.
fn packed_form(content: &str, bytes: usize) -> String {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed
        .write_all(format!("{}{content}", " ".repeat(bytes - content.len())).as_bytes())
        .expect("memory takes it");
    let mut digits = String::new();
    for byte in packed.finish().expect("memory takes it") {
        let _ = write!(digits, "{byte:02x}");
    }
    format!(
        "6 0 obj << /Subtype /Form /Resources << /Font << /F 5 0 R >> >> /Filter [/AHx /Fl] /Length {} >> stream\n\
         {digits}\nendstream endobj",
        digits.len()
    )
}

#[test]
fn a_stream_that_expands_too_far_is_left_out_and_reported() {
    let (page, form) = ("/X Do BT /F 10 Tf 9 400 Td (page) Tj ET", "BT /F 10 Tf 9 440 Td (form) Tj ET");
    let (small, large) = (packed_form(form, MAX_STREAM_BYTES), packed_form(form, MAX_STREAM_BYTES + 1));
    assert_eq!(text_of(page, &small), "form\n\npage");
    assert_eq!(review_reasons(page, &small), [""; 0]);
    assert_eq!(text_of(page, &large), "page");
    assert_eq!(review_reasons(page, &large), ["pages or streams beyond the limits of one document"]);
}

#[test]
fn a_font_whose_map_expands_too_far_is_read_without_it() {
    let map = packed_form("", MAX_STREAM_BYTES + 1).replace("6 0 obj", "7 0 obj");
    let font = "5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >> endobj";
    let content = "BT /F 10 Tf 9 400 Td (ASCII) Tj ET";
    let more = format!("{map}\n{font}");
    assert_eq!(text_of(content, &more), "ASCII");
    assert_eq!(review_reasons(content, &more), ["pages or streams beyond the limits of one document"]);
}

#[test]
fn endless_inline_images_are_cut_off_and_reported() {
    let (before, after) = ("BT /F 10 Tf 9 400 Td (before) Tj ET ", "BT /F 10 Tf 9 440 Td (after) Tj ET");
    let endless = |times| format!("{before}{}{after}", "BI /W 1 ID x\n".repeat(times));
    assert_eq!(text_of(&endless(MAX_ENDLESS_IMAGES), ""), "after\n\nbefore");
    assert_eq!(review_reasons(&endless(MAX_ENDLESS_IMAGES), ""), [""; 0]);
    // The ends of so many would be looked for over days.
    assert_eq!(text_of(&endless(400_000), ""), "before");
    assert_eq!(review_reasons(&endless(400_000), ""), ["pages or streams beyond the limits of one document"]);
}

#[test]
fn places_are_boxes_on_the_page_as_displayed() {
    let document =
        read_bytes(page("BT /F 10 Tf 100 400 Td (here) Tj ET", "").as_bytes(), &[]).expect("a page");
    let (span, place) = &document.text.places.0[0];
    assert_eq!(&document.text.text[span.range()], "here");
    assert_eq!(place.to_json(), "{\"bbox\":[100,92.2,120.01,102.2],\"page\":1}");
}

#[test]
fn a_password_opens_what_has_one() {
    let locked = include_bytes!("../../tests/golden/pdf/locked/locked.pdf");
    let kind = |passwords: &[&str]| read_bytes(locked, passwords).map_err(|problem| problem.kind);
    assert_eq!(kind(&[]).unwrap_err(), ProblemKind::Encrypted);
    assert_eq!(kind(&["wrong"]).unwrap_err(), ProblemKind::Encrypted);
    let document = kind(&["wrong", "geheim"]).expect("the password is right");
    assert_eq!(document.text.text, "Once it is opened, it can be read.\n\u{c}");
}

#[test]
fn what_is_no_document_is_damaged() {
    for bytes in [&b""[..], b"%PDF-1.7", b"no PDF at all", b"%PDF-1.4\n1 0 obj << 1 0 obj << 1 0 obj <<"] {
        assert_eq!(read_bytes(bytes, &[]).map_err(|problem| problem.kind).unwrap_err(), ProblemKind::Damaged);
    }
}

/// A visible word and the text of this content: what is read, and how many letters are said to be hidden.
fn check_hidden(content: &str, text: &str, hidden: Option<&str>) {
    check_hidden_with(content, "", text, hidden);
}

fn check_hidden_with(content: &str, more: &str, text: &str, hidden: Option<&str>) {
    let content = format!("BT /F 10 Tf 50 400 Td (lamp) Tj ET {content}");
    assert_eq!(text_of(&content, more), text, "{content}");
    let reasons = review_reasons(&content, more);
    let expected: Vec<String> = hidden.iter().map(|hidden| format!("left out: {hidden}")).collect();
    assert_eq!(reasons, expected, "{content}");
}

#[test]
fn a_clip_hides_words_and_not_the_ends_of_words() {
    let clipped = |text: &str| format!("q 40 370 30 30 re W n BT /F 10 Tf 50 380 Td ({text}) Tj ET Q");
    check_hidden(&clipped("remarkable"), "lamp\nremarkable", None);
    check_hidden(&clipped("oil and vinegar"), "lamp\noil and", Some("7 characters clipped"));
}

#[test]
fn text_in_the_colour_of_its_background_is_hidden() {
    let hidden = Some("3 characters in the colour of the background");
    check_hidden("1 g BT /F 10 Tf 50 380 Td (oil) Tj ET", "lamp", hidden);
    check_hidden("0.99 1 1 rg BT /F 10 Tf 50 380 Td (oil) Tj ET", "lamp", hidden);
    check_hidden("0 0 0 0 k BT /F 10 Tf 50 380 Td (oil) Tj ET", "lamp", hidden);
    check_hidden("/DeviceGray cs 1 sc BT /F 10 Tf 50 380 Td (oil) Tj ET", "lamp", hidden);
    check_hidden("0.9 g BT /F 10 Tf 50 380 Td (oil) Tj ET", "lamp\noil", None);
    let bar = "0 0 .5 rg 40 370 100 30 re f";
    check_hidden(&format!("{bar} BT /F 10 Tf 50 380 Td (oil) Tj ET"), "lamp", hidden);
    check_hidden(&format!("{bar} 1 g BT /F 10 Tf 50 380 Td (oil) Tj ET"), "lamp\noil", None);
    // What is in a pattern, or in an area that is no rectangle, may have any colour behind it.
    check_hidden(
        "/Pattern cs /P scn 40 370 100 30 re f 1 g BT /F 10 Tf 50 380 Td (oil) Tj ET",
        "lamp\noil",
        None,
    );
    let curved = "0 g 40 370 m 140 370 l 150 385 140 400 40 400 c f";
    check_hidden(&format!("{curved} 1 g BT /F 10 Tf 50 380 Td (oil) Tj ET"), "lamp\noil", None);
    let turned = "q .98 .17 -.17 .98 40 360 cm 0 g 0 0 120 40 re f Q";
    check_hidden(&format!("{turned} 1 g BT /F 10 Tf 50 380 Td (oil) Tj ET"), "lamp\noil", None);
    // A turned rectangle in white, such as the line below a title, is no white background.
    let line = "q .98 .17 -.17 .98 40 372 cm 1 g 0 0 60 20 re f Q";
    check_hidden(&format!("{turned} {line} 1 g BT /F 10 Tf 50 380 Td (oil) Tj ET"), "lamp\noil", None);
    // The bar is clipped away.
    let clipped = "q 200 0 10 10 re W n 0 g 40 370 100 30 re f Q";
    check_hidden(&format!("{clipped} BT /F 10 Tf 50 380 Td (oil) Tj ET"), "lamp\noil", None);
}

#[test]
fn text_below_a_later_area_is_hidden() {
    let oil = "BT /F 10 Tf 50 380 Td (oil) Tj ET";
    check_hidden(&format!("{oil} 0.8 g 40 370 100 30 re f"), "lamp", Some("3 characters covered"));
    check_hidden(&format!("{oil} 0.8 g 40 370 15 30 re f"), "lamp\noil", None);
    check_hidden(&format!("{oil} 40 370 100 30 re S"), "lamp\noil", None);
    // A form paints in its box alone, and one that is transparent as a whole shows what lies behind it.
    let form = |bounds: &str| {
        let content = "/U gs 0.8 g 0 0 400 500 re f";
        format!(
            "6 0 obj << /Type /XObject /Subtype /Form /BBox {bounds} /Length {} >> stream\n{content}\nendstream endobj",
            content.len()
        )
    };
    check_hidden_with(&format!("{oil} /X Do"), &form("[200 0 400 100]"), "lamp\noil", None);
    check_hidden_with(
        &format!("{oil} /X Do"),
        &form("[40 370 140 395]"),
        "lamp",
        Some("3 characters covered"),
    );
    check_hidden_with(&format!("{oil} /T gs /X Do"), &form("[40 370 140 395]"), "lamp\noil", None);
    // What is drawn again lies above the area.
    check_hidden(&format!("{oil} 0.8 g 40 370 100 30 re f 0 g {oil}"), "lamp\noil", None);
}

#[test]
fn letters_without_width_are_hidden() {
    check_hidden("BT /F 10 Tf 0 Tz 50 380 Td (oil) Tj ET", "lamp", Some("3 characters tiny"));
    check_hidden("BT /F 10 Tf 50 Tz 50 380 Td (oil) Tj ET", "lamp\noil", None);
}

#[test]
fn text_that_is_not_painted_is_hidden_unless_a_picture_shows_it() {
    let oil = "BT /F 10 Tf 3 Tr 50 380 Td (oil) Tj ET";
    check_hidden(oil, "lamp", Some("3 characters not painted"));
    // The letters are drawn as an outline, and the text lies above it.
    let drawn = "50 379 m 66 379 l 60 385 62 388 50 388 c f";
    check_hidden(&format!("{drawn} {oil}"), "lamp\noil", None);
    check_hidden(
        &format!("50 100 m 66 100 l 60 105 62 108 50 108 c f {oil}"),
        "lamp",
        Some("3 characters not painted"),
    );
    let picture = "6 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray \
                   /BitsPerComponent 8 /Length 1 >> stream\nx\nendstream endobj";
    check_hidden_with(&format!("q 100 0 0 50 40 360 cm /X Do Q {oil}"), picture, "lamp\noil", None);
    let inline = "q 100 0 0 50 40 360 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x\nEI Q";
    check_hidden(&format!("{inline} {oil}"), "lamp\noil", None);
    check_hidden(&format!("/Pattern cs /P scn 40 360 100 50 re f {oil}"), "lamp\noil", None);
    check_hidden_with(&format!("{oil} q 100 0 0 50 40 360 cm /X Do Q"), picture, "lamp\noil", None);
}

#[test]
fn hidden_text_of_a_page_that_is_a_picture_is_its_text() {
    let picture = "6 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray \
                   /BitsPerComponent 8 /Length 1 >> stream\nx\nendstream endobj";
    let white = "1 g BT /F 0.5 Tf 5 495 Td (oil) Tj ET";
    let content = format!("q 400 0 0 490 0 0 cm /X Do Q {white}");
    assert_eq!((text_of(&content, picture), review_reasons(&content, picture)), ("oil".to_owned(), vec![]));
    let small = format!("q 100 0 0 100 0 0 cm /X Do Q {white}");
    assert_eq!(text_of(&small, picture), "");
}

#[test]
fn text_too_small_to_be_read_is_hidden_beside_other_text() {
    let tiny = "BT /F 0.5 Tf 50 380 Td (oil) Tj ET";
    check_hidden(tiny, "lamp", Some("3 characters tiny"));
    check(tiny, "oil");
}
