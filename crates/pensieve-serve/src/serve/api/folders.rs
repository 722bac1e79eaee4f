//! Folders, each with what is below it.

use super::ApiRequest;
use crate::serve::answers::FolderList;
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use pensieve_store::store::FolderPath;

/// Folders of one answer.
const MAX_FOLDERS: usize = 10_000;

/// `/api/v3/folders`
pub fn list(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let folder = FolderPath { root_id: root(ask)?, relative_path: path(ask).to_owned() };
    let mut folders = ask.store.documents().folders(&folder)?;
    folders.truncate(MAX_FOLDERS);
    Ok(Reply::json(&FolderList { root_id: folder.root_id, relative_path: folder.relative_path, folders }))
}

/// The folder of a request that names one, or a root.
pub fn asked(ask: &ApiRequest<'_>) -> Result<Option<FolderPath>, Problem> {
    if path(ask).is_empty() && ask.values.number("root") == 0 {
        return Ok(None);
    }
    Ok(Some(FolderPath { root_id: root(ask)?, relative_path: path(ask).to_owned() }))
}

fn path<'a>(ask: &'a ApiRequest<'_>) -> &'a str {
    ask.values.text("folder").unwrap_or_default().trim_matches('/')
}

/// The root as given, or the first.
fn root(ask: &ApiRequest<'_>) -> Result<i64, Problem> {
    match ask.values.number("root") {
        0 => Ok(ask.store.roots().all()?.first().map_or(0, |root| root.root_id)),
        given => Ok(given as i64),
    }
}
