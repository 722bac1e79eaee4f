//! Pages with lines that recur, and which of these are left out.

use super::*;
use crate::layout::input::bounds::Bounds;
use crate::layout::lines::text_line::RegionEntry;
use crate::layout::ordered_page::tables::layout_table::LayoutTable;

fn sheet(number: u64, lines: &[(&str, f64)]) -> OrderedPage {
    let entries = lines.iter().map(|(text, y)| {
        let bounds = Bounds { x0: 50.0, y0: *y, x1: 200.0, y1: y + 10.0 };
        let base = *y as f32 + 8.0;
        RegionEntry::Line(TextLine {
            text: (*text).to_owned(),
            bounds,
            base,
            size: 10.0,
            ..TextLine::default()
        })
    });
    let regions = vec![entries.collect()];
    OrderedPage { number, height: 800.0, regions, ..OrderedPage::default() }
}

fn check(pages: &[&[(&str, f64)]], expected: &[(&str, usize)]) {
    let sheets: Vec<OrderedPage> =
        pages.iter().enumerate().map(|(at, lines)| sheet(at as u64 + 1, lines)).collect();
    let found = PageFurniture::find(&sheets, &LayoutOptions::default()).suppressed;
    let found: Vec<(&str, usize)> = found.iter().map(|s| (s.text.as_str(), s.pages.len())).collect();
    assert_eq!(found, expected);
}

#[test]
fn repeated_lines_and_counting_numbers_are_found() {
    let page = |n: &'static str| [("The Book", 20.0), ("text of the page", 400.0), (n, 780.0)];
    let pages = [page("7"), page("8"), page("9")];
    check(&pages.each_ref().map(|page| page.as_slice()), &[("The Book", 3), ("7", 3)]);
}

#[test]
fn rows_of_a_page_are_not_its_header() {
    let rows = |names: [&'static str; 4]| {
        let [first, second, third, number] = names;
        [("Towns (continued)", 20.0), (first, 34.0), (second, 48.0), (third, 300.0), (number, 780.0)]
    };
    let pages =
        [rows(["Town 1", "Town 2", "Town 3", "Page 1"]), rows(["Town 41", "Town 42", "Town 43", "Page 2"])];
    check(&pages.each_ref().map(|page| page.as_slice()), &[("Towns (continued)", 2), ("Page 1", 2)]);
    // A footer may be as the header.
    let twins = |first: &'static str, last: &'static str| [(first, 20.0), ("body", 300.0), (last, 780.0)];
    let pages = [twins("Page 1", "Page 1 of 2"), twins("Page 2", "Page 2 of 2")];
    check(&pages.each_ref().map(|page| page.as_slice()), &[("Page 1", 2), ("Page 1 of 2", 2)]);
}

/// A page with these lines of cells, each 40 points wide, at these heights.
fn sheet_of_cells(number: u64, rows: &[(&[(&str, f32)], f64)]) -> OrderedPage {
    let mut page = sheet(number, &rows.iter().map(|(_, y)| ("", *y)).collect::<Vec<_>>());
    for (entry, (cells, _)) in page.regions[0].iter_mut().zip(rows) {
        let RegionEntry::Line(line) = entry else { continue };
        for (text, x0) in *cells {
            line.cells.push((line.text.len(), *x0, x0 + 40.0));
            line.text += &format!("{text} ");
        }
    }
    page
}

#[test]
fn the_first_rows_of_pages_are_no_headers() {
    let suppressed = |below: f64, shift: f32| {
        let page = |number: u64| {
            let head: &[(&str, f32)] = &[("No.", 60.0), ("Place", 160.0)];
            let name = ["Pier", "Quay"][number as usize - 1];
            let row: &[(&str, f32)] = &[(name, 60.0 + shift), ("Oban", 160.0 + shift)];
            let rows = (0..12).map(|at| (row, 20.0 + below + 14.0 * f64::from(at)));
            sheet_of_cells(number, &std::iter::once((head, 20.0)).chain(rows).collect::<Vec<_>>())
        };
        let found = PageFurniture::find(&[page(1), page(2)], &LayoutOptions::default()).suppressed;
        found.into_iter().map(|line| line.text).collect::<Vec<String>>()
    };
    assert_eq!(suppressed(14.0, 0.0), [] as [&str; 0]);
    // With more space below it, or texts at other places, it is the header of the page.
    assert_eq!(suppressed(30.0, 0.0), ["No.", "Place"]);
    assert_eq!(suppressed(14.0, 45.0), ["No.", "Place"]);
}

