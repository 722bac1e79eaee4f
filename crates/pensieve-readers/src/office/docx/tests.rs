//! Small documents, each for one rule of the reader.

use super::*;
use crate::shared::archive::testing::package;
use crate::source::DiscardingSink;
use pensieve_text::model::{HiddenReason, Span};
use std::io::Cursor;

/// A document with this body and further parts, each with the kind and identifier of its relationship and its name.
fn document(body: &str, parts: &[(&str, &str, &str, &str)]) -> Document {
    let mut rels = String::from("<Relationships>");
    for (kind, id, name, _) in parts {
        let mode = if name.contains("://") { " TargetMode='External'" } else { "" };
        rels += &format!("<Relationship Id='{id}' Type='t/{kind}' Target='{name}'{mode}/>");
    }
    rels += "</Relationships>";
    let body = format!("<w:document><w:body>{body}</w:body></w:document>");
    let mut annotations = vec![("word/document.xml".to_owned(), body.into_bytes())];
    annotations.push(("word/_rels/document.xml.rels".to_owned(), rels.into_bytes()));
    annotations
        .extend(parts.iter().map(|(_, _, name, text)| (format!("word/{name}"), text.as_bytes().to_vec())));
    let annotations: Vec<(&str, &[u8])> =
        annotations.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    let mut file = Cursor::new(package(&annotations));
    let mut source = DocumentSource::new(&mut file, "a.docx").unwrap();
    read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap()
}

fn check_with(body: &str, parts: &[(&str, &str, &str, &str)], expected: &str) {
    assert_eq!(document(body, parts).text.text, expected, "of {body}");
}

fn check(body: &str, expected: &str) {
    check_with(body, &[], expected);
}

fn paragraph(inside: &str) -> String {
    format!("<w:p>{inside}</w:p>")
}

fn run(text: &str) -> String {
    format!("<w:r><w:t>{text}</w:t></w:r>")
}

#[test]
fn words_keep_their_emphasis_and_signs() {
    let bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r>";
    let off = "<w:r><w:rPr><w:b w:val='0'/><w:i w:val='off'/></w:rPr><w:t> plain</w:t></w:r>";
    let hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>";
    check(&paragraph(&[bold, off, hidden].concat()), "**bold** plain\n");
    let symbol_font = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/><w:t>d</w:t><w:br/><w:t>e</w:t>\
                 <w:sym w:font='Wingdings' w:char='F0FC'/><w:sym w:font='Symbol' w:char='F061'/></w:r>";
    check(&paragraph(symbol_font), "a b\u{2011}cd\\\ne✓α\n");
    let ruby = "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>";
    check(&paragraph(&(ruby.to_owned() + ruby + &run("b"))), "漢(kan)漢(kan)b\n");
}

