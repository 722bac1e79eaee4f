//! The text of a query as tokens.
//!
//! Punctuation has a meaning only where a term may begin: a quotation mark or a parenthesis inside a word is part of
//! the word, so that `println!("x")`, `5"` and `C++` are words as typed. What is no token, a lone sign or a mark that is
//! not closed, is left out: people type more signs by accident than as operators. [`super::operators`] decides which of
//! the words that may be operators are.

use super::characters::{has_word, is_format_character, is_word_character};
use super::tree::{QueryField, QueryFilter, QueryTerm};
use pensieve_text::model::FoldKind;

/// Maximum words between the terms of NEAR if the query gives no number; the same as in FTS5.
const DEFAULT_DISTANCE: usize = 10;

/// A token of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryToken {
    /// The index of its first character, from 0.
    pub at: usize,
    /// It, as typed.
    pub text: String,
    pub kind: TokenKind,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Open,
    Close,
    And,
    Or,
    Not,
    /// NEAR between two terms, with the distance.
    Near(usize),
    /// `NEAR(a b, 5)` with its terms and distance.
    NearGroup(Vec<QueryTerm>, usize),
    Term(QueryTerm),
    Filter(QueryFilter),
}

/// Splits a query.
pub(crate) fn tokens(text: &str) -> Vec<QueryToken> {
    let chars = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let chars: Vec<char> = chars.filter(|c| !is_format_character(*c)).collect();
    Lexer { chars: &chars, at: 0, depth: 0, found: Vec::new() }.run()
}

struct Lexer<'q> {
    chars: &'q [char],
    at: usize,
    /// The number of open parentheses.
    depth: usize,
    found: Vec<QueryToken>,
}

