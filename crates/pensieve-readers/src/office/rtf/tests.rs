//! Small documents, each for one rule of the reader.

mod limits;

use super::*;
use pensieve_text::model::{ContainerMember, HiddenReason, Segment};

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
fn words_that_nobody_can_see_are_listed() {
    let check = |body: &str, text: &str, hidden: &[(HiddenReason, &str)]| {
        let colours = "{\\colortbl;\\red255\\green255\\blue255;\\red0\\green0\\blue80;}";
        let (found, document) = document(format!("{{\\rtf1\\ansi {colours}{body}}}").as_bytes());
        let listed: Vec<(HiddenReason, &str)> =
            document.hidden_text.iter().map(|row| (row.reason, row.text.as_str())).collect();
        assert_eq!((found.as_str(), &listed[..]), (text, hidden), "of {body}");
    };
    let white = [(HiddenReason::SameColour, "white")];
    check(
        "a{\\v gone}\\par {\\fs2 small}b",
        "a\n\nb\n",
        &[(HiddenReason::NotDisplayed, "gone"), (HiddenReason::Tiny, "small")],
    );
    check("a {\\cf1 white}", "a\n", &white);
    check("a{\\cf2 blue}{\\cf0 black}", "ablueblack\n", &[]);
    check("a {\\cf1\\highlight2 marked}", "a marked\n", &[]);
    check("a {\\cf1\\highlight2\\highlight0 white}", "a\n", &white);
    check("\\pard\\cbpat2 \\cf1 shaded\\par\\pard white", "shaded\n", &white);
    check("\\trowd\\cellx100\\intbl\\cf1 white\\cell\\row", "white\n", &[]);
    check("{\\*\\background x}{\\cf1 white}", "white\n", &[]);
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
    check("10{\\super 6} m{\\up6 3} H{\\sub 2}O x\\super 2\\nosupersub 0", "10^6 m^3 H2O x^20\n");
    check("{\\strike a} {\\striked1 b} {\\v a}{\\v0 b}", "~~a b~~ b\n");
}

#[test]
fn characters_by_number_are_those_of_unicode_or_of_a_symbol_font() {
    let fonts = "{\\fonttbl{\\f0 Arial;}{\\f3\\fcharset2 Symbol;}{\\f4\\fcharset2 Wingdings;}}\\uc0 ";
    for (body, expected) in [
        ("a\\u233 b", "aéb\n"),
        ("a\\u-10179\\u-8704 b", "a😀b\n"),
        ("a\\u128512 b", "a😀b\n"),
        ("a\\u65535 b", "a\u{ffff}b\n"),
        ("a\\u65536 b", "a\u{10000}b\n"),
        ("a\\u9 b", "a b\n"),
        ("a\\u10 b\\u11 c\\u13 d", "a\\\nb\\\nc\\\nd\n"),
        ("a\\u7 b\\u159 c", "abc\n"),
        ("\\f3\\u-4000 \\u61537\\f4\\u61514 ", "\u{203e}α☺\n"),
        ("a\\u-4097 \\u-3840 b", "a\u{efff}\u{f100}b\n"),
        ("a{\\u233\\~}b", "aé\u{a0}b\n"),
        ("a\\\tb\\\nc\\\rd", "a b\n\nc\n\nd\n"),
        ("a\\:b\\|c\\+d", "abcd\n"),
        ("a\\'07\\'09b\\'1fc", "a bc\n"),
        ("a\\'0db\\'0ac", "a\\\nb\\\nc\n"),
    ] {
        check(&format!("{fonts}{body}"), expected);
    }
}

/// How many characters were replaced, in the words of the reason.
fn check_replaced(body: &str, expected: &str, replaced: Option<&str>) {
    let (text, document) = document(format!("{{\\rtf1\\ansi\\uc0 {body}}}").as_bytes());
    let details: Vec<&str> = document.review_reasons.iter().map(|reason| reason.detail.as_str()).collect();
    assert_eq!((text.as_str(), details), (expected, replaced.into_iter().collect()), "{body}");
}

#[test]
fn halves_of_characters_are_replaced_and_counted() {
    check_replaced("a\\u-8704 b", "a\u{fffd}b\n", Some("1 characters"));
    check_replaced("a\\u-8704\\u-8704 b", "a\u{fffd}\u{fffd}b\n", Some("2 characters"));
    // A first half is dropped without its second.
    check_replaced("a\\u-10179\\x b\\u-8704 ", "ab\u{fffd}\n", Some("1 characters"));
    check_replaced("a\\u-10179\\u233 b", "aéb\n", None);
    check_replaced("a{\\*\\xe\\u-8704 }{\\pict\\u-8704 }b", "ab\n", None);
    check_replaced("\\ansicpg932 \\'81\\'ff\\'81\\'ff", "\u{fffd}\u{fffd}\n", Some("2 characters"));
}

