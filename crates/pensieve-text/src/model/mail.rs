//! What a mail is beside its text: by what other mails name it, and the page that it came with.

use serde::{Deserialize, Serialize};

/// The facts of one mail. Identifiers are in the form of RFC 8621 section 4.1.2.5: without angle brackets, comments and
/// white space, otherwise as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MailFacts {
    /// `Message-ID`.
    pub message_id: Option<String>,
    /// The mail that it answers: the first identifier of `In-Reply-To`.
    pub in_reply_to: Option<String>,
    /// `References`, from the start of the thread on; each once.
    pub refs: Vec<String>,
    /// `Date`: UTC, ISO 8601 with milliseconds.
    pub date: Option<String>,
    /// `Subject`, decoded.
    pub subject: Option<String>,
    /// `From`, decoded, as it is shown.
    pub from: Option<String>,
    /// `To`, decoded, as it is shown.
    pub to: Option<String>,
    /// `Cc`, decoded, as it is shown.
    pub cc: Option<String>,
    /// Its own HTML.
    #[serde(skip)]
    pub page: Option<MailHtml>,
}

/// The HTML of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MailHtml {
    /// As the mail has it, decoded. Data of strangers: never to be shown as a page.
    pub raw: String,
    /// What is left of it when everything that acts, loads or hides is out.
    pub sanitised: String,
}
