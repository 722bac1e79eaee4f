//! Small bodies, each for one rule of the ends of elements.

use super::*;
use crate::limits::odf::{MAX_ROW_REPEATS, MAX_WAITING_BLOCKS};
use crate::markdown::{Block, ItemMarker, Table};
use crate::office::odf::writer::OdfPlaces;
use crate::source::DiscardingSink;

const STYLES: &str = "<d><office:automatic-styles>\
    <style:style style:name='Listed' style:family='paragraph' style:list-style-name='N'/>\
    <style:style style:name='Unlisted' style:family='paragraph' style:list-style-name=''/>\
    <style:style style:name='Bold' style:family='paragraph'><style:text-properties fo:font-weight='bold'/></style:style>\
    <text:list-style style:name='N'>\
    <text:list-level-style-number text:level='1' style:num-format='1' style:num-suffix='.'/>\
    <text:list-level-style-number text:level='2' style:num-format='a' style:num-suffix=')'/>\
    <text:list-level-style-number text:level='3' style:num-format=''/>\
    </text:list-style>\
    <text:list-style style:name='B'><text:list-level-style-bullet text:level='1'/></text:list-style>\
    <text:list-style style:name='E'><text:list-level-style-number text:level='1' style:num-format=''/></text:list-style>\
    </office:automatic-styles></d>";

const OUTLINE: &str = "<d><office:styles><text:outline-style>\
    <text:outline-level-style text:level='1' style:num-format='1'/>\
    <text:outline-level-style text:level='2' style:num-format='1' text:display-levels='2'/>\
    </text:outline-style></office:styles></d>";

