//! The signs of notes: numbers, letters, asterisks and daggers, in brackets or before a dot.

/// How many characters of a link's words are examined.
pub(super) const MAX_LINK_CHARS: usize = 40;

/// A longer text is not a sign.
// Numbers to `999999`, `xxviii`, a row of stars.
const MAX_SIGN_CHARS: usize = 6;

/// Words after which a number refers to something other than a note.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "theorem", "lemma", "proposition", "corollary", "definition", "axiom", "proof", "eq", "eqs", "eqn", "equation",
    "equations", "formula", "exercise", "exercises", "example", "examples", "problem", "question", "case", "cases",
    "fig", "figs", "figure", "figures", "table", "tables", "section", "sections", "sec", "chapter", "chapters", "ch",
    "step", "steps", "item", "items", "rule", "part", "page", "pages", "p", "pp", "verse", "vol", "volume", "ref", "refs",
    "abbildung", "abb", "tabelle", "gleichung", "satz", "kapitel", "seite", "s", "équation", "théorème", "tableau",
];

/// Words of links back from a note.
const BACK: &[&str] = &["back", "return", "zurück", "retour", "volver", "назад", "top", "↑", "↩"];

/// The sign at the beginning of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoteSign {
    /// Without brackets and dots, digits as plain ones.
    pub sign: String,
    /// Bytes of the text up to the words after it.
    pub len: usize,
    /// A bracket or a dot ends it.
    pub is_closed: bool,
}

impl NoteSign {
    /// The sign that is the whole text.
    pub fn whole(words: &str) -> Option<String> {
        let found = NoteSign::leading(words)?;
        words[found.len..].trim_matches(['.', ' ', '\u{a0}']).is_empty().then_some(found.sign)
    }

    /// The sign that a text begins with.
    pub fn leading(text: &str) -> Option<NoteSign> {
        let is_space = |c: char| c.is_whitespace() || c == '\u{a0}';
        let start = text.trim_start_matches(is_space);
        let open = start.trim_start_matches(['[', '(']);
        let is_opened = open.len() < start.len();
        let open = open.trim_start_matches(is_space);
        let class = open.chars().next().map(class_of)?;
        let len: usize = open.chars().take_while(|&c| class_of(c) == class).map(char::len_utf8).sum();
        let sign: String = open[..len].chars().map(plain).collect();
        let is_word = class == CharClass::Letter
            && sign.chars().count() > 1
            // Some notes count in Roman numerals.
            && !sign.chars().all(|c| "ivxlc".contains(c));
        if class == CharClass::Other || is_word || sign.chars().count() > MAX_SIGN_CHARS {
            return None;
        }
        let rest = &open[len..];
        let closed = rest.trim_start_matches(is_space);
        // A blank belongs to a sign only inside of a bracket.
        let ended = if is_opened { closed } else { rest }.trim_start_matches([']', ')', '.', ':']);
        let is_closed = ended.len() < rest.len();
        // `1st`, `2a`
        if !is_closed && rest.starts_with(char::is_alphanumeric) {
            return None;
        }
        let words = ended.trim_start_matches(is_space);
        Some(NoteSign { sign, len: text.len() - words.len(), is_closed })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Digit,
    Letter,
    Star,
    Other,
}

fn class_of(c: char) -> CharClass {
    match c {
        c if plain(c).is_ascii_digit() => CharClass::Digit,
        // A capital begins a sentence, or a name.
        c if c.is_lowercase() => CharClass::Letter,
        c if "*†‡§¶‖#⁂✱＊※".contains(c) => CharClass::Star,
        _ => CharClass::Other,
    }
}

/// Superscript digits as plain ones.
fn plain(c: char) -> char {
    const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let at = SUPERSCRIPTS.chars().position(|digit| digit == c);
    at.and_then(|at| char::from_digit(at as u32, 10)).unwrap_or(c)
}

/// True for superscript digits.
pub(super) fn is_superscript(words: &str) -> bool {
    words.chars().next().is_some_and(|c| plain(c) != c)
}

/// True if the last word of a text names the kind of what the number after it refers to.
pub(super) fn names_a_kind(before: &str) -> bool {
    let words = before.trim_end_matches(|c: char| !c.is_alphanumeric());
    // `equation¹` has a note; `equation 1` is one.
    let has_gap = before[words.len()..].contains(|c: char| c.is_whitespace());
    let start = words.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + 1);
    let last = words.get(start..).or_else(|| words.get(start + 1..)).unwrap_or_default().to_lowercase();
    has_gap && KINDS.contains(&last.as_str())
}

