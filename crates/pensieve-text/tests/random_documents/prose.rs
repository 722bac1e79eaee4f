//! Headings, paragraphs, lists and what else is read from line to line.

use super::RandomDocument;
use std::fmt::Write;

impl RandomDocument {
    pub fn title(&mut self) {
        self.line(0.0, "Serif-Bold", self.size + 8.0, "Lamps and harbours", None);
        self.drawn.push("h1 Lamps and harbours".to_owned());
        self.y += 14.0;
    }

    pub fn heading(&mut self, section: usize) {
        self.reserve(self.leading * 5.0);
        self.y += self.leading;
        self.parts = 0;
        let name = self.one_of(&["Of oil", "The long winter", "Ships and masters", "Wind", "On the quay"]);
        let text = format!("{} {name}", section + 1);
        self.line(0.0, "Serif-Bold", self.size + 3.0, &text, None);
        self.drawn.push(format!("h1 {text}"));
        self.y += self.leading * 0.3;
    }

    pub fn subheading(&mut self, section: usize) {
        self.reserve(self.leading * 4.0);
        self.y += self.leading * 0.7;
        self.parts += 1;
        let name = self.one_of(&["By day", "By night", "In rain"]);
        let text = format!("{}.{} {name}", section + 1, self.parts);
        self.line(0.0, "Serif-Bold", self.size + 1.0, &text, None);
        self.drawn.push(format!("h2 {text}"));
        self.paragraph();
    }

    pub fn listing(&mut self) {
        self.reserve(self.leading * 6.0);
        self.y += self.leading * 0.6;
        let size = self.size - 1.0;
        let lines =
            ["for lamp in quay:", "    if lamp.dark():", "        lamp.light()", "    book.write(lamp)"];
        for line in lines {
            let (x, y) = (self.left() + 12.0, self.y);
            let _ = writeln!(self.out, "text {x} {y} {size} Mono {line}");
            self.y += size * 1.2;
        }
        // The beginnings of its lines are lost.
        self.drawn.push(format!("MAIN {}", lines.map(str::trim).join(" / ")));
        self.y += self.leading * 0.6;
    }

    /// A paragraph that begins with a letter two lines high.
    pub fn initial(&mut self) {
        let text = self.sentence(30);
        self.reserve(self.leading * 5.0);
        self.y += self.leading;
        let (x, y, size) = (self.left(), self.y + self.leading, self.leading + self.size);
        let _ = writeln!(self.out, "run {x} {y} {} {size} Serif - {}", size * 0.69, &text[..1]);
        let width = self.column_width();
        for (at, line) in self.wrapped(&text[1..], width - size * 0.7, self.size, 0.0).iter().enumerate() {
            let margin = if at < 2 { size * 0.7 } else { 0.0 };
            self.line(margin, "Serif", self.size, line, None);
        }
        self.drawn.push(format!("MAIN {text}"));
        self.y += self.leading * 0.6;
    }

    pub fn paragraph(&mut self) {
        let sentences: Vec<String> = (0..self.below(4) + 2)
            .map(|_| {
                let words = self.below(16) + 5;
                self.sentence(words)
            })
            .collect();
        self.set(&sentences.join(" "), 0.0, self.indent);
        self.drawn.extend(sentences.iter().map(|sentence| format!("MAIN {sentence}")));
    }

    /// A box with a title, filled or framed.
    pub fn framed(&mut self) {
        self.reserve(self.leading * 10.0);
        self.y += self.leading;
        let (left, top) = (self.left(), self.y - self.size - 4.0);
        let right = left + self.column_width();
        let shape = self.one_of(&["fill", "frame"]);
        self.line(8.0, "Serif-Bold", self.size, "Take care", None);
        let text = self.sentence(22);
        for line in self.wrapped(&text, self.column_width() - 16.0, self.size, 0.0) {
            self.line(8.0, "Serif", self.size, &line, None);
        }
        let bottom = self.y - self.size + 6.0;
        let _ = writeln!(self.out, "{shape} {left} {top} {right} {bottom}");
        self.drawn.push(format!("callout Take care / {text}"));
        self.y += self.leading;
    }

    pub fn verse(&mut self) {
        self.reserve(self.leading * 7.0);
        self.y += self.leading * 0.6;
        let lines = [
            "The lamps go out along the quay",
            "and no one counts them but the sea,",
            "who never learned to write.",
        ];
        for line in lines {
            self.line(30.0, "Serif-Italic", self.size, line, None);
        }
        self.drawn.push(format!("MAIN {}", lines.join(" / ")));
        self.y += self.leading * 0.6;
    }

