//! Compares the tables and the counts with the reference implementation.

use super::Tokenizer;
use super::classes::{self, LETTER, LOWER, NEWLINE, NUMBER, OTHER, SPACE, UPPER};
use super::tests::{Dice, nasty_text};
use regex::Regex;
use tiktoken_rs::CoreBPE;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/text/tokens/data/");

fn reference(name: &str) -> CoreBPE {
    match name {
        "cl100k_base" => tiktoken_rs::cl100k_base(),
        "o200k_base" => tiktoken_rs::o200k_base(),
        "o200k_harmony" => tiktoken_rs::o200k_harmony(),
        "p50k_base" => tiktoken_rs::p50k_base(),
        "p50k_edit" => tiktoken_rs::p50k_edit(),
        _ => tiktoken_rs::r50k_base(),
    }
    .unwrap()
}

/// The tokens of ranks below `limit`, in the form of the files of ranks.
fn ranks_file(bpe: &CoreBPE, limit: u32) -> Vec<u8> {
    let mut file = Vec::new();
    for token in (0..limit).filter_map(|rank| bpe.decode_bytes(&[rank]).ok()) {
        if token.starts_with(b"<|endoftext|>") {
            continue;
        }
        file.push(u8::try_from(token.len()).unwrap());
        file.extend(token);
    }
    file
}

/// The class of every code point, by the regular expressions of the reference.
fn reference_classes() -> Vec<u8> {
    let all: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
    let mut classes = vec![0; 0x11_0000];
    let mut mark = |pattern: &str, class: u8| {
        for found in Regex::new(pattern).unwrap().find_iter(&all) {
            found.as_str().chars().for_each(|c| classes[c as usize] |= class);
        }
    };
    mark(r"\p{L}", LETTER);
    mark(r"\p{N}", NUMBER);
    mark(r"\s", SPACE);
    mark(r"[^\s\p{L}\p{N}]", OTHER);
    mark(r"[\r\n]", NEWLINE);
    mark(r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", UPPER);
    mark(r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", LOWER);
    classes[0xd800..0xe000].fill(OTHER);
    classes
}

/// The table in two stages, as `classes` reads it.
fn classes_file(classes: &[u8]) -> Vec<u8> {
    let mut numbers = Vec::new();
    let mut blocks: Vec<&[u8]> = Vec::new();
    for block in classes.chunks(256) {
        let number = blocks.iter().position(|known| *known == block).unwrap_or_else(|| {
            blocks.push(block);
            blocks.len() - 1
        });
        numbers.push(u8::try_from(number).unwrap());
    }
    numbers.into_iter().chain(blocks.concat()).collect()
}

/// Run only this test to rewrite the files of `data/` after an update of the reference.
#[test]
#[ignore = "writes the tables"]
fn write_the_tables() {
    std::fs::write(format!("{DATA}cl100k_base.ranks"), ranks_file(&reference("cl100k_base"), 100_256))
        .unwrap();
    std::fs::write(format!("{DATA}o200k_base.ranks"), ranks_file(&reference("o200k_base"), 199_998)).unwrap();
    std::fs::write(format!("{DATA}p50k_base.ranks"), ranks_file(&reference("p50k_base"), 50_281)).unwrap();
    std::fs::write(format!("{DATA}unicode.classes"), classes_file(&reference_classes())).unwrap();
}

#[test]
fn every_character_has_the_classes_that_the_reference_sees() {
    for (code, expected) in reference_classes().into_iter().enumerate() {
        assert_eq!(classes::of_char(code as u32), expected, "U+{code:04X}");
    }
}

#[test]
fn every_token_has_its_rank() {
    let check =
        |name: &str, limit: u32, file: &[u8]| assert!(ranks_file(&reference(name), limit) == file, "{name}");
    check("cl100k_base", 100_256, include_bytes!("data/cl100k_base.ranks"));
    check("o200k_base", 199_998, include_bytes!("data/o200k_base.ranks"));
    check("p50k_base", 50_281, include_bytes!("data/p50k_base.ranks"));
    let r50k = ranks_file(&reference("r50k_base"), 50_256);
    assert!(include_bytes!("data/p50k_base.ranks").starts_with(&r50k));
}

#[test]
fn counts_of_nasty_texts_equal_the_reference() {
    let mut dice = Dice(7);
    for name in Tokenizer::NAMES {
        let (bpe, mut counter) = (reference(name), Tokenizer::named(name).unwrap().counter());
        for round in 0..300 {
            let text = nasty_text(&mut dice, round % 40);
            assert_eq!(counter.count(&text), bpe.encode_ordinary(&text).len(), "{name} {text:?}");
        }
    }
}

#[test]
fn counts_of_long_pieces_equal_the_reference() {
    let mut dice = Dice(11);
    let random: String = (0..20_000).map(|_| char::from(b'a' + dice.below(26) as u8)).collect();
    let texts = ["a".repeat(20_000), random, "ab".repeat(9_001), "\u{301}".repeat(9_000), "=".repeat(15_000)];
    for name in Tokenizer::NAMES {
        let (bpe, mut counter) = (reference(name), Tokenizer::named(name).unwrap().counter());
        for text in &texts {
            assert_eq!(counter.count(text), bpe.encode_ordinary(text).len(), "{name} {:?}", &text[..20]);
        }
    }
}