#[test]
fn a_sign_shows_no_header_and_a_head_stands_above_its_years() {
    let page = |number: u64| {
        let name = ["Net sales", "Costs", "Profit"][number as usize - 1];
        let head: &[(&str, f32)] = &[("Year ended December 31,", 160.0)];
        let years: &[(&str, f32)] = &[("(in millions)", 60.0), ("2021", 160.0), ("2020", 240.0)];
        let row: &[(&str, f32)] = &[(name, 60.0), ("$", 150.0), ("1,234", 160.0), ("2,345", 240.0)];
        let mut page = sheet_of_cells(number, &[(head, 20.0), (years, 34.0), (row, 48.0), (row, 400.0)]);
        for entry in &mut page.regions[0] {
            let RegionEntry::Line(line) = entry else { continue };
            (line.x0, line.x1) = (line.cells[0].1, line.cells.last().unwrap().2);
            // One text has no cells.
            line.cells.retain(|_| line.text.trim() != "Year ended December 31,");
        }
        page
    };
    let found = PageFurniture::find(&[page(1), page(2), page(3)], &LayoutOptions::default()).suppressed;
    assert_eq!(found, []);
}

#[test]
fn years_at_the_top_of_a_few_pages_are_of_statements() {
    let suppressed = |pages: u64| {
        let page = |number: u64| {
            let name = format!("text {}", char::from(b'a' + number as u8));
            let body: &[(&str, f32)] = &[(&name, 60.0)];
            let years: &[(&str, f32)] = &[("(in millions)", 60.0), ("2021", 160.0), ("2020", 240.0)];
            // The statement begins with a title below blank space, so nothing is in its columns near its head.
            let head = if number <= pages { years } else { body };
            sheet_of_cells(number, &[(head, 20.0), (body, 60.0), (body, 400.0)])
        };
        let sheets: Vec<OrderedPage> = (1..=24).map(page).collect();
        let found = PageFurniture::find(&sheets, &LayoutOptions::default()).suppressed;
        found.into_iter().map(|line| line.text).collect::<Vec<String>>()
    };
    assert_eq!(suppressed(6), [] as [&str; 0]);
    // Numbers are listed once.
    assert_eq!(suppressed(7), ["(in millions)", "2021"]);
}

#[test]
fn odd_and_even_pages_differ_and_numbers_inside_do_not_matter() {
    let odd: &[(&str, f64)] = &[("Title", 20.0), ("body", 300.0), ("Page 3 of 4", 780.0)];
    let even: &[(&str, f64)] = &[("Author", 20.0), ("other body", 300.0), ("Page 4 of 4", 780.0)];
    check(&[odd, even, odd, even], &[("Title", 2), ("Page 3 of 4", 4), ("Author", 2)]);
}

#[test]
fn what_stands_on_the_baseline_of_a_header_is_one() {
    let page = |title: &'static str, n: &'static str| [(title, 20.0), (n, 20.5), ("body", 300.0)];
    let pages = [page("One", "1"), page("One", "2"), page("Two", "3"), page("Three", "4")];
    // What one page alone says stays.
    check(&pages.each_ref().map(|page| page.as_slice()), &[("One", 2), ("1", 4)]);
    let page = |title: &'static str, n: &'static str| [(title, 20.0), (n, 20.5), ("One Two Three", 300.0)];
    let pages = [page("One", "1"), page("One", "2"), page("Two", "3"), page("Three", "4")];
    let expected = [("One", 2), ("1", 4), ("Two", 1), ("Three", 1)];
    check(&pages.each_ref().map(|page| page.as_slice()), &expected);
}

#[test]
fn text_that_is_not_repeated_or_not_in_the_band_stays() {
    check(&[&[("A", 20.0), ("same", 400.0)], &[("B", 20.0), ("same", 400.0)]], &[]);
    check(&[&[("Alone", 20.0), ("1", 780.0)]], &[]);
    check(&[&[("1999", 20.0)], &[("77", 20.0)], &[("3", 20.0)]], &[]);
    let note = |text: &'static str| [("body", 300.0), (text, 780.0)];
    let notes =
        [note("9 See case 70."), note("1 See case 12."), note("4 See case 5."), note("2 See case 3.")];
    check(&notes.each_ref().map(|page| page.as_slice()), &[]);
}

