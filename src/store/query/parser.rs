//! Parses tokens to a tree.
//!
//! ```text
//! query    = choice
//! choice   = terms { OR terms }
//! terms    = part { [ AND ] part | [ AND ] NOT part }
//! part     = "(" choice ")" | term { NEAR[/n] term } | NEAR(term term ... [, n]) | filter
//! term     = word | word* | ^word | "a phrase" | "a phrase"* | content:term
//! filter   = heading:term | path:glob | format:name, each with NOT or - before it to leave out
//! ```
//!
//! Filters apply to the whole query, so they are not allowed inside parentheses and choices.

use super::characters::has_word;
use super::error::{QueryError, QueryNote};
use super::lexer::{self, QueryToken, TokenKind};
use super::tree::{Expression, Query, QueryFilter, QueryTerm};

/// Maximum words between the terms of NEAR if the query gives no number; the same as in FTS5.
const DEFAULT_DISTANCE: usize = 10;

/// Maximum nested parentheses: FTS5 refuses trees deeper than 256, and its parser has a stack of 100.
const MAX_DEPTH: usize = 24;

/// Maximum terms of a query, so that no query keeps the database busy for long.
const MAX_TERMS: usize = 256;

/// Parses a query.
pub(crate) fn parse(text: &str) -> Result<Query, QueryError> {
    let lexer::QueryTokens { tokens, notes } = lexer::tokens(text)?;
    let terms = tokens.iter().map(|token| match &token.kind {
        TokenKind::NearGroup(terms, _) => terms.len(),
        _ => 1,
    });
    if terms.sum::<usize>() > MAX_TERMS {
        return Err(QueryError::TooMuch { what: "terms", limit: MAX_TERMS });
    }
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, filters: Vec::new(), notes };
    let expression = parser.choice()?;
    let Parser { filters, notes, .. } = parser;
    if expression.is_none() && filters.is_empty() {
        return Err(match notes.into_iter().next() {
            Some(QueryNote::LeftOut { text, at }) => QueryError::NoWords { text, at },
            _ => QueryError::Empty,
        });
    }
    Ok(Query { expression, filters, notes, is_question: tokens.iter().all(is_plain) })
}

/// The note on a query of signs alone: whoever types one asks for nothing yet, and makes no mistake.
pub(crate) fn signs_only(text: &str) -> Option<QueryNote> {
    let signs = text.trim();
    let at = text.chars().take_while(|c| c.is_whitespace()).count() + 1;
    (!signs.is_empty() && !has_word(signs)).then(|| QueryNote::NoWords { text: signs.to_owned(), at })
}

/// True for a word without operators and quotes, and for punctuation.
fn is_plain(token: &QueryToken) -> bool {
    match &token.kind {
        TokenKind::Term(term) => !(term.is_exact || term.is_prefix || term.is_first),
        TokenKind::Signs(_) => true,
        _ => false,
    }
}

struct Parser<'t> {
    tokens: &'t [QueryToken],
    at: usize,
    depth: usize,
    filters: Vec<QueryFilter>,
    notes: Vec<QueryNote>,
}

/// The terms read so far.
#[derive(Default)]
struct TermList {
    wanted: Vec<Expression>,
    unwanted: Vec<Expression>,
    /// True once anything was read, even punctuation or a filter.
    any: bool,
    /// The first filter, by name and place.
    filter: Option<(String, usize)>,
    first_not: Option<usize>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&QueryToken> {
        self.tokens.get(self.at)
    }

