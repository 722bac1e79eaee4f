//! Roman numerals as books and lists write them.

/// Capital Roman numerals; there is none for 0 and none from 4000 on.
pub fn to_roman(mut number: u32) -> Option<String> {
    const STEPS: &[(u32, &str)] = &[
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
    if !(1..4000).contains(&number) {
        return None;
    }
    let mut text = String::new();
    for (value, sign) in STEPS {
        while number >= *value {
            text.push_str(sign);
            number -= value;
        }
    }
    Some(text)
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
}
