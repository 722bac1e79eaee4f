//! What a line tells of itself, as far as the joining of lines depends on it.
//!
//! All of it follows from the characters of the line alone, so that a line that was joined is judged like any other.

/// The class of the first letter of a line, opening quotes and brackets aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    Lower,
    Upper,
    /// A letter of a script without capitals.
    Caseless,
    Other,
}

/// What stands at the end of a line, closing quotes and brackets aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// What ends a sentence, or announces something.
    Terminal,
    /// A pause.
    Comma,
    /// A letter and a hyphen.
    Hyphen,
    Other,
}

/// How the line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caps {
    /// Two words or more, in capitals alone.
    All,
    /// Some letter is no capital.
    Some,
    /// Too little to tell.
    Unknown,
}

/// What a line is in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Text,
    /// It begins an item of a list.
    Item,
    /// It stands alone: a rule, a row of a table, a line of a table of contents, an address of the web.
    Alone,
}

/// What a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) chars: usize,
    /// Characters that would have to fit behind the line before, for this line's beginning to stand there.
    pub(super) first_word: usize,
    pub(super) words: usize,
    /// Words that have a digit.
    pub(super) numbers: usize,
    pub(super) start: Start,
    pub(super) end: End,
    pub(super) caps: Caps,
    pub(super) role: Role,
    pub(super) looks_like_code: bool,
    /// `Name: value`.
    pub(super) looks_like_field: bool,
    /// It begins, ends with a character that needs no space before, behind it.
    pub(super) cjk: (bool, bool),
    /// Two blanks or a backslash end it, as in Markdown where a line ends for good.
    pub(super) is_broken: bool,
    /// It has letters of a script that writes no spaces between words, and breaks lines between them.
    pub(super) is_unspaced: bool,
}

const OPENING: &[char] = &[
    '"', '\'', '(', '[', '{', '“', '‘', '„', '‚', '«', '‹', '»', '›', '¿', '¡', '*', '_', '「', '『', '《',
    '（',
];
const CLOSING: &[char] =
    &['"', '\'', ')', ']', '}', '”', '’', '“', '»', '«', '›', '*', '_', '」', '』', '》', '）'];
const TERMINAL: &[char] = &['.', '!', '?', ':', '…', '。', '！', '？', '؟', '।', '۔'];

impl Line {
    /// What `text` tells, which has no line end.
    pub(super) fn of(text: &str) -> Line {
        let counts = Counts::of(text);
        let first = text.trim_start_matches(OPENING).chars().next();
        let cjk = (text.chars().next().is_some_and(is_cjk), ends_cjk(text));
        let word_end = text.bytes().position(|byte| byte == b' ').unwrap_or(text.len());
        Line {
            chars: counts.chars,
            first_word: if cjk.0 { 1 } else { text[..word_end].chars().count() },
            words: counts.words,
            numbers: counts.numbers,
            start: start_of(first),
            end: end_of(text),
            caps: match (counts.lower > 0, counts.upper) {
                (true, _) => Caps::Some,
                (false, 4..) if counts.words > 1 => Caps::All,
                _ => Caps::Unknown,
            },
            role: role_of(text, word_end, &counts),
            looks_like_code: looks_like_code(text),
            looks_like_field: looks_like_field(text),
            cjk,
            is_broken: text.ends_with("  ") || text.ends_with('\\'),
            is_unspaced: counts.unspaced > 0,
        }
    }

    /// True where the next line goes on in the middle of a sentence.
    pub(super) fn goes_on_in(&self, next: &Line) -> bool {
        next.start == Start::Lower && self.end != End::Terminal
    }

    /// True where the two can be parts of one paragraph at all.
    pub(super) fn may_join(&self, next: &Line) -> bool {
        let same_caps = !matches!((self.caps, next.caps), (Caps::All, Caps::Some) | (Caps::Some, Caps::All));
        let is_spaced = !self.is_unspaced && !next.is_unspaced;
        !self.is_broken && self.role != Role::Alone && next.role == Role::Text && same_caps && is_spaced
    }
}

/// What is counted in a line.
#[derive(Debug, Default)]
struct Counts {
    chars: usize,
    words: usize,
    numbers: usize,
    upper: usize,
    lower: usize,
    letters: usize,
    unspaced: usize,
}

