//! What a line of code defines: `fn name`, `class Name`, `func (r *T) name`, `static int name(`, `name = function`.
//!
//! No grammar is needed, because languages agree on a few forms: a keyword before a name, types before a name with
//! parentheses, a function that is assigned to a name. What only looks like one of them (a call, a condition, a
//! sentence) is told apart by the words before the name and by what stands after it.

use super::code_lines::{CodeLine, LineKind, closing_of, code_lines, is_name_char, without_attributes};
use super::heading_path::HeadingPath;
use DefinitionKind::{Callable, Container, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

type WordSet = LazyLock<FxHashSet<&'static str>>;

fn word_set(words: &'static str) -> FxHashSet<&'static str> {
    words.split(' ').collect()
}

/// What a keyword defines.
static KEYWORDS: LazyLock<FxHashMap<&'static str, DefinitionKind>> = LazyLock::new(|| {
    let kinds = [
        (
            Container,
            // As C++, Java, Rust, Swift, Kotlin, Scala, Elixir, Solidity, VHDL, Protocol Buffers and
            // Visual Basic spell them.
            "class struct interface trait enum union record object module mod namespace impl extension \
        protocol actor contract library message service defmodule defprotocol entity architecture Class \
        Module Structure Interface Enum Namespace",
        ),
        (
            Callable,
            // `def` of Python, Ruby and Scala, `defp` of Elixir, `defun` of Lisp, `sub` of Perl, `rpc` of Protocol
            // Buffers.
            "fn func fun function def defp defmacro defn defun defmethod sub proc procedure method macro \
        macro_rules subroutine rpc task Function Sub Property Procedure",
        ),
        (Value, "type typealias typedef using alias newtype defvar defconst defparameter define"),
    ];
    kinds.iter().flat_map(|(kind, words)| words.split(' ').map(|word| (word, *kind))).collect()
});

/// Words before a keyword or a type.
static MODIFIERS: WordSet = LazyLock::new(|| {
    word_set(
        "abstract async case companion const constexpr data declare default explicit export extern external \
        fileprivate final friend get global implicit indirect infix inline inner internal lateinit lazy mut \
        mutating native new open operator override partial private protected pub public readonly rec ref \
        required sealed set static suspend synchronized tailrec transient unsafe val var virtual volatile \
        Private Public Friend Protected Shared Overrides Overridable Get Let Set Async",
    )
});

/// Words that stand after a name or inside a sentence, and are no names.
static BETWEEN: WordSet = LazyLock::new(|| {
    word_set(
        "extends implements for where is as of with on in and or the from to private internal throws returns \
        Implements Handles inherits",
    )
});

/// Words with parentheses that define nothing.
static CONTROL: WordSet = LazyLock::new(|| {
    word_set(
        "if for while switch catch foreach match with using lock unless until elif elsif return function fn \
        func synchronized select sizeof defined super assert when",
    )
});

/// Words that begin a statement or an expression.
static STATEMENTS: WordSet = LazyLock::new(|| {
    word_set(
        "return else new await throw yield in case assert delete goto echo print raise not and or if while do \
        throws import call",
    )
});

/// Longer parameters are not looked through for what stands after them.
const MAX_PARAMETER_BYTES: usize = 1024;
/// Maximum definitions of a path; code that is nested deeper is generated or damaged.
const MAX_PATH: usize = 8;

/// What a definition holds, which decides what is inside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DefinitionKind {
    /// Other definitions: a class, a module, a table.
    Container,
    /// Statements: a function.
    Callable,
    /// A constant, a field, an alias.
    Value,
}

/// One definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Definition<'t> {
    pub name: &'t str,
    /// What the name belongs to, if its line says so: `T` of `func (t *T) name`, `Foo` of `void Foo::name()`.
    pub owner: Option<&'t str>,
    pub kind: DefinitionKind,
    /// False for forms that are statements if they stand inside a function: `Type name(arguments);`.
    has_keyword: bool,
    /// True for `CREATE ...` of SQL, which goes on to its semicolon, whatever the indentation.
    is_statement: bool,
}

