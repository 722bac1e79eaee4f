//! The text of a query as tokens.
//!
//! Punctuation has a meaning only where a term may begin: a quotation mark or a parenthesis inside a word is part of
//! the word, so that `println!("x")`, `5"` and `C++` are words as typed. Operators are in capital letters.

use super::characters::{has_word, is_format_character, is_word_character};
use super::error::{QueryError, QueryNote};
use super::tree::{QueryField, QueryTerm};

/// A token, and the index of its first character, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryToken {
    pub at: usize,
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
    /// NEAR between two terms, with the distance if one is given.
    Near(Option<usize>),
    /// `NEAR(a b, 5)` with its terms and distance.
    NearGroup(Vec<QueryTerm>, Option<usize>),
    Term(QueryTerm),
    Field {
        field: QueryField,
        name: String,
        term: QueryTerm,
        is_negated: bool,
    },
    /// Punctuation without letters or digits.
    Signs(String),
}

/// The tokens of a query, and warnings about what they may mean.
#[derive(Debug, Default)]
pub(crate) struct QueryTokens {
    pub tokens: Vec<QueryToken>,
    pub notes: Vec<QueryNote>,
}

/// Splits a query.
pub(crate) fn tokens(text: &str) -> Result<QueryTokens, QueryError> {
    let chars = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let chars: Vec<char> = chars.filter(|c| !is_format_character(*c)).collect();
    Lexer { chars: &chars, at: 0, base: 0, depth: 0, found: QueryTokens::default() }.run()
}

struct Lexer<'q> {
    chars: &'q [char],
    at: usize,
    /// The position of `chars` in the whole query.
    base: usize,
    /// The number of open groups.
    depth: usize,
    found: QueryTokens,
}

