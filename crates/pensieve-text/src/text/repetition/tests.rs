//! Repeats and sketches of texts, compared with everything against everything.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn words(text: &str) -> Vec<&str> {
    let list = WordList::of(text);
    (0..list.len()).map(|at| &text[list.bytes(at..at + 1)]).collect()
}

#[test]
fn words_are_runs_of_letters_digits_and_low_lines() {
    assert_eq!(words("fn read_all(&self) -> u64 { 0x1f }"), ["fn", "read_all", "self", "u64", "0x1f"]);
    assert_eq!(words("> Façade, naïve; Ärger—Öl"), ["Façade", "naïve", "Ärger", "Öl"]);
    assert_eq!(words("灯台 a灯b"), ["灯", "台", "a", "灯", "b"]);
    assert!(words(" -- … ").is_empty());
    let hashes = |text: &str| WordList::of(text).hashes().to_vec();
    assert_eq!(hashes("The ÄRGER of_Two"), hashes("(the) ärger, OF_two"));
    // A word that is not all ASCII is read by letters; this one is in small letters.
    let kelvin = |word: &str| hashes(&format!("\u{212a}{word}"))[0];
    for word in ["", "_A", "elvin1", "elvins_", "elvins_of_A", "elvins_of_0123456789"] {
        assert_eq!(kelvin(word), hashes(&format!("k{word}"))[0], "{word}");
        assert_eq!(kelvin(word), hashes(&format!("K{word} and more words"))[0], "{word}");
    }
    assert_ne!(hashes("ab c"), hashes("a bc"));
    assert_ne!(hashes("abcdefgh"), hashes("abcdefg"));
}

proptest! {
    /// Words are read eight bytes at a time; here by characters.
    #[test]
    fn words_are_those_of_their_characters(text in "([a-zA-Z0-9_@\\[`{/:\x00 .]{0,12}|[éß灯İ—\u{301}]| |a{15,17}){0,12}") {
        let mut expected: Vec<(usize, String)> = Vec::new();
        let mut goes_on = false;
        for (at, c) in text.char_indices() {
            let is_word = c == '_' || c.is_alphanumeric();
            if is_word && goes_on && c != '灯' {
                expected.last_mut().unwrap().1.push(c);
            } else if is_word {
                expected.push((at, c.to_string()));
            }
            goes_on = is_word && c != '灯';
        }
        let list = WordList::of(&text);
        let found: Vec<(usize, String)> =
            (0..list.len()).map(|at| list.bytes(at..at + 1)).map(|word| (word.start, text[word].to_owned())).collect();
        prop_assert_eq!(&found, &expected);
        // A letter beyond ASCII before it makes that a word is read by letters.
        for (hash, (_, word)) in list.hashes().iter().zip(&expected).filter(|(_, (_, word))| word.is_ascii()) {
            let hashes = |text: &str| WordList::of(text).hashes().to_vec();
            prop_assert_eq!(hashes(&format!("k{word}")), hashes(&format!("\u{212a}{word}")));
            prop_assert_eq!(hashes(word), [*hash]);
        }
    }
}

#[test]
fn shingles_compare_as_sets() {
    let check = |left: &str, right: &str, expected: (f64, f64)| {
        let of = |text: &str| Shingles::of(&WordList::of(text));
        let found = of(left).compare(&of(right), 0.0);
        assert_eq!(found.unwrap_or_default(), expected, "{left} | {right}");
    };
    check("a b c d e f", "A B C D E F", (1.0, 1.0));
    check("a b c d e f", "a b c d e g", (1.0 / 3.0, 0.5));
    check("a b c d e f g h", "b c d e f", (0.25, 1.0));
    check("a b c d", "a b c d", (0.0, 0.0));
}