/// The names that a text of code defines, in order: types, functions, methods, fields and constants, but no variables
/// of functions. The text may be any part of a file.
///
/// ```
/// let names = |text| pensieve_text::chunk::defined_names(text).collect::<Vec<_>>();
/// assert_eq!(names("pub struct Tide;\n\nimpl Tide {\n    fn level(&self) {\n        let x = 1;\n"), ["Tide", "Tide", "level"]);
/// assert!(names("    return level(tide);").is_empty());
/// ```
pub fn defined_names(text: &str) -> impl Iterator<Item = &str> {
    let lines = code_lines(text);
    let mut scopes = Scopes::default();
    let mut names = Vec::new();
    for line in &lines {
        let found = match line.kind {
            LineKind::Directive => {
                line.words(text).strip_prefix("#define ").and_then(|rest| name_at(rest.trim_start()))
            }
            LineKind::Closing if line.indent() == 0 => {
                // The end of `typedef struct { ... } name;`.
                let name =
                    line.words(text).strip_prefix('}').and_then(|rest| rest.trim_start().strip_suffix(';'));
                name.filter(|name| name_at(name) == Some(name))
            }
            _ => None,
        };
        names.extend(scopes.enter(text, line).map(|found| found.name).or(found));
    }
    names.into_iter()
}

/// The definitions that are open at a line, by indentation and braces.
#[derive(Debug, Default)]
pub(super) struct Scopes<'t> {
    pub open: Vec<OpenDefinition<'t>>,
    is_begun: bool,
    has_changed: bool,
    /// The indentation of the lines before the first definition, where a text begins inside a function.
    inner: Option<usize>,
}

/// A definition whose end has not been seen.
#[derive(Debug)]
pub(super) struct OpenDefinition<'t> {
    pub definition: Definition<'t>,
    pub indent: usize,
    /// True if a brace opened it, so that only a brace closes it.
    is_braced: bool,
    is_closed: bool,
    /// `BEGIN` without `END`.
    begun: usize,
}

impl OpenDefinition<'_> {
    fn is_container(&self) -> bool {
        self.definition.kind == Container && !self.is_closed
    }
}

impl<'t> Scopes<'t> {
    /// Goes to the next line: closes the definitions that end before it, and opens the one that it begins.
    pub(super) fn enter(&mut self, text: &'t str, line: &CodeLine) -> Option<Definition<'t>> {
        let (words, indent) = (line.words(text), line.indent());
        match line.kind {
            LineKind::Code => {}
            LineKind::Opening | LineKind::Closing => {
                self.pop_while(|open| open.indent > indent);
                self.go_on(words, indent, line.kind == LineKind::Closing);
                return None;
            }
            // A comment may have any indentation, so it closes only what has had its end.
            LineKind::Comment => {
                self.pop_while(|open| open.is_closed && open.indent >= indent);
                return None;
            }
            _ => return None,
        }
        let is_inside = self.open.last().is_some_and(|open| open.indent < indent) && self.in_callable();
        let in_container = self.open.last().is_some_and(|open| open.is_container() && open.indent < indent);
        let found =
            definition(text, line, is_inside).or_else(|| field_at(line.words(text)).filter(|_| in_container));
        let goes_on = |open: &OpenDefinition<'_>| match found {
            // What is inside of a C++ namespace is often not indented.
            Some(_) => open.is_braced && open.definition.kind != Callable,
            None => open.is_braced || open.definition.is_statement || is_head_part(words),
        };
        self.pop_while(|open| {
            let stays = open.indent < indent || open.indent == indent && goes_on(open);
            open.is_closed || !stays
        });
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        // The text begins inside of a function.
        if is_first && indent > 0 {
            self.inner = Some(indent);
        }
        let is_statement = found.is_none_or(|found| found.kind == Value && !found.has_keyword);
        self.inner = self.inner.filter(|inner| *inner < indent || *inner == indent && is_statement);
        let is_local = self.in_callable() || self.inner.is_some();
        let Some(found) = found.filter(|found| !is_local || found.has_keyword) else {
            self.go_on(words, indent, false);
            return None;
        };
        let is_braced = words.ends_with('{');
        let is_closed = match found.kind {
            // A table or a value on the next lines goes on.
            Value => !words.ends_with(['{', '[', '(', '=']),
            _ => words.ends_with([';', '}']) && !found.is_statement,
        };
        self.has_changed = true;
        self.open.push(OpenDefinition { definition: found, indent, is_braced, is_closed, begun: 0 });
        Some(found)
    }

