//! A tree of terms as an FTS5 expression: every word of the user is quoted, so that it contains no operator.

use super::characters::respelled_phrase;
use super::tree::{Expression, QueryTerm};
use std::fmt::Write;
use unicode_normalization::UnicodeNormalization;

/// The search table that an expression is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// `chunks_fts`: text as it is.
    Spaced,
    /// `chunks_fts_unspaced`: letters of scripts without spaces in pairs.
    Unspaced,
}

/// The expression for one of the tables.
pub(crate) fn expression(tree: &Expression, script: Script) -> String {
    let mut out = String::new();
    write_expression(&mut out, tree, script);
    out
}

fn write_expression(out: &mut String, tree: &Expression, script: Script) {
    match tree {
        Expression::Term(term) => write_term(out, term, script),
        Expression::Near { terms, distance } => {
            out.push_str("NEAR(");
            for term in terms {
                write_phrase(out, &normal(&term.text), term, script);
                out.push(' ');
            }
            let _ = write!(out, ", {distance})");
        }
        Expression::Any(parts) => write_list(out, parts, " OR ", script),
        Expression::All { wanted, unwanted } => {
            out.push('(');
            write_list(out, wanted, " AND ", script);
            if !unwanted.is_empty() {
                out.push_str(" NOT ");
                write_list(out, unwanted, " OR ", script);
            }
            out.push(')');
        }
    }
}

fn write_list(out: &mut String, parts: &[Expression], operator: &str, script: Script) {
    out.push('(');
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.push_str(operator);
        }
        write_expression(out, part, script);
    }
    out.push(')');
}

/// Clean text is usually in NFKC, but need not be, so both forms are searched for if they differ.
fn write_term(out: &mut String, term: &QueryTerm, script: Script) {
    let normal = normal(&term.text);
    if normal == term.text {
        return write_phrase(out, &normal, term, script);
    }
    out.push('(');
    write_phrase(out, &normal, term, script);
    out.push_str(" OR ");
    write_phrase(out, &term.text, term, script);
    out.push(')');
}

fn write_phrase(out: &mut String, text: &str, term: &QueryTerm, script: Script) {
    let (text, is_beginning) = match script {
        Script::Spaced => (text.into(), false),
        Script::Unspaced => respelled_phrase(text),
    };
    let first = if term.is_first { "^ " } else { "" };
    let prefix = if term.is_prefix || is_beginning && !term.is_whole { " *" } else { "" };
    let _ = write!(out, "{first}\"{}\"{prefix}", text.replace('"', "\"\""));
}

fn normal(text: &str) -> String {
    text.nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::super::parser::parse;
    use super::*;

    fn check(query: &str, expected: &str) {
        let tree = parse(query).unwrap().expression.unwrap();
        assert_eq!(expression(&tree, Script::Spaced), expected, "{query}");
    }

    #[test]
    fn every_word_stands_in_quotes() {
        check("lamp", "\"lamp\"");
        check("a.b/c OR \"x \"\" y\"*", "(\"a.b/c\" OR \"x \"\" y\" *)");
        check("foo-ba*", "\"foo-ba\" *");
        check("^lamp \"fog horn\"*", "((^ \"lamp\" AND \"fog horn\" *))");
        check("a b NOT c NOT d", "((\"a\" AND \"b\") NOT (\"c\" OR \"d\"))");
        check("a NEAR/3 \"b c\"", "NEAR(\"a\" \"b c\" , 3)");
        check("ﬁn", "(\"fin\" OR \"ﬁn\")");
    }

    #[test]
    fn letters_of_scripts_without_spaces_are_set_apart_for_their_table() {
        let tree = parse("数据库 sqlite").unwrap().expression.unwrap();
        assert_eq!(expression(&tree, Script::Unspaced), "((\" 数据 据库 \" * AND \"sqlite\"))");
    }
}