#[test]
fn numbers_of_pages_that_end_above_their_edge_are_found() {
    let page = |n: &'static str, y: f64| [("text of the page", 250.0), (n, y)];
    let pages = [page("7", 600.0), page("8", 320.0), page("9", 510.0)];
    check(&pages.each_ref().map(|page| page.as_slice()), &[("7", 3)]);
    let pages = [page("7", 600.0), page("9", 320.0), page("8", 510.0)];
    check(&pages.each_ref().map(|page| page.as_slice()), &[]);
    let beside =
        [[("text", 250.0), ("sum", 300.0), ("7", 300.0)], [("text", 250.0), ("sum", 500.0), ("8", 500.0)]];
    check(&beside.each_ref().map(|page| page.as_slice()), &[]);
    let feet = [page("Oil 7", 600.0), page("Oil 8", 320.0), page("Oil 9", 510.0), page("Oil 10", 610.0)];
    check(&feet.each_ref().map(|page| page.as_slice()), &[("Oil 7", 4)]);
    check(&feet[..3].iter().map(|page| page.as_slice()).collect::<Vec<_>>(), &[]);
    // Texts that are only a number, and the running head of a page that has nothing else, which is in the band.
    let alone = [[("2", 600.0)], [("3", 320.0)], [("4", 510.0)]];
    check(&alone.each_ref().map(|page| page.as_slice()), &[]);
    let full = |head: &'static str| vec![(head, 20.0), ("text of the page", 250.0), ("the end of it", 500.0)];
    let heads = [full("2 Oil"), full("3 Oil"), vec![("4 Oil", 20.0)], full("5 Oil"), full("6 Oil")];
    check(&heads.each_ref().map(Vec::as_slice), &[("2 Oil", 5)]);
    let captions = ["Figure 1.", "Figure 2.", "Figure 3.", "Figure 4."].map(|label| page(label, 400.0));
    check(&captions.each_ref().map(|page| page.as_slice()), &[]);
}

/// Pages with a large first line.
fn check_titles(titles: &[&str], expected: &[(&str, usize)]) {
    let mut sheets: Vec<OrderedPage> = (1..)
        .zip(titles)
        .map(|(number, title)| sheet(number, &[(title, 20.0), ("the text of the page", 300.0)]))
        .collect();
    for sheet in &mut sheets {
        if let Some(RegionEntry::Line(line)) = sheet.regions[0].first_mut() {
            line.size = 20.0;
        }
    }
    let found = PageFurniture::find(&sheets, &LayoutOptions::default()).suppressed;
    let found: Vec<(&str, usize)> = found.iter().map(|s| (s.text.as_str(), s.pages.len())).collect();
    assert_eq!(found, expected);
}

#[test]
fn large_lines_are_headers_only_where_they_repeat_nearby() {
    check_titles(&["Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4", "Chapter 5"], &[]);
    check_titles(&["Chapter 1", "Chapter 1", "Chapter 2", "Chapter 2"], &[("Chapter 1", 4)]);
    let exercises =
        ["Exercises", "a", "b", "c", "d", "e", "f", "Exercises", "g", "h", "i", "j", "k", "Exercises"];
    check_titles(&exercises, &[]);
    check_titles(&["The Book", "The Book", "a", "The Book"], &[("The Book", 3)]);
}

#[test]
fn headers_with_wide_margins_are_found_by_the_space_below_them() {
    let page = |text: &'static str, head: f64| [("The Book", head), (text, 200.0), ("more of it", 212.0)];
    let pages = [page("one", 110.0), page("two", 110.0), page("three", 110.0)];
    check(&pages.each_ref().map(|page| page.as_slice()), &[("The Book", 3)]);
    let pages = [page("one", 188.0), page("two", 188.0), page("three", 188.0)];
    check(&pages.each_ref().map(|page| page.as_slice()), &[]);
}

#[test]
fn copies_of_a_page_prove_nothing() {
    let form = |name: &'static str| {
        let body = ["Name", "Street", "Town", "Date", "Sum", "Reason"];
        let lines = body.into_iter().zip([300.0, 320.0, 340.0, 360.0, 380.0, 400.0]);
        [("Form 4", 20.0), (name, 40.0)].into_iter().chain(lines).chain([("I swear.", 780.0)]).collect()
    };
    let copies: [Vec<(&str, f64)>; 3] = [form("For you"), form("For the bank"), form("For the town")];
    check(&[&copies[0], &copies[1], &copies[2]], &[]);
    let other = |text: &'static str| -> Vec<(&str, f64)> { vec![("Form 4", 20.0), (text, 300.0)] };
    let (two, three) = (other("The law says"), other("and here it ends."));
    check(&[&copies[0], &two, &three], &[("Form 4", 3)]);
}

