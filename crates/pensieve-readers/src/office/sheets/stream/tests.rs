//! Small documents of one idea each.

use super::*;

/// Returns one byte at a time, so that every token is cut everywhere.
struct OneByteReader<'b>(&'b [u8]);

impl Read for OneByteReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.len().min(1).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn tokens(source: impl Read) -> String {
    let mut stream = XmlStream::new(source);
    let mut written = String::new();
    let utf8 = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    while let Some(token) = stream.next() {
        match token {
            XmlToken::Start(tag) => {
                written += &format!("<{}", utf8(tag.name));
                tag.attributes()
                    .for_each(|(key, value)| written += &format!(" {}={}", utf8(key), resolve(value)));
                written += ">";
            }
            XmlToken::End(name) => written += &format!("</{}>", utf8(name)),
            XmlToken::Text(raw) => written += &resolve(raw),
            XmlToken::Verbatim(raw) => written += &format!("[{}]", utf8(raw)),
        }
    }
    if let Some(broken) = stream.broken() {
        written += &format!("!{broken}");
    }
    written
}

fn check(source: &str, expected: &str) {
    assert_eq!(tokens(source.as_bytes()), expected);
    assert_eq!(tokens(OneByteReader(source.as_bytes())), expected, "byte by byte");
    let wide: Vec<u8> =
        "\u{feff}".encode_utf16().chain(source.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(tokens(OneByteReader(&wide)), expected, "as UTF-16");
}

#[test]
fn tokens_come_whole_wherever_the_blocks_end() {
    check(
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e 'x'>]><x:a b=\"1>2\" c:d = 'q&amp;'>t&lt;é&e;<!-- no > --><![CDATA[<]]>]]]><b/></x:a>",
        "<a b=1>2 c:d=q&>t<é&e;[<]]]]><b></b></a>",
    );
    check("<a>text", "<a>text!the text ends inside an element");
    check("<a b='", "!the text ends inside a tag");
    check("<!-- no end", "!a comment or instruction has no end");
    check("𝄞<a/>", "𝄞<a></a>");
}

#[test]
fn long_texts_come_in_segments_and_long_tags_end_the_stream() {
    let long = "é&amp;".repeat(MAX_TOKEN_BYTES / 2);
    let mut stream = XmlStream::new(long.as_bytes());
    let mut length = 0;
    while let Some(XmlToken::Text(raw)) = stream.next() {
        length += resolve(raw).chars().count();
    }
    assert_eq!(length, MAX_TOKEN_BYTES);
    let tag = format!("<a b='{}'>", " ".repeat(MAX_TOKEN_BYTES + BLOCK_BYTES));
    assert!(tokens(tag.as_bytes()).starts_with("!a tag is longer"));
    assert!(tokens(format!("<!--{tag}--><a>").as_bytes()).starts_with("<a>"));
}

#[test]
fn declared_encodings_of_one_byte_are_decoded() {
    let source = b"<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xe9'>\xfc&amp;\x80</a>";
    assert_eq!(
        tokens(OneByteReader(&source[..])).chars().take(12).collect::<String>(),
        "<a b=\u{e9}>\u{fc}&\u{20ac}</"
    );
}

#[test]
fn elements_are_skipped_or_read_as_text() {
    let mut stream = XmlStream::new("<a><b>x<c/>y</b><d>z&amp;</d></a>".as_bytes());
    assert!(stream.next().is_some() && stream.next().is_some());
    stream.skip_element();
    assert!(matches!(stream.next(), Some(XmlToken::Start(tag)) if tag.name == b"d"));
    assert_eq!(stream.text_inside(100), "z&");
}

#[test]
fn tags_and_sections_end_where_their_marks_end() {
    check("<a/>", "<a></a>");
    check("<a b='/'/>", "<a b=/></a>");
    check("<a b='>' c=\"'>\">x</a >", "<a b=> c='>>x</a>");
    check("<a\tb='1'\n/>", "<a b=1></a>");
    check("<p:a><p:b>x</p:b></p:a>", "<a><b>x</b></a>");
    check("</a></b><c/>", "</a></b><c></c>");
    check("<a><!----><!-->--><!-- <b> --></a>", "<a></a>");
    check("<a><?x?><?y <b> ??></a>", "<a></a>");
    check("<a><![CDATA[]]><![CDATA[]]]><![CDATA[<b>]]></a>", "<a>[][]][<b>]</a>");
    check("<!DOCTYPE a><a/>", "<a></a>");
    check("<!DOCTYPE a [ <!ELEMENT a (b)> [ ] ] ><a/>", "<a></a>");
    check("<!X ]><a/>", "<a></a>");
    check("<></>", "<></>");
    check("", "");
}

