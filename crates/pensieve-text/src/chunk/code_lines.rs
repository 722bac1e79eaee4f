//! The lines of code by what each one is: a comment, an attribute, text inside a string, a bracket that opens or closes.
//!
//! Comments and strings of several lines are followed by state, from their opening to their end, so that a line inside
//! is not judged by its look. What opens and is never closed is no comment (`rm build/*`), and no language is named:
//! where two languages disagree about a sign, the words around it decide.

use super::lines::{LineSpan, lines};
use crate::model::Span;
use memchr::memmem;

/// What a line of code is, by its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    /// A comment, or a line inside of one.
    Comment,
    /// An attribute, annotation or decorator, or a line inside of one; also a type on a line above the name it is for.
    Attribute,
    /// A line of a preprocessor, at whatever indentation.
    Directive,
    /// A line inside a string of several lines, or the first line of a string that is a statement: a docstring.
    Text,
    /// A bracket alone, which belongs to the line above.
    Opening,
    /// The end of a block, and whatever follows on its line.
    Closing,
    /// `else`, `except` and other parts of the statement above.
    Branch,
    Code,
}

/// A line with its kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodeLine {
    pub span: LineSpan,
    /// Blank lines inside a comment or a string are of its kind.
    pub kind: LineKind,
    /// True for the lines of a comment or string after its first.
    pub is_inside: bool,
}

impl CodeLine {
    pub(super) fn words<'t>(&self, text: &'t str) -> &'t str {
        self.span.words(text)
    }

    pub(super) fn indent(&self) -> usize {
        self.span.indent
    }
}

/// What spans lines: its beginning, its end, if it must begin a line, and what the lines inside are.
type Block = (&'static str, &'static str, bool, LineKind);

// Of C, Python, JavaScript, Rust, PostgreSQL, Lua, XML, Haskell, OCaml, PowerShell, Lisp, Ruby and Perl.
// `=begin` stands before the `=` that it begins with.
const BLOCKS: [Block; 14] = [
    ("/*", "*/", false, LineKind::Comment),
    ("\"\"\"", "\"\"\"", false, LineKind::Text),
    ("'''", "'''", false, LineKind::Text),
    ("`", "`", false, LineKind::Text),
    ("r#\"", "\"#", false, LineKind::Text),
    ("$$", "$$", false, LineKind::Code),
    ("--[[", "]]", false, LineKind::Comment),
    ("<!--", "-->", true, LineKind::Comment),
    ("{-", "-}", true, LineKind::Comment),
    ("(*", "*)", true, LineKind::Comment),
    ("<#", "#>", true, LineKind::Comment),
    ("#|", "|#", true, LineKind::Comment),
    ("=begin", "\n=end", true, LineKind::Comment),
    ("=", "\n=cut", true, LineKind::Comment),
];

/// A longer comment or string is taken for code: its beginning and its end hardly belong together.
const MAX_BLOCK_BYTES: usize = 64 * 1024;

/// After so many signs of here-documents without an end, `<<` is taken for an operator, so that the cost stays linear.
const MAX_ENDLESS: usize = 64;

/// All lines of a text.
///
/// Cost: linear in the text; the end of each kind of block is looked for once.
pub(super) fn code_lines(text: &str) -> Vec<CodeLine> {
    let mut scan = BlockScan { text, ends: [None; BLOCKS.len()], endless: 0 };
    let mut found: Vec<CodeLine> = Vec::new();
    let mut inside: Option<(usize, LineKind)> = None;
    let mut attribute: Option<usize> = None;
    for span in lines(text, Span::new(0, text.len())) {
        let mut line = CodeLine { span, kind: LineKind::Blank, is_inside: false };
        let mut from = span.words;
        let within = inside.filter(|(end, _)| span.start < *end);
        if let Some((end, kind)) = within {
            // The lines of a `$$` body are code one level below the statement that they belong to.
            let is_code = kind == LineKind::Code && end > span.end;
            (line.kind, line.is_inside) = (kind, kind != LineKind::Code);
            if is_code {
                line.span.indent += 4;
                line.kind = kind_of(text, &span);
            } else if kind == LineKind::Code {
                line.kind = LineKind::Closing;
            }
            from = end;
        } else if !span.is_blank() {
            line.kind = kind_of(text, &span);
        }
        if let Some(indent) = attribute.filter(|_| !span.is_blank() && within.is_none()) {
            // Arguments are indented more than their attribute, the closing bracket is not.
            let is_last = span.indent <= indent;
            if !is_last || line.kind == LineKind::Closing {
                line.kind = LineKind::Attribute;
            }
            attribute = attribute.filter(|_| !is_last);
        } else if line.kind == LineKind::Attribute && depth_change(span.words(text)) > 0 {
            attribute = Some(span.indent);
        }
        if from < span.end && !span.is_blank() {
            let is_attribute = line.kind == LineKind::Attribute;
            let kind = |kind| if is_attribute { LineKind::Attribute } else { kind };
            inside = scan.open_at_end(from, &span).map(|(end, inner)| (end, kind(inner)));
        }
        join_type_above(text, &mut found, &line);
        found.push(line);
    }
    found
}

