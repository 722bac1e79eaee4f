//! Paragraphs from lines: a blank, another size of letters, an indent. Later stages join lines and know more about
//! words than this does; here only what the page shows counts.

use super::geometry::Bounds;
use super::lines::Line;

/// Lines that belong together.
#[derive(Debug)]
pub(super) struct Block {
    /// Its lines, each with its line end but the last.
    pub(super) text: String,
    /// The box around it on the page.
    pub(super) bounds: Bounds,
}

/// The paragraphs of a region.
pub(super) fn of_lines(lines: &[Line]) -> Vec<Block> {
    let leading = typical_leading(lines);
    let mut blocks: Vec<Block> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let starts = match at.checked_sub(1).map(|before| &lines[before]) {
            None => true,
            Some(before) => starts_block(before, line, lines.get(at + 1), leading),
        };
        match blocks.last_mut() {
            Some(block) if !starts => {
                block.text.push('\n');
                block.text.push_str(&line.text);
                block.bounds.add(line.bounds);
            }
            _ => blocks.push(Block { text: line.text.clone(), bounds: line.bounds }),
        }
    }
    blocks
}

/// The distance between lines that most of them have, in font sizes.
fn typical_leading(lines: &[Line]) -> f32 {
    let mut all: Vec<f32> = lines
        .windows(2)
        .map(|pair| (pair[1].base - pair[0].base) / pair[1].size.max(pair[0].size))
        .filter(|leading| (0.8..2.2).contains(leading))
        .collect();
    all.sort_by(f32::total_cmp);
    // A little below the middle: headings and blanks only make it larger.
    all.get(all.len() * 2 / 5).copied().unwrap_or(1.3)
}

fn starts_block(before: &Line, line: &Line, after: Option<&Line>, leading: f32) -> bool {
    let size = before.size.max(line.size);
    let distance = (line.base - before.base) / size;
    if distance > leading * 1.3 + 0.05 {
        return true;
    }
    if before.size.min(line.size) < 0.87 * size || before.is_bold != line.is_bold {
        return true;
    }
    // A first line is indented, and the next one is not.
    let indent = (line.x0 - before.x0) / size;
    let is_back = after.is_some_and(|after| (after.x0 - before.x0).abs() < 0.4 * size);
    (0.7..6.0).contains(&indent) && is_back
}
