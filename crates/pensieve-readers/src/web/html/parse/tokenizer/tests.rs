//! Tokens of the smallest sources, with their places.

use super::*;
use crate::web::html::parse::dialect::PageDialect;

fn check(source: &str, expected: &str) {
    let mut tokenizer = HtmlTokenizer::new(source);
    let mut seen = String::new();
    while let Some(token) = tokenizer.next(false) {
        match token {
            HtmlToken::Start(tag) => {
                seen.push_str(&format!("<{}", tag.name));
                for (name, value) in &tag.attributes {
                    seen.push_str(&format!(" {name}={value}"));
                }
                seen.push_str(if tag.self_closing { "/>" } else { ">" });
                match tag.name.as_str() {
                    "script" => tokenizer.enter_raw(RawText::Script, "script"),
                    "title" => tokenizer.enter_raw(RawText::Referenced, "title"),
                    _ => {}
                }
            }
            HtmlToken::End(name) => seen.push_str(&format!("</{name}>")),
            HtmlToken::Text(text_token) => seen.push_str(&format!("[{}]", text_token.resolve(source))),
            HtmlToken::Null => seen.push('0'),
            HtmlToken::Doctype => seen.push('!'),
        }
    }
    assert_eq!(seen, expected, "of {source}");
}

#[test]
fn tags_and_text() {
    check("<!DOCTYPE html><p>a<br/>b</P >", "!<p>[a]<br/>[b]</p>");
    check("a < b <3 </ x> <!-- c --> d", "[a ][<][ b ][<][3 ][ ][ d]");
    check("<p class=\"a&amp;b\" id='x' onclick=z lang=en/>t", "<p class=a&b id=x lang=en/>[t]");
    check("<p id=1 id=2 hidden>", "<p id=1 hidden=>");
    check("x<p class=", "[x]");
    check("<?xml version='1'?>x", "[x]");
}

#[test]
fn references_are_pieces_of_their_own() {
    check("a&amp;b &nosuch; &copy 1", "[a][&][b ][&][nosuch; ][©][ 1]");
}

#[test]
fn raw_text_ends_at_its_own_tag() {
    check("<script>if (a<b) '</p>'</script>x", "<script>[if (a<b) '</p>']</script>[x]");
    check(
        "<script><!-- <script> </script> --> y</script>x",
        "<script>[<!-- <script> </script> --> y]</script>[x]",
    );
    check("<title>a<b>&lt;</title>", "<title>[a<b>][<]</title>");
    check("<script>a", "<script>[a]");
    check("a\0<title>\0</title>", "[a]0<title>[\u{fffd}]</title>");
}

#[test]
fn comments_end_as_browsers_end_them() {
    check("<!-->a<!--->b<!-- -- > --!>c<!-- never", "[a][b][c]");
}

/// The tokens of a source, each text with its place; what follows a tag is raw if `raw` says so of its name.
fn tokens(
    mut tokenizer: HtmlTokenizer<'_>,
    with_cdata: bool,
    raw: impl Fn(&str) -> Option<RawText>,
) -> String {
    let source = tokenizer.source;
    let mut seen = Vec::new();
    while let Some(token) = tokenizer.next(with_cdata) {
        seen.push(match token {
            HtmlToken::Start(tag) => {
                if let Some(raw) = raw(&tag.name) {
                    tokenizer.enter_raw(raw, &tag.name);
                }
                let attributes: String =
                    tag.attributes.iter().map(|(name, value)| format!(" {name}={value:?}")).collect();
                format!("<{}{attributes}{}>", tag.name, if tag.self_closing { "/" } else { "" })
            }
            HtmlToken::End(name) => format!("</{name}>"),
            HtmlToken::Text(text) => format!("{}@{}", text.resolve(source), text.span.start),
            HtmlToken::Null => "NUL".to_owned(),
            HtmlToken::Doctype => "DOCTYPE".to_owned(),
        });
        assert!(seen.len() < 10_000, "of {source}");
    }
    seen.join("|")
}

#[track_caller]
fn check_tokens(source: &str, expected: &str) {
    assert_eq!(tokens(HtmlTokenizer::new(source), false, |_| None), expected, "of {source:?}");
}

