//! Numbers as lists write them: letters, Roman and ideographic numerals, symbols.
//!
//! Owns the number formats of ECMA-376 part 1, section 17.18.59 (ST_NumberFormat) that documents use; any other is
//! written in decimal, which is also the fallback of the formats. `lowerAlphabetic` and `upperAlphabetic` are names of our
//! own for letters that count as digits do.

use pensieve_text::text::roman::to_roman;

/// Formats that count with the letters of an alphabet and double them after the last letter; sorted.
const ALPHABETS: &[(&str, &str)] = &[
    ("aiueo", "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"),
    (
        "aiueoFullWidth",
        "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    ),
    ("arabicAbjad", "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"),
    ("arabicAlpha", "أبتثجحخدذرزسشصضطظعغفقكلمنهوي"),
    ("chicago", "*†‡§"),
    ("chosung", "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
    ("ganada", "가나다라마바사아자차카타파하"),
    ("hebrew1", "אבגדהוזחטיכלמנסעפצקרשת"),
    ("hebrew2", "אבגדהוזחטיכלמנסעפצקרשת"),
    ("ideographTraditional", "甲乙丙丁戊己庚辛壬癸"),
    ("ideographZodiac", "子丑寅卯辰巳午未申酉戌亥"),
    (
        "iroha",
        "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
    ),
    (
        "irohaFullWidth",
        "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
    ),
    ("lowerLetter", "abcdefghijklmnopqrstuvwxyz"),
    ("russianLower", "абвгдежзиклмнопрстуфхцчшщыэюя"),
    ("russianUpper", "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ"),
    ("thaiLetters", "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ"),
    ("upperLetter", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
];

/// A number in a format, which is given by its name.
pub(crate) fn numeral(number: u32, format: &str) -> String {
    if let Ok(at) = ALPHABETS.binary_search_by_key(&format, |(name, _)| name) {
        return repeated(number, &chars(ALPHABETS[at].1));
    }
    let decimal = || number.to_string();
    match format {
        "none" | "bullet" => String::new(),
        "decimalZero" => format!("{number:02}"),
        "decimalZero3" => format!("{number:03}"),
        "upperRoman" => to_roman(number).unwrap_or_else(decimal),
        "lowerRoman" => to_roman(number).map_or_else(decimal, |roman| roman.to_lowercase()),
        "lowerAlphabetic" => alphabetic(number).unwrap_or_else(decimal),
        "upperAlphabetic" => alphabetic(number).map_or_else(decimal, |letters| letters.to_uppercase()),
        "ordinal" => format!("{number}{}", ordinal_ending(number)),
        "cardinalText" => english(number, false).unwrap_or_else(decimal),
        "ordinalText" => english(number, true).unwrap_or_else(decimal),
        "hex" => format!("{number:X}"),
        "numberInDash" => format!("- {number} -"),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" | "ideographEnclosedCircle" => {
            sign(number, '①', 20).unwrap_or_else(decimal)
        }
        "decimalEnclosedParen" => sign(number, '⑴', 20).unwrap_or_else(|| format!("({number})")),
        "decimalEnclosedFullstop" => sign(number, '⒈', 20).unwrap_or_else(|| format!("{number}.")),
        "decimalFullWidth" | "decimalFullWidth2" => digits(number, '０'),
        "hindiNumbers" => digits(number, '०'),
        "thaiNumbers" => digits(number, '๐'),
        "ideographDigital" | "japaneseDigitalTenThousand" | "taiwaneseDigital" => ideographic_digits(number),
        "chineseCounting"
        | "chineseCountingThousand"
        | "taiwaneseCounting"
        | "taiwaneseCountingThousand"
        | "japaneseCounting" => counted(number, "〇一二三四五六七八九", "十百千万").unwrap_or_else(decimal),
        "koreanCounting" => counted(number, "영일이삼사오육칠팔구", "십백천만").unwrap_or_else(decimal),
        "chineseLegalSimplified" => {
            counted(number, "零壹贰叁肆伍陆柒捌玖", "拾佰仟萬").unwrap_or_else(decimal)
        }
        "ideographLegalTraditional" => {
            counted(number, "零壹貳參肆伍陸柒捌玖", "拾佰仟萬").unwrap_or_else(decimal)
        }
        "japaneseLegal" => counted(number, "〇壱弐参四伍六七八九", "拾百阡萬").unwrap_or_else(decimal),
        _ => decimal(),
    }
}

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

/// After the last letter the first comes twice: `z`, `aa`, `bb`.
fn repeated(number: u32, letters: &[char]) -> String {
    let Some(at) = number.checked_sub(1).map(|at| at as usize) else { return String::new() };
    // No real list is that long, but a hostile start value may be that large.
    let times = (at / letters.len() + 1).min(30);
    std::iter::repeat_n(letters[at % letters.len()], times).collect()
}

/// `a` to `z`, then `aa`, `ab`: how OpenDocument and iWork count with letters.
fn alphabetic(number: u32) -> Option<String> {
    let mut rest = Some(number).filter(|number| (1..=10_000).contains(number))?;
    let mut letters = Vec::new();
    while rest > 0 {
        letters.push(char::from(b'a' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    Some(letters.iter().rev().collect())
}

fn ordinal_ending(number: u32) -> &'static str {
    match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

/// A character from a row that begins with the one for 1.
fn sign(number: u32, one: char, last: u32) -> Option<String> {
    let code = (1..=last).contains(&number).then(|| u32::from(one) + number - 1)?;
    char::from_u32(code).map(String::from)
}

fn digits(number: u32, zero: char) -> String {
    let digit = |c: char| char::from_u32(u32::from(zero) + c.to_digit(10).unwrap_or(0)).unwrap_or(c);
    number.to_string().chars().map(digit).collect()
}

fn ideographic_digits(number: u32) -> String {
    let names = chars("〇一二三四五六七八九");
    number.to_string().chars().filter_map(|c| names.get(c.to_digit(10)? as usize)).collect()
}

/// Digits with the names of their positions; for numbers below ten thousand.
fn counted(number: u32, names: &str, places: &str) -> Option<String> {
    let (names, places) = (chars(names), chars(places));
    if !(1..10_000).contains(&number) {
        return None;
    }
    let mut text = String::new();
    let mut is_gap = false;
    for place in (0..4).rev() {
        let digit = number / 10_u32.pow(place) % 10;
        if digit == 0 {
            is_gap = !text.is_empty();
            continue;
        }
        if std::mem::take(&mut is_gap) {
            text.push(*names.first()?);
        }
        // Ten is not "one ten".
        if digit > 1 || place != 1 || !text.is_empty() {
            text.push(*names.get(digit as usize)?);
        }
        if place > 0 {
            text.push(*places.get(place as usize - 1)?);
        }
    }
    Some(text)
}

/// True for an English number below a hundred in words, such as `seven`, `Twelfth` or `twenty-one`.
pub(crate) fn is_english_number(word: &str) -> bool {
    let is_it = |number, is_ordinal| {
        english(number, is_ordinal).is_some_and(|known| known.eq_ignore_ascii_case(word))
    };
    (1..100).any(|number| is_it(number, false) || is_it(number, true))
}

const UNITS: &[&str] = &[
    "",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: &[&str] =
    &["", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// In English words, for numbers below a hundred.
fn english(number: u32, is_ordinal: bool) -> Option<String> {
    if !(1..100).contains(&number) {
        return None;
    }
    let mut text = match number {
        1..=19 => UNITS[number as usize].to_owned(),
        _ if number.is_multiple_of(10) => TENS[number as usize / 10].to_owned(),
        _ => format!("{}-{}", TENS[number as usize / 10], UNITS[number as usize % 10]),
    };
    if is_ordinal {
        const ODD: &[(&str, &str)] = &[
            ("one", "first"),
            ("two", "second"),
            ("three", "third"),
            ("five", "fifth"),
            ("eight", "eighth"),
            ("nine", "ninth"),
            ("twelve", "twelfth"),
            ("y", "ieth"),
        ];
        match ODD.iter().find(|(cardinal, _)| text.ends_with(cardinal)) {
            Some((cardinal, ordinal)) => {
                text.truncate(text.len() - cardinal.len());
                text.push_str(ordinal);
            }
            None => text.push_str("th"),
        }
    }
    // Word begins them with a capital.
    Some(text[..1].to_uppercase() + &text[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_are_sorted() {
        assert!(ALPHABETS.is_sorted_by(|a, b| a.0 < b.0));
    }

    fn check(format: &str, expected: &[(u32, &str)]) {
        for (number, text) in expected {
            assert_eq!(numeral(*number, format), *text, "{number} as {format}");
        }
    }

    #[test]
    fn numbers_read_as_word_shows_them() {
        check("decimal", &[(0, "0"), (12, "12")]);
        check("lowerLetter", &[(1, "a"), (26, "z"), (27, "aa"), (54, "bbb"), (0, "")]);
        check("upperRoman", &[(4, "IV"), (1999, "MCMXCIX"), (4000, "4000")]);
        check("ordinal", &[(1, "1st"), (12, "12th"), (22, "22nd")]);
        check("cardinalText", &[(21, "Twenty-one"), (300, "300")]);
        check("ordinalText", &[(12, "Twelfth"), (20, "Twentieth"), (23, "Twenty-third"), (6, "Sixth")]);
        check("chineseCounting", &[(10, "十"), (15, "十五"), (105, "一百〇五"), (20, "二十")]);
        check("decimalEnclosedCircle", &[(3, "③"), (21, "21")]);
        check("thaiNumbers", &[(25, "๒๕")]);
        check("lowerLetter", &[(u32::MAX, &"u".repeat(30))]);
    }

    #[test]
    fn numbers_in_words_are_known() {
        for word in ["one", "Twelfth", "NINETEEN", "thirty", "twenty-one", "ninety-ninth"] {
            assert!(is_english_number(word), "{word}");
        }
        for word in ["", "none", "hundred", "twenty-", "last", "ones"] {
            assert!(!is_english_number(word), "{word}");
        }
    }

    #[test]
    fn every_format_has_its_signs() {
        check("none", &[(3, "")]);
        check("bullet", &[(3, "")]);
        check("decimalZero", &[(3, "03"), (12, "12")]);
        check("decimalZero3", &[(3, "003"), (1234, "1234")]);
        check("lowerRoman", &[(4, "iv"), (4000, "4000")]);
        check("ordinal", &[(2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (103, "103rd")]);
        check("cardinalText", &[(8, "Eight"), (40, "Forty"), (0, "0"), (100, "100")]);
        check(
            "ordinalText",
            &[(1, "First"), (3, "Third"), (5, "Fifth"), (8, "Eighth"), (9, "Ninth"), (100, "100")],
        );
        check("hex", &[(26, "1A")]);
        check("numberInDash", &[(3, "- 3 -")]);
        check("decimalEnclosedCircle", &[(1, "①"), (20, "⑳"), (0, "0")]);
        check("decimalEnclosedParen", &[(2, "⑵"), (20, "⒇"), (21, "(21)")]);
        check("decimalEnclosedFullstop", &[(1, "⒈"), (21, "21.")]);
        check("decimalFullWidth", &[(25, "２５")]);
        check("hindiNumbers", &[(25, "२५")]);
        check("ideographDigital", &[(205, "二〇五")]);
        check("taiwaneseDigital", &[(10, "一〇")]);
        check("koreanCounting", &[(11, "십일"), (300, "삼백")]);
        check("chineseLegalSimplified", &[(12, "拾贰"), (203, "贰佰零叁")]);
        check("ideographLegalTraditional", &[(3, "參"), (20, "貳拾")]);
        check("japaneseLegal", &[(21, "弐拾壱"), (1000, "壱阡")]);
        check(
            "japaneseCounting",
            &[(110, "一百一十"), (2024, "二千〇二十四"), (1001, "一千〇一"), (10_000, "10000"), (0, "0")],
        );
        check("russianLower", &[(1, "а"), (30, "аа")]);
        check("chicago", &[(1, "*"), (4, "§"), (5, "**")]);
        check("hebrew1", &[(2, "ב")]);
        check("unknown", &[(7, "7")]);
    }
}