impl Lexer<'_> {
    fn run(mut self) -> Result<QueryTokens, QueryError> {
        while let Some(c) = self.peek() {
            let at = self.at;
            match c {
                _ if c.is_whitespace() => self.at += 1,
                '(' => {
                    self.depth += 1;
                    self.single(TokenKind::Open);
                }
                ')' if self.depth > 0 => {
                    self.depth -= 1;
                    self.single(TokenKind::Close);
                }
                '"' | '“' => {
                    let term = self.phrase()?;
                    self.push_term(at, term);
                }
                _ => self.word()?,
            }
        }
        Ok(self.found)
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn push(&mut self, at: usize, kind: TokenKind) {
        self.found.tokens.push(QueryToken { at: self.base + at, kind });
    }

    fn single(&mut self, kind: TokenKind) {
        self.push(self.at, kind);
        self.at += 1;
    }

    fn push_term(&mut self, at: usize, term: QueryTerm) {
        match has_word(&term.text) {
            true => self.push(at, TokenKind::Term(term)),
            false => self.push(at, TokenKind::Signs(self.chars[at..self.at].iter().collect())),
        }
    }

    /// A phrase in quotes; a doubled quotation mark is part of it.
    fn phrase(&mut self) -> Result<QueryTerm, QueryError> {
        let opened = self.at;
        let closing = if self.chars[opened] == '“' { '”' } else { '"' };
        let mut text = String::new();
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(QueryError::OpenQuote { at: self.base + opened + 1 }),
                Some(c) if c == closing && self.chars.get(self.at + 1) == Some(&closing) => {
                    text.push(c);
                    self.at += 2;
                }
                Some(c) if c == closing => break,
                Some(c) => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        let is_prefix = self.peek() == Some('*') && text.chars().next_back().is_some_and(is_word_character);
        self.at += usize::from(self.peek() == Some('*'));
        Ok(QueryTerm { text, is_prefix, is_first: false, is_exact: true })
    }

    fn word(&mut self) -> Result<(), QueryError> {
        let start = self.at;
        if self.near_group()? || self.field()? {
            return Ok(());
        }
        let text = self.run_of_characters();
        let kind = match text.as_str() {
            "AND" => TokenKind::And,
            "OR" => TokenKind::Or,
            "NOT" => TokenKind::Not,
            _ => match near_operator(&text) {
                Some(distance) => TokenKind::Near(distance),
                None => return self.plain(start, &text),
            },
        };
        self.push(start, kind);
        Ok(())
    }

    /// Reads up to white space or to the parenthesis that closes a group.
    fn run_of_characters(&mut self) -> String {
        let start = self.at;
        let mut own = 0_usize;
        while let Some(c) = self.peek().filter(|c| !c.is_whitespace()) {
            match c {
                '(' => own += 1,
                ')' if own > 0 => own -= 1,
                ')' if self.depth > 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn plain(&mut self, start: usize, text: &str) -> Result<(), QueryError> {
        let at = self.base + start + 1;
        let mut signs = text.chars();
        let second = text.chars().nth(1);
        if signs.next() == Some('-') && second.is_some_and(char::is_alphabetic) && text.chars().count() > 2 {
            self.found.notes.push(QueryNote::Minus { text: text.to_owned(), at });
        }
        if let Some((name, rest)) = text.split_once(':')
            && looks_like_column(name, rest)
        {
            self.found.notes.push(QueryNote::NoColumn { name: name.to_owned(), at });
        }
        self.push_term(start, term_of(text));
        Ok(())
    }

    /// `heading:install`, `path:"my docs/**"`; a minus sign before it negates it.
    fn field(&mut self) -> Result<bool, QueryError> {
        let start = self.at;
        let is_negated = self.peek() == Some('-');
        let rest = &self.chars[start + usize::from(is_negated)..];
        let length = rest.iter().take_while(|c| c.is_ascii_lowercase() || **c == '_').count();
        let name: String = rest[..length].iter().collect();
        let Some(field) = QueryField::named(&name).filter(|_| rest.get(length) == Some(&':')) else {
            return Ok(false);
        };
        if rest.get(length + 1) == Some(&':') {
            // `text::normalize` is a path in a program.
            return Ok(false);
        }
        self.at = start + usize::from(is_negated) + length + 1;
        let term = match self.peek() {
            Some('"' | '“') => self.phrase()?,
            _ => {
                let text = self.run_of_characters();
                if matches!(field, QueryField::Path | QueryField::Format) {
                    QueryTerm { text, ..QueryTerm::default() }
                } else {
                    term_of(&text)
                }
            }
        };
        let at = self.base + start + 1;
        if term.text.trim().is_empty() {
            return Err(QueryError::EmptyField { name, at });
        }
        let kind = match field {
            QueryField::Content if !is_negated => {
                self.push_term(start, QueryTerm { is_exact: true, ..term });
                return Ok(true);
            }
            QueryField::Content => {
                self.push(start, TokenKind::Not);
                self.push_term(start, term);
                return Ok(true);
            }
            QueryField::Heading if !has_word(&term.text) => {
                return Err(QueryError::NoWords { text: term.text, at });
            }
            _ => TokenKind::Field { field, name, term, is_negated },
        };
        self.push(start, kind);
        Ok(true)
    }

    /// `NEAR(one "two three", 5)`.
    fn near_group(&mut self) -> Result<bool, QueryError> {
        let start = self.at;
        let is_near = self.chars[start..].starts_with(&['N', 'E', 'A', 'R']);
        let spaces = |from: usize| self.chars[from..].iter().take_while(|c| c.is_whitespace()).count();
        if !is_near {
            return Ok(false);
        }
        let opened = start + 4 + spaces(start + 4);
        if self.chars.get(opened) != Some(&'(') {
            return Ok(false);
        }
        let (closed, comma) = self.extent(opened)?;
        let inner_end = comma.unwrap_or(closed);
        let distance: String =
            comma.map(|at| self.chars[at + 1..closed].iter().collect()).unwrap_or_default();
        let inner = Lexer {
            chars: &self.chars[opened + 1..inner_end],
            at: 0,
            base: self.base + opened + 1,
            depth: 0,
            found: QueryTokens::default(),
        };
        let inner = inner.run()?;
        self.found.notes.extend(inner.notes);
        let mut terms = Vec::new();
        for token in inner.tokens {
            match token.kind {
                TokenKind::Term(term) => terms.push(term),
                TokenKind::Signs(_) => {}
                other => {
                    return Err(QueryError::InNear { text: source_of(&other), at: token.at + 1 });
                }
            }
        }
        if terms.is_empty() {
            let at = self.base + start + 1;
            return Err(QueryError::LoneOperator { word: "NEAR".to_owned(), at, is_before: false });
        }
        self.push(start, TokenKind::NearGroup(terms, distance.trim().parse().ok()));
        self.at = closed + 1;
        Ok(true)
    }

    /// The positions of the parenthesis that closes the group and of the comma before its distance.
    fn extent(&self, opened: usize) -> Result<(usize, Option<usize>), QueryError> {
        let (mut depth, mut quoted, mut comma) = (0_usize, None, None);
        for (at, c) in self.chars.iter().enumerate().skip(opened) {
            match c {
                '"' if quoted.is_some() => quoted = None,
                '"' => quoted = Some(at),
                _ if quoted.is_some() => {}
                '(' => depth += 1,
                ')' if depth == 1 => {
                    let number = |comma: &usize| is_number(&self.chars[comma + 1..at]);
                    return Ok((at, comma.filter(number)));
                }
                ')' => depth -= 1,
                ',' if depth == 1 => comma = Some(at),
                _ => {}
            }
        }
        Err(match quoted {
            Some(at) => QueryError::OpenQuote { at: self.base + at + 1 },
            None => QueryError::OpenGroup { at: self.base + opened + 1 },
        })
    }
}

fn is_number(chars: &[char]) -> bool {
    let text: String = chars.iter().collect();
    let digits = text.trim();
    !digits.is_empty() && digits.len() < 7 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `NEAR` and `NEAR/5` between two terms; the outer `None` means another word.
fn near_operator(text: &str) -> Option<Option<usize>> {
    match text.strip_prefix("NEAR")? {
        "" => Some(None),
        rest => rest.strip_prefix('/')?.parse().ok().map(Some),
    }
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
        is_exact: false,
    }
}

/// True for `author:smith`, which other search languages read as a field; false for `std::io`, `10:30`, `https://x`.
fn looks_like_column(name: &str, rest: &str) -> bool {
    let is_name = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name && rest.starts_with(|c: char| is_word_character(c) || c == '"')
}

fn source_of(kind: &TokenKind) -> String {
    match kind {
        TokenKind::Open | TokenKind::Close => "(".to_owned(),
        TokenKind::And => "AND".to_owned(),
        TokenKind::Or => "OR".to_owned(),
        TokenKind::Not => "NOT".to_owned(),
        TokenKind::Near(_) | TokenKind::NearGroup(..) => "NEAR".to_owned(),
        TokenKind::Term(term) => term.text.clone(),
        TokenKind::Field { name, .. } => format!("{name}:"),
        TokenKind::Signs(text) => text.clone(),
    }
}
