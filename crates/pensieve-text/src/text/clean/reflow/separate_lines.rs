//! Lines that stand below each other without being one paragraph: items without bullets, change logs, SQL, lines that
//! are built alike.
//!
//! Each test asks for a likeness of the lines that wrapped prose shows by accident only, since the words at the
//! beginning and end of its lines depend on the width.

use super::line_traits::is_cjk;

/// Verbs that begin entries of change logs.
const CHANGE_VERBS: &[&str] = &[
    "add",
    "added",
    "adds",
    "allow",
    "allowed",
    "avoid",
    "backport",
    "build",
    "bump",
    "bumped",
    "change",
    "changed",
    "check",
    "clean",
    "cleanup",
    "closes",
    "convert",
    "correct",
    "corrected",
    "create",
    "delete",
    "deleted",
    "deprecate",
    "deprecated",
    "disable",
    "disabled",
    "document",
    "drop",
    "dropped",
    "enable",
    "enabled",
    "ensure",
    "extend",
    "fix",
    "fixed",
    "fixes",
    "handle",
    "implement",
    "implemented",
    "import",
    "improve",
    "improved",
    "include",
    "increase",
    "initial",
    "install",
    "introduce",
    "make",
    "merge",
    "merged",
    "move",
    "moved",
    "new",
    "prevent",
    "rebuild",
    "reduce",
    "refactor",
    "refresh",
    "release",
    "remove",
    "removed",
    "removes",
    "rename",
    "renamed",
    "replace",
    "replaced",
    "revert",
    "reverted",
    "rewrite",
    "set",
    "support",
    "switch",
    "sync",
    "update",
    "updated",
    "upgrade",
    "use",
    "warn",
];

/// Words that begin a statement of SQL, and those that begin its other lines.
const STATEMENTS: &[&str] =
    &["select", "insert", "update", "delete", "create", "alter", "drop", "with", "merge"];
const CLAUSES: &[&str] = &[
    "from",
    "where",
    "order",
    "group",
    "having",
    "join",
    "left",
    "right",
    "inner",
    "outer",
    "values",
    "set",
    "limit",
    "union",
    "on",
    "and",
    "or",
    "into",
    "using",
    "returning",
    "as",
    "end",
    "begin",
    "when",
    "select",
    "add",
];

/// Signs between a name and what is said of it.
const DEFINING: &[&str] = &[" - ", " – ", " — ", " -- ", " = ", " -> ", " => ", " → ", " := "];

/// Bytes from the beginning of a line within which such a sign stands.
const MAX_NAME_BYTES: usize = 30;

/// True if the lines are items, entries or statements.
pub(super) fn are_separate(lines: &[&str]) -> bool {
    if lines.len() < 2 {
        return false;
    }
    let first_words: Vec<&str> = lines.iter().map(|line| first_word(line)).collect();
    begin_alike(&first_words)
        || is_change_log(&first_words)
        || is_sql(lines, &first_words)
        || are_definitions(lines)
        || end_alike(lines)
}

/// The first word of a line; none in a script without spaces.
fn first_word(line: &str) -> &str {
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.next().filter(|word| word.is_ascii() || !word.contains(is_cjk)).unwrap_or_default()
}

/// True if at least three lines of five begin with the same word; of two lines both, in the same case.
fn begin_alike(first_words: &[&str]) -> bool {
    if let [first, second] = first_words {
        return !first.is_empty() && first == second;
    }
    // A word of more than half of the lines is what is left when two different ones take each other away (Boyer and Moore 1991).
    let (mut most, mut votes) = ("", 0_usize);
    for word in first_words {
        match most.eq_ignore_ascii_case(word) {
            true => votes += 1,
            false if votes == 0 => (most, votes) = (word, 1),
            false => votes -= 1,
        }
    }
    let alike = first_words.iter().filter(|word| word.eq_ignore_ascii_case(most)).count();
    !most.is_empty() && alike >= 3 && alike * 5 >= first_words.len() * 3
}

/// True if three lines of five begin with a verb of change logs, the first among them.
fn is_change_log(first_words: &[&str]) -> bool {
    let is_change = |word: &&&str| {
        let letters = || word.bytes().map(|byte| byte.to_ascii_lowercase());
        // The list is sorted.
        CHANGE_VERBS.binary_search_by(|verb| verb.bytes().cmp(letters())).is_ok()
    };
    if !is_change(&&first_words[0]) {
        return false;
    }
    let changes = first_words.iter().filter(is_change).count();
    changes > 1 && changes * 5 >= first_words.len() * 3
}

/// True for a statement of SQL: its verb, then clauses, with a sign or capitals that a sentence does not have.
fn is_sql(lines: &[&str], first_words: &[&str]) -> bool {
    let is_in = |table: &[&str], word: &str| table.iter().any(|known| known.eq_ignore_ascii_case(word));
    if !is_in(STATEMENTS, first_words[0]) {
        return false;
    }
    let is_capital = |word: &&&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    let clauses = first_words[1..].iter().filter(|word| is_in(CLAUSES, word)).count();
    let has_signs =
        lines.iter().any(|line| line.ends_with(';') || line.contains(" = ") || line.contains('*'))
            || first_words.iter().filter(is_capital).count() * 2 > lines.len();
    has_signs && clauses * 2 >= lines.len() - 1 && clauses > 0
}

/// True if three lines of five begin with a name and a sign: `lamp - for the gate`, `port = 80`.
fn are_definitions(lines: &[&str]) -> bool {
    let is_sign = |line: &str, at: usize| {
        DEFINING.iter().any(|sign| line[at..].starts_with(sign) && !line.starts_with(sign))
    };
    // No sign begins with a letter, most words do.
    let may_be_sign = |pair: &[u8]| pair[0] == b' ' && !pair[1].is_ascii_alphanumeric();
    let is_definition = |line: &&&str| {
        let near = &line.as_bytes()[..line.len().min(MAX_NAME_BYTES + 2)];
        near.windows(2).enumerate().skip(1).any(|(at, pair)| may_be_sign(pair) && is_sign(line, at))
    };
    let found = lines.iter().filter(is_definition).count();
    found > 1 && found * 5 >= lines.len() * 3
}

/// True for three lines or more that all end with a comma or semicolon, except the last.
fn end_alike(lines: &[&str]) -> bool {
    lines.len() > 2
        && lines[..lines.len() - 1].iter().all(|line| line.ends_with([',', ';', '，', '；', '、']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_sorted() {
        assert!(CHANGE_VERBS.is_sorted());
    }

    #[test]
    fn lines_that_are_built_alike_are_separate() {
        for block in [
            "for the keeper a new lamp\nfor the miller a sack of flour",
            "keeper\nmiller\nlamp of the gate\nlamp of the mill\nlamp of the boat",
            "fix the crash when the list of gates is empty\nadd a test for the opening of the lower gate",
            "select name, price\nfrom goods\nwhere price > 10\norder by name;",
            "SELECT name\nFROM goods",
            "lamp - for the gate at night\nrope - for the boat of the miller",
            "a lamp for the gate,\na rope for the boat,\nand flour",
        ] {
            assert!(are_separate(&block.lines().collect::<Vec<_>>()), "{block}");
        }
        for block in [
            "Select the gate that you want to open, then turn the wheel\nfrom left to right until it stops.",
            "the river rose above the second mark and\nwent down, as the keeper said, in\nthe night",
            "When he came, he had a lamp,\nwhich was new",
        ] {
            assert!(!are_separate(&block.lines().collect::<Vec<_>>()), "{block}");
        }
    }
}