#[test]
fn words_that_nobody_can_see_are_listed() {
    let format = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>")
    };
    let white = format("<w:color w:val='FFFFFF'/>", "white");
    let shaded = format("<w:color w:val='FFFFFF'/><w:shd w:val='clear' w:fill='1F3864'/>", "title");
    let hidden = format("<w:vanish/>", "gone");
    let tiny = format("<w:sz w:val='2'/>", "small");
    let body = [paragraph(&(run("a ") + &hidden + &tiny)), paragraph(&white), paragraph(&shaded)].concat();
    let check =
        |body: &str, parts: &[(&str, &str, &str, &str)], text: &str, hidden: &[(HiddenReason, &str)]| {
            let found = document(body, parts);
            let listed: Vec<(HiddenReason, &str)> =
                found.hidden_text.iter().map(|row| (row.reason, row.text.as_str())).collect();
            assert_eq!((found.text.text.as_str(), &listed[..]), (text, hidden), "of {body}");
        };
    let both = [(HiddenReason::NotDisplayed, "gone"), (HiddenReason::Tiny, "small")];
    let all = [both[0], both[1], (HiddenReason::SameColour, "white")];
    check(&body, &[], "a\n\ntitle\n", &all);
    // What a shape behind the text, a background or a style of a table shows is not known.
    let shape = paragraph("<w:r><w:drawing><wp:anchor behindDoc=\"1\"/></w:drawing></w:r>");
    check(&(body.clone() + &shape), &[], "a\n\nwhite\n\ntitle\n", &both);
    let header = "<w:hdr><w:p><w:r><w:pict><v:shape/></w:pict></w:r></w:p></w:hdr>";
    check(&body, &[("header", "h", "h.xml", header)], "a\n\nwhite\n\ntitle\n", &both);
    let table = |cell: &str| format!("<w:tbl><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>");
    check(&table(&paragraph(&white)), &[], "white\n", &[]);
    let styles = "<w:styles><w:style w:styleId='b'><w:name w:val='Banner'/><w:pPr><w:shd w:val='clear' w:fill='000000'/></w:pPr>\
                  <w:rPr><w:color w:val='FFFFFF'/></w:rPr></w:style></w:styles>";
    let banner = paragraph(&("<w:pPr><w:pStyle w:val='b'/></w:pPr>".to_owned() + &run("banner")));
    check(&banner, &[("styles", "s", "s.xml", styles)], "banner\n", &[]);
    let place = &document(&body, &[]).hidden_text[0].locator;
    assert!(
        place.as_ref().is_some_and(|place| place.contains("\"part\":\"word/document.xml\"")),
        "{place:?}"
    );
}

#[test]
fn powers_have_a_mark() {
    let shifted = |value: &str, text: &str| {
        format!("<w:r><w:rPr><w:vertAlign w:val='{value}'/></w:rPr><w:t>{text}</w:t></w:r>")
    };
    let power = run("3 × 10") + &shifted("superscript", "6") + &run(" kg of CO") + &shifted("subscript", "2");
    check(&paragraph(&power), "3 × 10^6 kg of CO2\n");
    let raised = "<w:r><w:rPr><w:position w:val='6'/></w:rPr><w:t>3</w:t></w:r>";
    check(&paragraph(&(run("12 m") + raised + &run(", 1") + &shifted("superscript", "st"))), "12 m^3, 1st\n");
}

#[test]
fn items_in_cells_stay_apart() {
    let item = |text: &str| {
        paragraph(&format!(
            "<w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr></w:pPr>{}",
            run(text)
        ))
    };
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/></w:lvl></w:abstractNum>\
                     <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>";
    let cells = format!(
        "<w:tc>{}</w:tc><w:tc>{}{}{}</w:tc>",
        paragraph(&run("a")),
        item("cable"),
        item("lamp."),
        item("oil")
    );
    let table = format!("<w:tbl><w:tr>{cells}</w:tr></w:tbl>");
    check_with(
        &table,
        &[("numbering", "n", "numbering.xml", numbering)],
        "| a | cable; lamp. oil |\n| - | - |\n",
    );
}

#[test]
fn tracked_changes_are_taken() {
    let inserted =
        format!("<w:ins>{}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>", run("new"));
    check(&paragraph(&(inserted + "<w:moveFrom><w:r><w:t>away</w:t></w:r></w:moveFrom>")), "new\n");
    let joined = format!("<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{}", run("one "));
    check(&(paragraph(&joined) + &paragraph(&run("two"))), "one two\n");
    check(&paragraph(&joined), "one\n");
    let row = |properties: &str, text: &str| {
        format!("<w:tr>{properties}<w:tc>{0}</w:tc><w:tc>{0}</w:tc></w:tr>", paragraph(&run(text)))
    };
    let table = format!("<w:tbl>{}{}</w:tbl>", row("", "a"), row("<w:trPr><w:del/></w:trPr>", "b"));
    check(&table, "| a | a |\n| - | - |\n");
}

