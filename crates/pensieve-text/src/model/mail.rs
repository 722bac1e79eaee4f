//! The facts of a mail apart from its text: the identifiers by which mails refer to each other, and its HTML page.

use serde::{Deserialize, Serialize};

/// The facts of one mail. Identifiers are in the form of RFC 8621 section 4.1.2.5: without angle brackets, comments and
/// white space, otherwise as written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MailFacts {
    /// `Message-ID`.
    pub message_id: Option<String>,
    /// The identifier of the mail that it answers: the first one of `In-Reply-To`.
    pub in_reply_to: Option<String>,
    /// `References`, from the start of the thread on, without repetitions.
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
    /// The HTML of the mail, decoded. It is untrusted and must never be rendered.
    pub raw: String,
    /// The sanitised HTML, without anything active, loaded or hidden.
    pub sanitised: String,
}
