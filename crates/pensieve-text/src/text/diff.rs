//! What one text changed in another, by lines, as a unified diff.
//!
//! Lines that stand once in both texts are anchors, in the longest order that both share (Cohen's patience diff); what
//! lies between two anchors is compared by Myers' greedy algorithm ("An O(ND) difference algorithm", 1986). A stretch
//! with more differences than [`MOST_EDITS`] is told as replaced: the cost stays bounded, and the result is the same on
//! every machine.

use std::collections::HashMap;
use std::ops::Range;

/// Differences that Myers' algorithm looks for within one stretch; memory grows with the square.
const MOST_EDITS: usize = 1024;

/// A stretch of lines that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Lines of the old text.
    pub old: Range<usize>,
    /// Lines of the new text that stand in their place.
    pub new: Range<usize>,
}

/// Changes that stand close to each other, with the lines around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Lines of the old text.
    pub old: Range<usize>,
    /// Lines of the new text.
    pub new: Range<usize>,
    /// The changes among them, in order.
    pub changes: Vec<Change>,
}

/// How a line stands in a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// In both texts.
    Both,
    /// In the old one.
    Old,
    /// In the new one.
    New,
}

/// The lines of a text, each with its line end.
pub fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The stretches in which two lists of lines differ, in order.
///
/// Cost: linear in the lines, but for stretches without any line that is unique.
pub fn compare<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Change> {
    let mut numbers: HashMap<&'t str, u32> = HashMap::new();
    let mut number = |line| {
        let next = numbers.len() as u32;
        *numbers.entry(line).or_insert(next)
    };
    let old: Vec<u32> = old.iter().map(|line| number(*line)).collect();
    let new: Vec<u32> = new.iter().map(|line| number(*line)).collect();
    let mut found = Vec::new();
    let mut waiting = vec![(0..old.len(), 0..new.len())];
    // A stack instead of recursion: anchors may split a text into as many stretches as it has lines.
    while let Some((mut a, mut b)) = waiting.pop() {
        trim(&old, &new, &mut a, &mut b);
        if a.is_empty() || b.is_empty() {
            push(&mut found, a, b);
            continue;
        }
        let anchors = anchors(&old, &new, &a, &b);
        if anchors.is_empty() {
            middle(&old[a.clone()], &new[b.clone()], (a.start, b.start), &mut found);
            continue;
        }
        let (mut at, mut to) = (a.start, b.start);
        let mut parts = Vec::with_capacity(anchors.len() + 1);
        for (one, other) in anchors {
            parts.push((at..one, to..other));
            (at, to) = (one + 1, other + 1);
        }
        parts.push((at..a.end, to..b.end));
        waiting.extend(parts.into_iter().rev());
    }
    found
}

/// Adds a change, as part of the one before where they touch.
fn push(found: &mut Vec<Change>, old: Range<usize>, new: Range<usize>) {
    if old.is_empty() && new.is_empty() {
        return;
    }
    match found.last_mut() {
        Some(last) if last.old.end == old.start && last.new.end == new.start => {
            (last.old.end, last.new.end) = (old.end, new.end);
        }
        _ => found.push(Change { old, new }),
    }
}

/// Takes equal lines off both ends.
fn trim(old: &[u32], new: &[u32], a: &mut Range<usize>, b: &mut Range<usize>) {
    while a.start < a.end && b.start < b.end && old[a.start] == new[b.start] {
        (a.start, b.start) = (a.start + 1, b.start + 1);
    }
    while a.start < a.end && b.start < b.end && old[a.end - 1] == new[b.end - 1] {
        (a.end, b.end) = (a.end - 1, b.end - 1);
    }
}

/// Lines that stand once on each side, in the longest order that both sides share.
fn anchors(old: &[u32], new: &[u32], a: &Range<usize>, b: &Range<usize>) -> Vec<(usize, usize)> {
    // How often it stands on each side, and where.
    let mut seen: HashMap<u32, (usize, usize, usize)> = HashMap::new();
    for at in a.clone() {
        let entry = seen.entry(old[at]).or_default();
        (entry.0, entry.2) = (entry.0 + 1, at);
    }
    let mut places: HashMap<u32, usize> = HashMap::new();
    for at in b.clone() {
        if let Some(entry) = seen.get_mut(&new[at]) {
            entry.1 += 1;
            places.insert(new[at], at);
        }
    }
    let unique = |line: &u32| seen.get(line).is_some_and(|(here, there, _)| (*here, *there) == (1, 1));
    let pairs: Vec<(usize, usize)> =
        a.clone().filter(|at| unique(&old[*at])).map(|at| (at, places[&old[at]])).collect();
    rising(&pairs)
}

