//! Well-formed and broken XML, and the events, positions and lines that come of it.

use super::*;

fn events(source: &str) -> (Vec<String>, Option<String>) {
    let mut reader = XmlReader::new(source);
    let mut events = Vec::new();
    for event in reader.by_ref() {
        events.push(match event {
            XmlEvent::Start(tag) => format!("<{} {:?}", tag.name(), tag.get("a")),
            XmlEvent::End(name) => format!(">{name}"),
            XmlEvent::Text { text, at, len } => {
                if !source[at..at + len].contains('&') {
                    assert_eq!(&source[at..at + len], text);
                }
                text.into_owned()
            }
        });
    }
    (events, reader.broken().map(str::to_owned))
}

#[test]
fn elements_come_by_local_names_and_text_with_its_place() {
    let (events, broken) = events("<?xml version='1.0'?><w:p x:a='1&amp;2'>a&lt;b<b/><![CDATA[c]]></w:p>");
    let expected = ["<p Some(\"1&2\")", "a", "<", "b", "<b None", ">b", "c", ">p"];
    assert_eq!(events, expected);
    assert_eq!(broken, None);
}

#[test]
fn entities_of_a_dtd_stay_unexpanded() {
    let (events, _) = events("<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>");
    assert_eq!(events, ["<x None", "&e;", ">x"]);
}

#[test]
fn every_beginning_has_its_end() {
    check_mended("<a><b>x</a>y", &["<a None", "<b None", "x", ">b", ">a", "y"]);
    check_mended("<b><i>x</b></i>y", &["<b None", "<i None", "x", ">i", ">b", "y"]);
    check_mended("<a>x<b>", &["<a None", "x", "<b None", ">b", ">a"]);
    check_mended("<a>1 < 2 <3</a>", &["<a None", "1 ", "<", " 2 ", "<", "3", ">a"]);
    check_mended("\u{feff}<a>x<\u{feff}\u{feff}1", &["<a None", "x", "<", "1", ">a"]);
    check_mended("<a>x</a><!-- y", &["<a None", "x", ">a", "!-- y"]);
}

fn check_mended(source: &str, expected: &[&str]) {
    let (events, broken) = events(source);
    assert_eq!(events, expected);
    assert!(broken.is_some(), "of {source}");
}

#[test]
fn names_of_html_stand_for_their_characters() {
    assert_eq!(unescape("a&nbsp;&mdash;&eacute;&nosuch;&#x41;&"), "a\u{a0}\u{2014}\u{e9}&nosuch;A&");
}

#[test]
fn broken_markup_ends_the_stream_with_a_reason() {
    assert!(events("<a><b>text").1.is_some());
    assert!(events(&"<a>".repeat(100_000)).1.is_some());
    assert!(events(&"<!--".repeat(100_000)).1.is_some());
    assert!(events(&"< ".repeat(100_000)).1.is_some());
    assert_eq!(events(&"1 < 2 ".repeat(1000)).0.len(), 2001);
    assert_eq!(events(&"<a>1 < 2</a>".repeat(1000)).0.len(), 5000);
    assert_eq!(events("</a><b></b>").0, ["<b None", ">b"]);
    assert_eq!(events("a & b").0.concat(), "a & b");
}

#[test]
fn an_element_can_be_skipped_or_read_as_text() {
    let mut reader = XmlReader::new("<a><b>x<c/>y</b><d>z&amp;</d>e</a>");
    reader.nth(1);
    reader.pass();
    assert!(matches!(reader.next(), Some(XmlEvent::Start(tag)) if tag.name() == "d"));
    assert_eq!(reader.text_inside(), "z&");
    assert!(matches!(reader.next(), Some(XmlEvent::Text { text, .. }) if text == "e"));
}