    fn pop_while(&mut self, ends: impl Fn(&OpenDefinition<'_>) -> bool) {
        while self.open.pop_if(|open| ends(open)).is_some() {
            self.has_changed = true;
        }
    }

    /// Notes what a line at the indentation of the innermost definition says about its braces and its end.
    fn go_on(&mut self, words: &str, indent: usize, closes: bool) {
        let Some(open) = self.open.last_mut().filter(|open| open.indent == indent) else { return };
        let is_opening = words.ends_with('{');
        open.is_braced |= is_opening;
        if open.definition.is_statement {
            let word = words.split(|c: char| !is_name_char(c)).next().unwrap_or_default();
            open.begun += usize::from(word.eq_ignore_ascii_case("begin"));
            let ends = word.eq_ignore_ascii_case("end");
            open.begun -= usize::from(ends && open.begun > 0);
            open.is_closed =
                // T-SQL ends its batches with GO.
                open.begun == 0 && (words.ends_with(';') || ends) || word.eq_ignore_ascii_case("go");
        } else if closes && !is_opening {
            open.is_closed |= words.starts_with('}') || !open.is_braced && !words.starts_with([')', ']']);
            // `};` and `);` end a declaration.
            open.is_closed |= words.ends_with(';');
        }
    }

    /// True if what stands here are statements of a function.
    fn in_callable(&self) -> bool {
        self.open.last().is_some_and(|open| open.definition.kind == Callable)
    }

    /// True if the innermost definition stands inside a function.
    pub(super) fn is_local(&self) -> bool {
        self.open.iter().rev().nth(1).is_some_and(|open| open.definition.kind == Callable)
    }

    /// True if the path is another one than when this was asked last.
    pub(super) fn has_changed(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    /// The open definitions, such as `Class > method`.
    pub(super) fn path(&self) -> Option<String> {
        let mut path = HeadingPath::default();
        // A constant of one line has nothing inside of it that it could be a heading for.
        let shown = self.open.iter().filter(|open| open.definition.kind != Value || !open.is_closed);
        let mut last = None;
        for (level, open) in shown.take(MAX_PATH).enumerate() {
            let owner = open.definition.owner.filter(|owner| last != Some(*owner));
            let name = open.definition.name;
            owner.into_iter().for_each(|owner| path.enter_words(2 * level, owner));
            path.enter_words(2 * level + 1, name);
            last = Some(name);
        }
        path.path()
    }
}

/// True for a line that continues the head of a definition at the same indentation.
fn is_head_part(words: &str) -> bool {
    let word = words.split(' ').next().unwrap_or_default();
    matches!(
        word,
        "where" | "throws" | "extends" | "implements" | "requires" | "with" | "begin" | "is" | "as" | "var"
    ) || words.starts_with([':', ',', '-', '='])
}

/// The definition that a line begins, of any form or only of those with a keyword.
fn definition<'t>(text: &'t str, line: &CodeLine, keywords_only: bool) -> Option<Definition<'t>> {
    let words = without_attributes(line.words(text));
    // `(defun name` of Lisp.
    let mut rest = words.strip_prefix('(').filter(|rest| rest.starts_with("def")).unwrap_or(words);
    let (mut modified, mut is_member, mut binding, mut created) = (false, false, false, false);
    loop {
        let (word, after) = split_word(rest);
        let Some(next) = after.chars().next() else { break };
        if let Some(kind) = keyword(word, created)
            && (next.is_whitespace()
                // `impl<T>`, `function*` and `macro_rules!` have a sign right after the word.
                || matches!((word, next), ("impl", '<') | ("function", '*') | ("macro_rules", '!')))
            && let Some(found) = named(word, kind, after, created)
        {
            return Some(Definition { is_statement: created, ..found });
        }
        created |= word.eq_ignore_ascii_case("create");
        let is_binding = matches!(word, "let" | "my" | "our" | "local");
        if !(next.is_whitespace() || next == '(') || !(is_binding || is_modifier(word, created)) {
            break;
        }
        // Only Rust's `pub(crate)` has parentheses.
        if next == '(' && word != "pub" {
            break;
        }
        binding |= is_binding;
        modified = true;
        is_member |= matches!(word, "private" | "public" | "protected" | "internal" | "readonly");
        let after = if next == '(' { &after[closing_of(after)?..] } else { after };
        rest = after.trim_start();
    }
    if created || keywords_only && !is_member {
        return None;
    }
    let outermost = line.indent() == 0;
    if rest.starts_with('<') {
        rest = rest[generics_len(rest)..].trim_start();
    }
    // `Name struct {` in a group of types.
    let (name, after) = split_word(rest);
    let is_type = ["struct", "interface"].contains(&split_word(after.trim_start()).0) && after.contains('{');
    if is_type && !name.is_empty() && !KEYWORDS.contains_key(name) {
        return found(name, Container);
    }
    let in_text = &text[line.span.end - rest.len()..];
    let found = binding_of(rest, binding, modified, outermost)
        .or_else(|| if binding { None } else { with_parentheses(rest, in_text, modified, outermost) })
        .or_else(|| field(rest).filter(|_| modified && !binding))?;
    Some(Definition { has_keyword: is_member, ..found })
}

