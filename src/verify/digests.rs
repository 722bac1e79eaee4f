//! The digest of each file against its rows: what no law of its own covers.

use crate::store::{Store, StoreError, Violation};

/// Passes a violation for each file that differs from its digests to `each`.
///
/// Cost: one pass over all rows of all files.
pub(super) fn check(store: &Store, each: &mut dyn FnMut(Violation)) -> Result<(), StoreError> {
    store.laws().each_differing_file(&mut |path, parts| {
        let what = format!("not as its digest says: {}", parts.join(", "));
        each(Violation::of_file(7, path, &what));
    })
}
