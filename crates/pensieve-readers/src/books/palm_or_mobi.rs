//! Palm databases under the extensions of either family: some Mobipocket books carry the type of PalmDOC, and some
//! PalmDOC books the extension of Mobipocket.

use super::palm_database::PalmDatabase;
use super::{mobi, palm};
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem};

/// Reads a file with an extension of Palm.
///
/// # Errors
/// As [`palm::read`] and [`mobi::read`].
pub(crate) fn read_pdb(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    match is_mobi(source)? {
        true => read_mobi(source, settings, sink),
        false => palm::read(source, settings),
    }
}

/// Reads a file with an extension of the Kindle family.
///
/// # Errors
/// As [`read_pdb`]; `ExtractionFailed` and `Encrypted` for other formats of Kindle.
pub(crate) fn read_mobi(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    mobi::refuse_other_formats(source)?;
    match is_mobi(source)? {
        true => mobi::read(source, settings, sink),
        false => palm::read(source, settings),
    }
}

fn is_mobi(source: &mut DocumentSource<'_>) -> Result<bool, Problem> {
    let mut database = PalmDatabase::open(source)?;
    let has_header = database.record(0).is_some_and(|record| record.get(16..20) == Some(b"MOBI"));
    Ok(has_header || &database.kind == b"BOOKMOBI")
}
