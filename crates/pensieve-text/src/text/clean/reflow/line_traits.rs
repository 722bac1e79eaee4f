//! The properties of a line that decide whether lines are joined.
//!
//! They depend only on the characters of the line, so that a joined line is judged like any other.

/// The class of the first letter of a line, opening quotes and brackets aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstLetter {
    Lower,
    Upper,
    /// A letter of a script without capitals.
    Caseless,
    Other,
}

/// The class of the last character of a line, closing quotes and brackets aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// A mark that ends or introduces a sentence.
    Terminal,
    /// A comma or semicolon.
    Comma,
    /// A hyphen after a letter.
    Hyphen,
    Other,
}

/// The case of the letters of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterCase {
    /// Two words or more, all in capitals.
    All,
    /// Some letter is not a capital.
    Some,
    /// Too few letters to decide.
    Unknown,
}

/// The part of a line in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineRole {
    Text,
    /// The first line of a list item.
    Item,
    /// A line that is never joined: a rule, a row of a table, a line of a table of contents, a web address.
    Alone,
}

/// The properties of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineTraits {
    pub(super) chars: usize,
    /// Length of its first word, which did not fit at the end of a wrapped line before it.
    pub(super) first_word: usize,
    pub(super) words: usize,
    /// Words with a digit.
    pub(super) numbers: usize,
    pub(super) start: FirstLetter,
    pub(super) end: LineEnd,
    pub(super) caps: LetterCase,
    pub(super) has_capital: bool,
    pub(super) role: LineRole,
    pub(super) looks_like_code: bool,
    /// `Name: value`.
    pub(super) looks_like_field: bool,
    /// Whether it begins, and whether it ends, with a CJK character, which has no spaces around it.
    pub(super) cjk: (bool, bool),
    /// True if it ends with two blanks or a backslash, the hard line break of Markdown.
    pub(super) is_broken: bool,
    /// True if it has letters of a script that writes no spaces between words but breaks lines between them.
    pub(super) is_unspaced: bool,
}

const OPENING: &[char] = &[
    '"', '\'', '(', '[', '{', '“', '‘', '„', '‚', '«', '‹', '»', '›', '¿', '¡', '*', '_', '「', '『', '《',
    '（',
];
const CLOSING: &[char] =
    &['"', '\'', ')', ']', '}', '”', '’', '“', '»', '«', '›', '*', '_', '」', '』', '》', '）'];
const TERMINAL: &[char] = &['.', '!', '?', ':', '…', '。', '！', '？', '؟', '।', '۔'];

impl LineTraits {
    /// The properties of `text`, which has no line end.
    pub(super) fn of(text: &str) -> LineTraits {
        let counts = CharacterCounts::of(text);
        // A mark that closes the line before says nothing of the letter after it.
        let mark = text.chars().next().filter(|_| closes_before_text(text)).map_or(0, char::len_utf8);
        let first = text[mark..].trim_start().trim_start_matches(OPENING).chars().next();
        let cjk = (text.chars().next().is_some_and(is_cjk), ends_cjk(text));
        let word_end = text.bytes().position(|byte| byte == b' ').unwrap_or(text.len());
        LineTraits {
            chars: counts.chars,
            first_word: if cjk.0 { 1 } else { text[..word_end].chars().count() },
            words: counts.words,
            numbers: counts.numbers,
            start: start_of(first),
            end: end_of(text),
            caps: match (counts.lower > 0, counts.upper) {
                (true, _) => LetterCase::Some,
                (false, 4..) if counts.words > 1 => LetterCase::All,
                _ => LetterCase::Unknown,
            },
            has_capital: counts.upper > 0,
            role: role_of(text, word_end, &counts),
            looks_like_code: looks_like_code(text),
            looks_like_field: looks_like_field(text),
            cjk,
            is_broken: text.ends_with("  ") || text.ends_with('\\'),
            is_unspaced: counts.unspaced > 0,
        }
    }

    /// True if a sentence of this line continues in the next line.
    pub(super) fn goes_on_in(&self, next: &LineTraits) -> bool {
        next.start == FirstLetter::Lower && self.end != LineEnd::Terminal
    }

    /// True if the two can belong to one paragraph.
    pub(super) fn may_join(&self, next: &LineTraits) -> bool {
        let same_caps = !matches!(
            (self.caps, next.caps),
            (LetterCase::All, LetterCase::Some) | (LetterCase::Some, LetterCase::All)
        );
        let is_spaced = !self.is_unspaced && !next.is_unspaced;
        !self.is_broken
            && self.role != LineRole::Alone
            && next.role == LineRole::Text
            && same_caps
            && is_spaced
    }
}

