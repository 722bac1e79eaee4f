//! The fingerprint of a corpus: one root over 256 buckets of file digests.

use pensieve_text::model::{ContentHash, ContentHasher};
use std::ops::Range;

/// How many buckets a fingerprint has: one for each first byte of a file's key.
pub const BUCKETS: usize = 256;

/// The key of a file (SHA-256 of the rank of its root, a zero byte, its relative path), and its digest.
type Entry = [[u8; 32]; 2];

/// The logical content of a corpus as one hash, and as one for each bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    /// SHA-256 over the digests of all buckets.
    pub root: ContentHash,
    /// SHA-256 of each bucket, over the keys and digests of its files, sorted by key.
    pub buckets: Vec<ContentHash>,
}

impl Fingerprint {
    /// The fingerprint with these buckets.
    pub fn of_buckets(buckets: Vec<ContentHash>) -> Fingerprint {
        let mut hasher = ContentHasher::new();
        buckets.iter().for_each(|bucket| hasher.update(&bucket.0));
        Fingerprint { root: hasher.finish(), buckets }
    }
}

/// Digests of the files of some buckets; files may come in any order.
///
/// Cost: 64 bytes of memory for each file.
#[derive(Debug, Clone)]
pub struct FingerprintPart {
    first: usize,
    buckets: Vec<Vec<Entry>>,
}

impl FingerprintPart {
    /// A part of some buckets, without files: files of other buckets are left out.
    pub fn of(buckets: Range<usize>) -> FingerprintPart {
        FingerprintPart { first: buckets.start, buckets: vec![Vec::new(); buckets.len()] }
    }

    /// Adds a file, with the rank of its root among the roots of the corpus, from 1.
    pub fn add(&mut self, rank: i64, relative_path: &str, digest: ContentHash) {
        let key = ContentHash::of(format!("{rank}\0{relative_path}").as_bytes());
        let bucket = usize::from(key.0[0]).checked_sub(self.first);
        if let Some(bucket) = bucket.and_then(|at| self.buckets.get_mut(at)) {
            bucket.push([key.0, digest.0]);
        }
    }

    /// The digests of the buckets, in order.
    pub fn finish(self) -> Vec<ContentHash> {
        self.buckets.into_iter().map(bucket_digest).collect()
    }
}

fn bucket_digest(mut entries: Vec<Entry>) -> ContentHash {
    entries.sort_unstable();
    let mut hasher = ContentHasher::new();
    entries.iter().flatten().for_each(|bytes| hasher.update(bytes));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part<'f>(files: impl IntoIterator<Item = &'f (i64, String, u64)>) -> FingerprintPart {
        let mut part = FingerprintPart::of(0..BUCKETS);
        for (rank, path, content) in files {
            part.add(*rank, path, ContentHash::of(&content.to_be_bytes()));
        }
        part
    }

    fn fingerprint(part: FingerprintPart) -> Fingerprint {
        Fingerprint::of_buckets(part.finish())
    }

    proptest! {
        #[test]
        fn buckets_can_be_made_in_turns(files in proptest::collection::vec((1..4i64, ".{1,6}", any::<u64>()), 0..50)) {
            let mut buckets = Vec::new();
            for turn in [0..7, 7..200, 200..BUCKETS] {
                let mut some = FingerprintPart::of(turn);
                for (rank, path, content) in files.iter().rev() {
                    some.add(*rank, path, ContentHash::of(&content.to_be_bytes()));
                }
                buckets.extend(some.finish());
            }
            prop_assert_eq!(Fingerprint::of_buckets(buckets), fingerprint(part(&files)));
        }
    }

    #[test]
    fn one_other_digest_path_or_rank_changes_one_or_two_buckets() {
        let file = |rank, path: &str, content| (rank, path.to_owned(), content);
        let of = |files: &[(i64, String, u64)]| fingerprint(part(files));
        let whole = of(&[file(1, "a", 1), file(1, "b", 2)]);
        let differing = |other: &Fingerprint| {
            assert_ne!(other.root, whole.root);
            whole.buckets.iter().zip(&other.buckets).filter(|(one, two)| one != two).count()
        };
        assert_eq!(differing(&of(&[file(1, "a", 1), file(1, "b", 3)])), 1);
        assert_eq!(differing(&of(&[file(1, "a", 1)])), 1);
        assert_eq!(differing(&of(&[file(1, "a", 1), file(1, "c", 2)])), 2);
        assert_eq!(differing(&of(&[file(1, "a", 1), file(2, "b", 2)])), 2);
    }
}