#[test]
fn pages_with_nothing_else_keep_their_words() {
    check(&[&[("Text of page 1", 20.0)], &[("Text of page 2", 20.0)]], &[]);
    let page = |n: &'static str| [("Plate", 20.0), (n, 780.0)];
    let pages = [page("7"), page("8"), page("9")];
    check(&pages.each_ref().map(|page| page.as_slice()), &[("7", 3)]);
    // One page of many that has only its header says nothing with it.
    let text = |text: &'static str| [("The Book", 20.0), (text, 400.0)];
    let (one, two) = (text("One."), text("Two."));
    check(&[&one, &[("The Book", 20.0)], &two], &[("The Book", 3)]);
}

#[test]
fn heads_that_change_with_chapters_are_found_by_their_place() {
    let page = |head: &'static str, text: &'static str| [(head, 40.0), (text, 300.0)];
    let texts = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    let heads = ["1 First", "1 First", "1 First", "2 Next", "2 Next", "3 Last", "3 Last", "3 Last"];
    let pages: Vec<_> = heads.iter().zip(texts).map(|(head, text)| page(head, text)).collect();
    let pages: Vec<&[(&str, f64)]> = pages.iter().map(|page| page.as_slice()).collect();
    check(&pages, &[("1 First", 3), ("2 Next", 2), ("3 Last", 3)]);
}

#[test]
fn the_first_page_has_a_footer_of_its_own() {
    let page = |text: &'static str, foot: &'static str| [("body", 300.0), (text, 320.0), (foot, 780.0)];
    let pages = [page("a", "Submitted in May"), page("b", "2"), page("c", "3"), page("d", "4")];
    let pages = pages.each_ref().map(|page| page.as_slice());
    check(&pages, &[("Submitted in May", 1), ("2", 3)]);
}

fn candidates_of<'l>(lines: &'l [TextLine], sheets: &[usize]) -> Vec<FurnitureCandidate<'l>> {
    let candidate = |(line, sheet): (&'l TextLine, &usize)| FurnitureCandidate {
        is_inside: false,
        sheet: *sheet,
        line,
        text: &line.text,
        key: line.text.clone(),
        is_header: true,
    };
    lines.iter().zip(sheets).map(candidate).collect()
}

fn lines_at(texts: &[&str], heights: &[f64]) -> Vec<TextLine> {
    let line = |(text, y0): (&&str, &f64)| TextLine {
        text: (*text).to_owned(),
        bounds: Bounds { x0: 50.0, y0: *y0, x1: 200.0, y1: y0 + 10.0 },
        ..TextLine::default()
    };
    texts.iter().zip(heights).map(line).collect()
}

#[test]
fn a_line_repeats_on_many_pages_or_on_half_of_a_short_document() {
    let options = LayoutOptions::default();
    let check = |pages: usize, on: usize, expected| {
        assert_eq!(PageThreshold { pages, options: &options }.is_met(on), expected, "{on} of {pages}");
    };
    check(100, 5, true);
    check(100, 4, false);
    check(8, 4, true);
    check(9, 4, false);
    check(4, 2, true);
    check(5, 2, false);
    check(2, 1, false);
    check(1, 1, false);
}

#[test]
fn numbers_of_furniture_mostly_rise() {
    let check = |texts: &[&str], expected| {
        let lines = lines_at(texts, &vec![0.0; texts.len()]);
        let group: Vec<usize> = (0..texts.len()).collect();
        assert_eq!(rises(&group, &candidates_of(&lines, &group)), expected, "{texts:?}");
    };
    check(&["Page 1 of 9", "Page 2 of 9"], true);
    check(&["Page 2.", "Page 1."], false);
    check(&["1", "2", "2", "3", "4", "1"], true);
    check(&["1", "2", "2", "3", "1"], false);
    check(&["8 Oil 1", "7 Oil 2", "6 Oil 3"], true);
    check(&["none"], true);
    check(&[], true);
}

