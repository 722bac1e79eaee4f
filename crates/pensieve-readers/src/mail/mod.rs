//! Mail: single mails, mailboxes, mails of Outlook, pages saved as mails.
//!
//! A mail is cut into its parts in one pass over its lines ([`mime`]); each part has a role ([`roles`]); texts are
//! written with a map back to their bytes ([`mail_text`]), everything else becomes a document of its own. The parser is
//! part of this crate so that spans into the file, tolerance of errors and limits are decided in one place: mails come
//! from strangers, and most broken ones can be read.

mod base64;
mod dates;
mod enriched;
pub mod eml;
mod head;
mod header;
mod ids;
mod lines;
pub mod mbox;
pub mod mhtml;
mod mime;
pub mod msg;
mod names;
mod cms;
mod mail_text;
mod parameters;
mod roles;
mod sanitise;
mod tnef;
mod transfer;
mod encoded_words;
mod uuencode;