#[test]
fn tags_have_names_and_attributes_with_and_without_prefixes() {
    let mut reader = XmlReader::new("<w:p x:a='1' y:a='&lt;' b=2 c><_q/><:r/>");
    let Some(XmlEvent::Start(tag)) = reader.next() else { panic!("a start tag") };
    assert_eq!((tag.prefix(), tag.name(), tag.at), ("w", "p", 0));
    assert_eq!((tag.get("a").as_deref(), tag.exact("y:a").as_deref()), (Some("1"), Some("<")));
    assert_eq!((tag.get("b").as_deref(), tag.exact("a")), (Some("2"), None));
    let keys: Vec<_> = tag.attributes().map(|(key, _)| key).collect();
    assert_eq!(keys, ["x:a", "y:a", "b", "c"]);
    let Some(XmlEvent::Start(tag)) = reader.next() else { panic!("a start tag") };
    assert_eq!((tag.prefix(), tag.name()), ("", "_q"));
    assert_eq!(reader.nth(1).map(|event| matches!(event, XmlEvent::Start(_))), Some(true));
}

#[test]
fn the_position_is_the_end_of_the_last_event() {
    let mut reader = XmlReader::new("\u{feff}<a>x<b/>1 < 2</a>");
    let positions: Vec<usize> = std::iter::from_fn(|| reader.next().map(|_| reader.position())).collect();
    assert_eq!(positions, [6, 7, 11, 11, 13, 14, 16, 20]);
}

#[test]
fn elements_lie_so_deep_and_not_deeper() {
    let check = |depth: usize, expected: bool| {
        let (events, broken) = events(&("<a>".repeat(depth) + "x" + &"</a>".repeat(depth)));
        assert_eq!(broken.is_some(), expected, "{depth} deep");
        assert_eq!(events.len(), 2 * MAX_ELEMENT_DEPTH + usize::from(!expected));
    };
    check(MAX_ELEMENT_DEPTH, false);
    check(MAX_ELEMENT_DEPTH + 1, true);
}

#[test]
fn an_end_tag_closes_so_many_elements_and_not_more() {
    let check = |inner: usize, expected: &[&str]| {
        let (events, _) = events(&format!("<a>{}</a>x", "<b>".repeat(inner)));
        assert_eq!(events[events.len() - 2..], *expected, "{inner} inside");
    };
    check(MAX_CLOSED_BY_END_TAG - 1, &[">a", "x"]);
    check(MAX_CLOSED_BY_END_TAG, &[">b", ">a"]);
}

/// A hundred unclosed comments: reading each in vain costs the rest of the text, 400 bytes and 4 less each time. After
/// eight of them `MAX_VAIN_READS` times the length is spent.
#[test]
fn reading_in_vain_has_a_limit() {
    assert_eq!(events(&"<!--".repeat(100)).0, ["!--"; 8]);
}

#[test]
fn references_have_one_character_or_stay() {
    let check = |text: &str, expected: &str| assert_eq!(unescape(text), expected);
    check("&amp;&lt;&gt;&quot;&apos;", "&<>\"'");
    check("&#65;&#X42;&#0;&#xd800;&#;&;", "AB&#0;&#xd800;&#;&;");
    check("&NotEqualTilde;&amp", "&NotEqualTilde;&amp");
    check("a & b; &am;", "a & b; &am;");
}

#[test]
fn spans_have_lines() {
    let lines = LineIndex::new("a\nb\n\nc");
    let check = |start: usize, end: usize, first: u64, last: u64| {
        assert_eq!(lines.of(Span::new(start, end)), Locator::Lines { first, last }, "{start} to {end}");
    };
    check(0, 1, 1, 1);
    check(0, 2, 1, 1);
    check(1, 3, 1, 2);
    check(2, 6, 2, 4);
    check(2, 2, 2, 2);
    let run = |source: Option<Span>| crate::markdown::TextRun { source, ..Default::default() };
    let words = Words(vec![run(Some(Span::new(2, 3))), run(None), run(Some(Span::new(0, 1)))]);
    assert_eq!(span_of(&words), Some(Span::new(0, 3)));
    assert_eq!(lines.of_words(&words), Some(Locator::Lines { first: 1, last: 2 }));
    assert_eq!(lines.of_words(&Words(vec![run(None)])), None);
}
