//! The seal of LIT books: most are enciphered with a key that can be had from the book itself, so that they cannot
//! be read by accident, but by every reader.
//!
//! After the published notes on the format ("LIT DRM levels"): sealed books (level 1) and inscribed ones (level 3, with
//! the buyer's name in it) keep their key in `/DRMStorage/DRMSealed`, under a key that is a digest of other streams;
//! books for one owner's reader (level 5) have it nowhere, and are refused. The digest is SHA-1 with other starting
//! values and nine of its eighty steps changed.

use super::cipher::Cipher;
use super::container::Container;
use crate::books::palm::damaged;
use pensieve_text::model::{Problem, ProblemKind};

/// The values that the digest starts from.
const START: [u32; 5] = [0x3210_7654, 0x2301_6745, 0xc4e6_80a2, 0xdc67_9823, 0xd085_7a34];

/// What is added in each quarter of the steps; that of SHA-1 (FIPS 180-4, section 4.2.1).
const ADDED: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

/// How three words are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mix {
    Choice,
    Parity,
    Majority,
    /// Of this digest alone.
    Sum,
}

/// Steps that do not mix as SHA-1 does.
const CHANGED: [(usize, Mix); 9] = [
    (3, Mix::Parity),
    (6, Mix::Sum),
    (10, Mix::Parity),
    (15, Mix::Parity),
    (26, Mix::Choice),
    (31, Mix::Majority),
    (42, Mix::Sum),
    (51, Mix::Parity),
    (68, Mix::Choice),
];

/// Opens the seal of a book, if it has one.
///
/// # Errors
/// `Encrypted` for books of one owner, and where the key of a sealed book does not come out.
pub(super) fn open(container: &mut Container<'_>) -> Result<(), Problem> {
    if container.has("/DRMStorage/Licenses/EUL") {
        let message = "the book is encrypted with Microsoft Reader DRM for one owner (level 5)";
        return Err(Problem::new(ProblemKind::Encrypted, message));
    }
    if !container.has("/DRMStorage/DRMSealed") {
        return Ok(());
    }
    let is_inscribed = container.has("/DRMStorage/DRMBookplate");
    let outer = digest_key(container, is_inscribed);
    let sealed = container.whole_stream("/DRMStorage/DRMSealed");
    let opened = sealed.zip(outer).map(|(mut sealed, key)| {
        Cipher::new(key).decipher(&mut sealed);
        sealed
    });
    match opened.as_deref().and_then(|opened| opened.get(..9)) {
        Some([0, key @ ..]) => {
            let mut eight = [0; 8];
            eight.copy_from_slice(key);
            container.key = Some(eight);
            Ok(())
        }
        _ => {
            Err(damaged("the seal of the book cannot be opened: part of what its key is made of is damaged"))
        }
    }
}

/// The key that the book's own key is kept under: the digest folded to eight bytes. `None` where part of what is
/// digested is missing: the one byte by which a key is known to be right is too little to try.
fn digest_key(container: &mut Container<'_>, is_inscribed: bool) -> Option<[u8; 8]> {
    let names = ["/meta", "/DRMStorage/DRMSource", "/DRMStorage/DRMBookplate"];
    let mut bytes = vec![0; 2];
    for name in &names[..if is_inscribed { 3 } else { 2 }] {
        bytes.extend(container.whole_stream(name)?);
        bytes.resize(bytes.len().next_multiple_of(64), 0);
    }
    let mut key = [0; 8];
    for (at, byte) in digest(&bytes).iter().enumerate() {
        key[at % 8] ^= byte;
    }
    Some(key)
}

fn digest(bytes: &[u8]) -> [u8; 20] {
    let mut state = START;
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    padded.chunks_exact(64).for_each(|block| add_block(&mut state, block));
    let mut digest = [0; 20];
    for (four, word) in digest.chunks_exact_mut(4).zip(state) {
        four.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn add_block(state: &mut [u32; 5], block: &[u8]) {
    let mut words = [0u32; 80];
    for (word, four) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
    }
    for at in 16..80 {
        words[at] = (words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (step, word) in words.iter().enumerate() {
        let next = a
            .rotate_left(5)
            .wrapping_add(mixed(mix_of(step), b, c, d))
            .wrapping_add(e)
            .wrapping_add(*word)
            .wrapping_add(ADDED[step / 20]);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e]) {
        *word = word.wrapping_add(add);
    }
}

fn mix_of(step: usize) -> Mix {
    let changed = CHANGED.iter().find(|(at, _)| *at == step);
    let usual = [Mix::Choice, Mix::Parity, Mix::Majority, Mix::Parity];
    changed.map_or(usual[step / 20], |(_, mix)| *mix)
}

fn mixed(mix: Mix, b: u32, c: u32, d: u32) -> u32 {
    match mix {
        Mix::Choice => b & c | !b & d,
        Mix::Parity => b ^ c ^ d,
        Mix::Majority => b & c | b & d | c & d,
        Mix::Sum => b.wrapping_add(c) ^ c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_none_of_sha_1() {
        let hex: String = digest(&[0; 64]).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "91a3c6a8f812534048a5ffa5e35627dcfaccd7e0");
    }
}
