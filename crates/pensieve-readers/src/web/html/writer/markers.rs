//! Markup around words: written where the first word comes, closed behind the last one.

use super::Writer;

/// Markup around words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Marker {
    /// Two stars or underscores.
    Strong(char),
    /// A star or an underscore.
    Emphasis(char),
    /// `~~`
    Strike,
    /// Backticks.
    Code(Ticks),
    /// `[` and `](address)`
    Link(String),
}

/// The backticks around code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Ticks {
    /// How many.
    pub count: usize,
    /// A space parts them from the code.
    pub is_padded: bool,
}

impl Marker {
    fn opening(&self) -> String {
        match self {
            Marker::Link(_) => "[".to_owned(),
            Marker::Code(ticks) if ticks.is_padded => "`".repeat(ticks.count) + " ",
            other => other.closing(),
        }
    }

    fn closing(&self) -> String {
        match self {
            Marker::Strong(sign) => String::from_iter([*sign; 2]),
            Marker::Emphasis(sign) => sign.to_string(),
            Marker::Strike => "~~".to_owned(),
            Marker::Code(ticks) if ticks.is_padded => format!(" {}", "`".repeat(ticks.count)),
            Marker::Code(ticks) => "`".repeat(ticks.count),
            Marker::Link(address) => format!("]({address})"),
        }
    }
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
    /// Markup that begins at the next word; none for words that stand by themselves.
    pub fn open_marker(&mut self, marker: Option<Marker>) {
        let is_spent = marker.as_ref().is_none_or(|marker| self.is_spent(marker));
        // What is never written stands for a mark that is not there.
        let marker = marker.unwrap_or(Marker::Strike);
        self.markers.push((marker, if is_spent { Stage::Spent } else { Stage::Waiting }));
    }

    fn is_spent(&self, marker: &Marker) -> bool {
        let is_inside = |other: &Marker| {
            std::mem::discriminant(other) == std::mem::discriminant(marker)
                || matches!(other, Marker::Code(_))
        };
        let is_link = matches!(marker, Marker::Link(_));
        !self.with_markup
            || (self.is_flat() && !self.in_cell && !is_link && !matches!(marker, Marker::Code(_)))
            || self.markers.iter().any(|(other, stage)| *stage != Stage::Spent && is_inside(other))
    }

    /// Ends the innermost markup, in front of white space that waits.
    pub fn close_marker(&mut self) {
        if let Some((marker, Stage::Written)) = self.markers.pop() {
            self.put(&marker.closing());
        }
    }

    /// The sign of the emphasis in which the next words stand.
    pub fn outer_sign(&self) -> Option<char> {
        self.markers.iter().rev().find_map(|(marker, stage)| match marker {
            Marker::Strong(sign) | Marker::Emphasis(sign) if *stage != Stage::Spent => Some(*sign),
            _ => None,
        })
    }

    /// True where emphasis of a sign ends directly before the next word.
    pub fn ends_with_sign(&self, sign: char) -> bool {
        let before = self.text.strip_suffix(sign).filter(|_| self.last_char().is_some());
        before.is_some_and(|before| !before.ends_with('\\'))
    }

    /// Closes what is open at the end of a line; emphasis goes on in the next.
    pub(super) fn close_markers(&mut self) {
        for at in (0..self.markers.len()).rev() {
            if self.markers[at].1 == Stage::Written {
                let closing = self.markers[at].0.closing();
                self.put(&closing);
                let is_link = matches!(self.markers[at].0, Marker::Link(_));
                self.markers[at].1 = if is_link { Stage::Spent } else { Stage::Waiting };
            }
        }
    }

    pub(super) fn write_waiting(&mut self) {
        for at in 0..self.markers.len() {
            if self.markers[at].1 == Stage::Waiting {
                self.markers[at].1 = Stage::Written;
                let opening = self.markers[at].0.opening();
                self.put(&opening);
            }
        }
    }
}
