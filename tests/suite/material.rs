//! Texts to fill trees with: prose, Markdown, code, tables, pages, in several encodings, and bytes that mean nothing.

use crate::support::Dice;
use base64::prelude::{BASE64_STANDARD, Engine};

const WORDS: &[&str] = &[
    "lantern", "harbour", "tide", "keeper", "of", "the", "and", "a", "storm", "window", "salt", "rope",
    "slow", "in", "evening", "stone", "writes", "every", "ship", "that", "passes", "signal", "ledger",
    "north", "quiet", "returns", "glass", "between", "under", "morning", "letters", "bell", "winter",
    "counted", "twice", "before", "dawn",
];

/// Words that normalisation, segmentation or the tokenizer must take care with.
const ODD: &[&str] = &[
    "ﬁnal",
    "Ｗｉｄｅ",
    "e\u{301}tude",
    "naïve",
    "½",
    "№",
    "soft\u{ad}hyphen",
    "no\u{a0}break",
    "日本語の文章",
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "שלום",
    "x²",
    "…",
    "Ǆ",
    "𝔘𝔫𝔦",
    "ไทยภาษา",
    "می\u{200c}خواهم",
    "a\u{308}\u{323}",
    "㎏",
];

/// Words, one in `rarity` of them odd; 0 for none.
pub fn words(dice: &mut Dice, count: usize, rarity: usize) -> String {
    let mut text = String::new();
    for at in 0..count {
        if at > 0 {
            text.push(' ');
        }
        let odd = rarity > 0 && dice.below(rarity) == 0;
        text.push_str(dice.pick(if odd { ODD } else { WORDS }));
        if dice.below(11) == 0 {
            text.push('.');
        }
    }
    text
}

pub fn prose(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..1 + dice.below(8) {
        for _ in 0..1 + dice.below(5) {
            let count = 3 + dice.below(14);
            text.push_str(&words(dice, count, 25));
            text.push_str(dice.pick(&["\n", "  \n", "\n", "\t\n"]));
        }
        text.push_str(dice.pick(&["\n", "\n\n\n", "\n"]));
    }
    text
}

fn markdown(dice: &mut Dice) -> String {
    let mut text = String::new();
    for number in 0..1 + dice.below(5) {
        let level = 1 + dice.below(3);
        text.push_str(&format!("{} Part {number} {}\n\n", "#".repeat(level), words(dice, 2, 0)));
        match dice.below(4) {
            0 => text.push_str(&format!("```rust\nfn main() {{\n    {}\n}}\n```\n\n", words(dice, 6, 0))),
            1 => {
                text.push_str("| name | value |\n| --- | --- |\n");
                for row in 0..1 + dice.below(30) {
                    text.push_str(&format!("| {} | {row} |\n", words(dice, 2, 9)));
                }
                text.push('\n');
            }
            2 => text.push_str(&format!(
                "- {}\n  - {}\n- {}\n\n",
                words(dice, 4, 9),
                words(dice, 3, 0),
                words(dice, 2, 0)
            )),
            _ => text.push_str(&prose(dice)),
        }
    }
    text
}

fn code(dice: &mut Dice) -> String {
    let mut text = String::new();
    for number in 0..1 + dice.below(8) {
        let name = dice.pick(WORDS);
        text.push_str(&format!("def {name}_{number}(rope):\n    # {}\n", words(dice, 6, 12)));
        for line in 0..dice.below(6) {
            text.push_str(&format!("    {} = rope[{line}]  * {}\n", dice.pick(WORDS), dice.below(1000)));
        }
        text.push_str("    return rope\n\n");
    }
    text
}

fn table(dice: &mut Dice) -> String {
    let mut text = "day,keeper,remark\n".to_owned();
    for row in 0..dice.below(60) {
        text.push_str(&format!("{row},{},\"{}\"\n", dice.pick(WORDS), words(dice, 4, 15)));
    }
    text
}

fn page(dice: &mut Dice) -> String {
    let mut body = String::new();
    for _ in 0..2 + dice.below(5) {
        let count = 20 + dice.below(40);
        body.push_str(&format!("<h2>{}</h2>\n<p>{}</p>\n", words(dice, 3, 0), words(dice, count, 20)));
    }
    format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{}</title></head><body>\n\
         <nav><a href=\"/\">Home</a></nav><article>{body}</article><footer>The end</footer></body></html>\n",
        words(dice, 3, 0)
    )
}

fn json(dice: &mut Dice) -> String {
    let rows: Vec<String> = (0..dice.below(20))
        .map(|at| format!("  {{\"id\": {at}, \"note\": \"{}\"}}", words(dice, 5, 15)))
        .collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}