#[test]
fn what_begins_no_tag_is_text() {
    check_tokens("", "");
    check_tokens("a<", "a@0|<@1");
    check_tokens("a</", "a@0|<@1|/@2");
    check_tokens("<1>", "<@0|1>@1");
    check_tokens("a</>b</ b>c</1>d", "a@0|b@4|c@10|d@15");
    check_tokens("a\0b\0", "a@0|NUL|b@2|NUL");
    check_tokens("a&", "a@0|&@1");
    check_tokens("<p", "");
    check_tokens("x</p", "x@0");
    check_tokens("é<p>ü", "é@0|<p>|ü@5");
}

#[test]
fn attributes_have_values_of_every_form() {
    for (source, expected) in [
        ("<p id=a>", "<p id=\"a\">"),
        ("<p\n\tID = 'a>b'\r\x0clang=\"c d\"x>", "<p id=\"a>b\" lang=\"c d\">"),
        ("<p id>x", "<p id=\"\">|x@6"),
        ("<p id lang=b>", "<p id=\"\" lang=\"b\">"),
        ("<p id = lang=b>", "<p id=\"lang=b\">"),
        ("<p =id id=b>", "<p id=\"b\">"),
        ("<p = id=b>", "<p id=\"b\">"),
        ("<p id=a/b lang=c>", "<p id=\"a/b\" lang=\"c\">"),
        ("<p id=''>", "<p id=\"\">"),
        ("<p id='a'lang='b'>", "<p id=\"a\" lang=\"b\">"),
        ("<p id=a id=b ID=c>", "<p id=\"a\">"),
        ("<p onclick=a id=b>", "<p id=\"b\">"),
        ("<p id=&lt;&eacute;>", "<p id=\"<é\">"),
        ("<br/>", "<br/>"),
        ("<br id=a />", "<br id=\"a\"/>"),
        ("<br id=a/>", "<br id=\"a/\">"),
        ("<br / >", "<br>"),
        ("<br/ id=a>", "<br id=\"a\">"),
        ("<br/id=a>", "<br id=\"a\">"),
        ("<br id/>x", "<br id=\"\"/>|x@8"),
        ("</P id='>' >x", "</p>|x@12"),
        ("<p id='a", ""),
        ("<p id='a>b</p>c", ""),
        ("<p id=", ""),
        ("<p id=a", ""),
        ("<p id ", ""),
        ("<p id", ""),
    ] {
        check_tokens(source, expected);
    }
}

#[test]
fn values_of_attributes_have_a_length() {
    assert_eq!(attribute_text("data:image/png;base64,AAAA"), "data:");
    assert_eq!(attribute_text("é"), "é");
    let long = |len: usize| "x".repeat(len);
    assert_eq!(attribute_text(&long(MAX_ATTRIBUTE_BYTES)), long(MAX_ATTRIBUTE_BYTES));
    assert_eq!(attribute_text(&long(MAX_ATTRIBUTE_BYTES + 1)), long(MAX_ATTRIBUTE_BYTES));
    let wide = format!("{}漢漢", long(MAX_ATTRIBUTE_BYTES - 4));
    assert_eq!(attribute_text(&wide), format!("{}漢", long(MAX_ATTRIBUTE_BYTES - 4)));
}

#[test]
fn declarations_and_comments_are_no_text() {
    for (source, expected) in [
        ("<!DOCTYPE>x", "DOCTYPE|x@10"),
        ("<!doctype", "DOCTYPE"),
        ("<!doctyp>x", "x@9"),
        ("<!doctyp", ""),
        ("<!>x", "x@3"),
        ("<?php a ?>x", "x@10"),
        ("<?php a", ""),
        ("<!DOCTYPE html [<!ENTITY a 'b>'>]>x", "DOCTYPE|x@34"),
        ("<!DOCTYPE html><p id=']'>x", "DOCTYPE|<p id=\"]\">|x@25"),
        ("<!DOCTYPE html [a>x", "DOCTYPE|x@18"),
        ("<!-->a", "a@5"),
        ("<!--->a", "a@6"),
        ("<!---->a", "a@7"),
        ("<!--a--!>b-->c", "b-->c@9"),
        ("<!--a--!b-->c", "c@12"),
        ("<!--a--b-->c", "c@11"),
        ("<!--a--->b", "b@9"),
        ("<!--a---b-->c", "c@12"),
        ("<!--a-->", ""),
        ("<!--a--", ""),
        ("<!--", ""),
        ("<![CDATA[a<b]]>c", "c@15"),
    ] {
        check_tokens(source, expected);
    }
    let subset = |len: usize| format!("<!DOCTYPE [{}>]>x", "y".repeat(len));
    check_tokens(&subset(MAX_SUBSET_BYTES - 3), &format!("DOCTYPE|x@{}", MAX_SUBSET_BYTES + 11));
    check_tokens(&subset(MAX_SUBSET_BYTES - 2), &format!("DOCTYPE|]>x@{}", MAX_SUBSET_BYTES + 10));
}

