//! Chats as programs export them: who said it, when, and what, a paragraph or a section for each message.
//!
//! [`shapes`] is one table of what exports of assistants and messengers look like in JSON, [`messages`] reads messages by
//! it, [`transcript`] reads those of WhatsApp, which are text. What has no message is kept as it is written.

mod conversation;
mod json;
mod mapped_string;
mod messages;
mod shapes;
mod times;
mod transcript;

use self::conversation::{Conversation, Message};
use crate::markdown::{Block, MarkdownDraft, TextRun, TextStyle, Words};
use crate::settings::ReadSettings;
use crate::shared::text_file::TextFile;
use crate::shared::xml::LineIndex;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem, Segment};
use pensieve_text::text::decode::EncodingHints;

/// People of a chat who are listed; a channel may have thousands.
const MAX_SPEAKERS: usize = 500;

/// Reads an export of chats.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let file = TextFile::read(source, &EncodingHints::default())?;
    let source = file.decoded.text.as_str();
    let (mut conversations, mut is_cut) = match source.trim_start().starts_with(['{', '[']) {
        true => messages::read(source),
        false => (Vec::new(), false),
    };
    // Lines of a transcript begin with a bracket too.
    if conversations.is_empty() {
        conversations.push(transcript::read(source));
        is_cut &= conversations[0].messages.is_empty();
    }
    let mut metadata = Vec::new();
    if let [conversation] = conversations.as_slice()
        && !conversation.title.is_blank()
    {
        metadata.push(("title".to_owned(), conversation.title.to_plain().trim().to_owned()));
    }
    let messages = conversations.iter().flat_map(|conversation| &conversation.messages);
    let mut speakers: Vec<String> = Vec::new();
    for name in messages.clone().map(|message| message.author.to_plain().trim().to_owned()) {
        if !name.is_empty() && speakers.len() < MAX_SPEAKERS && !speakers.contains(&name) {
            speakers.push(name);
        }
    }
    metadata.extend(speakers.into_iter().map(|name| ("from".to_owned(), name)));
    let time = messages.map(|message| &message.time).find(|time| !time.is_empty());
    metadata.extend(time.map(|time| ("date".to_owned(), time.clone())));
    let text = written(&conversations, &file.decoded);
    let damage = is_cut.then(|| "the file ends inside of its data: it was cut short".to_owned());
    Ok(Document { metadata, ..file.document_or_source(text, damage) })
}

fn written(conversations: &[Conversation], decoded: &Segment) -> Segment {
    let index = LineIndex::new(&decoded.text);
    let mut draft = MarkdownDraft::mapped();
    for conversation in conversations.iter().filter(|conversation| !conversation.messages.is_empty()) {
        draft.place(index.of_words(&conversation.title));
        draft.push(&Block::Heading { level: 1, words: conversation.title.clone() });
        for message in &conversation.messages {
            draft.place(index.of_words(&message.text));
            match conversation.is_markdown {
                true => {
                    draft.push(&Block::Heading { level: 2, words: heading(message) });
                    draft.push_mapped_markdown(&message.text);
                }
                false => draft.push(&Block::Paragraph(paragraph(message))),
            }
        }
    }
    draft.finish_mapped(decoded)
}

/// `Ann, 2025-01-31 10:00`
fn heading(message: &Message) -> Words {
    let mut words = message.author.clone();
    if !message.time.is_empty() {
        let separator = if words.is_blank() { "" } else { ", " };
        words.push_plain(&format!("{separator}{}", message.time));
    }
    words
}

/// `**Ann** (2025-01-31 10:00): the text`
fn paragraph(message: &Message) -> Words {
    let mut words = Words::default();
    for run in &message.author.0 {
        words.push(TextRun { style: TextStyle { strong: true, ..run.style }, ..run.clone() });
    }
    let has_author = !words.is_blank();
    let time = if message.time.is_empty() { String::new() } else { format!("({})", message.time) };
    let before = if has_author && !time.is_empty() { " " } else { "" };
    let after = if has_author { ": " } else { " " };
    words.push_plain(&format!("{before}{time}{after}"));
    message.text.0.iter().for_each(|run| words.push(run.clone()));
    words
}

#[cfg(test)]
mod tests;
