//! The digital rights management of LIT books. Sealed books (level 1) are enciphered with a key that is in the book
//! itself, so that every reader can read them: they are opened. Inscribed books (level 3, with the buyer's name) and
//! books for one owner's reader (level 5) are not: they are reported as `Encrypted`.
//!
//! From published notes on the format ("LIT DRM levels") and, where those are silent, from the behaviour of programs
//! that write and read such books: the key of a sealed book is in `/DRMStorage/DRMSealed`, enciphered with a key that
//! is a digest of other streams. The digest is SHA-1 (FIPS 180-4) with different starting values and nine of its
//! eighty steps changed.

use super::cipher::LitCipher;
use super::container::LitContainer;
use crate::books::palm_database::damaged;
use pensieve_text::model::{Problem, ProblemKind};

/// The values that the digest starts from.
const START: [u32; 5] = [0x3210_7654, 0x2301_6745, 0xc4e6_80a2, 0xdc67_9823, 0xd085_7a34];

/// The constants that are added in each quarter of the steps; those of SHA-1 (FIPS 180-4, section 4.2.1).
const ADDED: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

/// How three words are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DigestFunction {
    Choice,
    Parity,
    Majority,
    /// Only in this digest.
    Sum,
}

/// Steps that mix differently from SHA-1.
const CHANGED: [(usize, DigestFunction); 9] = [
    (3, DigestFunction::Parity),
    (6, DigestFunction::Sum),
    (10, DigestFunction::Parity),
    (15, DigestFunction::Parity),
    (26, DigestFunction::Choice),
    (31, DigestFunction::Majority),
    (42, DigestFunction::Sum),
    (51, DigestFunction::Parity),
    (68, DigestFunction::Choice),
];

/// How a book is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DrmLevel {
    None,
    /// The key is in the book.
    Sealed,
    /// As sealed, with a key that contains the buyer's name.
    Inscribed,
    /// The key is only in the owner's reader.
    OwnerExclusive,
}

impl DrmLevel {
    /// The level of a book that has these streams.
    fn of(has: impl Fn(&str) -> bool) -> DrmLevel {
        if has("/DRMStorage/Licenses/EUL") {
            DrmLevel::OwnerExclusive
        } else if has("/DRMStorage/DRMBookplate") {
            DrmLevel::Inscribed
        } else if has("/DRMStorage/DRMSealed") {
            DrmLevel::Sealed
        } else {
            DrmLevel::None
        }
    }

    fn refusal(self) -> Option<Problem> {
        let whom = match self {
            DrmLevel::None | DrmLevel::Sealed => return None,
            DrmLevel::Inscribed => "its buyer (level 3)",
            DrmLevel::OwnerExclusive => "one owner (level 5)",
        };
        let message = format!("the book is encrypted with Microsoft Reader DRM for {whom}");
        Some(Problem::new(ProblemKind::Encrypted, message))
    }
}

