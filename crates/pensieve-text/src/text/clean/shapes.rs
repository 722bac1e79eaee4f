//! The rule `shapes`: blocks of plain text in which the position of a word in its line has a meaning.
//!
//! A block is the text between two blank lines. Its columns are kept if it is a table that spaces or tabs align, and
//! its indentation if most of its lines read like code, YAML or a stack trace. Both are decided by the block alone,
//! without the blanks at line ends, so that clean text is judged like its source. Two sources of gaps are no columns:
//! two spaces after a sentence, and the spaces that spread the words of a justified paragraph.

use super::white_space_kinds::WhiteSpaceKind;
use crate::model::{Span, TextKind};
use std::collections::BTreeMap;

/// A longer block is neither a table nor a piece of code that people wrote into a text.
pub(super) const MAX_SHAPED_BYTES: usize = 64 << 10;

/// Columns from one tab stop to the next.
// What terminals and most editors use.
const TAB_COLUMNS: usize = 8;

/// The shortest line that a program justifies.
const MIN_JUSTIFIED_COLUMNS: usize = 50;

/// True if the columns or the indentation of a block must stay.
pub(super) fn is_shaped(block: &str) -> bool {
    if !may_be_shaped(block) || block.trim().len() > MAX_SHAPED_BYTES {
        return false;
    }
    let lines: Vec<&str> =
        block.split(is_line_end).map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines.len() > 1 && (is_table(&lines) || is_code(&lines))
}

/// The blocks of `text` from `start` on whose shape must stay.
pub(super) fn shaped_blocks(text: &str, start: usize) -> Vec<Span> {
    let mut found = Vec::new();
    if !may_be_shaped(&text[start..]) {
        return found;
    }
    let mut block = Span::new(start, start);
    let mut at = start;
    while at < text.len() {
        let end = text[at..].find(is_line_end).map_or(text.len(), |len| at + len);
        let after = end + text[end..].chars().next().map_or(0, char::len_utf8);
        let is_blank = text[at..end].trim().is_empty();
        if !is_blank {
            block.end = end;
        }
        let is_pair = at == end && text[..at].ends_with('\r') && text[at..].starts_with('\n');
        if is_blank && !is_pair || text[end..].starts_with('\u{2029}') {
            found.extend(Some(block).filter(|block| is_shaped(&text[block.range()])));
            block = Span::new(after, after);
        } else if is_blank && block.start == block.end {
            block = Span::new(after, after);
        }
        at = after;
    }
    found.extend(Some(block).filter(|block| is_shaped(&text[block.range()])));
    found
}

/// The end of the last block that no later text can continue: a blank line begins there.
pub(super) fn end_of_blocks(text: &str) -> usize {
    let mut blank: Option<usize> = None;
    for (at, c) in text.char_indices().rev() {
        if c == '\u{2029}' {
            return at + c.len_utf8();
        }
        if is_line_end(c) {
            let is_pair = c == '\r' && blank == Some(at + 1) && text[at + 1..].starts_with('\n');
            if blank.is_some() && !is_pair {
                return at + c.len_utf8();
            }
            blank = Some(at);
        } else if !c.is_whitespace() {
            blank = None;
        }
    }
    0
}

/// Where the block ends that continues at the start of `text`: the start of the first blank line after its first line.
pub(super) fn end_of_first_block(text: &str) -> Option<usize> {
    let mut at = text.find(is_line_end)?;
    loop {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let start = at + if rest.starts_with("\r\n") { 2 } else { first.len_utf8() };
        let end = start + text[start..].find(is_line_end)?;
        if first == '\u{2029}' || text[start..end].trim().is_empty() {
            return Some(start);
        }
        at = end;
    }
}

fn is_line_end(c: char) -> bool {
    WhiteSpaceKind::of(TextKind::Prose, c).is_some_and(|white| white != WhiteSpaceKind::Blank)
}

