//! Random changes of drawings.

/// The drawing with one line left out, repeated or moved, or with one of its numbers or fonts changed.
pub fn change_line(drawing: &str, below: &mut dyn FnMut(usize) -> usize) -> String {
    let mut lines: Vec<String> = drawing.lines().map(str::to_owned).collect();
    let is_drawn = |line: &String| {
        let words = ["text ", "turned ", "run ", "rule ", "frame ", "fill ", "image ", "  "];
        words.iter().any(|word| line.starts_with(word))
    };
    let drawn: Vec<usize> = (0..lines.len()).filter(|at| is_drawn(&lines[*at])).collect();
    let Some(&at) = drawn.get(below(drawn.len())) else { return drawing.to_owned() };
    let other = drawn[below(drawn.len())];
    match below(9) {
        0 => _ = lines.remove(at),
        1 => lines.insert(at, lines[at].clone()),
        2 if at + 1 < lines.len() && is_drawn(&lines[at + 1]) => lines.swap(at, at + 1),
        3..6 => lines[at] = with_number_of(&lines[at], &lines[other], below),
        _ => lines[at] = with_another_number(&lines[at], below),
    }
    lines.join("\n") + "\n"
}

/// One of the first fields has the value that it has in another line of the kind, so that things begin or end together.
fn with_number_of(line: &str, other: &str, below: &mut dyn FnMut(usize) -> usize) -> String {
    let mut fields: Vec<&str> = line.split(' ').collect();
    let others: Vec<&str> = other.split(' ').collect();
    let at = 1 + below(4);
    if !line.starts_with(' ') && fields[0] == others[0] {
        fields[at] = others[at];
    }
    fields.join(" ")
}

/// One of the first numbers of the line is larger or smaller.
fn with_another_number(line: &str, below: &mut dyn FnMut(usize) -> usize) -> String {
    let mut fields: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let at = 1 + below(4);
    let number = fields.get(at).and_then(|field| field.parse::<f32>().ok());
    if let Some(number) = number.filter(|_| !line.starts_with(' ')) {
        let step = [-40.0, -12.0, -3.0, -0.5, 0.5, 2.0, 6.0, 15.0][below(8)];
        fields[at] = format!("{:.1}", (number + step).max(1.0));
    }
    fields.join(" ")
}
