//! Documents that are nearly equal.

use super::texts::TextCache;
use super::{BandSet, LedgerChanges, LedgerWork, MEMORY_BYTES, bands};
use crate::store::{NearRow, StoreError, TextUnpacker};
use pensieve_text::text::repetition::{Shingles, Signature};
use std::collections::BTreeMap;

/// The Jaccard similarity from which documents are nearly equal.
const MIN_JACCARD: f64 = 0.7;

/// Parts in which the signatures of two documents agree before their texts are compared. Of pairs at .7 one in 600 agrees in
/// fewer (binomial, 16 parts); of pairs at .3 two thirds do.
const MIN_AGREEING: usize = 6;

/// Earlier documents that one is nearly equal to, at most: the first ones. A family of a thousand reports made by one program
/// would be half a million pairs.
const MAX_NEAR: usize = 256;

/// Documents with the same band that one is compared with, at most: the first ones.
const MAX_BAND: usize = 1024;

/// Memory of the shingles of earlier documents.
const SHINGLES_BYTES: usize = MEMORY_BYTES / 3;

impl LedgerWork<'_> {
    /// Compares changed documents with all earlier ones, and those that share a band with them with changed ones; false if the user
    /// has stopped it.
    pub(super) fn compare_documents(&self, changes: &LedgerChanges) -> Result<bool, StoreError> {
        let mut signatures: Vec<Option<Signature>> = vec![None; self.documents.len()];
        let ranks = self.ranks()?;
        self.table.each_sketch(&mut |file_id, _, signature| {
            ranks.get(&file_id).into_iter().for_each(|rank| signatures[*rank as usize] = signature);
        })?;
        let changed = signatures.iter().zip(&changes.is_changed).filter(|(_, is_changed)| **is_changed);
        let former = changes.former.iter().filter_map(|sketch| sketch.signature.as_ref());
        let touched: BandSet =
            changed.filter_map(|(signature, _)| signature.as_ref()).chain(former).flat_map(bands).collect();
        let is_target = |rank: usize| {
            let has_touched = |signature: &Signature| bands(signature).any(|band| touched.contains(&band));
            changes.is_changed[rank] || signatures[rank].as_ref().is_some_and(has_touched)
        };
        let targets: Vec<u32> =
            (0..self.documents.len() as u32).filter(|rank| is_target(*rank as usize)).collect();
        let members = BandMembers::new(&signatures, &targets);
        let unpacker = TextUnpacker::new().map_err(|source| self.table.io(source))?;
        let mut cache = TextCache::new(SHINGLES_BYTES, unpacker);
        for rank in targets {
            if self.observer.interrupted() {
                return Ok(false);
            }
            let file_id = self.documents[rank as usize].file_id;
            let candidates =
                signatures[rank as usize].as_ref().map(|own| members.candidates(rank, own, &signatures));
            let (candidates, most) = candidates.unwrap_or_default();
            let before = self.table.nearly_equal(file_id)?;
            // One that was left out for the number of others may be there now.
            let former = changes.former.len();
            let is_known = |earlier: u32| {
                ![rank, earlier].iter().any(|rank| changes.is_changed[*rank as usize])
                    && before.len() + former < MAX_NEAR
                    && most + former <= MAX_BAND
            };
            let rows = self.near_rows(rank, &candidates, &before, &is_known, &mut cache)?;
            if rows != before {
                self.table.write_near(file_id, &rows)?;
            }
        }
        Ok(true)
    }

    /// The earlier documents that one is nearly equal to. Of pairs that are known it is `before` that says so.
    fn near_rows(
        &self,
        rank: u32,
        candidates: &[u32],
        before: &[NearRow],
        is_known: &dyn Fn(u32) -> bool,
        cache: &mut TextCache<Shingles>,
    ) -> Result<Vec<NearRow>, StoreError> {
        let mut rows = Vec::new();
        for &earlier in candidates {
            if rows.len() == MAX_NEAR {
                break;
            }
            if is_known(earlier) {
                let file_id = self.documents[earlier as usize].file_id;
                let known = before.binary_search_by_key(&file_id, |row| row.of_file_id);
                rows.extend(known.ok().map(|at| before[at]));
                continue;
            }
            let [own, other] = [rank, earlier].map(|rank| {
                self.cached(cache, rank, |words| {
                    let shingles = Shingles::of(&words);
                    let bytes = shingles.memory();
                    (shingles, bytes)
                })
            });
            let of_file_id = self.documents[earlier as usize].file_id;
            let alike = own?.compare(&*other?, MIN_JACCARD);
            rows.extend(alike.map(|(jaccard, containment)| NearRow { of_file_id, jaccard, containment }));
        }
        rows.sort_unstable_by_key(|row| row.of_file_id);
        Ok(rows)
    }
}

/// The documents of each band, in order.
struct BandMembers(Vec<(u64, u32)>);

impl BandMembers {
    /// The members of the bands of these targets.
    fn new(signatures: &[Option<Signature>], targets: &[u32]) -> BandMembers {
        let wanted: BandSet =
            targets.iter().filter_map(|rank| signatures[*rank as usize].as_ref()).flat_map(bands).collect();
        let mut members: Vec<(u64, u32)> = (0..)
            .zip(signatures)
            .filter_map(|(rank, signature)| Some((rank, signature.as_ref()?)))
            .flat_map(|(rank, signature)| bands(signature).map(move |band| (band, rank)))
            .filter(|(band, _)| wanted.contains(band))
            .collect();
        members.sort_unstable();
        BandMembers(members)
    }

    /// The earlier documents whose signature agrees enough, in order; and how many have the band that most of them have.
    fn candidates(&self, rank: u32, own: &Signature, signatures: &[Option<Signature>]) -> (Vec<u32>, usize) {
        let (mut found, mut most) = (Vec::new(), 0);
        for band in bands(own) {
            let first = self.0.partition_point(|member| *member < (band, 0));
            let earlier = &self.0[first..self.0.partition_point(|member| *member < (band, rank))];
            found.extend(earlier.iter().take(MAX_BAND).map(|(_, earlier)| *earlier));
            most = most.max(earlier.len());
        }
        found.sort_unstable();
        found.dedup();
        let agrees = |other: &Signature| {
            own.iter().zip(other).filter(|(own, other)| own == other).count() >= MIN_AGREEING
        };
        found.retain(|earlier| signatures[*earlier as usize].as_ref().is_some_and(agrees));
        (found, most)
    }
}

/// Documents each of which is nearly equal to another one of them: the connected components of pairs, the largest first.
pub fn families(pairs: &[(i64, NearRow)]) -> Vec<Vec<i64>> {
    let mut parents: BTreeMap<i64, i64> = BTreeMap::new();
    fn root(parents: &mut BTreeMap<i64, i64>, id: i64) -> i64 {
        let mut top = id;
        while let Some(parent) = parents.get(&top).filter(|parent| **parent != top) {
            top = *parent;
        }
        parents.insert(id, top);
        top
    }
    for (later, earlier) in pairs {
        let (one, other) = (root(&mut parents, *later), root(&mut parents, earlier.of_file_id));
        parents.insert(one.max(other), one.min(other));
    }
    let ids: Vec<i64> = parents.keys().copied().collect();
    let mut families: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for id in ids {
        families.entry(root(&mut parents, id)).or_default().push(id);
    }
    let mut families: Vec<Vec<i64>> = families.into_values().collect();
    families.sort_by_key(|family| (std::cmp::Reverse(family.len()), family[0]));
    families
}
