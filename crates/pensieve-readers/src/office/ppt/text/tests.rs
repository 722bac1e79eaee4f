//! Small texts, each for one rule of runs, links and signs.

use super::*;

fn record(kind: u16, body: &[u8]) -> Record<'_> {
    Record { kind, instance: 0, is_container: false, body }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A run of paragraphs: characters, level, mask, and the properties that the mask names.
fn paragraphs(count: u32, level: u16, mask: u32, properties: &[u8]) -> Vec<u8> {
    [words(&[count]), level.to_le_bytes().to_vec(), words(&[mask]), properties.to_vec()].concat()
}

/// A run of characters.
fn characters(count: u32, mask: u32, properties: &[u8]) -> Vec<u8> {
    [words(&[count, mask]), properties.to_vec()].concat()
}

/// The text of a shape with this role.
fn text_of(role: u32, records: &[(u16, &[u8])]) -> ShapeText {
    let role = words(&[role]);
    let records = records.iter().map(|(kind, body)| record(*kind, body));
    texts_in(std::iter::once(record(kinds::TEXT_HEADER, &role)).chain(records)).remove(0)
}

fn run(text: &str, strong: bool, emphasis: bool) -> Words {
    let style = TextStyle { strong, emphasis, ..TextStyle::default() };
    Words(vec![TextRun { text: text.to_owned(), style, ..TextRun::default() }])
}

fn item(depth: u8, words: Words) -> Block {
    Block::Item { depth, marker: Some(ItemMarker::Bullet), words }
}

#[test]
fn each_property_takes_its_bytes() {
    let twos = [0x80, 0x10, 0x40, 0x800, 0x1000, 0x2000, 0x4000, 0x100, 0x400, 0x8000];
    let more = [1, 2, 4, 8, 0xf, 0x1_0000, 0x2_0000, 0x4_0000, 0x8_0000, 0xe_0000, 0x20_0000];
    for mask in twos.into_iter().chain(more) {
        assert_eq!(paragraph_length(mask, &[]), 2, "{mask:#x}");
    }
    for (mask, bytes, expected) in [
        (0, [9, 9, 9, 9], 0),
        (0x20, [0; 4], 4),
        (0x200, [0; 4], 0),
        (0x3f_fdff, [0; 4], 34),
        // Tab stops follow their number.
        (0x10_0000, [3, 0, 9, 0], 14),
        (0x10_0001, [9, 9, 2, 0], 12),
        (0x30_0080, [9, 9, 2, 0], 14),
    ] {
        assert_eq!(paragraph_length(mask, &bytes), expected, "{mask:#x}");
    }
    for (mask, expected) in [
        (0, 0),
        (0x3eb7, 2),
        (0x1, 2),
        (0x200, 2),
        (0xc148, 0),
        (0x1_0000, 2),
        (0x2_0000, 2),
        (0x4_0000, 4),
        (0x8_0000, 2),
        (0x20_0000, 2),
        (0x40_0000, 2),
        (0x80_0000, 2),
        (0xef_0001, 18),
    ] {
        assert_eq!(character_length(mask), expected, "{mask:#x}");
    }
}

#[test]
fn the_first_record_names_the_role() {
    let roles: Vec<TextRole> = (0..10).map(|role| text_of(role, &[]).role).collect();
    use TextRole::{Body, Other, Title};
    assert_eq!(roles, [Title, Body, Other, Other, Other, Body, Title, Body, Body, Other]);
    let records = [
        record(kinds::TEXT_BYTES, b"lost"),
        record(kinds::TEXT_HEADER, &[4, 0, 0, 0]),
        record(kinds::TEXT_BYTES, b"a"),
        record(kinds::TEXT_HEADER, &[4, 0, 0, 0]),
        record(kinds::TEXT_CHARS, b"b\0"),
    ];
    let texts = texts_in(records.into_iter());
    let texts: Vec<Vec<Block>> = texts.iter().map(|text| text.blocks(&LinkTargets::new())).collect();
    assert_eq!(texts, ["a", "b"].map(|text| vec![Block::Paragraph(Words::plain(text))]));
}

