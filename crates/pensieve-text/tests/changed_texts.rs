//! Changed texts: the texts and pages of the other golden tests with random changes, random texts, and sentences in many
//! encodings with random bytes. `changed/*.list` has a line for each: what it became, in counts. What must hold of all of them
//! is checked here: maps lead into their sources and read back, chunks are under their ceiling, differences rebuild a text.
//!
//! A list shows what is more or less than before, and where; what is right, the other golden tests show. `UPDATE_GOLDEN=1` writes
//! the lists anew: read which lines differ before you keep them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod changed;
mod drawing;
mod support;

use changed::{Random, change_text, random_text};
use drawing::{Drawing, change_line};
use pensieve_text::chunk::{ChunkOptions, Chunker, HeadingSyntax, StrategyChoice, strategy_for};
use pensieve_text::format::{SniffOptions, sniff};
use pensieve_text::layout::{LayoutBatch, WindowOptions};
use pensieve_text::model::{AuxKind, ChunkStrategy, Segment, Span, TextKind};
use pensieve_text::text::clean::{CLEAN_RULES, CleanOptions, Cleaner};
use pensieve_text::text::decode::{EncodingHints, TextVerdict, decode_all, is_text};
use pensieve_text::text::diff::{self, DiffSide};
use pensieve_text::text::gutenberg::{find_body, read_header};
use pensieve_text::text::markdown::{page_of_markdown, plain_of_markdown};
use pensieve_text::text::normalize::UnicodeForm;
use pensieve_text::text::sentences;
use pensieve_text::text::tokens::Tokenizer;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const ROUNDS: usize = 24;
/// Of texts and pages, of which most are short.
const TEXT_ROUNDS: usize = 90;
/// Lines of the list of random texts, with as many texts each.
const RANDOM_LINES: usize = 60;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/changed").join(name)
}

/// Texts that other tests clean or cut.
fn texts() -> Vec<PathBuf> {
    let mut texts = support::files("chunk", |extension| extension != "chunks");
    for rule in CLEAN_RULES {
        texts.extend(support::files(&format!("clean/{}", rule.name), |extension| extension != "expected"));
    }
    texts
}

#[test]
fn changed_texts_are_cleaned_and_cut_as_before() {
    let mut list = String::new();
    for path in texts() {
        let text = fs::read_to_string(&path).unwrap();
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        let mut random = Random::new(&name);
        let (mut words, mut chunks) = (0, 0);
        for round in 0..TEXT_ROUNDS {
            let mut changed = text.clone();
            (0..=random.below(4)).for_each(|_| changed = change_text(&changed, &mut random));
            let clean = clean(&changed, round);
            words += clean.text.split_whitespace().count();
            chunks += cut(&clean, round);
            compare_and_plain(&text, &changed);
        }
        let _ = writeln!(list, "{name}: {words} words in {chunks} chunks");
    }
    support::compare(&golden("texts.list"), &list);
}

#[test]
fn random_texts_are_cleaned_and_cut_as_before() {
    let mut list = String::new();
    let mut random = Random::new("texts");
    for line in 0..RANDOM_LINES {
        let (mut words, mut chunks) = (0, 0);
        for round in 0..TEXT_ROUNDS {
            let text = random_text(&mut random);
            let clean = clean(&text, round);
            words += clean.text.split_whitespace().count();
            chunks += cut(&clean, round);
            compare_and_plain(&change_text(&text, &mut random), &text);
        }
        let _ = writeln!(list, "{line}: {words} words in {chunks} chunks");
    }
    support::compare(&golden("random.list"), &list);
}

/// The map of a segment leads into its source, and its stored form reads back.
fn check(segment: &Segment, source: usize) {
    let bytes = (0..segment.text.len()).step_by(7).map(|at| segment.map.source(Span::new(at, at + 1)));
    assert!(bytes.flatten().all(|found| found.start <= found.end && found.end <= source));
    let stored = Segment::decode(segment.text.clone(), &segment.encode_map());
    assert!(stored.is_ok_and(|stored| stored == *segment));
}

/// Decodes and cleans, with other options in every round.
fn clean(text: &str, round: usize) -> Segment {
    let kind =
        [TextKind::Prose, TextKind::Markup, TextKind::Prose, TextKind::Code, TextKind::Data][round % 5];
    let mut options = CleanOptions {
        form: if round % 4 == 3 { UnicodeForm::Nfkc } else { UnicodeForm::default() },
        max_blank_lines: round % 3,
        page_markers: round % 4 == 1,
        gutenberg: round % 6 == 5,
        ..CleanOptions::default()
    };
    for row in CLEAN_RULES {
        options.rules = options.rules.with(row.rule, round % 3 != 2 || row.name.len().is_multiple_of(2));
    }
    let (raw, _, _) = decode_all(text.as_bytes(), &EncodingHints::default());
    let mut cleaner = Cleaner::new(&options, kind);
    let mut clean = cleaner.push(raw);
    clean.append(cleaner.finish());
    check(&clean, text.len());
    clean
}