#[test]
fn streams_that_are_cut_name_their_last_token() {
    for (source, expected) in [
        ("<a", "!the text ends inside a tag"),
        ("<a b=\"x'", "!the text ends inside a tag"),
        ("<a><", "<a>!the text ends inside a tag"),
        ("<a><![CDATA[x]]", "<a>!the text ends inside a section"),
        ("<a><!-", "<a>!the text ends inside a declaration"),
        ("<a><!--x--", "<a>!a comment or instruction has no end"),
        ("<a><?x?", "<a>!a comment or instruction has no end"),
        ("<!DOCTYPE a [<!x>", "!the text ends inside a declaration"),
        ("<a><b></b>", "<a><b></b>!the text ends inside an element"),
        ("<a></a>", "<a></a>"),
    ] {
        check(source, expected);
    }
}

#[test]
fn texts_inside_end_after_their_limit() {
    let read = |max_bytes: usize| {
        let mut stream = XmlStream::new("<a>ab<b>cd</b><![CDATA[ef]]>gh</a>ij".as_bytes());
        stream.next();
        let text = stream.text_inside(max_bytes);
        let rest = matches!(stream.next(), Some(XmlToken::Text(b"ij")));
        (text, rest)
    };
    for (max_bytes, expected) in [
        (0, ""),
        (1, "ab"),
        (2, "ab"),
        (3, "abcd"),
        (4, "abcd"),
        (5, "abcdef"),
        (6, "abcdef"),
        (7, "abcdefgh"),
    ] {
        assert_eq!(read(max_bytes), (expected.to_owned(), true), "{max_bytes}");
    }
}

#[test]
fn encodings_are_known_by_their_marks_or_declarations() {
    let wide = |text: &str, is_big: bool| -> Vec<u8> {
        let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    };
    for text in ["<a>é𝄞</a>", "\u{feff}<a>é𝄞</a>"] {
        for is_big in [false, true] {
            assert_eq!(tokens(OneByteReader(&wide(text, is_big))), "<a>é𝄞</a>", "{is_big}");
            assert_eq!(tokens(wide(text, is_big).as_slice()), "<a>é𝄞</a>", "{is_big}");
        }
        assert_eq!(tokens(text.as_bytes()), "<a>é𝄞</a>");
    }
    // Half a character at the end.
    let cut = wide("<a>𝄞", false);
    let text = tokens(&cut[..cut.len() - 2]);
    assert_eq!(text, "<a>\u{fffd}!the text ends inside an element");
    for (name, expected) in [
        ("windows-1251", "П"),
        ("Windows-1253", "Ο"),
        ("cp1251", "П"),
        ("koi8-r", "о"),
        ("macintosh", "œ"),
        ("iso-8859-5", "Я"),
        ("latin1", "Ï"),
    ] {
        let source = [b"<?xml version='1.0' encoding='", name.as_bytes(), b"'?><a>\xcf</a>"].concat();
        assert_eq!(tokens(source.as_slice()), format!("<a>{expected}</a>"), "{name}");
    }
    // Others are read as UTF-8.
    for name in ["utf-8", "shift_jis", "nothing"] {
        let source = format!("<?xml version='1.0' encoding='{name}'?><a>é</a>");
        assert_eq!(tokens(source.as_bytes()), "<a>é</a>", "{name}");
    }
}

#[test]
fn texts_are_cut_before_characters_and_references() {
    for (text, expected) in [
        ("abc", 3),
        ("abcé", 5),
        ("abc&amp;", 3),
        ("abc&", 3),
        ("&aaaaaaaaaaaa", 13),
        ("x&aaaaaaaaaaa", 1),
        ("&a", 2),
        ("", 0),
    ] {
        assert_eq!(whole_character_length(text.as_bytes()), expected, "{text}");
    }
    let clef = "ab𝄞".as_bytes();
    assert_eq!([3, 4, 5, 6].map(|length| whole_character_length(&clef[..length])), [3, 4, 5, 6]);
}

struct FailingReader(usize);

impl Read for FailingReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0 += 1;
        match self.0 {
            1 => Err(std::io::Error::from(ErrorKind::Interrupted)),
            2 => {
                buffer[..4].copy_from_slice(b"<a>x");
                Ok(4)
            }
            _ => Err(std::io::Error::other("no more")),
        }
    }
}

#[test]
fn errors_of_the_source_end_the_stream() {
    assert_eq!(tokens(FailingReader(0)), "<a>x!no more");
}

#[test]
fn comments_may_be_longer_than_a_token_and_sections_may_not() {
    let long = "x".repeat(MAX_TOKEN_BYTES + 2 * BLOCK_BYTES);
    assert_eq!(tokens(format!("<!--{long}--><a/>").as_bytes()), "<a></a>");
    assert_eq!(tokens(format!("<?{long}?><a/>").as_bytes()), "<a></a>");
    let section = tokens(format!("<a><![CDATA[{long}]]></a>").as_bytes());
    assert_eq!(section, format!("<a>!a section is longer than {MAX_TOKEN_BYTES} bytes"));
    let declaration = tokens(format!("<!X {long}><a/>").as_bytes());
    assert_eq!(declaration, format!("!a declaration is longer than {MAX_TOKEN_BYTES} bytes"));
}