fn found(name: &str, kind: DefinitionKind) -> Option<Definition<'_>> {
    let mut parts = name.rsplit(['.', ':']).filter(|part| !part.is_empty());
    let (name, owner) = (parts.next()?, parts.next());
    let owner =
        // The object itself, a file, or the default schema of SQL Server (`dbo`).
        owner.filter(|owner| !matches!(*owner, "self" | "this" | "exports" | "module" | "window" | "dbo"));
    let starts_well = !name.starts_with(|c: char| c.is_ascii_digit()) && name.contains(char::is_alphabetic);
    let is_name = name.len() <= 100 && starts_well;
    is_name.then_some(Definition { name, owner, kind, has_keyword: false, is_statement: false })
}

/// The kind of definition that a keyword begins.
fn keyword(word: &str, created: bool) -> Option<DefinitionKind> {
    if created {
        return match word.to_ascii_lowercase().as_str() {
            "function" | "procedure" | "proc" | "trigger" => Some(Callable),
            "table" | "view" | "type" | "schema" | "domain" | "sequence" | "index" => Some(Container),
            _ => None,
        };
    }
    KEYWORDS.get(word).copied()
}

/// True for words before a keyword or a type.
fn is_modifier(word: &str, created: bool) -> bool {
    let of_sql = |word: &str| {
        matches!(word, "or" | "replace" | "temporary" | "temp" | "unique" | "materialized" | "alter")
    };
    MODIFIERS.contains(word)
        || word.eq_ignore_ascii_case("create")
        || created && of_sql(&word.to_ascii_lowercase())
}

/// What a keyword defines, from what stands after it.
fn named<'t>(word: &str, kind: DefinitionKind, after: &'t str, created: bool) -> Option<Definition<'t>> {
    let keyword_found =
        |name, kind| found(name, kind).map(|found| Definition { has_keyword: kind != Value, ..found });
    let mut rest = after.trim_start_matches(['*', '!']).trim_start();
    match word {
        "impl" => return keyword_found(implemented(rest)?, Container),
        // The receiver of Go: `func (t *T) name`.
        "func" | "fn" if rest.starts_with('(') => {
            let end = closing_of(rest)?;
            let receiver = rest[1..end - 1].split('[').next()?.rsplit([' ', '*']).next();
            let found = keyword_found(name_at(rest[end..].trim_start())?, Callable)?;
            return Some(Definition { owner: receiver.filter(|owner| !owner.is_empty()), ..found });
        }
        // MATLAB: `function result = name(a)`.
        "function" if rest.contains('=') => {
            rest = rest.split_once('=').map_or(rest, |(_, name)| name.trim_start())
        }
        "define" => rest = rest.trim_start_matches('('),
        _ => {}
    }
    if created {
        // The 14 bytes of `if not exists `.
        let skip = rest.get(..14).filter(|lead| lead.eq_ignore_ascii_case("if not exists "));
        let is_sign = |c: char| matches!(c, '"' | '`' | '[' | ']');
        let name = rest[skip.map_or(0, str::len)..].split([' ', '(']).next()?.trim_end_matches(';');
        return keyword_found(name.rsplit('.').next()?.trim_matches(is_sign), kind);
    }
    let name = qualified_name_at(rest)?;
    let (after, next) = (&rest[name.len()..], rest[name.len()..].trim_start());
    // `enum class` of C++.
    if matches!(name, "class" | "struct") && word.eq_ignore_ascii_case("enum") {
        return named("class", Container, after, false);
    }
    // `using System;` imports, `using Name =` defines.
    if BETWEEN.contains(name) || word == "using" && !next.starts_with(['=', '<']) {
        return None;
    }
    let mut name = name;
    let is_free =
        kind == Value || matches!(word, "def" | "defp" | "defn" | "defun" | "defmethod" | "defmacro");
    if next.starts_with(is_name_char) && !is_free && !BETWEEN.contains(split_word(next).0) {
        // A macro before the name of a class; in C also a variable whose type is a struct, which defines no type.
        let second = split_word(next);
        let is_head = second.1.trim_start().is_empty() || second.1.trim_start().starts_with(['{', ':']);
        name = Some(second.0).filter(|_| kind == Container && is_head && second.1.trim_start() != ":")?;
    } else if kind == Container
        && !(next.is_empty() || next.starts_with(['{', '<', ':', '(', ';', '[', '=']))
        && !next.starts_with(is_name_char)
    {
        return None;
    }
    // Classes with parameters are Kotlin's and Scala's; Visual Basic, whose keywords have capitals, has none.
    if kind == Container && next.starts_with('(') && word.starts_with(|c: char| c.is_uppercase()) {
        return None;
    }
    if matches!(word, "namespace" | "module" | "defmodule") {
        // One name with its dots, which is not inside of anything.
        return Some(Definition { name, owner: None, kind, has_keyword: true, is_statement: false });
    }
    let holds_others = kind == Value && (next.contains("struct") || next.contains("interface"));
    // The last word is the name.
    if word == "typedef" {
        let name = next.strip_suffix(';')?.rsplit([' ', '*']).next()?;
        return found(name, Value).filter(|found| found.name.chars().all(is_name_char));
    }
    keyword_found(name, if holds_others { Container } else { kind })
}