#[test]
fn lines_in_one_place_are_at_nearly_the_same_height() {
    let check = |heights: &[f64], expected: &[Vec<usize>]| {
        let lines = lines_at(&vec!["Head"; heights.len()], heights);
        let group: Vec<usize> = (0..heights.len()).collect();
        assert_eq!(in_one_place(group.clone(), &candidates_of(&lines, &group)), expected, "{heights:?}");
    };
    check(&[20.0, 10.0, 16.0], &[vec![1, 2, 0]]);
    check(&[10.0, 16.5, 10.0], &[vec![0, 2], vec![1]]);
}

#[test]
fn page_numbers_count_with_the_pages() {
    let check = |texts: &[&str], expected: &[usize]| {
        let lines = lines_at(texts, &vec![0.0; texts.len()]);
        let group: Vec<usize> = (0..texts.len()).collect();
        let sheets: Vec<OrderedPage> = (0..texts.len()).map(|at| sheet(at as u64 + 3, &[])).collect();
        let mut found = counting(&group, &candidates_of(&lines, &group), &sheets);
        found.sort_unstable();
        assert_eq!(found, expected, "{texts:?}");
    };
    check(&["3", "4", "5"], &[0, 1, 2]);
    check(&["i", "ii", "1", "2", "9"], &[0, 1, 2, 3]);
    check(&["9", "8", "7"], &[]);
    check(&["9", "none", "11"], &[0, 2]);
}

#[test]
fn copies_repeat_most_lines_between_the_bands() {
    let own = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let check = |texts: &[&'static str], height: f64, expected: bool| {
        let at = |texts: &[&'static str], y: f64| -> Vec<(&'static str, f64)> {
            texts.iter().map(|text| (*text, y)).collect()
        };
        let sheets = [sheet(1, &at(&own, 400.0)), sheet(2, &at(texts, height))];
        assert_eq!(copies(&sheets, &LayoutOptions::default()), [false, expected], "{texts:?} {height}");
    };
    check(&["a", "b", "c", "d", "e", "f"], 400.0, true);
    check(&["a", "b", "c", "d", "e"], 400.0, false);
    check(&["a", "b", "c", "d", "e", "f", "1", "2", "3", "4"], 400.0, true);
    check(&["a", "b", "c", "d", "e", "1", "2", "3", "4", "5"], 400.0, false);
    check(&["a", "b", "c", "d", "e", "f"], 91.0, false);
    check(&["a", "b", "c", "d", "e", "f"], 91.5, true);
    check(&["a", "b", "c", "d", "e", "f"], 699.0, false);
    check(&["a", "b", "c", "d", "e", "f"], 698.5, true);
}

#[test]
fn a_copy_teaches_nothing_to_later_pages() {
    let page = |number: u64, texts: &str| {
        let lines: Vec<(String, f64)> = texts.chars().map(|text| (text.to_string(), 400.0)).collect();
        let lines: Vec<(&str, f64)> = lines.iter().map(|(text, y)| (text.as_str(), *y)).collect();
        sheet(number, &lines)
    };
    let sheets = [page(1, "abcdef"), page(2, "abcdxy"), page(3, "xyefgh")];
    assert_eq!(copies(&sheets, &LayoutOptions::default()), [false, true, false]);
}

#[test]
fn rows_of_tables_count_as_lines_of_a_copy() {
    let with_table = |number: u64, cells: &str| {
        let row = |cell: char| crate::layout::ordered_page::tables::layout_table::TableRow {
            cells: vec![cell.to_string()],
            bounds: Bounds::EMPTY,
        };
        let table =
            LayoutTable { rows: cells.chars().map(row).collect(), size: 10.0, ..LayoutTable::default() };
        OrderedPage { insets: vec![InsetContent::Table(table)], ..sheet(number, &[]) }
    };
    let sheets = [with_table(1, "abcdef"), with_table(2, "abcdef"), with_table(3, "uvwxyz")];
    assert_eq!(copies(&sheets, &LayoutOptions::default()), [false, true, false]);
}

#[test]
fn line_numbers_are_one_entry_from_the_least_to_the_largest() {
    let with = |number: u64, numbers: &[&str]| OrderedPage {
        line_numbers: numbers.iter().map(|number| (*number).to_owned()).collect(),
        ..sheet(number, &[])
    };
    assert_eq!(line_numbers(&[with(1, &[])]), None);
    let found = line_numbers(&[with(4, &["7", "12", "8"]), with(5, &[]), with(6, &["3"])]);
    let expected =
        SuppressedLine { text: "3–12".to_owned(), pages: vec![4, 6], band: FurnitureBand::LineNumbers };
    assert_eq!(found, Some(expected));
    let sheets = [with(4, &["7", "12"]), with(5, &[])];
    let tallies = PageFurniture::default().tallies(&sheets);
    let mut tally = LetterTally::default();
    tally.add("712");
    assert_eq!((tallies.len(), tallies.get(&4) == Some(&tally)), (1, true));
}