#[test]
fn results_of_fields_count_and_codes_do_not() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let code = |code: &str| format!("<w:r><w:instrText>{code}</w:instrText></w:r>");
    let inner = [mark("begin"), code("DATE"), mark("separate"), run("today"), mark("end")].concat();
    let outer = [mark("begin"), code("IF "), inner, mark("separate"), run("yes"), mark("end")].concat();
    check(&paragraph(&(outer + &run("."))), "yes.\n");
    let link =
        [mark("begin"), code("HYPERLINK \"http://x\""), mark("separate"), run("x"), mark("end")].concat();
    check(&paragraph(&(link + &run(" y"))), "[x](http://x) y\n");
    check(&paragraph(&format!("<w:fldSimple w:instr='PAGE'>{}</w:fldSimple>", run("3"))), "3\n");
    let form = "<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>";
    check(&paragraph(&[form, &code("FORMCHECKBOX"), &mark("end"), &run(" agreed")].concat()), "[x] agreed\n");
    let lost = paragraph(&mark("begin")) + &paragraph(&run("a")).repeat(60);
    assert!(document(&lost, &[]).text.text.contains('a'));
}

#[test]
fn headings_and_lists_have_their_numbers() {
    let styles = "<w:styles><w:style w:styleId='h'><w:name w:val='heading 2'/><w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style></w:styles>";
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/>\
        <w:lvlText w:val='%1.'/></w:lvl><w:lvl w:ilvl='1'><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='%2)'/></w:lvl></w:abstractNum>\
        <w:num w:numId='1'><w:abstractNumId w:val='1'/></w:num></w:numbering>";
    let parts = [("styles", "a", "s.xml", styles), ("numbering", "b", "n.xml", numbering)];
    let styled = |style: &str, text: &str| {
        paragraph(&format!("<w:pPr><w:pStyle w:val='{style}'/></w:pPr>{}", run(text)))
    };
    let item = |level: u8, text: &str| {
        let place =
            format!("<w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr></w:pPr>");
        paragraph(&(place + &run(text)))
    };
    let body = styled("h", "Title") + &item(0, "one") + &item(1, "in") + &item(0, "two");
    check_with(&body, &parts, "## 1. Title\n\n2. one\n   - a) in\n3. two\n");
    let none = paragraph(
        "<w:pPr><w:pStyle w:val='h'/><w:numPr><w:numId w:val='0'/></w:numPr></w:pPr><w:r><w:t>T</w:t></w:r>",
    );
    check_with(&none, &parts, "## T\n");
}

#[test]
fn code_and_quotations_are_known_by_style_or_font() {
    let styled = |style: &str, text: &str| {
        paragraph(&format!("<w:pPr><w:pStyle w:val='{style}'/></w:pPr>{}", run(text)))
    };
    let body = [styled("Code", "a  b"), styled("Code", ""), styled("Code", "c")].concat();
    check(&(body + &styled("Quote", "said")), "```\na  b\n\nc\n```\n\n> said\n");
    let mono = "<w:r><w:rPr><w:rFonts w:ascii='Courier New'/></w:rPr><w:t>x = 1</w:t></w:r>";
    check(&paragraph(mono), "```\nx = 1\n```\n");
    check(&paragraph(&(run("set ") + mono)), "set `x = 1`\n");
    let styles = "<w:styles><w:style w:styleId='m'><w:name w:val='Listing 1'/><w:rPr><w:rFonts w:ascii='Consolas'/></w:rPr></w:style>\
                  <w:style w:styleId='v'><w:name w:val='Gone'/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>";
    let body = styled("m", "y = 2") + &styled("v", "hidden");
    check_with(&body, &[("styles", "s", "s.xml", styles)], "```\ny = 2\n```\n");
}