impl Counts {
    fn of(text: &str) -> Counts {
        let bytes = text.as_bytes();
        let mut counts = Counts {
            chars: count(bytes, |byte| byte < 0x80),
            words: 1 + count(bytes, |byte| byte == b' '),
            upper: count(bytes, |byte| byte.is_ascii_uppercase()),
            lower: count(bytes, |byte| byte.is_ascii_lowercase()),
            ..Counts::default()
        };
        counts.letters = counts.upper + counts.lower;
        if count(bytes, |byte| byte.is_ascii_digit()) > 0 {
            let has_digit = |word: &&[u8]| word.iter().any(u8::is_ascii_digit);
            counts.numbers = bytes.split(|&byte| byte == b' ').filter(has_digit).count();
        }
        if counts.chars < bytes.len() {
            text.chars().filter(|c| !c.is_ascii()).for_each(|c| counts.add(c));
        }
        counts
    }

    fn add(&mut self, c: char) {
        self.chars += 1;
        // Quotes and dashes, the most frequent of all.
        if matches!(c, '\u{2010}'..='\u{205f}') {
            return;
        }
        self.upper += usize::from(c.is_uppercase());
        self.lower += usize::from(c.is_lowercase());
        self.letters += usize::from(c.is_alphabetic());
        self.unspaced += usize::from(is_unspaced(c));
    }
}

/// How many bytes are so, many a step.
fn count(bytes: &[u8], is_so: impl Fn(u8) -> bool) -> usize {
    bytes
        .chunks(255)
        .map(|part| usize::from(part.iter().map(|&byte| u8::from(is_so(byte))).sum::<u8>()))
        .sum()
}

fn start_of(first: Option<char>) -> Start {
    match first {
        Some(c) if c.is_lowercase() => Start::Lower,
        Some(c) if c.is_uppercase() => Start::Upper,
        Some(c) if c.is_alphabetic() => Start::Caseless,
        _ => Start::Other,
    }
}

fn end_of(text: &str) -> End {
    let mut before = text.trim_end_matches(CLOSING).chars().rev();
    match before.next() {
        Some(c) if TERMINAL.contains(&c) => End::Terminal,
        Some(',' | ';' | '，' | '、' | '；' | '،' | '؛') => End::Comma,
        _ => match divided(text) {
            Some(_) => End::Hyphen,
            None => End::Other,
        },
    }
}

/// The length of the hyphen that ends a line, where a letter stands before it.
pub(super) fn divided(line: &str) -> Option<usize> {
    let mut back = line.chars().rev();
    let hyphen = back.next().filter(|c| matches!(c, '-' | '\u{2010}' | '\u{ad}'))?;
    back.next().filter(|c| c.is_alphabetic()).map(|_| hyphen.len_utf8())
}

/// Han, kana and their punctuation: no space stands between them.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{312f}' | '\u{31a0}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Thai, Lao, Tibetan, Burmese, Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// True for a line that ends with such a character, or with a punctuation mark behind one: normalisation makes some of
/// theirs plain ones.
fn ends_cjk(text: &str) -> bool {
    let mut back = text.chars().rev();
    match back.next() {
        Some(c) if c.is_ascii_punctuation() => back.next().is_some_and(is_cjk),
        last => last.is_some_and(is_cjk),
    }
}

fn role_of(text: &str, word_end: usize, counts: &Counts) -> Role {
    let (first, rest) = text.split_at(word_end);
    let is_followed = rest.len() > 1;
    if is_followed && counts.letters > 0 && (is_item_mark(first) || is_stamp(first)) {
        return Role::Item;
    }
    let is_address = |word: &str| word.contains("://") || word.starts_with("www.") || word.contains('@');
    let stands_alone = counts.letters == 0
        || first.is_empty()
        || matches!(first.as_bytes()[0], b'>' | b'|' | b'#' | b'$' | b'=' | b'~')
        || first.starts_with("--")
        || first.starts_with("```")
        || counts.words == 1 && is_address(first)
        || has_leader(text);
    if stands_alone { Role::Alone } else { Role::Text }
}

/// Marks of list items: bullets, `1.` `12)` `(3)` `a)` `(b)` `iv.` and `a.`; not `J.`, which begins a name, and not
/// `1914.`, which ends a sentence.
fn is_item_mark(word: &str) -> bool {
    const BULLETS: &str = "-*+•‣⁃◦▪▫●○■□◆◇►▸▶✓✔➢➤–—·∙";
    let mut chars = word.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return BULLETS.contains(only);
    }
    let inner = match (word.strip_prefix('('), word.strip_suffix(')')) {
        (Some(open), Some(_)) => &open[..open.len() - 1],
        (None, Some(inner)) => inner,
        _ => match word.strip_suffix('.') {
            Some(inner) => inner,
            None => return false,
        },
    };
    let is_number = (1..=3).contains(&inner.len()) && inner.bytes().all(|byte| byte.is_ascii_digit());
    let is_nested = inner.len() <= 12
        && inner.contains('.')
        && inner
            .split('.')
            .all(|part| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_letter = inner.len() == 1 && inner.as_bytes()[0].is_ascii_lowercase();
    let is_capital = inner.len() == 1 && inner.as_bytes()[0].is_ascii_uppercase() && word.ends_with(')');
    let is_roman = (1..=5).contains(&inner.len()) && inner.bytes().all(|byte| b"ivx".contains(&byte));
    is_number || is_nested || is_letter || is_capital || is_roman
}

