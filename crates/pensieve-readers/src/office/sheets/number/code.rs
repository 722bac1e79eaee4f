//! Format codes, taken apart: sections, conditions, placeholders, literals.

use super::Format;

/// One of the parts between semicolons.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Section {
    pub condition: Option<Condition>,
    pub pieces: Vec<Piece>,
    pub kind: Kind,
    /// The language that names of months are written in, as a Windows number.
    pub language: u32,
}

/// What a section shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// A number, or literals alone.
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
pub(super) struct Condition {
    pub compare: Compare,
    pub with: f64,
}

/// How a number is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compare {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
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
    /// True where both letters are written.
    HalfDay(bool),
    ElapsedHours(usize),
    ElapsedMinutes(usize),
    ElapsedSeconds(usize),
}

impl Piece {
    fn is_date(&self) -> bool {
        use Piece::*;
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

impl Format {
    /// Takes a format code apart. Every code means something: what is not understood is literal.
    pub fn parse(code: &str) -> Format {
        let sections: Vec<Section> = split(code).into_iter().take(4).map(section).collect();
        let is_general =
            matches!(&sections[..], [only] if only.pieces == [Piece::General] && only.condition.is_none());
        Format { sections, is_general: is_general || code.trim().is_empty() }
    }
}

/// Cuts at the semicolons that are not quoted.
fn split(code: &str) -> Vec<&str> {
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

fn section(code: &str) -> Section {
    let mut section = Section::default();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' => quoted(&mut section, rest),
            '[' => bracketed(&mut section, rest),
            '\\' | '_' | '*' => escaped(&mut section, rest),
            _ => plain(&mut section, rest),
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    settle(&mut section);
    section
}

fn literal(section: &mut Section, text: &str) {
    match section.pieces.last_mut() {
        Some(Piece::Literal(before)) => before.push_str(text),
        _ if text.is_empty() => {}
        _ => section.pieces.push(Piece::Literal(text.to_owned())),
    }
}

fn quoted(section: &mut Section, rest: &str) -> usize {
    let inside = &rest[1..];
    let length = inside.find('"').unwrap_or(inside.len());
    literal(section, &inside[..length]);
    length + 2
}

/// `\x` is x, `_x` is as wide as x, `*x` fills the cell with x.
fn escaped(section: &mut Section, rest: &str) -> usize {
    let Some(c) = rest[1..].chars().next() else { return 1 };
    match rest.as_bytes()[0] {
        b'\\' => literal(section, &rest[1..1 + c.len_utf8()]),
        b'*' if c != ' ' => {}
        _ => literal(section, " "),
    }
    1 + c.len_utf8()
}

fn bracketed(section: &mut Section, rest: &str) -> usize {
    let Some(end) = rest.find(']') else {
        literal(section, "[");
        return 1;
    };
    let inside = &rest[1..end];
    if let Some(currency) = inside.strip_prefix('$') {
        let (symbol, language) = currency.rsplit_once('-').unwrap_or((currency, ""));
        literal(section, symbol);
        section.language =
            u32::from_str_radix(language.split(',').next().unwrap_or_default(), 16).unwrap_or(0);
    } else if let Some(condition) = condition(inside) {
        section.condition = Some(condition);
    } else {
        let is_all =
            |letter: u8| !inside.is_empty() && inside.bytes().all(|byte| byte.eq_ignore_ascii_case(&letter));
        let elapsed = [
            (b'h', Piece::ElapsedHours as fn(usize) -> Piece),
            (b'm', Piece::ElapsedMinutes),
            (b's', Piece::ElapsedSeconds),
        ];
        if let Some((_, piece)) = elapsed.iter().find(|(letter, _)| is_all(*letter)) {
            section.pieces.push(piece(inside.len().min(9)));
        }
    }
    end + 1
}

fn condition(inside: &str) -> Option<Condition> {
    let signs = [
        ("<=", Compare::LessOrEqual),
        (">=", Compare::GreaterOrEqual),
        ("<>", Compare::NotEqual),
        ("<", Compare::Less),
        (">", Compare::Greater),
        ("=", Compare::Equal),
    ];
    let (compare, number) =
        signs.iter().find_map(|(sign, compare)| Some((*compare, inside.strip_prefix(sign)?)))?;
    Some(Condition { compare, with: number.trim().parse().ok()? })
}

fn plain(section: &mut Section, rest: &str) -> usize {
    let begins = |with: &str| rest.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    for (word, piece) in
        [("general", Piece::General), ("am/pm", Piece::HalfDay(true)), ("a/p", Piece::HalfDay(false))]
    {
        if begins(word) {
            section.pieces.push(piece);
            return word.len();
        }
    }
    let bytes = rest.as_bytes();
    let letter = bytes[0].to_ascii_lowercase();
    let run = bytes.iter().take_while(|byte| byte.eq_ignore_ascii_case(&letter)).count();
    let follows_second = matches!(section.pieces.last(), Some(Piece::Second(_) | Piece::ElapsedSeconds(_)));
    let zeros = bytes[1..].iter().take_while(|byte| **byte == b'0').count();
    let (piece, length) = match letter {
        b'0' | b'#' | b'?' => (Piece::Digit(letter), 1),
        b'.' if follows_second && zeros > 0 => (Piece::Fraction(zeros.min(4) as u32), 1 + zeros),
        b'.' => (Piece::Point, 1),
        b',' => (Piece::Comma, 1),
        b'%' => (Piece::Percent, 1),
        b'/' => (Piece::Slash, 1),
        b'@' => (Piece::Text, 1),
        b'e' if matches!(bytes.get(1), Some(b'+' | b'-')) => (Piece::Exponent(bytes[1] == b'+'), 2),
        b'e' | b'y' => (Piece::Year(if letter == b'e' { 4 } else { run }), run),
        b'b' if run == 2 || run == 4 => (Piece::BuddhistYear(run), run),
        b'm' => (Piece::Month(run), run),
        b'd' if run < 3 => (Piece::Day(run), run),
        b'd' => (Piece::Weekday(run), run),
        b'a' if run > 2 => (Piece::Weekday(run), run),
        b'h' => (Piece::Hour(run), run),
        b's' => (Piece::Second(run), run),
        b'g' => return run,
        _ => {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            literal(section, &rest[..length]);
            return length;
        }
    };
    section.pieces.push(piece);
    length
}

/// Tells minutes from months, and what kind of section it is.
fn settle(section: &mut Section) {
    let pieces = &mut section.pieces;
    let is_date = pieces.iter().any(Piece::is_date);
    if is_date {
        for piece in pieces.iter_mut() {
            let text = match piece {
                Piece::Point => ".",
                Piece::Comma => ",",
                Piece::Slash => "/",
                Piece::Percent => "%",
                _ => continue,
            };
            *piece = Piece::Literal(text.to_owned());
        }
        for at in 0..pieces.len() {
            if let Piece::Month(width @ 1..=2) = pieces[at] {
                let told = |piece: &&Piece| !matches!(piece, Piece::Literal(_) | Piece::HalfDay(_));
                let before = pieces[..at].iter().rev().find(told);
                let after = pieces[at + 1..].iter().find(told);
                let is_minute = matches!(before, Some(Piece::Hour(_) | Piece::ElapsedHours(_)))
                    || matches!(after, Some(Piece::Second(_) | Piece::ElapsedSeconds(_)));
                if is_minute {
                    pieces[at] = Piece::Minute(width);
                }
            }
        }
    }
    let has = |wanted: &Piece| pieces.contains(wanted);
    section.kind = match () {
        () if is_date => Kind::Date,
        () if has(&Piece::Text) => Kind::Text,
        () if has(&Piece::General) => Kind::General,
        () if is_fraction(pieces) => Kind::Fraction,
        () => Kind::Number,
    };
    if section.kind != Kind::Fraction {
        for piece in pieces.iter_mut().filter(|piece| **piece == Piece::Slash) {
            *piece = Piece::Literal("/".to_owned());
        }
    }
}

/// True when digits stand on both sides of a slash, and nothing else that numbers are made of.
fn is_fraction(pieces: &[Piece]) -> bool {
    let Some(slash) = pieces.iter().position(|piece| *piece == Piece::Slash) else { return false };
    let is_digit = |piece: Option<&Piece>| matches!(piece, Some(Piece::Digit(_)));
    let has_divisor = match pieces.get(slash + 1) {
        Some(Piece::Literal(text)) => text.starts_with(|c: char| c.is_ascii_digit()),
        other => is_digit(other),
    };
    let is_plain = !pieces.iter().any(|piece| matches!(piece, Piece::Point | Piece::Exponent(_)));
    slash > 0 && is_digit(pieces.get(slash - 1)) && has_divisor && is_plain
}
