//! The original of a document, for a server that was started with `--sources`.

use super::super::api::{ApiRequest, documents};
use super::super::problem::{Kind, Problem};
use super::super::reply::Reply;
use pensieve_isolate::files::{FileStat, SourceFolder};
use pensieve_store::store::DocumentRow;
use pensieve_text::format::by_name;
use pensieve_text::model::ContentHash;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::io::Read;

/// A larger file is opened where it is.
const MAX_BYTES: u64 = 256 << 20;

/// True if a link to the original leads somewhere, as far as the corpus knows: it was read, is a file of its own, and nothing of it
/// was masked.
pub fn is_offered(ask: &ApiRequest<'_>, row: &DocumentRow) -> bool {
    let is_masked = row.format.as_deref().and_then(by_name).is_some_and(|format| format.is_masked);
    ask.site.options.sources
        && !row.is_member
        && !is_masked
        && row.status == "Processed"
        && row.hash.is_some()
}

/// `/docs/{doc_uid}/original`: the file as it was read. One that was replaced since is not given: nobody has decided that it
/// may be shown.
pub fn page(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let row = documents::found(ask)?;
    if !is_offered(ask, &row) {
        return Err(nothing(
            "The server was not started with --sources, or this document is not a file that was read.",
        ));
    }
    let roots = ask.store.roots().all()?;
    let root = roots.iter().find(|root| root.root_id == row.root_id);
    let path = pensieve_store::scan::path_from_stored(&row.relative_path);
    let bytes = root.and_then(|root| {
        // Below the root, and through no symlink that leads out of it.
        let file = SourceFolder::open(&root.location).ok()?.open_file(&path, &FileStat::default()).ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    });
    let bytes = bytes.ok_or_else(|| nothing("The file is not where it was."))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(nothing("The file is too large to be sent."));
    }
    if row.hash.as_deref() != Some(ContentHash::of(&bytes).to_hex().as_str()) {
        return Err(nothing("The file has changed since it was read."));
    }
    let is_pdf = row.mime.as_deref() == Some("application/pdf");
    let (kind, how) =
        if is_pdf { ("application/pdf", "inline") } else { ("application/octet-stream", "attachment") };
    let name = utf8_percent_encode(&row.filename, NON_ALPHANUMERIC);
    Ok(Reply::new(kind, bytes).with("content-disposition", format!("{how}; filename*=UTF-8''{name}")))
}

fn nothing(detail: &str) -> Problem {
    Problem::new(Kind::NotFound, detail)
}