/// The type of `impl<T> Trait for &'a Type<T>`; the trait if the type has no name.
fn implemented(rest: &str) -> Option<&str> {
    let rest = if rest.starts_with('<') { &rest[generics_len(rest)..] } else { rest };
    let (of_trait, of_type) = rest.split_once(" for ").unwrap_or((rest, rest));
    path_name(of_type).or_else(|| path_name(of_trait))
}

/// The name of a type with its path, reference and lifetime.
fn path_name(path: &str) -> Option<&str> {
    let mut words = path.split_whitespace().map(|word| word.trim_start_matches(['&', '*', '(', '!', '?']));
    let word = words.find(|word| {
        !word.is_empty() && !word.starts_with('\'') && !matches!(*word, "mut" | "dyn" | "const")
    })?;
    word.split(['<', '{', '(', ',']).next()?.rsplit("::").next().and_then(name_at)
}

/// Bytes of `<...>`.
fn generics_len(text: &str) -> usize {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        // `->` closes nothing.
        depth += i32::from(c == '<') - i32::from(c == '>' && !text[..at].ends_with('-'));
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// `let name = ...`, `name = function`, `name: (a) => ...`, `NAME = ...` where it stands at the margin.
fn binding_of<'t>(rest: &'t str, binding: bool, modified: bool, outermost: bool) -> Option<Definition<'t>> {
    let bound = rest.strip_prefix("mut ").unwrap_or(rest);
    let name = qualified_name_at(bound)?;
    let after = bound[name.len()..].trim_start_matches(['?', '!']).trim_start();
    let equals = after
        // R assigns with `<-`.
        .strip_prefix("<-")
        .or_else(|| after.strip_prefix(['=', ':']).filter(|value| !value.starts_with(['=', ':'])));
    let value = match equals {
        Some(typed) if after.starts_with(':') && (binding || modified) => {
            typed.split_once(" = ").map_or("", |(_, value)| value).trim_start()
        }
        Some(value) => value.trim_start(),
        None => return found(name, Value).filter(|_| binding && outermost),
    };
    let word = split_word(value).0;
    let is_arrow = value.contains("=>")
        && (value.starts_with('(') || split_word(value).1.trim_start().starts_with("=>"));
    let is_function = matches!(word, "function" | "async" | "lambda") || is_arrow;
    // Capitals at the margin are constants in most languages.
    let is_constant =
        outermost && equals.is_some() && !after.starts_with(':') && !name.contains(char::is_lowercase);
    match is_function || word == "class" {
        true => found(name, if word == "class" { Container } else { Callable }),
        false => found(name, Value)
            .filter(|_| binding && outermost || modified && !binding && !name.contains('.') || is_constant),
    }
}