#[test]
fn text_boxes_are_read_once() {
    let inside = paragraph(&run("box"));
    let choice = format!(
        "<mc:Choice Requires='wps'><w:drawing><wps:txbx><w:txbxContent>{inside}</w:txbxContent></wps:txbx></w:drawing></mc:Choice>"
    );
    let fallback = format!(
        "<mc:Fallback><w:pict><v:textbox><w:txbxContent>{inside}</w:txbxContent></v:textbox></w:pict></mc:Fallback>"
    );
    let both = format!("<w:r><mc:AlternateContent>{choice}{fallback}</mc:AlternateContent></w:r>");
    check(&paragraph(&(both.clone() + &run("text"))), "box\n\ntext\n");
    check(&paragraph(&(run("text") + &both + &run(" more"))), "text more\n\nbox\n");
    let empty = format!(
        "<w:r><mc:AlternateContent><mc:Choice><w:drawing/></mc:Choice>{fallback}</mc:AlternateContent></w:r>"
    );
    check(&paragraph(&empty), "box\n");
}

#[test]
fn pictures_say_what_they_show() {
    let picture =
        |text: &str| format!("<w:r><w:drawing><wp:docPr name='Picture 1' descr='{text}'/></w:drawing></w:r>");
    check(
        &paragraph(&(run("see") + &picture("A cat&#10;&#10;Description automatically generated"))),
        "see <img alt=\"A cat\"/>\n",
    );
    check(&paragraph(&picture("image1.png")), "");
}

#[test]
fn notes_comments_headers_and_footers_follow_once() {
    let notes = "<w:footnotes><w:footnote w:type='separator' w:id='0'><w:p><w:r><w:t>no</w:t></w:r></w:p></w:footnote>\
        <w:footnote w:id='2'><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t> said</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let comments = "<w:comments><w:comment w:id='1' w:author='Ann'><w:p><w:r><w:t>why?</w:t></w:r></w:p></w:comment></w:comments>";
    let header = "<w:hdr><w:p><w:r><w:t>Report</w:t></w:r></w:p></w:hdr>";
    let parts = [
        ("footnotes", "f", "f.xml", notes),
        ("comments", "c", "c.xml", comments),
        ("header", "h1", "h1.xml", header),
        ("header", "h2", "h2.xml", header),
        ("footer", "p", "p.xml", "<w:ftr><w:p><w:r><w:t>- 3 -</w:t></w:r></w:p></w:ftr>"),
    ];
    let section = "<w:sectPr><w:headerReference r:id='h1'/><w:headerReference r:id='h2'/><w:footerReference r:id='p'/></w:sectPr>";
    let body = paragraph(&(run("text") + "<w:r><w:footnoteReference w:id='2'/></w:r>")) + section;
    check_with(&body, &parts, "text[^1]\n\n[^1]: said\n\n> **Ann:** why?\n\nReport\n");
}

#[test]
fn tables_may_stand_inside_runs() {
    let table = format!("<w:tbl><w:tr><w:tc>{0}</w:tc><w:tc>{0}</w:tc></w:tr></w:tbl>", paragraph(&run("x")));
    let body = paragraph(&(run("before") + &format!("<w:r>{table}</w:r>") + &run("behind")));
    check(&body, "before\n\n| x | x |\n| - | - |\n\nbehind\n");
}

#[test]
fn pages_inside_are_read() {
    let parts = [("aFChunk", "a", "a.htm", "<html><body><h1>T</h1><p>x</p></body></html>")];
    check_with("<w:altChunk r:id='a'/>", &parts, "# T\n\nx\n");
}

#[test]
fn places_are_bytes_of_paragraphs_and_rows() {
    let body = paragraph(&run("one")) + &paragraph(&run("two"));
    let document = document(&body, &[]);
    let start = "<w:document><w:body>".len();
    let length = paragraph(&run("one")).len();
    let place = |at: usize| document.text.places.of(Span::new(at, at + 1)).unwrap().to_json();
    assert_eq!(
        place(0),
        format!("{{\"bytes\":[{start},{}],\"part\":\"word/document.xml\"}}", start + length)
    );
    assert_eq!(
        place(6),
        format!("{{\"bytes\":[{},{}],\"part\":\"word/document.xml\"}}", start + length, start + 2 * length)
    );
}

