//! The head of a mail: the lines at the top of its text, and its metadata. Format: RFC 5322 section 3.6; lists of
//! addresses are split at commas outside of quotes, comments and brackets, and otherwise shown as they are written.

use super::dates::{iso_date, utc_date};
use super::encoded_words::header_text;
use super::header::MimeHeader;
use super::ids::{answered_id, own_id, references};
use super::mail_text::MailText;
use crate::limits::mail::MAX_ADDRESSES;
use pensieve_text::model::{Locator, MailFacts, Segment, Span};

/// The fields that are read, in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct MailHead {
    pub subject: Option<ShownField>,
    /// `From`, or `Sender` if that is missing.
    pub from: Vec<ShownField>,
    pub to: Vec<ShownField>,
    pub cc: Vec<ShownField>,
    /// `Bcc`, which is not shown.
    pub bcc: Vec<ShownField>,
    /// `Date`, as it is written.
    pub date: Option<ShownField>,
    pub message_id: Option<String>,
    pub in_reply_to: Option<String>,
    pub references: Option<String>,
    pub list_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ShownField {
    /// Decoded, on one line.
    pub text: String,
    /// Its addresses, if it has any, each decoded.
    pub addresses: Vec<String>,
    pub source: Option<FieldSource>,
}

/// The place of a field in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldSource {
    /// The first byte of its name.
    pub start: usize,
    /// Its value, without blanks around it.
    pub value: Span,
    /// Its text is its bytes.
    pub is_exact: bool,
}

impl ShownField {
    /// Text that has no bytes in the file.
    pub fn text(text: impl Into<String>) -> ShownField {
        ShownField { text: text.into(), ..ShownField::default() }
    }
}

impl MailHead {
    pub fn of(bytes: &[u8], header: &MimeHeader) -> MailHead {
        let one = |name: &str| shown(bytes, header, name).next();
        let text = |name: &str| one(name).map(|field| field.text);
        let all = |name: &str| shown(bytes, header, name).map(with_addresses(bytes)).collect::<Vec<_>>();
        let from = all("from");
        MailHead {
            subject: one("subject"),
            from: if from.is_empty() { all("sender") } else { from },
            to: all("to"),
            cc: all("cc"),
            bcc: all("bcc"),
            date: one("date").or_else(|| one("resent-date")),
            message_id: text("message-id"),
            in_reply_to: text("in-reply-to"),
            references: text("references"),
            list_id: text("list-id"),
        }
    }

    /// For a head whose bytes are not those of the file.
    pub fn forget_sources(&mut self) {
        let lists = [&mut self.from, &mut self.to, &mut self.cc, &mut self.bcc];
        let fields = lists.into_iter().flatten().chain(&mut self.subject).chain(&mut self.date);
        fields.for_each(|field| field.source = None);
    }

    /// The lines at the top of the text, with the places that they come from.
    pub fn segment(&self) -> Segment {
        let mut page = MailText::new();
        if let Some(subject) = &self.subject {
            page.put("# ");
            value(&mut page, subject);
            page.put("\n");
        }
        let lists = [("From", &self.from), ("To", &self.to), ("Cc", &self.cc)];
        let fields = lists.iter().flat_map(|(name, fields)| fields.iter().map(move |field| (*name, field)));
        let mut is_first = true;
        for (name, field) in fields.chain(self.date.iter().map(|date| ("Date", date))) {
            if std::mem::take(&mut is_first) && self.subject.is_some() {
                page.put("\n");
            }
            line(&mut page, name, field);
        }
        let mut segment = page.finish();
        if !segment.text.is_empty() {
            segment.places.push(Span::new(0, segment.text.len()), Locator::part("HEADER", None));
        }
        segment
    }

