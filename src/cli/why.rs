//! `pensieve why`: explains what happened to a file.

use super::repeats;
use super::shared::context::{CommandContext, CommandOutcome, absolute};
use super::shared::failure::Failure;
use super::shared::{file_lookup, settings, terminal};
use clap::Args;
use pensieve_store::scan;
use pensieve_store::store::{FileFacts, FileState, OpenProblem, Store};
use pensieve_text::model::numbers::{count, counted};
use pensieve_text::model::{FileType, ProcessingStatus};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Show what happened to a file, and why.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve why corpus.db notes/a.md")]
pub struct WhyArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The file: its path on disk, its path below the ingested folder, or the end of either.
    file: PathBuf,
    /// Use this configuration instead of ./pensieve.toml, to find the rule that excludes a file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object per file.
    #[arg(long)]
    json: bool,
}

/// The reason for a file that an ignore rule excludes.
const LEFT_OUT: &str = "left out by a rule";

/// What is known of one file.
#[derive(Debug, Default, PartialEq, Serialize)]
struct FileHistory {
    path: String,
    status: Option<String>,
    reason: Option<String>,
    format: Option<String>,
    encoding: Option<String>,
    extractor: Option<String>,
    size_bytes: Option<u64>,
    duplicate_status: Option<String>,
    read_as: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(flatten)]
    facts: Option<FileFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<String>,
    problems: Vec<OpenProblem>,
    rule: Option<String>,
}

/// Runs the command.
pub fn run(args: &WhyArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let found = file_lookup::all(&store, &args.file)?;
    let mut stories = found.iter().map(|file| story(&store, file)).collect::<Result<Vec<_>, _>>()?;
    for (file, story) in found.iter().zip(&mut stories) {
        let is_gone = file.status == Some(ProcessingStatus::Deleted);
        if is_gone && file.location.symlink_metadata().is_ok() {
            // The file is on disk: a rule added after the last run excludes it now.
            story.rule = rule_for(&store, &file.location, args, context)?.flatten();
            story.reason = story.rule.as_ref().map(|_| LEFT_OUT.to_owned()).or(story.reason.take());
        }
    }
    if stories.is_empty() {
        stories.push(absent(&store, args, context)?);
    }
    for story in &stories {
        match args.json {
            true => context.print_json(story)?,
            false => context.print(&format_history(story))?,
        }
    }
    Ok(CommandOutcome::Done)
}

fn story(store: &Store, file: &FileState) -> Result<FileHistory, Failure> {
    let facts = store.texts().content_facts(file.file_id)?;
    let canonical = store.files().canonical_of(file)?;
    let is_member = file.file_type == FileType::Member;
    let is_twin = canonical.file_id != file.file_id;
    Ok(FileHistory {
        path: file.location.to_string_lossy().into_owned(),
        status: Some(file.status.map_or_else(|| file.file_type.to_string(), |status| status.to_string())),
        reason: file.reason.clone(),
        format: file.format.clone(),
        encoding: facts.encoding,
        extractor: facts.extractor,
        size_bytes: Some(file.size),
        duplicate_status: file.duplicate.map(|status| status.to_string()),
        read_as: is_twin.then(|| canonical.location.to_string_lossy().into_owned()),
        name: is_member.then(|| store.files().shown_name(file.file_id)).transpose()?,
        facts: Some(store.files().facts(file.file_id)?),
        repeats: repeats::of_file(store, canonical.file_id)?,
        problems: store.problems().of_file(file.file_id)?,
        rule: None,
    })
}

/// For a file without a row: the rule that excludes it, if it is below a root.
fn absent(store: &Store, args: &WhyArgs, context: &CommandContext) -> Result<FileHistory, Failure> {
    let file = resolve_path(store, &args.file)?;
    let Some(rule) = rule_for(store, &file, args, context)? else {
        return Err(file_lookup::none(store, &args.file)?);
    };
    let exists = file.symlink_metadata().is_ok();
    let is_database = exists && file.canonicalize().ok() == args.database.canonicalize().ok();
    let reason = match (&rule, exists) {
        _ if is_database => "left out: it is the database",
        (Some(_), _) => LEFT_OUT,
        (None, true) => "not seen yet: it appeared after the last run",
        (None, false) => return Err(file_lookup::none(store, &args.file)?),
    };
    Ok(FileHistory {
        path: file.to_string_lossy().into_owned(),
        reason: Some(reason.to_owned()),
        rule,
        ..FileHistory::default()
    })
}

