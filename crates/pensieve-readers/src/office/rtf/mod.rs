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
mod formulas;
mod group_state;
mod token;
mod control_words;

pub(crate) use compressed::decompress;
pub(crate) use deencapsulate::deencapsulate;

use crate::settings::ReadSettings;
use crate::shared::back_matter::BackMatter;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem, ProblemKind, ReviewReasonKind, TextKind};
use pensieve_text::text::decode::has_zero_block;
use reader::RtfReader;

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
        document.note_damage(format!("the document ends inside of {open} groups"));
    }
    if has_lost_block(bytes) {
        document.note_damage("a block of the file is nothing but zeros");
    }
    if reader.skipped_groups {
        document.note_skipped("groups nested too deep");
    }
    if reader.replaced > 0 {
        let detail = format!("{} characters", reader.replaced);
        document.note(ReviewReasonKind::ReplacedCharacters, detail);
    }
    document.text = reader.draft.finish();
    std::mem::take(&mut reader.hidden).note(&mut document);
    Ok(document)
}

/// True if a block of the file is zeros that are no binary data, which `\binN` announces.
fn has_lost_block(bytes: &[u8]) -> bool {
    const BINARY: &[u8] = b"\\bin";
    let mut rest = bytes;
    while let Some(at) = memchr::memmem::find(rest, BINARY) {
        let (before, data) = (&rest[..at], &rest[at + BINARY.len()..]);
        let digits = data.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let length =
            std::str::from_utf8(&data[..digits]).ok().and_then(|digits| digits.parse::<usize>().ok());
        if has_zero_block(before) {
            return true;
        }
        rest = data.get(digits.saturating_add(length.unwrap_or(0)).saturating_add(1)..).unwrap_or_default();
    }
    has_zero_block(rest)
}

#[cfg(test)]
mod tests;