/// `static int` on a line of its own, above `name (int a)`, is part of the definition.
fn join_type_above(text: &str, found: &mut [CodeLine], line: &CodeLine) {
    let Some(above) = found.last_mut().filter(|above| above.kind == LineKind::Code) else { return };
    let (kind, words) = (above.words(text), line.words(text));
    let is_name = |words: &str| {
        let name = words.split('(').next().unwrap_or_default().trim_end();
        words.len() > name.len()
            && !name.is_empty()
            // Destructors have a tilde, qualified names have colons.
            && name.chars().all(|c| is_name_char(c) || "~:".contains(c))
    };
    let is_type = |c: char| is_name_char(c) || " \t*&<>:,".contains(c);
    let is_head = above.indent() == line.indent() && line.kind == LineKind::Code && is_name(words);
    // A line that ends with `else` or `return` is a statement, no type.
    let is_statement = |last: &str| matches!(last, "else" | "do" | "try" | "begin" | "then" | "return");
    if is_head
        && !words.ends_with(';')
        && kind.chars().all(is_type)
        // Labels end with a colon, elements of lists with a comma.
        && !kind.ends_with([',', ':'])
        && !is_statement(kind.rsplit(' ').next().unwrap_or_default())
    {
        above.kind = LineKind::Attribute;
    }
}

/// Looks for comments and strings that go on beyond their line.
struct BlockScan<'t> {
    text: &'t str,
    /// Where each kind of block was looked for last, and where its next end is.
    ends: [Option<(usize, Option<usize>)>; BLOCKS.len()],
    /// How many here-documents had no end.
    endless: usize,
}

