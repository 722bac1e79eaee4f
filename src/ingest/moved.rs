//! A folder that was moved looks like a new root: what its user is told then.

use super::compare::ScanPlan;
use super::settings::{IngestError, IngestSettings};
use pensieve_store::store::{Root, Store};
use pensieve_text::model::numbers::{count, counted};
use pensieve_text::model::{ContentHash, NoteLevel, Observer, ProgressEvent};
use std::io::ErrorKind;
use std::path::Path;

/// Names `--moved-from` if most files of a new root are those of a root whose folder is no longer there. Nothing else
/// follows from it: the user may want both.
///
/// Cost: one look-up per file, and only if there is such a root.
pub(super) fn hint_at_move(
    plan: &ScanPlan,
    settings: &IngestSettings,
    store: &Store,
    place: &Path,
    observer: &dyn Observer,
) -> Result<(), IngestError> {
    if !plan.is_first() || settings.moved_from.is_some() {
        return Ok(());
    }
    let gone = |root: &Root| {
        let found = root.location.symlink_metadata();
        root.location != place && found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
    };
    for root in store.roots().all()?.into_iter().filter(gone) {
        let (mut files, mut known) = (0, 0);
        for hash in plan.new_hashes() {
            files += 1;
            known += u64::from(is_in(&root, hash, store)?);
        }
        if known * 2 > files {
            let text = hint(settings, place, &root, (known, files));
            observer.on_event(&ProgressEvent::Note { level: NoteLevel::Warn, text: &text });
        }
    }
    Ok(())
}

fn is_in(root: &Root, hash: &ContentHash, store: &Store) -> Result<bool, IngestError> {
    Ok(store.files().with_hash(hash)?.iter().any(|file| file.root_id == root.root_id))
}

fn hint(settings: &IngestSettings, place: &Path, root: &Root, (known, files): (u64, u64)) -> String {
    let (place, database) = (shell_word(place), shell_word(&settings.database));
    let forget = match settings.dry_run {
        true => String::new(),
        false => format!("`pensieve forget {database} {place}`, then "),
    };
    let share = if known == files { count(known) } else { format!("{} of {}", count(known), count(files)) };
    let was = if files == 1 { "is of" } else { "are those of" };
    format!(
        "{share} {} here {was} `{}`, which is no longer there; if it was moved: \
         {forget}`pensieve ingest {place} {database} --moved-from {}`",
        counted(files, "file").rsplit(' ').next().unwrap_or_default(),
        root.path,
        shell_word(&root.location)
    )
}

/// A path as one word of a shell.
fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ',' | '@' | '%');
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_one_word_of_a_shell() {
        let check = |path: &str, word: &str| assert_eq!(shell_word(Path::new(path)), word);
        check("/home/me/notes.db", "/home/me/notes.db");
        check("my notes", "'my notes'");
        check("it's", "'it'\\''s'");
        check("", "''");
        check("a;b", "'a;b'");
    }
}
