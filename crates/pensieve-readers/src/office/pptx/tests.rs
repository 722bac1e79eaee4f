//! Small presentations, each for one rule of the reader.

use super::*;
use crate::limits::pptx::{MAX_BLOCKS, MAX_DRAWINGS, MAX_PARAGRAPH_RUNS, MAX_SHAPE_DEPTH, MAX_TABLE_CELLS};
use crate::shared::archive::testing::package;
use crate::source::DiscardingSink;
use pensieve_text::model::{HiddenReason, Span};
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
fn powers_have_a_mark() {
    let run = |shift: &str, text: &str| format!("<a:r><a:rPr baseline='{shift}'/><a:t>{text}</a:t></a:r>");
    let words = run("0", "Holds 10") + &run("30000", "6") + &run("0", " l of H") + &run("-25000", "2");
    check(&format!("<p:sp><p:txBody><a:p>{words}</a:p></p:txBody></p:sp>"), "Holds 10^6 l of H2\n");
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
fn what_no_slide_shows_is_listed_and_left_out() {
    let at = |x: i64, attributes: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:cNvPr id='1' name='x' {attributes}/></p:nvSpPr><p:spPr><a:xfrm><a:off x='{x}' y='5'/>\
             <a:ext cx='0' cy='20'/></a:xfrm></p:spPr><p:txBody>{}</p:txBody></p:sp>",
            paragraph("", text)
        )
    };
    let title = shape("<p:ph type='title'/>", &paragraph("", "Named")).replace("name=", "hidden='1' name=");
    let group = format!(
        "<p:grpSp><p:nvGrpSpPr><p:cNvPr id='2' hidden='1'/></p:nvGrpSpPr>{}</p:grpSp>",
        at(5, "", "d")
    );
    let shapes =
        [title, at(0, "", "a"), at(-5, "", "b"), at(100, "", "beside"), at(5, "hidden='1'", "c"), group]
            .concat();
    let slide = format!("<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>");
    let presentation = "<p:presentation><p:sldSz cx='100' cy='80'/></p:presentation>";
    let found = read_package(&[("ppt/presentation.xml", presentation), ("ppt/slides/slide1.xml", &slide)]);
    assert_eq!(found.text.text, "## Named\n\na\n");
    let hidden: Vec<(HiddenReason, &str)> =
        found.hidden_text.iter().map(|row| (row.reason, row.text.as_str())).collect();
    assert_eq!(hidden, [(HiddenReason::OffPage, "b beside"), (HiddenReason::NotDisplayed, "c d")]);
    assert!(found.hidden_text.iter().all(|row| row.locator.as_deref() == Some("{\"slide\":1}")));
    let detail = "left out: 3 characters not displayed, 8 characters beside the page";
    assert_eq!(found.review_reasons[1].detail, detail);
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

#[test]
fn paragraphs_above_the_limit_are_lines_of_the_last() {
    let text = |inside: &str, count: usize| {
        let paragraphs = shape("", &paragraph("", "x").repeat(count));
        let slide = format!("<p:sld>{inside}{paragraphs}</p:sld>");
        let entries = [("ppt/presentation.xml", "<p:presentation/>"), ("ppt/slides/slide1.xml", &slide)];
        read_package(&entries).text.text
    };
    let whole = "x\n\n".repeat(MAX_BLOCKS - 1);
    assert!(text("", MAX_BLOCKS) == format!("{whole}x\n"));
    assert!(text("", MAX_BLOCKS + 2) == format!("{whole}x\\\nx\\\nx\n"));
    // Shapes share the limit.
    let first = shape("", &paragraph("", "y"));
    assert!(text(&first, MAX_BLOCKS - 1) == format!("y\n\n{}", &format!("{whole}x\n")[3..]));
    assert!(text(&first, MAX_BLOCKS) == format!("y\n\n{}x\\\nx\n", &whole[3..]));
}