/// Counts of the characters of a line.
#[derive(Debug, Default)]
struct CharacterCounts {
    chars: usize,
    words: usize,
    numbers: usize,
    upper: usize,
    lower: usize,
    letters: usize,
    unspaced: usize,
}

impl CharacterCounts {
    fn of(text: &str) -> CharacterCounts {
        let bytes = text.as_bytes();
        let mut counts = CharacterCounts {
            chars: count(bytes, |byte| byte < 0x80),
            words: 1 + count(bytes, |byte| byte == b' '),
            upper: count(bytes, |byte| byte.is_ascii_uppercase()),
            lower: count(bytes, |byte| byte.is_ascii_lowercase()),
            ..CharacterCounts::default()
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
        // Quotes and dashes, the most frequent characters outside ASCII.
        if matches!(c, '\u{2010}'..='\u{205f}') {
            return;
        }
        self.upper += usize::from(c.is_uppercase());
        self.lower += usize::from(c.is_lowercase());
        self.letters += usize::from(c.is_alphabetic());
        self.unspaced += usize::from(is_unspaced(c));
    }
}

/// The number of bytes that satisfy `test`, counted in blocks that the compiler vectorises.
fn count(bytes: &[u8], test: impl Fn(u8) -> bool) -> usize {
    // 255 hits fit into a byte, so that the sums of a block cannot overflow.
    bytes.chunks(255).map(|part| usize::from(part.iter().map(|&byte| u8::from(test(byte))).sum::<u8>())).sum()
}

fn start_of(first: Option<char>) -> FirstLetter {
    match first {
        Some(c) if c.is_lowercase() => FirstLetter::Lower,
        Some(c) if c.is_uppercase() => FirstLetter::Upper,
        Some(c) if c.is_alphabetic() => FirstLetter::Caseless,
        _ => FirstLetter::Other,
    }
}

fn end_of(text: &str) -> LineEnd {
    let mut before = text.trim_end_matches(CLOSING).chars().rev();
    match before.next() {
        Some(c) if TERMINAL.contains(&c) => LineEnd::Terminal,
        Some(',' | ';' | '，' | '、' | '；' | '،' | '؛') => LineEnd::Comma,
        _ => match final_hyphen(text) {
            Some(_) => LineEnd::Hyphen,
            None => LineEnd::Other,
        },
    }
}

/// The length of the hyphen that ends a line after a letter.
pub(super) fn final_hyphen(line: &str) -> Option<usize> {
    let mut back = line.chars().rev();
    let hyphen = back.next().filter(|c| matches!(c, '-' | '\u{2010}' | '\u{ad}'))?;
    back.next().filter(|c| c.is_alphabetic()).map(|_| hyphen.len_utf8())
}

/// True for a line that begins with a mark that has no space before it: CJK punctuation, or a comma, point or bracket
/// before a space or a CJK letter.
pub(super) fn closes_before_text(line: &str) -> bool {
    let mut chars = line.chars();
    match chars.next() {
        Some(
            '，' | '。' | '、' | '；' | '：' | '？' | '！' | '）' | '」' | '』' | '》' | '〉' | '】' | '”',
        ) => true,
        Some(',' | '.' | ')') => chars.next().is_none_or(|next| next == ' ' || is_cjk(next)),
        Some(':' | ';' | '!' | '?') => chars.next().is_some_and(is_cjk),
        _ => false,
    }
}

/// Han, kana and their punctuation, which have no spaces between them.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{312f}' | '\u{31a0}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Thai, Lao, Tibetan, Burmese, Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// True for a line that ends with such a character, or with an ASCII punctuation mark after one: normalisation turns
/// some CJK punctuation into ASCII.
fn ends_cjk(text: &str) -> bool {
    let mut back = text.chars().rev();
    match back.next() {
        Some(c) if c.is_ascii_punctuation() => back.next().is_some_and(is_cjk),
        last => last.is_some_and(is_cjk),
    }
}

fn role_of(text: &str, word_end: usize, counts: &CharacterCounts) -> LineRole {
    let (first, rest) = text.split_at(word_end);
    let is_followed = rest.len() > 1;
    // Alone, or before numbers alone, a marker is part of a row.
    if is_followed && counts.letters > 0 && (is_item_marker(first) || is_timestamp(first)) {
        return LineRole::Item;
    }
    let is_address = |word: &str| word.contains("://") || word.starts_with("www.") || word.contains('@');
    let stands_alone = counts.letters == 0
        || first.is_empty()
        // Quotations of mails, rows, headings, prompts, rules.
        || matches!(first.as_bytes()[0], b'>' | b'|' | b'#' | b'$' | b'=' | b'~')
        // Rules, options, and the line above a signature (RFC 3676).
        || first.starts_with("--")
        || first.starts_with("```")
        || counts.words == 1 && is_address(first)
        || has_leader(text);
    if stands_alone { LineRole::Alone } else { LineRole::Text }
}

/// Markers of list items: bullets, `1.` `12)` `(3)` `a)` `(b)` `iv.` and `a.`; not `J.`, which begins a name, and not
/// `1914.`, which ends a sentence.
fn is_item_marker(word: &str) -> bool {
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
    // Without l, c, d and m no word is a numeral (`mild.`).
    let is_roman = (1..=5).contains(&inner.len()) && inner.bytes().all(|byte| b"ivx".contains(&byte));
    is_number || is_nested || is_letter || is_capital || is_roman
}

/// A time or date that begins an entry of a log or diary, or the number of a verse: `06:07`, `[2024-11-02`,
/// `11/02/24`, `2024-11-02T10:00:00Z`, `3:16`.
fn is_timestamp(word: &str) -> bool {
    let inner = word.trim_matches(['[', ']', '(', ')', ',', ':']).as_bytes();
    let signs = |sign: u8| inner.iter().filter(|&&byte| byte == sign).count();
    inner.first().is_some_and(u8::is_ascii_digit)
        && inner.iter().all(|byte| byte.is_ascii_digit() || b":-/.,TZ+".contains(byte))
        // `1914-18` is a range of years.
        && (signs(b':') > 0 || signs(b'-') > 1 || signs(b'/') > 1)
}

/// True for a line of a table of contents: dots lead to a number.
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
    // `parser:`, `src/gate.c:`
    let is_label = colon > 0 && !name.contains(&b' ');
    let is_name =
        name.iter().all(|&byte| byte >= 0x80 || byte.is_ascii_alphanumeric() || b" -_/.".contains(&byte));
    is_followed
        && is_name
        && (is_capital || is_label)
        // `He took along what he had: a lamp` is a sentence.
        && name.iter().filter(|&&byte| byte == b' ').count() < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_depend_only_on_the_line() {
        let check = |text: &str, role| assert_eq!(LineTraits::of(text).role, role, "{text}");
        for text in
            ["- a", "* a", "• a", "1. a", "12) a", "(3) a", "a) b", "(b) c", "iv. x", "a. x", "1.2. x", "— x"]
        {
            check(text, LineRole::Item);
        }
        for text in
            ["J. Smith", "1914. The war", "-a", "5 apples", "etc. and", "A word", "1.5 miles", "ab) x"]
        {
            check(text, LineRole::Text);
        }
        for text in
            ["-----", "* * *", "12", "> quoted", "| a | b |", "# a", "http://a.b/c", "One ........ 12", ""]
        {
            check(text, LineRole::Alone);
        }
    }