impl Lexer<'_> {
    fn run(mut self) -> Vec<QueryToken> {
        while let Some(c) = self.peek() {
            match c {
                _ if c.is_whitespace() => self.at += 1,
                '(' => {
                    self.depth += 1;
                    self.take(self.at + 1, TokenKind::Open);
                }
                ')' if self.depth > 0 => {
                    self.depth -= 1;
                    self.take(self.at + 1, TokenKind::Close);
                }
                _ => self.term(),
            }
        }
        self.found
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Adds a token that ends at `end`.
    fn take(&mut self, end: usize, kind: TokenKind) {
        let text = self.chars[self.at..end].iter().collect();
        self.found.push(QueryToken { at: self.at, text, kind });
        self.at = end;
    }

    fn take_term(&mut self, end: usize, term: QueryTerm) {
        match has_word(&term.text) {
            true => self.take(end, TokenKind::Term(term)),
            false => self.at = end,
        }
    }

    fn term(&mut self) {
        if let Some((end, term)) = self.phrase(self.at) {
            return self.take_term(end, term);
        }
        if let Some((end, group)) = self.near_group() {
            return self.take(end, group);
        }
        if let Some((end, filter)) = self.filter() {
            return match (filter.field, filter.is_negated) {
                (QueryField::Content, false) => {
                    self.take_term(end, QueryTerm { is_exact: true, ..filter.term });
                }
                (QueryField::Content, true) => {
                    let sign = QueryToken { at: self.at, text: "-".to_owned(), kind: TokenKind::Not };
                    self.found.push(sign);
                    self.take_term(end, filter.term);
                }
                _ => self.take(end, TokenKind::Filter(filter)),
            };
        }
        let end = self.run_end(self.at);
        let text: String = self.chars[self.at..end].iter().collect();
        let kind = match text.as_str() {
            "AND" => TokenKind::And,
            "OR" => TokenKind::Or,
            "NOT" => TokenKind::Not,
            _ => match near_operator(&text) {
                Some(distance) => TokenKind::Near(distance),
                None => return self.take_term(end, term_of(&text)),
            },
        };
        self.take(end, kind);
    }

    /// A phrase in quotes and its end; a doubled quotation mark is part of it. `None` if no quotation mark stands here or
    /// it is not closed.
    fn phrase(&self, start: usize) -> Option<(usize, QueryTerm)> {
        let closing = match self.chars.get(start)? {
            '“' => '”',
            '"' => '"',
            _ => return None,
        };
        let mut text = String::new();
        let mut at = start + 1;
        loop {
            let c = *self.chars.get(at)?;
            let is_doubled = c == closing && self.chars.get(at + 1) == Some(&closing);
            if c == closing && !is_doubled {
                break;
            }
            text.push(c);
            at += 1 + usize::from(is_doubled);
        }
        let has_star = self.chars.get(at + 1) == Some(&'*');
        let is_prefix = has_star && text.chars().next_back().is_some_and(is_word_character);
        let term = QueryTerm { text, is_prefix, is_exact: true, ..QueryTerm::default() };
        Some((at + 1 + usize::from(has_star), term))
    }

    /// The next white space, or the parenthesis that closes a group.
    fn run_end(&self, start: usize) -> usize {
        let mut own = 0_usize;
        let ends = |c: char| {
            match c {
                '(' => own += 1,
                ')' if own > 0 => own -= 1,
                ')' if self.depth > 0 => return true,
                _ => {}
            }
            c.is_whitespace()
        };
        start + self.chars[start..].iter().copied().position(ends).unwrap_or(self.chars.len() - start)
    }

    /// `heading:install`, `path:"my docs/**"`; a minus sign before it negates it. A field without a value is a word.
    fn filter(&self) -> Option<(usize, QueryFilter)> {
        let is_negated = self.peek() == Some('-');
        let name_at = self.at + usize::from(is_negated);
        let length =
            self.chars[name_at..].iter().take_while(|c| c.is_ascii_lowercase() || **c == '_').count();
        let name: String = self.chars[name_at..name_at + length].iter().collect();
        let value_at = name_at + length + 1;
        // `text::normalize` is a path in a program.
        let is_field =
            self.chars.get(value_at - 1) == Some(&':') && self.chars.get(value_at).is_some_and(|c| *c != ':');
        let field = QueryField::named(&name).filter(|_| is_field)?;
        let (end, term) = self.phrase(value_at).unwrap_or_else(|| {
            let end = self.run_end(value_at);
            let text: String = self.chars[value_at..end].iter().collect();
            (end, filter_of(field, &text).term)
        });
        let is_empty = match field {
            // Any other value is text.
            QueryField::Folded => {
                !matches!(term.text.as_str(), "no" | "yes") && FoldKind::from_name(&term.text).is_none()
            }
            field if field.has_dates() => field.dates(&term.text).is_none(),
            QueryField::Content => term.text.trim().is_empty(),
            field if field.has_words() => !has_word(&term.text),
            _ => term.text.trim().is_empty(),
        };
        (!is_empty).then_some((end, QueryFilter { field, term, is_negated }))
    }

    /// `NEAR(one "two three", 5)`; with anything else inside than terms it is no operator.
    fn near_group(&self) -> Option<(usize, TokenKind)> {
        let rest = self.chars[self.at..].strip_prefix(&['N', 'E', 'A', 'R'])?;
        let spaces = rest.iter().take_while(|c| c.is_whitespace()).count();
        let opened = self.at + 4 + spaces;
        let (closed, comma) = self.extent(opened)?;
        let inner = &self.chars[opened + 1..comma.unwrap_or(closed)];
        let terms =
            Lexer { chars: inner, at: 0, depth: 0, found: Vec::new() }.run().into_iter().map(|token| {
                match token.kind {
                    TokenKind::Term(term) => Some(term),
                    _ => None,
                }
            });
        let terms = terms.collect::<Option<Vec<_>>>().filter(|terms| !terms.is_empty())?;
        let distance: String =
            comma.map(|at| self.chars[at + 1..closed].iter().collect()).unwrap_or_default();
        let distance = distance.trim().parse().unwrap_or(DEFAULT_DISTANCE);
        Some((closed + 1, TokenKind::NearGroup(terms, distance)))
    }

    /// The positions of the parenthesis that closes the one at `opened`, and of the comma before its distance.
    fn extent(&self, opened: usize) -> Option<(usize, Option<usize>)> {
        self.chars.get(opened).filter(|c| **c == '(')?;
        let (mut depth, mut is_quoted, mut comma) = (0_usize, false, None);
        for (at, c) in self.chars.iter().enumerate().skip(opened) {
            match c {
                '"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                '(' => depth += 1,
                ')' if depth == 1 => {
                    let number = |comma: &usize| is_number(&self.chars[comma + 1..at]);
                    return Some((at, comma.filter(number)));
                }
                ')' => depth -= 1,
                ',' if depth == 1 => comma = Some(at),
                _ => {}
            }
        }
        None
    }
}

fn is_number(chars: &[char]) -> bool {
    let text: String = chars.iter().collect();
    let digits = text.trim();
    !digits.is_empty() && digits.len() < 7 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The distance of `NEAR` and `NEAR/5` between two terms.
fn near_operator(text: &str) -> Option<usize> {
    match text.strip_prefix("NEAR")? {
        "" => Some(DEFAULT_DISTANCE),
        rest => rest.strip_prefix('/')?.parse().ok(),
    }
}

/// The filter of a field with a value, as a query has it without quotes.
pub(crate) fn filter_of(field: QueryField, value: &str) -> QueryFilter {
    let text = value.trim().to_owned();
    let term = if field.has_words() { term_of(&text) } else { QueryTerm { text, ..QueryTerm::default() } };
    QueryFilter { field, term, is_negated: false }
}

/// A word: `^` before it matches the beginning of the chunk, `*` after it any continuation.
fn term_of(text: &str) -> QueryTerm {
    let body = text.trim_end_matches('*');
    let is_prefix = body.len() < text.len() && body.chars().next_back().is_some_and(is_word_character);
    let inner = body.strip_prefix('^').filter(|inner| inner.chars().next().is_some_and(is_word_character));
    QueryTerm {
        text: inner.unwrap_or(body).to_owned(),
        is_prefix,
        is_first: inner.is_some(),
        ..QueryTerm::default()
    }
}