#[test]
fn broken_documents_give_what_they_hold() {
    let document = document("<w:p><w:r><w:t>kept</w:r><w:tbl><w:tr><w:p><w:r><w:t>cell</w:t>", &[]);
    assert_eq!(
        document.text.text.replace('\n', " ").split_whitespace().collect::<Vec<_>>().concat(),
        "keptcell"
    );
    assert!(!document.review_reasons.is_empty());
    let deep = "<w:tbl><w:tr><w:tc>".repeat(600) + "<w:p><w:r><w:t>deep</w:t></w:r></w:p>";
    assert!(self::document(&deep, &[]).text.text.contains("deep"));
}

/// Items of a list with this definition of its first levels.
fn check_list(levels: &str, list: &str, items: &[(u8, &str)], expected: &str) {
    let numbering = format!(
        "<w:numbering><w:abstractNum w:abstractNumId='1'>{levels}</w:abstractNum>\
         <w:num w:numId='1'><w:abstractNumId w:val='1'/>{list}</w:num></w:numbering>"
    );
    let item = |(level, text): &(u8, &str)| {
        let place =
            format!("<w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr></w:pPr>");
        paragraph(&(place + &run(text)))
    };
    let body: String = items.iter().map(item).collect();
    check_with(&body, &[("numbering", "b", "n.xml", &numbering)], expected);
}

#[test]
fn a_list_with_a_wider_indent_is_inside_the_one_before() {
    let list = |id: u8, format: &str, text: &str| {
        format!(
            "<w:abstractNum w:abstractNumId='{id}'><w:lvl w:ilvl='0'><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/>\
             <w:pPr><w:ind w:left='720' w:hanging='360'/></w:pPr></w:lvl></w:abstractNum>\
             <w:num w:numId='{id}'><w:abstractNumId w:val='{id}'/></w:num>"
        )
    };
    let numbering = format!(
        "<w:numbering>{}{}{}</w:numbering>",
        list(1, "decimal", "%1."),
        list(2, "bullet", "•"),
        list(3, "lowerLetter", "%1)")
    );
    let item = |list: u8, indent: &str, text: &str| {
        let place = format!("<w:pPr><w:numPr><w:numId w:val='{list}'/></w:numPr>{indent}</w:pPr>");
        paragraph(&(place + &run(text)))
    };
    let wide = "<w:ind w:left='1440'/>";
    let body = [
        item(1, "", "one"),
        item(2, wide, "in"),
        item(1, "", "two"),
        item(3, wide, "in"),
        item(2, "<w:ind w:start='2160'/>", "deep"),
        item(3, wide, "in"),
        item(2, "", "out"),
        paragraph(&run("words")),
        item(2, wide, "apart"),
    ];
    check_with(
        &body.concat(),
        &[("numbering", "n", "n.xml", &numbering)],
        "1. one\n   - in\n2. two\n   - a) in\n     - deep\n   - b) in\n- out\n\nwords\n\n- apart\n",
    );
}

#[test]
fn a_drop_cap_is_part_of_its_word() {
    let cap = "<w:pPr><w:framePr w:dropCap='drop' w:lines='3'/></w:pPr>";
    let body = paragraph(&(cap.to_owned() + &run("O"))) + &paragraph(&run("nce upon"));
    check(&body, "Once upon\n");
}