    #[test]
    fn ends_and_starts() {
        let check = |text: &str, start, end| {
            let line = LineTraits::of(text);
            assert_eq!((line.start, line.end), (start, end), "{text}");
        };
        check("“Well,” he said.", FirstLetter::Upper, LineEnd::Terminal);
        check("and (so on.)", FirstLetter::Lower, LineEnd::Terminal);
        check("exam-", FirstLetter::Lower, LineEnd::Hyphen);
        check("9 to -", FirstLetter::Other, LineEnd::Other);
        check("字を書く。", FirstLetter::Caseless, LineEnd::Terminal);
    }

    #[test]
    fn words_and_numbers_are_counted() {
        let line = LineTraits::of("In 1914 und élan 3rd");
        assert_eq!((line.chars, line.words, line.numbers, line.first_word), (20, 5, 2, 2));
        assert_eq!(LineTraits::of("ON THE ROAD").caps, LetterCase::All);
        assert_eq!(LineTraits::of("NATO").caps, LetterCase::Unknown);
        assert_eq!(LineTraits::of("日本語の文").first_word, 1);
    }

    #[test]
    fn code_and_fields_are_known() {
        for text in ["int main() {", "}", "// so", "foo(bar);", "<p>"] {
            assert!(LineTraits::of(text).looks_like_code, "{text}");
        }
        for text in ["Subject: a", "From: b c", "Page count: 3", "Name:"] {
            assert!(LineTraits::of(text).looks_like_field, "{text}");
        }
        for text in ["so he said: no", "at 10:30", "what it was in the end: x"] {
            assert!(!LineTraits::of(text).looks_like_field, "{text}");
        }
    }

