//! Changes: what an outside index must do to be in step, as lines of JSON.

use super::ApiRequest;
use crate::serve::problem::{Kind, Problem};
use crate::serve::reply::Reply;
use pensieve_store::store::{ChangeRow, ChangesSince, ChangesWanted, StoreError, VectorModel};

/// Numbers of vectors in an answer at most, about 20 MB.
const MAX_NUMBERS: usize = 2_000_000;

/// `/api/v3/changes`
pub fn list(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let since = ask.values.text("since").unwrap_or("0");
    let since: ChangesSince = since.parse().map_err(|_| {
        Problem::parameter("since", "`since` is a run's number or a cursor; 0 is everything.")
    })?;
    let wanted = wanted(ask, since)?;
    let shows_paths = ask.site.options.show_paths;
    let (mut body, mut expired) = (Vec::new(), None);
    let listed = ask.store.listings().changes(&wanted, &mut |row| {
        match row {
            ChangeRow::Expired { oldest } => expired = Some(oldest),
            row => write(&mut body, if shows_paths { row } else { without_folders(row) }),
        }
        true
    });
    match (listed, expired) {
        (Err(StoreError::NoRun { last, .. }), _) => {
            Err(Problem::parameter("since", format!("There is no such run: the last one is {last}.")))
        }
        (Err(error), _) => Err(error.into()),
        (Ok(()), Some(oldest)) => {
            let detail = format!("Begin again with `since=0`; the oldest cursor that is held is `{oldest}`.");
            Err(Problem::new(Kind::Expired, detail))
        }
        (Ok(()), None) => Ok(Reply::new("application/x-ndjson", body)),
    }
}

fn wanted(ask: &ApiRequest<'_>, since: ChangesSince) -> Result<ChangesWanted, Problem> {
    let (limit, model) = (ask.values.number("limit"), ask.values.text("vectors"));
    let Some(model) = model.filter(|model| !model.is_empty()) else {
        return Ok(ChangesWanted { since, limit, vectors: None });
    };
    let dimensions = Some(ask.values.number("dimensions")).filter(|dimensions| *dimensions > 0);
    let missing = || Problem::parameter("vectors", format!("There are no such vectors of `{model}`."));
    let vectors: VectorModel = ask.store.vectors().choose(model, dimensions)?.ok_or_else(missing)?;
    let limit = limit.min(MAX_NUMBERS / vectors.dimensions.max(1)).max(1);
    Ok(ChangesWanted { since, limit, vectors: Some(vectors) })
}

fn write(body: &mut Vec<u8>, row: ChangeRow) {
    // Only maps whose keys are not strings fail, and no row has one.
    let _ = serde_json::to_writer(&mut *body, &row);
    body.push(b'\n');
}

/// The row with paths below the root only.
fn without_folders(mut row: ChangeRow) -> ChangeRow {
    if let ChangeRow::Upsert(chunk) = &mut row {
        chunk.place.path.clone_from(&chunk.place.relative_path);
        for copy in &mut chunk.place.duplicates {
            copy.path.clone_from(&copy.relative_path);
        }
    }
    row
}
