//! Books and their expected texts, all through `read`.

use super::*;
use crate::shared::archive::testing::package;
use crate::source::DiscardingSink;
use std::io::Cursor;

fn open(bytes: &[u8]) -> Result<Document, Problem> {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "x.fb2").unwrap();
    read(&mut source, &ReadSettings::default(), &mut DiscardingSink)
}

fn check(inside: &str, expected: &str) {
    let xml = format!("<?xml version='1.0'?><FictionBook>{inside}</FictionBook>");
    let document = open(xml.as_bytes()).unwrap();
    assert_eq!(document.text.text, expected, "of {inside}");
    for run in document.text.map.runs().iter().filter(|run| run.exact && run.out_unit > 0) {
        assert_eq!(
            document.text.text[run.out..run.out_end()],
            xml[run.src..run.src_end()],
            "a map of {inside}"
        );
    }
}

#[test]
fn zeros_in_a_book_are_a_problem() {
    let problems = |zeros: usize| {
        let text = "\0".repeat(zeros);
        let xml = format!("<FictionBook><body><section><p>a{text}b</p></section></body></FictionBook>");
        open(xml.as_bytes()).unwrap().problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>()
    };
    assert!(problems(0).is_empty());
    assert_eq!(problems(64), ["a block of the book is nothing but zeros"]);
}

#[test]
fn sections_are_headings() {
    check(
        "<body><title><p>The Book</p></title><section><title><p>One</p><p>Start</p></title><p>a <strong>b</strong>\n c</p>\
         <section><title><p>Inner</p></title><p>d</p><subtitle>* * *</subtitle></section></section></body>",
        "# The Book\n\n## One Start\n\na **b** c\n\n### Inner\n\nd\n\n\\* * *\n",
    );
    check("<body><section><title><p>One</p></title><p>a</p></section></body>", "# One\n\na\n");
}

#[test]
fn verses_quotations_and_tables() {
    check(
        "<body><section><epigraph><p>E</p><text-author>Who</text-author></epigraph>\
         <poem><title><p>P</p></title><stanza><v>one</v><v>two</v></stanza><stanza><v>three</v></stanza></poem>\
         <table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td/></tr></table></section></body>",
        "> E\n>\n> Who\n\n## P\n\none\\\ntwo\n\nthree\n\n| a | b |\n| - | - |\n| c |  |\n",
    );
}

#[test]
fn notes_follow_where_they_are_referred_to() {
    check(
        "<body><section><p>a<a l:href='#n1' type='note'>[1]</a> <a l:href='#s'>b</a>\
         <a l:href='http://x/'>c</a></p></section></body>\
         <body name='notes'><title><p>Notes</p></title><section id='n1'><title><p>1</p></title><p>Said.</p><p>More.</p>\
         </section></body>",
        "a[^1] b[c](http://x/)\n\n# Notes\n\n[^1]: Said.\n\n    More.\n",
    );
}

#[test]
fn metadata_and_encodings_are_read() {
    let xml = "<?xml version=\"1.0\" encoding=\"windows-1251\"?><FictionBook><description><title-info>\
        <genre>prose</genre><author><first-name>\u{418}</first-name><last-name>\u{41f}</last-name></author>\
        <book-title>\u{41a}</book-title><lang>ru</lang></title-info></description>\
        <body><section><p>\u{41c}\u{438}\u{440}</p></section></body><binary>AAAA</binary></FictionBook>";
    let bytes: Vec<u8> =
        xml.chars().map(|c| if c.is_ascii() { c as u8 } else { (c as u32 - 0x410 + 0xc0) as u8 }).collect();
    let document = open(&bytes).unwrap();
    assert_eq!(document.text.text, "\u{41c}\u{438}\u{440}\n");
    let rows: Vec<String> = document.metadata.iter().map(|(key, value)| format!("{key}={value}")).collect();
    assert_eq!(rows, ["subject=prose", "author=\u{418} \u{41f}", "title=\u{41a}", "language=ru"]);
    assert!(document.review_reasons.is_empty());
    let start = bytes.windows(3).position(|three| three == [0xcc, 0xe8, 0xf0]).unwrap();
    let found = document.text.map.source(Span::new(0, 6)).unwrap();
    assert_eq!((found.start, found.end, found.exact), (start, start + 3, true));
    let packed = open(&package(&[("b.fb2", &bytes)])).unwrap();
    assert_eq!(packed.text.places.0[0].1, Locator::part("b.fb2", Some(Span::new(start, start + 3))));
}

