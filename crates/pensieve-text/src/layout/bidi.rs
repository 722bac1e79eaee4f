//! Lines as they stand on the page, from left to right, turned into the order in which they are read. This undoes what
//! rule L2 of the Unicode bidirectional algorithm (UAX #9) did when the page was set, as far as it can be undone: the
//! direction of the paragraph is that of most of its letters.

/// Letters of scripts that run from right to left.
pub fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
        && !is_number(c)
}

/// Marks that belong to the letter before.
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

/// Runs of a line as they stand: letters that run to the right, to the left, numbers, and what takes its direction
/// from its surroundings.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Left,
    Right,
    Number,
    Neutral,
}

fn class(c: char) -> Class {
    match c {
        _ if is_right_to_left(c) => Class::Right,
        _ if is_number(c) => Class::Number,
        _ if c.is_alphanumeric() => Class::Left,
        _ => Class::Neutral,
    }
}

/// The line in reading order, where it has letters that run to the left; it is changed in place.
pub fn to_reading_order(line: &mut String) {
    if line.is_ascii() || !line.chars().any(is_right_to_left) {
        return;
    }
    let chars: Vec<char> = line.chars().collect();
    let count = |wanted: Class| chars.iter().filter(|c| class(**c) == wanted).count();
    let runs_left = count(Class::Right) >= count(Class::Left);
    let levels = levels(&chars, runs_left);
    let mut read: Vec<char> = Vec::with_capacity(chars.len());
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..chars.len() {
        match runs.last_mut() {
            Some((_, end)) if levels[at] == levels[*end - 1] => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
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
        // Set next to each other without a blank, words of two scripts are two words all the same.
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

/// For each character whether it belongs to a run that is read from right to left.
fn levels(chars: &[char], runs_left: bool) -> Vec<bool> {
    let classes: Vec<Class> = chars.iter().map(|c| class(*c)).collect();
    let mut levels = vec![runs_left; chars.len()];
    let mut at = 0;
    while at < chars.len() {
        let end =
            (at..chars.len()).find(|&i| (classes[i] == Class::Neutral) != (classes[at] == Class::Neutral));
        let end = end.unwrap_or(chars.len());
        if classes[at] == Class::Neutral {
            // Between two that agree as they do, between others as the line.
            let before = at.checked_sub(1).map(|i| levels[i]);
            let after = classes.get(end).map(|class| *class == Class::Right);
            let agreed = before.zip(after).filter(|(before, after)| before == after).map(|(both, _)| both);
            levels[at..end].fill(agreed.unwrap_or(runs_left));
            // A point or comma inside a number is part of it.
        } else {
            for i in at..end {
                levels[i] = classes[i] == Class::Right;
            }
        }
        at = end;
    }
    levels
}

/// Characters in reverse, each with its marks after it.
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

/// Brackets look the other way in right-to-left text.
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
