//! Decoding: from bytes of any encoding to text with a map to those bytes.
//!
//! [`detect()`] finds the encoding: by byte-order mark, declaration, UTF-8, byte patterns, and finally by which
//! encoding gives the most probable text. [`Decoder`] makes segments as a stream, [`decode_all`] does both for bytes
//! in memory, and [`is_text`] judges whether bytes are text at all. Nothing is repaired here: undecodable bytes
//! become U+FFFD and are counted, text that was decoded wrongly before stays as it is, and line ends and control
//! characters are kept.

mod declaration;
mod decoder;
mod detect;
mod multibyte_costs;
mod encoding;
mod euc_tw;
mod best_reading;
mod language_models;
mod multibyte;
mod decoded_text;
mod single_byte;
mod byte_patterns;
mod stateful;
mod sign_costs;
mod utf7;
mod utf8_evidence;
mod zero_blocks;
mod text_verdict;
mod utf16_utf32;

#[cfg(test)]
mod laws;

pub use declaration::DeclarationFormat;
pub use decoder::{Decoder, decode_slice};
pub use detect::{DetectionMethod, EncodingDetection, EncodingHints, detect};
pub use encoding::Encoding;
pub use text_verdict::{TextVerdict, is_text, is_zeroed_text};
pub use zero_blocks::{ZeroBlockSearch, has_zero_block};

use crate::model::{Problem, ProblemKind, Segment};

impl Decoder {
    /// The problem with the bytes so far: the number of U+FFFD in place of undecodable bytes.
    pub fn problem(&self) -> Option<Problem> {
        let first = self.first_replaced()?;
        let encoding = self.encoding();
        let message = match self.replaced() {
            1 => format!("1 character could not be decoded as {encoding} and was replaced, at byte {first}"),
            count => format!(
                "{count} characters could not be decoded as {encoding} and were replaced, the first at byte {first}"
            ),
        };
        Some(Problem::new(ProblemKind::Undecodable, message))
    }
}

/// Decodes bytes in memory. Undecodable bytes are one problem with their count.
pub fn decode_all(bytes: &[u8], hints: &EncodingHints<'_>) -> (Segment, Encoding, Vec<Problem>) {
    let detection = detect(bytes, true, hints);
    let mut decoder = Decoder::new(&detection);
    let segment = decoder.push(bytes, true);
    (segment, decoder.encoding(), decoder.problem().into_iter().collect())
}
