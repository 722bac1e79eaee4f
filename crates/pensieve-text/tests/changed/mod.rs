//! Random texts and random changes of texts, the same on every machine.

use pensieve_text::model::ContentHash;

/// Numbers of Steele, Lea and Flood's SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: &str) -> Random {
        Random(ContentHash::of(seed.as_bytes()).prefix())
    }

    /// A number below `limit`, 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % (limit.max(1) as u64)).unwrap()
    }
}

/// What means something to the rules, to the strategies or to tokenizers.
const INSERTED: [&str; 72] = [
    "\n",
    "\n\n",
    "\n\n\n\n",
    "\r\n",
    "\r",
    "\t",
    "  ",
    "\u{a0}",
    "\u{ad}",
    "\u{200b}",
    "\u{feff}",
    "\u{c}",
    "\u{0}",
    "-\n",
    "\u{2010}\n",
    "\u{fb01}",
    "\u{fb03}",
    "e\u{301}",
    "Ã©",
    "â€™",
    "ï¬",
    "\u{2028}",
    "\u{85}",
    "\u{ff21}",
    "\n# Part\n",
    "\n## Next part\n",
    "\nPart\n====\n",
    "\n---\n",
    "\n```\n",
    "\n~~~ rust\n",
    "\n| a | b |\n|---|:-:|\n| 1 | 2 |\n",
    "\n> ",
    "\n- ",
    "\n* ",
    "\n1. ",
    "\n12) ",
    "\n   ",
    "\n    let x = 1;\n",
    "\n* Section\n",
    "\n\\section{Part}\n",
    "\n== Part ==\n",
    "\n\n- 12 -\n\n",
    "\nPage 3 of 9\n",
    "\u{2022} ",
    "\u{25cf}",
    "Dr. ",
    "e.g. ",
    "...",
    "?! ",
    "\u{3002}",
    "\u{201d} ",
    "(",
    ")",
    "\"",
    ",",
    ";",
    "12,345.67",
    "https://a.example/b?c=d",
    "a@b.example",
    "\u{1f600}",
    "\u{65e5}\u{672c}",
    "<b>x</b>",
    ",\"a, b\nc\",",
    "\"\"",
    "\n\"a\n",
    "\n````\nx\n```\n",
    "\n:::note\n",
    "\n<div>\n",
    "+AGEAYg-",
    "\n\n    ",
    "&amp;",
    "\\",
];

/// The text with one word, line or mark left out, repeated, moved or put in.
pub fn change_text(text: &str, random: &mut Random) -> String {
    let is_by_lines = random.below(2) == 0;
    let parts: Vec<&str> =
        if is_by_lines { text.split_inclusive('\n').collect() } else { text.split_inclusive(' ').collect() };
    let mut parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
    if parts.is_empty() {
        return INSERTED[random.below(INSERTED.len())].to_owned();
    }
    let (at, other) = (random.below(parts.len()), random.below(parts.len()));
    match random.below(7) {
        0 => _ = parts.remove(at),
        1 => parts.insert(other, parts[at].clone()),
        2 => parts.swap(at, other),
        3 => parts[at] = parts[at].to_uppercase(),
        _ => parts.insert(at, INSERTED[random.below(INSERTED.len())].to_owned()),
    }
    parts.concat()
}

const WORDS: [&str; 40] = [
    "keepers",
    "count",
    "the",
    "lamps",
    "of",
    "a",
    "harbour",
    "and",
    "nobody",
    "writes",
    "The",
    "Winter",
    "lighthouse",
    "self-made",
    "co-",
    "re",
    "opened",
    "found",
    "lamps.",
    "winter,",
    "it;",
    "it:",
    "away!",
    "who?",
    "\u{201c}so\u{201d}",
    "(see",
    "below)",
    "12",
    "3.5",
    "1,000",
    "II",
    "A",
    "I",
    "\u{e9}t\u{e9}",
    "na\u{ef}ve",
    "e.g.",
    "Dr.",
    "p.",
    "\u{2014}",
    "don\u{2019}t",
];

/// Begins of lines that are set apart from prose.
const STARTS: [&str; 24] = [
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2. ",
    "3) ",
    "(a) ",
    "b. ",
    "iv. ",
    "\u{2022} ",
    "    ",
    "  ",
    "\t",
    "> ",
    "| ",
    "# ",
    "## ",
    "Q: ",
    "Term:  ",
    "a = ",
    "// ",
    "12  ",
    "[1] ",
    "* [ ] ",
];

/// Paragraphs, lists, tables and pages of words, and between them what means something to rules.
pub fn random_text(random: &mut Random) -> String {
    let mut text = String::new();
    let width = [0, 24, 40, 60, 72][random.below(5)];
    let running = words(3, random);
    for page in 0..=random.below(14) {
        match random.below(12) {
            0..5 => {
                let count = 1 + random.below(40);
                text.push_str(&wrapped(&words(count, random), width, "", random));
            }
            5 | 6 => {
                let start = STARTS[random.below(STARTS.len())];
                for _ in 0..=random.below(5) {
                    let count = 1 + random.below(12);
                    text.push_str(start);
                    text.push_str(&wrapped(&words(count, random), width, "   ", random));
                }
            }
            7 => {
                let columns = 1 + random.below(4);
                for _ in 0..=random.below(4) {
                    let cells: Vec<String> = (0..columns).map(|_| words(1, random)).collect();
                    text.push_str(&cells.join(["  ", "\t", " | ", ","][columns - 1]));
                    text.push('\n');
                }
            }
            8 => text.push_str(&format!("{running} {page}\n\u{c}{running}\n")),
            9 => text.push_str(&format!("\n{}\n", words(3, random).to_uppercase())),
            _ => text.push_str(INSERTED[random.below(INSERTED.len())]),
        }
        text.push_str(["\n", "\n", "\n\n\n", "", "\r\n\r\n"][random.below(5)]);
    }
    text
}

fn words(count: usize, random: &mut Random) -> String {
    let words: Vec<&str> = (0..count).map(|_| WORDS[random.below(WORDS.len())]).collect();
    words.join(" ")
}

/// Lines of at most this width, some of which end within a word.
fn wrapped(words: &str, width: usize, indent: &str, random: &mut Random) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in words.split(' ') {
        if width > 0 && length + word.len() > width {
            let is_cut = word.is_ascii() && word.len() > 5 && random.below(3) == 0;
            let (head, tail) = word.split_at(if is_cut { 3 } else { 0 });
            text.push_str(head);
            text.push_str(if is_cut { "-\n" } else { "\n" });
            text.push_str(indent);
            text.push_str(tail);
            length = indent.len() + tail.len();
        } else {
            text.push_str(word);
            length += word.len() + 1;
        }
        text.push(' ');
    }
    text.pop();
    text.push('\n');
    text
}