#[test]
fn labels_that_count_are_captions() {
    let page = |caption: &'static str| [(caption, 20.0), ("text of the page", 400.0), ("Foot", 780.0)];
    let pages = [page("Table 3. Oil by month"), page("Table 4. Oil by month"), page("Table 5. Oil by month")];
    check(&pages.each_ref().map(|page| page.as_slice()), &[("Foot", 3)]);
}

#[test]
fn sentences_that_count_are_text() {
    let page = |text: &'static str| [(text, 20.0), ("Foot", 780.0)];
    let pages = [
        page("He wrote line 1 in his book."),
        page("He wrote line 2 in his book."),
        page("He wrote line 3 in his book."),
    ];
    check(&pages.each_ref().map(|page| page.as_slice()), &[("Foot", 3)]);
}

#[test]
fn a_title_on_both_pages_of_two_stays_on_the_first() {
    check_titles(&["The Report"; 2], &[("The Report", 1)]);
    check_titles(&["The Report"; 3], &[("The Report", 3)]);
    let page = [("The Report", 20.0), ("text of the page", 400.0)];
    check(&[&page, &page], &[("The Report", 2)]);
}

#[test]
fn bands_have_names() {
    let all =
        [FurnitureBand::Header, FurnitureBand::Footer, FurnitureBand::LineNumbers, FurnitureBand::Watermark];
    assert_eq!(all.map(FurnitureBand::as_str), ["header", "footer", "line numbers", "watermark"]);
}

#[test]
fn omitted_lines_are_known_by_page_and_place_and_counted() {
    let page = |number: u64, text: &str| sheet(number, &[("The Book", 20.0), (text, 400.0), ("Foot", 780.0)]);
    let sheets = [page(3, "one"), page(4, "two"), page(5, "three")];
    let found = PageFurniture::find(&sheets, &LayoutOptions::default());
    let line = |text: &str, band| SuppressedLine { text: text.to_owned(), pages: vec![3, 4, 5], band };
    assert_eq!(
        found.suppressed,
        [line("The Book", FurnitureBand::Header), line("Foot", FurnitureBand::Footer)]
    );
    let all: Vec<bool> = lines(&sheets[0]).map(|line| found.contains(3, line)).collect();
    assert_eq!(all, [true, false, true]);
    assert!(!lines(&sheets[0]).any(|line| found.contains(6, line)));
    let mut tally = LetterTally::default();
    ["The Book", "Foot"].into_iter().for_each(|text| tally.add(text));
    let tallies = found.tallies(&sheets);
    assert_eq!(
        (tallies.len(), tallies.get(&3) == Some(&tally), tallies.get(&4) == Some(&tally)),
        (3, true, true)
    );
}

#[test]
fn pages_keep_their_words_if_more_than_half_would_be_empty() {
    let check = |with_text: usize, expected: bool| {
        let texts = ["one", "two", "three", "four"];
        let sheets: Vec<OrderedPage> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| {
                let lines = [("The Book", 20.0), (*text, 400.0)];
                sheet(at as u64 + 1, if at < with_text { &lines } else { &lines[..1] })
            })
            .collect();
        let found = PageFurniture::find(&sheets, &LayoutOptions::default());
        let is_omitted = lines(&sheets[3]).any(|line| found.contains(4, line));
        assert_eq!(is_omitted, expected, "{with_text}");
    };
    check(2, true);
    check(1, false);
}

#[test]
fn rows_of_tables_at_the_top_of_some_pages_stay() {
    let plain: &[(&str, f64)] = &[("The Report", 20.0), ("body", 300.0)];
    let statement: &[(&str, f64)] = &[
        ("The Report", 20.0),
        ("Year ended December 31,", 36.0),
        ("(In millions) 2021 2020", 48.0),
        ("Net sales $ 14,694", 60.0),
        ("other rows", 300.0),
    ];
    let pages = [&[statement; 3][..], &[plain; 20][..]].concat();
    check(&pages, &[("The Report", 23)]);
}