#[test]
fn paragraphs_have_levels_bullets_and_styles() {
    let styles = [
        paragraphs(4, 0, 1, &[1, 0]),
        paragraphs(4, 1, 0x1021, &[2, 0, 9, 9, 9, 9, 9, 9]),
        paragraphs(6, 2, 2, &[1, 0]),
        paragraphs(1, 300, 0, &[]),
        paragraphs(1, 0, 0, &[]),
        characters(4, 1, &[3, 0]),
        characters(4, 0x4_0002, &[3, 0, 9, 9, 9, 9]),
        characters(6, 4, &[7, 0]),
        characters(1, 0x1_0003, &[1, 0, 9, 9]),
        characters(1, 0, &[]),
    ]
    .concat();
    let text = |role| {
        text_of(role, &[(kinds::TEXT_BYTES, b"one\rtwo\rthree\rf"), (kinds::TEXT_STYLES, &styles)])
            .blocks(&LinkTargets::new())
    };
    let blocks = [
        item(0, run("one", true, false)),
        Block::Paragraph(run("two", false, true)),
        item(2, run("three", false, false)),
        item(8, run("f", true, false)),
    ];
    assert_eq!(text(1), blocks);
    let plain = |block: &Block| match block {
        Block::Item { words, .. } => Block::Paragraph(words.clone()),
        block => block.clone(),
    };
    // Text that is not the body of a slide has bullets only where they are set, titles never.
    let other = [vec![blocks[0].clone()], blocks[1..].iter().map(plain).collect()].concat();
    assert_eq!(text(4), other);
    assert_eq!(text(0), blocks.iter().map(plain).collect::<Vec<_>>());
}

#[test]
fn a_run_covers_a_character_at_least_and_runs_may_be_cut() {
    let styles = [
        paragraphs(0, 0, 1, &[1, 0]),
        paragraphs(u32::MAX, 3, 1, &[1, 0]),
        characters(0, 1, &[1, 0]),
        characters(9, 1, &[0, 0]),
    ]
    .concat();
    let text = |cut: usize| {
        let styles = &styles[..styles.len() - cut];
        text_of(4, &[(kinds::TEXT_BYTES, b"\rab"), (kinds::TEXT_STYLES, styles)]).blocks(&LinkTargets::new())
    };
    let styled = [item(3, run("ab", false, false))];
    for cut in [0, 10, 11, 20] {
        assert_eq!(text(cut), styled);
    }
    for cut in [21, 22, 32] {
        assert_eq!(text(cut), [Block::Paragraph(Words::plain("ab"))]);
    }
}

#[test]
fn runs_are_limited() {
    let letters = vec![b'x'; MAX_TEXT_RUNS + 10];
    let styles = paragraphs(1, 0, 0, &[]).repeat(MAX_TEXT_RUNS + 10);
    let text = text_of(4, &[(kinds::TEXT_BYTES, &letters), (kinds::TEXT_STYLES, &styles)]);
    assert_eq!(text.paragraphs.len(), MAX_TEXT_RUNS);
    let looks = characters(1, 0, &[]).repeat(MAX_TEXT_RUNS + 10);
    let styles = [paragraphs(u32::MAX, 0, 0, &[]), looks].concat();
    let text = text_of(4, &[(kinds::TEXT_BYTES, &letters), (kinds::TEXT_STYLES, &styles)]);
    assert_eq!((text.paragraphs.len(), text.looks.len()), (1, MAX_TEXT_RUNS));
}

