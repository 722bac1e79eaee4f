//! Exports of chats, by how they begin: keys of JSON that only they have together, or lines of a transcript.

/// How much of a file is searched: exports name what they are in their first conversation.
const HEAD_BYTES: usize = 8 << 10;

/// Keys that the beginning of an export has, all of a row.
const KEYS: &[&[&str]] = &[
    // ChatGPT
    &["mapping", "create_time", "message"],
    // Claude
    &["chat_messages", "sender"],
    // Slack
    &["type", "ts", "text", "user", "team"],
    &["type", "ts", "text", "user", "client_msg_id"],
    &["type", "ts", "text", "user", "user_profile"],
    &["type", "ts", "text", "user", "thread_ts"],
    &["type", "ts", "text", "user", "blocks"],
    // Discord, by DiscordChatExporter
    &["guild", "channel", "messages"],
    // Messenger and Instagram
    &["participants", "messages", "sender_name", "timestamp_ms"],
    // Telegram
    &["name", "type", "messages", "from_id"],
    &["name", "type", "messages", "actor_id"],
    // Google Chat
    &["messages", "creator", "created_date"],
];

/// True for JSON that begins as the export of a chat.
pub(super) fn is_export(head: &[u8]) -> bool {
    let head = &head[..head.len().min(HEAD_BYTES)];
    let has = |key: &&str| {
        let quoted = format!("\"{key}\"");
        let found = memchr::memmem::find_iter(head, quoted.as_bytes());
        found.map(|at| head[at + quoted.len()..].trim_ascii_start()).any(|rest| rest.starts_with(b":"))
    };
    KEYS.iter().any(|keys| keys.iter().all(has))
}

/// True for a transcript of WhatsApp: two lines of the first begin with a date, a time and what divides them from a name.
/// Logs have no comma after their dates, and no name with a colon after them.
pub(super) fn is_transcript(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&head[..head.len().min(HEAD_BYTES)]);
    let mut lines = head.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().is_some_and(begins_message);
    let is_message = |line: &&str| begins_message(line) && line.contains(": ");
    first && head.lines().filter(is_message).count() >= 2
}

/// `[31/12/2025, 23:59:59] `, `12/31/25, 11:59 PM - `
fn begins_message(line: &str) -> bool {
    let line = line.trim_start_matches(['\u{feff}', '\u{200e}', '\u{200f}']);
    let (stamp, is_closed) = match line.strip_prefix('[') {
        Some(rest) => (rest.split_once("] ").map(|(stamp, _)| stamp), true),
        None => (line.split_once(" - ").or_else(|| line.split_once(" – ")).map(|(stamp, _)| stamp), false),
    };
    let Some(stamp) = stamp.filter(|stamp| stamp.len() <= MAX_STAMP_BYTES) else { return false };
    let date = stamp.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '/' | '.' | '-' | ' '));
    let digits = stamp[..stamp.len() - date.len()].bytes().filter(u8::is_ascii_digit).count();
    let has_time = |rest: &str| rest.contains(|c: char| c.is_ascii_digit()) && rest.contains([':', '.']);
    // Some countries write no comma before the half of the day: 下午11:59.
    let rest = date.strip_prefix(',').or_else(|| date.starts_with(|c: char| !c.is_ascii()).then_some(date));
    stamp.starts_with(|c: char| c.is_ascii_digit())
        && (4..=8).contains(&digits)
        && (is_closed || rest.is_some())
        && rest.is_some_and(has_time)
}

/// The longest stamp: two digits for each part, with spaces of many kinds and the half of the day.
const MAX_STAMP_BYTES: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_have_keys_that_other_data_does_not_have_together() {
        for (head, expected) in [
            (r#"[{"title": "a", "create_time": 1, "mapping": {"x": {"id": "x", "message": null"#, true),
            (r#"[{"uuid": "1", "chat_messages": [{"sender": "human""#, true),
            (r#"[{"client_msg_id": "1", "type": "message", "text": "a", "user": "U1", "ts": "1""#, true),
            (r#"{"guild": {"id": 1}, "channel": {}, "messages" : ["#, true),
            (r#"{"participants": [], "messages": [{"sender_name": "A", "timestamp_ms": 1"#, true),
            (r#"{"name": "A", "type": "personal_chat", "messages": [{"from_id": "user1""#, true),
            (r#"{"type": "message", "ts": 1, "text": "a", "user": "b"}"#, false),
            (r#"{"a": "mapping create_time message", "b": ["mapping", "create_time", "message"]}"#, false),
            (r#"{"messages": [{"role": "user", "content": "a"}]}"#, false),
        ] {
            assert_eq!(is_export(head.as_bytes()), expected, "of {head}");
        }
    }

    #[test]
    fn transcripts_begin_with_two_messages() {
        for (text, expected) in [
            ("[31/12/2025, 23:59:59] Ann: a\n[31/12/2025, 23:59:59] Bo: b", true),
            ("\u{200e}[31.12.25, 23:59:59] Ann: a\nmore\n[31.12.25, 23:59:59] Bo: b", true),
            (
                "12/31/25, 11:59\u{202f}PM - Messages are encrypted.\n12/31/25, 11:59 PM - A: a\n12/31/25, 11:59 PM - B: b",
                true,
            ),
            ("[2025/12/31 下午11:59:59] A: a\n[2025/12/31 下午11:59:59] B: b", true),
            ("2025. 12. 31. 오후 11:59 - A: a\n2025. 12. 31. 오후 11:59 - B: b", true),
            ("[2025-12-31 23:59:59] INFO: a\n[2025-12-31 23:59:59] INFO: b", false),
            ("2025-12-31 23:59:59,123 - root - INFO: a\n2025-12-31 23:59:59,123 - root - INFO: b", false),
            ("[31/12/2025, 23:59:59] Ann: a", false),
            ("words\n[31/12/2025, 23:59:59] Ann: a\n[31/12/2025, 23:59:59] Bo: b", false),
            ("1, 2 - a: b\n1, 2 - a: b", false),
            ("", false),
        ] {
            assert_eq!(is_transcript(text.as_bytes()), expected, "of {text}");
        }
    }
}