#[test]
fn cells_and_rows_above_the_limit_are_no_table() {
    let cell = format!("<a:tc><a:txBody>{}</a:txBody></a:tc>", paragraph("", "x"));
    let lines = |cells: usize| {
        let row = format!("<a:tr>{}</a:tr>", cell.repeat(2));
        let table = format!("<a:tbl>{}</a:tbl>", row.repeat(cells / 2));
        let slide = format!("<p:sld><p:graphicFrame>{table}</p:graphicFrame></p:sld>");
        let entries = [("ppt/presentation.xml", "<p:presentation/>"), ("ppt/slides/slide1.xml", &slide)];
        let text = read_package(&entries).text.text;
        let rows = text.lines().filter(|line| *line == "| x | x |").count();
        (rows, text.lines().filter(|line| line.starts_with('x')).count())
    };
    assert_eq!(lines(MAX_TABLE_CELLS), (MAX_TABLE_CELLS / 2, 0));
    assert_eq!(lines(MAX_TABLE_CELLS + 2), (MAX_TABLE_CELLS / 2, 2));
}

#[test]
fn rows_above_the_limit_are_one() {
    let row = |texts: &[&str]| {
        let cell = |text: &&str| format!("<a:tc><a:txBody>{}</a:txBody></a:tc>", paragraph("", text));
        format!("<a:tr>{}</a:tr>", texts.iter().map(cell).collect::<String>())
    };
    let text = |empty: usize| {
        let rows = [row(&["a", "b"]), "<a:tr/>".repeat(empty), row(&["c"]), row(&["d"])];
        let slide =
            format!("<p:sld><p:graphicFrame><a:tbl>{}</a:tbl></p:graphicFrame></p:sld>", rows.concat());
        let entries = [("ppt/presentation.xml", "<p:presentation/>"), ("ppt/slides/slide1.xml", &slide)];
        read_package(&entries).text.text
    };
    assert_eq!(text(MAX_TABLE_CELLS - 3), "| a | b |\n| - | - |\n| c |  |\n| d |  |\n");
    assert_eq!(text(MAX_TABLE_CELLS - 2), "| a | b |\n| - | - |\n| c | d |\n");
}

#[test]
fn charts_are_content_up_to_a_limit() {
    let chart = "<p:graphicFrame><p:cNvPr descr='A chart'/><c:chart r:id='c'/></p:graphicFrame>";
    let text = |shapes: &str| {
        let slide = format!("<p:sld>{shapes}</p:sld>");
        let relations = "<R><Relationship Id='c' Type='t/chart' Target='../chart.xml'/></R>";
        read_package(&[
            ("ppt/presentation.xml", "<p:presentation/>"),
            ("ppt/slides/slide1.xml", &slide),
            ("ppt/slides/_rels/slide1.xml.rels", relations),
            ("ppt/chart.xml", "<c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title></c:chart>"),
        ])
        .text
        .text
    };
    assert_eq!(text(chart), "**Chart:** Sales\n");
    let (before, after) = (shape("", &paragraph("", "before")), shape("", &paragraph("", "after")));
    assert_eq!(text(&format!("{before}{chart}{after}")), "before\n\nafter\n\n**Chart:** Sales\n");
    let (choice, fallback) = (chart, shape("", &paragraph("", "x")));
    let alternate = format!("<mc:Choice>{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback>");
    assert_eq!(
        text(&format!("<mc:AlternateContent>{alternate}</mc:AlternateContent>")),
        "**Chart:** Sales\n"
    );
    assert_eq!(text(&chart.replace("r:id='c'", "r:id='d'")), "<img alt=\"A chart\"/>\n");
    let many = "<p:graphicFrame><c:chart r:id='c'/></p:graphicFrame>".repeat(MAX_DRAWINGS + 1);
    assert_eq!(text(&many).matches("Sales").count(), MAX_DRAWINGS);
}

