//! Small exports of each program, and what is read from them.

use super::*;
use pensieve_text::model::{LineAnchor, SpanMap};

/// The text of an export; each run of its map is as its source.
#[track_caller]
fn text(source: &str) -> String {
    let decoded = Segment {
        text: source.to_owned(),
        map: SpanMap::identity(source.len(), 0),
        lines: vec![LineAnchor { out: 0, line: 1 }],
        ..Segment::default()
    };
    let conversations = match source.starts_with(['{', '[']) && !source.starts_with("[3") {
        true => messages::read(source).0,
        false => vec![transcript::read(source)],
    };
    let segment = written(&conversations, &decoded);
    for run in segment.map.runs().iter().filter(|run| run.exact && run.out_unit > 0) {
        assert_eq!(segment.text[run.out..run.out_end()], source[run.src..run.src_end()]);
    }
    segment.text.trim_end().to_owned()
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(text(source), expected, "of {source}");
}

#[test]
fn conversations_of_assistants_are_sections_in_the_order_of_their_branches() {
    let node = |id: &str, parent: &str, role: &str, parts: &str| {
        format!(
            r#""{id}": {{"id": "{id}", "message": {{"author": {{"role": "{role}", "name": null}}, "create_time": 1735689600.1, "content": {{"content_type": "text", "parts": [{parts}]}}}}, "parent": {parent}}}"#
        )
    };
    let nodes = [
        node("c", "\"b\"", "user", "\"Thanks.\""),
        node("b", "\"a\"", "assistant", r#""At six: *roughly*.\n\n```py\nx = \"1\"\n\n\ny\n```""#),
        node("d", "\"b\"", "user", "\"Why?\""),
        node("a", "\"root\"", "user", "\"When is slack water?\""),
        r#""root": {"id": "root", "message": null, "parent": null}"#.to_owned(),
        node("s", "\"root\"", "system", "\"\""),
    ];
    let source = format!(r#"[{{"title": "Tides", "mapping": {{{}}}}}]"#, nodes.join(", "));
    check(
        &source,
        "# Tides\n\n## user, 2025-01-01 00:00\n\nWhen is slack water?\n\n## assistant, 2025-01-01 00:00\n\nAt six: *roughly*.\n\n\
         ```py\nx = \"1\"\n\n\ny\n```\n\n## user, 2025-01-01 00:00\n\nThanks.\n\n## user, 2025-01-01 00:00\n\nWhy?",
    );
    check(
        r#"[{"uuid": "1", "name": "Knots", "chat_messages": [{"text": "Hi", "sender": "human", "created_at": "2025-01-31T10:00:00Z"}, {"text": "", "content": [{"type": "text", "text": "A *bowline*."}], "sender": "assistant", "attachments": [{"file_name": "a.txt"}]}]}]"#,
        "# Knots\n\n## human, 2025-01-31 10:00\n\nHi\n\n## assistant\n\nA *bowline*.\n\n[a.txt]",
    );
}

#[test]
fn days_of_slack_have_names_and_threads() {
    check(
        r#"[{"type": "message", "user": "U1", "ts": "1735689600.0001", "text": "See <https:\/\/example.org\/a|the *log*> &amp; <#C1|deck>", "thread_ts": "1735689600.0001", "user_profile": {"real_name": "Ann Lee", "display_name": ""}},
            {"type": "message", "user": "U2", "ts": "1735689700.0001", "text": "Later"},
            {"type": "message", "user": "U2", "ts": "1735689800.0001", "text": "<@U1> yes <!here>", "thread_ts": "1735689600.0001", "files": [{"name": "a.png"}]}]"#,
        "**Ann Lee** (2025-01-01 00:00): See [the \\*log\\*](https://example.org/a) & #deck\n\n\
         **U2** (2025-01-01 00:03): @Ann Lee yes @here [a.png]\n\n**U2** (2025-01-01 00:01): Later",
    );
}

#[test]
fn messengers_have_paragraphs_from_the_oldest_on() {
    check(
        r#"{"participants": [{"name": "Zo\u00c3\u00a9"}], "messages": [{"sender_name": "Zo\u00c3\u00a9", "timestamp_ms": 1735689660000, "content": "Caf\u00c3\u00a9?\nYes"}, {"sender_name": "Al", "timestamp_ms": 1735689600000, "photos": [{"uri": "a.jpg"}]}], "title": "Zo\u00c3\u00a9"}"#,
        "# Zoé\n\n**Al** (2025-01-01 00:00): [a.jpg]\n\n**Zoé** (2025-01-01 00:01): Café?\\\nYes",
    );
    let chat = r#"{"name": "Crew", "type": "private_group", "id": 1, "messages": [{"id": 1, "type": "service", "date": "2025-01-31T10:00:00", "actor": "Ann", "action": "create_group", "text": ""}, {"id": 2, "type": "message", "date": "2025-01-31T10:01:00", "from": "Bo", "text": ["See ", {"type": "text_link", "text": "this", "href": "https://a.example"}, " ", {"type": "bold", "text": "now"}]}]}"#;
    let expected = "# Crew\n\n**Ann** (2025-01-31 10:00): create_group\n\n**Bo** (2025-01-31 10:01): See [this](https://a.example) **now**";
    check(chat, expected);
    check(&format!(r#"{{"about": "x", "chats": {{"list": [{chat}]}}}}"#), expected);
    check(
        r#"{"guild": {"name": "G"}, "channel": {"name": "deck"}, "messages": [{"id": "1", "type": "Default", "timestamp": "2025-01-31T10:00:00.1+00:00", "content": "Hi", "author": {"name": "ann", "nickname": "Ann"}, "attachments": [{"fileName": "a.png"}]}]}"#,
        "# deck\n\n**Ann** (2025-01-31 10:00): Hi [a.png]",
    );
}

#[test]
fn transcripts_have_messages_of_several_lines() {
    check(
        "[31/12/2025, 23:59:59] Ann: One\ntwo\n\nthree\n\u{200e}[31/12/2025, 23:59:59] Bo Lee: \u{200e}<attached: a.jpg>\n[01/01/2026, 00:01:00] Ann left\n",
        "**Ann** (2025-12-31 23:59): One\\\ntwo\\\nthree\n\n**Bo Lee** (2025-12-31 23:59): \u{200e}&lt;attached: a.jpg>\n\n(2026-01-01 00:01) Ann left",
    );
}

#[test]
fn what_is_no_chat_has_no_messages() {
    for source in
        ["{}", "[]", "[1, 2]", r#"{"messages": [{"text": "x"}]}"#, r#"[{"type": "a", "ts": 1}]"#, "{"]
    {
        assert_eq!(text(source), "", "of {source}");
    }
}
