//! Source code and structured data, by lines: blank lines and indentation tell where things end.
//!
//! No grammar is needed and none is trusted: what stands at the lowest indentation after a blank line is an item,
//! whatever the language. A closing bracket belongs to what is before it, a comment or attribute to what comes after.

use super::boundary::Rank;
use super::lines::{Line, lines};
use super::outline::{Held, Marker, Outline};
use crate::model::Span;

/// What comment and attribute lines start with. `#` is a heading in none of these languages.
const LEADS: [&str; 13] = ["//", "/*", "*", "#", "@", "--", ";;", "%", "\"\"\"", "'''", "<!--", "///", "[<"];

/// The outline of code.
pub(super) fn outline(mut marker: Marker<'_>) -> Outline {
    let text = marker.text();
    let all = lines(text, Span::new(0, text.len()));
    let mut above: Option<&Line> = None;
    let mut after_blank = false;
    for line in &all {
        if line.is_blank() {
            after_blank = true;
            continue;
        }
        if let Some(above) = above {
            let rank = rank(text, above, line, after_blank);
            let is_fresh = rank >= Rank::Section2;
            marker.mark(line.start, rank, is_fresh);
        }
        (above, after_blank) = (Some(line), false);
    }
    let whole = Held { span: Span::new(0, text.len()), context: None };
    Outline { marks: marker.finish(), held: vec![whole], paths: Vec::new() }
}

/// What a cut between two lines interrupts.
fn rank(text: &str, above: &Line, line: &Line, after_blank: bool) -> Rank {
    let depth = depth(line.indent);
    if closes(line.words(text)) {
        return Rank::Clause;
    }
    if leads(above.words(text)) && above.indent == line.indent && !after_blank {
        return if leads(line.words(text)) { Rank::Line } else { Rank::Clause };
    }
    let block_ended = above.indent > line.indent || closes(above.words(text));
    match (after_blank, block_ended, depth) {
        (true, _, 0) => Rank::Section1,
        (false, true, 0) => Rank::Section2,
        (true, _, 1) => Rank::Block,
        (false, true, 1) | (false, false, 0) => Rank::Item,
        (true, _, _) => Rank::SentenceLine,
        (false, false, 1) | (false, true, 2) => Rank::Sentence,
        _ => Rank::Line,
    }
}

/// Indentation in steps, whatever the width of one.
fn depth(indent: usize) -> usize {
    match indent {
        0 => 0,
        1..=4 => 1,
        5..=8 => 2,
        _ => 3,
    }
}

fn closes(words: &str) -> bool {
    words.starts_with(['}', ')', ']']) || words.starts_with("</") || words == "end" || words == "fi" || words == "done"
}

fn leads(words: &str) -> bool {
    LEADS.iter().any(|lead| words.starts_with(lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_above_blocks_and_blocks_above_lines() {
        let text = "fn a() {\n    b();\n\n    c();\n}\n\n/// D.\nfn d() {\n}\nfn e() {}\n";
        let all: Vec<Line> = lines(text, Span::new(0, text.len())).into_iter().filter(|l| !l.is_blank()).collect();
        let after_blank = [false, true, false, true, false, false, false];
        let found: Vec<Rank> =
            all.windows(2).zip(after_blank).map(|(pair, blank)| rank(text, &pair[0], &pair[1], blank)).collect();
        let expected = [
            Rank::Sentence,
            Rank::Block,
            Rank::Clause,
            Rank::Section1,
            Rank::Clause,
            Rank::Clause,
            Rank::Section2,
        ];
        assert_eq!(found, expected);
    }
}