/// A text in bytes, as some editor might have written it.
fn encoded(text: &str, dice: &mut Dice) -> Vec<u8> {
    let utf16 = |order: fn(u16) -> [u8; 2]| {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(order).collect()
    };
    match dice.below(10) {
        0 => utf16(u16::to_le_bytes),
        1 => utf16(u16::to_be_bytes),
        2 => ["\u{feff}", text].concat().into_bytes(),
        3 => text.replace('\n', "\r\n").into_bytes(),
        4 => latin1(dice),
        _ => text.as_bytes().to_vec(),
    }
}

/// Text in ISO-8859-1, with enough of its letters to be recognised.
pub fn latin1(dice: &mut Dice) -> Vec<u8> {
    const GERMAN: &[&str] = &[
        "für", "über", "Straße", "schön", "wäre", "Größe", "der", "die", "und", "nicht", "Käse", "müssen",
        "ein",
    ];
    let mut bytes = Vec::new();
    for at in 0..40 + dice.below(200) {
        bytes.extend(dice.pick(GERMAN).chars().map(|c| c as u8));
        bytes.push(if at % 12 == 11 { b'\n' } else { b' ' });
    }
    bytes
}

/// Bytes that no program wrote as text.
pub fn noise(dice: &mut Dice) -> Vec<u8> {
    let length = dice.below(3000);
    let mut bytes: Vec<u8> = match dice.below(3) {
        // Anything.
        0 => (0..length).map(|_| dice.next() as u8).collect(),
        // Text in which some bytes are wrong.
        1 => prose(dice)
            .into_bytes()
            .into_iter()
            .map(|b| if dice.below(60) == 0 { dice.next() as u8 } else { b })
            .collect(),
        // Text without rhyme or reason.
        _ => (0..length)
            .filter_map(|_| char::from_u32(dice.next() as u32 % 0x3000))
            .collect::<String>()
            .into_bytes(),
    };
    if dice.chance(20) {
        let marks: [&[u8]; 5] =
            [b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04"];
        bytes.splice(0..0, dice.pick(&marks).iter().copied());
    }
    bytes
}

/// A mail with attachments, few enough of them different that they are met again elsewhere.
pub fn mail(dice: &mut Dice, deepest: usize) -> Vec<u8> {
    let boundary = format!("part-{deepest}");
    let mut bytes = format!("Subject: {}\r\nFrom: a@example.org\r\n", words(dice, 4, 3)).into_bytes();
    let head = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=";
    bytes.extend_from_slice(
        format!("{head}{boundary}\r\n\r\n--{boundary}\r\n\r\n{}\r\n", prose(dice)).as_bytes(),
    );
    for _ in 0..dice.below(4) {
        let mut few = Dice::new(dice.below(6) as u64);
        let (kind, name, content) = match dice.below(5) {
            0 if deepest > 0 => ("message/rfc822", "letter.eml", mail(&mut few, deepest - 1)),
            1 => ("text/html", "page.html", page(&mut few).into_bytes()),
            2 => ("image/png", "image.png", b"\x89PNG\r\n\x1a\n".to_vec()),
            3 => ("text/markdown", "notes.md", prose(&mut few).into_bytes()),
            _ => ("text/plain", "notes.txt", prose(&mut few).into_bytes()),
        };
        let head = format!(
            "--{boundary}\r\nContent-Type: {kind}; name={name}\r\nContent-Disposition: attachment; filename={name}\r\n"
        );
        bytes.extend_from_slice(head.as_bytes());
        if kind == "message/rfc822" {
            bytes.extend_from_slice(b"\r\n");
            bytes.extend_from_slice(&content);
        } else {
            bytes.extend_from_slice(b"Content-Transfer-Encoding: base64\r\n\r\n");
            bytes.extend_from_slice(BASE64_STANDARD.encode(&content).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    bytes
}

/// A file: an extension and what is in it.
pub fn file(dice: &mut Dice) -> (&'static str, Vec<u8>) {
    let (extension, text) = match dice.below(13) {
        0..=2 => ("txt", prose(dice)),
        3..=5 => ("md", markdown(dice)),
        6 => ("py", code(dice)),
        7 => ("csv", table(dice)),
        8 => return ("html", page(dice).into_bytes()),
        9 => ("json", json(dice)),
        12 => return ("eml", mail(dice, 2)),
        10 => return ("png", [b"\x89PNG\r\n\x1a\n", &dice.next().to_be_bytes()[..]].concat()),
        _ => ("", prose(dice)),
    };
    (extension, encoded(&text, dice))
}