#[test]
fn broken_books_give_what_they_have() {
    check("<body><section><title><p>A</p><p>b <emphasis>c</section>", "# A b c\n");
    assert_eq!(open(b"no book").unwrap().problems[0].kind, ProblemKind::Damaged);
    assert_eq!(open(b"PK\x03\x04").unwrap_err().kind, ProblemKind::Damaged);
    let deep = format!("<FictionBook><body>{}<p>x", "<section><cite><table><tr><td>".repeat(20_000));
    assert!(open(deep.as_bytes()).is_ok());
}

#[test]
fn what_is_outside_of_the_bodies_is_no_text() {
    check("<p>stray</p>words<body><p>a</p></body><binary>QUJD</binary>", "a\n");
    check("<body><p>a</p><description><p>no</p></description>b</body>", "a\n\nb\n");
}

#[test]
fn styles_add_up_and_end_with_their_elements() {
    for (inside, expected) in [
        ("<strong>a<strong>b</strong></strong> c", "**ab** c"),
        ("<emphasis>a<emphasis>b</emphasis></emphasis> c", "*ab* c"),
        ("<strikethrough>a<strikethrough>b</strikethrough></strikethrough> c", "~~ab~~ c"),
        ("<code>a<code>b</code></code> c", "`ab` c"),
        ("<emphasis><strong>a</strong></emphasis> c", "***a*** c"),
        ("<strikethrough><strong>a</strong></strikethrough> c", "**~~a~~** c"),
        ("<code><sup>a</sup></code> c", "`a` c"),
        ("10<sup>6</sup> of H<sub>2</sub>O", "10^6 of H2O"),
        ("<strong>a <x>b</x> c</strong>", "**a b c**"),
    ] {
        check(&format!("<body><p>{inside}</p></body>"), &format!("{expected}\n"));
    }
}

#[test]
fn pictures_are_the_words_that_describe_them() {
    check(
        "<body><p>a<image alt=' A cat '/>b<image title='A dog'/>c<image alt='--'/>d</p></body>",
        "a A cat b A dog cd\n",
    );
}

#[test]
fn elements_end_where_they_end() {
    check(
        "<body><poem><stanza><v>one</v></stanza></poem><p>a</p><p>b</p>\
         <section><title><p>One</p></title><p>c</p>d</section></body>",
        "one\n\na\n\nb\n\n# One\n\nc\n\nd\n",
    );
    check(
        "<body><table><tr><td colspan='2'>a</td><td>b</td></tr><tr><td rowspan='2'>c</td><td>d</td><td>e</td></tr>\
         <tr><td>f</td><td>g</td></tr></table></body>",
        "| a | a | b |\n| - | - | - |\n| c | d | e |\n| c | f | g |\n",
    );
}

#[test]
fn a_book_has_its_kind_and_its_encoding() {
    let document = open(b"<FictionBook><body><p>a</p></body></FictionBook>").unwrap();
    assert_eq!(document.kind, Some(TextKind::Markup));
    assert_eq!(document.encoding.as_deref(), Some("utf-8"));
    assert_eq!(document.mime.as_deref(), Some("application/x-fictionbook+xml"));
    let problems = |text: &str| open(text.as_bytes()).unwrap().problems.len();
    assert_eq!(problems("<FictionBook></FictionBook>"), 0);
    assert_eq!(problems("<x><body><p>a</p></body></x>"), 0);
    assert_eq!(problems("<x></x>"), 1);
}

#[test]
fn only_pictures_after_the_last_body_are_cut_off() {
    for (text, expected) in [
        ("<body>a</body><binary id='1'>", Some("<body>a</body>")),
        ("<body>a</body>", None),
        ("<binary></binary><body>a</body>", None),
        ("<body><binary></binary>a</body>", None),
        ("<binary></binary><body>a", None),
    ] {
        let mut bytes = text.as_bytes().to_vec();
        assert_eq!(cut_pictures(&mut bytes), expected.is_some(), "{text}");
        assert_eq!(bytes, expected.unwrap_or(text).as_bytes(), "{text}");
    }
}
