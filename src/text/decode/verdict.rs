//! Text or not: the judgement on the first bytes of a file.

use super::detect::{Hints, How, detect};
use super::utf8::look;

/// The judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextVerdict {
    /// It reads as text in some encoding.
    Text,
    /// It does not, for this reason.
    Binary(&'static str),
}

/// Judges the first bytes of a file, which may end anywhere.
///
/// Zero bytes are text only as halves of UTF-16 and UTF-32, or where they are rare in a text; other control
/// characters are rare in every text, and every ninth of random bytes is one.
pub fn is_text(head: &[u8]) -> TextVerdict {
    let utf8 = look(head, false);
    let detection = detect(head, false, &Hints::default());
    let controls = head.iter().filter(|byte| is_control(**byte)).count();
    let zeros = memchr::memchr_iter(0, head).count();
    if detection.encoding.is_ascii_based() || !matches!(detection.how, How::Bom | How::Pattern) {
        if zeros * 50 > head.len() {
            return TextVerdict::Binary("zero bytes");
        }
        let most = if utf8.bad == 0 { 10 } else { 25 };
        if controls * most > head.len() {
            return TextVerdict::Binary("control characters");
        }
        return TextVerdict::Text;
    }
    TextVerdict::Text
}

/// Control characters that text has no use for; escape colours logs, backspace underlines manuals.
fn is_control(byte: u8) -> bool {
    matches!(byte, 0x01..=0x07 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)
}
