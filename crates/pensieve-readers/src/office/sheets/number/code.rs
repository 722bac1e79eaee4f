//! Parses format codes: sections, conditions, placeholders, literals.

/// One of the up to four sections of a code, separated by semicolons.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct FormatSection {
    pub condition: Option<SectionCondition>,
    pub tokens: Vec<FormatToken>,
    pub kind: SectionKind,
    /// The language that names of months are written in, as a Windows number.
    pub language: u32,
}

/// The kind of value that a section shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum SectionKind {
    /// A number, or only literals.
    #[default]
    Number,
    /// A number with a divisor.
    Fraction,
    /// A date or time.
    Date,
    /// The text of the cell.
    Text,
    /// The number without format.
    General,
}

/// Which numbers a section is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SectionCondition {
    pub comparison: Comparison,
    pub with: f64,
}

/// How a number is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

/// An element of a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FormatToken {
    Literal(String),
    /// `0`, `#` or `?`.
    Digit(u8),
    Point,
    Comma,
    Percent,
    /// `E+` or `E-`; true where plus is written.
    Exponent(bool),
    Slash,
    Text,
    General,
    Year(usize),
    BuddhistYear(usize),
    Month(usize),
    Day(usize),
    Weekday(usize),
    Hour(usize),
    Minute(usize),
    Second(usize),
    /// Digits of a second.
    Fraction(u32),
    /// True if both letters are written.
    HalfDay(bool),
    ElapsedHours(usize),
    ElapsedMinutes(usize),
    ElapsedSeconds(usize),
}

impl FormatToken {
    fn is_date(&self) -> bool {
        use FormatToken::*;
        matches!(
            self,
            Year(_)
                | BuddhistYear(_)
                | Month(_)
                | Day(_)
                | Weekday(_)
                | Hour(_)
                | Minute(_)
                | Second(_)
                | HalfDay(_)
                | ElapsedHours(_)
                | ElapsedMinutes(_)
                | ElapsedSeconds(_)
        )
    }
}

/// Parses the sections of a format code. Every code is valid: what is not understood is literal.
pub(super) fn parse_sections(code: &str) -> Vec<FormatSection> {
    split_sections(code).into_iter().take(4).map(parse_section).collect()
}

