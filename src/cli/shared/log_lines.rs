//! Events as lines: plain text for people, cron and CI, JSON for programs.

use super::context::LogLevel;
use super::status::ProgressStatus;
use super::terminal;
use pensieve_text::model::numbers::{count, counted};
use pensieve_text::model::{NoteLevel, ProgressEvent};
use serde_json::{Value, json};

/// The level of an event: it is printed if `--log-level` is at least this.
pub fn level(event: &ProgressEvent<'_>) -> LogLevel {
    match event {
        ProgressEvent::Trouble { .. } => LogLevel::Error,
        ProgressEvent::Note { level: NoteLevel::Warn, .. } => LogLevel::Warn,
        ProgressEvent::Note { level: NoteLevel::Info, .. }
        | ProgressEvent::PhaseStarted { .. }
        | ProgressEvent::TreeKnown { .. } => LogLevel::Info,
        ProgressEvent::Note { level: NoteLevel::Debug, .. } | ProgressEvent::Stored { .. } => LogLevel::Debug,
        ProgressEvent::Note { level: NoteLevel::Trace, .. }
        | ProgressEvent::Reading { .. }
        | ProgressEvent::Scanned { .. }
        | ProgressEvent::Advanced { .. }
        | ProgressEvent::Embedded { .. }
        | ProgressEvent::MemberStored { .. } => LogLevel::Trace,
    }
}

/// The line of an event; the start of a phase has none.
pub fn text(event: &ProgressEvent<'_>) -> Option<String> {
    Some(match event {
        ProgressEvent::PhaseStarted { .. } => return None,
        ProgressEvent::Scanned { path, .. } => format!("scanned: {}", terminal::line(path)),
        ProgressEvent::TreeKnown { files, unique, duplicates, skipped } => format!(
            "found {}: {} unique, {}, {} skipped",
            counted(*files, "file"),
            count(*unique),
            counted(*duplicates, "duplicate"),
            count(*skipped)
        ),
        ProgressEvent::Reading { path } => format!("reading: {}", terminal::line(path)),
        ProgressEvent::MemberStored { path, chunks, new_chunks, .. } => {
            format!(
                "stored: {}: {}, {} new",
                terminal::line(path),
                counted(*chunks, "chunk"),
                count(*new_chunks)
            )
        }
        ProgressEvent::Stored { path, status, chunks, new_chunks, .. } => format!(
            "stored: {}: {status}, {}, {} new",
            terminal::line(path),
            counted(*chunks, "chunk"),
            count(*new_chunks)
        ),
        ProgressEvent::Advanced { permille } => format!("{} %", permille / 10),
        ProgressEvent::Embedded { chunks } => format!("embedded: {}", counted(*chunks, "chunk")),
        ProgressEvent::Trouble { path, problem } => {
            format!("error: {}: {}: {}", terminal::line(path), problem.kind, terminal::line(&problem.message))
        }
        ProgressEvent::Note { level: NoteLevel::Warn, text } => format!("warning: {}", terminal::line(text)),
        ProgressEvent::Note { text, .. } => terminal::line(text).into_owned(),
    })
}

/// The event as one JSON object.
pub fn json(event: &ProgressEvent<'_>) -> Value {
    match event {
        ProgressEvent::PhaseStarted { phase, files, bytes } => {
            json!({"event": "phase", "phase": phase.as_str(), "files": files, "bytes": bytes})
        }
        ProgressEvent::Scanned { path, hashed } => {
            json!({"event": "scanned", "path": path, "hashed": hashed})
        }
        ProgressEvent::TreeKnown { files, unique, duplicates, skipped } => json!({
            "event": "tree", "files": files, "unique": unique, "duplicates": duplicates, "skipped": skipped,
        }),
        ProgressEvent::Reading { path } => json!({"event": "reading", "path": path}),
        ProgressEvent::MemberStored { path, behind, chunks, new_chunks } => json!({
            "event": "member", "path": path, "behind": behind, "chunks": chunks, "new_chunks": new_chunks,
        }),
        ProgressEvent::Stored { path, status, bytes, chunks, new_chunks } => json!({
            "event": "stored", "path": path, "status": status.as_str(), "bytes": bytes, "chunks": chunks,
            "new_chunks": new_chunks,
        }),
        ProgressEvent::Advanced { permille } => json!({"event": "advanced", "permille": permille}),
        ProgressEvent::Embedded { chunks } => json!({"event": "embedded", "chunks": chunks}),
        ProgressEvent::Trouble { path, problem } => json!({
            "event": "problem", "path": path, "error_type": problem.kind.as_str(), "message": problem.message,
        }),
        ProgressEvent::Note { level, text } => {
            let level = match level {
                NoteLevel::Warn => "warn",
                NoteLevel::Info => "info",
                NoteLevel::Debug => "debug",
                NoteLevel::Trace => "trace",
            };
            json!({"event": "note", "level": level, "text": text})
        }
    }
}

