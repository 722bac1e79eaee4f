//! Chinese and Japanese characters, and full-width forms: text without spaces between words. Thai, Lao, Khmer and Burmese, which
//! have none either, are not among them: their letters do not stand for words.

/// True for a Chinese or Japanese character, or a full-width form.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_these_scripts() {
        let ends = [
            '\u{2e80}',
            '\u{9fff}',
            '\u{f900}',
            '\u{faff}',
            '\u{ff00}',
            '\u{ffef}',
            '\u{20000}',
            '\u{3ffff}',
        ];
        assert!(ends.into_iter().all(is_cjk));
        let beyond = [
            'a',
            '\u{2e7f}',
            '\u{a000}',
            '\u{f8ff}',
            '\u{fb00}',
            '\u{feff}',
            '\u{fff0}',
            '\u{1ffff}',
            '\u{40000}',
        ];
        assert!(!beyond.into_iter().any(is_cjk));
    }
}
