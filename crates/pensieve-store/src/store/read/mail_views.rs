//! Mails and threads as the HTTP API and its page show them; these types are the JSON documents of the API.

use serde::Serialize;
use utoipa::ToSchema;

/// A mail.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Mail)]
pub struct MailView {
    /// The same fields as in a thread.
    #[serde(flatten)]
    pub mail: ThreadMail,
    /// `Message-ID`, without brackets.
    pub message_id: Option<String>,
    /// `Message-ID` of the mail that it answers.
    pub in_reply_to: Option<String>,
    /// `References`, from the start of the thread on.
    pub references: Vec<String>,
    /// Its thread.
    pub thread_uid: Option<String>,
    /// Head and body without any markup.
    pub clean_text: String,
    /// Head and body as Markdown: the clean text of the document.
    pub clean_markdown: String,
    /// The same as `body_html`.
    pub render_html: String,
    /// The version of the recipe that read the mail and sanitised its HTML.
    pub transform_version: Option<String>,
}

/// A mail of a thread, with its text.
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
    /// The body as sanitised HTML that may be shown: nothing in it is active or loads anything.
    pub body_html: String,
    /// The mail's own HTML: data, never to be rendered.
    pub body_html_raw: Option<String>,
    /// True if the text of the mail was cut at the limit; the text of the document is complete.
    pub text_truncated: bool,
    /// The maximum number of characters of a mail's text.
    pub text_limit_chars: u64,
    /// Where the text goes on if it was cut.
    pub text_next: Option<String>,
    /// The attachments.
    pub attachments: Vec<Attachment>,
    /// Other documents with the same mail: the same bytes, or the same identifier, date and sender.
    pub copies: Vec<MailCopy>,
}

/// A document inside a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MailAttachment)]
pub struct Attachment {
    /// The document; its text can be requested like that of any other.
    pub doc_uid: String,
    /// Its file name.
    pub filename: String,
    /// Its place inside the mail.
    pub member: String,
    /// The MIME type by content and name.
    pub mime_type: Option<String>,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Its processing status.
    pub processing_status: Option<String>,
    /// Why it is not `Processed`.
    pub status_reason: Option<String>,
    /// For a duplicate, the document that is read in its place.
    pub canonical_doc_uid: Option<String>,
}

/// Another document with the same mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MailPlace)]
pub struct MailCopy {
    /// The document.
    pub doc_uid: String,
    /// Its path below its root, for people.
    pub name: String,
}

/// A page of the mails of a thread.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ThreadView {
    /// The name of the thread.
    pub thread_uid: String,
    /// The subject of its first mail.
    pub subject: Option<String>,
    /// How many different mails it has.
    pub total: u64,
    /// The mails by date; mails without a date come last.
    pub mails: Vec<ThreadMail>,
}

/// A mail of a thread, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailSummary {
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
    /// About how many bytes it takes in an answer.
    pub(super) fn body_bytes(&self) -> usize {
        let raw = self.body_html_raw.as_ref().map_or(0, String::len);
        self.body_markdown.len() + self.body_html.len() + raw
    }
}
