//! What a chat is, whichever program wrote it.

use crate::markdown::Words;

/// A conversation.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    pub(super) title: Words,
    pub(super) messages: Vec<Message>,
    /// Its messages are Markdown, as assistants write it.
    pub(super) is_markdown: bool,
}

/// A message of a conversation.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) author: Words,
    /// When it was sent, as people write it.
    pub(super) time: String,
    pub(super) text: Words,
}
