//! A PDF file as a whole: opens it, with a password if it needs one, and collects its metadata and the reasons to
//! review it.

use super::decoder::StreamDecoder;
use super::pages::PageCounts;
use super::{metadata, outline, prescan};
use crate::limits::pdf::{MAX_PASSWORDS, MAX_STREAM_BYTES};
use hayro_font::hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{Document, Problem, ProblemKind, ReviewReason, ReviewReasonKind, TextKind};
use std::sync::Arc;

/// Share of glyphs without characters, in percent, from which the text should be reviewed.
const UNMAPPED_PERCENT: u64 = 1;

/// Opens a file: with the empty password first, then with the configured ones.
///
/// # Errors
/// `Encrypted` if none of the passwords opens it, `Damaged` if no page can be found.
pub(super) fn open(
    mut bytes: Vec<u8>,
    passwords: &[String],
    decoder: &StreamDecoder,
) -> Result<Pdf, Problem> {
    if prescan::overwrite_bombs(&mut bytes, MAX_STREAM_BYTES) {
        decoder.note_left_out();
    }
    let data = PdfData::from(Arc::new(bytes));
    let mut tried = Pdf::new(data.clone());
    for password in passwords.iter().take(MAX_PASSWORDS) {
        if !matches!(tried, Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))) {
            break;
        }
        tried = Pdf::new_with_password(data.clone(), password);
    }
    tried.map_err(|error| problem_of(error, passwords))
}

fn problem_of(error: LoadPdfError, passwords: &[String]) -> Problem {
    match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            let how = if passwords.is_empty() {
                "set one in [pdf] passwords"
            } else {
                "none of those in [pdf] opens it"
            };
            Problem::new(ProblemKind::Encrypted, format!("needs a password: {how}"))
        }
        LoadPdfError::Decryption(DecryptionError::UnsupportedAlgorithm) => Problem::new(
            ProblemKind::Encrypted,
            "encrypted in a way that is not known, such as with certificates",
        ),
        LoadPdfError::Decryption(_) => Problem::new(ProblemKind::Encrypted, "its encryption is broken"),
        LoadPdfError::Invalid => Problem::new(ProblemKind::Damaged, "no pages can be found in it"),
    }
}

/// The metadata of the file, before any page is read.
pub(super) fn document_of(pdf: &Pdf, decoder: &StreamDecoder, kind: TextKind) -> Document {
    let mut document = Document { kind: Some(kind), ..Document::default() };
    document.metadata = metadata::read(pdf, decoder);
    document.metadata.extend(outline::rows(pdf));
    document
}

/// Records what was not read, and what should be reviewed, after all pages are read.
/// `damage` is what the end of the file shows.
pub(super) fn note_losses(
    document: &mut Document,
    counts: &PageCounts,
    has_text: bool,
    damage: Option<&str>,
) {
    document.review_reasons = review_reasons(counts, has_text);
    damage.into_iter().for_each(|what| document.note_damage(what));
    if counts.has_left_out {
        document.problems.push(Problem::new(ProblemKind::SizeLimit, BEYOND_LIMITS));
    }
    if counts.pages == 0 && document.problems.is_empty() {
        document.problems.push(Problem::new(ProblemKind::Damaged, "no page can be read"));
    }
    if counts.unread_streams > 0 {
        document.problems.push(Problem::new(ProblemKind::Damaged, unread_streams(counts)));
    }
}

const BEYOND_LIMITS: &str = "pages or streams beyond the limits of one document";

fn unread_streams(counts: &PageCounts) -> String {
    format!("{} could not be read, or only in part", counted(counts.unread_streams, "stream"))
}

fn review_reasons(counts: &PageCounts, has_text: bool) -> Vec<ReviewReason> {
    let mut reasons = Vec::new();
    let glyphs = counts.mapped + counts.unmapped;
    if counts.unmapped * 100 > glyphs * UNMAPPED_PERCENT {
        let detail = format!("{} of {glyphs} glyphs", counts.unmapped);
        reasons.push(ReviewReason::new(ReviewReasonKind::UnmappedGlyphs, detail));
    }
    if counts.has_left_out {
        reasons.push(ReviewReason::skipped(BEYOND_LIMITS));
    }
    if counts.unread_streams > 0 {
        reasons.push(ReviewReason::skipped(unread_streams(counts)));
    }
    if has_text && counts.pictures > 0 {
        let detail = format!(
            "{} of {} are pictures without text",
            counts.pictures,
            counted(counts.pages as u64, "page")
        );
        reasons.push(ReviewReason::new(ReviewReasonKind::NoTextLayer, detail));
    }
    if !has_text {
        let detail = match (counts.pages, counts.unmapped) {
            (0, _) => "no page can be read".to_owned(),
            (pages, 0) => format!("{} without text", counted(pages as u64, "page")),
            (_, _) => "no glyph of its text is known as a character".to_owned(),
        };
        reasons.push(ReviewReason::new(ReviewReasonKind::NoTextLayer, detail));
    }
    reasons
}
