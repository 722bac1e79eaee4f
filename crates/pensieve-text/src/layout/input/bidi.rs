//! Turns lines from their order on the page, left to right, into reading order. This undoes rule L2 of the Unicode
//! bidirectional algorithm (UAX #9) as far as possible: the direction of the paragraph is taken to be that of most of
//! its letters.

/// True for letters of scripts that run from right to left.
pub fn is_right_to_left(c: char) -> bool {
    matches!(c,
        // Hebrew to Arabic Extended, their presentation forms, and the old and rare scripts of the second
        // plane.
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
        && !is_number(c)
}

/// True for marks that belong to the letter before.
pub fn is_combining(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}'
        | '\u{5c4}'..='\u{5c5}' | '\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}'..='\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

fn is_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}')
}

/// The direction of a character; neutral ones take that of their surroundings.
#[derive(Clone, Copy, PartialEq)]
enum CharacterDirection {
    Left,
    Right,
    Number,
    Neutral,
}

fn class(c: char) -> CharacterDirection {
    match c {
        _ if is_right_to_left(c) => CharacterDirection::Right,
        _ if is_number(c) => CharacterDirection::Number,
        _ if c.is_alphanumeric() => CharacterDirection::Left,
        _ => CharacterDirection::Neutral,
    }
}

/// Puts a line with right-to-left letters into reading order.
pub(crate) fn to_reading_order(line: &mut String) {
    // Most lines have no such letter and are not copied.
    if line.is_ascii() || !line.chars().any(is_right_to_left) {
        return;
    }
    let chars: Vec<char> = line.chars().collect();
    let count = |wanted: CharacterDirection| chars.iter().filter(|c| class(**c) == wanted).count();
    // A page does not say the direction of its paragraphs (UAX #9, P2 and P3); most letters show it.
    let runs_left = count(CharacterDirection::Right) >= count(CharacterDirection::Left);
    let levels = levels(&chars, runs_left);
    let mut read: Vec<char> = Vec::with_capacity(chars.len());
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..chars.len() {
        match runs.last_mut() {
            Some((_, end)) if levels[at] == levels[*end - 1] => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    // L2 in reverse: runs from right to left, then the letters in each of them.
    if runs_left {
        runs.reverse();
    }
    for (start, end) in runs {
        match levels[start] {
            true => read.extend(reversed(&chars[start..end])),
            false => read.extend(&chars[start..end]),
        }
    }
    line.clear();
    for (at, &c) in read.iter().enumerate() {
        // Words of two scripts are two words even without a space between them.
        if at > 0 && c.is_alphabetic() && read[at - 1].is_alphabetic() && changes_script(read[at - 1], c) {
            line.push(' ');
        }
        line.push(c);
    }
}

fn changes_script(before: char, after: char) -> bool {
    let is_latin = |c: char| c.is_alphabetic() && c < '\u{250}';
    (is_latin(before) && is_right_to_left(after)) || (is_right_to_left(before) && is_latin(after))
}

/// For each character, whether it belongs to a run that is read from right to left.
fn levels(chars: &[char], runs_left: bool) -> Vec<bool> {
    let classes: Vec<CharacterDirection> = chars.iter().map(|c| class(*c)).collect();
    let mut levels = vec![runs_left; chars.len()];
    let mut at = 0;
    while at < chars.len() {
        let end = (at..chars.len()).find(|&i| {
            (classes[i] == CharacterDirection::Neutral) != (classes[at] == CharacterDirection::Neutral)
        });
        let end = end.unwrap_or(chars.len());
        if classes[at] == CharacterDirection::Neutral {
            // Neutral characters follow their two neighbours if these agree, else the line.
            let before = at.checked_sub(1).map(|i| levels[i]);
            let after = classes.get(end).map(|class| *class == CharacterDirection::Right);
            let agreed = before.zip(after).filter(|(before, after)| before == after).map(|(both, _)| both);
            levels[at..end].fill(agreed.unwrap_or(runs_left));
        } else {
            for i in at..end {
                levels[i] = classes[i] == CharacterDirection::Right;
            }
        }
        at = end;
    }
    levels
}

/// The characters in reverse order, each with its marks after it.
fn reversed(chars: &[char]) -> Vec<char> {
    let mut read = Vec::with_capacity(chars.len());
    let mut end = chars.len();
    while end > 0 {
        let mut start = end - 1;
        while start > 0 && is_combining(chars[start]) {
            start -= 1;
        }
        if is_combining(chars[start]) {
            read.extend(chars[start..end].iter().rev());
        } else {
            read.push(mirrored(chars[start]));
            read.extend(&chars[start + 1..end]);
        }
        end = start;
    }
    read
}

/// The bracket that stands for this one in right-to-left text.
fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seen: &str, read: &str) {
        let mut line = seen.to_owned();
        to_reading_order(&mut line);
        assert_eq!(line, read);
    }

    #[test]
    fn lines_are_read_from_the_side_where_they_start() {
        check("plain text", "plain text");
        check("םלוע םולש", "שלום עולם");
        check(".2024 תנשב", "בשנת 2024.");
        check("(םלוע)", "(עולם)");
        check("the word םולש means", "the word שלום means");
        check("םולשPDF", "PDF שלום");
        check("םולש PDF 1.7 ארוק", "קורא PDF 1.7 שלום");
    }
}