    #[test]
    fn times_and_dates_begin_entries() {
        for word in ["06:07", "[2024-11-02", "11/02/24", "2024-11-02T10:00:00Z", "3:16", "(06:07)", "1:2,"] {
            assert!(is_timestamp(word), "{word}");
        }
        for word in ["1914", "12-13", "1/2", "a:b", ":12", "12:3a", "", "3.5", "-1-2", "/1/2"] {
            assert!(!is_timestamp(word), "{word}");
        }
    }

    #[test]
    fn items_have_a_short_marker() {
        for word in [
            "-",
            "•",
            "∙",
            "1.",
            "123.",
            "1)",
            "(123)",
            "a.",
            "a)",
            "(a)",
            "A)",
            "(A)",
            "iv.",
            "xviii)",
            "1.2.",
            "1.2.3.4.5.6.",
        ] {
            assert!(is_item_marker(word), "{word}");
        }
        for word in [
            "1234.",
            "ab.",
            "A.",
            "xviiii)",
            "1",
            "1.2",
            "1..2.",
            "1.2345.",
            "1.2.3.4.5.6.7.",
            "(1",
            "1a.",
            "",
            "x",
            "(1.",
        ] {
            assert!(!is_item_marker(word), "{word}");
        }
    }

    #[test]
    fn a_leader_has_three_dots_before_a_number() {
        for (text, expected) in [
            ("One ... 12", true),
            ("One .. 12", false),
            ("One . . . 12", true),
            ("One ...", false),
            ("12", false),
            ("... 1", true),
            ("a.b.c.1", false),
        ] {
            assert_eq!(has_leader(text), expected, "{text}");
        }
    }

    #[test]
    fn a_field_has_a_short_name() {
        for (text, expected) in [
            ("Subject: a", true),
            ("parser: a", true),
            ("src/gate.c:", true),
            ("two words: a", false),
            ("Two words: a", true),
            ("Of three words: a", false),
            ("Subject:a", false),
            (": a", false),
            ("Sub(j): a", false),
            ("Äpfel: 3", true),
            ("A_name-with/all.of-them-abcd: x", false),
            ("A_name-with/all.of-them-abc: x", true),
        ] {
            assert_eq!(looks_like_field(text), expected, "{text}");
        }
    }

    #[test]
    fn code_begins_or_ends_with_its_signs() {
        for end in ["{", "}", ");", "};", "*/", "();", "]);", "\\", "=>"] {
            assert!(looks_like_code(&format!("words {end}")), "{end}");
        }
        for start in ["}", "{", "//", "/*", "<", "@", "%", "`"] {
            assert!(looks_like_code(&format!("{start} words")), "{start}");
        }
        assert!(!looks_like_code("words (in brackets)") && !looks_like_code(""));
    }

    #[test]
    fn lines_end_with_a_mark_a_comma_or_a_hyphen() {
        for mark in TERMINAL {
            assert_eq!(end_of(&format!("words{mark}”")), LineEnd::Terminal, "{mark}");
        }
        for mark in [',', ';', '，', '、', '；', '،', '؛'] {
            assert_eq!(end_of(&format!("words{mark})")), LineEnd::Comma, "{mark}");
        }
        for (text, expected) in [
            ("words-", Some(1)),
            ("words\u{2010}", Some(3)),
            ("words\u{ad}", Some(2)),
            ("12-", None),
            ("-", None),
            ("words", None),
        ] {
            assert_eq!(final_hyphen(text), expected, "{text}");
            let end = if expected.is_some() { LineEnd::Hyphen } else { LineEnd::Other };
            assert_eq!(end_of(text), end, "{text}");
        }
    }