    /// The facts by which mails are joined into threads.
    pub fn mail(&self) -> MailFacts {
        let shown = |fields: &[ShownField]| {
            let texts: Vec<&str> = fields.iter().map(|field| field.text.as_str()).collect();
            Some(texts.join(", ")).filter(|text| !text.is_empty())
        };
        let all = [&self.from, &self.to, &self.cc].into_iter().flatten().flat_map(|field| &field.addresses);
        let addresses: Vec<String> = all.take(MAX_ADDRESSES).cloned().collect();
        let message_id = self.message_id.as_deref().and_then(own_id);
        let mut refs = self.references.as_deref().map(references).unwrap_or_default();
        refs.retain(|id| Some(id) != message_id.as_ref());
        let answered = self.in_reply_to.as_deref().and_then(|text| answered_id(text, &addresses));
        MailFacts {
            in_reply_to: answered.filter(|id| Some(id) != message_id.as_ref()),
            message_id,
            refs,
            date: self.date.as_ref().and_then(|date| utc_date(&date.text)),
            subject: self.subject.as_ref().map(|subject| subject.text.clone()),
            from: shown(&self.from),
            to: shown(&self.to),
            cc: shown(&self.cc),
            page: None,
        }
    }

    pub fn metadata(&self) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        let mut add = |key: &str, text: &str| {
            if !text.is_empty() {
                rows.push((key.to_owned(), text.to_owned()));
            }
        };
        let subject = self.subject.as_ref().map(|subject| subject.text.as_str());
        add("subject", subject.unwrap_or_default());
        for (key, fields) in [("from", &self.from), ("to", &self.to), ("cc", &self.cc), ("bcc", &self.bcc)] {
            for address in fields.iter().flat_map(|field| &field.addresses).take(MAX_ADDRESSES) {
                add(key, address);
            }
        }
        let date = self.date.as_ref().and_then(|date| iso_date(&date.text));
        add("date", date.as_deref().unwrap_or_default());
        let ids = [
            ("message_id", &self.message_id),
            ("in_reply_to", &self.in_reply_to),
            ("references", &self.references),
            ("list_id", &self.list_id),
        ];
        for (key, text) in ids {
            add(key, text.as_deref().unwrap_or_default());
        }
        rows
    }
}

/// The fields of a name that are not empty.
fn shown<'h>(
    bytes: &'h [u8],
    header: &'h MimeHeader,
    name: &'h str,
) -> impl Iterator<Item = ShownField> + 'h {
    header.all(name).filter_map(|field| {
        let raw = &bytes[field.value.clone()];
        let start = field.value.start + (raw.len() - raw.trim_ascii_start().len());
        let raw = raw.trim_ascii();
        let text = header_text(raw);
        let value = Span::new(start, start + raw.len());
        let source = FieldSource { start: field.start, value, is_exact: text.as_bytes() == raw };
        (!text.is_empty()).then_some(ShownField { text, addresses: Vec::new(), source: Some(source) })
    })
}

fn with_addresses(bytes: &[u8]) -> impl Fn(ShownField) -> ShownField + '_ {
    |mut field| {
        if let Some(source) = field.source {
            let raw = &bytes[source.value.range()];
            field.addresses = addresses(raw).take(MAX_ADDRESSES).map(header_text).collect();
            field.addresses.retain(|address| !address.is_empty());
        }
        field
    }
}

/// The bytes between the commas that separate addresses.
fn addresses(raw: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut in_quotes, mut is_escaped, mut depth) = (false, false, 0_u32);
    raw.split(move |&byte| {
        match byte {
            _ if std::mem::take(&mut is_escaped) => {}
            b'\\' => is_escaped = true,
            b'"' => in_quotes = !in_quotes,
            b'(' | b'<' if !in_quotes => depth += 1,
            b')' | b'>' if !in_quotes => depth = depth.saturating_sub(1),
            b',' | b';' => return !in_quotes && depth == 0,
            _ => {}
        }
        false
    })
}

fn line(page: &mut MailText, name: &str, field: &ShownField) {
    match field.source {
        // `From: a`, written as we would write it.
        Some(source) if source.is_exact && source.value.start == source.start + name.len() + 2 => {
            page.copy(name, source.start);
            page.put(": ");
            page.copy(&field.text, source.value.start);
        }
        _ => {
            page.put(name);
            page.put(": ");
            value(page, field);
        }
    }
    page.put("\n");
}

fn value(page: &mut MailText, field: &ShownField) {
    match field.source {
        Some(source) if source.is_exact => page.copy(&field.text, source.value.start),
        Some(source) => page.replace(&field.text, source.value),
        None => page.put(&super::mail_text::escaped(&field.text)),
    }
}
