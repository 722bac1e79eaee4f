//! `pensieve diff`: the changes between two versions of a file's text.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::{file_lookup, terminal};
use clap::Args;
use pensieve_store::store::{FileState, Store, StoredVersion};
use pensieve_text::text::diff::{DiffHunk, DiffSide, compare, hunks, lines};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Maximum number of bytes of both texts together: they are kept in memory.
const MAX_TEXT_BYTES: usize = 256 << 20;

/// Compare two stored versions of one file's text.
///
/// Versions have the names in `text_versions`: raw_v1, clean_v0, clean_v1. Lines are compared and printed as a
/// unified diff.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve diff corpus.db notes/a.md --from raw_v1 --to clean_v1")]
pub struct DiffArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The file: its path on disk, its path below the ingested folder, or the end of either.
    file: PathBuf,
    /// The old version; without it the current raw text.
    #[arg(long, value_name = "A")]
    from: Option<String>,
    /// The new version; without it the current clean text.
    #[arg(long, value_name = "B")]
    to: Option<String>,
    /// Lines around each change.
    #[arg(long, value_name = "N", default_value_t = 3)]
    context: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &DiffArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let asked = file_lookup::one(&store, &args.file)?;
    let file = store.files().canonical_of(&asked)?;
    let versions = store.texts().versions_of(file.file_id)?;
    let from = file_lookup::version(&file, &versions, args.from.as_deref(), "raw")?;
    let to = file_lookup::version(&file, &versions, args.to.as_deref(), "clean")?;
    if from.bytes.saturating_add(to.bytes) > MAX_TEXT_BYTES {
        return Err(Failure::Usage {
            message: format!(
                "the texts of `{}` have {} bytes together, more than the {MAX_TEXT_BYTES} that are compared",
                file.location.display(),
                from.bytes + to.bytes
            ),
            hint: "`pensieve text --version` prints any part of each".to_owned(),
        });
    }
    let (old, new) = (whole(&store, &file, from)?, whole(&store, &file, to)?);
    let (old, new) = (lines(&old), lines(&new));
    let found = hunks(&compare(&old, &new), old.len(), args.context);
    let path = asked.location.to_string_lossy();
    match args.json {
        true => context.print_json(&as_json(&path, from, to, &found, &old, &new))?,
        false if found.is_empty() => context.say("both texts are the same"),
        false => {
            let head = format!("--- {path}\t{}\n+++ {path}\t{}\n", from.version, to.version);
            print(context, &head)?;
            for hunk in &found {
                print(context, &unified(hunk, &old, &new))?;
            }
        }
    }
    Ok(CommandOutcome::Done)
}

/// Prints the text, line by line; on a terminal foreign text is escaped.
fn print(context: &CommandContext, text: &str) -> Result<(), Failure> {
    match std::io::stdout().is_terminal() {
        true => context.print(&terminal::block(text)),
        false => context.print(text),
    }
}

fn whole(store: &Store, file: &FileState, version: &StoredVersion) -> Result<String, Failure> {
    let mut text = String::with_capacity(version.bytes);
    store.text(file.file_id, version.variant, &version.version).each_segment(&mut |stored| {
        text.push_str(&stored.segment.text);
        true
    })?;
    Ok(text)
}

/// The mark (space, minus or plus) and the text of each line of a hunk.
fn marked<'t>(hunk: &DiffHunk, old: &[&'t str], new: &[&'t str]) -> Vec<(char, &'t str)> {
    let line = |(origin, at): (DiffSide, usize)| match origin {
        DiffSide::Both => (' ', old[at]),
        DiffSide::Old => ('-', old[at]),
        DiffSide::New => ('+', new[at]),
    };
    hunk.lines().into_iter().map(line).collect()
}

/// A hunk as `diff -u` prints it.
pub(super) fn unified(hunk: &DiffHunk, old: &[&str], new: &[&str]) -> String {
    let mut text = hunk.header();
    text.push('\n');
    for (mark, line) in marked(hunk, old, new) {
        text.push(mark);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
    text
}

fn as_json(
    path: &str,
    from: &StoredVersion,
    to: &StoredVersion,
    found: &[DiffHunk],
    old: &[&str],
    new: &[&str],
) -> Value {
    let changes = || found.iter().flat_map(|hunk| &hunk.changes);
    json!({
        "path": path,
        "from": side(from),
        "to": side(to),
        "identical": from.sha256 == to.sha256,
        "added": changes().map(|change| change.new.len()).sum::<usize>(),
        "removed": changes().map(|change| change.old.len()).sum::<usize>(),
        "hunks": found.iter().map(|hunk| hunk_json(hunk, old, new)).collect::<Vec<_>>(),
    })
}

/// A hunk as a JSON object.
pub(super) fn hunk_json(hunk: &DiffHunk, old: &[&str], new: &[&str]) -> Value {
    let lines: Vec<Value> = marked(hunk, old, new)
        .into_iter()
        .map(|(mark, line)| json!({"op": mark.to_string(), "text": line.strip_suffix('\n').unwrap_or(line)}))
        .collect();
    json!({
        "header": hunk.header(),
        "from_line": hunk.old.start + 1,
        "from_lines": hunk.old.len(),
        "to_line": hunk.new.start + 1,
        "to_lines": hunk.new.len(),
        "lines": lines,
    })
}

fn side(version: &StoredVersion) -> Value {
    json!({
        "variant": version.variant.as_str(),
        "version": version.version,
        "is_current": version.is_current,
        "sha256": version.sha256.to_hex(),
        "byte_length": version.bytes,
        "char_length": version.chars,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &str) {
        let (old, new) = (lines(old), lines(new));
        let found = hunks(&compare(&old, &new), old.len(), 3);
        let text: String = found.iter().map(|hunk| unified(hunk, &old, &new)).collect();
        assert_eq!(text, expected);
    }

    #[test]
    fn a_hunk_looks_like_that_of_diff() {
        check("a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        check("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
        check("a\n", "a\n", "");
    }
}
