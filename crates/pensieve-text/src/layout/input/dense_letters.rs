//! Letters of scripts that are written without spaces between words.

/// True for letters of scripts that are written without spaces between words.
pub(crate) fn is_dense(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_without_spaces_are_dense() {
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
        assert!(ends.into_iter().all(is_dense));
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
        assert!(!beyond.into_iter().any(is_dense));
    }
}