impl BlockScan<'_> {
    /// The end of the block that is open at the end of a line, read from `from` on, and what the lines inside are.
    fn open_at_end(&mut self, from: usize, line: &LineSpan) -> Option<(usize, LineKind)> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < line.end {
            let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
            let may_matter = match bytes[at] {
                // No other byte begins a block, a string or a comment.
                b'"' | b'\'' | b'`' => true,
                b'/' => matches!(next, b'*' | b'/'),
                b'-' | b'<' | b'$' => next == bytes[at] || at == line.words,
                b'#' => true,
                b'r' => next == b'#',
                b'{' | b'(' | b'=' => at == line.words,
                _ => false,
            };
            if !may_matter {
                at += 1;
                continue;
            }
            let rest = &self.text[at..line.end];
            let before = self.text[line.words..at].chars().next_back();
            let is_apart = before.is_none_or(char::is_whitespace);
            if let Some((open, end, kind)) = self.block_at(rest, at, line, before) {
                if end > line.end {
                    return Some((end, kind));
                }
                at = end.max(at + open);
                continue;
            }
            at += match bytes[at] {
                // A string that goes on beyond its line hides the rest of it.
                b'"' => 1 + quoted_len(&rest.as_bytes()[1..], b'"')?,
                // An apostrophe, or a lifetime of Rust, has no end.
                b'\'' => 1 + quoted_len(&rest.as_bytes()[1..], b'\'').unwrap_or(0),
                // `http://` begins no comment.
                b'/' if rest.starts_with("//") && before != Some(':') => return None,
                // `#[...]` is an attribute in Rust and PHP.
                b'#' if is_apart && !rest.starts_with("#[") => return None,
                // SQL, Lua and Haskell; `--x` is a decrement.
                b'-' if is_apart && rest.starts_with("-- ") => return None,
                b'<' if rest.starts_with("<<") => match self.here_document(at, line) {
                    Some(end) => return Some((end, LineKind::Text)),
                    None => 2,
                },
                _ => 1,
            };
        }
        None
    }

    /// The length of the beginning of a block that begins here, its end and its kind.
    fn block_at(
        &mut self,
        rest: &str,
        at: usize,
        line: &LineSpan,
        before: Option<char>,
    ) -> Option<(usize, usize, LineKind)> {
        let which = BLOCKS.iter().position(|(open, _, begins_line, _)| {
            let after = rest.strip_prefix(open).and_then(|after| after.chars().next());
            rest.starts_with(open)
                && (!begins_line || at == line.words)
                && match *open {
                    // `build/*` is a pattern of files.
                    "/*" => before.is_none_or(|c| c.is_whitespace() || "(,;{}=".contains(c)),
                    // A template of JavaScript follows its tag, a bracket or an operator.
                    "`" => {
                        before.is_some_and(|c| is_name_char(c) || " \t=(,:+?[{&|".contains(c))
                            && after != Some('(')
                    }
                    // `br#"` too.
                    "r#\"" => before.is_none_or(|c| !is_name_char(c) || c == 'b'),
                    "$$" => before.is_none_or(char::is_whitespace) && after.is_none_or(char::is_whitespace),
                    // `(*name)` of C uses a pointer.
                    "(*" => after.is_none_or(|c| c.is_whitespace() || c == '*'),
                    // Perl's documentation begins in the first column (`=head1`).
                    "=" => at == line.start && after.is_some_and(|c| c.is_ascii_lowercase()),
                    _ => true,
                }
        })?;
        let (open, close, _, kind) = BLOCKS[which];
        let from = at + open.len();
        // The end that was found from an earlier sign is that of this one too, unless it has been passed.
        let known =
            self.ends[which].filter(|(since, end)| *since <= from && end.is_none_or(|end| end >= from));
        let end = match known {
            Some((_, end)) => end,
            None => memmem::find(&self.text.as_bytes()[from..], close.as_bytes()).map(|by| from + by),
        };
        self.ends[which] = Some((known.map_or(from, |(since, _)| since), end));
        let end = end.filter(|end| end - from <= MAX_BLOCK_BYTES)?;
        Some((open.len(), end + close.len(), kind))
    }

    /// The end of the text that begins after a line with `<<EOF`: the line that is the word alone.
    fn here_document(&mut self, at: usize, line: &LineSpan) -> Option<usize> {
        let word = self.text[at..line.end].trim_start_matches('<').trim_start_matches(['-', '~']);
        let word = word.trim_start_matches(['"', '\'']);
        // Delimiters of here-documents are capitals by convention; at least two, as `1 << N` shifts.
        let len = word.bytes().take_while(|b| b.is_ascii_uppercase() || *b == b'_').count();
        let mut start = line.end;
        let reach = self.text.len().min(start + MAX_BLOCK_BYTES);
        while len >= 2 && start < reach && self.endless < MAX_ENDLESS {
            let next = memchr::memchr(b'\n', &self.text.as_bytes()[start..]).map(|by| start + by + 1)?;
            let end =
                memchr::memchr(b'\n', &self.text.as_bytes()[next..]).map_or(self.text.len(), |by| next + by);
            // PHP, Ruby and Perl may close the call there: `EOF;`, `EOF)`.
            if self.text[next..end].trim().trim_end_matches([';', ',', ')']) == &word[..len] {
                return Some(end);
            }
            start = end;
        }
        self.endless += usize::from(len >= 2);
        None
    }
}