/// A quick test that most prose fails.
fn may_be_shaped(text: &str) -> bool {
    memchr::memchr(b'\t', text.as_bytes()).is_some() || memchr::memmem::find(text.as_bytes(), b"  ").is_some()
}

/// A cell of a line: a run of words that two blanks or a tab part from the one before.
#[derive(Debug, Clone, Copy)]
struct Cell {
    start: usize,
    end: usize,
    /// Columns before it.
    gap: usize,
}

/// True for lines in most of which a cell begins or ends at the same column, or tabs part the same number of cells.
fn is_table(lines: &[&str]) -> bool {
    let rows: Vec<Vec<Cell>> = lines.iter().map(|line| cells(line)).collect();
    let tabs = |line: &&&str| line.trim_start().matches('\t').count();
    let most = lines.iter().map(|line| tabs(&line)).max().unwrap_or_default();
    // A table may have a title, a rule or a wrapped cell besides.
    let is_most = |count: usize| count > 1 && count * 3 >= lines.len() * 2;
    if most > 0 && is_most(lines.iter().filter(|line| tabs(line) == most).count()) {
        return true;
    }
    if is_justified(&rows) {
        return false;
    }
    let (mut columns, mut has_wide) = (0, false);
    for of in [|cell: &Cell| cell.start, |cell: &Cell| cell.end] {
        let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for cell in rows.iter().flat_map(|row| row.iter().skip(1)) {
            let (count, gap) = counts.entry(of(cell)).or_default();
            (*count, *gap) = (*count + 1, cell.gap.max(*gap));
        }
        let aligned = counts.values().filter(|(count, _)| is_most(*count));
        let before = columns;
        aligned.for_each(|(_, gap)| (columns, has_wide) = (columns + 1, has_wide || *gap > 2));
        // One column with gaps of two blanks occurs in prose by chance.
        if columns > before && (has_wide || columns - before > 1) {
            return true;
        }
    }
    false
}

/// The cells of a line. Two spaces after the end of a sentence part no cells.
fn cells(line: &str) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let (mut column, mut blanks, mut has_tab, mut last) = (0, 0, false, ' ');
    for c in line.chars() {
        let next = match c {
            '\t' => (column / TAB_COLUMNS + 1) * TAB_COLUMNS,
            // Wide characters take two columns (UAX 11).
            c => column + if is_wide(c) { 2 } else { 1 },
        };
        if c == ' ' || c == '\t' {
            (blanks, has_tab) = (blanks + next - column, has_tab || c == '\t');
        } else {
            // Typists put two spaces after a sentence.
            let after_sentence = blanks == 2 && !has_tab && ".!?:;,\"'”’)".contains(last);
            match cells.last_mut() {
                Some(cell) if blanks < 2 && !has_tab || after_sentence => cell.end = next,
                _ => cells.push(Cell { start: column, end: next, gap: blanks }),
            }
            (blanks, has_tab, last) = (0, false, c);
        }
        column = next;
    }
    cells
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}')
}

/// True for a paragraph whose lines, except the last, were spread to the same width: gaps of two columns in long lines
/// that end at one column.
fn is_justified(rows: &[Vec<Cell>]) -> bool {
    let ends: Vec<usize> = rows.iter().filter_map(|row| row.last()).map(|cell| cell.end).collect();
    let Some((_, full)) = ends.split_last() else { return false };
    let width = full.iter().copied().max().unwrap_or_default();
    let flush = full.iter().filter(|&&end| end == width).count();
    let gaps = || rows.iter().flat_map(|row| row.iter().skip(1)).map(|cell| cell.gap);
    full.len() > 1
        && width >= MIN_JUSTIFIED_COLUMNS
        && flush * 5 >= full.len() * 4
        && gaps().filter(|&gap| gap <= 2).count() * 3 >= gaps().count() * 2
}