/// The state of the run as one JSON object.
pub fn status_json(status: &ProgressStatus) -> Value {
    json!({
        "event": "progress",
        "phase": status.phase.map(|phase| phase.as_str()),
        "seconds": status.time.as_secs_f64(),
        "files": status.files,
        "files_total": status.files_total,
        "bytes": status.bytes,
        "bytes_total": status.bytes_total,
        "errors": status.errors,
        "chunks": status.chunks,
        "new_chunks": status.new_chunks,
        "eta_seconds": status.remaining().map(|time| time.as_secs_f64()),
        "path": status.path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::{Problem, ProblemKind, ProcessingStatus, RunPhase};

    fn check(event: ProgressEvent<'_>, line: Option<&str>, object: &str) {
        assert_eq!(text(&event).as_deref(), line);
        assert_eq!(json(&event).to_string(), object);
    }

    #[test]
    fn events_are_told_in_words_and_for_programs() {
        check(
            ProgressEvent::PhaseStarted { phase: RunPhase::Content, files: 2, bytes: 30 },
            None,
            r#"{"bytes":30,"event":"phase","files":2,"phase":"read"}"#,
        );
        check(
            ProgressEvent::TreeKnown { files: 20_000, unique: 18_500, duplicates: 1, skipped: 0 },
            Some("found 20,000 files: 18,500 unique, 1 duplicate, 0 skipped"),
            r#"{"duplicates":1,"event":"tree","files":20000,"skipped":0,"unique":18500}"#,
        );
        check(
            ProgressEvent::Trouble {
                path: "a\nb.pdf",
                problem: &Problem::new(ProblemKind::Damaged, "no \u{1b}[0m page"),
            },
            Some("error: a\\nb.pdf: Damaged: no \\u{1b}[0m page"),
            r#"{"error_type":"Damaged","event":"problem","message":"no \u001b[0m page","path":"a\nb.pdf"}"#,
        );
        check(
            ProgressEvent::Stored {
                path: "a",
                status: ProcessingStatus::Processed,
                bytes: 9,
                chunks: 1,
                new_chunks: 0,
            },
            Some("stored: a: Processed, 1 chunk, 0 new"),
            r#"{"bytes":9,"chunks":1,"event":"stored","new_chunks":0,"path":"a","status":"Processed"}"#,
        );
        check(
            ProgressEvent::MemberStored { path: "box/1", behind: 40, chunks: 2, new_chunks: 2 },
            Some("stored: box/1: 2 chunks, 2 new"),
            r#"{"behind":40,"chunks":2,"event":"member","new_chunks":2,"path":"box/1"}"#,
        );
        check(
            ProgressEvent::Note { level: NoteLevel::Warn, text: "look" },
            Some("warning: look"),
            r#"{"event":"note","level":"warn","text":"look"}"#,
        );
    }

    #[test]
    fn problems_are_told_even_to_the_quiet() {
        let problem = Problem::new(ProblemKind::Io, "x");
        assert_eq!(level(&ProgressEvent::Trouble { path: "a", problem: &problem }), LogLevel::Error);
        assert!(
            level(&ProgressEvent::Reading { path: "a" })
                > level(&ProgressEvent::Note { level: NoteLevel::Info, text: "" })
        );
    }
}
