//! Books in Palm databases: PalmDOC, zTXT, eReader. What else such a database may hold is refused by its name.
//!
//! The container is [`database`], the compression [`lz`]; Mobipocket books, which are such databases too, are read by
//! their own reader. Facts of the formats: MobileRead wiki ("PalmDOC", "zTXT", "eReader", "PML").

pub(crate) mod database;
mod ereader;
pub(crate) mod lz;
mod plain;
mod pml;

use crate::settings::ReadSettings;
use crate::shared::bytes::u16_be;
use crate::source::{DocumentSink, DocumentSource};
use database::Database;
use pensieve_text::model::{Document, Problem, ProblemKind};

pub(crate) use database::damaged;
pub(crate) use plain::read_text;

/// What a database is, by its type and creator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Book {
    PalmDoc,
    Ztxt,
    Ereader,
    Other(&'static str),
}

/// Types and creators with what they are.
const KINDS: &[(&[u8; 8], Book)] = &[
    (b"TEXtREAd", Book::PalmDoc),
    (b"TEXtTlDc", Book::PalmDoc),
    (b"zTXTGPlm", Book::Ztxt),
    (b"PNRdPPrs", Book::Ereader),
    (b"DataPlkr", Book::Other("Plucker document")),
    (b"PNPdPPrs", Book::Other("eReader dictionary")),
    (b"SDocSilX", Book::Other("iSilo document")),
    (b"ToGoToGo", Book::Other("iSilo document")),
    (b"TEXtTlTl", Book::Other("TealDoc index")),
    (b"ToRaTRPW", Book::Other("TomeRaider database")),
    (b".pdfADBE", Book::Other("PDF for Adobe Reader on Palm")),
    (b"BVokBDIC", Book::Other("dictionary")),
];

/// Reads a Palm database that is a book.
///
/// # Errors
/// `Encrypted` by the name of the scheme, `ExtractionFailed` for databases of other programs, `Damaged`.
pub fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let is_mobi = is_mobi(&mut Database::open(source)?);
    if is_mobi { crate::books::mobi::read(source, settings, sink) } else { read_other(source, settings) }
}

/// Reads a Palm database that is a book, but none of Mobipocket.
pub(crate) fn read_other(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
) -> Result<Document, Problem> {
    let mut database = Database::open(source)?;
    let kind = database.kind;
    match KINDS.iter().find(|(name, _)| **name == kind).map(|row| row.1) {
        Some(Book::PalmDoc) => plain::read_palm_doc(&mut database, settings),
        Some(Book::Ztxt) => plain::read_ztxt(&mut database, settings),
        Some(Book::Ereader) => ereader::read(&mut database),
        Some(Book::Other(label)) => Err(other(&format!("a {label}"))),
        None if kind.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ') => {
            Err(other(&format!("a database of the Palm program `{}`", String::from_utf8_lossy(&kind))))
        }
        None => Err(damaged("no Palm database")),
    }
}

/// Some Mobipocket books carry the type of PalmDOC.
fn is_mobi(database: &mut Database<'_>) -> bool {
    &database.kind == b"BOOKMOBI"
        || database.record(0).is_some_and(|record| record.get(16..20) == Some(b"MOBI"))
}

fn other(what: &str) -> Problem {
    Problem::new(ProblemKind::ExtractionFailed, format!("{what}, which is not read"))
}

/// The encryption that the first record of a text names, as a problem.
pub(crate) fn encryption(record: &[u8]) -> Result<(), Problem> {
    let scheme = match u16_be(record, 12) {
        None | Some(0) => return Ok(()),
        Some(1) => "the older Mobipocket DRM".to_owned(),
        Some(2) => "Mobipocket or Kindle DRM".to_owned(),
        Some(other) => format!("DRM of the unknown scheme {other}"),
    };
    Err(Problem::new(ProblemKind::Encrypted, format!("the book is encrypted with {scheme}")))
}

#[cfg(test)]
mod tests;
