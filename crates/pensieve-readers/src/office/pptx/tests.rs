//! Small presentations, each for one rule of the reader.

use super::*;
use crate::shared::archive::testing::package;
use crate::source::DiscardingSink;
use pensieve_text::model::Span;
use std::io::Cursor;

fn read_package(entries: &[(&str, &str)]) -> Document {
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let mut file = Cursor::new(package(&entries));
    let mut source = DocumentSource::new(&mut file, "a.pptx").unwrap();
    read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap()
}

/// A presentation of one slide with this tree of shapes.
fn check(shapes: &str, expected: &str) {
    let slide = format!("<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>");
    let found =
        read_package(&[("ppt/presentation.xml", "<p:presentation/>"), ("ppt/slides/slide1.xml", &slide)]);
    assert_eq!(found.text.text, expected, "of {shapes}");
}

fn shape(place: &str, body: &str) -> String {
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id='1' name='x'/><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{body}</p:txBody></p:sp>"
    )
}

fn paragraph(properties: &str, text: &str) -> String {
    format!("<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>")
}

#[test]
fn titles_are_headings_and_numbers_of_slides_are_nothing() {
    let number = shape("<p:ph type='sldNum'/>", "<a:p><a:fld type='slidenum'><a:t>7</a:t></a:fld></a:p>");
    let footer = shape("<p:ph type='ftr'/>", &paragraph("", "ACME"));
    let title = shape("<p:ph type='ctrTitle'/>", &(paragraph("", "The") + &paragraph("", "title")));
    let text =
        shape("", "<a:p><a:r><a:rPr b='1'/><a:t>bold</a:t></a:r><a:br/><a:r><a:t>more</a:t></a:r></a:p>");
    check(&[number, footer, text, title].concat(), "## The title\n\n**bold**\\\nmore\n\nACME\n");
}

#[test]
fn lists_have_levels_and_numbers() {
    let sign = |level: u8, text: &str| {
        paragraph(&format!("<a:pPr lvl='{level}'><a:buChar char='x'/></a:pPr>"), text)
    };
    let number = |kind: &str, text: &str| {
        paragraph(&format!("<a:pPr><a:buAutoNum type='{kind}' startAt='3'/></a:pPr>"), text)
    };
    let signs = shape("", &[sign(0, "a"), sign(1, "b"), sign(0, "c")].concat());
    check(&signs, "- a\n  - b\n- c\n");
    let numbers =
        shape("", &[number("arabicPeriod", "a"), number("arabicPeriod", "b"), paragraph("", "c")].concat());
    check(&numbers, "3. a\n4. b\n\nc\n");
}

#[test]
fn groups_tables_and_pictures_are_read_in_order() {
    let cell = |attributes: &str, text: &str| {
        format!("<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>", paragraph("", text))
    };
    let row = |cells: &[String]| format!("<a:tr>{}</a:tr>", cells.concat());
    let rows = row(&[cell("gridSpan='2'", "wide"), cell("hMerge='1'", ""), cell("", "c")])
        + &row(&[cell("", "d"), cell("", "e"), cell("", "f")]);
    let table = format!("<p:graphicFrame><a:graphic><a:tbl>{rows}</a:tbl></a:graphic></p:graphicFrame>");
    let picture = "<p:pic><p:nvPicPr><p:cNvPr id='2' descr='A cat'/></p:nvPicPr></p:pic>";
    let group = format!(
        "<p:grpSp><p:grpSpPr/>{}<p:grpSp>{}</p:grpSp></p:grpSp>",
        shape("", &paragraph("", "one")),
        shape("", &paragraph("", "two"))
    );
    let expected =
        "one\n\ntwo\n\n| wide | wide | c |\n| - | - | - |\n| d | e | f |\n\n<img alt=\"A cat\"/>\n";
    check(&(group + &table + picture), expected);
    let box_ = shape("", &paragraph("", "x"));
    check(
        &format!(
            "<mc:AlternateContent><mc:Choice>{box_}</mc:Choice><mc:Fallback>{box_}</mc:Fallback></mc:AlternateContent>"
        ),
        "x\n",
    );
}

#[test]
fn slides_come_in_their_order_with_notes_and_comments() {
    let slide = |text: &str| format!("<p:sld>{}</p:sld>", shape("", &paragraph("", text)));
    let notes = shape("<p:ph type='sldImg'/>", "")
        + &shape("<p:ph type='body'/>", &paragraph("", "say this"))
        + &shape("<p:ph type='sldNum'/>", &paragraph("", "1"));
    let found = read_package(&[
        (
            "ppt/presentation.xml",
            "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='r2'/><p:sldId id='257' r:id='r1'/></p:sldIdLst></p:presentation>",
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            "<R><Relationship Id='r1' Type='t/slide' Target='slides/slide1.xml'/><Relationship Id='r2' Type='t/slide' Target='slides/slide2.xml'/><Relationship Id='r3' Type='t/commentAuthors' Target='a.xml'/></R>",
        ),
        ("ppt/a.xml", "<l><p:cmAuthor id='4' name='Ann'/></l>"),
        ("ppt/slides/slide1.xml", &slide("first file")),
        ("ppt/slides/slide2.xml", &slide("second file")),
        (
            "ppt/slides/_rels/slide2.xml.rels",
            "<R><Relationship Id='n' Type='t/notesSlide' Target='../n.xml'/><Relationship Id='c' Type='t/comments' Target='../c.xml'/></R>",
        ),
        ("ppt/n.xml", &format!("<p:notes>{notes}</p:notes>")),
        ("ppt/c.xml", "<l><p:cm authorId='4'><p:text>really?</p:text></p:cm></l>"),
    ]);
    assert_eq!(found.text.text, "second file\n\n> say this\n\nfirst file\n");
    assert!(found.metadata.contains(&("comment".to_owned(), "slide 1: Ann: really?".to_owned())));
    assert_eq!(found.text.places.of(Span::new(0, 4)), Some(Locator::slide(1)));
    assert_eq!(
        found.text.places.of(Span::new(found.text.text.len() - 3, found.text.text.len())),
        Some(Locator::slide(2))
    );
}

#[test]
fn what_is_missing_is_told() {
    let found = read_package(&[
        (
            "ppt/presentation.xml",
            "<p:presentation><p:sldIdLst><p:sldId r:id='r1'/></p:sldIdLst></p:presentation>",
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            "<R><Relationship Id='r1' Type='t/slide' Target='slides/slide1.xml'/></R>",
        ),
    ]);
    assert_eq!(found.review_reasons.len(), 1);
    let deep = "<p:grpSp>".repeat(3000);
    check(&shape("", &paragraph("", "x")), "x\n");
    check(&deep, "");
}
