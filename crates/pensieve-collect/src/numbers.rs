//! Numbers as chapters are numbered: digits, Roman numerals, and words in English, French and German.

use pensieve_text::text::roman::from_roman;

/// Words for numbers with their values; `LAST` is the value of "last", which has no number.
const WORDS: &[(&str, u32)] = &[
    ("one", 1),
    ("first", 1),
    ("premier", 1),
    ("première", 1),
    ("ier", 1),
    ("ière", 1),
    ("erste", 1),
    ("erster", 1),
    ("erstes", 1),
    ("two", 2),
    ("second", 2),
    ("deuxième", 2),
    ("seconde", 2),
    ("zweite", 2),
    ("zweiter", 2),
    ("zweites", 2),
    ("three", 3),
    ("third", 3),
    ("troisième", 3),
    ("dritte", 3),
    ("dritter", 3),
    ("drittes", 3),
    ("four", 4),
    ("fourth", 4),
    ("quatrième", 4),
    ("vierte", 4),
    ("vierter", 4),
    ("viertes", 4),
    ("five", 5),
    ("fifth", 5),
    ("cinquième", 5),
    ("fünfte", 5),
    ("fünfter", 5),
    ("fünftes", 5),
    ("six", 6),
    ("sixth", 6),
    ("sixième", 6),
    ("sechste", 6),
    ("sechster", 6),
    ("sechstes", 6),
    ("seven", 7),
    ("seventh", 7),
    ("septième", 7),
    ("siebente", 7),
    ("siebentes", 7),
    ("siebtes", 7),
    ("siebenter", 7),
    ("eight", 8),
    ("eighth", 8),
    ("huitième", 8),
    ("achte", 8),
    ("achter", 8),
    ("achtes", 8),
    ("nine", 9),
    ("ninth", 9),
    ("neuvième", 9),
    ("neunte", 9),
    ("neunter", 9),
    ("neuntes", 9),
    ("ten", 10),
    ("tenth", 10),
    ("dixième", 10),
    ("zehnte", 10),
    ("zehnter", 10),
    ("zehntes", 10),
    ("eleven", 11),
    ("eleventh", 11),
    ("onzième", 11),
    ("elftes", 11),
    ("elfter", 11),
    ("twelve", 12),
    ("twelfth", 12),
    ("douzième", 12),
    ("zwölftes", 12),
    ("zwölfter", 12),
    ("thirteen", 13),
    ("thirteenth", 13),
    ("treizième", 13),
    ("dreizehntes", 13),
    ("fourteen", 14),
    ("fourteenth", 14),
    ("quatorzième", 14),
    ("vierzehntes", 14),
    ("fifteen", 15),
    ("fifteenth", 15),
    ("quinzième", 15),
    ("fünfzehntes", 15),
    ("sixteen", 16),
    ("sixteenth", 16),
    ("seizième", 16),
    ("sechzehntes", 16),
    ("seventeen", 17),
    ("seventeenth", 17),
    ("siebzehntes", 17),
    ("eighteen", 18),
    ("eighteenth", 18),
    ("achtzehntes", 18),
    ("nineteen", 19),
    ("nineteenth", 19),
    ("neunzehntes", 19),
    ("twenty", 20),
    ("twentieth", 20),
    ("vingtième", 20),
    ("zwanzigstes", 20),
    ("thirty", 30),
    ("thirtieth", 30),
    ("forty", 40),
    ("fortieth", 40),
    ("fifty", 50),
    ("fiftieth", 50),
    ("sixty", 60),
    ("sixtieth", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("last", LAST),
    ("dernier", LAST),
    ("letztes", LAST),
    ("letzter", LAST),
];

/// The number of a chapter that is called the last.
pub const LAST: u32 = u32::MAX;

/// The value of a word, if it is a number: `12`, `XII`, `twelfth`, `twenty-first`.
pub fn number(word: &str) -> Option<u32> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    if word.is_empty() {
        return None;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().ok().filter(|number| *number < 1000);
    }
    roman(word).or_else(|| spelled(&word.to_lowercase()))
}

fn spelled(word: &str) -> Option<u32> {
    let of = |word: &str| WORDS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    of(word).or_else(|| {
        let (tens, ones) = word.split_once('-')?;
        let (tens, ones) = (of(tens)?, of(ones)?);
        ((20..100).contains(&tens) && ones < 10).then_some(tens + ones)
    })
}

/// The value of a Roman numeral below 1000, in capitals.
pub fn roman(word: &str) -> Option<u32> {
    let is_capital = word.bytes().all(|byte| byte.is_ascii_uppercase());
    from_roman(word).filter(|&value| is_capital && value < 1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::text::roman::to_roman;

    #[test]
    fn numbers_of_every_kind_are_read() {
        let check = |word: &str, expected: Option<u32>| assert_eq!(number(word), expected, "{word}");
        check("XLIV.", Some(44));
        check("17", Some(17));
        check("IIII", Some(4));
        check("TWENTY-FIRST", Some(21));
        check("premier", Some(1));
        check("LAST", Some(LAST));
        check("Zwölftes", Some(12));
        check("Mix", None);
        check("reeds", None);
        check("1898", None);
        check("", None);
        for n in 1..400 {
            assert_eq!(roman(&to_roman(n).unwrap()), Some(n));
        }
    }

    #[test]
    fn numbers_end_below_a_thousand() {
        let check = |word: &str, expected: Option<u32>| assert_eq!(number(word), expected, "{word}");
        check("999", Some(999));
        check("1000", None);
        check("(12)", Some(12));
        check("1b", None);
        check("CMXCIX", Some(999));
        check("M", None);
        check("iv", None);
        check("twenty-nine", Some(29));
        check("Twenty-Ten", None);
        check("nineteen-one", None);
        check("twenty-reeds", None);
        check("reeds-one", None);
        check("...", None);
    }
}
