//! What is read here, held to small documents of one idea each.

use super::*;

/// Gives one byte at a time, so that every token is cut everywhere.
struct Trickle<'b>(&'b [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.len().min(1).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn tokens(source: impl Read) -> String {
    let mut stream = XmlStream::new(source);
    let mut told = String::new();
    let utf8 = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    while let Some(token) = stream.next() {
        match token {
            Token::Start(tag) => {
                told += &format!("<{}", utf8(tag.name));
                tag.attributes()
                    .for_each(|(key, value)| told += &format!(" {}={}", utf8(key), resolve(value)));
                told += ">";
            }
            Token::End(name) => told += &format!("</{}>", utf8(name)),
            Token::Text(raw) => told += &resolve(raw),
            Token::Verbatim(raw) => told += &format!("[{}]", utf8(raw)),
        }
    }
    if let Some(broken) = stream.broken() {
        told += &format!("!{broken}");
    }
    told
}

fn check(source: &str, expected: &str) {
    assert_eq!(tokens(source.as_bytes()), expected);
    assert_eq!(tokens(Trickle(source.as_bytes())), expected, "byte by byte");
    let wide: Vec<u8> =
        "\u{feff}".encode_utf16().chain(source.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(tokens(Trickle(&wide)), expected, "as UTF-16");
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
fn long_texts_come_in_pieces_and_long_tags_end_the_stream() {
    let long = "é&amp;".repeat(LARGEST_TOKEN / 2);
    let mut stream = XmlStream::new(long.as_bytes());
    let mut length = 0;
    while let Some(Token::Text(raw)) = stream.next() {
        length += resolve(raw).chars().count();
    }
    assert_eq!(length, LARGEST_TOKEN);
    let tag = format!("<a b='{}'>", " ".repeat(LARGEST_TOKEN + BLOCK));
    assert!(tokens(tag.as_bytes()).starts_with("!a tag is longer"));
    assert!(tokens(format!("<!--{tag}--><a>").as_bytes()).starts_with("<a>"));
}

#[test]
fn declared_encodings_of_one_byte_are_decoded() {
    let source = b"<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xe9'>\xfc&amp;\x80</a>";
    assert_eq!(
        tokens(Trickle(&source[..])).chars().take(12).collect::<String>(),
        "<a b=\u{e9}>\u{fc}&\u{20ac}</"
    );
}

#[test]
fn elements_are_passed_or_read_as_text() {
    let mut stream = XmlStream::new("<a><b>x<c/>y</b><d>z&amp;</d></a>".as_bytes());
    assert!(stream.next().is_some() && stream.next().is_some());
    stream.pass();
    assert!(matches!(stream.next(), Some(Token::Start(tag)) if tag.name == b"d"));
    assert_eq!(stream.text_inside(100), "z&");
}