/// True for the words of a link back: arrows, `back`, `[return to text]`.
pub(super) fn leads_back(words: &str) -> bool {
    let is_arrow = |c: char| "↩↑↵⏎⮐^←⇑⬆▲\u{fe0e}\u{fe0f}\u{a0}[]() ".contains(c);
    if words.trim().chars().all(is_arrow) {
        return !words.trim().is_empty();
    }
    let lower = words.to_lowercase();
    let mut all = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = match all.next() {
        // `Go back`, `Jump up`
        Some("go" | "jump") => all.next(),
        first => first,
    };
    // Longer ones are sentences: `Back in 1990 ...`
    first.is_some_and(|first| BACK.contains(&first)) && lower.chars().count() <= MAX_LINK_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = NoteSign::leading(text);
        let found = found.as_ref().map(|found| (found.sign.as_str(), &text[found.len..]));
        assert_eq!(found, expected, "of {text}");
    }

    #[test]
    fn signs_begin_notes() {
        check("1. First", Some(("1", "First")));
        check(" [12] Twelfth", Some(("12", "Twelfth")));
        check("2) Second", Some(("2", "Second")));
        check("* Star", Some(("*", "Star")));
        check("³ Third", Some(("3", "Third")));
        check("iv. Fourth", Some(("iv", "Fourth")));
        check("(a) case", Some(("a", "case")));
        check("[ 1 ] x", Some(("1", "x")));
        check("An example", None);
        check("1st", None);
        check("see", None);
        assert_eq!(
            ["[12]", "*", "3.", "see 3", "Chapter", "m"].map(|words| NoteSign::whole(words).is_some()),
            [true, true, true, false, false, true]
        );
    }

    #[test]
    fn kinds_and_ways_back_are_known() {
        assert!(names_a_kind("by Theorem ") && names_a_kind("from Eq. (") && names_a_kind("Case\u{a0}"));
        assert!(!names_a_kind("this theorem") && !names_a_kind("so it goes. ") && !names_a_kind("é"));
        let words = ["Return to text", "[back]", "↩\u{fe0e}", "Go back to note reference", "backwards", ""];
        assert_eq!(words.map(leads_back), [true, true, true, true, false, false]);
    }

    #[test]
    fn signs_are_short_and_apart_from_words() {
        let check = |text: &str, expected: Option<(&str, &str, bool)>| {
            let found = NoteSign::leading(text);
            let found =
                found.as_ref().map(|found| (found.sign.as_str(), &text[found.len..], found.is_closed));
            assert_eq!(found, expected, "of {text:?}");
        };
        check("1", Some(("1", "", false)));
        check("1 x", Some(("1", "x", false)));
        check("\u{a0}1:\u{a0}x", Some(("1", "x", true)));
        check("(1 ) x", Some(("1", "x", true)));
        check("1 ) x", Some(("1", ") x", false)));
        check("1x", None);
        check("1.x", Some(("1", "x", true)));
        check("1²x", None);
        check("1² x", Some(("12", "x", false)));
        check("123456 x", Some(("123456", "x", false)));
        check("1234567 x", None);
        check("a x", Some(("a", "x", false)));
        check("ab x", None);
        check("xl x", Some(("xl", "x", false)));
        check("I. x", None);
        check("†† x", Some(("††", "x", false)));
        check("*x", None);
        check("*—x", Some(("*", "—x", false)));
        check("— x", None);
        check("(", None);
        check("", None);
        let whole = ["1.", "1 .", "[1]\u{a0}", "1.x", "", "1 2"].map(NoteSign::whole);
        let expected = [Some("1"), Some("1"), Some("1"), None, None, None];
        assert_eq!(whole.each_ref().map(Option::as_deref), expected);
        assert_eq!(["¹", "⁰b", "1", "b¹", ""].map(is_superscript), [true, true, false, false, false]);
    }

    #[test]
    fn words_before_a_number_name_a_kind_of_thing() {
        for (before, expected) in [
            ("Table ", true),
            ("see\u{a0}Tables ", true),
            ("see-table (", true),
            ("of équation ", true),
            ("xTable ", false),
            ("Table", false),
            ("Table-", false),
            ("Table. and ", false),
            (" ", false),
            ("", false),
        ] {
            assert_eq!(names_a_kind(before), expected, "of {before:?}");
        }
    }

    #[test]
    fn ways_back_are_short_and_begin_so() {
        let long = |letters: usize| format!("Back {}", "x".repeat(letters));
        for (words, expected) in [
            ("^", true),
            (" ↑ ", true),
            ("[↩]", true),
            (" ", false),
            ("↑ x", false),
            ("Zurück!", true),
            ("jump back", true),
            ("go on", false),
            ("go", false),
            ("way back", false),
            (long(35).as_str(), true),
            (long(36).as_str(), false),
        ] {
            assert_eq!(leads_back(words), expected, "of {words:?}");
        }
    }
}