/// Cuts in a size and by a strategy of this round; returns the number of chunks.
fn cut(clean: &Segment, round: usize) -> usize {
    let (size, overlap) = [(12, 0), (24, 8), (60, 0), (100, 25), (8, 2)][round % 5];
    let choice = StrategyChoice::Auto;
    let strategies = [
        strategy_for(choice, TextKind::Prose),
        strategy_for(choice, TextKind::Markup),
        strategy_for(choice, TextKind::Code),
        ChunkStrategy::Rows,
        strategy_for(StrategyChoice::Paragraph, TextKind::Prose),
    ];
    let syntaxes = [
        None,
        Some(HeadingSyntax::AsciiDoc),
        Some(HeadingSyntax::Org),
        Some(HeadingSyntax::ReStructuredText),
        Some(HeadingSyntax::Tex),
        Some(HeadingSyntax::Wiki),
    ];
    let mut count = 0;
    for (at, strategy) in strategies.into_iter().enumerate() {
        let name = Tokenizer::NAMES[(round + at) % Tokenizer::NAMES.len()];
        let options = ChunkOptions { size, overlap, strategy: choice, windows: WindowOptions::default() };
        let mut chunker = Chunker::new(&options, strategy, Tokenizer::named(name).unwrap().counter());
        chunker.start_document(syntaxes[(round + at) % syntaxes.len()]);
        for chunk in chunker.cut(clean) {
            count += 1;
            assert!(chunk.tokens <= size, "{} tokens under a ceiling of {size}", chunk.tokens);
        }
    }
    count
}

/// A difference rebuilds the new text from the old one, and Markdown of any form has a plain one.
fn compare_and_plain(text: &str, changed: &str) {
    let (old, new) = (diff::lines(text), diff::lines(changed));
    let hunks = diff::hunks(&diff::compare(&old, &new), old.len(), old.len());
    let lines = hunks.iter().flat_map(|hunk| hunk.lines()).filter_map(|(side, at)| match side {
        DiffSide::Both => Some(old[at]),
        DiffSide::Old => None,
        DiffSide::New => Some(new[at]),
    });
    assert!(if old == new { hunks.is_empty() } else { lines.eq(new.iter().copied()) });
    let mut before = 0;
    sentences::starts(changed, Span::new(0, changed.len()), |at| {
        assert!(before <= at && changed.is_char_boundary(at));
        before = at;
    });
    let _ = (plain_of_markdown(changed), page_of_markdown(changed));
    let book = format!(
        "Title: A harbour\nAuthor: Nobody\n\n*** START OF THE PROJECT GUTENBERG EBOOK A HARBOUR ***\n{changed}"
    );
    let _ = (find_body(&book), read_header(&book));
}

/// Sentences with letters of many alphabets.
const SENTENCES: [(&str, &str); 12] = [
    ("French", "Où est passée l’élève à qui j’ai prêté ce cahier ? Là-bas, près de la forêt, bien sûr."),
    ("German", "Die Gräfin fuhr am Dienstag über die Brücke nach Köln; dort aß sie müde Äpfel und Käse."),
    ("Polish", "Zażółć gęślą jaźń, powiedział księgowy, i poszedł nad rzekę łowić ryby aż do północy."),
    ("Turkish", "Işığı söndürüp çıktığında güneş doğmuştu; şehir ağır ağır uyanıyordu, kimse görmedi."),
    ("Greek", "Το λιμάνι έχει εφτά φάρους και κανείς δεν ξέρει πόσοι από αυτούς ανάβουν τον χειμώνα."),
    ("Russian", "Смотритель маяка считает корабли и пишет письма, на которые никто никогда не отвечает."),
    ("Hebrew", "שומר המגדלור סופר את האוניות בכל ערב וכותב מכתבים ארוכים שאיש אינו קורא בחורף."),
    ("Arabic", "حارس المنارة يعد السفن كل مساء ويكتب رسائل طويلة لا يقرؤها أحد في الشتاء البارد."),
    ("Thai", "ผู้ดูแลประภาคารนับเรือทุกเย็นและเขียนจดหมายยาวที่ไม่มีใครอ่านในฤดูหนาว"),
    ("Japanese", "灯台守は毎晩船を数え、誰も読まない長い手紙を書いています。冬はとても寒いです。"),
    ("Chinese", "灯塔看守人每天晚上数船，写着没有人读的长信。冬天的港口非常安静，只有风声。"),
    ("Korean", "등대지기는 매일 저녁 배를 세고 아무도 읽지 않는 긴 편지를 씁니다. 겨울은 춥습니다."),
];