#[test]
fn links_cover_their_characters() {
    let interaction = |id: u8| {
        let (kind, length) = (kinds::INTERACTION_ATOM.to_le_bytes(), 16);
        [&[0, 0, kind[0], kind[1], length, 0, 0, 0, 0, 0, 0, 0, id], [0; 11].as_slice()].concat()
    };
    let check = |links: &[(Option<u8>, u32, u32)], expected: &[(&str, Option<&str>)]| {
        let header = words(&[4]);
        let mut bodies = Vec::new();
        for (id, start, end) in links {
            bodies.extend(id.map(|id| (kinds::INTERACTION, interaction(id))));
            bodies.push((kinds::TEXT_INTERACTION, words(&[*start, *end])));
        }
        let records = bodies
            .iter()
            .map(|(kind, body)| Record { is_container: *kind == kinds::INTERACTION, ..record(*kind, body) });
        let first = [record(kinds::TEXT_HEADER, &header), record(kinds::TEXT_BYTES, b"see here now")];
        let text = texts_in(first.into_iter().chain(records)).remove(0);
        let targets = LinkTargets::from([(1, Arc::from("u:1")), (2, Arc::from("u:2"))]);
        let blocks = text.blocks(&targets);
        let [Block::Paragraph(found)] = blocks.as_slice() else { panic!("{blocks:?}") };
        let found: Vec<_> = found.0.iter().map(|run| (run.text.as_str(), run.link.as_deref())).collect();
        assert_eq!(found, expected, "{links:?}");
    };
    let one = Some("u:1");
    check(&[], &[("see here now", None)]);
    check(&[(Some(1), 4, 8)], &[("see ", None), ("here", one), (" now", None)]);
    check(&[(Some(1), 0, 99)], &[("see here now", one)]);
    check(&[(Some(2), 4, 8), (Some(1), 0, 4)], &[("see ", one), ("here", Some("u:2")), (" now", None)]);
    check(&[(Some(1), 0, 9), (Some(2), 4, 5)], &[("see ", one), ("h", Some("u:2")), ("ere now", None)]);
    check(&[(Some(3), 4, 8)], &[("see here now", None)]);
    check(&[(None, 4, 8)], &[("see here now", None)]);
    // A target belongs to one range.
    check(&[(Some(1), 0, 3), (None, 4, 8)], &[("see", one), (" here now", None)]);
}

#[test]
fn placeholders_and_signs_are_no_letters() {
    let check = |units: &[u16], fields: &[u32], expected: &str| {
        let units: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let fields: Vec<Vec<u8>> = fields.iter().map(|field| words(&[*field])).collect();
        let mut records = vec![(kinds::TEXT_CHARS, units.as_slice())];
        records.extend(fields.iter().map(|field| (kinds::SLIDE_NUMBER, field.as_slice())));
        let title = text_of(4, &records).title(&LinkTargets::new());
        assert_eq!(title.to_plain(), expected);
    };
    let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    check(&units("*Page *"), &[6, 0], "Page ");
    check(&units("*a\r*b\r*c*"), &[6, 3, 0], "a b c*");
    check(&units("a\u{b}b\tc\u{1}d e"), &[], "a\nb\tcd e");
    check(&units("\u{efff}\u{f041}\u{f0ff}\u{f100}"), &[], "\u{efff}Α•\u{f100}");
    check(&[0x61, 0xd800, 0x62], &[], "a\u{fffd}b");
    check(&units("The\r\r title"), &[], "The  title");
    for kind in [kinds::DATE, kinds::GENERIC_DATE, kinds::FOOTER, kinds::HEADER, kinds::TIME_FORMAT] {
        let text = text_of(4, &[(kinds::TEXT_BYTES, b"a*b"), (kind, &words(&[1]))]);
        assert_eq!(text.title(&LinkTargets::new()).to_plain(), "ab");
    }
    assert_eq!(ShapeText::plain("ä\r1").title(&LinkTargets::new()).to_plain(), "ä 1");
}

#[test]
fn a_run_is_found_by_its_end() {
    let mut runs = RunCursor::new([(2, 'a'), (5, 'b')].into_iter());
    let found: Vec<_> = (0..7).map(|at| (runs.at(at), runs.end())).collect();
    let (a, b, after) = ((Some('a'), 2), (Some('b'), 5), (None, usize::MAX));
    assert_eq!(found, [a, a, b, b, b, after, after]);
}