/// Cuts at the semicolons that are not quoted.
fn split_sections(code: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut is_quoted, mut is_bracketed, mut is_escaped) = (0, false, false, false);
    for (at, c) in code.char_indices() {
        match c {
            _ if std::mem::take(&mut is_escaped) => {}
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '\\' | '_' | '*' => is_escaped = true,
            '[' => is_bracketed = true,
            ']' => is_bracketed = false,
            ';' if !is_bracketed => {
                parts.push(&code[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&code[start..]);
    parts
}

fn parse_section(code: &str) -> FormatSection {
    let mut section = FormatSection::default();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' => parse_quoted(&mut section, rest),
            '[' => parse_bracketed(&mut section, rest),
            '\\' | '_' | '*' => parse_escaped(&mut section, rest),
            _ => parse_plain(&mut section, rest),
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    resolve_ambiguities(&mut section);
    section
}

fn push_literal(section: &mut FormatSection, text: &str) {
    match section.tokens.last_mut() {
        Some(FormatToken::Literal(before)) => before.push_str(text),
        _ if text.is_empty() => {}
        _ => section.tokens.push(FormatToken::Literal(text.to_owned())),
    }
}

fn parse_quoted(section: &mut FormatSection, rest: &str) -> usize {
    let inside = &rest[1..];
    let length = inside.find('"').unwrap_or(inside.len());
    push_literal(section, &inside[..length]);
    length + 2
}

/// `\x` is x, `_x` is as wide as x, `*x` fills the cell with x.
fn parse_escaped(section: &mut FormatSection, rest: &str) -> usize {
    let Some(c) = rest[1..].chars().next() else { return 1 };
    match rest.as_bytes()[0] {
        b'\\' => push_literal(section, &rest[1..1 + c.len_utf8()]),
        b'*' if c != ' ' => {}
        _ => push_literal(section, " "),
    }
    1 + c.len_utf8()
}

fn parse_bracketed(section: &mut FormatSection, rest: &str) -> usize {
    let Some(end) = rest.find(']') else {
        push_literal(section, "[");
        return 1;
    };
    let inside = &rest[1..end];
    if let Some(currency) = inside.strip_prefix('$') {
        let (symbol, language) = currency.rsplit_once('-').unwrap_or((currency, ""));
        push_literal(section, symbol);
        section.language =
            u32::from_str_radix(language.split(',').next().unwrap_or_default(), 16).unwrap_or(0);
    } else if let Some(condition) = parse_condition(inside) {
        section.condition = Some(condition);
    } else {
        let is_all =
            |letter: u8| !inside.is_empty() && inside.bytes().all(|byte| byte.eq_ignore_ascii_case(&letter));
        let elapsed = [
            (b'h', FormatToken::ElapsedHours as fn(usize) -> FormatToken),
            (b'm', FormatToken::ElapsedMinutes),
            (b's', FormatToken::ElapsedSeconds),
        ];
        if let Some((_, token)) = elapsed.iter().find(|(letter, _)| is_all(*letter)) {
            section.tokens.push(token(inside.len().min(9)));
        }
    }
    end + 1
}

fn parse_condition(inside: &str) -> Option<SectionCondition> {
    let signs = [
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<>", Comparison::NotEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
        ("=", Comparison::Equal),
    ];
    let (comparison, number) =
        signs.iter().find_map(|(sign, comparison)| Some((*comparison, inside.strip_prefix(sign)?)))?;
    Some(SectionCondition { comparison, with: number.trim().parse().ok()? })
}

fn parse_plain(section: &mut FormatSection, rest: &str) -> usize {
    let begins = |with: &str| rest.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    for (word, token) in [
        ("general", FormatToken::General),
        ("am/pm", FormatToken::HalfDay(true)),
        ("a/p", FormatToken::HalfDay(false)),
    ] {
        if begins(word) {
            section.tokens.push(token);
            return word.len();
        }
    }
    let bytes = rest.as_bytes();
    let letter = bytes[0].to_ascii_lowercase();
    let run = bytes.iter().take_while(|byte| byte.eq_ignore_ascii_case(&letter)).count();
    let follows_second =
        matches!(section.tokens.last(), Some(FormatToken::Second(_) | FormatToken::ElapsedSeconds(_)));
    let zeros = bytes[1..].iter().take_while(|byte| **byte == b'0').count();
    let (token, length) = match letter {
        b'0' | b'#' | b'?' => (FormatToken::Digit(letter), 1),
        b'.' if follows_second && zeros > 0 => (FormatToken::Fraction(zeros.min(4) as u32), 1 + zeros),
        b'.' => (FormatToken::Point, 1),
        b',' => (FormatToken::Comma, 1),
        b'%' => (FormatToken::Percent, 1),
        b'/' => (FormatToken::Slash, 1),
        b'@' => (FormatToken::Text, 1),
        b'e' if matches!(bytes.get(1), Some(b'+' | b'-')) => (FormatToken::Exponent(bytes[1] == b'+'), 2),
        b'e' | b'y' => (FormatToken::Year(if letter == b'e' { 4 } else { run }), run),
        b'b' if run == 2 || run == 4 => (FormatToken::BuddhistYear(run), run),
        b'm' => (FormatToken::Month(run), run),
        b'd' if run < 3 => (FormatToken::Day(run), run),
        b'd' => (FormatToken::Weekday(run), run),
        b'a' if run > 2 => (FormatToken::Weekday(run), run),
        b'h' => (FormatToken::Hour(run), run),
        b's' => (FormatToken::Second(run), run),
        b'g' => return run,
        _ => {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            push_literal(section, &rest[..length]);
            return length;
        }
    };
    section.tokens.push(token);
    length
}

/// Distinguishes minutes from months, and determines the kind of the section.
fn resolve_ambiguities(section: &mut FormatSection) {
    let tokens = &mut section.tokens;
    let is_date = tokens.iter().any(FormatToken::is_date);
    if is_date {
        for token in tokens.iter_mut() {
            let text = match token {
                FormatToken::Point => ".",
                FormatToken::Comma => ",",
                FormatToken::Slash => "/",
                FormatToken::Percent => "%",
                _ => continue,
            };
            *token = FormatToken::Literal(text.to_owned());
        }
        for at in 0..tokens.len() {
            if let FormatToken::Month(width @ 1..=2) = tokens[at] {
                let is_informative = |token: &&FormatToken| {
                    !matches!(token, FormatToken::Literal(_) | FormatToken::HalfDay(_))
                };
                let before = tokens[..at].iter().rev().find(is_informative);
                let after = tokens[at + 1..].iter().find(is_informative);
                let is_minute = matches!(before, Some(FormatToken::Hour(_) | FormatToken::ElapsedHours(_)))
                    || matches!(after, Some(FormatToken::Second(_) | FormatToken::ElapsedSeconds(_)));
                if is_minute {
                    tokens[at] = FormatToken::Minute(width);
                }
            }
        }
    }
    let has = |wanted: &FormatToken| tokens.contains(wanted);
    section.kind = match () {
        () if is_date => SectionKind::Date,
        () if has(&FormatToken::Text) => SectionKind::Text,
        () if has(&FormatToken::General) => SectionKind::General,
        () if is_fraction(tokens) => SectionKind::Fraction,
        () => SectionKind::Number,
    };
    if section.kind != SectionKind::Fraction {
        for token in tokens.iter_mut().filter(|token| **token == FormatToken::Slash) {
            *token = FormatToken::Literal("/".to_owned());
        }
    }
}

/// True if there are digits on both sides of a slash and the section has neither point nor exponent.
fn is_fraction(tokens: &[FormatToken]) -> bool {
    let Some(slash) = tokens.iter().position(|token| *token == FormatToken::Slash) else { return false };
    let is_digit = |token: Option<&FormatToken>| matches!(token, Some(FormatToken::Digit(_)));
    let has_divisor = match tokens.get(slash + 1) {
        Some(FormatToken::Literal(text)) => text.starts_with(|c: char| c.is_ascii_digit()),
        other => is_digit(other),
    };
    let is_plain = !tokens.iter().any(|token| matches!(token, FormatToken::Point | FormatToken::Exponent(_)));
    slash > 0 && is_digit(tokens.get(slash - 1)) && has_divisor && is_plain
}
