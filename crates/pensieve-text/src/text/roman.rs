//! Roman numerals: the writer and the parser of the workspace.

const NUMERALS: &[(u32, &str)] = &[
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
];

/// The longest numeral that is read; the longest in its shortest form has 15 letters (3888).
const MAX_LETTERS: usize = 16;

/// The capital Roman numeral of a number from 1 to 3999.
pub fn to_roman(mut number: u32) -> Option<String> {
    if !(1..4000).contains(&number) {
        return None;
    }
    let mut text = String::new();
    for (value, letters) in NUMERALS {
        while number >= *value {
            text.push_str(letters);
            number -= value;
        }
    }
    Some(text)
}

/// The value of a Roman numeral in capitals or in small letters. Old forms such as `IIII` are read too: a letter
/// before a greater one is subtracted, any other is added.
pub fn from_roman(text: &str) -> Option<u32> {
    let is_one_case = text.bytes().all(|byte| byte.is_ascii_lowercase())
        || text.bytes().all(|byte| byte.is_ascii_uppercase());
    if !is_one_case || !(1..=MAX_LETTERS).contains(&text.len()) {
        return None;
    }
    let (mut total, mut next) = (0_i32, 0);
    for letter in text.bytes().rev() {
        let value = value_of(letter)?;
        total += if value < next { -value } else { value };
        next = value;
    }
    u32::try_from(total).ok()
}

fn value_of(letter: u8) -> Option<i32> {
    Some(match letter.to_ascii_uppercase() {
        b'I' => 1,
        b'V' => 5,
        b'X' => 10,
        b'L' => 50,
        b'C' => 100,
        b'D' => 500,
        b'M' => 1000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_written_in_their_shortest_form() {
        let check = |number, expected: &str| assert_eq!(to_roman(number).as_deref(), Some(expected));
        check(1, "I");
        check(4, "IV");
        check(1999, "MCMXCIX");
        check(3999, "MMMCMXCIX");
        assert_eq!((to_roman(0), to_roman(4000)), (None, None));
    }

    #[test]
    fn every_numeral_reads_back_in_both_cases() {
        for number in 1..4000 {
            let numeral = to_roman(number).unwrap_or_default();
            assert_eq!(from_roman(&numeral), Some(number));
            assert_eq!(from_roman(&numeral.to_lowercase()), Some(number));
        }
        assert_eq!(from_roman("IIII"), Some(4));
        for text in ["", "Iv", "x1", "reed", "IIIIIIIIIIIIIIIII"] {
            assert_eq!(from_roman(text), None, "{text}");
        }
    }
}