#[test]
fn lists_begin_and_count_as_they_are_defined() {
    let level = |at: u8, inside: &str| format!("<w:lvl w:ilvl='{at}'>{inside}</w:lvl>");
    let decimal = "<w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/>";
    let items = [(0, "one"), (0, "two")];
    check_list(&level(0, &format!("<w:start w:val='5'/>{decimal}")), "", &items, "5. one\n6. two\n");
    let over = "<w:lvlOverride w:ilvl='0'><w:startOverride w:val='3'/></w:lvlOverride>";
    check_list(&level(0, &format!("<w:start w:val='1'/>{decimal}")), over, &items, "3. one\n4. two\n");
    let roman = "<w:start w:val='1'/><w:numFmt w:val='lowerRoman'/><w:lvlText w:val='(%1)'/>";
    check_list(&level(0, roman), "", &items, "- (i) one\n- (ii) two\n");
    let bullet = "<w:numFmt w:val='bullet'/><w:lvlText w:val='-'/>";
    check_list(&level(0, bullet), "", &items, "- one\n- two\n");
    let words = "<w:numFmt w:val='bullet'/><w:lvlText w:val='Note:'/>";
    check_list(&level(0, words), "", &items, "- Note: one\n- Note: two\n");
    let sign = "<w:numFmt w:val='bullet'/><w:lvlText w:val='--'/>";
    check_list(&level(0, sign), "", &items, "- one\n- two\n");
    let padded = "<w:start w:val='1'/><w:numFmt w:val='custom' w:format='001, 002, 003, ...'/><w:lvlText w:val='%1.'/>";
    check_list(&level(0, padded), "", &items, "001. one\n002. two\n");
    let legal = level(0, "<w:start w:val='2'/><w:numFmt w:val='upperRoman'/><w:lvlText w:val='%1.'/>")
        + &level(1, "<w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.%2'/><w:isLgl/>");
    check_list(&legal, "", &[(0, "a"), (1, "b"), (1, "c")], "- II. a\n  - 2.1 b\n  - 2.2 c\n");
    let own = "<w:lvlOverride w:ilvl='0'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='upperLetter'/><w:lvlText w:val='%1)'/></w:lvl></w:lvlOverride>";
    check_list(&level(0, decimal), own, &items, "- A) one\n- B) two\n");
}

#[test]
fn equations_stand_in_their_sentence_or_alone() {
    let formula = "<m:oMath><m:r><m:t>a</m:t></m:r><m:r><m:t>=</m:t></m:r><m:r><m:t>b</m:t></m:r></m:oMath>";
    check(&paragraph(&(run("so ") + formula + &run(" holds"))), "so $a=b$ holds\n");
    check(&paragraph(&format!("<m:oMathPara>{formula}</m:oMathPara>")), "$$a=b$$\n");
    check(&paragraph(&format!("<w:r><m:oMathPara>{formula}</m:oMathPara></w:r>")), "$$a=b$$\n");
}

#[test]
fn breaks_and_signs_inside_words() {
    check(&paragraph("<w:r><w:t>a</w:t><w:cr/><w:t>b</w:t></w:r>"), "a\\\nb\n");
    check(&paragraph("<w:r><w:t>a</w:t><w:ptab/><w:t>b</w:t></w:r>"), "a b\n");
    check(&paragraph("<w:r><w:rPr><w:strike/></w:rPr><w:t>a</w:t></w:r>"), "~~a~~\n");
    check(&paragraph("<w:r><w:rPr><w:dstrike/></w:rPr><w:t>a</w:t></w:r>"), "~~a~~\n");
    check(&paragraph("<w:r><w:rPr><w:caps/></w:rPr><w:t>a</w:t></w:r>"), "a\n");
}

#[test]
fn boxes_of_content_controls_are_marks() {
    let control = |state: &str, sign: &str| {
        format!(
            "<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val='{state}'/></w14:checkbox></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>",
            run(sign)
        )
    };
    check(&paragraph(&(control("1", "☒") + &run(" rope"))), "[x] rope\n");
    check(&paragraph(&(control("0", "☐") + &run(" boat"))), "[ ] boat\n");
    let text =
        format!("<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>", run("a"));
    check(&paragraph(&text), "a\n");
}