/// The path as it is on disk, or below a root.
fn resolve_path(store: &Store, given: &Path) -> Result<PathBuf, Failure> {
    let roots = store.roots().all()?;
    let below_roots = roots.iter().map(|root| root.location.join(given));
    let is_there = |path: &PathBuf| {
        roots.iter().any(|root| path.starts_with(&root.location)) && path.symlink_metadata().is_ok()
    };
    let mut candidates = std::iter::once(absolute(given)).chain(below_roots);
    Ok(candidates.find(is_there).unwrap_or_else(|| absolute(given)))
}

/// The rule that excludes a path, as text; the outer `None` means a path below no root.
fn rule_for(
    store: &Store,
    file: &Path,
    args: &WhyArgs,
    context: &CommandContext,
) -> Result<Option<Option<String>>, Failure> {
    let roots = store.roots().all()?;
    let below = |root: &Path| file.strip_prefix(root).ok().map(Path::to_owned);
    let place = roots.iter().find_map(|root| Some((root, below(&root.location)?)));
    let Some((root, relative)) = place else { return Ok(None) };
    let config = context.config(args.config.as_deref(), Vec::new())?;
    let options = settings::scan(&config);
    let rule = scan::explain(&root.location, &options, &relative)?;
    Ok(Some(rule.map(|rule| format!("{}:{}: {}", rule.file, rule.line, rule.pattern))))
}

fn format_history(story: &FileHistory) -> String {
    let mut out = format!("{}\n", terminal::line(&story.path));
    let size = story.size_bytes.map(|size| format!("{} bytes", count(size)));
    let rows = [
        ("inside", &story.name),
        ("status", &story.status),
        ("reason", &story.reason),
        ("rule", &story.rule),
        ("size", &size),
        ("format", &story.format),
        ("encoding", &story.encoding),
        ("read by", &story.extractor),
        ("copy", &story.duplicate_status),
        ("read as", &story.read_as),
        ("repeats", &story.repeats),
    ];
    for (name, value) in rows {
        if let Some(value) = value {
            let _ = writeln!(out, "  {name:<10}{}", terminal::line(value));
        }
    }
    for (name, value) in story.facts.iter().flat_map(fact_rows) {
        let _ = writeln!(out, "  {name:<10}{}", terminal::line(&value));
    }
    for problem in &story.problems {
        let _ = writeln!(out, "  problem   {}: {}", problem.error_type, terminal::line(&problem.message));
    }
    out
}

/// Passages that nobody can see which are shown.
const MAX_HIDDEN: usize = 20;

/// Maximum number of copies of a file that are named.
const MAX_COPIES: usize = 5;

fn fact_rows(facts: &FileFacts) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let (Some(characters), Some(version)) = (facts.characters, &facts.version) {
        let tokens = facts.tokens.map(|tokens| format!(", {} tokens", count(tokens))).unwrap_or_default();
        rows.push(("text", format!("{} characters{tokens}, {version}", count(characters))));
        let shared = match facts.shared_chunks {
            0 => String::new(),
            shared => format!(", {} of them in other files too", count(shared)),
        };
        rows.push(("chunks", format!("{}{shared}", count(facts.chunks))));
    }
    if facts.members > 0 {
        rows.push(("holds", counted(facts.members, "document")));
    }
    for (at, copy) in facts.copies.iter().take(MAX_COPIES).enumerate() {
        rows.push((if at == 0 { "copies" } else { "" }, copy.clone()));
    }
    if facts.copies.len() > MAX_COPIES {
        rows.push(("", format!("and {} more", count((facts.copies.len() - MAX_COPIES) as u64))));
    }
    for reason in &facts.review {
        let part = |key: &str| reason.get(key).and_then(serde_json::Value::as_str).unwrap_or_default();
        rows.push(("look at", format!("{}: {}", part("reason"), part("detail"))));
    }
    for (at, passage) in facts.hidden_text.iter().take(MAX_HIDDEN).enumerate() {
        rows.push((if at == 0 { "hidden" } else { "" }, passage.in_words()));
    }
    if facts.hidden_text.len() > MAX_HIDDEN {
        rows.push(("", format!("and {} more", count((facts.hidden_text.len() - MAX_HIDDEN) as u64))));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_is_told() {
        let story = FileHistory {
            path: "/n/a\n.pdf".to_owned(),
            status: Some("Error".to_owned()),
            reason: Some("the converter took too long".to_owned()),
            size_bytes: Some(12_345),
            ..FileHistory::default()
        };
        let expected = "/n/a\\n.pdf\n  status    Error\n  reason    the converter took too long\n  size      12,345 bytes\n";
        assert_eq!(format_history(&story), expected);
    }
}