#[test]
fn replacements_are_as_long_as_the_document_says() {
    check("\\uc1\\u8364\\b x", "€x\n");
    check("\\uc2\\u8364\\b\\i x{\\b y}", "€x**y**\n");
    check("\\uc2\\u8364?{a}b", "€ab\n");
    check("\\uc2\\u8364\\~\\_a", "€a\n");
    check("\\uc3\\u8364\\'e9abc", "€c\n");
    check("\\uc2\\u8364\\u8365 abc", "€₭c\n");
    check("\\uc-3\\u8364 a\\uc\\u8364 ab", "€a€b\n");
    check(&format!("\\uc300\\u8364 {}b", "a".repeat(255)), "€b\n");
    check("{\\uc2 a}\\u8364 bc", "a€c\n");
}

#[test]
fn names_of_styles_are_not_read_in_the_symbol_font_of_the_text() {
    let fonts = "{\\fonttbl{\\f3\\fcharset2 Symbol;}}";
    check(&format!("{fonts}\\f3{{\\stylesheet{{\\s1 heading 2;}}}}\\f0\\pard\\s1 A\\par"), "## A\n");
}

#[test]
fn paragraphs_end_where_captures_have_a_space() {
    let rows = |info: &str| {
        let (_, document) = document(format!("{{\\rtf1{{\\info{info}}}x}}").as_bytes());
        document.metadata
    };
    let row = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(rows("{\\title a\\par b\\softpage c\\cell d\\row}"), [row("title", "a b cd")]);
    assert_eq!(rows("{\\title  ; }{\\author A;;}{\\subject  B }"), [row("author", "A"), row("subject", "B")]);
    // A title inside of a title is part of it.
    assert_eq!(rows("{\\title a\\author b}"), [row("title", "ab")]);
    let (text, outside) = document(b"{\\rtf1 a{\\title b}{\\creatim\\yr2003\\mo4\\dy5}c}");
    assert_eq!((text.as_str(), outside.metadata), ("abc\n", vec![]));
}

#[test]
fn times_are_metadata_if_they_are_dates() {
    for (parts, expected) in [
        ("\\yr1900\\mo1\\dy1\\hr1\\min2\\sec3", Some("1900-01-01T01:02:03")),
        ("\\yr2199\\mo12\\dy31\\hr23\\min59\\sec59", Some("2199-12-31T23:59:59")),
        ("\\yr2003\\mo4\\dy5\\hr24\\min60\\sec60", Some("2003-04-05T23:59:59")),
        ("\\yr2003\\mo4\\dy5\\hr-1\\min-1\\sec-1", Some("2003-04-05T00:00:00")),
        ("\\yr1899\\mo1\\dy1", None),
        ("\\yr2200\\mo1\\dy1", None),
        ("\\yr2003\\mo0\\dy1", None),
        ("\\yr2003\\mo13\\dy1", None),
        ("\\yr2003\\mo1\\dy0", None),
        ("\\yr2003\\mo1\\dy32", None),
        ("\\yr2003\\mo1\\dy", None),
    ] {
        let (_, document) = document(format!("{{\\rtf1{{\\info{{\\revtim{parts}}}}}x}}").as_bytes());
        let times: Vec<(&str, &str)> =
            document.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(times, expected.map(|time| ("modified", time)).into_iter().collect::<Vec<_>>(), "{parts}");
    }
}

#[test]
fn plain_keeps_links_and_deletions() {
    check("{\\deleted a\\plain b}c", "c\n");
    check("{\\field{\\*\\fldinst HYPERLINK http://x/}{\\fldrslt \\b a\\plain b}}c", "[**a**b](http://x/)c\n");
    check("{\\v a\\plain b}c", "bc\n");
    let fonts = "{\\fonttbl{\\f0 A;}{\\f1\\fcharset204 B;}}";
    check(&format!("{fonts}\\f1\\'cf\\plain\\'cf\\f1\\'cf\\f\\'cf"), "ПÏПÏ\n");
}

#[test]
fn unknown_code_pages_change_nothing() {
    check("\\ansicpg1251\\ansicpg0\\ansicpg99999\\ansicpg-1\\ansicpg \\'cf", "П\n");
    let fonts = "{\\fonttbl{\\f1\\fcharset204\\cpg99999 B;}{\\f2\\fcharset460 C;}{\\f3\\cpg-1 C;}}";
    check(&format!("{fonts}\\f1\\'cf\\f2\\'cf\\f3\\'cf"), "ПÏÏ\n");
}