#[test]
fn diagrams_are_below_their_label() {
    let diagram = "<p:graphicFrame><a:graphicData><dgm:relIds r:dm='d'/></a:graphicData></p:graphicFrame>";
    let slide = format!("<p:sld>{diagram}{}</p:sld>", shape("", &paragraph("", "own")));
    let point = |id: &str, text: &str| {
        format!("<dgm:pt modelId='{id}'><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>")
    };
    let data = format!(
        "<dgm:dataModel><dgm:ptLst>{}{}</dgm:ptLst></dgm:dataModel>",
        point("1", "Plan"),
        point("2", "Do")
    );
    let text = |data: &str| {
        let relations = "<R><Relationship Id='d' Type='t/diagramData' Target='../data.xml'/></R>";
        read_package(&[
            ("ppt/presentation.xml", "<p:presentation/>"),
            ("ppt/slides/slide1.xml", &slide),
            ("ppt/slides/_rels/slide1.xml.rels", relations),
            ("ppt/data.xml", data),
        ])
        .text
        .text
    };
    assert_eq!(text(&data), "own\n\n**Diagram:**\n\n- Plan\n- Do\n");
    assert_eq!(text("<dgm:dataModel/>"), "own\n");
}

#[test]
fn paragraphs_above_the_limit_are_lines_in_cells_too() {
    let cell = |count: usize| {
        let cell = format!("<a:tc><a:txBody>{}</a:txBody></a:tc>", paragraph("", "x").repeat(count));
        let slide =
            format!("<p:sld><p:graphicFrame><a:tbl><a:tr>{cell}</a:tr></a:tbl></p:graphicFrame></p:sld>");
        let mut file = Cursor::new(package(&[("ppt/presentation.xml", b"<p:presentation/>")]));
        let mut source = DocumentSource::new(&mut file, "a.pptx").unwrap();
        let mut package = OpcPackage::open(&mut source).unwrap();
        let relations = package.relations("ppt/slides/slide1.xml");
        let context = SlideContext { package: &mut package, relations: &relations, layouts: &[], size: None };
        let Some(Block::Table(mut table)) = read_slide(&slide, context).blocks.pop() else {
            panic!("no table")
        };
        table.rows[0].cells.remove(0).blocks.len()
    };
    assert_eq!(cell(MAX_BLOCKS), MAX_BLOCKS);
    assert_eq!(cell(MAX_BLOCKS + 1), MAX_BLOCKS);
}

#[test]
fn runs_above_the_limit_look_like_the_last() {
    let run = |text: &str, bold: u8| format!("<a:r><a:rPr b='{bold}'/><a:t>{text}</a:t></a:r>");
    let pairs = (run("a", 1) + &run("b", 0)).repeat(MAX_PARAGRAPH_RUNS / 2);
    let slide = |more: &str| format!("<p:sld>{}</p:sld>", shape("", &format!("<a:p>{pairs}{more}</a:p>")));
    let end = |more: &str| {
        let slide = slide(more);
        let entries = [("ppt/presentation.xml", "<p:presentation/>"), ("ppt/slides/slide1.xml", &slide)];
        let text = read_package(&entries).text.text;
        text[text.len() - 12..].to_owned()
    };
    assert_eq!(end(""), "b**a**b**a**b\n"[2..]);
    assert_eq!(end(&run("c", 1)), "**a**b**a**bc\n"[2..]);
}

#[test]
fn marks_of_runs_are_read() {
    let run = |properties: &str, text: &str| format!("<a:r>{properties}<a:t>{text}</a:t></a:r>");
    let check_runs = |runs: &[String], expected: &str| {
        check(&shape("", &format!("<a:p>{}</a:p>", runs.concat())), expected);
    };
    let styled = |attributes: &str| run(&format!("<a:rPr {attributes}/>"), "x");
    check_runs(&[styled("b='true'")], "**x**\n");
    check_runs(&[styled("i='1'")], "*x*\n");
    check_runs(&[styled("b='0' i='off'")], "x\n");
    check_runs(&[styled("strike='sngStrike'")], "~~x~~\n");
    check_runs(&[styled("strike='noStrike'")], "x\n");
    let font = |tag: &str, font: &str, text: &str| {
        run(&format!("<a:rPr><a:{tag} typeface='{font}'/></a:rPr>"), text)
    };
    check_runs(&[font("latin", "Courier New", "x"), run("", " y")], "`x` y\n");
    check_runs(
        &[font("latin", "Symbol", "&#xf061;"), font("sym", "Symbol", "&#xf062;"), font("sym", "Arial", "c")],
        "αβc\n",
    );
    // A style belongs to its run, and properties outside a run to none.
    check_runs(&["<a:rPr b='1'/>".to_owned(), run("", "x"), styled("b='1'"), run("", "y")], "x**x**y\n");
    check_runs(&[run("", "a\tb\nc_x000D_d\u{b}e")], "a b cd\\\ne\n");
    check_runs(
        &[run("", "a"), "<a:tab/>".to_owned(), run("", "b"), "<a:br><a:rPr/></a:br>c".to_owned()],
        "a b\n",
    );
}