const ENCODINGS: [&encoding_rs::Encoding; 22] = [
    encoding_rs::UTF_8,
    encoding_rs::WINDOWS_1250,
    encoding_rs::WINDOWS_1251,
    encoding_rs::WINDOWS_1252,
    encoding_rs::WINDOWS_1253,
    encoding_rs::WINDOWS_1254,
    encoding_rs::WINDOWS_1255,
    encoding_rs::WINDOWS_1256,
    encoding_rs::WINDOWS_874,
    encoding_rs::ISO_8859_2,
    encoding_rs::ISO_8859_5,
    encoding_rs::ISO_8859_7,
    encoding_rs::KOI8_R,
    encoding_rs::IBM866,
    encoding_rs::MACINTOSH,
    encoding_rs::SHIFT_JIS,
    encoding_rs::EUC_JP,
    encoding_rs::ISO_2022_JP,
    encoding_rs::GB18030,
    encoding_rs::BIG5,
    encoding_rs::EUC_KR,
    encoding_rs::WINDOWS_1257,
];

#[test]
fn sentences_with_damaged_bytes_are_decoded_as_before() {
    let mut list = String::new();
    for (language, sentence) in SENTENCES {
        for encoding in ENCODINGS {
            let (bytes, _, has_errors) = encoding.encode(sentence);
            if has_errors {
                continue;
            }
            let _ = writeln!(list, "{language} in {}: {}", encoding.name(), decoded(&bytes, language));
        }
        for (name, swaps) in [("UTF-16LE", false), ("UTF-16BE", true)] {
            let units = sentence.encode_utf16();
            let pair = |unit: u16| if swaps { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let bytes: Vec<u8> = units.flat_map(pair).collect();
            let _ = writeln!(list, "{language} in {name}: {}", decoded(&bytes, language));
        }
    }
    support::compare(&golden("encodings.list"), &list);
}

/// How the bytes are decoded, and how often they are with changes: by encodings, as text, with problems.
fn decoded(bytes: &[u8], seed: &str) -> String {
    let (_, encoding, _) = decode_all(bytes, &EncodingHints::default());
    let mut random = Random::new(seed);
    let mut encodings: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut texts, mut damaged) = (0, 0);
    for round in 0..ROUNDS {
        let mut bytes = bytes.repeat(1 + round % 3);
        for _ in 0..round {
            let at = random.below(bytes.len());
            bytes[at] = [0, 0xff, 0x1b, 0x80, b'\n', b'\r', bytes[at] ^ 1, bytes[at] ^ 0x80][random.below(8)];
        }
        bytes.truncate(bytes.len() - random.below(4));
        let declared = [None, Some("iso-8859-1"), Some("utf-8"), Some("shift_jis")][round % 4];
        let hints = EncodingHints { declared, ..EncodingHints::default() };
        let (segment, encoding, problems) = decode_all(&bytes, &hints);
        check(&segment, bytes.len());
        *encodings.entry(encoding.name()).or_default() += 1;
        texts += usize::from(is_text(&bytes) == TextVerdict::Text);
        damaged += usize::from(!problems.is_empty());
        let name = ["a.txt", "a", "a.html", "a.csv", "a.json", "a.xml"][round % 6];
        let _ = sniff(&bytes, true, name, &SniffOptions::default());
    }
    let encodings: Vec<String> = encodings.iter().map(|(name, count)| format!("{name} {count}")).collect();
    format!("{}; changed: {}, {texts} texts, {damaged} damaged", encoding.name(), encodings.join(", "))
}

#[test]
fn changed_pages_are_laid_out_as_before() {
    let mut list = String::new();
    for path in support::files("layout", |extension| extension == "pages") {
        let pages = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let mut random = Random::new(name);
        for round in 0..TEXT_ROUNDS {
            let mut changed = pages.clone();
            (0..=random.below(12))
                .for_each(|_| changed = change_line(&changed, &mut |limit| random.below(limit)));
            let batches = Drawing::read(&changed).laid_out();
            let _ = writeln!(list, "{name} {round}: {}", laid_out(&batches));
        }
    }
    support::compare(&golden("pages.list"), &list);
}

/// The words of each sort of units, the lines that are left out, and what breaks an invariant.
fn laid_out(batches: &[LayoutBatch]) -> String {
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    for unit in batches.iter().flat_map(|batch| &batch.units) {
        let sort =
            if unit.level > 0 { "heading" } else { unit.kind.map_or(unit.role.as_str(), AuxKind::as_str) };
        *words.entry(sort).or_default() += unit.emitted().split_whitespace().count();
        assert!(!unit.places.is_empty(), "each unit has a place");
    }
    let suppressed: usize = batches.iter().map(|batch| batch.suppressed.len()).sum();
    let violations: usize = batches.iter().map(|batch| batch.violations.len()).sum();
    let counts = words.into_iter().chain([("lines left out", suppressed), ("violations", violations)]);
    let counts: Vec<String> = counts.map(|(name, count)| format!("{count} {name}")).collect();
    counts.join(", ")
}
