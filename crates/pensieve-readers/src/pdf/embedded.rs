//! Files that a PDF file carries: those that its catalog lists, and those attached to places of its pages. Each becomes a
//! document of its own, as the attachments of a mail do. Source: ISO 32000-2, 7.11.4 (embedded file streams).

use super::decoder::StreamDecoder;
use super::outline::leaves;
use super::strings;
use crate::limits::pdf::{MAX_ANNOTATIONS, MAX_EMBEDDED_BYTES, MAX_EMBEDDED_FILES, MAX_EMBEDDED_TOTAL_BYTES};
use hayro_font::hayro_syntax::Pdf;
use hayro_font::hayro_syntax::object::{Array, Dict, Name, Stream, String as PdfString};
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{ContainerMember, Document, Problem, ProblemKind};
use rustc_hash::FxHashSet;

/// Keys of names and streams of a file, the newer ones first.
const KEYS: [&str; 5] = ["UF", "F", "Unix", "Mac", "DOS"];

/// Embedded files, and how many were left out because of a limit.
#[derive(Debug, Default)]
pub(super) struct EmbeddedFiles {
    pub(super) members: Vec<ContainerMember>,
    left_out: u64,
}

impl EmbeddedFiles {
    /// Reads the embedded files of a document.
    pub(super) fn read(pdf: &Pdf, decoder: &StreamDecoder) -> EmbeddedFiles {
        let mut files = EmbeddedFiles::default();
        let (mut seen, mut bytes) = (FxHashSet::default(), 0);
        for file in specifications(pdf) {
            let Some(stream) = stream_of(&file) else { continue };
            if !seen.insert(stream.raw_data().as_ptr() as usize) {
                continue;
            }
            let stated = stream.dict().get::<Dict<'_>>("Params").and_then(|params| params.get::<u32>("Size"));
            let is_large = stated.is_some_and(|size| size as usize > MAX_EMBEDDED_BYTES);
            if is_large || files.members.len() >= MAX_EMBEDDED_FILES || bytes >= MAX_EMBEDDED_TOTAL_BYTES {
                files.left_out += 1;
                continue;
            }
            // The decoder notes streams that are damaged or too large.
            let Ok(data) = decoder.decode(&stream) else { continue };
            if data.is_empty() {
                continue;
            }
            if data.len() > MAX_EMBEDDED_BYTES {
                files.left_out += 1;
                continue;
            }
            bytes += data.len();
            let number = files.members.len() + 1;
            let name = name_of(&file).unwrap_or_else(|| format!("file {number}"));
            files.members.push(ContainerMember::new(number.to_string(), name, data.into_owned()));
        }
        files
    }

    /// Reports what was left out.
    pub(super) fn note_losses(&self, document: &mut Document) {
        if self.left_out > 0 {
            let detail =
                format!("{} beyond the limits of one document", counted(self.left_out, "embedded file"));
            document.report(Problem::new(ProblemKind::SizeLimit, detail));
        }
    }
}

/// The file specifications of a document, in the order of its name tree and of its pages.
fn specifications(pdf: &Pdf) -> Vec<Dict<'_>> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let tree = catalog.get::<Dict<'_>>("Names").and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles"));
    let listed = leaves(tree, "Names").into_iter().filter_map(|(_, file)| file.into_dict());
    let mut found: Vec<Dict<'_>> = listed.collect();
    for page in pdf.pages().iter() {
        let annotations = page.raw().get::<Array<'_>>("Annots");
        for annotation in annotations.iter().flat_map(|all| all.iter::<Dict<'_>>()).take(MAX_ANNOTATIONS) {
            if annotation.get::<Name<'_>>("Subtype").as_deref() == Some(b"FileAttachment") {
                found.extend(annotation.get::<Dict<'_>>("FS"));
            }
        }
    }
    found
}

fn stream_of<'a>(file: &Dict<'a>) -> Option<Stream<'a>> {
    let streams = file.get::<Dict<'a>>("EF")?;
    KEYS.iter().find_map(|key| streams.get::<Stream<'a>>(*key))
}

/// The last part of the name of a file, without characters that mean something to terminals.
fn name_of(file: &Dict<'_>) -> Option<String> {
    let name = KEYS.iter().find_map(|key| file.get::<PdfString<'_>>(*key))?;
    let name = strings::decode(&name);
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| !c.is_control()).collect();
    let kept = kept.trim().trim_start_matches('.').to_owned();
    (!kept.is_empty()).then_some(kept)
}