/// True for indented lines most of which read like code.
fn is_code(lines: &[&str]) -> bool {
    // The lines of code without indentation are kept by `ParagraphCandidate::is_no_prose`.
    if !lines.iter().any(|line| line.starts_with("  ") || line.starts_with('\t')) {
        return false;
    }
    // A single one may be a sentence with a colon.
    let has_pairs = lines.iter().filter(|line| is_pair(line.trim_start())).count() > 1;
    let reads = |line: &&&str| {
        let text = line.trim_start();
        is_code_line(text) && !is_sentence(text) || has_pairs && is_pair(text)
    };
    lines.iter().filter(reads).count() * 5 >= lines.len() * 3
}

/// How lines of code end.
const CODE_ENDS: &[&str] =
    &["{", "}", ";", "(", ");", "},", "[", "]", "],", "\\", "*/", "=>", "->", "):", "&&", "||", "/>"];

/// How they begin: signs, statements, commands of a shell, frames of a stack trace.
const CODE_STARTS: &[&str] = &[
    "}",
    "{",
    "//",
    "/*",
    "#include",
    "#define",
    "#if",
    "#endif",
    "#!",
    "</",
    "<?",
    "<!",
    "@",
    "$ ",
    "% ",
    "./",
    "--",
    "import ",
    "def ",
    "fn ",
    "func ",
    "return ",
    "export ",
    "sudo ",
    "File \"",
    "Traceback (",
    "Caused by: ",
    "goroutine ",
    "echo ",
    "printf",
    "elif ",
    "#[",
    "apt-get ",
    "git ",
    "cd /",
    "make ",
    "|",
    "&& ",
];

/// How statements begin that end with a colon.
const CODE_HEADS: &[&str] =
    &["for ", "while ", "if ", "class ", "with ", "except", "case ", "match ", "async "];

/// Signs inside of them.
const CODE_SIGNS: &[&str] = &[
    " = ", " == ", " != ", ":= ", " += ", "()", "::", "->", " => ", " && ", " || ", "=\"", "='", "[0]",
    " | ", "$(",
];

/// Lines of code that are one word.
const CODE_WORDS: &[&str] = &["else", "else:", "end", "fi", "done", "then", "do", "try:", "begin", "pass"];

/// A line that only a program reads: statements, brackets, commands, frames of a stack trace, log lines.
fn is_code_line(text: &str) -> bool {
    let is_frame = text.starts_with("at ") && text.ends_with(')')
        || text.split_once(": ").is_some_and(|(number, rest)| {
            number.bytes().all(|byte| byte.is_ascii_digit()) && (rest.contains("::") || rest.contains("0x"))
        })
        || text.starts_with("at ") && text.contains('/') && text.contains(':');
    let is_head = text.ends_with(':') && CODE_HEADS.iter().any(|head| text.starts_with(head));
    let is_tag = text.starts_with('<') && text.ends_with('>');
    let is_call = text.ends_with(')') && text.find('(').is_some_and(|at| at > 0 && !text[..at].contains(' '));
    is_frame
        || is_head
        || is_tag
        || is_call
        || CODE_ENDS.iter().any(|end| text.ends_with(end))
        || CODE_STARTS.iter().any(|start| text.starts_with(start))
        || CODE_SIGNS.iter().any(|sign| text.contains(sign))
        || CODE_WORDS.contains(&text)
}

/// True for a line of words that only mentions code: changes of `open()` and `close()`.
fn is_sentence(text: &str) -> bool {
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        word.len() > 1 && word.chars().all(|c| c.is_lowercase() || c == '-' || c == '\'')
    };
    let words = text.split_whitespace().count();
    let plain = text.split_whitespace().filter(is_word).count();
    let is_marked = text.ends_with([';', ':', '{', '}', '\\']) || text.starts_with(['/', '#', '$', '@', '<']);
    plain >= 4 && plain * 2 >= words && !is_marked
}