/// A text of `count` words out of `kinds`, by a seed.
fn text_of(seed: u64, count: usize, kinds: u64) -> String {
    let words = (0..count).scan(seed, |state, _| {
        *state = mix(*state + 1);
        Some(format!("w{}", *state % kinds))
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn signatures_agree_as_much_as_sets_do() {
    let base: Vec<String> = text_of(7, 4000, 100_000).split(' ').map(str::to_owned).collect();
    for step in [12, 30, 100] {
        let mut other = base.clone();
        other.iter_mut().step_by(step).for_each(|word| word.push('x'));
        let lists = [WordList::of(&base.join(" ")), WordList::of(&other.join(" "))];
        let [left, right] =
            lists.each_ref().map(|list| Sketch::of(list, RunLength { words: 50 }).signature.unwrap());
        let agreeing = left.iter().zip(&right).filter(|(left, right)| left == right).count();
        let [left, right] = lists.each_ref().map(Shingles::of);
        let (jaccard, containment) = left.compare(&right, 0.0).unwrap();
        for least in [0.1, 0.3, 0.5, 0.7, 0.9] {
            assert_eq!(left.compare(&right, least), (jaccard >= least).then_some((jaccard, containment)));
        }
        assert!((agreeing as f64 / 16.0 - jaccard).abs() < 0.3, "{agreeing} of 16, {jaccard}");
    }
    assert_eq!(Sketch::of(&WordList::of("a b c d"), RunLength { words: 50 }), Sketch::default());
}

/// The words of each text that are inside a run which an earlier text has, by comparison of everything with everything.
fn brute_force(texts: &[WordList], run: usize) -> Vec<BTreeSet<usize>> {
    let mut earlier: BTreeSet<&[u64]> = BTreeSet::new();
    let mut found = Vec::new();
    for text in texts {
        let runs: Vec<&[u64]> = text.hashes().windows(run).collect();
        let is_known = |at: &usize| earlier.contains(runs[*at]);
        found.push((0..runs.len()).filter(is_known).flat_map(|at| at..at + run).collect());
        earlier.extend(runs);
    }
    found
}

/// The repeats of texts in their order, with keys that two of them have.
fn repeats_of(texts: &[WordList], run: RunLength) -> Vec<Vec<Repeat>> {
    let keys: Vec<Vec<SketchKey>> = texts.iter().map(|text| Sketch::of(text, run).keys).collect();
    let is_shared = |key: SketchKey| keys.iter().filter(|keys| keys.binary_search(&key).is_ok()).count() > 1;
    let mut places = FirstPlaces::new(run);
    let look_up = |(number, text): (u32, &WordList)| {
        let use_of = |key| if is_shared(key) { KeyUse::LookUp } else { KeyUse::Skip };
        let found = places.add(number, text, &FoundRuns::default(), &use_of);
        found.extend(run, &mut |runs| Some(runs.length(text, &texts[runs.of as usize])))
    };
    (0..).zip(texts).map(look_up).collect()
}

fn check_repeats(texts: &[WordList], run: RunLength) {
    let expected = brute_force(texts, run.words);
    for (number, repeats) in repeats_of(texts, run).into_iter().enumerate() {
        let covered: BTreeSet<usize> = repeats.iter().flat_map(|repeat| repeat.start..repeat.end).collect();
        assert_eq!(covered, expected[number], "text {number}");
        for repeat in &repeats {
            let length = repeat.end - repeat.start;
            let there = &texts[repeat.of as usize].hashes()[repeat.of_start..];
            assert!(length >= run.words && (repeat.of as usize) < number, "{repeat:?}");
            assert_eq!(&texts[number].hashes()[repeat.start..repeat.end], &there[..length]);
            let after = (texts[number].hashes().get(repeat.end), there.get(length));
            assert!(after.0.is_none() || after.0 != after.1, "{repeat:?} goes on");
        }
        let starts: BTreeSet<usize> = repeats.iter().map(|repeat| repeat.start).collect();
        assert_eq!(starts.len(), repeats.len());
    }
}

proptest! {
    /// Few kinds of words, so that runs of all lengths occur, also inside of themselves.
    #[test]
    fn repeats_are_those_of_a_comparison_of_everything(
        texts in prop::collection::vec(prop::collection::vec(0_u8..3, 0..150), 1..6),
        pieces in prop::collection::vec((0_usize..6, 0_usize..150, 0_usize..80, 0_usize..6), 0..6),
        run in 15_usize..24,
    ) {
        let mut texts: Vec<Vec<u8>> = texts;
        for (from, start, length, to) in pieces {
            let count = texts.len();
            let piece: Vec<u8> = texts[from % count].iter().skip(start).take(length).copied().collect();
            texts[to % count].extend(piece);
        }
        let lists: Vec<WordList> = texts
            .iter()
            .map(|words| WordList::of(&words.iter().map(|word| format!("w{word} ")).collect::<String>()))
            .collect();
        check_repeats(&lists, RunLength { words: run });
    }
}

#[test]
fn a_text_of_one_word_is_a_few_repeats() {
    let texts = [WordList::of(&"0 ".repeat(60)), WordList::of(&"0 ".repeat(1000))];
    let run = RunLength { words: 50 };
    check_repeats(&texts, run);
    assert!(repeats_of(&texts, run)[1].len() < 100);
}

#[test]
fn a_quoted_mail_repeats_whatever_its_marks() {
    let mail = text_of(3, 80, 5000);
    let quoted: String =
        mail.split(' ').collect::<Vec<_>>().chunks(9).map(|line| format!("> {}\n", line.join(" "))).collect();
    let texts = [WordList::of(&mail), WordList::of(&format!("Yes.\n{quoted}\nRegards"))];
    let found = &repeats_of(&texts, RunLength { words: 50 })[1];
    assert_eq!(found, &[Repeat { start: 1, end: 81, of: 0, of_start: 0 }]);
}

#[test]
fn lines_at_the_ends_recur_in_blocks() {
    let check = |text: &str, recurring: &[&str], expected: &[&str]| {
        let key = |line: &str| EdgeLines::of(line, &WordList::of(line)).keys(1);
        let keys: Vec<LineKey> = recurring.iter().flat_map(|line| key(line)).collect();
        let words = WordList::of(text);
        let found = EdgeLines::of(text, &words).blocks(1, &|key| keys.contains(&key));
        let found: Vec<&str> = found.into_iter().map(|(block, _)| &text[block]).collect();
        assert_eq!(found, expected, "{text}");
    };
    let (way, right) = ("Sent from the lamp room", "All rights of keepers are reserved");
    check(&format!("Oil.\n{way}\n* {right}!\n"), &[way, right], &[&format!("{way}\n* {right}")]);
    // Short lines belong to a block between others alone, and a block has eight words.
    check(&format!("One\n{way}\nTwo\n{right}\nThree"), &[way, right], &[&format!("{way}\nTwo\n{right}")]);
    check(&format!("{way}\nOil is at the door\n{right}"), &[way, right], &[]);
    // Lines in the middle of a long text have no keys.
    let middle = (0..20).map(|at| format!("this is line {at}\n")).collect::<String>();
    let footer = format!("{way}\n{right}\n");
    check(
        &format!("{footer}{middle}{footer}{middle}{footer}"),
        &[way, right],
        &[footer.trim(), footer.trim()],
    );
    let keys = |text: &str, kind: u64| EdgeLines::of(text, &WordList::of(text)).keys(kind);
    assert_eq!(keys("a b c\n\nd e\nA, B, C.", 1), keys("a-b-c", 1));
    assert_ne!(keys("a b c", 1), keys("a b c", 2));
    assert_eq!((keys("", 1), keys("a b", 1)), (vec![], vec![]));
}
