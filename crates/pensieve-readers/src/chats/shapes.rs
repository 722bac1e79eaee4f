//! What exports of chats look like: one row for each program. Paths are keys from an object down; the first that is there counts.

/// How messages follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageOrder {
    /// As they are written, or the other way round if the last is the oldest.
    Listed,
    /// Each names the one that it answers, by this path: those of a branch follow each other.
    Tree(&'static str),
    /// Answers name the first message of their thread, and its own name is at the second path: they follow it.
    Threads(&'static str, &'static str),
}

/// How texts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextMarkup {
    Plain,
    /// Assistants answer in Markdown.
    Markdown,
    /// Slack: `<@U1>`, `<https://example.org|words>`, `&amp;`.
    Slack,
}

/// The export of a program.
#[derive(Debug)]
pub(super) struct ChatShape {
    /// Where a list of conversations may be; the document itself is one otherwise.
    pub conversations: &'static [&'static str],
    pub title: &'static [&'static str],
    /// The list of messages of a conversation; empty if the conversation is that list.
    pub messages: &'static str,
    /// The message in an element of that list; empty if it is the element.
    pub message: &'static str,
    pub author: &'static [&'static str],
    pub time: &'static [&'static str],
    pub text: &'static [&'static str],
    /// Lists of files, and the keys of their names.
    pub files: &'static [(&'static str, &'static str)],
    /// What the messages of no other program have.
    pub required: &'static [&'static str],
    pub order: MessageOrder,
    pub markup: TextMarkup,
    /// Letters stand for bytes of UTF-8.
    pub mends_bytes: bool,
}

/// What most exports have in common.
const COMMON: ChatShape = ChatShape {
    conversations: &[],
    title: &[],
    messages: "messages",
    message: "",
    author: &[],
    time: &[],
    text: &["text"],
    files: &[],
    required: &[],
    order: MessageOrder::Listed,
    markup: TextMarkup::Plain,
    mends_bytes: false,
};

/// The exports that are known.
pub(super) const SHAPES: &[ChatShape] = &[
    // ChatGPT, `conversations.json`
    ChatShape {
        conversations: &["", "conversations"],
        title: &["title"],
        messages: "mapping",
        message: "message",
        author: &["author/name", "author/role"],
        time: &["create_time"],
        text: &["content/parts", "content/text", "content/result"],
        required: &["author/role", "content"],
        order: MessageOrder::Tree("parent"),
        markup: TextMarkup::Markdown,
        ..COMMON
    },
    // Claude, `conversations.json`
    ChatShape {
        conversations: &["", "conversations"],
        title: &["name"],
        messages: "chat_messages",
        author: &["sender"],
        time: &["created_at"],
        text: &["text", "content"],
        files: &[("attachments", "file_name"), ("files", "file_name")],
        required: &["sender"],
        markup: TextMarkup::Markdown,
        ..COMMON
    },
    // Slack, one file for each day of a channel
    ChatShape {
        messages: "",
        author: &["user_profile/display_name", "user_profile/real_name", "username", "user"],
        time: &["ts"],
        files: &[("files", "name")],
        required: &["ts", "type"],
        order: MessageOrder::Threads("thread_ts", "ts"),
        markup: TextMarkup::Slack,
        ..COMMON
    },
    // Discord, by DiscordChatExporter
    ChatShape {
        title: &["channel/name"],
        author: &["author/nickname", "author/name"],
        time: &["timestamp"],
        text: &["content"],
        files: &[("attachments", "fileName")],
        required: &["author/name", "timestamp", "content"],
        ..COMMON
    },
    // Messenger and Instagram
    ChatShape {
        title: &["title"],
        author: &["sender_name"],
        time: &["timestamp_ms"],
        text: &["content", "share/link"],
        files: &[("photos", "uri"), ("videos", "uri"), ("audio_files", "uri"), ("files", "uri")],
        required: &["sender_name", "timestamp_ms"],
        mends_bytes: true,
        ..COMMON
    },
    // Telegram: one chat, or all of them
    ChatShape {
        conversations: &["chats/list"],
        title: &["name"],
        author: &["from", "actor"],
        time: &["date"],
        text: &["text", "action"],
        required: &["date", "type", "id"],
        ..COMMON
    },
    // Google Chat
    ChatShape {
        author: &["creator/name", "creator/email"],
        time: &["created_date"],
        files: &[("attached_files", "export_name")],
        required: &["creator", "created_date"],
        ..COMMON
    },
];
