//! RTF documents: tokens ([`token`]), a state machine without recursion ([`reader`] and the modules beside it), flows
//! of paragraphs that become Markdown. Pictures, the data of embedded objects and text tracked as deleted are left
//! out.
//!
//! Format: Rich Text Format Specification 1.9.1. Mail programs use RTF as a container: [`compressed`] and
//! [`deencapsulate()`] unpack it.

mod compressed;
mod deencapsulate;
mod groups;
mod characters;
mod paragraphs;
mod reader;
mod group_state;
mod token;
mod control_words;

pub(crate) use compressed::decompress;
pub(crate) use deencapsulate::deencapsulate;

use crate::settings::ReadSettings;
use crate::shared::back_matter::BackMatter;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem, ProblemKind, ReviewReason, ReviewReasonKind, TextKind};
use reader::RtfReader;

pub(crate) use paragraphs::heading_level_of;

/// Reads an RTF document.
///
/// # Errors
/// `Damaged` if there is no RTF header.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let bytes = source.bytes()?;
    read_bytes(&bytes, settings, sink)
}

/// The same from bytes, such as the body of a mail message.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_bytes(
    bytes: &[u8],
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let head = &bytes[..bytes.len().min(1024)];
    let Some(start) =
        memchr::memmem::find(head, b"{\\rtf").or_else(|| memchr::memmem::find(head, b"{\\urtf"))
    else {
        return Err(Problem::new(ProblemKind::Damaged, "no RTF header"));
    };
    let mut reader = RtfReader::new(sink);
    let open = reader.read(&bytes[start..])?;
    let back_matter = BackMatter {
        headers: std::mem::take(&mut reader.headers),
        footers: std::mem::take(&mut reader.footers),
        comments: std::mem::take(&mut reader.comments),
    };
    back_matter.write(&mut reader.draft, &settings.office);
    let mut document = Document {
        kind: Some(TextKind::Markup),
        metadata: std::mem::take(&mut reader.metadata),
        ..Document::default()
    };
    if open > 0 {
        let message = format!("the document ends inside of {open} groups");
        document.problems.push(Problem::new(ProblemKind::Damaged, message.clone()));
        document.review_reasons.push(ReviewReason::new(ReviewReasonKind::RepairedStructure, message));
    }
    if reader.skipped_groups {
        document
            .review_reasons
            .push(ReviewReason::new(ReviewReasonKind::SkippedParts, "groups nested too deep"));
    }
    if reader.replaced > 0 {
        let detail = format!("{} characters", reader.replaced);
        document.review_reasons.push(ReviewReason::new(ReviewReasonKind::ReplacedCharacters, detail));
    }
    document.text = reader.draft.finish();
    Ok(document)
}

#[cfg(test)]
mod tests;