#[test]
fn sections_of_characters_are_text_where_they_may_be() {
    for (source, expected) in [
        ("<![CDATA[a<b]]>c", "a<b@9|c@15"),
        ("x<![CDATA[]]>c", "x@0|c@13"),
        ("<![CDATA[a]] >c", "a]] >c@9"),
        ("<![CDATA[a]]>", "a@9"),
        ("<![CDATA[", ""),
        ("<![cdata[a]]>b", "b@13"),
    ] {
        assert_eq!(tokens(HtmlTokenizer::new(source), true, |_| None), expected, "of {source}");
    }
}

#[test]
fn raw_text_goes_on_to_the_end_of_its_element() {
    let check = |raw: RawText, source: &str, expected: &str| {
        let raw_of = |name: &str| (name == "raw").then_some(raw);
        assert_eq!(tokens(HtmlTokenizer::new(source), false, raw_of), expected, "{raw:?} {source}");
    };
    use RawText::{Literal, Plain, Referenced};
    check(Literal, "a<raw>b<i>&lt;</rawx></RAW >c", "a@0|<raw>|b<i>&lt;</rawx>@6|</raw>|c@28");
    check(Referenced, "<raw>b&lt;<i></raw>&lt;", "<raw>|b@5|<@6|<i>@10|</raw>|<@19");
    check(Literal, "<raw>&lt;b</raw>", "<raw>|&lt;b@5|</raw>");
    check(Literal, "<raw></raw>c", "<raw>|</raw>|c@11");
    check(Literal, "<raw>b</raw", "<raw>|b</raw@5");
    check(Literal, "<raw>b\0</raw/>", "<raw>|b@5|\u{fffd}@6|</raw>");
    check(Plain, "<raw>b</raw><i>&lt;", "<raw>|b</raw><i>&lt;@5");
    check(Literal, "<raw>b</raw>&lt;<i>", "<raw>|b@5|</raw>|<@12|<i>");
}

#[test]
fn scripts_end_where_browsers_end_them() {
    for (script, len) in [
        ("a</script>b", 1),
        ("</script>", 0),
        ("a</SCRIPT\n>b", 1),
        ("a</scripts></script>", 11),
        ("a</script", 9),
        ("a", 1),
        ("<!-- a --></script>", 10),
        ("<!-- </script>", 5),
        ("<!--<script></script></script>", 21),
        ("<!--<script x></script></script>", 23),
        ("<!--<scripts></script></script>", 13),
        ("<script></script></script>", 8),
        ("<!--<script>--></script>", 15),
        ("-->a</script>", 4),
        ("<!--<script>a</script>b", 13),
        ("<!-- --><script></script></script>", 16),
        ("<!--></script>", 5),
        ("<!--a", 5),
        ("a - b < c</script>", 9),
    ] {
        assert_eq!(script_len(script.as_bytes()), len, "of {script}");
    }
}

#[test]
fn entities_of_the_page_expand_to_no_more_than_it_may_have() {
    let value = "v".repeat(1000);
    let declared = format!("<!DOCTYPE p [<!ENTITY a \"{value}\">]>");
    let entities = PageDialect::of_chapter(&declared).entities;
    let check = |references: usize, expanded: usize| {
        let source = "&a;".repeat(references);
        let tokenizer = HtmlTokenizer::new(&source).with_entities(entities.clone());
        let found = tokens(tokenizer, false, |_| None);
        assert_eq!(found.matches(&value).count(), expanded, "of {references}");
        assert_eq!(found.matches("&@").count(), references - expanded, "of {references}");
    };
    check(2, 2);
    check(SMALL_ENTITY_BYTES / 1000, SMALL_ENTITY_BYTES / 1000);
    // Sixty-five of 1000 bytes are 65 000, and the page may have its own bytes more than 65 536.
    check(154, 65);
    check(155, 66);
}