/// A time or a date that begins an entry of a log or a diary, and the number of a verse: `06:07`, `[2024-11-02`,
/// `11/02/24`, `2024-11-02T10:00:00Z`, `3:16`.
fn is_stamp(word: &str) -> bool {
    let inner = word.trim_matches(['[', ']', '(', ')', ',', ':']).as_bytes();
    let signs = |sign: u8| inner.iter().filter(|&&byte| byte == sign).count();
    inner.first().is_some_and(u8::is_ascii_digit)
        && inner.iter().all(|byte| byte.is_ascii_digit() || b":-/.,TZ+".contains(byte))
        && (signs(b':') > 0 || signs(b'-') > 1 || signs(b'/') > 1)
}

/// A line of a table of contents: dots that lead to a number.
fn has_leader(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let dots = before.trim_end_matches([' ', '.']);
    before.len() < text.len() && before[dots.len()..].bytes().filter(|&byte| byte == b'.').count() > 2
}

fn looks_like_code(text: &str) -> bool {
    const ENDS: &[&str] = &["{", "}", ");", "};", "*/", "();", "]);", "\\", "=>"];
    const STARTS: &[&str] = &["}", "{", "//", "/*", "<", "@", "%", "`"];
    ENDS.iter().any(|end| text.ends_with(end)) || STARTS.iter().any(|start| text.starts_with(start))
}

fn looks_like_field(text: &str) -> bool {
    let near = &text.as_bytes()[..text.len().min(28)];
    let Some(colon) = near.iter().position(|&byte| byte == b':') else { return false };
    let is_followed = text.as_bytes().get(colon + 1).is_none_or(|&byte| byte == b' ');
    let name = &near[..colon];
    let is_capital = text.starts_with(char::is_uppercase);
    let is_name =
        name.iter().all(|&byte| byte >= 0x80 || byte.is_ascii_alphanumeric() || b" -_/.".contains(&byte));
    is_followed && is_name && is_capital && name.iter().filter(|&&byte| byte == b' ').count() < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_told_from_the_line_alone() {
        let check = |text: &str, role| assert_eq!(Line::of(text).role, role, "{text}");
        for text in
            ["- a", "* a", "• a", "1. a", "12) a", "(3) a", "a) b", "(b) c", "iv. x", "a. x", "1.2. x", "— x"]
        {
            check(text, Role::Item);
        }
        for text in
            ["J. Smith", "1914. The war", "-a", "5 apples", "etc. and", "A word", "1.5 miles", "ab) x"]
        {
            check(text, Role::Text);
        }
        for text in
            ["-----", "* * *", "12", "> quoted", "| a | b |", "# a", "http://a.b/c", "One ........ 12", ""]
        {
            check(text, Role::Alone);
        }
    }

    #[test]
    fn ends_and_starts() {
        let check = |text: &str, start, end| {
            let line = Line::of(text);
            assert_eq!((line.start, line.end), (start, end), "{text}");
        };
        check("“Well,” he said.", Start::Upper, End::Terminal);
        check("and (so on.)", Start::Lower, End::Terminal);
        check("exam-", Start::Lower, End::Hyphen);
        check("9 to -", Start::Other, End::Other);
        check("字を書く。", Start::Caseless, End::Terminal);
    }

    #[test]
    fn words_and_numbers_are_counted() {
        let line = Line::of("In 1914 und élan 3rd");
        assert_eq!((line.chars, line.words, line.numbers, line.first_word), (20, 5, 2, 2));
        assert_eq!(Line::of("ON THE ROAD").caps, Caps::All);
        assert_eq!(Line::of("NATO").caps, Caps::Unknown);
        assert_eq!(Line::of("日本語の文").first_word, 1);
    }

    #[test]
    fn code_and_fields_are_known() {
        for text in ["int main() {", "}", "// so", "foo(bar);", "<p>"] {
            assert!(Line::of(text).looks_like_code, "{text}");
        }
        for text in ["Subject: a", "From: b c", "Page count: 3", "Name:"] {
            assert!(Line::of(text).looks_like_field, "{text}");
        }
        for text in ["so he said: no", "at 10:30", "what it was in the end: x"] {
            assert!(!Line::of(text).looks_like_field, "{text}");
        }
    }
}