/// `key: value`, `key:`, `- key: value`, and items of YAML, with a key of one word that begins with a small letter or
/// contains a sign of names.
fn is_pair(text: &str) -> bool {
    let text = text.strip_prefix("- ").unwrap_or(text);
    let Some((key, value)) = text.split_once(':') else { return false };
    let is_key = !key.is_empty()
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.\"'/".contains(&byte))
        && key.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_key && (value.is_empty() || value.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_code_have_a_shape() {
        for block in [
            "apples      12   3.50\npears        9   4.20\nplums      104   4.20",
            "Name          Town\nJane Miller   Oldtown\nJohn          Newtown",
            "a\tb\nc\td",
            "  -v, --verbose   say more\n  -q, --quiet     say less",
            "server:\n  port: 8080\n  host: mill.example",
            "    for gate in gates:\n        gate.open()\n        lamp.light()",
            "Exception in thread \"main\" java.lang.Error: no water\n\tat mill.Gate.open(Gate.java:12)\n\tat mill.Main.main(Main.java:3)",
            "int main() {\r\n    return 0;\r\n}",
        ] {
            assert!(is_shaped(block), "{block}");
        }
    }

    #[test]
    fn prose_has_none() {
        for block in [
            "The gate is old.  It was built by a man\nwho knew wood.  Nobody asked  him for it.",
            "  The gate is old and it was built by a man\nwho knew wood.",
            "    a quotation that is indented on both sides as\n    letters and books do",
            "- an item that is\n  continued\n- another",
            "The  river  rose above  the second mark  and the keeper\nwent down  to the lower  gate and looked  at the  water\nfor  a long time.",
            "The lamp\n   was out",
            "• Make open_gate() use the same code as\n  open_all_gates(); the gates that it takes\n  from close_gate() are now ignored",
        ] {
            assert!(!is_shaped(block), "{block}");
        }
    }

    #[test]
    fn blocks_are_found_and_ended() {
        let text = "One.\n\n a   b\nc    d  \n\r\n\r\nlast";
        let spans = shaped_blocks(text, 0);
        assert_eq!(spans.iter().map(|span| &text[span.range()]).collect::<Vec<_>>(), [" a   b\nc    d  "]);
        let text = "int main() {\r\r\n    return 0;\r \n}";
        assert_eq!(shaped_blocks(text, 0), [], "lines that end in a carriage return are blank too");
        for (text, end) in
            [("a\n\nb", 2), ("a\nb\n", 0), ("a\r\n\r\n", 3), ("a\r\n", 0), ("a\u{2029}b", 4), ("a\n \n", 2)]
        {
            assert_eq!(end_of_blocks(text), end, "{text:?}");
        }
        for (text, end) in
            [("a\nb\n\nc", Some(4)), ("\n\nc", Some(1)), ("\nc\n", None), ("x\r\ny\r\n\r\nz", Some(6))]
        {
            assert_eq!(end_of_first_block(text), end, "{text:?}");
        }
    }

    #[test]
    fn cells_are_parted_by_two_blanks_or_a_tab() {
        let check = |line: &str, expected: &[(usize, usize, usize)]| {
            let found: Vec<(usize, usize, usize)> =
                cells(line).iter().map(|cell| (cell.start, cell.end, cell.gap)).collect();
            assert_eq!(found, expected, "{line:?}");
        };
        check("", &[]);
        check("ab cd", &[(0, 5, 0)]);
        check("ab  cd", &[(0, 2, 0), (4, 6, 2)]);
        check("  ab", &[(2, 4, 2)]);
        check("ab.  cd", &[(0, 7, 0)]);
        check("ab.   cd", &[(0, 3, 0), (6, 8, 3)]);
        check("ab\tcd", &[(0, 2, 0), (8, 10, 6)]);
        check("abcdefg\tcd", &[(0, 7, 0), (8, 10, 1)]);
        check("abcdefgh\tcd", &[(0, 8, 0), (16, 18, 8)]);
        check("abcdef.\tcd", &[(0, 7, 0), (8, 10, 1)]);
        check("abcde. \tcd", &[(0, 6, 0), (8, 10, 2)]);
        check("字字  a", &[(0, 4, 0), (6, 7, 2)]);
        check("a b  c d", &[(0, 3, 0), (5, 8, 2)]);
        for mark in ".!?:;,\"'”’)".chars() {
            assert_eq!(cells(&format!("ab{mark}  cd")).len(), 1, "{mark}");
        }
    }

    #[test]
    fn wide_letters_take_two_columns() {
        let ranges = [
            ('\u{1100}', '\u{115f}'),
            ('\u{2e80}', '\u{a4cf}'),
            ('\u{ac00}', '\u{d7a3}'),
            ('\u{f900}', '\u{faff}'),
            ('\u{fe30}', '\u{fe6f}'),
            ('\u{ff00}', '\u{ff60}'),
            ('\u{ffe0}', '\u{ffe6}'),
        ];
        for (first, last) in ranges {
            assert!(is_wide(first) && is_wide(last), "{first}");
        }
        assert!(!['a', 'é', '\u{10ff}', '\u{1160}', '\u{ff61}', '\u{ffe7}'].into_iter().any(is_wide));
    }

    /// Lines of two cells: where the second one starts and ends.
    fn rows(cells: &[(usize, usize, usize)]) -> Vec<Vec<Cell>> {
        let row = |(gap, start, end): &(usize, usize, usize)| {
            vec![Cell { start: 0, end: start - gap, gap: 0 }, Cell { start: *start, end: *end, gap: *gap }]
        };
        cells.iter().map(row).collect()
    }

    #[test]
    fn justified_lines_end_at_one_column_after_narrow_gaps() {
        let check = |cells: &[(usize, usize, usize)], expected| {
            assert_eq!(is_justified(&rows(cells)), expected, "{cells:?}");
        };
        let (full, last) = ((2, 20, 50), (2, 20, 30));
        check(&[full, full, last], true);
        check(&[full, last], false);
        check(&[(2, 20, 49), (2, 20, 49), last], false);
        check(&[full, full, full, full, (2, 20, 40), last], true);
        check(&[full, full, full, (2, 20, 40), last], false);
        check(&[full, full, (3, 20, 50)], true);
        check(&[full, (3, 20, 50), (3, 20, 50)], false);
        check(&[], false);
    }

    #[test]
    fn two_thirds_of_the_lines_of_a_table_are_aligned() {
        let check = |lines: &[&str], expected| assert_eq!(is_table(lines), expected, "{lines:#?}");
        check(&["a\tb", "c\td", "e"], true);
        check(&["a\tb", "c", "e"], false);
        check(&["a\tb", "c\td", "e", "f"], false);
        check(&["a\tb\tc", "c\td", "e\tf\tg"], true);
        check(&["\ta", "\tb"], false);
        check(&["ab   cd", "x    cd", "yz"], true);
        check(&["ab  cd", "xy  cd", "zz  c"], false);
        check(&["ab  cd", "xy  cd"], false);
        check(&["ab  cd  ef", "xy  zz  g"], true);
        check(&["ab   cd", "x    c", "yz", "zz"], false);
        check(&["ab   cd", "abc   d"], true);
        check(&["ab  cd", "abc  d"], false);
        check(&["ab cd", "xy zz"], false);
    }

    #[test]
    fn three_fifths_of_the_lines_of_code_read_like_code() {
        let check = |code: usize, words: usize, expected: bool| {
            let lines = [vec!["  x = 1;"; code], vec!["plain words"; words]].concat();
            assert_eq!(is_code(&lines), expected, "{code} {words}");
        };
        check(3, 2, true);
        check(2, 2, false);
        check(1, 0, true);
        check(5, 4, false);
        check(6, 4, true);
        assert!(!is_code(&["x = 1;", "y = 2;"]));
        assert!(!is_code(&[" x = 1;", "y = 2;"]));
        assert!(is_code(&["\tx = 1;", "y = 2;"]));
        assert!(is_code(&["a: b", "  c: d"]));
        assert!(!is_code(&["a: b", "  words"]));
    }

    #[test]
    fn lines_of_code_have_its_beginnings_ends_signs_or_words() {
        for end in CODE_ENDS {
            assert!(is_code_line(&format!("word{end}")), "{end}");
        }
        for start in CODE_STARTS {
            assert!(is_code_line(&format!("{start}word")), "{start}");
        }
        for head in CODE_HEADS {
            assert!(is_code_line(&format!("{head}word:")), "{head}");
            assert!(!is_code_line(&format!("{head}word")), "{head}");
        }
        for sign in CODE_SIGNS {
            assert!(is_code_line(&format!("word{sign}word")), "{sign}");
        }
        assert!(CODE_WORDS.iter().all(|word| is_code_line(word) && !is_code_line(&format!("{word} so"))));
        for line in [
            "at mill.Gate(Gate.java)",
            "12: mill::gate",
            "12: 0x00ff",
            "at src/gate.rs:12",
            "<b>word</b>",
            "open(gate)",
        ] {
            assert!(is_code_line(line), "{line}");
        }
        for line in [
            "at last (again",
            "a2: 0xff",
            "12: words",
            "at home: words",
            "at home/mill",
            "<b> is a tag",
            "a > b>",
            "(words)",
            "words (in brackets)",
            "plain words",
            "words:",
        ] {
            assert!(!is_code_line(line), "{line}");
        }
    }

    #[test]
    fn a_sentence_has_four_plain_words_that_are_half_of_it() {
        for (text, expected) in [
            ("make the old gate open() again", true),
            ("make the Old open()", false),
            ("make the old gate A B C D", true),
            ("make the old gate A B C D E", false),
            ("make well-known gates' ends", true),
            ("make the old gate;", false),
            ("make the old gate:", false),
            ("make the old gate {", false),
            ("make the old gate }", false),
            ("make the old gate \\", false),
            ("/make the old gate", false),
            ("# make the old gate", false),
            ("$ make the old gate", false),
            ("@ make the old gate", false),
            ("< make the old gate", false),
            ("make a b c d e", false),
        ] {
            assert_eq!(is_sentence(text), expected, "{text}");
        }
    }

    #[test]
    fn a_pair_has_a_key_of_one_word() {
        for (text, expected) in [
            ("key: value", true),
            ("key:", true),
            ("- key: value", true),
            ("some_key-1.x: 2", true),
            ("'key'/\"b\": 2", true),
            ("key:value", false),
            ("a key: value", false),
            (": value", false),
            ("12: value", false),
            ("key", false),
        ] {
            assert_eq!(is_pair(text), expected, "{text}");
        }
    }

    #[test]
    fn long_blocks_and_single_lines_have_no_shape() {
        let block = |length: usize| format!("a\tb\n{}\tc", "x".repeat(length - 6));
        assert!(is_shaped(&block(MAX_SHAPED_BYTES)) && !is_shaped(&block(MAX_SHAPED_BYTES + 1)));
        assert!(!is_shaped("a\tb") && !is_shaped("a\tb\n\n") && is_shaped("a\tb\n\nc\td"));
    }

    #[test]
    fn shaped_blocks_are_found_from_a_position_on() {
        let check = |text: &str, start: usize, expected: &[&str]| {
            let found = shaped_blocks(text, start);
            assert_eq!(
                found.iter().map(|span| &text[span.range()]).collect::<Vec<_>>(),
                expected,
                "{text:?}"
            );
        };
        check("a\tb\nc\td\n\ne\tf\ng\th", 0, &["a\tb\nc\td", "e\tf\ng\th"]);
        check("a\tb\nc\td\n\ne\tf\ng\th", 4, &["e\tf\ng\th"]);
        check("a\tb\r\nc\td\r\n\r\nplain", 0, &["a\tb\r\nc\td"]);
        check("a\tb\nc\td\u{2029}e\tf\ng\th", 0, &["a\tb\nc\td", "e\tf\ng\th"]);
        check("\n \na\tb\nc\td\n \n", 0, &["a\tb\nc\td"]);
        check("a b\nc d", 0, &[]);
    }
}
