//! Mails and threads as the HTTP API and its page show them; the documents of the API are these types.

use serde::Serialize;
use utoipa::ToSchema;

/// A mail.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Mail)]
pub struct MailView {
    /// As in its thread.
    #[serde(flatten)]
    pub mail: ThreadMail,
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

/// A mail as its thread shows it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = ThreadedMail)]
pub struct ThreadMail {
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
    /// True when the text of the mail goes on behind the limit; the whole is that of the document.
    pub text_truncated: bool,
    /// Characters of the text of a mail at most.
    pub text_limit_chars: u64,
    /// What is attached.
    pub attachments: Vec<Attachment>,
    /// The same mail as other documents hold it: the same bytes, or the same identifier, date and sender.
    pub copies: Vec<MailCopy>,
}

/// A document inside a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MailAttachment)]
pub struct Attachment {
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MailPlace)]
pub struct MailCopy {
    /// The document.
    pub doc_uid: String,
    /// Its path below its root, for people.
    pub name: String,
}

/// A part of a thread.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ThreadView {
    /// The name of the thread.
    pub thread_uid: String,
    /// The subject of its first mail.
    pub subject: Option<String>,
    /// How many different mails it has.
    pub total: u64,
    /// In order of date; mails without a date come last.
    pub mails: Vec<ThreadMail>,
}

/// A mail of a thread in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailLine {
    /// The document.
    pub doc_uid: String,
    /// `Subject`.
    pub subject: Option<String>,
    /// `From`.
    pub from: Option<String>,
    /// When it was written.
    pub date: Option<String>,
}

impl ThreadMail {
    /// About how many bytes of an answer it takes.
    pub(super) fn body_bytes(&self) -> usize {
        let raw = self.body_html_raw.as_ref().map_or(0, String::len);
        self.body_markdown.len() + self.body_html.len() + raw
    }
}
