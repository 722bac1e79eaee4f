//! Items of Outlook as files (`.msg`, `.oft`): head, body and attached documents like those of a mail. Attached
//! items become mails. Format: [MS-OXMSG] in a compound file.

use crate::limits::mail::MAX_ITEM_REPORTS;

mod compose;
mod item;
mod properties;
#[cfg(test)]
mod tests;

use super::mail_text::{FlowedFormat, MailText, placed, plain_text};
use super::names::safe_name;
use super::sanitise::mail_page;
use crate::office::rtf;
use crate::settings::ReadSettings;
use crate::shared::hidden_text::HiddenText;
use crate::shared::ole::Compound;
use crate::source::{DocumentSink, DocumentSource};
use crate::web::html::read_mail_body;
use compose::compose;
use item::{MsgAttachment, MsgBody, MsgItem, attached, charset_of, no_item};
use pensieve_text::model::{
    ContainerMember, Document, Locator, MailFacts, MailHtml, Problem, ProblemKind, Segment, SpanMap,
};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use properties::{NamedProperties, PropertyStorage};
use std::sync::Arc;

/// The number of the body as a part of the item; attachments have the numbers after it.
const BODY: &str = "1";

/// Reads an Outlook item.
///
/// # Errors
/// `Damaged` if there is no item, `Io` if the file cannot be read, or the error of the sink.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut compound = Compound::open(source)?;
    let streams = PropertyStorage::open(&mut compound, 0, 32)?;
    if streams.is_empty() {
        return Err(no_item());
    }
    let names = NamedProperties::read(&mut compound);
    let item = MsgItem::read(&mut compound, &names, 0)?;
    let mut document =
        Document { text: item.head.segment(), metadata: item.head.metadata(), ..Document::default() };
    if item.is_mail {
        let page = item.page.and_then(page_of);
        document.mail = Some(Box::new(MailFacts { page, ..item.head.mail() }));
    }
    document.metadata.extend(item.keywords.iter().map(|word| ("keywords".to_owned(), word.clone())));
    document.review_reasons = item.review_reasons;
    add(&mut document.text, fields_text(&item.fields));
    let body = body_text(item.body, settings, &mut document)?;
    add(&mut document.text, body);
    for (at, storage) in item.attachments.into_iter().enumerate() {
        let number = (at + 2).to_string();
        attach(&mut compound, &names, (storage, item.code_page, number), (&mut document, sink))?;
    }
    for damage in compound.damage() {
        document.problems.push(Problem::new(ProblemKind::Damaged, damage.clone()));
    }
    if !compound.damage().is_empty() {
        document.note_skipped("the compound file is damaged");
    }
    Ok(document)
}

/// Hands over the attachments. Those that cannot be read are reported, and reading goes on.
fn attach(
    compound: &mut Compound<'_>,
    names: &NamedProperties,
    (storage, code_page, number): (usize, u32, String),
    (document, sink): (&mut Document, &mut dyn DocumentSink),
) -> Result<(), Problem> {
    let found = match attached(compound, storage, code_page) {
        Ok(MsgAttachment::MsgItem(name, at)) => {
            let name = safe_name(name.as_deref(), "message/rfc822", &number);
            let name = format!("{}.eml", name.strip_suffix(".eml").unwrap_or(&name));
            let deep = || MsgAttachment::Nothing("an item that lies too deep".to_owned());
            let mail = compose(compound, names, (at, 1), &mut document.review_reasons);
            mail.map(|mail| {
                mail.map_or_else(deep, |mail| MsgAttachment::File(Some(name), String::new(), mail))
            })
        }
        other => other,
    };
    match found {
        Ok(MsgAttachment::File(name, kind, bytes)) if !bytes.is_empty() => {
            let name = safe_name(name.as_deref(), &kind, &number);
            sink.member(ContainerMember::new(number, name, bytes))?;
        }
        Ok(MsgAttachment::Nothing(why)) => document.note_skipped(why),
        Ok(_) => {}
        Err(problem) => document.problems.push(problem),
    }
    document.problems.truncate(MAX_ITEM_REPORTS);
    document.review_reasons.truncate(MAX_ITEM_REPORTS);
    Ok(())
}

fn page_of((bytes, code_page): (Vec<u8>, Option<u32>)) -> Option<MailHtml> {
    let hints = EncodingHints { declared: charset_of(code_page), format: DeclarationFormat::Html };
    mail_page(decode_all(&bytes, &hints).0.text)
}

fn add(text: &mut Segment, more: Segment) {
    if more.text.trim().is_empty() {
        return;
    }
    if !text.text.is_empty() {
        text.append(Segment { text: "\n".to_owned(), ..Segment::default() });
    }
    text.append(more);
}

fn fields_text(fields: &[(&'static str, String)]) -> Segment {
    let mut page = MailText::new();
    for (label, text) in fields {
        page.put(&super::mail_text::escaped(&format!("{label}: {text}\n")));
    }
    in_body(page.finish())
}

fn body_text(body: MsgBody, settings: &ReadSettings, document: &mut Document) -> Result<Segment, Problem> {
    Ok(match body {
        MsgBody::None => Segment::default(),
        MsgBody::Plain(text) => in_body(plain_text(&text, FlowedFormat::Fixed)),
        MsgBody::Page(bytes, code_page) => {
            let hints = EncodingHints { declared: charset_of(code_page), format: DeclarationFormat::Html };
            let (decoded, _, problems) = decode_all(&bytes, &hints);
            document.problems.extend(problems);
            let (mut hidden, place) = (HiddenText::default(), Locator::part(BODY, None));
            let text = read_mail_body(decoded, |reason, words| hidden.add(reason, Some(&place), words));
            hidden.note(document);
            in_body(text)
        }
        MsgBody::Rtf(bytes) => {
            let mut kept = KeptText(Segment::default());
            match rtf::read_bytes(&bytes, settings, &mut kept) {
                Ok(read) => {
                    kept.0.append(read.text);
                    document.hidden_text = read.hidden_text;
                    document.problems.extend(read.problems);
                    document.review_reasons.extend(read.review_reasons);
                }
                Err(problem) => document.problems.push(problem),
            }
            in_body(kept.0)
        }
    })
}

/// A text of the body, whose bytes are nowhere in the file.
fn in_body(segment: Segment) -> Segment {
    let number: Arc<str> = BODY.into();
    placed(Segment { map: SpanMap::default(), ..segment }, &number, 0, None)
}

/// Keeps the text of a long body; pictures in it are not documents of their own.
struct KeptText(Segment);

impl DocumentSink for KeptText {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.0.append(segment);
        Ok(())
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}