#[test]
fn links_are_those_to_other_places() {
    let run = |id: &str| format!("<a:r><a:rPr><a:hlinkClick r:id='{id}'/></a:rPr><a:t>x{id}</a:t></a:r>");
    let runs = [run("e"), run("i"), run("none")].concat();
    let slide = format!("<p:sld>{}</p:sld>", shape("", &format!("<a:p>{runs}<a:r><a:t>y</a:t></a:r></a:p>")));
    let found = read_package(&[
        ("ppt/presentation.xml", "<p:presentation/>"),
        ("ppt/slides/slide1.xml", &slide),
        (
            "ppt/slides/_rels/slide1.xml.rels",
            "<R><Relationship Id='e' Type='t/hyperlink' Target='http://e.org/' TargetMode='External'/>\
             <Relationship Id='i' Type='t/slide' Target='slide2.xml'/></R>",
        ),
    ]);
    assert_eq!(found.text.text, "[xe](http://e.org/)xixnoney\n");
}

#[test]
fn bullets_restart_below_and_after_others() {
    let item = |level: usize, bullet: &str| {
        paragraph(&format!("<a:pPr lvl='{level}'>{bullet}</a:pPr>"), &level.to_string())
    };
    let number = "<a:buAutoNum type='arabicPeriod'/>";
    let symbol = "<a:buChar char='x'/>";
    let check_items = |items: &[(usize, &str)], expected: &str| {
        let items: String = items.iter().map(|(level, bullet)| item(*level, bullet)).collect();
        check(&shape("", &items), expected);
    };
    check_items(
        &[(0, number), (1, number), (1, number), (0, number), (1, number)],
        "1. 0\n   1. 1\n   2. 1\n2. 0\n   1. 1\n",
    );
    check_items(&[(0, number), (0, symbol), (0, number)], "1. 0\n- 0\n1. 0\n");
    check_items(&[(0, number), (0, "<a:buNone/>"), (0, number)], "1. 0\n\n0\n\n1. 0\n");
    // The first bullet counts, and no level is deeper than the ninth.
    check_items(&[(0, "<a:buNone/><a:buChar char='x'/>")], "0\n");
    check_items(&[(99, number)], "1. 99\n");
    let levels = "<a:lstStyle><a:lvl2pPr><a:buChar char='x'/></a:lvl2pPr></a:lstStyle>";
    let inherited = [levels, &item(0, ""), &item(1, ""), &item(1, "<a:buNone/>")].concat();
    check(&shape("", &inherited), "0\n\n- 1\n\n1\n");
    let title = shape("<p:ph type='title'/>", &[item(0, symbol), item(1, symbol)].concat());
    check(&title, "## 0 1\n");
    let cell = format!("<a:tc><a:txBody>{}</a:txBody></a:tc>", item(0, symbol));
    let table = format!("<a:tbl><a:tr>{cell}{cell}</a:tr></a:tbl>");
    check(&format!("<p:graphicFrame>{table}</p:graphicFrame>"), "| 0 | 0 |\n| - | - |\n");
}