/// Bytes to the end of a string that ends on its line, its quote included.
fn quoted_len(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// What a line is that begins outside of comments and strings.
fn kind_of(text: &str, line: &LineSpan) -> LineKind {
    let words = line.words(text);
    let Some(&first) = words.as_bytes().first() else { return LineKind::Blank };
    // No comment or block begins with a sign beyond ASCII.
    if !first.is_ascii() {
        return LineKind::Code;
    }
    if first.is_ascii_alphabetic() {
        let word = words.split(|c: char| !is_name_char(c)).next().unwrap_or_default();
        return match word {
            _ if is_end(words, word) => LineKind::Closing,
            // Of Python, Ruby, Perl, PHP, Lua, Java, MATLAB and Visual Basic; `and` and `or` continue a
            // condition.
            "else" | "elif" | "elsif" | "elseif" | "Else" | "ElseIf" | "catch" | "except" | "finally"
            | "rescue" | "ensure" | "otherwise" | "and" | "or" => LineKind::Branch,
            // `template <class T>` is about the C++ function below.
            "template" if words.ends_with('>') => LineKind::Attribute,
            "r" | "R" | "u" | "b" | "f" if is_docstring(&words[1..]) => LineKind::Text,
            // BASIC and batch files.
            _ if word.eq_ignore_ascii_case("rem") && words[3..].starts_with(' ') => LineKind::Comment,
            _ => LineKind::Code,
        };
    }
    match first {
        b'#' | b'[' | b'@' => marked_kind(words),
        b'}' | b')' | b']' => LineKind::Closing,
        b'{' | b'(' if words.len() == 1 => LineKind::Opening,
        // An end tag, or the end of a `$$` body.
        _ if words.starts_with("</") || words.starts_with("$$") => LineKind::Closing,
        _ if is_comment(first, words) => LineKind::Comment,
        _ if is_docstring(words) => LineKind::Text,
        _ if is_continuation(first, words) => LineKind::Branch,
        _ => LineKind::Code,
    }
}

/// True for a line that begins with an operator between two operands.
fn is_continuation(first: u8, words: &str) -> bool {
    match first {
        // The next call of a chain.
        b'.' => words[1..].starts_with(|c: char| c.is_ascii_lowercase()) && words.contains('('),
        b'?' | b':' | b'=' | b'+' => matches!(words.as_bytes().get(1), Some(b' ' | b'>' | b'?')),
        b'&' | b'|' => matches!(words.as_bytes().get(1), Some(b'&' | b'|' | b'>')),
        _ => words.starts_with("->"),
    }
}

/// Lines that begin with `#`, `[` or `@`: comments, directives, attributes, and what only looks like one.
fn marked_kind(words: &str) -> LineKind {
    let after = &words[1..];
    let word = after.split(|c: char| !is_name_char(c)).next().unwrap_or_default();
    match words.as_bytes()[0] {
        b'#' if after.starts_with(['[', '!']) && after.contains('[') => LineKind::Attribute,
        b'#' => match word {
            "endif" | "endregion" => LineKind::Closing,
            "else" | "elif" => LineKind::Branch,
            "if" | "ifdef" | "ifndef" | "define" | "undef" | "include" | "pragma" | "region" | "import" => {
                LineKind::Directive
            }
            _ => LineKind::Comment,
        },
        // Attributes of modules in Elixir.
        b'@' if matches!(word, "doc" | "spec" | "impl" | "typedoc") => LineKind::Attribute,
        // Objective-C.
        b'@' if word == "end" => LineKind::Closing,
        b'@' if is_all_attributes(words) => LineKind::Attribute,
        b'[' if words.len() == 1 => LineKind::Opening,
        b'[' if after.starts_with(|c: char| c.is_alphabetic() || c == '<') => {
            if is_all_attributes(words) {
                LineKind::Attribute
            } else {
                LineKind::Code
            }
        }
        _ => LineKind::Code,
    }
}

fn is_all_attributes(words: &str) -> bool {
    // With its function on the same line it is code.
    let rest = without_attributes(words);
    rest.is_empty() || rest.starts_with("//") || rest.starts_with("# ")
}

/// A line without the attributes at its beginning: `@Test void a()`, `[Fact] void A()`, `#[test] fn a()`. Nothing is left
/// if an attribute goes on after its line.
pub(super) fn without_attributes(words: &str) -> &str {
    let mut rest = words;
    loop {
        let after = match rest.as_bytes().first() {
            Some(b'@') => {
                let name =
                    rest[1..].find(|c: char| !is_name_char(c) && c != '.').map_or(rest.len(), |by| by + 1);
                if name == 1 {
                    return rest;
                }
                &rest[name..]
            }
            Some(b'#') if rest.starts_with("#[") => &rest[1..],
            Some(b'[') => rest,
            _ => return rest,
        };
        rest = match after.as_bytes().first() {
            Some(b'(' | b'[') => match closing_of(after) {
                Some(end) => after[end..].trim_start(),
                // The parentheses go on in the next line.
                None if after.len() < rest.len() || after[1..].contains('(') => "",
                None => return rest,
            },
            _ => after.trim_start(),
        };
    }
}

/// The byte after the bracket that closes the one that a text begins with, strings aside.
pub(super) fn closing_of(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            // Brackets in strings do not count.
            quote @ (b'"' | b'\'') => at += quoted_len(&bytes[at + 1..], quote).unwrap_or(0),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Opening parentheses and brackets of a line less its closing ones.
pub(super) fn depth_change(words: &str) -> isize {
    let count = |signs: [char; 2]| words.matches(signs).count() as isize;
    count(['(', '[']) - count([')', ']'])
}

/// True for a comment that takes the whole line.
fn is_comment(first: u8, words: &str) -> bool {
    let next = words[1..].chars().next();
    match first {
        b'/' => matches!(next, Some('/' | '*')),
        b'<' => words.starts_with("<!--") || words.starts_with("<#"),
        b'{' => next == Some('-'),
        b'(' => words.starts_with("(* ") || words.starts_with("(**"),
        // `--i;` is a decrement.
        b'-' => next == Some('-') && !(words.ends_with(';') && words[2..].starts_with(is_name_char)),
        // Lisp, assemblers, INI files.
        b';' => matches!(next, Some(';' | ' ')),
        // Fortran.
        b'!' => next == Some(' '),
        // TeX, MATLAB, Erlang.
        b'%' => matches!(next, None | Some(' ' | '%')),
        // A line of a comment of C that began before the text.
        b'*' => matches!(next, None | Some(' ' | '/')),
        b'=' => words.starts_with("=begin") || words.starts_with("=cut") || words.starts_with("=end"),
        // Vim; a string has a second quote.
        b'"' => next == Some(' ') && !words[1..].contains('"'),
        // Visual Basic, whose comments may have apostrophes between letters.
        b'\'' => !has_closing_quote(&words[1..]),
        _ => false,
    }
}

/// True if a single quote that is no apostrophe follows.
fn has_closing_quote(words: &str) -> bool {
    let bytes = words.as_bytes();
    let is_letter = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphabetic);
    memchr::memchr_iter(b'\'', bytes)
        .any(|at| at == 0 || !is_letter(bytes.get(at - 1)) || !is_letter(bytes.get(at + 1)))
}

/// True for a string of several lines that begins its line.
fn is_docstring(words: &str) -> bool {
    words.starts_with("\"\"\"") || words.starts_with("'''")
}

/// True for the end of a block that is a word: `end`, `End Function`, `END;`, `endif`, `fi`, `done`.
fn is_end(words: &str, word: &str) -> bool {
    // Written in one word by PHP, CMake, Octave, Fortran and Verilog.
    const JOINED: [&str; 16] = [
        "if",
        "for",
        "while",
        "foreach",
        "function",
        "macro",
        "module",
        "case",
        "class",
        "task",
        "procedure",
        "switch",
        "do",
        "select",
        "sub",
        "generate",
    ];
    let after = words[word.len()..].trim_start();
    if word.get(..3).is_some_and(|end| end.eq_ignore_ascii_case("end")) {
        let lower = word[3..].to_ascii_lowercase();
        return match lower.is_empty() {
            true => {
                after.is_empty()
                    // `end.join` and `end)` of Ruby, `END /` of Oracle, `END $$` of PostgreSQL.
                    || after.starts_with([';', ',', '.', ')', '}', '/', '$'])
                    || words[3..].starts_with(' ') && after.starts_with(char::is_alphabetic)
            }
            false => JOINED.contains(&lower.as_str()),
        };
    }
    match word {
        "fi" | "done" | "esac" => true,
        // `Next i`; more words are a sentence.
        "Next" | "Wend" => !after.contains(' '),
        "Loop" => after.is_empty() || after.starts_with("While") || after.starts_with("Until"),
        _ => false,
    }
}

/// True for characters of names.
pub(super) fn is_name_char(c: char) -> bool {
    // JavaScript, PHP and shells have `$` in names.
    c == '_' || c == '$' || c.is_ascii_alphanumeric() || (!c.is_ascii() && c.is_alphanumeric())
}
