//! Opens a file: empty password first, then the configured ones.

use super::decoder::StreamDecoder;
use super::prescan;
use crate::limits::pdf::MAX_STREAM_BYTES;
use hayro_font::hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};
use pensieve_text::model::{Problem, ProblemKind};
use std::sync::Arc;

/// How many passwords are tried; the newest kind costs a tenth of a second each.
const MAX_PASSWORDS: usize = 32;

/// The document.
///
/// # Errors
/// As [`super::read`].
pub(super) fn open(
    mut bytes: Vec<u8>,
    passwords: &[String],
    streams: &StreamDecoder,
) -> Result<Pdf, Problem> {
    if prescan::overwrite_bombs(&mut bytes, MAX_STREAM_BYTES) {
        streams.note_left_out();
    }
    let data = PdfData::from(Arc::new(bytes));
    let mut tried = Pdf::new(data.clone());
    for password in passwords.iter().take(MAX_PASSWORDS) {
        if !matches!(tried, Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))) {
            break;
        }
        tried = Pdf::new_with_password(data.clone(), password);
    }
    tried.map_err(|error| match error {
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
    })
}
