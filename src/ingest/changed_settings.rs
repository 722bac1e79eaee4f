//! What a run says before it reads, cleans or cuts unchanged files again: which settings differ from those of the last run,
//! and what that costs.

use super::recipes::StageRecipes;
use super::settings::IngestError;
use pensieve_store::store::{Store, Task, TaskKind};
use pensieve_text::model::numbers::{count, counted};
use pensieve_text::model::{NoteLevel, Observer, ProgressEvent};
use std::collections::BTreeMap;

/// Maximum number of settings that are named.
const NAMED_SETTINGS: usize = 5;

/// Says in one line what differs and how many files, texts and vectors it concerns; nothing if it concerns none.
pub(super) fn announce(
    recipes: &StageRecipes<'_>,
    store: &Store,
    outdated: &[Task],
    observer: &dyn Observer,
) -> Result<(), IngestError> {
    if outdated.is_empty() {
        return Ok(());
    }
    let before = store.meta().result_settings()?;
    let vectors = store.vectors().models()?.iter().map(|model| model.vectors).sum();
    let text = sentence(before.as_ref(), &recipes.lines(), outdated, vectors);
    observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: &text });
    Ok(())
}

fn sentence(
    before: Option<&BTreeMap<String, String>>,
    now: &BTreeMap<String, String>,
    outdated: &[Task],
    vectors: u64,
) -> String {
    let cause = match before.map(|before| differences(before, now)) {
        Some(named) if !named.is_empty() => format!("settings have changed ({named})"),
        Some(_) => "this version of Pensieve, or of a converter, gives other results".to_owned(),
        None => "settings or versions have changed".to_owned(),
    };
    let number =
        |kinds: fn(&TaskKind) -> bool| outdated.iter().filter(|task| kinds(&task.kind)).count() as u64;
    let parts = [
        (number(|kind| matches!(kind, TaskKind::Read | TaskKind::Replace { .. })), "file", "read"),
        (number(|kind| matches!(kind, TaskKind::Clean { .. } | TaskKind::Recall { .. })), "text", "cleaned"),
        (number(|kind| matches!(kind, TaskKind::Chunk)), "text", "cut"),
    ];
    let shown = parts.iter().filter(|(number, ..)| *number > 0);
    let shown: Vec<String> =
        shown.map(|(number, what, done)| format!("{} to be {done} again", counted(*number, what))).collect();
    let vectors = match vectors {
        0 => String::new(),
        vectors => format!("; {} belong to the chunks of now", counted(vectors, "vector")),
    };
    format!("{cause}: {}{vectors}", shown.join(", "))
}

/// `chunk_size from 256 to 512`, for each setting that differs.
fn differences(before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> String {
    let names: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let value = |settings: &BTreeMap<String, String>, name: &String| match settings.get(name) {
        Some(value) if !value.is_empty() => value.clone(),
        _ => "nothing".to_owned(),
    };
    let differ = names.into_iter().filter(|name| before.get(*name) != now.get(*name));
    let mut all: Vec<String> =
        differ.map(|name| format!("{name} from {} to {}", value(before, name), value(now, name))).collect();
    let others = all.split_off(all.len().min(NAMED_SETTINGS)).len() as u64;
    all.extend((others > 0).then(|| format!("{} more", count(others))));
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::tasks;
    use super::*;
    use pensieve_store::store::FileState;

    fn check(before: Option<&[(&str, &str)]>, now: &[(&str, &str)], vectors: u64, expected: &str) {
        let map = |lines: &[(&str, &str)]| {
            lines.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
        };
        let task = |kind| Task { kind, ..tasks::read(FileState::at("a".to_owned(), "a".into())) };
        let outdated = [task(TaskKind::Chunk), task(TaskKind::Chunk), task(TaskKind::Read)];
        let before: Option<BTreeMap<String, String>> = before.map(map);
        assert_eq!(sentence(before.as_ref(), &map(now), &outdated, vectors), expected);
    }

    #[test]
    fn one_line_says_what_differs_and_what_it_costs() {
        check(
            Some(&[("chunk_size", "256"), ("converters.pdf", "p {input}"), ("scan.svg", "true")]),
            &[("chunk_size", "512"), ("scan.svg", "true")],
            1234,
            "settings have changed (chunk_size from 256 to 512, converters.pdf from p {input} to nothing): \
             1 file to be read again, 2 texts to be cut again; 1,234 vectors belong to the chunks of now",
        );
        let version = "this version of Pensieve, or of a converter, gives other results: \
                       1 file to be read again, 2 texts to be cut again";
        check(Some(&[("a", "1")]), &[("a", "1")], 0, version);
        let unknown = "settings or versions have changed: 1 file to be read again, 2 texts to be cut again";
        check(None, &[("a", "1")], 0, unknown);
    }
}
