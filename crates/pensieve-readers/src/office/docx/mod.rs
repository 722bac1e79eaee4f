//! Word documents: `.docx`, `.docm`, `.dotx`, `.dotm`, in both editions of the standard.
//!
//! The body becomes Markdown, with the numbers of lists and headings as Word shows them; notes, comments, headers and
//! footers follow it. Text that was deleted with change tracking is left out, inserted text is kept; field codes,
//! words that nobody can see and layout are left out. A place is the bytes of a paragraph or row in its part. Refuses encrypted
//! documents and files that are not packages; of a broken part, the readable text is kept. Sources: ECMA-376 (Office
//! Open XML) part 1, in its transitional and strict form; [MS-DOCX].

mod back_matter;
mod context;
mod field;
mod inserted;
mod numbering;
mod open_lists;
mod output;
mod properties;
mod story;
mod styles;

use crate::settings::{OfficeOptions, ReadSettings};
use crate::shared::opc::OpcPackage;
use crate::source::{DocumentSink, DocumentSource};
use context::DocumentContext;
use output::StoryOutput;
use pensieve_text::model::{Document, Problem, ProblemKind};
use story::{StoryEvent, StoryReader};

/// Reads a document.
///
/// # Errors
/// `Encrypted`, `Damaged` if the file is not a package or has no body, and the limits of packages.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    read_at(source, settings.office.clone(), 0, sink)
}

/// Reads a document that is inserted into `depth` others.
fn read_at(
    source: &mut DocumentSource<'_>,
    options: OfficeOptions,
    depth: usize,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut package = OpcPackage::open(source)?;
    let main = package.main_part("document.main+xml", "word/document.xml");
    let main = main.ok_or_else(|| Problem::new(ProblemKind::Damaged, "the package has no document"))?;
    let body = package.text(&main)?;
    let relations = package.relations(&main);
    let mut context = DocumentContext::new(package, options, depth, read_at, &relations, &body.text);
    let mut output = StoryOutput::new(main.as_str(), sink);
    let broken = StoryReader::read(&mut context, &main, &body, &relations, &mut |_, event| {
        let event = match event {
            StoryEvent::Block(block, bytes) => StoryEvent::Block(block, body.bytes(bytes)),
            other => other,
        };
        output.add(event);
    });
    output.flush();
    output.check()?;
    context.note_damage(&main, body.problem.clone(), broken);
    drop(body);
    context.add_notes(&relations, &mut output);
    if context.options.comments {
        context.add_comments(&relations, &mut output);
    }
    if context.options.headers {
        context.add_headers_and_footers(&mut output);
    }
    output.check()?;
    let metadata = context.package.metadata();
    let mut document = Document {
        text: output.draft.finish(),
        metadata,
        problems: context.problems,
        review_reasons: context.review_reasons,
        ..Document::default()
    };
    context.hidden.note(&mut document);
    Ok(document)
}

#[cfg(test)]
mod tests;
