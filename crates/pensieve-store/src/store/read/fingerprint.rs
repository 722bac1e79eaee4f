//! The logical content of a corpus as one hash: same tree, same settings, same fingerprint.

use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::database::schema::{FIRST_WITH_DIGESTS, schema_version};
use crate::store::rows::digests;
use crate::store::rows::fingerprint::{BUCKETS, Fingerprint, FingerprintPart};
use crate::store::rows::sql::{Queries, count};
use pensieve_text::model::ContentHash;
use rusqlite::Connection;
use std::ops::ControlFlow;

/// Digests that are held at a time: 32 MiB.
const MAX_ENTRIES: u64 = 1 << 19;

/// The living files, each with its digest and the rank of its root.
const FILES: &str = "SELECT r.rank, f.relative_path, f.digest, f.file_id
    FROM files f JOIN (SELECT root_id, row_number() OVER (ORDER BY root_id) AS rank FROM roots) r USING(root_id)
    WHERE f.processing_status IS NOT 'Deleted'";

/// The fingerprint, from the digests of all files.
pub(super) fn fingerprint(store: &Store) -> Result<Fingerprint, StoreError> {
    let sql = "SELECT count(*) FROM files";
    let files = store.ask(|connection| connection.one(sql, [], |row| count(row, 0)))?;
    let turns = files.div_ceil(MAX_ENTRIES).clamp(1, BUCKETS as u64) as usize;
    let mut buckets = Vec::with_capacity(BUCKETS);
    for turn in 0..turns {
        let range = turn * BUCKETS / turns..(turn + 1) * BUCKETS / turns;
        buckets.extend(fill(store, FingerprintPart::of(range))?.finish());
    }
    Ok(Fingerprint::of_buckets(buckets))
}

/// Adds all files to a part.
fn fill(store: &Store, mut part: FingerprintPart) -> Result<FingerprintPart, StoreError> {
    let mut missing = None;
    store.ask(|connection| {
        each_digest(connection, &mut |rank, path, digest| match digest {
            Some(digest) => part.add(rank, path, digest),
            None => missing = Some(path.to_owned()),
        })
    })?;
    match missing {
        Some(path) => Err(store.damaged(format!("{path} has no digest"))),
        None => Ok(part),
    }
}

/// Passes rank, path and digest of each living file to `visit`. A database that was opened with an older schema has no
/// digests; they are computed.
fn each_digest(
    connection: &Connection,
    visit: &mut dyn FnMut(i64, &str, Option<ContentHash>),
) -> rusqlite::Result<()> {
    let is_stored = schema_version(connection)? >= FIRST_WITH_DIGESTS;
    let query = if is_stored { FILES.to_owned() } else { FILES.replace("f.digest", "NULL") };
    connection.each(&query, [], |row| {
        let digest = match is_stored {
            true => {
                row.get_ref(2)?.as_blob_or_null()?.and_then(|bytes| bytes.try_into().ok().map(ContentHash))
            }
            false => digests::computed_digest(connection, row.get(3)?)?,
        };
        visit(row.get(0)?, row.get_ref(1)?.as_str()?, digest);
        Ok(ControlFlow::Continue(()))
    })
}
