//! Small documents, each for one rule of the reader.

use super::*;
use pensieve_text::model::{ContainerMember, Segment};

#[derive(Default)]
struct TextCollector(String);

impl DocumentSink for TextCollector {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.0.push_str(&segment.text);
        Ok(())
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}

fn document(input: &[u8]) -> (String, Document) {
    let mut keep = TextCollector::default();
    let document = read_bytes(input, &ReadSettings::default(), &mut keep).expect("it is RTF");
    keep.0.push_str(&document.text.text);
    (keep.0, document)
}

fn check(body: &str, expected: &str) {
    let (text, document) = document(format!("{{\\rtf1\\ansi {body}}}").as_bytes());
    assert_eq!(text, expected);
    assert!(document.problems.is_empty(), "{:?}", document.problems);
}

#[test]
fn words_have_their_looks() {
    check(
        "One {\\b bold} \\i italic\\i0  end.\\par Two\\line three",
        "One **bold** *italic* end.\n\nTwo\\\nthree\n",
    );
    check(
        "a{\\v hidden}b{\\deleted gone}c\\~d\\_e\\-f",
        "abc d\u{2011}ef\n".replace("c d", "c\u{a0}d").as_str(),
    );
}

#[test]
fn bytes_are_read_in_the_code_page_of_their_font() {
    let fonts =
        "{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 M;}{\\f3\\fcharset2 Symbol;}}";
    check(
        &format!(
            "{fonts}\\ansicpg1250 \\f0 za\\'bf {{\\f1\\'cf}} {{\\f2\\'93\\'fa\\'96\\'7b}} {{\\f3 a\\'b7}}"
        ),
        "zaż П 日本 α•\n",
    );
}

#[test]
fn unicode_skips_what_stands_for_it() {
    check("\\u8211- x\\uc2\\u26085\\'93\\'fa!\\uc0\\u8364 {\\uc1\\u-10179?\\u-8704?}", "– x日!€😀\n");
    check("{a \\*\\cs7 b}{\\*\\new c}", "a b\n");
    check("a\\'0d\\'0ab", "a\\\nb\n");
    check("{\\upr{old}{\\*\\ud{new \\u233 ?}}}", "new é\n");
}

#[test]
fn headings_come_from_outlines_and_styles() {
    check(
        "{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 Eins;}{\\s2 heading 2;}}\\pard\\s1 A\\par\\pard\\s2 B\\par\\pard C\\par",
        "# A\n\n## B\n\nC\n",
    );
}

#[test]
fn items_show_their_numbers() {
    check(
        "{\\listtext\\'b7\\tab}\\ls1 one\\par{\\listtext 1.\\tab}\\ls2\\ilvl1 two\\par{\\pntext IV)\\tab}\\pard three\\par",
        "- one\n  1. two\n- IV) three\n",
    );
}

#[test]
fn tables_and_tables_inside() {
    check(
        "\\trowd\\cellx100\\cellx300\\pard\\intbl a\\cell b\\cell\\row\\trowd\\cellx300\\intbl wide\\cell\\row\\pard after\\par",
        "| a | b |\n| - | - |\n| wide |  |\n\nafter\n",
    );
    check(
        "\\pard\\intbl x\\par\\pard\\intbl\\itap2 in\\nestcell{\\*\\nesttableprops\\trowd\\cellx9\\nestrow}{\\nonesttables\\par}\\pard\\intbl y\\cell z\\cell\\row",
        "| x in y | z |\n| - | - |\n",
    );
}

#[test]
fn notes_headers_comments_and_boxes_have_their_places() {
    check(
        "{\\header Top\\par}{\\footer Page {\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}\\par}Text{\\super\\chftn{\\footnote\\chftn  Said so.}} on\
         {\\*\\atnid AB}{\\*\\atnauthor Ann}\\chatn{\\*\\annotation{\\*\\atnref 1}Why?}.{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt Box\\par}}{\\shprslt{Box}}}\\par",
        "Text[^1] on.\n\n[^1]: Said so.\n\nBox\n\nTop\n\nPage\n\n**Ann:** Why?\n",
    );
}

