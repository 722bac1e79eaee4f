//! The shapes of answers about mails and threads.

use crate::serve::site::Veil;
use crate::store::{Attachment, MailCopy, MailView, ThreadMail, ThreadRow};
use serde::Serialize;
use utoipa::ToSchema;

/// A document inside a mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailAttachment {
    /// The document: its text is had as that of any other.
    pub doc_uid: String,
    /// Its file name.
    pub filename: String,
    /// Where inside the mail.
    pub member: String,
    /// By content and name.
    pub mime_type: Option<String>,
    /// Bytes.
    pub size_bytes: u64,
    /// What became of it.
    pub processing_status: Option<String>,
    /// Why, where it is not `Processed`.
    pub status_reason: Option<String>,
    /// Of a duplicate: the document that is read in its place.
    pub canonical_doc_uid: Option<String>,
}

/// Another place of a mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct MailPlace {
    /// The document.
    pub doc_uid: String,
    /// Its path below its root, for people.
    pub name: String,
}

/// A mail as its thread shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThreadedMail {
    /// The document.
    pub doc_uid: String,
    /// Its path below its root, for people: `mail.eml » 2 » letter.eml`.
    pub name: String,
    /// `Subject`.
    pub subject: Option<String>,
    /// `From`.
    pub from: Option<String>,
    /// `To`.
    pub to: Option<String>,
    /// `Cc`.
    pub cc: Option<String>,
    /// When it was written.
    pub date: Option<String>,
    /// The body as Markdown, without the head.
    pub body_markdown: String,
    /// The body as HTML that may be shown: nothing in it acts or loads.
    pub body_html: String,
    /// The mail's own HTML: data, never to be rendered.
    pub body_html_raw: Option<String>,
    /// What is attached.
    pub attachments: Vec<MailAttachment>,
    /// The same mail as other documents hold it.
    pub copies: Vec<MailPlace>,
}

/// A mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct Mail {
    /// As in its thread.
    #[serde(flatten)]
    pub mail: ThreadedMail,
    /// `Message-ID`, without brackets.
    pub message_id: Option<String>,
    /// The mail that it answers.
    pub in_reply_to: Option<String>,
    /// `References`, from the start of the thread on.
    pub references: Vec<String>,
    /// Its thread.
    pub thread_uid: Option<String>,
    /// Head and body without any markup.
    pub clean_text: String,
    /// Head and body as Markdown: the clean text of the document.
    pub clean_markdown: String,
    /// As `body_html`.
    pub render_html: String,
    /// The recipe by which the mail was read and its HTML sanitised.
    pub transform_version: Option<String>,
}

/// A thread of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThreadSummary {
    /// The name of the thread.
    pub thread_uid: String,
    /// The subject of its first mail.
    pub subject: Option<String>,
    /// Who wrote its first mail.
    pub from: Option<String>,
    /// How many mails it has, copies included.
    pub mail_count: u64,
    /// When the first was written.
    pub first_date: Option<String>,
    /// When the last was written.
    pub last_date: Option<String>,
}

/// A page of the list of threads.
#[derive(Debug, Serialize, ToSchema)]
pub struct ThreadList {
    /// The latest first.
    pub threads: Vec<ThreadSummary>,
    /// Leads to the next page; null behind the last one.
    pub next_cursor: Option<String>,
}

/// A thread with its mails.
#[derive(Debug, Serialize, ToSchema)]
pub struct Thread {
    /// The name of the thread.
    pub thread_uid: String,
    /// The subject of its first mail.
    pub subject: Option<String>,
    /// How many different mails it has.
    pub total: u64,
    /// In order of date; mails without a date come last.
    pub mails: Vec<ThreadedMail>,
    /// Leads to the next page; null behind the last one.
    pub next_cursor: Option<String>,
}

impl MailAttachment {
    fn of(attachment: Attachment, veil: &Veil) -> MailAttachment {
        MailAttachment {
            doc_uid: attachment.doc_uid,
            filename: attachment.name,
            member: attachment.member,
            mime_type: attachment.mime,
            size_bytes: attachment.size,
            processing_status: attachment.status,
            status_reason: attachment.reason.map(|reason| veil.message(&reason)),
            canonical_doc_uid: attachment.text_of,
        }
    }
}

impl ThreadedMail {
    /// A mail as it may be shown.
    pub fn of(mail: ThreadMail, veil: &Veil) -> ThreadedMail {
        let place = |copy: MailCopy| MailPlace { doc_uid: copy.doc_uid, name: copy.path };
        ThreadedMail {
            doc_uid: mail.doc_uid,
            name: mail.path,
            subject: mail.subject,
            from: mail.from,
            to: mail.to,
            cc: mail.cc,
            date: mail.date,
            body_markdown: mail.body_markdown,
            body_html: mail.body_html,
            body_html_raw: mail.body_html_raw,
            attachments: mail.attachments.into_iter().map(|one| MailAttachment::of(one, veil)).collect(),
            copies: mail.copies.into_iter().map(place).collect(),
        }
    }
}

impl Mail {
    /// A mail as it may be shown.
    pub fn of(view: MailView, veil: &Veil) -> Mail {
        Mail {
            mail: ThreadedMail::of(view.mail, veil),
            message_id: view.message_id,
            in_reply_to: view.in_reply_to,
            references: view.references,
            thread_uid: view.thread_uid,
            clean_text: view.clean_text,
            clean_markdown: view.clean_markdown,
            render_html: view.render_html,
            transform_version: view.transform_version,
        }
    }
}

impl ThreadSummary {
    /// A row as it is shown.
    pub fn of(row: ThreadRow) -> ThreadSummary {
        ThreadSummary {
            thread_uid: row.thread_uid,
            subject: row.subject,
            from: row.from,
            mail_count: row.mails,
            first_date: row.first_date,
            last_date: row.last_date,
        }
    }
}
