//! Which words of a query are operators: those that nobody types by accident.
//!
//! `AND`, `OR`, `NOT` and `NEAR` are operators in capital letters between words, in a query that also has small letters.
//! In a text that is in capitals anyway (`DO NOT RESUSCITATE`, `implementations MUST NOT send`) they are its words.
//! Parentheses group where they hold an operator or stand beside one. A minus sign leaves a word out in a list of words;
//! in a sentence it is a dash.

use super::characters::{has_word, is_letter};
use super::error::{QueryError, QueryNote};
use super::lexer::{QueryToken, TokenKind};
use super::tree::QueryTerm;
use pensieve_text::text::function_words::Language;

/// Letters after a minus sign that leaves a word out, at least: `-v` and `-rf` are options of programs.
const MIN_MINUS_LETTERS: usize = 3;

/// Makes words of the tokens that are no operators, and drops parentheses that group nothing.
///
/// # Errors
/// A text without small letters has `AND` or `OR` where it cannot connect anything; nobody can tell what is meant.
pub(super) fn resolve(mut tokens: Vec<QueryToken>, text: &str) -> Result<Vec<QueryToken>, QueryError> {
    let is_shouted = !tokens.iter().any(has_small_letters);
    if let Some(stray) = (0..tokens.len()).find(|at| is_shouted && is_stray(&tokens, *at)) {
        let token = &tokens[stray];
        return Err(QueryError::LoneOperator { word: token.text.clone(), at: token.at + 1 });
    }
    let mut depth = 0_usize;
    for at in 0..tokens.len() {
        match tokens[at].kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ if tokens[at].is_operator() && (is_shouted || !connects(&tokens, at, depth > 0)) => {
                let term = QueryTerm { text: tokens[at].text.clone(), ..QueryTerm::default() };
                tokens[at].kind = TokenKind::Term(term);
            }
            _ => {}
        }
    }
    // A minus sign that leaves out nothing.
    tokens.retain(|token| !matches!(&token.kind, TokenKind::Term(term) if !has_word(&term.text)));
    leave_out_after_minus(&mut tokens, text);
    Ok(without_idle_groups(tokens))
}

impl QueryToken {
    pub(super) fn is_operator(&self) -> bool {
        matches!(self.kind, TokenKind::And | TokenKind::Or | TokenKind::Not | TokenKind::Near(_))
    }

    /// True for a word in capital letters.
    fn is_capital(&self) -> bool {
        let is_word = matches!(&self.kind, TokenKind::Term(term) if !term.is_exact);
        is_word && self.text.chars().any(char::is_uppercase) && !self.text.chars().any(is_small)
    }
}

/// True for letters that are not capital, those of scripts without capitals among them.
fn is_small(c: char) -> bool {
    c.is_alphabetic() && !c.is_uppercase()
}

/// True for what shows that capital letters are meant: small letters elsewhere, or quotation marks.
fn has_small_letters(token: &QueryToken) -> bool {
    match &token.kind {
        TokenKind::Term(term) => term.is_exact || term.text.chars().any(is_small),
        TokenKind::NearGroup(..) => true,
        _ => false,
    }
}

/// True for AND and OR at an edge or before another one.
fn is_stray(tokens: &[QueryToken], at: usize) -> bool {
    let is_connector = |at: usize| matches!(tokens[at].kind, TokenKind::And | TokenKind::Or);
    is_connector(at) && (at == 0 || at + 1 == tokens.len() || is_connector(at + 1))
}

/// True if the operator at `at` stands between what it can connect, and is not part of a text in capitals. Inside
/// parentheses capital neighbours are names: `(NASA OR ESA) missions`.
fn connects(tokens: &[QueryToken], at: usize, is_grouped: bool) -> bool {
    let (Some(left), Some(right)) = (at.checked_sub(1).and_then(|at| tokens.get(at)), tokens.get(at + 1))
    else {
        return false;
    };
    let is_not = tokens[at].kind == TokenKind::Not;
    let is_near = matches!(tokens[at].kind, TokenKind::Near(_));
    let follows = match &left.kind {
        TokenKind::Term(_) => true,
        TokenKind::Close | TokenKind::NearGroup(..) | TokenKind::Filter(_) => !is_near,
        TokenKind::And => is_not,
        _ => false,
    };
    let precedes = match &right.kind {
        TokenKind::Term(_) => true,
        TokenKind::Open | TokenKind::NearGroup(..) | TokenKind::Filter(_) => !is_near,
        TokenKind::Not => tokens[at].kind == TokenKind::And && tokens.len() > at + 2,
        _ => false,
    };
    // `MUST NOT send`: the word before belongs to NOT.
    let folded = left.text.to_lowercase();
    let is_phrase = left.is_capital() && Language::English.has_function_word(&folded);
    follows && precedes && !is_phrase && (is_grouped || !(left.is_capital() && right.is_capital()))
}

