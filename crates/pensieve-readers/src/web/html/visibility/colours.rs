//! Colours of style declarations, as far as they say without anything else which one they are (CSS Color 4).

/// The difference of each part of two colours, of 255, that is not seen.
const MAX_DIFFERENCE: u8 = 5;

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

pub(crate) const WHITE: Colour = [255; 3];

/// True for two colours that nobody tells apart.
pub(super) fn are_alike(one: Colour, other: Colour) -> bool {
    one.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= MAX_DIFFERENCE)
}

/// The colour of a value that is nothing else: `#fff`, `rgb(255, 255, 255)`, `hsl(0 0% 100%)`, `white`, `black`.
pub(super) fn colour_of(value: &str) -> Option<Colour> {
    if let Some(digits) = value.strip_prefix('#').filter(|digits| digits.is_ascii()) {
        let part = |at: usize| u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok();
        let short = |at: usize| u8::from_str_radix(digits.get(at..at + 1)?, 16).ok().map(|part| part * 17);
        return match digits.len() {
            3 => Some([short(0)?, short(1)?, short(2)?]),
            6 => Some([part(0)?, part(1)?, part(2)?]),
            _ => None,
        };
    }
    if let Some(parts) = parts_of(value, &["rgb(", "rgba("]) {
        let numbers: Vec<u8> = parts.iter().filter_map(|part| part.parse().ok()).collect();
        return (parts.len() == 3).then(|| numbers.try_into().ok()).flatten();
    }
    if let Some(parts) = parts_of(value, &["hsl(", "hsla("]).filter(|parts| parts.len() == 3) {
        let share = |at: usize| parts[at].strip_suffix('%')?.parse::<f32>().ok();
        let (saturation, lightness) = (share(1)?, share(2)?);
        let is_grey = saturation == 0.0 || lightness >= 100.0 || lightness <= 0.0;
        return is_grey.then_some([(lightness.clamp(0.0, 100.0) * 2.55).round() as u8; 3]);
    }
    match value {
        "white" => Some(WHITE),
        "black" => Some([0; 3]),
        _ => None,
    }
}

/// True for a colour without any opacity: `transparent`, `#fff0`, `rgba(0, 0, 0, 0)`.
pub(super) fn is_clear(value: &str) -> bool {
    let hex = value.strip_prefix('#').filter(|digits| digits.is_ascii());
    let parts = parts_of(value, &["rgba(", "rgb(", "hsla(", "hsl("]).filter(|parts| parts.len() == 4);
    let is_zero = |part: &&str| part.trim_end_matches('%').parse::<f32>() == Ok(0.0);
    value == "transparent"
        || hex.is_some_and(|digits| digits.len() == 4 && digits.ends_with('0'))
        || hex.is_some_and(|digits| digits.len() == 8 && digits.ends_with("00"))
        || parts.is_some_and(|parts| parts.last().is_some_and(is_zero))
}

/// What stands in the brackets of one of these functions.
fn parts_of<'v>(value: &'v str, functions: &[&str]) -> Option<Vec<&'v str>> {
    let inside = functions.iter().find_map(|name| value.strip_prefix(name))?.strip_suffix(')')?;
    Some(inside.split([',', ' ', '/']).filter(|part| !part.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_read_in_every_form() {
        let check = |value: &str, expected: Option<Colour>| assert_eq!(colour_of(value), expected, "{value}");
        for white in ["#fff", "#ffffff", "white", "rgb(255,255,255)", "rgb(255 255 255)", "hsl(0, 0%, 100%)"]
        {
            check(white, Some(WHITE));
        }
        check("#0a1", Some([0, 170, 17]));
        check("hsl(200 0% 50%)", Some([128; 3]));
        check("hsl(200 40% 50%)", None);
        check("rgba(0,0,0,.5)", None);
        check("#ffff", None);
        check("var(--x)", None);
        assert!(are_alike([250; 3], WHITE) && !are_alike([249; 3], WHITE));
    }

    #[test]
    fn a_clear_colour_has_no_opacity() {
        for value in
            ["transparent", "#fff0", "#12345600", "rgba(1, 2, 3, 0)", "rgb(1 2 3 / 0%)", "hsla(1,2%,3%,0.0)"]
        {
            assert!(is_clear(value), "{value}");
        }
        for value in ["#fff", "#120", "#123400", "rgba(1,2,3,.5)", "rgb(0,0,0)", "white"] {
            assert!(!is_clear(value), "{value}");
        }
    }
}
