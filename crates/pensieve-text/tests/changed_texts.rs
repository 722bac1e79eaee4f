//! Changed texts: the texts and pages of the other golden tests with random changes, random texts, and sentences in many
//! encodings with random bytes. `changed/*.list` has a line for each: what it became in counts, and a digest of all that was said of it
//! (text, maps, lines, problems, chunks, findings; of pages, the units with their places).
//!
//! A list shows that something changed, and where; what is right, the other golden tests show. `UPDATE_GOLDEN=1` writes
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
use pensieve_text::model::{ChunkStrategy, ContentHash, Segment, Span, TextKind};
use pensieve_text::text::clean::{CLEAN_RULES, CleanOptions, Cleaner};
use pensieve_text::text::decode::{EncodingHints, decode_all, is_text};
use pensieve_text::text::gutenberg::{find_body, read_header};
use pensieve_text::text::markdown::{page_of_markdown, plain_of_markdown};
use pensieve_text::text::normalize::UnicodeForm;
use pensieve_text::text::tokens::Tokenizer;
use pensieve_text::text::{diff, sentences};
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

fn digest(all: &str) -> String {
    ContentHash::of(all.as_bytes()).to_string()[..8].to_owned()
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
        let (mut all, mut words, mut chunks) = (String::new(), 0, 0);
        for round in 0..TEXT_ROUNDS {
            let mut changed = text.clone();
            (0..=random.below(4)).for_each(|_| changed = change_text(&changed, &mut random));
            let clean = clean(&changed, round, &mut all);
            words += clean.text.split_whitespace().count();
            chunks += cut(&clean, round, &mut all);
            describe(&text, &changed, &mut all);
        }
        let _ = writeln!(list, "{name}: {words} words in {chunks} chunks {}", digest(&all));
    }
    support::compare(&golden("texts.list"), &list);
}

#[test]
fn random_texts_are_cleaned_and_cut_as_before() {
    let mut list = String::new();
    let mut random = Random::new("texts");
    for line in 0..RANDOM_LINES {
        let (mut all, mut words, mut chunks) = (String::new(), 0, 0);
        for round in 0..TEXT_ROUNDS {
            let text = random_text(&mut random);
            let clean = clean(&text, round, &mut all);
            words += clean.text.split_whitespace().count();
            chunks += cut(&clean, round, &mut all);
            describe(&change_text(&text, &mut random), &text, &mut all);
        }
        let _ = writeln!(list, "{line}: {words} words in {chunks} chunks {}", digest(&all));
    }
    support::compare(&golden("random.list"), &list);
}

fn record(segment: &Segment, all: &mut String) {
    let _ = writeln!(all, "{}", segment.text);
    for run in segment.map.runs() {
        let units = (run.units, run.out_unit, run.src_unit);
        let _ = writeln!(all, "{} {} {units:?} {}", run.out, run.src, run.exact);
    }
    segment.lines.iter().for_each(|anchor| _ = writeln!(all, "{}:{}", anchor.out, anchor.line));
    let ends = (0..segment.text.len()).step_by(7).map(|at| segment.map.source(Span::new(at, at + 1)));
    ends.flatten().for_each(|found| _ = writeln!(all, "{}-{} {}", found.start, found.end, found.exact));
}

/// Decodes and cleans, with other options in every round.
fn clean(text: &str, round: usize, all: &mut String) -> Segment {
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
    record(&clean, all);
    clean
}

/// Cuts in a size and by a strategy of this round; returns the number of chunks.
fn cut(clean: &Segment, round: usize, all: &mut String) -> usize {
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
            let (start, end, path) = (chunk.span.start, chunk.span.end, &chunk.heading_path);
            let _ = writeln!(all, "{start}-{end} {} {path:?} {:?}", chunk.tokens, chunk.context);
        }
    }
    count
}

/// What else is said of a text.
fn describe(text: &str, changed: &str, all: &mut String) {
    sentences::starts(changed, Span::new(0, changed.len()), |at| _ = write!(all, "{at} "));
    let (old, new) = (diff::lines(text), diff::lines(changed));
    let changes = diff::compare(&old, &new);
    for hunk in diff::hunks(&changes, old.len(), 2) {
        let _ = writeln!(all, "{}", hunk.header());
        hunk.lines().iter().for_each(|(_, at)| _ = write!(all, "{at} "));
    }
    let _ = writeln!(all, "{}\n{}", plain_of_markdown(changed), page_of_markdown(changed));
    let book = format!(
        "Title: A harbour\nAuthor: Nobody\n\n*** START OF THE PROJECT GUTENBERG EBOOK A HARBOUR ***\n{changed}"
    );
    let _ = writeln!(all, "{:?}\n{:?}", find_body(&book), read_header(&book));
    let mut counter = Tokenizer::named("o200k_base").unwrap().counter();
    let _ = writeln!(all, "{}", counter.count(changed));
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

/// How the bytes are decoded, and a digest of how they are with changes.
fn decoded(bytes: &[u8], seed: &str) -> String {
    let (_, encoding, _) = decode_all(bytes, &EncodingHints::default());
    let mut random = Random::new(seed);
    let mut all = String::new();
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
        record(&segment, &mut all);
        let _ = writeln!(all, "{} {problems:?} {:?}", encoding.name(), is_text(&bytes));
        let name = ["a.txt", "a", "a.html", "a.csv", "a.json", "a.xml"][round % 6];
        let sniffed = sniff(&bytes, true, name, &SniffOptions::default());
        let _ = writeln!(all, "{} {:?}", sniffed.mime, sniffed.verdict);
    }
    format!("{} {}", encoding.name(), digest(&all))
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
            let (units, all) = laid_out(&batches);
            let _ = writeln!(list, "{name} {round}: {units} units {}", digest(&all));
        }
    }
    support::compare(&golden("pages.list"), &list);
}

fn laid_out(batches: &[LayoutBatch]) -> (usize, String) {
    let (mut units, mut all) = (0, String::new());
    for batch in batches {
        units += batch.units.len();
        for unit in &batch.units {
            let (role, kind) = (unit.role.as_str(), unit.kind.map(|kind| kind.as_str()));
            let _ = writeln!(all, "{} {role} {kind:?} {} {:?}", unit.heading, unit.level, unit.separator);
            let _ = writeln!(all, "{:?} {}", unit.key, unit.emitted());
            for place in &unit.places {
                let bounds = [place.bounds.x0, place.bounds.y0, place.bounds.x1, place.bounds.y1];
                let _ = writeln!(all, "{:?} {} {bounds:.1?}", place.span, place.page);
            }
        }
        for line in &batch.suppressed {
            let _ = writeln!(all, "{} {:?} {}", line.band.as_str(), line.pages, line.text);
        }
        let _ = writeln!(all, "{:?} {} {}", batch.baselines, batch.sections, batch.dehyphenations);
        let _ = writeln!(all, "{:?}", batch.violations);
    }
    (units, all)
}
