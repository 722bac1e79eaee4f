//! The facts about a text that decide how it is cleaned and cut.

use pensieve_text::format::Format;
use pensieve_text::model::{ChunkStrategy, TextKind};
use pensieve_text::text::clean::{CleanOptions, Cleaner};

/// The facts about a text that cleaning and cutting depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextProfile {
    /// Its format.
    pub format: &'static Format,
    /// How its white space is read.
    pub kind: TextKind,
    /// How it is cut.
    pub strategy: ChunkStrategy,
}

impl TextProfile {
    /// The cleaner for such a text.
    pub fn cleaner(&self, options: &CleanOptions) -> Cleaner {
        match self.kind {
            TextKind::Markup if self.format.is_mail => Cleaner::for_mail_body(options),
            kind => Cleaner::of_source(options, kind, self.format.escapes),
        }
    }
}
