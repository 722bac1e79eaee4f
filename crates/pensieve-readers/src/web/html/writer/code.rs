//! Preformatted text: its lines as they are.

use super::super::tokenizer::Piece;
use super::Writer;
use pensieve_text::model::Span;

impl Writer<'_> {
    /// Preformatted text: white space is kept, prefixes begin its lines. Line ends wait for the line that follows, so
    /// that a block of code neither begins nor ends with blank ones.
    pub fn code(&mut self, piece: &Piece) {
        let text = piece.text(self.source);
        if piece.decoded.is_some() && text != "\n" {
            self.start_code();
            self.move_to(piece.span.start);
            self.map.replace(text.len(), piece.span.len());
            self.text.push_str(text);
            return;
        }
        let mut start = piece.span.start;
        for line in text.split_inclusive('\n') {
            let words = line.trim_end_matches(['\n', '\r']);
            if words.trim_start().is_empty() {
                let space = Span::new(start, start + words.len());
                self.code_space = Some(space).filter(|space| !space.is_empty()).or(self.code_space);
            } else {
                self.start_code();
                self.move_to(start);
                self.copy(words.len());
            }
            if line.ends_with('\n') {
                self.end_code_line();
            }
            start += line.len();
        }
    }

    /// Ends a line of preformatted text.
    pub fn end_code_line(&mut self) {
        self.code_lines += 1;
        self.code_space = None;
    }

    /// True when words of preformatted text stand on the line.
    pub fn is_in_code_line(&self) -> bool {
        self.line_is_open && self.code_lines == 0
    }

    /// Ends preformatted text.
    pub fn end_code(&mut self) {
        self.code_lines = 0;
        self.code_space = None;
        self.has_code = false;
        if self.line_is_open {
            self.end_line();
        }
    }

    fn start_code(&mut self) {
        let lines = std::mem::take(&mut self.code_lines);
        for _ in 0..if self.has_code { lines } else { 0 } {
            self.end_line();
        }
        self.has_code = true;
        self.open_line();
        if let Some(space) = self.code_space.take() {
            self.move_to(space.start);
            self.copy(space.len());
        }
    }
}