/// A function without a keyword: `static int name(`, `Foo::name(`, `name(a, b) {`.
fn with_parentheses<'t>(
    rest: &'t str,
    in_text: &str,
    modified: bool,
    outermost: bool,
) -> Option<Definition<'t>> {
    let (mut paren, mut generics) = (0, (0, 0));
    while !rest[paren..].starts_with('(') {
        let c = rest[paren..].chars().next()?;
        let next = paren + if c == '<' { generics_len(&rest[paren..]) } else { c.len_utf8() };
        generics = if c == '<' { (paren, next) } else { generics };
        paren = next;
    }
    let head = rest[..if generics.1 == paren { generics.0 } else { paren }].trim_end();
    let start = head.rfind(|c: char| !is_name_char(c) && !matches!(c, ':' | '~')).map_or(0, |at| at + 1);
    let start = (start..=head.len()).find(|&at| head.is_char_boundary(at))?;
    let (types, name) = (head[..start].trim_end(), head[start..].trim_start_matches(':'));
    let is_type = |c: char| is_name_char(c) || " \t*&<>:,[]?.~".contains(c);
    let first = split_word(types).0;
    if name.is_empty()
        || CONTROL.contains(name)
        || !types.chars().all(is_type)
        || STATEMENTS.contains(first)
        || types.ends_with(['.', ','])
    {
        return None;
    }
    let (has_type, is_qualified) = (!types.is_empty() && !first.is_empty(), name.contains("::"));
    if !types.is_empty() && first.is_empty() {
        return None;
    }
    let arguments = &in_text[paren..];
    let reach =
        (0..=arguments.len().min(MAX_PARAMETER_BYTES)).rev().find(|&at| arguments.is_char_boundary(at))?;
    let kind = found(name, Callable)?;
    let Some(end) = closing_of(&arguments[..reach]) else {
        return Some(kind).filter(|_| has_type || modified);
    };
    let (after, line_end) =
        (arguments[end..].trim_start(), arguments[end..].lines().next().unwrap_or_default());
    // A constructor of C++ with what it initialises: `Foo::Foo() : a(1) {`.
    let is_head = match has_type || modified {
        _ if is_qualified && !has_type => after.starts_with('{') || after.starts_with(':') && outermost,
        true => {
            after.is_empty()
                || after.starts_with(['{', ':', '=', '-', '['])
                // A declaration in a class; at the margin it is a prototype, whose definition is elsewhere.
                || after.starts_with(';') && !outermost
                || after.starts_with(is_name_char)
        }
        false => {
            // `describe("...", () => {` is a call.
            let is_call = arguments[1..].trim_start().starts_with(['"', '\'', '`']);
            !is_call
                && (after.starts_with('{')
                    // TypeScript has the type of the result there.
                    || line_end.trim_start().starts_with(':') && line_end.trim_end().ends_with('{')
                    || line_end.trim_start().starts_with("->") && outermost)
        }
    };
    Some(kind).filter(|_| is_head)
}

/// A field or property after modifiers: `private readonly Type name;`, `public int Name {`.
fn field(rest: &str) -> Option<Definition<'_>> {
    let head = rest.split([';', '=', '{']).next()?.trim_end();
    let start = head.rfind(|c: char| !is_name_char(c))?;
    let start = (start + 1..=head.len()).find(|&at| head.is_char_boundary(at))?;
    let is_type = |c: char| is_name_char(c) || " *&<>:,[]?.".contains(c);
    let is_whole = head.len() < rest.len() || !rest.contains(['(', '"']);
    let name = &head[start..];
    let has_type = !head[..start].trim_end().is_empty() && head[..start].chars().all(is_type);
    found(name, Value).filter(|_| is_whole && has_type && !name.is_empty() && !BETWEEN.contains(name))
}

/// A field of a structure, which needs no modifiers: `Type name;`. A statement would begin otherwise.
fn field_at(words: &str) -> Option<Definition<'_>> {
    let is_statement = STATEMENTS.contains(split_word(words).0);
    field(words).filter(|_| words.ends_with(';') && !is_statement)
}

/// The word that a text begins with, and what follows.
fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !is_name_char(c)).unwrap_or(text.len()))
}

/// The name that a text begins with.
fn name_at(text: &str) -> Option<&str> {
    Some(split_word(text).0).filter(|name| !name.is_empty())
}

/// The same with its owner: `Foo.bar`, `Foo::bar`, `self.bar`, and with the signs that Ruby and Lisp allow in names.
fn qualified_name_at(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(c) = text[end..].chars().next() {
        let next = text[end + c.len_utf8()..].chars().next();
        let joins =
            matches!(c, '.' | ':' | '-') && end > 0 && next.is_some_and(|c| is_name_char(c) || c == ':');
        // `level?` and `save!` of Ruby.
        let is_sign = matches!(c, '?' | '!' | '~')
            && (end == 0 || !next.is_some_and(|c| is_name_char(c) || matches!(c, '=' | ':')));
        if !(is_name_char(c)
            || is_sign
            || joins && !(c == ':' && bytes[end - 1] != b':' && next != Some(':')))
        {
            break;
        }
        end += c.len_utf8();
    }
    Some(&text[..end]).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests;