/// The longest run of pairs whose second parts rise.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut tops: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, place)) in pairs.iter().enumerate() {
        let pile = tops.partition_point(|top| pairs[*top].1 < *place);
        before.push(pile.checked_sub(1).map(|left| tops[left]));
        match tops.get_mut(pile) {
            Some(top) => *top = index,
            None => tops.push(index),
        }
    }
    let mut run = Vec::with_capacity(tops.len());
    let mut at = tops.last().copied();
    while let Some(index) = at {
        run.push(pairs[index]);
        at = before[index];
    }
    run.reverse();
    run
}

/// Compares a stretch without anchors; its lines begin at `from`.
fn middle(old: &[u32], new: &[u32], from: (usize, usize), found: &mut Vec<Change>) {
    let shift = |range: Range<usize>, by: usize| range.start + by..range.end + by;
    match script(old, new) {
        Some(kept) => {
            let (mut at, mut to) = (0, 0);
            for (one, other) in kept {
                push(found, shift(at..one, from.0), shift(to..other, from.1));
                (at, to) = (one + 1, other + 1);
            }
            push(found, shift(at..old.len(), from.0), shift(to..new.len(), from.1));
        }
        None => push(found, shift(0..old.len(), from.0), shift(0..new.len(), from.1)),
    }
}

/// The lines that both sides keep, by Myers; `None` when there are too many differences.
fn script(old: &[u32], new: &[u32]) -> Option<Vec<(usize, usize)>> {
    let (height, width) = (old.len() as isize, new.len() as isize);
    let most = (old.len() + new.len()).min(MOST_EDITS);
    let middle = most as isize + 1;
    let mut reach = vec![0isize; 2 * most + 3];
    let mut history: Vec<Vec<isize>> = Vec::new();
    for edits in 0..=most as isize {
        history.push(reach[(middle - edits - 1) as usize..=(middle + edits + 1) as usize].to_vec());
        for line in (-edits..=edits).step_by(2) {
            let at = (middle + line) as usize;
            let down = line == -edits || (line != edits && reach[at - 1] < reach[at + 1]);
            let mut x = if down { reach[at + 1] } else { reach[at - 1] + 1 };
            while x < height && x - line < width && old[x as usize] == new[(x - line) as usize] {
                x += 1;
            }
            reach[at] = x;
            if x >= height && x - line >= width {
                return Some(retrace(&history, height, width));
            }
        }
    }
    None
}

/// Walks back through the furthest reaches of each number of edits.
fn retrace(history: &[Vec<isize>], height: isize, width: isize) -> Vec<(usize, usize)> {
    let (mut x, mut y) = (height, width);
    let mut kept = Vec::new();
    for (edits, reach) in history.iter().enumerate().rev() {
        let edits = edits as isize;
        let line = x - y;
        let at = |line: isize| reach[(line + edits + 1) as usize];
        let down = line == -edits || (line != edits && at(line - 1) < at(line + 1));
        let from = if down { line + 1 } else { line - 1 };
        let (start_x, start_y) = (at(from), at(from) - from);
        while x > start_x && y > start_y {
            (x, y) = (x - 1, y - 1);
            kept.push((x as usize, y as usize));
        }
        (x, y) = (start_x, start_y);
    }
    kept.reverse();
    kept
}

/// Gathers changes into hunks with so many lines around them.
pub fn hunks(changes: &[Change], old: usize, context: usize) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for change in changes {
        match hunks.last_mut() {
            Some(hunk) if change.old.start <= hunk.old.end.saturating_add(context.saturating_mul(2)) => {
                (hunk.old.end, hunk.new.end) = (change.old.end, change.new.end);
                hunk.changes.push(change.clone());
            }
            _ => hunks.push(Hunk {
                old: change.old.clone(),
                new: change.new.clone(),
                changes: vec![change.clone()],
            }),
        }
    }
    for hunk in &mut hunks {
        let before = context.min(hunk.old.start);
        let after = context.min(old - hunk.old.end);
        hunk.old = hunk.old.start - before..hunk.old.end + after;
        hunk.new = hunk.new.start - before..hunk.new.end + after;
    }
    hunks
}

