//! Items inside items as mails of their own: a storage is not a file, so its content is written in the form of RFC
//! 5322. All content is base64, in which no boundary can occur.

use super::item::{MsgAttachment, MsgBody, MsgItem, attached};
use super::properties::NamedProperties;
use crate::limits::mail::{MAX_COMPOSED_MAIL_BYTES, MAX_ITEM_DEPTH};
use crate::shared::ole::Compound;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pensieve_text::model::{Problem, ReviewReason};

/// The mail of the item in a storage, or as much of it as fits; `None` if it is too deep.
///
/// # Errors
/// `Io` if the file cannot be read.
pub(super) fn compose(
    compound: &mut Compound<'_>,
    names: &NamedProperties,
    (at, depth): (usize, usize),
    review_reasons: &mut Vec<ReviewReason>,
) -> Result<Option<Vec<u8>>, Problem> {
    if depth > MAX_ITEM_DEPTH {
        return Ok(None);
    }
    let item = MsgItem::read(compound, names, at)?;
    let mut mail = Vec::new();
    review_reasons.extend(item.review_reasons.iter().cloned());
    header(&item, &mut mail);
    let boundary = format!("=_item_{depth}");
    mail.extend_from_slice(b"MIME-Version: 1.0\r\n");
    mail.extend_from_slice(
        format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\r\n\r\n").as_bytes(),
    );
    let begin = format!("--{boundary}\r\n");
    if let Some((kind, content)) = body(&item) {
        mail.extend_from_slice(begin.as_bytes());
        part(&kind, "inline", None, &content, &mut mail);
    }
    for storage in item.attachments {
        if mail.len() > MAX_COMPOSED_MAIL_BYTES {
            break;
        }
        match attached(compound, storage, item.code_page)? {
            MsgAttachment::File(name, kind, bytes)
                if mail.len() + bytes.len() / 3 * 4 <= MAX_COMPOSED_MAIL_BYTES =>
            {
                let kind = if kind.contains('/') { kind } else { "application/octet-stream".to_owned() };
                mail.extend_from_slice(begin.as_bytes());
                part(&kind, "attachment", name.as_deref(), &bytes, &mut mail);
            }
            MsgAttachment::MsgItem(_, inner) => {
                if let Some(inner) = compose(compound, names, (inner, depth + 1), review_reasons)? {
                    mail.extend_from_slice(begin.as_bytes());
                    mail.extend_from_slice(b"Content-Type: message/rfc822\r\n\r\n");
                    mail.extend_from_slice(&inner);
                    mail.extend_from_slice(b"\r\n");
                }
            }
            MsgAttachment::File(..) | MsgAttachment::Nothing(_) => {}
        }
    }
    mail.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    Ok(Some(mail))
}

fn header(item: &MsgItem, mail: &mut Vec<u8>) {
    let head = &item.head;
    let mut field = |name: &str, text: &str| {
        mail.extend_from_slice(format!("{name}: {text}\r\n").as_bytes());
    };
    for (name, list) in [("From", &head.from), ("To", &head.to), ("Cc", &head.cc), ("Bcc", &head.bcc)] {
        list.iter().for_each(|shown| field(name, &shown.text));
    }
    head.subject.iter().for_each(|subject| field("Subject", &subject.text));
    head.date.iter().for_each(|date| field("Date", &date.text));
    let ids = [
        ("Message-ID", &head.message_id),
        ("In-Reply-To", &head.in_reply_to),
        ("References", &head.references),
        ("List-Id", &head.list_id),
    ];
    for (name, text) in ids {
        text.iter().for_each(|text| field(name, text));
    }
}

fn body(item: &MsgItem) -> Option<(String, Vec<u8>)> {
    let fields: String = item.fields.iter().map(|(label, text)| format!("{label}: {text}\n")).collect();
    match &item.body {
        MsgBody::None if fields.is_empty() => None,
        MsgBody::None => Some(("text/plain; charset=utf-8".to_owned(), fields.into_bytes())),
        MsgBody::Plain(text) => {
            let gap = if fields.is_empty() { "" } else { "\n" };
            Some(("text/plain; charset=utf-8".to_owned(), format!("{fields}{gap}{text}").into_bytes()))
        }
        MsgBody::Page(page, code_page) => {
            let charset =
                super::item::charset_of(*code_page).map_or(String::new(), |name| format!("; charset={name}"));
            Some((format!("text/html{charset}"), page.clone()))
        }
        MsgBody::Rtf(rtf) => Some(("text/rtf".to_owned(), rtf.clone())),
    }
}

fn part(kind: &str, disposition: &str, name: Option<&str>, content: &[u8], mail: &mut Vec<u8>) {
    let name = name
        .map(|name| name.replace(['"', '\\'], "_"))
        .map_or(String::new(), |name| format!("; filename=\"{name}\""));
    let header = format!(
        "Content-Type: {kind}\r\nContent-Disposition: {disposition}{name}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    );
    mail.extend_from_slice(header.as_bytes());
    for line in content.chunks(57) {
        mail.extend_from_slice(STANDARD.encode(line).as_bytes());
        mail.extend_from_slice(b"\r\n");
    }
}
