//! Tokens of RTF: braces, control words, control symbols, bytes in hexadecimal, text. Knows no meanings, except that
//! the bytes after `\bin` are not tokens. Format: Rich Text Format Specification 1.9.1, "RTF Syntax".

use memchr::memchr3;

/// Letters of a control word that count; the specification allows 32.
const MAX_WORD_LETTERS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RtfToken<'a> {
    /// `{`
    Open,
    /// `}`
    Close,
    /// A control word with its parameter, if it has one.
    Word(&'a [u8], Option<i32>),
    /// `\` and a character that is not a letter.
    Symbol(u8),
    /// `\'hh`
    Hex(u8),
    /// Bytes of text without line ends; never empty.
    Text(&'a [u8]),
}

/// Yields the tokens of a document.
pub(super) struct RtfTokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> RtfTokens<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> RtfTokens<'a> {
        RtfTokens { bytes, at: 0 }
    }

    /// The text up to the next brace, control or line end.
    fn text(&mut self) -> RtfToken<'a> {
        let rest = &self.bytes[self.at..];
        let end = memchr3(b'\\', b'{', b'}', rest).unwrap_or(rest.len());
        let end = memchr::memchr2(b'\n', b'\r', &rest[..end]).unwrap_or(end);
        self.at += end;
        RtfToken::Text(&rest[..end])
    }

    /// The control word or symbol after a backslash.
    fn control(&mut self) -> RtfToken<'a> {
        let rest = &self.bytes[self.at + 1..];
        let letters =
            rest.iter().take(MAX_WORD_LETTERS).take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters > 0 {
            return self.word(rest, letters);
        }
        match rest.first() {
            Some(b'\'') => {
                let digit = |at: usize| rest.get(at).and_then(|byte| char::from(*byte).to_digit(16));
                match (digit(1), digit(2)) {
                    (Some(high), Some(low)) => {
                        self.at += 4;
                        RtfToken::Hex((high * 16 + low) as u8)
                    }
                    _ => {
                        self.at += 2;
                        RtfToken::Symbol(b'\'')
                    }
                }
            }
            Some(&symbol) => {
                self.at += 2;
                RtfToken::Symbol(symbol)
            }
            None => {
                self.at += 1;
                RtfToken::Symbol(b'\\')
            }
        }
    }

    fn word(&mut self, rest: &'a [u8], letters: usize) -> RtfToken<'a> {
        let is_negative = rest.get(letters) == Some(&b'-');
        let start = letters + usize::from(is_negative);
        let digits = rest[start..].iter().take(18).take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = letters;
        let mut parameter = None;
        if digits > 0 {
            end = start + digits;
            let value = rest[start..end].iter().fold(0i64, |value, byte| value * 10 + i64::from(byte - b'0'));
            let value = if is_negative { -value } else { value };
            parameter = Some(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32);
        }
        if rest.get(end) == Some(&b' ') {
            end += 1;
        }
        self.at += 1 + end;
        let name = &rest[..letters];
        if name == b"bin" {
            let length = usize::try_from(parameter.unwrap_or(0)).unwrap_or(0);
            self.at = self.at.saturating_add(length).min(self.bytes.len());
        }
        RtfToken::Word(name, parameter)
    }
}

impl<'a> Iterator for RtfTokens<'a> {
    type Item = RtfToken<'a>;

    fn next(&mut self) -> Option<RtfToken<'a>> {
        loop {
            return Some(match self.bytes.get(self.at)? {
                b'{' => {
                    self.at += 1;
                    RtfToken::Open
                }
                b'}' => {
                    self.at += 1;
                    RtfToken::Close
                }
                b'\\' => self.control(),
                b'\r' | b'\n' => {
                    self.at += 1;
                    continue;
                }
                _ => self.text(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8], expected: &[RtfToken<'_>]) {
        assert_eq!(RtfTokens::new(input).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn words_end_at_their_parameter_and_one_space() {
        check(
            b"{\\b0 a\r\nb\\u-10 ?\\'e9\\~}",
            &[
                RtfToken::Open,
                RtfToken::Word(b"b", Some(0)),
                RtfToken::Text(b"a"),
                RtfToken::Text(b"b"),
                RtfToken::Word(b"u", Some(-10)),
                RtfToken::Text(b"?"),
                RtfToken::Hex(0xe9),
                RtfToken::Symbol(b'~'),
                RtfToken::Close,
            ],
        );
    }

    #[test]
    fn what_is_cut_or_wrong_is_a_token_all_the_same() {
        check(b"\\", &[RtfToken::Symbol(b'\\')]);
        check(b"\\'g", &[RtfToken::Symbol(b'\''), RtfToken::Text(b"g")]);
        check(b"\\bin5 a{}", &[RtfToken::Word(b"bin", Some(5))]);
        check(b"\\fs99999999999", &[RtfToken::Word(b"fs", Some(i32::MAX))]);
        check(b"\\a-", &[RtfToken::Word(b"a", None), RtfToken::Text(b"-")]);
    }

    #[test]
    fn words_and_numbers_have_limits() {
        let (letters, more) = ("a".repeat(64), "a".repeat(65));
        check(format!("\\{letters}1").as_bytes(), &[RtfToken::Word(letters.as_bytes(), Some(1))]);
        check(
            format!("\\{more}1").as_bytes(),
            &[RtfToken::Word(letters.as_bytes(), None), RtfToken::Text(b"a1")],
        );
        check(b"\\a000000000000000012", &[RtfToken::Word(b"a", Some(12))]);
        check(b"\\a0000000000000000123", &[RtfToken::Word(b"a", Some(12)), RtfToken::Text(b"3")]);
        check(b"\\a-99999999999", &[RtfToken::Word(b"a", Some(i32::MIN))]);
        check(b"\\a2147483647", &[RtfToken::Word(b"a", Some(i32::MAX))]);
        check(b"\\a-35  b", &[RtfToken::Word(b"a", Some(-35)), RtfToken::Text(b" b")]);
        check(b"\\a\nb", &[RtfToken::Word(b"a", None), RtfToken::Text(b"b")]);
    }

    #[test]
    fn hexadecimal_bytes_have_two_digits() {
        check(b"\\'4Ax", &[RtfToken::Hex(0x4a), RtfToken::Text(b"x")]);
        check(b"\\'fFx", &[RtfToken::Hex(0xff), RtfToken::Text(b"x")]);
        check(b"\\'4", &[RtfToken::Symbol(b'\''), RtfToken::Text(b"4")]);
        check(b"\\'4g", &[RtfToken::Symbol(b'\''), RtfToken::Text(b"4g")]);
    }

    #[test]
    fn binary_data_are_no_tokens() {
        check(b"\\bin3 {\\}a", &[RtfToken::Word(b"bin", Some(3)), RtfToken::Text(b"a")]);
        check(b"\\bin-3 {", &[RtfToken::Word(b"bin", Some(-3)), RtfToken::Open]);
        check(b"\\bin {", &[RtfToken::Word(b"bin", None), RtfToken::Open]);
        check(b"\\bin2147483647 {a", &[RtfToken::Word(b"bin", Some(i32::MAX))]);
        check(b"\\bins3 a", &[RtfToken::Word(b"bins", Some(3)), RtfToken::Text(b"a")]);
    }
}
