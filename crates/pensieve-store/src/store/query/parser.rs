//! Parses tokens to a tree.
//!
//! ```text
//! query    = choice
//! choice   = terms { OR terms }
//! terms    = part { [ AND ] part | [ AND ] NOT part }
//! part     = "(" choice ")" | term { NEAR[/n] term } | NEAR(term term ... [, n]) | filter
//! term     = word | word* | ^word | "a phrase" | "a phrase"* | content:term
//! filter   = heading:term | path:glob | format:name | folded:kind, each with NOT or - before it to leave out
//! ```
//!
//! Filters apply to the whole query, wherever they stand. Every text has a tree: [`super::operators`] leaves operators
//! only where the grammar has them.

use super::characters::has_word;
use super::error::{QueryError, QueryNote};
use super::lexer::{self, QueryToken, TokenKind};
use super::operators;
use super::tree::{Expression, Query, QueryFilter, QueryTerm};

/// Maximum nested groups: FTS5 refuses trees deeper than 256, and its parser has a stack of 100.
const MAX_DEPTH: usize = 24;

/// Maximum terms of a query with operators, so that none keeps the database busy for long. A question may be longer: its
/// rarest words are looked up.
const MAX_TERMS: usize = 256;

/// Parses a query.
///
/// # Errors
/// It is empty, too large, or leaves out without asking for anything; or operators in a text in capitals connect nothing.
pub(crate) fn parse(text: &str) -> Result<Query, QueryError> {
    let tokens = operators::resolve(lexer::tokens(text), text)?;
    let is_question = tokens.iter().all(is_plain);
    let terms = tokens.iter().map(|token| match &token.kind {
        TokenKind::NearGroup(terms, _) => terms.len(),
        _ => 1,
    });
    if !is_question && terms.sum::<usize>() > MAX_TERMS {
        return Err(QueryError::TooMuch { what: "terms", limit: MAX_TERMS });
    }
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, filters: Vec::new() };
    let expression = parser.choice()?;
    let filters = parser.filters;
    if expression.is_none() && filters.is_empty() {
        return Err(QueryError::Empty);
    }
    Ok(Query {
        is_question: is_question && expression.is_some(),
        expression,
        filters,
        notes: operators::notes(&tokens),
    })
}

/// The note on a query of signs alone: whoever types one asks for nothing yet, and makes no mistake.
pub(crate) fn signs_only(text: &str) -> Option<QueryNote> {
    let signs = text.trim();
    (!signs.is_empty() && !has_word(signs)).then(|| QueryNote::NoWords { text: signs.to_owned() })
}

/// True for a word without operators and quotes, and for a filter.
fn is_plain(token: &QueryToken) -> bool {
    match &token.kind {
        TokenKind::Term(term) => !(term.is_exact || term.is_prefix || term.is_first),
        TokenKind::Filter(_) => true,
        _ => false,
    }
}

struct Parser<'t> {
    tokens: &'t [QueryToken],
    at: usize,
    depth: usize,
    filters: Vec<QueryFilter>,
}

/// The terms read so far.
#[derive(Default)]
struct TermList {
    wanted: Vec<Expression>,
    unwanted: Vec<Expression>,
    first_not: Option<usize>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn choice(&mut self) -> Result<Option<Expression>, QueryError> {
        let mut parts = Vec::new();
        loop {
            parts.extend(gather(self.terms()?)?);
            if self.peek() != Some(&TokenKind::Or) {
                break;
            }
            self.at += 1;
        }
        Ok(match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(Expression::Any(parts)),
        })
    }

    fn terms(&mut self) -> Result<TermList, QueryError> {
        let mut terms = TermList::default();
        while let Some(kind) = self.peek().filter(|kind| !matches!(kind, TokenKind::Or | TokenKind::Close)) {
            match kind {
                TokenKind::And => self.at += 1,
                TokenKind::Not => {
                    let at = self.tokens[self.at].at;
                    self.at += 1;
                    let unwanted = self.part(true)?;
                    if unwanted.is_some() {
                        terms.first_not.get_or_insert(at);
                    }
                    terms.unwanted.extend(unwanted);
                }
                _ => terms.wanted.extend(self.part(false)?),
            }
        }
        Ok(terms)
    }

    fn part(&mut self, is_unwanted: bool) -> Result<Option<Expression>, QueryError> {
        let Some(kind) = self.peek().cloned() else { return Ok(None) };
        self.at += 1;
        Ok(match kind {
            TokenKind::Open => self.group()?,
            TokenKind::Term(term) => Some(self.near(term)),
            TokenKind::NearGroup(terms, distance) => Some(near_of(terms, distance)),
            TokenKind::Filter(filter) => {
                let is_negated = filter.is_negated != is_unwanted;
                self.filters.push(QueryFilter { is_negated, ..filter });
                None
            }
            _ => None,
        })
    }

    fn group(&mut self) -> Result<Option<Expression>, QueryError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(QueryError::TooMuch { what: "parentheses inside each other", limit: MAX_DEPTH });
        }
        let inner = self.choice()?;
        self.depth -= 1;
        self.at += 1;
        Ok(inner)
    }

    /// Terms connected by NEAR; the smallest of several distances applies to all.
    fn near(&mut self, first: QueryTerm) -> Expression {
        let mut terms = vec![first];
        let mut distance = usize::MAX;
        while let Some(TokenKind::Near(asked)) = self.peek().cloned() {
            self.at += 1;
            distance = distance.min(asked);
            if let Some(TokenKind::Term(term)) = self.peek().cloned() {
                self.at += 1;
                terms.push(term);
            }
        }
        near_of(terms, distance)
    }
}

fn near_of(mut terms: Vec<QueryTerm>, distance: usize) -> Expression {
    match terms.len() {
        1 => Expression::Term(terms.remove(0)),
        _ => {
            // FTS5 supports `^` only outside NEAR.
            terms.iter_mut().for_each(|term| term.is_first = false);
            Expression::Near { terms, distance }
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

#[cfg(test)]
mod tests;
