//! Books in Palm databases: PalmDOC, zTXT, eReader. Other databases are refused with the name of their program.
//!
//! Mobipocket books, which are such databases too, are read by their own reader. Facts of the formats: MobileRead wiki ("PalmDOC", "zTXT", "eReader", "PML").

mod ereader;
mod plain;
mod pml;

use crate::books::palm_database::{PalmDatabase, damaged};
use crate::settings::ReadSettings;
use crate::source::DocumentSource;
use pensieve_text::model::{Document, Problem, ProblemKind};

pub(crate) use plain::read_text;

/// The format of a database, by its type and creator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PalmFormat {
    PalmDoc,
    Ztxt,
    Ereader,
    Other(&'static str),
}

/// Types and creators with their formats.
const PALM_FORMATS: &[(&[u8; 8], PalmFormat)] = &[
    (b"TEXtREAd", PalmFormat::PalmDoc),
    (b"TEXtTlDc", PalmFormat::PalmDoc),
    (b"zTXTGPlm", PalmFormat::Ztxt),
    (b"PNRdPPrs", PalmFormat::Ereader),
    (b"DataPlkr", PalmFormat::Other("Plucker document")),
    (b"PNPdPPrs", PalmFormat::Other("eReader dictionary")),
    (b"SDocSilX", PalmFormat::Other("iSilo document")),
    (b"ToGoToGo", PalmFormat::Other("iSilo document")),
    (b"TEXtTlTl", PalmFormat::Other("TealDoc index")),
    (b"ToRaTRPW", PalmFormat::Other("TomeRaider database")),
    (b".pdfADBE", PalmFormat::Other("PDF for Adobe Reader on Palm")),
    (b"BVokBDIC", PalmFormat::Other("dictionary")),
];

/// Reads a Palm database that is a book, except for Mobipocket books.
///
/// # Errors
/// `Encrypted` with the name of the scheme, `ExtractionFailed` for databases of other programs, `Damaged`.
pub(crate) fn read(source: &mut DocumentSource<'_>, settings: &ReadSettings) -> Result<Document, Problem> {
    let mut database = PalmDatabase::open(source)?;
    let kind = database.kind;
    match PALM_FORMATS.iter().find(|(name, _)| **name == kind).map(|row| row.1) {
        Some(PalmFormat::PalmDoc) => plain::read_palm_doc(&mut database, settings),
        Some(PalmFormat::Ztxt) => plain::read_ztxt(&mut database, settings),
        Some(PalmFormat::Ereader) => ereader::read(&mut database),
        Some(PalmFormat::Other(label)) => Err(other(&format!("a {label}"))),
        None if kind.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ') => {
            Err(other(&format!("a database of the Palm program `{}`", String::from_utf8_lossy(&kind))))
        }
        None => Err(damaged("no Palm database")),
    }
}

fn other(what: &str) -> Problem {
    Problem::new(ProblemKind::ExtractionFailed, format!("{what}, which is not read"))
}

#[cfg(test)]
mod tests;