impl Hunk {
    /// The lines of the hunk in order, by their numbers in the text that they stand in.
    pub fn lines(&self) -> Vec<(Side, usize)> {
        let mut lines = Vec::new();
        let mut at = self.old.start;
        for change in &self.changes {
            lines.extend((at..change.old.start).map(|line| (Side::Both, line)));
            lines.extend(change.old.clone().map(|line| (Side::Old, line)));
            lines.extend(change.new.clone().map(|line| (Side::New, line)));
            at = change.old.end;
        }
        lines.extend((at..self.old.end).map(|line| (Side::Both, line)));
        lines
    }

    /// `@@ -1,3 +1,4 @@`
    pub fn header(&self) -> String {
        let part = |range: &Range<usize>| match range.len() {
            0 => format!("{},0", range.start),
            1 => format!("{}", range.start + 1),
            many => format!("{},{many}", range.start + 1),
        };
        format!("@@ -{} +{} @@", part(&self.old), part(&self.new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `diff -u` prints, without its first two lines.
    fn unified(old: &str, new: &str) -> String {
        let (a, b) = (lines(old), lines(new));
        let mut text = String::new();
        for hunk in hunks(&compare(&a, &b), a.len(), 1) {
            text.push_str(&hunk.header());
            text.push('\n');
            for (side, line) in hunk.lines() {
                let (mark, line) = match side {
                    Side::Both => (' ', a[line]),
                    Side::Old => ('-', a[line]),
                    Side::New => ('+', b[line]),
                };
                text.push(mark);
                text.push_str(line.trim_end_matches('\n'));
                text.push('\n');
            }
        }
        text
    }

    fn check(old: &str, new: &str, expected: &str) {
        assert_eq!(unified(old, new), expected);
    }

    #[test]
    fn changes_are_told_with_the_lines_around_them() {
        check("a\nb\n", "a\nb\n", "");
        check("a\nb\nc\nd\ne\n", "a\nB\nc\nd\ne\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
        check("", "a\n", "@@ -0,0 +1 @@\n+a\n");
        check("a\n", "", "@@ -1 +0,0 @@\n-a\n");
        check("a\nb\n", "b\n", "@@ -1,2 +1 @@\n-a\n b\n");
        check("x\nx\nx\n", "x\nx\n", "@@ -2,2 +2 @@\n x\n-x\n");
        check(
            "a\n1\n2\n3\n4\n5\nb\n",
            "A\n1\n2\n3\n4\n5\nB\n",
            "@@ -1,2 +1,2 @@\n-a\n+A\n 1\n@@ -6,2 +6,2 @@\n 5\n-b\n+B\n",
        );
    }

    /// Whatever the texts, what is told turns the one into the other.
    #[test]
    fn a_diff_leads_from_one_text_to_the_other() {
        let mut state = 7u64;
        let mut next = |limit: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % limit
        };
        for round in 0..400u64 {
            let mut text =
                |length| (0..length).map(|_| format!("{}\n", next(2 + round % 9))).collect::<String>();
            let (old, new) = (text(round % 40), text((round * 7) % 40));
            let (a, b) = (lines(&old), lines(&new));
            let changes = compare(&a, &b);
            let (mut made, mut at) = (String::new(), 0);
            for change in &changes {
                made.extend(a[at..change.old.start].iter().copied());
                made.extend(b[change.new.clone()].iter().copied());
                at = change.old.end;
            }
            made.extend(a[at..].iter().copied());
            assert_eq!(made, new, "from {old:?}");
        }
    }

    #[test]
    fn texts_without_anything_in_common_are_replaced_as_a_whole() {
        let old: String = (0..3000).map(|number| format!("a{}\n", number % 2)).collect();
        let new: String = (0..3000).map(|number| format!("b{}\n", number % 2)).collect();
        let changes = compare(&lines(&old), &lines(&new));
        assert_eq!(changes, [Change { old: 0..3000, new: 0..3000 }]);
    }
}