#[test]
fn outlines_and_markers_make_headings_and_items() {
    for (body, expected) in [
        ("\\outlinelevel0 A", "# A\n"),
        ("\\outlinelevel5 A", "###### A\n"),
        ("\\outlinelevel9 A", "A\n"),
        ("\\outlinelevel10 A", "A\n"),
        ("\\outlinelevel-1 A", "# A\n"),
        ("{\\listtext 1.\\tab}\\outlinelevel1 A", "## 1. A\n"),
        ("{\\listtext \\'b7\\tab}\\outlinelevel1 A", "## A\n"),
        ("{\\listtext 1\\tab}A", "- A\n"),
        ("{\\listtext --\\tab}A", "- A\n"),
        ("{\\listtext a)\\tab}A\\par B", "- a) A\n\nB\n"),
        ("{\\listtext a)\\tab}\\par B", "B\n"),
        (
            "{\\stylesheet{\\s1\\outlinelevel9 heading 2;}{\\s2\\outlinelevel4 x;}}\\s1 A\\par\\s2 B\\par\\s3 C",
            "## A\n\n##### B\n\nC\n",
        ),
        ("{\\stylesheet{\\s1 heading 2;}}\\s1\\outlinelevel9 A", "A\n"),
    ] {
        check(&format!("{body}\\par"), expected);
        // The last paragraph may end with the document.
        check(body, expected);
    }
}

#[test]
fn items_lie_at_their_level() {
    let item = |level: &str, word: &str| format!("{{\\listtext 1.\\tab}}\\ilvl{level} {word}\\par ");
    let text = |levels: &[&str]| {
        let body: String = levels.iter().map(|level| item(level, "x")).collect();
        document(format!("{{\\rtf1 {body}}}").as_bytes()).0
    };
    assert_eq!(text(&["0", "1", "0"]), "1. x\n   1. x\n1. x\n");
    let deep: Vec<String> = (0..9).map(|level| level.to_string()).collect();
    let deep: Vec<&str> = deep.iter().map(String::as_str).collect();
    assert_eq!(text(&[&deep[..8], &["9"]].concat()), text(&deep));
    assert_eq!(text(&["-1", "0"]), text(&["0", "0"]));
}

#[test]
fn cells_join_and_tables_nest() {
    check(
        "\\trowd\\cellx1000\\cellx2000\\cellx3000\\intbl a\\cell b\\cell c\\cell\\row\\trowd\\cellx2000\\cellx3000 d\\cell e\\cell\\row",
        "| a | b | c |\n| - | - | - |\n| d |  | e |\n",
    );
    check(
        "\\trowd\\cellx1000\\clmrg\\cellx2000\\cellx3000\\intbl a\\cell\\cell c\\cell\\row\\trowd\\cellx1000\\cellx2000\\cellx3000 d\\cell e\\cell f\\cell\\row",
        "| a | a | c |\n| - | - | - |\n| d | e | f |\n",
    );
    check(
        "\\intbl\\itap3 x\\nestcell y\\nestcell\\nestrow\\itap1 z\\cell w\\cell\\row\\pard after",
        "| x y z | w |\n| - | - |\n\nafter\n",
    );
    check("\\pard\\itap0\\intbl a\\cell b\\cell\\row\\pard\\itap-1 c", "| a | b |\n| - | - |\n\nc\n");
}

#[test]
fn fields_and_destinations_follow_the_text_around_them() {
    for (body, expected) in [
        ("a{\\field{\\*\\fldinst PAGE}{\\fldrslt 7}}b", "a7b\n"),
        ("a{\\header{\\field{\\*\\fldinst DATE}{\\fldrslt 7}}\\par}b", "ab\n\n7\n"),
        ("a{\\field{\\*\\fldinst MACROBUTTON x Go}}b", "aGob\n"),
        ("a{\\field{\\*\\fldinst MACROBUTTON x Go}{\\fldrslt on}}b", "aonb\n"),
        ("a{\\*\\xe{\\field{\\*\\fldinst MACROBUTTON x Go}}}b", "ab\n"),
        ("a{\\pict{\\field{\\*\\fldinst MACROBUTTON x Go}{\\fldrslt on}}}b", "ab\n"),
        ("a{\\mrPr x}{\\mr y}{\\xPr z}b", "ayzb\n"),
        ("a{\\*\\unknown x}{\\unknown y}b", "ayb\n"),
        ("a{\\* \\unknown x}b", "a b\n"),
        ("a{\\deleted b{\\footnote x}}{\\v{\\footnote y}}{\\footnote z}c", "a[^1]c\n\n[^1]: z\n"),
        ("a{\\upr{b}{c}{\\*\\ud d}}", "ad\n"),
        ("a{\\*\\ud d}e", "ade\n"),
        ("a{\\do b}{\\object c}{\\result d}", "abcd\n"),
    ] {
        check(body, expected);
    }
}