#[test]
fn descriptions_replace_shapes_without_text() {
    let picture = |descriptions: &str, inside: &str| {
        format!("<p:pic><p:nvPicPr>{descriptions}</p:nvPicPr>{inside}</p:pic>")
    };
    let cat = "<p:cNvPr descr='A cat'/>";
    let text = paragraph("", "words");
    check(&picture(cat, ""), "<img alt=\"A cat\"/>\n");
    check(&picture(cat, &text), "words\n");
    check(&picture(cat, &paragraph("", "  ")), "<img alt=\"A cat\"/>\n");
    check(&picture(&format!("{cat}<p:cNvPr descr='A dog'/>"), ""), "<img alt=\"A cat\"/>\n");
    // Shapes inside shapes are content of the outer one.
    let inner = picture(cat, "");
    check(&picture("<p:cNvPr descr='A dog'/>", &inner), "<img alt=\"A cat\"/>\n");
    check(&(text.clone() + &picture(cat, "")), "words\n\n<img alt=\"A cat\"/>\n");
    // A choice without content leaves the fallback.
    let alternate = |choice: &str, fallback: &str| {
        format!(
            "<mc:AlternateContent><mc:Choice>{choice}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
        )
    };
    let x = shape("", &paragraph("", "x"));
    check(&alternate("<a:p/>", &x), "x\n");
    check(&alternate(&inner, &x), "<img alt=\"A cat\"/>\n");
    check(&(x.clone() + &alternate("", &x)), "x\n\nx\n");
}

#[test]
fn merged_cells_and_second_titles() {
    let cell = |attributes: &str, text: &str| {
        format!("<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>", paragraph("", text))
    };
    let rows = [
        [cell("rowSpan='2'", "a"), cell("", "b")].concat(),
        [cell("vMerge='true'", "hidden"), cell("hMerge='0'", "c")].concat(),
        [cell("gridSpan='0'", "d"), cell("rowSpan='x'", "e")].concat(),
    ]
    .map(|row| format!("<a:tr>{row}</a:tr>"));
    let table = format!("<p:graphicFrame><a:tbl>{}</a:tbl></p:graphicFrame>", rows.concat());
    check(&table, "| a | b |\n| - | - |\n| a | c |\n| d | e |\n");
    let title = |text: &str| shape("<p:ph type='title'/>", &paragraph("", text));
    check(&[title(" "), title("one"), title("two")].concat(), "## one\n\ntwo\n");
    let dated = ["dt", "hdr"].map(|kind| shape(&format!("<p:ph type='{kind}'/>"), &paragraph("", kind)));
    check(&(dated.concat() + &shape("<p:ph type='sldImg'/>", &paragraph("", "no"))), "dt\n\nhdr\n");
    check("<p:sp><a:p><a:r><a:t>open", "open\n");
}

#[test]
fn shapes_too_deep_belong_to_the_one_around_them() {
    let levels = "<a:lstStyle><a:lvl1pPr><a:buChar char='x'/></a:lvl1pPr></a:lstStyle>";
    let inner = format!("<p:sp>{levels}</p:sp>{}", paragraph("", "x"));
    let nested = |depth: usize| format!("{}{inner}{}", "<p:sp>".repeat(depth), "</p:sp>".repeat(depth));
    check(&nested(MAX_SHAPE_DEPTH - 1), "x\n");
    check(&nested(MAX_SHAPE_DEPTH), "- x\n");
}

#[test]
fn free_shapes_come_as_they_are_seen() {
    let at = |x: i64, y: i64, place: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x='{x}' y='{y}'/><a:ext cx='40' cy='20'/>\
             </a:xfrm></p:spPr><p:txBody>{}</p:txBody></p:sp>",
            paragraph("", text)
        )
    };
    let (last, right, left) = (at(0, 90, "", "last"), at(50, 10, "", "right"), at(0, 12, "", "left"));
    check(&[&*last, &right, &left].concat(), "left\n\nright\n\nlast\n");
    // Where a layout names a place, the order of the file holds.
    let named = at(0, 50, "<p:ph idx='3'/>", "named");
    check(&[&*last, &named, &left].concat(), "last\n\nnamed\n\nleft\n");
}

#[test]
fn formulas_are_tex() {
    let formula = "<m:oMath><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>";
    let words = format!("<a:r><a:t>so </a:t></a:r><a14:m>{formula}</a14:m>");
    check(&format!("<p:sp><p:txBody><a:p>{words}</a:p></p:txBody></p:sp>"), "so $c^2$\n");
    let alone = format!("<a14:m><m:oMathPara>{formula}</m:oMathPara></a14:m>");
    check(&format!("<p:sp><p:txBody><a:p>{alone}</a:p></p:txBody></p:sp>"), "$$c^2$$\n");
}
