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
