//! Source code and structured data, by lines: blank lines and indentation tell where things end.
//!
//! No grammar is needed and none is trusted: what stands at the lowest indentation after a blank line is an item,
//! whatever the language. A closing bracket belongs to what is before it, a comment or attribute to what comes after,
//! and a comment has paragraphs where a line of it is empty.

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
        let rank = above.and_then(|above| rank(text, above, line, after_blank));
        if let Some(rank) = rank {
            marker.mark(line.start, rank, rank >= Rank::Section2);
        }
        (above, after_blank) = (Some(line), false);
    }
    let whole = Held { span: Span::new(0, text.len()), context: None };
    Outline { marks: marker.finish(), held: vec![whole], paths: Vec::new() }
}

/// What a cut between two lines interrupts; `None` where there should be none.
fn rank(text: &str, above: &Line, line: &Line, after_blank: bool) -> Option<Rank> {
    let depth = depth(line.indent);
    if closes(line.words(text)) {
        return None;
    }
    if leads(above.words(text)) && above.indent == line.indent && !after_blank {
        let rank = if above.end - above.words <= 3 { Rank::SentenceLine } else { Rank::Line };
        return leads(line.words(text)).then_some(rank);
    }
    if opens(above.words(text)) && above.indent < line.indent {
        return Some(Rank::Line);
    }
    let block_ended = above.indent > line.indent || closes(above.words(text));
    Some(match (after_blank, block_ended, depth) {
        (true, _, 0) => Rank::Section1,
        (false, true, 0) => Rank::Section2,
        (true, _, 1) => Rank::Block,
        (false, true, 1) | (false, false, 0) => Rank::Item,
        (true, _, _) => Rank::SentenceLine,
        (false, false, 1) | (false, true, 2) => Rank::Sentence,
        _ => Rank::Line,
    })
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
    words.starts_with(['}', ')', ']'])
        || words.starts_with("</")
        || words == "end"
        || words == "fi"
        || words == "done"
}

/// True for the first line of a block, which a cut behind it would leave alone.
fn opens(words: &str) -> bool {
    words.ends_with(['{', '(', '[', ':'])
}

/// True for a comment or an attribute.
fn leads(words: &str) -> bool {
    LEADS.iter().any(|lead| words.starts_with(lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_above_blocks_and_blocks_above_lines() {
        let text = "fn a() {\n    b();\n\n    c();\n}\n\n/// D.\nfn d() {\n}\nfn e() {}\n";
        let all: Vec<Line> =
            lines(text, Span::new(0, text.len())).into_iter().filter(|l| !l.is_blank()).collect();
        let after_blank = [false, true, false, true, false, false, false];
        let found: Vec<Option<Rank>> = all
            .windows(2)
            .zip(after_blank)
            .map(|(pair, blank)| rank(text, &pair[0], &pair[1], blank))
            .collect();
        let expected = [
            Some(Rank::Line),
            Some(Rank::Block),
            None,
            Some(Rank::Section1),
            None,
            None,
            Some(Rank::Section2),
        ];
        assert_eq!(found, expected);
    }
}