#[test]
fn fields_give_results_and_links() {
    check("{\\field{\\*\\fldinst{HYPERLINK \"http://x/\"}}{\\fldrslt{\\ul site}}}!", "[site](http://x/)!\n");
    check("a{\\field{\\*\\fldinst DATE \\\\@ \"d\"}{\\fldrslt today}}", "atoday\n");
}

#[test]
fn pictures_leave_their_description() {
    check(
        "a {\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv A dog}}}\\pngblip 00ff}}{\\nonshppict{\\pict 00}} b",
        "a A dog b\n",
    );
}

#[test]
fn the_information_group_is_metadata() {
    let (_, document) =
        document(b"{\\rtf1{\\info{\\title T\\'e9;}{\\author A}{\\creatim\\yr2003\\mo4\\dy5\\hr6\\min7}}x}");
    let rows: Vec<_> = document.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(rows, [("title", "Té"), ("author", "A"), ("created", "2003-04-05T06:07:00")]);
}

#[test]
fn truncated_documents_are_read_and_reported() {
    let (text, cut) = document(b"{\\rtf1 words {\\b bold");
    assert_eq!(text, "words **bold**\n");
    assert_eq!(cut.problems.len(), 1);
    let (text, _) = document(b"{\\rtf1 a}} b{c}");
    assert_eq!(text, "a\n");
    let deep = [b"{\\rtf1 a".as_slice(), &b"{".repeat(100_000), b"x"].concat();
    assert_eq!(document(&deep).1.review_reasons.len(), 2);
    assert!(read_bytes(b"words", &ReadSettings::default(), &mut TextCollector::default()).is_err());
}

#[test]
fn places_are_numbers_of_paragraphs() {
    let (_, document) = document(
        b"{\\rtf1 {\\header top\\par}one\\par\\par two{\\footnote note\\par more}\\par\\pard\\intbl a\\cell\\cell\\row\\pard last}",
    );
    let text = &document.text;
    let places: Vec<String> = text
        .places
        .0
        .iter()
        .map(|(span, place)| format!("{} {}", place.to_json(), &text.text[span.range()]))
        .collect();
    assert_eq!(
        places,
        [
            "{\"paragraph\":[1,1]} one\n",
            "{\"paragraph\":[3,3]} \ntwo[^1]\n\n[^1]: note\n\n    more\n",
            "{\"paragraph\":[4,4]} \n| a |  |\n| - | - |\n",
            "{\"paragraph\":[6,6]} \nlast\n"
        ]
    );
    assert!(text.text.ends_with("last\n\ntop\n"));
}

#[test]
fn characters_have_words_of_their_own() {
    check("\\bullet  \\lquote a\\rquote  \\ldblquote b\\rdblquote", "• ‘a’ “b”\n");
    check("a\\emdash b\\endash c", "a—b–c\n");
    check("a\\emspace b\\enspace c\\qmspace d", "a\u{2003}b\u{2002}c\u{2005}d\n");
    check("a\\zwj b\\zwnj c\\zwbo d\\zwnbo e", "a\u{200d}b\u{200c}c\u{200b}d\u{2060}e\n");
    check("a\\ltrmark b\\rtlmark c", "a\u{200e}b\u{200f}c\n");
    check("a\\lbr b\\tab c", "a\\\nb c\n");
    check("a\\sect b\\page c\\column d\\softpage e", "a\n\nb\n\nc\n\nde\n");
    check("a\\\\b\\{c\\}", "a\\b{c}\n");
}

#[test]
fn documents_name_their_code_page() {
    check("\\mac \\'8e", "é\n");
    check("\\pc \\'81", "ü\n");
    check("\\pca \\'d5", "ı\n");
    check("\\ansicpg1251 \\'cf", "П\n");
    check("\\ansicpg99999 \\'e9", "é\n");
    check("{\\fonttbl{\\f0\\cpg1253 A;}{\\f1 B;}}\\f0\\'e1\\f1\\'e1", "αá\n");
    check("{\\fonttbl{\\f0 A;}{\\f5\\fcharset204 B;}}\\deff5 \\'cf", "П\n");
}

#[test]
fn looks_end_with_their_group_or_with_plain() {
    check("{\\b a}b{\\b c\\b0 d}\\i e\\plain f", "**a**b**c**d*e*f\n");
    check("{\\strike a} {\\striked1 b} {\\v a}{\\v0 b}", "~~a b~~ b\n");
}
