//! SHA-256 as an identity.

use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The SHA-256 of some bytes: the identity of a file's content and of a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// Hashes bytes that are in memory.
    pub fn of(bytes: &[u8]) -> ContentHash {
        ContentHash(Sha256::digest(bytes).into())
    }

    /// The first 64 bits, big endian: a short key that a lookup must verify.
    pub fn prefix(&self) -> u64 {
        u64::from_be_bytes(self.0[..8].try_into().expect("a hash has 32 bytes"))
    }

    /// Lower-case hex, 64 digits: the stored form.
    pub fn to_hex(&self) -> String {
        hex(&self.0)
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    out
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

impl FromStr for ContentHash {
    type Err = ();

    /// Reads the stored form; anything but 64 hex digits is an error.
    fn from_str(text: &str) -> Result<ContentHash, ()> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let high = char::from(pair[0]).to_digit(16).ok_or(())?;
            let low = char::from(pair[1]).to_digit(16).ok_or(())?;
            *byte = (high * 16 + low) as u8;
        }
        Ok(ContentHash(bytes))
    }
}

/// SHA-256 over bytes that come in parts.
#[derive(Clone, Default)]
pub struct ContentHasher(Sha256);

impl ContentHasher {
    /// A hasher without input.
    pub fn new() -> ContentHasher {
        ContentHasher::default()
    }

    /// Hashes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of all bytes.
    pub fn finish(self) -> ContentHash {
        ContentHash(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_nothing_reads_back_from_its_hex_form() {
        let empty = ContentHash::of(b"");
        assert_eq!(empty.to_hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(empty.to_hex().parse(), Ok(empty));
        assert_eq!("e3".parse::<ContentHash>(), Err(()));
    }

    #[test]
    fn parts_hash_like_the_whole() {
        let mut hasher = ContentHasher::new();
        hasher.update(b"pen");
        hasher.update(b"sieve");
        assert_eq!(hasher.finish(), ContentHash::of(b"pensieve"));
    }

    #[test]
    fn hashes_are_shown_as_they_are_stored() {
        let hash = ContentHash::of(b"a");
        assert_eq!(hash.to_string(), hash.to_hex());
        assert_eq!(hash.to_string().len(), 64);
        assert!(format!("{hash:?}").contains(&hash.to_hex()));
        assert_eq!(format!("{:016x}", hash.prefix()), hash.to_hex()[..16]);
    }
}