    fn choice(&mut self) -> Result<Option<Expression>, QueryError> {
        let mut parts = Vec::new();
        let mut first_filter = None;
        let mut branches = 0;
        loop {
            let terms = self.terms()?;
            branches += 1;
            first_filter = first_filter.or(terms.filter.clone());
            let next = self.peek().filter(|token| token.kind == TokenKind::Or).map(|token| token.at);
            if let Some(at) = next.filter(|_| !terms.any) {
                return Err(lone("OR", at, true));
            }
            if !terms.any && branches > 1 {
                return Err(lone("OR", self.tokens[self.at - 1].at, false));
            }
            parts.extend(gather(terms)?);
            match next {
                Some(_) => self.at += 1,
                None => break,
            }
        }
        if let Some((name, at)) = first_filter.filter(|_| branches > 1 || self.depth > 0) {
            return Err(QueryError::NestedFilter { name, at: at + 1 });
        }
        Ok(match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(Expression::Any(parts)),
        })
    }

    fn terms(&mut self) -> Result<TermList, QueryError> {
        let mut terms = TermList::default();
        while let Some(QueryToken { at, kind }) = self.peek().cloned() {
            match kind {
                TokenKind::Or | TokenKind::Close => break,
                TokenKind::And => {
                    if !terms.any {
                        return Err(lone("AND", at, true));
                    }
                    self.at += 1;
                    self.operand("AND", at)?;
                }
                TokenKind::Not => {
                    self.at += 1;
                    self.operand("NOT", at)?;
                    terms.first_not.get_or_insert(at);
                    self.part(&mut terms, true)?;
                }
                _ => self.part(&mut terms, false)?,
            }
        }
        Ok(terms)
    }

    /// An operator is followed by a part, or AND by NOT.
    fn operand(&self, word: &str, at: usize) -> Result<(), QueryError> {
        let next = self.peek().map(|token| &token.kind);
        let is_fine = match next {
            None | Some(TokenKind::And | TokenKind::Or | TokenKind::Close | TokenKind::Near(_)) => false,
            Some(TokenKind::Not) => word == "AND",
            _ => true,
        };
        if is_fine { Ok(()) } else { Err(lone(word, at, false)) }
    }

    fn part(&mut self, terms: &mut TermList, is_unwanted: bool) -> Result<(), QueryError> {
        let Some(QueryToken { at, kind }) = self.peek().cloned() else { return Ok(()) };
        self.at += 1;
        terms.any = true;
        let expression = match kind {
            TokenKind::Open => self.group(at)?,
            TokenKind::Term(term) => Some(self.near(term)?),
            TokenKind::NearGroup(group, distance) => Some(near_of(group, distance)),
            TokenKind::Near(_) => return Err(lone("NEAR", at, true)),
            TokenKind::Field { field, name, term, is_negated } => {
                terms.filter.get_or_insert((name, at));
                self.filters.push(QueryFilter { field, term, is_negated: is_negated != is_unwanted });
                None
            }
            TokenKind::Signs(text) => {
                self.notes.push(QueryNote::LeftOut { text, at: at + 1 });
                None
            }
            TokenKind::And | TokenKind::Or | TokenKind::Not | TokenKind::Close => None,
        };
        match is_unwanted {
            true => terms.unwanted.extend(expression),
            false => terms.wanted.extend(expression),
        }
        Ok(())
    }

    fn group(&mut self, opened: usize) -> Result<Option<Expression>, QueryError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(QueryError::TooMuch { what: "parentheses inside each other", limit: MAX_DEPTH });
        }
        let inner = self.choice()?;
        self.depth -= 1;
        match self.peek().map(|token| &token.kind) {
            Some(TokenKind::Close) => {
                self.at += 1;
                Ok(inner)
            }
            _ => Err(QueryError::OpenGroup { at: opened + 1 }),
        }
    }

    /// Terms connected by NEAR; the smallest of several distances applies to all.
    fn near(&mut self, first: QueryTerm) -> Result<Expression, QueryError> {
        let mut terms = vec![first];
        let mut distance: Option<usize> = None;
        while let Some(QueryToken { at, kind: TokenKind::Near(asked) }) = self.peek().cloned() {
            self.at += 1;
            let asked = asked.unwrap_or(DEFAULT_DISTANCE);
            distance = Some(distance.map_or(asked, |before| before.min(asked)));
            match self.peek().map(|token| token.kind.clone()) {
                Some(TokenKind::Term(term)) => terms.push(term),
                Some(TokenKind::Signs(_)) => {}
                _ => return Err(lone("NEAR", at, false)),
            }
            self.at += 1;
        }
        Ok(near_of(terms, distance))
    }
}

fn near_of(mut terms: Vec<QueryTerm>, distance: Option<usize>) -> Expression {
    match terms.len() {
        1 => Expression::Term(terms.remove(0)),
        _ => {
            // FTS5 supports `^` only outside NEAR.
            terms.iter_mut().for_each(|term| term.is_first = false);
            Expression::Near { terms, distance: distance.unwrap_or(DEFAULT_DISTANCE) }
        }
    }
}

fn gather(mut terms: TermList) -> Result<Option<Expression>, QueryError> {
    Ok(match (terms.wanted.len(), terms.unwanted.len()) {
        (0, 0) => None,
        (0, _) => {
            return Err(QueryError::OnlyNot { at: terms.first_not.map_or(1, |at| at + 1) });
        }
        (1, 0) => terms.wanted.pop(),
        _ => Some(Expression::All { wanted: terms.wanted, unwanted: terms.unwanted }),
    })
}

fn lone(word: &str, at: usize, is_before: bool) -> QueryError {
    QueryError::LoneOperator { word: word.to_owned(), at: at + 1, is_before }
}

#[cfg(test)]
mod tests;