    /// A paragraph that begins with bold words and has the mark of a note.
    pub fn lead_in(&mut self) {
        self.reserve(self.leading * 4.0);
        self.y += self.leading * 0.4;
        let (x, y, size) = (self.left() + self.indent, self.y, self.size);
        let _ = writeln!(self.out, "run {x} {y} {} {size} Serif-Bold - Night watch.", 12.0 * size * 0.5);
        let rest = x + 13.0 * size * 0.5;
        let _ = writeln!(self.out, "run {rest} {y} {} {size} Serif - It passes", 9.0 * size * 0.5);
        let mark = rest + 9.0 * size * 0.5;
        let _ = writeln!(self.out, "run {mark} {} {} {} Serif - 7", y - size * 0.35, size * 0.3, size * 0.6);
        let then = mark + size * 0.3 + size * 0.5;
        let text = self.sentence(24).to_lowercase();
        let width = self.column_width();
        let lines = self.wrapped(&text, width, size, then - self.left());
        let room = self.left() + width - then;
        let _ = writeln!(self.out, "run {then} {y} {room} {size} Serif - {}", lines[0]);
        self.y += self.leading;
        for line in &lines[1..] {
            self.line(0.0, "Serif", size, line, Some(width).filter(|_| line != &lines[lines.len() - 1]));
        }
        self.drawn.push("MAIN Night watch.".to_owned());
        self.drawn.push(format!("MAIN It passes^7 {text}"));
        self.y += self.leading * 0.4;
    }

    /// Words that are divided where lines end.
    pub fn divided(&mut self) {
        self.reserve(self.leading * 5.0);
        self.y += self.leading * 0.4;
        let width = self.column_width();
        let letters = (width / (self.size * 0.5)) as usize;
        let text = self.sentence(40).replace("harbour", "harbours").replace("barrels", "barrelmakers");
        let mut rest = text.as_str();
        while rest.len() > letters {
            let mut cut = letters - 1;
            let is_letter = |at: usize| rest.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic);
            while cut > 4 && !(is_letter(cut) && (1..=3).all(|by| is_letter(cut - by)) && is_letter(cut + 1))
            {
                cut -= 1;
            }
            let line = format!("{}-", rest[..cut].trim_start());
            self.line(0.0, "Serif", self.size, &line, Some(width));
            rest = &rest[cut..];
        }
        self.line(0.0, "Serif", self.size, rest.trim_start(), None);
        self.drawn.push(format!("MAIN {text}"));
        self.y += self.leading * 0.4;
    }

    /// Justified lines.
    fn set(&mut self, text: &str, margin: f32, indent: f32) {
        let width = self.column_width() - 2.0 * margin;
        let lines = self.wrapped(text, width, self.size, indent);
        for (at, line) in lines.iter().enumerate() {
            let indent = if at == 0 { indent } else { 0.0 };
            let full = (at + 1 < lines.len()).then_some(width - indent);
            self.line(margin + indent, "Serif", self.size, line, full);
        }
        if self.indent == 0.0 {
            self.y += self.leading * 0.6;
        }
    }

    pub fn list(&mut self) {
        let is_numbered = self.below(2) == 0;
        for item in 0..self.below(4) + 2 {
            let words = self.below(18) + 3;
            let text = self.sentence(words);
            let mark = if is_numbered { format!("{}.", item + 1) } else { "•".to_owned() };
            let lines = self.wrapped(&text, self.column_width() - 20.0, self.size, 0.0);
            for (at, line) in lines.iter().enumerate() {
                self.reserve(0.0);
                if at == 0 {
                    let (x, y, size) = (self.left() + 6.0, self.y, self.size);
                    let _ = writeln!(self.out, "text {x} {y} {size} Serif {mark}");
                }
                self.line(20.0, "Serif", self.size, line, None);
            }
            self.drawn.push(format!("MAIN {mark} {text}"));
        }
        self.y += self.leading * 0.6;
    }

    pub fn quote(&mut self) {
        let text = self.sentence(24);
        self.y += self.leading * 0.5;
        self.set(&text, 24.0, 0.0);
        self.drawn.push(format!("MAIN {text}"));
        self.y += self.leading * 0.5;
    }

    pub fn note(&mut self) {
        self.notes += 1;
        let words = self.below(5) + 5;
        let text = self.sentence(words);
        self.foot.push(format!("{} {text}", self.notes));
        self.drawn.push(format!("footnote {} {text}", self.notes));
    }

    pub fn figure(&mut self) {
        let height = self.one_of(&[60.0, 90.0, 120.0]);
        self.reserve(height + self.leading * 3.0);
        self.number += 1;
        let (left, top) = (self.left() + 20.0, self.y);
        let right = left + self.column_width() - 40.0;
        let _ = writeln!(self.out, "image {left} {top} {right} {}", top + height);
        self.y += height + self.leading;
        let words = self.sentence(6);
        let text = format!("Figure {}: {words}", self.number);
        self.line(20.0, "Serif", self.size - 1.0, &text, None);
        self.drawn.push(format!("caption {text}"));
        self.y += self.leading;
    }
}