/// `fog -lamp`: a word after a minus sign, in a list of words, is left out.
fn leave_out_after_minus(tokens: &mut Vec<QueryToken>, text: &str) {
    let words = tokens.iter().map(|token| token.text.to_lowercase()).collect::<Vec<_>>();
    let is_sentence = !Language::of(words.iter().map(String::as_str)).is_empty()
        || text.trim_end().ends_with(['?', '.', '!', '？', '。', '؟']);
    let mut at = 1;
    while at < tokens.len() && !is_sentence {
        let rest = tokens[at].text.strip_prefix('-').unwrap_or_default();
        let is_word = rest.chars().count() >= MIN_MINUS_LETTERS && rest.chars().all(is_letter);
        let is_term = matches!(&tokens[at].kind, TokenKind::Term(term) if !term.is_exact);
        if is_term && is_word && matches!(tokens[at - 1].kind, TokenKind::Term(_) | TokenKind::Close) {
            let term = QueryTerm { text: rest.to_owned(), ..QueryTerm::default() };
            tokens[at].kind = TokenKind::Term(term);
            let sign = QueryToken { at: tokens[at].at, text: "-".to_owned(), kind: TokenKind::Not };
            tokens.insert(at, sign);
            at += 1;
        }
        at += 1;
    }
}

/// Drops parentheses that are not closed, or that neither hold an operator nor stand beside one.
fn without_idle_groups(tokens: Vec<QueryToken>) -> Vec<QueryToken> {
    let mut is_kept: Vec<bool> =
        tokens.iter().map(|token| !matches!(token.kind, TokenKind::Open | TokenKind::Close)).collect();
    let is_operator =
        |token: &QueryToken| token.is_operator() || matches!(token.kind, TokenKind::NearGroup(..));
    let mut opened = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => opened.push(at),
            TokenKind::Close => {
                let Some(open) = opened.pop() else { continue };
                let before = open.checked_sub(1).and_then(|at| tokens.get(at));
                let beside = before.into_iter().chain(tokens.get(at + 1));
                let is_group = tokens[open..at].iter().chain(beside).any(is_operator);
                (is_kept[open], is_kept[at]) = (is_group, is_group);
            }
            _ => {}
        }
    }
    let mut is_kept = is_kept.into_iter();
    tokens.into_iter().filter(|_| is_kept.next().unwrap_or(true)).collect()
}

/// What was taken for an operator, in words.
pub(super) fn notes(tokens: &[QueryToken]) -> Vec<QueryNote> {
    let mut notes: Vec<String> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_unwanted = at > 0 && tokens[at - 1].kind == TokenKind::Not;
        let note = match &token.kind {
            TokenKind::And => "AND: both sides must occur".to_owned(),
            TokenKind::Or => "OR: one of its sides is enough".to_owned(),
            TokenKind::Near(distance) => format!("NEAR: at most {distance} words between"),
            TokenKind::NearGroup(_, distance) => format!("NEAR(): at most {distance} words between"),
            TokenKind::Filter(_) => format!("`{}` narrows the whole search", token.text),
            TokenKind::Open if is_unwanted => "NOT leaves out what is in parentheses".to_owned(),
            TokenKind::Term(term) if is_unwanted => {
                format!("{} leaves out \"{}\"", tokens[at - 1].text.replace("-", "a minus sign"), term.text)
            }
            TokenKind::Term(term) if term.is_exact => format!("\"{}\" is found as written", term.text),
            TokenKind::Term(term) if term.is_prefix => format!("`{}` finds longer words too", token.text),
            TokenKind::Term(term) if term.is_first => {
                format!("`{}` finds the beginnings of chunks", token.text)
            }
            _ => continue,
        };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes.into_iter().map(|text| QueryNote::Operator { text }).collect()
}
