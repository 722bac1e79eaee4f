//! Markup around words: written where the first word comes, closed behind the last one.

use super::Writer;

/// Markup around words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Marker {
    /// `**`
    Strong,
    /// `*`
    Emphasis,
    /// `~~`
    Strike,
    /// So many backticks.
    Code(usize),
    /// `[` and `](address)`
    Link(String),
}

/// How far a markup is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// No word has come yet.
    Waiting,
    /// It is open.
    Written,
    /// It is not written, or not again.
    Spent,
}

impl Writer<'_> {
    /// Markup that begins at the next word.
    pub fn open_marker(&mut self, marker: Marker) {
        let is_inside = |other: &Marker| {
            std::mem::discriminant(other) == std::mem::discriminant(&marker)
                || matches!(other, Marker::Code(_))
        };
        let is_link = matches!(marker, Marker::Link(_));
        let is_spent = !self.with_markup
            || (self.is_flat() && !self.in_cell && !is_link && !matches!(marker, Marker::Code(_)))
            || self.markers.iter().any(|(other, stage)| *stage != Stage::Spent && is_inside(other));
        self.markers.push((marker, if is_spent { Stage::Spent } else { Stage::Waiting }));
    }

    /// Ends the innermost markup, in front of white space that waits.
    pub fn close_marker(&mut self) {
        if let Some((marker, Stage::Written)) = self.markers.pop() {
            self.write_close(&marker);
        }
    }

    fn write_close(&mut self, marker: &Marker) {
        match marker {
            Marker::Strong => self.put("**"),
            Marker::Emphasis => self.put("*"),
            Marker::Strike => self.put("~~"),
            Marker::Code(ticks) => self.put(&"`".repeat(*ticks)),
            Marker::Link(address) => {
                self.put("](");
                self.put(&address.clone());
                self.put(")");
            }
        }
    }

    /// Closes what is open at the end of a line; emphasis goes on in the next.
    pub(super) fn close_markers(&mut self) {
        for at in (0..self.markers.len()).rev() {
            if self.markers[at].1 == Stage::Written {
                let marker = self.markers[at].0.clone();
                self.write_close(&marker);
                let is_link = matches!(marker, Marker::Link(_));
                self.markers[at].1 = if is_link { Stage::Spent } else { Stage::Waiting };
            }
        }
    }

    pub(super) fn write_waiting(&mut self) {
        for at in 0..self.markers.len() {
            if self.markers[at].1 == Stage::Waiting {
                self.markers[at].1 = Stage::Written;
                match self.markers[at].0 {
                    Marker::Strong => self.put("**"),
                    Marker::Emphasis => self.put("*"),
                    Marker::Strike => self.put("~~"),
                    Marker::Code(ticks) => self.put(&"`".repeat(ticks)),
                    Marker::Link(_) => self.put("["),
                }
            }
        }
    }
}