/// The text of a body, and what follows it; `set` changes the walker before it begins.
fn walk(
    parts: &[&str],
    body: &str,
    set: impl FnOnce(&mut BodyWalker<'_, '_, '_>),
) -> (String, DeferredBlocks) {
    let mut styles = Styles::default();
    parts.iter().for_each(|part| styles.read(part));
    let mut sink = DiscardingSink;
    let mut writer = BlockWriter::new(&mut sink, OdfPlaces::Part("content.xml".into()));
    let context = WalkContext { styles: &mut styles, object: &mut |_| None, comments: true };
    let mut walker = BodyWalker::new(body, context, &mut writer);
    set(&mut walker);
    let (deferred, broken) = walker.read_body().expect("the sink takes everything");
    assert_eq!(broken, None, "of {body}");
    (writer.finish().0.text, deferred)
}

fn check(body: &str, expected: &str) {
    assert_eq!(walk(&[STYLES], body, |_| {}).0, expected, "of {body}");
}

fn p(style: &str, text: &str) -> String {
    format!("<text:p text:style-name='{style}'>{text}</text:p>")
}

fn h(attributes: &str, text: &str) -> String {
    format!("<text:h {attributes}>{text}</text:h>")
}

fn list(style: &str, items: &[String]) -> String {
    let items: String = items.iter().map(|item| format!("<text:list-item>{item}</text:list-item>")).collect();
    format!("<text:list text:style-name='{style}'>{items}</text:list>")
}

fn note(inside: &str) -> String {
    format!(
        "<text:p>x<text:note><text:note-citation/><text:note-body>{inside}</text:note-body></text:note></text:p>"
    )
}

fn cell(attributes: &str, text: &str) -> String {
    format!("<table:table-cell {attributes}>{}</table:table-cell>", p("", text))
}

fn row(attributes: &str, cells: &[String]) -> String {
    format!("<table:table-row {attributes}>{}</table:table-row>", cells.concat())
}

fn table(rows: &[String]) -> String {
    format!("<table:table>{}</table:table>", rows.concat())
}

fn plain(text: &str) -> Block {
    Block::Paragraph(Words::plain(text))
}

#[test]
fn words_that_nobody_can_see_are_listed() {
    let styles = |more: &str| {
        let style = |name: &str, family: &str, text: &str, paragraph: &str| {
            format!(
                "<style:style style:name='{name}' style:family='{family}'><style:paragraph-properties {paragraph}/>\
                 <style:text-properties {text}/></style:style>"
            )
        };
        let all = [
            style("W", "text", "fo:color='#ffffff'", ""),
            style("S", "text", "fo:font-size='1pt'", ""),
            style("V", "text", "text:display='none'", ""),
            style("B", "paragraph", "fo:color='#FFFFFF'", "fo:background-color='#000080'"),
        ];
        format!("<d><office:automatic-styles>{}{more}</office:automatic-styles></d>", all.concat())
    };
    let span = |style: &str, text: &str| format!("<text:span text:style-name='{style}'>{text}</text:span>");
    let check = |more: &str, body: &str, text: &str, hidden: &[(HiddenReason, &str)]| {
        let mut sheet = Styles::default();
        sheet.read(&styles(more));
        let mut sink = DiscardingSink;
        let mut writer = BlockWriter::new(&mut sink, OdfPlaces::Part("content.xml".into()));
        let context = WalkContext { styles: &mut sheet, object: &mut |_| None, comments: true };
        assert!(BodyWalker::new(body, context, &mut writer).read_body().is_ok());
        let (found, listed) = writer.finish();
        let mut document = pensieve_text::model::Document::default();
        listed.note(&mut document);
        let listed: Vec<(HiddenReason, &str)> =
            document.hidden_text.iter().map(|row| (row.reason, row.text.as_str())).collect();
        assert_eq!((found.text.as_str(), &listed[..]), (text, hidden), "of {body}");
    };
    let (gone, white) = ((HiddenReason::NotDisplayed, "gone"), (HiddenReason::SameColour, "white"));
    check("", &p("", &format!("a{} b", span("V", "gone"))), "a b\n", &[gone]);
    check("", &p("", &format!("a{}", span("S", "small"))), "a\n", &[(HiddenReason::Tiny, "small")]);
    check("", &p("", &format!("a {}", span("W", "white"))), "a\n", &[white]);
    check("", &p("B", "banner"), "banner\n", &[]);
    let page = "<style:page-layout-properties fo:background-color='#112233'/>";
    check(page, &p("", &span("W", "white")), "white\n", &[]);
    let table = format!(
        "<table:table><table:table-row>{}</table:table-row></table:table>",
        cell("", &span("W", "white"))
    );
    check("", &table, "white\n", &[]);
    let section =
        format!("<text:section text:display='none'>{}{}</text:section>", p("", "one"), p("", "two"));
    check("", &(section + &p("", "b")), "b\n", &[(HiddenReason::NotDisplayed, "one two")]);
    let paragraph = p("", "<text:hidden-paragraph text:is-hidden='true'/>gone");
    check("", &(paragraph + &p("", "b")), "b\n", &[gone]);
}

#[test]
fn headings_have_levels_and_numbers() {
    for (style, expected) in [
        ("Title", "# x\n"),
        ("Heading_20_3", "### x\n"),
        ("Heading_20_9", "###### x\n"),
        ("Quotations", "> x\n"),
        ("Source_20_Code", "```\nx\n```\n"),
        ("Listed", "x\n"),
    ] {
        check(&p(style, "x"), expected);
    }
    check(&h("text:outline-level='2' text:style-name='Title'", "x"), "## x\n");
    let numbered = |body: &[String], expected: &str| {
        assert_eq!(walk(&[OUTLINE, STYLES], &body.concat(), |_| {}).0, expected);
    };
    let (first, second) = ("text:outline-level='1'", "text:outline-level='2'");
    let restart = format!("{second} text:restart-numbering='true'");
    numbered(
        &[h(first, "a"), h(second, "b"), h(second, "c"), h(&restart, "d"), h(first, "e"), h(second, "f")],
        "# 1 a\n\n## 1.1 b\n\n## 1.2 c\n\n## 1.1 d\n\n# 2 e\n\n## 2.1 f\n",
    );
    let header = format!("{first} text:is-list-header='true'");
    numbered(
        &[h(&header, "a"), h(first, "<text:number>IV</text:number>b"), h(first, "c"), p("Title", "d")],
        "# a\n\n# IV b\n\n# 2 c\n\n# d\n",
    );
    // The list of its style numbers a heading; an empty one means that there is no number.
    let (listed, unlisted) = ("text:style-name='Listed'", "text:style-name='Unlisted'");
    numbered(
        &[h(listed, "a"), h(unlisted, "b"), h(listed, "c"), h(first, "d")],
        "# 1. a\n\n# b\n\n# 2. c\n\n# 1 d\n",
    );
    numbered(&[list("N", &[h(first, "a"), p("Heading_20_2", "b")])], "# 1. a\n\n## 2. b\n");
}

#[test]
fn items_have_a_marker_once() {
    let number = |text: &str| p("", &format!("<text:number>{text}</text:number>x"));
    let x = |text: &str| p("", text);
    check(&list("N", &[x("a") + &x("b"), x("c")]), "1. a\n\n   b\n2. c\n");
    check(
        &list("N", &[x("a") + &list("N", &[x("b"), x("c")]), x("d")]),
        "1. a\n   - a) b\n   - b) c\n2. d\n",
    );
    check(&list("B", &[x("a"), number("7")]), "- a\n- x\n");
    check(&list("N", &[x("a"), number("7.")]), "1. a\n7. x\n");
    // A level without a number is no item, unless it is inside others.
    check(&list("E", &[x("a"), x("b")]), "a\n\nb\n");
    check(
        &format!(
            "<text:list text:style-name='N'><text:list-header>{}</text:list-header></text:list>",
            x("a")
        ),
        "a\n",
    );
    check(&list("N", &[x("a") + &list("E", &[x("b")])]), "1. a\n   - b\n");
    check(&(p("", "a") + &list("None", &[p("Quotations", "b")])), "a\n\n- b\n");
    // A list ends the paragraph before it, and its numbers continue in one of the same style.
    let again = list("N", &[x("b")]).replace("<text:list ", "<text:list text:continue-numbering='true' ");
    check(&(list("N", &[x("a")]) + &again + &list("N", &[x("c")])), "1. a\n2. b\n1. c\n");
}

#[test]
fn paragraphs_that_show_nothing_are_left_out() {
    check(&[p("", "a"), p("", " "), p("", "b")].concat(), "a\n\nb\n");
    let code = |text: &str| p("Source_20_Code", text);
    check(&[code(""), code("a"), code(""), code("b"), p("", "c")].concat(), "```\na\n\nb\n```\n\nc\n");
    let hidden = "<text:hidden-paragraph text:is-hidden='true'/>";
    check(&[p("", &format!("{hidden}a")), p("", "b")].concat(), "b\n");
    // Frames follow their paragraph, also if it is hidden, and have its style no longer.
    let frame = format!("<draw:frame><draw:text-box>{}</draw:text-box></draw:frame>", p("", "f"));
    check(&p("Bold", &format!("a{frame}b")), "**ab**\n\nf\n");
    check(&p("", &format!("a{hidden}{frame}b")), "f\n");
    check(
        "<text:p>a<text:ruby><text:ruby-base>b</text:ruby-base><text:ruby-text>c</text:ruby-text></text:ruby></text:p>",
        "ab(c)\n",
    );
}

/// The blocks of the only note of a body.
fn note_of(held: usize, inside: &str) -> Vec<Block> {
    let (_, deferred) = walk(&[STYLES], &note(inside), |walker| walker.held = held);
    let [(Block::Note { blocks, .. }, _)] = deferred.notes.as_slice() else { panic!("{:?}", deferred.notes) };
    blocks.clone()
}

#[test]
fn blocks_are_joined_once_too_many_are_held() {
    // Words, a reference and the blocks before count: two for each paragraph.
    let paragraphs = ["a", "b", "c"].map(|text| p("", text)).concat();
    assert_eq!(note_of(MAX_HELD_ITEMS - 7, &paragraphs), [plain("a"), plain("b"), plain("c")]);
    assert_eq!(note_of(MAX_HELD_ITEMS - 6, &paragraphs), [plain("a"), plain("b\nc")]);
    assert_eq!(note_of(MAX_HELD_ITEMS - 5, &paragraphs), [plain("a"), plain("b\nc")]);
    assert_eq!(note_of(MAX_HELD_ITEMS - 4, &paragraphs), [plain("a\nb\nc")]);
    // What is complete is written and counts no more.
    let body = p("", "a").repeat(3) + &note(&paragraphs);
    let (_, deferred) = walk(&[], &body, |walker| walker.held = MAX_HELD_ITEMS);
    assert!(matches!(&deferred.notes[0].0, Block::Note { blocks, .. } if blocks.len() == 3));
}

#[test]
fn paragraphs_of_a_list_without_a_marker_continue_items() {
    let x = |text: &str| p("", text);
    let item = |depth: u8, marker: Option<&str>, text: &str| {
        let marker = marker.map(|number| ItemMarker::Number(number.to_owned()));
        Block::Item { depth, marker, words: Words::plain(text) }
    };
    let blocks = |inside: &str| note_of(0, inside);
    assert_eq!(blocks(&list("E", &[x("a") + &x("b"), x("c")])), [plain("a"), item(0, None, "b"), plain("c")]);
    let header = format!("<text:list><text:list-header>{}</text:list-header></text:list>", x("a"));
    assert_eq!(blocks(&header), [item(0, None, "a")]);
    let third = x("b") + &list("N", &[x("c")]);
    assert_eq!(
        blocks(&list("N", &[x("a") + &list("N", &[third])])),
        [item(0, Some("1."), "a"), item(1, Some("a)"), "b"), item(2, None, "c")]
    );
}

/// The words of the cells of the only table of a note.
fn rows_of(held: usize, rows: &[String]) -> Vec<Vec<String>> {
    let blocks = note_of(held, &table(rows));
    let [Block::Table(Table { rows })] = blocks.as_slice() else { panic!("{blocks:?}") };
    let text = |block: &Block| match block {
        Block::Paragraph(words) => words.to_plain(),
        other => format!("{other:?}"),
    };
    let cells = |row: &crate::markdown::TableRow| {
        row.cells.iter().map(|cell| cell.blocks.iter().map(text).collect::<Vec<_>>().join("|")).collect()
    };
    rows.iter().map(cells).collect()
}

#[test]
fn rows_are_joined_once_too_many_are_held_and_lose_nothing() {
    let rows = ["a", "b", "c", "d"].map(|text| row("", &[cell("", text)]));
    let check = |held: usize, rows: &[String], expected: &[&[&str]]| {
        assert_eq!(rows_of(held, rows), expected, "{held}")
    };
    check(0, &rows, &[&["a"], &["b"], &["c"], &["d"]]);
    check(MAX_HELD_ITEMS - 14, &rows, &[&["a"], &["b"], &["c\nd"]]);
    check(MAX_HELD_ITEMS - 13, &rows, &[&["a"], &["b"], &["c\nd"]]);
    check(MAX_HELD_ITEMS - 12, &rows, &[&["a"], &["b\nc\nd"]]);
    check(MAX_HELD_ITEMS - 10, &rows, &[&["a"], &["b\nc\nd"]]);
    check(MAX_HELD_ITEMS - 6, &rows, &[&["a\nb\nc\nd"]]);
    check(MAX_HELD_ITEMS, &rows, &[&["a\nb\nc\nd"]]);
    // Rows without cells come first.
    let blank = row("", &[cell("", "")]);
    let rows = [blank.clone(), blank.clone(), rows[0].clone(), blank, rows[1].clone()];
    check(MAX_HELD_ITEMS - 6, &rows, &[&[], &[], &["a\nb"]]);
    check(MAX_HELD_ITEMS, &rows, &[&["a\nb"]]);
}

#[test]
fn nested_tables_are_dissolved_once_too_many_are_held() {
    let inner = table(&[row("", &[cell("", "a"), cell("", "b")]), row("", &[cell("", "c")])]);
    let outer = format!(
        "<table:table><table:table-row><table:table-cell>{inner}</table:table-cell></table:table-row></table:table>"
    );
    let kinds = |held: usize| {
        let blocks = note_of(held, &outer);
        let [Block::Table(Table { rows })] = blocks.as_slice() else { panic!("{blocks:?}") };
        rows[0].cells[0].blocks.clone()
    };
    assert!(matches!(kinds(MAX_HELD_ITEMS - 13).as_slice(), [Block::Table(table)] if table.rows.len() == 2));
    assert_eq!(kinds(MAX_HELD_ITEMS - 12), [plain("a\nb\nc")]);
}

#[test]
fn rows_and_cells_repeat_as_far_as_the_limit_allows() {
    let check = |repeats: usize, rows: &[String], expected: &str| {
        assert_eq!(walk(&[], &table(rows), |walker| walker.repeats = repeats).0, expected);
    };
    let columns = |count: u32| format!("table:number-columns-repeated='{count}'");
    let lines = |count: u32| format!("table:number-rows-repeated='{count}'");
    let one = row("", &[cell(&columns(3), "a"), cell(&columns(2), "b"), cell("", "c")]);
    check(5, std::slice::from_ref(&one), "| a | a | a | b | b | c |\n| - | - | - | - | - | - |\n");
    check(4, std::slice::from_ref(&one), "| a | a | a | b | c |\n| - | - | - | - | - |\n");
    check(2, &[one], "| a | b | b | c |\n| - | - | - | - |\n");
    let two = |count: u32| row(&lines(count), &[cell("", "a"), cell("", "b")]);
    let line = "| a | b |\n";
    check(6, &[two(4)], &format!("{line}| - | - |\n{}", line.repeat(3)));
    check(5, &[two(4)], &format!("{line}| - | - |\n{}", line.repeat(2)));
    check(
        9000,
        &[two(MAX_ROW_REPEATS + 1)],
        &format!("{line}| - | - |\n{}", line.repeat(MAX_ROW_REPEATS as usize - 1)),
    );
    // Rows without words are not repeated.
    let blank = row(&lines(50), &[cell("", "")]);
    check(9000, &[two(1), blank, two(1)], &format!("{line}| - | - |\n{line}"));
}

#[test]
fn long_tables_are_written_in_parts() {
    let rows = ["a", "b", "c"].map(|text| row("", &[cell("", text), cell("", "x")]));
    let check = |held: usize, expected: &str| {
        assert_eq!(walk(&[], &table(&rows), |walker| walker.held = held).0, expected);
    };
    let head = "| - | - |\n";
    check(0, &format!("| a | x |\n{head}| b | x |\n| c | x |\n"));
    check(MAX_HELD_ITEMS / 2 - 14, &format!("| a | x |\n{head}| b | x |\n| c | x |\n"));
    check(MAX_HELD_ITEMS / 2 - 13, &format!("| a | x |\n{head}| b | x |\n\n| c | x |\n{head}"));
    check(MAX_HELD_ITEMS / 2 - 6, &format!("| a | x |\n{head}\n| b | x |\n{head}| c | x |\n"));
}

#[test]
fn notes_and_comments_wait_up_to_a_limit() {
    // The notes that are left, with one more of the body.
    let left = |waiting: usize| {
        let (text, deferred) = walk(&[], &(note(&p("", "n")) + &p("", "y")), |walker| {
            let one = (Block::Note { label: "0".into(), blocks: Vec::new() }, Span::new(0, 0));
            walker.deferred.notes = vec![one; waiting];
        });
        (text.contains("[^1]: n"), deferred.notes.len())
    };
    assert_eq!(left(MAX_WAITING_BLOCKS - 1), (false, MAX_WAITING_BLOCKS));
    assert_eq!(left(MAX_WAITING_BLOCKS), (true, 0));
    let comment = |by: &str, text: &str| format!("<office:annotation>{by}{text}</office:annotation>");
    let body = p("", &format!("x{}", comment("<dc:creator> Ann </dc:creator>", &(p("", "a") + &p("", "b")))))
        + &p("", &comment("", &p("", "c")));
    let (_, deferred) = walk(&[], &body, |_| {});
    let texts: Vec<String> = deferred
        .comments
        .iter()
        .map(|(block, _)| if let Block::Paragraph(words) = block { words.to_plain() } else { String::new() })
        .collect();
    assert_eq!(texts, ["Ann: a", "b", "c"]);
}

#[test]
fn slides_begin_with_their_title() {
    let frame = |class: &str, inside: &str| {
        format!(
            "<draw:frame presentation:class='{class}'><draw:text-box>{inside}</draw:text-box></draw:frame>"
        )
    };
    let notes = format!("<presentation:notes>{}</presentation:notes>", frame("notes", &p("", "say")));
    let page = |inside: &str| format!("<draw:page>{inside}</draw:page>");
    let first = [
        notes,
        frame("outline", &p("", "a")),
        frame("title", ""),
        frame("title", &(p("", "One") + &p("", "title"))),
        frame("title", &p("", "Other")),
    ];
    check(&(page(&first.concat()) + &page(&p("", "b"))), "## One title\n\na\n\nOther\n\nsay\n\nb\n");
}

#[test]
fn descriptions_replace_frames_without_text() {
    let frame = |inside: &str, text: &str| {
        format!(
            "<draw:frame><svg:title>Cat</svg:title>{inside}<draw:text-box>{text}</draw:text-box></draw:frame>"
        )
    };
    let formula = "<draw:object><math:math><math:mi>y</math:mi></math:math></draw:object>";
    check(&frame("", ""), "Cat\n");
    check(&frame("", &p("", "words")), "words\n");
    check(&p("", &format!("a{}b", frame("", ""))), "a Cat b\n");
    check(&p("", &format!("a{}b", frame("<svg:desc>x&#10;y</svg:desc>", ""))), "a Cat: x y b\n");
    check(&p("", "a<draw:frame/>b"), "ab\n");
    check(&p("", &format!("a{}b", frame(formula, ""))), "a$y$b\n");
}

#[test]
fn boxes_of_forms_are_where_they_are_drawn() {
    let form = "<office:forms><form:form><form:checkbox form:id='a' form:current-state='checked' form:label='rope'/>\
                <form:checkbox form:id='b' form:label='boat'/></form:form></office:forms>";
    let drawn = |id: &str| p("", &format!("<draw:control draw:control='{id}'/>"));
    check(&[form, &drawn("b"), &drawn("a"), &drawn("c")].concat(), "[ ] boat\n\n[x] rope\n");
}

#[test]
fn shapes_of_slides_come_as_they_are_seen() {
    let frame = |y: &str, more: &str, text: &str| {
        format!(
            "<draw:frame svg:x='1cm' svg:y='{y}' svg:width='50mm' svg:height='.5in' {more}><draw:text-box>{}</draw:text-box></draw:frame>",
            p("", text)
        )
    };
    let slide = |shapes: [String; 2]| format!("<draw:page>{}</draw:page>", shapes.concat());
    check(&slide([frame("9cm", "", "last"), frame("10mm", "", "first")]), "first\n\nlast\n");
    let placed = frame("10mm", "presentation:class='outline'", "first");
    check(&slide([frame("9cm", "", "last"), placed]), "last\n\nfirst\n");
}