    #[test]
    fn a_mark_may_close_the_line_before() {
        for mark in "，。、；：？！）」』》〉】”".chars() {
            assert!(closes_before_text(&mark.to_string()), "{mark}");
        }
        for (text, expected) in [
            (", so", true),
            (".", true),
            (") so", true),
            (".5", false),
            (",字", true),
            (": so", false),
            (":字", true),
            ("?字", true),
            (";字", true),
            ("!字", true),
            ("!", false),
            ("so", false),
            ("", false),
        ] {
            assert_eq!(closes_before_text(text), expected, "{text}");
        }
    }

    #[test]
    fn scripts_without_spaces_have_ranges() {
        let cjk = "\u{2e80}\u{312f}\u{31a0}\u{4dbf}\u{4e00}\u{9fff}\u{f900}\u{faff}\u{ff00}\u{ff9f}\u{20000}\u{3ffff}";
        assert!(cjk.chars().all(is_cjk));
        assert!(
            !"a\u{2e7f}\u{3130}\u{319f}\u{4dc0}\u{4dff}\u{a000}\u{fb00}\u{ffa0}\u{1ffff}".chars().any(is_cjk)
        );
        assert!("\u{e00}\u{fff}\u{1000}\u{109f}\u{1780}\u{17ff}".chars().all(is_unspaced));
        assert!(!"a\u{dff}\u{10a0}\u{177f}\u{1800}".chars().any(is_unspaced));
        let ends = ["字", "字.", "字..", "a.", "a", ""].map(ends_cjk);
        assert_eq!(ends, [true, true, false, false, false, false]);
    }

    #[test]
    fn letters_of_a_line_are_counted_by_case() {
        let check = |text: &str, expected: [usize; 7]| {
            let CharacterCounts { chars, words, numbers, upper, lower, letters, unspaced } =
                CharacterCounts::of(text);
            assert_eq!([chars, words, numbers, upper, lower, letters, unspaced], expected, "{text}");
        };
        check("Ab cD 1 2x", [10, 4, 2, 2, 3, 5, 0]);
        check("Äö – “x”", [8, 3, 0, 1, 2, 3, 0]);
        check("ไทย a", [5, 2, 0, 0, 1, 4, 3]);
        check("", [0, 1, 0, 0, 0, 0, 0]);
        assert_eq!(count(&[b'a'; 600], |byte| byte == b'a'), 600);
    }

    #[test]
    fn lines_in_capitals_have_four_letters_and_two_words() {
        for (text, expected) in [
            ("AB CD", LetterCase::All),
            ("AB C", LetterCase::Unknown),
            ("ABCD", LetterCase::Unknown),
            ("AB CD e", LetterCase::Some),
            ("12 34", LetterCase::Unknown),
        ] {
            assert_eq!(LineTraits::of(text).caps, expected, "{text}");
        }
    }

    #[test]
    fn lines_may_join_unless_one_stands_apart() {
        let check = |one: &str, two: &str, expected| {
            assert_eq!(LineTraits::of(one).may_join(&LineTraits::of(two)), expected, "{one} / {two}");
        };
        check("Some words", "and more", true);
        check("Some words  ", "and more", false);
        check("Some words\\", "and more", false);
        check("-----", "and more", false);
        check("Some words", "-----", false);
        check("Some words", "- an item", false);
        check("- an item", "and more", true);
        check("ALL OF IT", "and more", false);
        check("Some words", "ALL OF IT", false);
        check("ALL OF IT", "NATO", true);
        check("ไทย", "and more", false);
        check("Some words", "ไทย", false);
    }

    #[test]
    fn a_line_stands_alone_by_its_beginning() {
        let check = |text: &str, role| assert_eq!(LineTraits::of(text).role, role, "{text}");
        for text in [" words", ">a", "|a", "#a", "$a", "=a", "~a", "--a", "```a", "www.a.b", "a://b", "a@b.c"]
        {
            check(text, LineRole::Alone);
        }
        for text in ["-a", "``a", "www. a", "see a://b", "a@b.c so"] {
            check(text, LineRole::Text);
        }
        check("1.", LineRole::Alone);
        check("- 1", LineRole::Alone);
        check("06:07 words", LineRole::Item);
    }

    #[test]
    fn a_sentence_goes_on_in_a_line_that_begins_low() {
        let check = |one: &str, two: &str, expected| {
            assert_eq!(LineTraits::of(one).goes_on_in(&LineTraits::of(two)), expected, "{one} / {two}");
        };
        check("words", "more", true);
        check("words.", "more", false);
        check("words", "More", false);
        check("words,", "more", true);
    }
}
