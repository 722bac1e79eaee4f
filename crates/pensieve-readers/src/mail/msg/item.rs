//! An Outlook item: sender, recipients, date, subject, body and attachments; of appointments, contacts and tasks their
//! main fields. Format: [MS-OXOMSG], [MS-OXCMSG], [MS-OXOCAL], [MS-OXOCNTC], [MS-OXOTASK]; the numbers are those of
//! [MS-OXPROPS].

use super::super::head::{MailHead, ShownField};
use super::super::header::read_header;
use super::properties::{NamedProperties, PropertyStorage};
use crate::limits::mail::{
    MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS, MAX_ITEM_PAGE_BYTES, MAX_ITEM_TEXT_BYTES, MAX_RECIPIENTS,
};
use crate::office::rtf;
use crate::shared::codepage;
use crate::shared::ole::Compound;
use pensieve_text::model::{Problem, ProblemKind, ReviewReason};

/// Bytes before the small properties: of the file's own item, of an item inside, of recipients and attachments.
const TOP_HEADER: usize = 32;
const INNER_HEADER: usize = 24;
const SMALL_HEADER: usize = 8;

pub(super) struct MsgItem {
    pub head: MailHead,
    /// Fields of an item that is not a mail, as label and text.
    pub fields: Vec<(&'static str, String)>,
    pub body: MsgBody,
    /// Its page and the code page that it names for it, whatever `body` is.
    pub page: Option<HtmlBody>,
    /// True for mails and other items that are sent; false for contacts, tasks and notes.
    pub is_mail: bool,
    pub keywords: Vec<String>,
    /// The storages of its attachments.
    pub attachments: Vec<usize>,
    /// The code page of its texts that are not Unicode.
    pub code_page: u32,
    pub review_reasons: Vec<ReviewReason>,
}

/// A page and the code page that the item names for it.
pub(super) type HtmlBody = (Vec<u8>, Option<u32>);

/// Classes of items that are not sent.
const UNSENT_CLASSES: &[&str] =
    &["ipm.activity", "ipm.appointment", "ipm.contact", "ipm.distlist", "ipm.stickynote", "ipm.task"];

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum MsgBody {
    #[default]
    None,
    Plain(String),
    /// A page, and the code page that the item names for it.
    Page(Vec<u8>, Option<u32>),
    Rtf(Vec<u8>),
}

pub(super) enum MsgAttachment {
    /// A file: its name, its type, its bytes.
    File(Option<String>, String, Vec<u8>),
    /// An item: its name and its storage.
    MsgItem(Option<String>, usize),
    /// No document, or too large a one; with the reason.
    Nothing(String),
}

impl MsgItem {
    /// Reads the item in a storage.
    ///
    /// # Errors
    /// `Io` if the file cannot be read.
    pub fn read(compound: &mut Compound<'_>, names: &NamedProperties, at: usize) -> Result<MsgItem, Problem> {
        let storage = PropertyStorage::open(compound, at, if at == 0 { TOP_HEADER } else { INNER_HEADER })?;
        let mut review_reasons = Vec::new();
        if storage.is_broken {
            review_reasons.push(ReviewReason::skipped("the properties of the item are missing"));
        }
        let class = storage.line(compound, 0x001a).unwrap_or_default().to_ascii_lowercase();
        let head = head_of(compound, &storage, &mut review_reasons)?;
        let (body, page) = body_of(compound, &storage, &mut review_reasons)?;
        let is_kept = |kept: &&str| class == **kept || class.starts_with(&format!("{kept}."));
        let is_mail = !UNSENT_CLASSES.iter().any(is_kept);
        let fields = fields_of(compound, &storage, names, &class);
        let keywords = names.word("Keywords").map_or(Vec::new(), |id| storage.lines(compound, id));
        missing(&storage, &mut review_reasons);
        let is_attachment =
            |(name, at): &(String, usize)| name.starts_with("__ATTACH_VERSION1.0_").then_some(*at);
        let attachments: Vec<usize> = storage.storages.iter().filter_map(is_attachment).collect();
        if attachments.len() > MAX_ATTACHMENTS {
            let detail = format!("{} attachments", attachments.len() - MAX_ATTACHMENTS);
            review_reasons.push(ReviewReason::skipped(detail));
        }
        let attachments = attachments.into_iter().take(MAX_ATTACHMENTS).collect();
        Ok(MsgItem {
            head,
            fields,
            body,
            page,
            is_mail,
            keywords,
            attachments,
            code_page: storage.code_page,
            review_reasons,
        })
    }
}

/// Reports recipients and attachments that an item counts and does not contain.
fn missing(storage: &PropertyStorage, review_reasons: &mut Vec<ReviewReason>) {
    let kinds = [("__RECIP_VERSION1.0_", "recipients"), ("__ATTACH_VERSION1.0_", "attachments")];
    for ((start, what), declared) in kinds.into_iter().zip(storage.declared) {
        let found = storage.storages.iter().filter(|(name, _)| name.starts_with(start)).count();
        if found < declared as usize {
            let detail = format!("{found} of {declared} {what} are there");
            review_reasons.push(ReviewReason::skipped(detail));
        }
    }
}

/// Reads an attachment.
///
/// # Errors
/// `Io` if the file cannot be read.
pub(super) fn attached(
    compound: &mut Compound<'_>,
    at: usize,
    code_page: u32,
) -> Result<MsgAttachment, Problem> {
    let mut storage = PropertyStorage::open(compound, at, SMALL_HEADER)?;
    storage.code_page = code_page;
    let name = storage.line(compound, 0x3707).or_else(|| storage.line(compound, 0x3704));
    let name = name.or_else(|| storage.line(compound, 0x3001));
    let kind = storage.line(compound, 0x370e).unwrap_or_default().to_ascii_lowercase();
    if let Some(object) = storage.object(0x3701) {
        let is_item =
            storage.number(0x3705) == Some(5) || compound.child(object, "__properties_version1.0").is_some();
        return Ok(match is_item {
            true => MsgAttachment::MsgItem(name, object),
            false => match compound.child(object, "CONTENTS").or_else(|| compound.child(object, "Package")) {
                Some(stream) if compound.entries()[stream].size <= MAX_ATTACHMENT_BYTES => {
                    MsgAttachment::File(name, kind, compound.read(stream)?)
                }
                _ => MsgAttachment::Nothing("an embedded object".to_owned()),
            },
        });
    }
    let size = storage.size(compound, 0x3701);
    if size > MAX_ATTACHMENT_BYTES {
        return Ok(MsgAttachment::Nothing(format!(
            "an attachment of {size} bytes, more than {MAX_ATTACHMENT_BYTES}"
        )));
    }
    Ok(match storage.bytes(compound, 0x3701)? {
        Some(bytes) => MsgAttachment::File(name, kind, bytes),
        None if storage.is_broken => {
            MsgAttachment::Nothing("an attachment whose properties are missing".to_owned())
        }
        None => MsgAttachment::Nothing("an attachment that is only a link".to_owned()),
    })
}

/// The head, from the properties, completed from the transport header.
fn head_of(
    compound: &mut Compound<'_>,
    storage: &PropertyStorage,
    review_reasons: &mut Vec<ReviewReason>,
) -> Result<MailHead, Problem> {
    let header = storage.text(compound, 0x007d, 1 << 20).unwrap_or_default();
    let transported = {
        let fields = read_header(header.as_bytes(), 0, &|_| false);
        MailHead::of(header.as_bytes(), &fields)
    };
    let mut head = MailHead {
        subject: storage
            .line(compound, 0x0037)
            .or_else(|| storage.line(compound, 0x0e1d))
            .map(ShownField::text),
        from: sender(compound, storage).into_iter().map(address).collect(),
        message_id: storage.line(compound, 0x1035),
        in_reply_to: storage.line(compound, 0x1042),
        references: storage.line(compound, 0x1039),
        list_id: transported.list_id.clone(),
        ..MailHead::default()
    };
    let nameless = recipients(compound, storage, &mut head)?;
    if nameless > 0 {
        review_reasons.push(ReviewReason::repaired(format!("{nameless} recipients without name")));
    }
    let time = [0x0039, 0x0e06, 0x3007].into_iter().find_map(|id| storage.time(id));
    // The header contains the offset that the sender wrote.
    head.date = transported.date.map(bare).or_else(|| time.map(ShownField::text));
    let or = |own: Vec<ShownField>, other: Vec<ShownField>| {
        if own.is_empty() { other.into_iter().map(bare).collect() } else { own }
    };
    // Senders inside an organisation have a name and a path; the header has their address.
    let has_mail = |list: &[ShownField]| list.iter().any(|shown| shown.text.contains('@'));
    if !has_mail(&head.from) && has_mail(&transported.from) {
        head.from.clear();
    }
    head.from = or(head.from, transported.from);
    head.to = or(head.to, transported.to);
    head.cc = or(head.cc, transported.cc);
    head.subject = head.subject.or(transported.subject.map(bare));
    head.message_id = head.message_id.or(transported.message_id);
    head.in_reply_to = head.in_reply_to.or(transported.in_reply_to);
    head.references = head.references.or(transported.references);
    Ok(head)
}

/// A field of the transport header, whose bytes are not in this file.
fn bare(field: ShownField) -> ShownField {
    ShownField { source: None, ..field }
}

fn address(text: String) -> ShownField {
    ShownField { addresses: vec![text.clone()], text, source: None }
}

fn sender(compound: &mut Compound<'_>, storage: &PropertyStorage) -> Option<String> {
    let name = storage.line(compound, 0x0042).or_else(|| storage.line(compound, 0x0c1a));
    let mail = [0x5d02, 0x5d01, 0x0065, 0x0c1f]
        .into_iter()
        .find_map(|id| storage.line(compound, id).filter(is_mail));
    full_address(name, mail)
}

/// True for an address of the Internet; those of Exchange are paths.
#[expect(clippy::ptr_arg, reason = "it filters texts that are owned")]
fn is_mail(address: &String) -> bool {
    address.contains('@') && !address.starts_with('/')
}

/// `Name <mail>`, or only the part that exists.
fn full_address(name: Option<String>, mail: Option<String>) -> Option<String> {
    let name = name.map(|name| name.trim_matches(['\'', '"']).to_owned());
    match (name, mail) {
        (Some(name), Some(mail)) if name == mail || name.is_empty() => Some(mail),
        (Some(name), Some(mail)) => Some(format!("{name} <{mail}>")),
        (name, mail) => name.or(mail).filter(|text| !text.is_empty()),
    }
}

/// The table of recipients, or the display texts if the table is missing; and how many recipients have no name.
fn recipients(
    compound: &mut Compound<'_>,
    storage: &PropertyStorage,
    head: &mut MailHead,
) -> Result<usize, Problem> {
    let mut nameless = 0;
    let is_recipient = |(name, at): &(String, usize)| name.starts_with("__RECIP_VERSION1.0_").then_some(*at);
    let mut lists: [Vec<String>; 3] = Default::default();
    for at in storage.storages.iter().filter_map(is_recipient).take(MAX_RECIPIENTS) {
        let mut recipient = PropertyStorage::open(compound, at, SMALL_HEADER)?;
        recipient.code_page = storage.code_page;
        let mails = [0x39fe, 0x3003];
        let mail = mails.into_iter().find_map(|id| recipient.line(compound, id).filter(is_mail));
        let name = recipient.line(compound, 0x3001);
        let list = match recipient.number(0x0c15).unwrap_or(1) & 0xf {
            2 => 1,
            3 => 2,
            _ => 0,
        };
        let address = full_address(name, mail);
        nameless += usize::from(address.is_none());
        lists[list].extend(address);
    }
    let [to, cc, bcc] = lists;
    for (list, shown, id) in
        [(to, &mut head.to, 0x0e04), (cc, &mut head.cc, 0x0e03), (bcc, &mut head.bcc, 0x0e02)]
    {
        if !list.is_empty() {
            shown.push(ShownField { text: list.join(", "), addresses: list, source: None });
        } else if let Some(text) = storage.line(compound, id) {
            let addresses =
                text.split(';').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
            shown.push(ShownField { addresses: addresses.collect(), text, source: None });
        }
    }
    Ok(nameless)
}

/// Plain text, else the page, else the RTF; and the page in any case.
fn body_of(
    compound: &mut Compound<'_>,
    storage: &PropertyStorage,
    review_reasons: &mut Vec<ReviewReason>,
) -> Result<(MsgBody, Option<HtmlBody>), Problem> {
    let mut page = page_of(compound, storage, review_reasons)?;
    let mut rtf = None;
    if page.is_none() {
        rtf = rtf_of(compound, storage, review_reasons)?;
        if let Some(text) = rtf.as_deref().and_then(rtf::deencapsulate)
            && text.len() as u64 <= MAX_ITEM_PAGE_BYTES
        {
            page = Some((text.into_bytes(), Some(65001)));
        }
    }
    match storage.text(compound, 0x1000, MAX_ITEM_TEXT_BYTES) {
        Some(text) if !text.trim().is_empty() => return Ok((MsgBody::Plain(text), page)),
        None if storage.has_text(0x1000) => {
            let detail = format!("a body of more than {MAX_ITEM_TEXT_BYTES} bytes");
            review_reasons.push(ReviewReason::skipped(detail));
        }
        _ => {}
    }
    let body = match (&page, rtf) {
        (Some((bytes, code_page)), _) => MsgBody::Page(bytes.clone(), *code_page),
        (None, Some(rtf)) => MsgBody::Rtf(rtf),
        (None, None) => MsgBody::None,
    };
    Ok((body, page))
}

fn page_of(
    compound: &mut Compound<'_>,
    storage: &PropertyStorage,
    review_reasons: &mut Vec<ReviewReason>,
) -> Result<Option<HtmlBody>, Problem> {
    if storage.size(compound, 0x1013) > MAX_ITEM_PAGE_BYTES {
        review_reasons
            .push(ReviewReason::skipped(format!("a body of more than {MAX_ITEM_PAGE_BYTES} bytes")));
        return Ok(None);
    }
    let code_page = storage.number(0x3fde).filter(|page| *page > 0).map(|page| page as u32);
    if let Some(bytes) = storage.bytes(compound, 0x1013)?.filter(|bytes| !bytes.is_empty()) {
        return Ok(Some((bytes, code_page)));
    }
    let text = storage.text(compound, 0x1013, MAX_ITEM_PAGE_BYTES as usize).filter(|text| !text.is_empty());
    Ok(text.map(|text| (text.into_bytes(), Some(65001))))
}

/// The body as RTF, unpacked.
fn rtf_of(
    compound: &mut Compound<'_>,
    storage: &PropertyStorage,
    review_reasons: &mut Vec<ReviewReason>,
) -> Result<Option<Vec<u8>>, Problem> {
    let Some(packed) = storage.bytes(compound, 0x1009)? else { return Ok(None) };
    let rtf = rtf::decompress(&packed);
    if rtf.is_none() && !storage.has_text(0x1000) {
        review_reasons.push(ReviewReason::skipped("a body of RTF that cannot be unpacked"));
    }
    Ok(rtf)
}

/// Labels and properties: of the item itself, or with a name.
enum PropertyOwner {
    Own(u16),
    Named(u32),
}

/// The fields by class of item; times and texts.
#[rustfmt::skip]
const FIELDS: &[(&str, &str, PropertyOwner)] = &[
    ("ipm.appointment", "Start", PropertyOwner::Named(0x820d)),
    ("ipm.appointment", "End", PropertyOwner::Named(0x820e)),
    ("ipm.appointment", "Location", PropertyOwner::Named(0x8208)),
    ("ipm.schedule", "Start", PropertyOwner::Named(0x820d)),
    ("ipm.schedule", "End", PropertyOwner::Named(0x820e)),
    ("ipm.schedule", "Location", PropertyOwner::Named(0x8208)),
    ("ipm.task", "Start", PropertyOwner::Named(0x8104)),
    ("ipm.task", "Due", PropertyOwner::Named(0x8105)),
    ("ipm.contact", "Name", PropertyOwner::Own(0x3001)),
    ("ipm.contact", "Company", PropertyOwner::Own(0x3a16)),
    ("ipm.contact", "Department", PropertyOwner::Own(0x3a18)),
    ("ipm.contact", "Title", PropertyOwner::Own(0x3a17)),
    ("ipm.contact", "Email", PropertyOwner::Named(0x8083)),
    ("ipm.contact", "Email 2", PropertyOwner::Named(0x8093)),
    ("ipm.contact", "Email 3", PropertyOwner::Named(0x80a3)),
    ("ipm.contact", "Business phone", PropertyOwner::Own(0x3a08)),
    ("ipm.contact", "Home phone", PropertyOwner::Own(0x3a09)),
    ("ipm.contact", "Mobile phone", PropertyOwner::Own(0x3a1c)),
    ("ipm.contact", "Business fax", PropertyOwner::Own(0x3a24)),
    ("ipm.contact", "Business address", PropertyOwner::Named(0x801b)),
    ("ipm.contact", "Home address", PropertyOwner::Named(0x801a)),
    ("ipm.contact", "Web page", PropertyOwner::Named(0x802b)),
    ("ipm.contact", "Birthday", PropertyOwner::Own(0x3a42)),
];

fn fields_of(
    compound: &mut Compound<'_>,
    storage: &PropertyStorage,
    names: &NamedProperties,
    class: &str,
) -> Vec<(&'static str, String)> {
    let mut fields = Vec::new();
    for (wanted, label, of) in FIELDS.iter().filter(|(wanted, _, _)| class.starts_with(wanted)) {
        let _ = wanted;
        let id = match of {
            PropertyOwner::Own(id) => Some(*id),
            PropertyOwner::Named(name) => names.number(*name),
        };
        let Some(id) = id else { continue };
        let text = storage.time(id).or_else(|| storage.line(compound, id));
        fields.extend(text.map(|text| (*label, text)));
    }
    fields
}

/// The name of the charset that a page declares.
pub(super) fn charset_of(page: Option<u32>) -> Option<&'static str> {
    codepage::encoding_of(page?).map(|encoding| encoding.name())
}

pub(super) fn no_item() -> Problem {
    Problem::new(ProblemKind::Damaged, "no Outlook item in the compound file")
}