/// Finds the key of a sealed book.
///
/// # Errors
/// `Encrypted` for books of one owner or buyer, `Damaged` if the key of a sealed book cannot be derived.
pub(super) fn find_key(container: &mut LitContainer<'_>) -> Result<(), Problem> {
    let level = DrmLevel::of(|name| container.has(name));
    if let Some(problem) = level.refusal() {
        return Err(problem);
    }
    if level == DrmLevel::None {
        return Ok(());
    }
    let outer = digest_key(container);
    let sealed = container.whole_stream("/DRMStorage/DRMSealed");
    let opened = sealed.zip(outer).map(|(mut sealed, key)| {
        LitCipher::new(key).decipher(&mut sealed);
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

/// The key that enciphers the book's own key: the digest folded to eight bytes. `None` if part of the digested data
/// is missing: the single check byte of a key is not enough to try it.
fn digest_key(container: &mut LitContainer<'_>) -> Option<[u8; 8]> {
    let mut bytes = vec![0; 2];
    for name in ["/meta", "/DRMStorage/DRMSource"] {
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

fn mix_of(step: usize) -> DigestFunction {
    let changed = CHANGED.iter().find(|(at, _)| *at == step);
    let usual =
        [DigestFunction::Choice, DigestFunction::Parity, DigestFunction::Majority, DigestFunction::Parity];
    changed.map_or(usual[step / 20], |(_, mix)| *mix)
}

fn mixed(mix: DigestFunction, b: u32, c: u32, d: u32) -> u32 {
    match mix {
        DigestFunction::Choice => b & c | !b & d,
        DigestFunction::Parity => b ^ c ^ d,
        DigestFunction::Majority => b & c | b & d | c & d,
        DigestFunction::Sum => b.wrapping_add(c) ^ c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_books_with_their_own_key_are_opened() {
        let check = |streams: &[&str], level: DrmLevel, refusal: Option<ProblemKind>| {
            let found = DrmLevel::of(|name| streams.contains(&name));
            assert_eq!(found, level);
            assert_eq!(found.refusal().map(|problem| problem.kind), refusal);
        };
        let [sealed, plate, license] =
            ["/DRMStorage/DRMSealed", "/DRMStorage/DRMBookplate", "/DRMStorage/Licenses/EUL"];
        check(&["/meta"], DrmLevel::None, None);
        check(&["/meta", sealed], DrmLevel::Sealed, None);
        check(&[sealed, plate], DrmLevel::Inscribed, Some(ProblemKind::Encrypted));
        check(&[sealed, plate, license], DrmLevel::OwnerExclusive, Some(ProblemKind::Encrypted));
    }

    #[test]
    fn the_digest_is_none_of_sha_1() {
        let hex: String = digest(&[0; 64]).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "91a3c6a8f812534048a5ffa5e35627dcfaccd7e0");
    }

    #[test]
    fn the_outer_key_is_the_folded_digest_of_two_streams() {
        let digested = |meta: &[u8], source: &[u8]| {
            let mut bytes = [b"\0\0", meta].concat();
            bytes.resize(64, 0);
            bytes.extend_from_slice(source);
            bytes.resize(128, 0);
            let digest = digest(&bytes);
            let folded: [u8; 8] =
                std::array::from_fn(|at| digest[at..].iter().step_by(8).fold(0, |all, byte| all ^ byte));
            folded
        };
        let mut key = digested(b"meta", b"source");
        // A seal whose first byte is zero once it is deciphered.
        let (seal, opened) = (0u32..)
            .map(|number| {
                let seal = [number.to_le_bytes().as_slice(), b"seal of a book"].concat();
                let mut opened = seal[..16].to_vec();
                LitCipher::new(key).decipher(&mut opened);
                (seal[..16].to_vec(), opened)
            })
            .find(|(_, opened)| opened[0] == 0)
            .unwrap();
        let found = |streams: &[(&str, &[u8])]| {
            let bytes = super::super::tests::book(streams);
            let mut container = LitContainer::open(&bytes).unwrap();
            find_key(&mut container).map(|()| container.key).map_err(|problem| problem.kind)
        };
        let [meta, source, sealed] = ["/meta", "/DRMStorage/DRMSource", "/DRMStorage/DRMSealed"];
        assert_eq!(found(&[(meta, b"meta")]), Ok(None));
        key.copy_from_slice(&opened[1..9]);
        assert_eq!(found(&[(meta, b"meta"), (source, b"source"), (sealed, &seal)]), Ok(Some(key)));
        let damaged = Err(ProblemKind::Damaged);
        assert_eq!(found(&[(meta, b"other"), (source, b"source"), (sealed, &seal)]), damaged);
        assert_eq!(found(&[(meta, b"meta"), (sealed, &seal)]), damaged);
        assert_eq!(found(&[(meta, b"meta"), (source, b"source"), (sealed, &seal[..8])]), damaged);
    }
}