#[test]
fn descriptions_are_those_of_pictures_near_the_text() {
    let nested = |groups: usize, name: &str| {
        let open = "{".repeat(groups);
        let close = "}".repeat(groups);
        format!("a {{\\pict{open}{{\\sp{{\\sn {name}}}{{\\sv B}}}}{close}}} c")
    };
    check(&nested(0, "wzDescription"), "a B c\n");
    check(&nested(1, "wzDescription"), "a B c\n");
    check(&nested(2, "wzDescription"), "a B c\n");
    check(&nested(3, "wzDescription"), "a c\n");
    check(&nested(0, "wzName"), "a c\n");
    // A value without a name of its own has none.
    check("a {\\pict{\\sp{\\sn wzDescription}{\\sv B}{\\sv C}}} d", "a B d\n");
}

#[test]
fn zeros_are_lost_text_unless_they_are_binary_data() {
    for (before, zeros, after, expected) in [
        ("{\\rtf1 a", 63, "}", false),
        ("{\\rtf1 a", 64, "}", true),
        ("{\\rtf1 {\\pict\\bin100 ", 100, "}a}", false),
        ("{\\rtf1 {\\pict\\bin100 ", 163, "}a}", false),
        ("{\\rtf1 {\\pict\\bin100 ", 164, "}a}", true),
        ("{\\rtf1 {\\pict\\bin9 ", 72, "}a}", false),
        ("{\\rtf1 {\\pict\\bin9 ", 73, "}a}", true),
        ("{\\rtf1 {\\pict\\bin ", 63, "}a}", false),
        ("{\\rtf1 {\\pict\\bin ", 64, "}a}", true),
        ("{\\rtf1 {\\pict\\bin3 abc}{\\bin70 ", 70, "}", false),
        ("{\\rtf1 {\\pict\\bin3 abc}", 64, "{\\bin3 abc}}", true),
        ("{\\rtf1 {\\pict\\bin99999999999999999999 ", 64, "}", true),
        ("{\\rtf1 {\\pict\\bin200 ", 100, "", false),
    ] {
        let bytes = [before.as_bytes(), &vec![0; zeros], after.as_bytes()].concat();
        assert_eq!(has_lost_block(&bytes), expected, "{before} {zeros}");
    }
}

#[test]
fn formulas_are_tex() {
    let power = "{\\msSup{\\msSupPr{\\mctrlPr\\f34 }}{\\me{\\mr\\mscr0\\msty2 x}}{\\msup{\\mr 2}}}";
    let sum = "{\\mnary{\\mnaryPr{\\mchr \\u8721?}{\\mlimLoc undOvr}}{\\msub{\\mr i=1}}{\\msup{\\mr n}}{\\me{\\mr\\mnor  kg}}}";
    let formula = format!("{{\\mmath{{\\*\\moMath{power}{{\\mr +}}{sum}}}}}");
    check(&format!("{{\\rtf1 so {formula} holds\\par}}"), "so $x^2+\\sum_{i=1}^n \\text{ kg}$ holds\n");
    check(&format!("{{\\rtf1{{\\mmath{{\\*\\moMathPara{{\\*\\moMath{power}}}}}}}\\par}}"), "$$x^2$$\n");
    check("{\\rtf1{\\*\\moMath a+b}\\par}", "$a+b$\n");
}

#[test]
fn boxes_of_forms_are_marks() {
    let field = |form: &str| {
        format!("{{\\field{{\\*\\fldinst FORMCHECKBOX{{\\*\\formfield{{\\fftype1{form}}}}}}}{{\\fldrslt }}}}")
    };
    let (on, off) = (field("\\ffres1\\ffdefres0"), field("\\ffres25\\ffdefres0"));
    check(&format!("{on} rope\\par {off} boat\\par"), "[x] rope\n\n[ ] boat\n");
}

#[test]
fn a_cell_merged_over_rows_holds_for_each() {
    check(
        "\\trowd\\cellx100\\cellx200\\intbl Q\\cell Kind\\cell\\row\\trowd\\clvmgf\\cellx100\\cellx200\\intbl Q1\\cell Reds\\cell\\row\
         \\trowd\\clvmrg\\cellx100\\cellx200\\intbl\\cell Blues\\cell\\row\\pard",
        "| Q | Kind |\n| - | - |\n| Q1 | Reds |\n| Q1 | Blues |\n",
    );
}

#[test]
fn a_cell_may_end_at_any_number() {
    check(
        "\\trowd\\cellx100\\cellx99999999999\\intbl a\\cell b\\cell\\row\\trowd\\cellx100\\cellx99999999999\\intbl c\\cell d\\cell\\row",
        "| a | b |\n| - | - |\n| c | d |\n",
    );
}
