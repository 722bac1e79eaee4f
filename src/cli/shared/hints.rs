//! What people mean who type a command or flag that does not exist.

use super::terminal;
use clap::error::{ContextKind, ContextValue};
use std::io::Read;
use std::path::Path;

/// Words for commands: other programs have them.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["query", "find", "grep", "lookup", "q"], "to search: pensieve search DB 'words'"),
    (
        &["ask", "context", "prompt", "rag"],
        "for context to a question: pensieve pack DB 'question' --budget 4000",
    ),
    (
        &["ls", "files", "documents", "docs"],
        "for the documents: pensieve list DB; for numbers: pensieve stats DB",
    ),
    (
        &["index", "add", "import", "load", "build", "update", "run", "scan"],
        "to read a folder: pensieve ingest DIR DB",
    ),
    (&["sync", "follow", "daemon"], "to follow a folder: pensieve watch DIR DB"),
    (&["show", "get", "cat", "view", "open", "print"], "for the text of a file: pensieve text DB FILE"),
    (&["info", "status", "count"], "for numbers: pensieve stats DB; for what is wrong: pensieve problems DB"),
    (&["remove", "rm", "delete", "drop"], "to take a folder out: pensieve forget DB DIR"),
    (&["vacuum", "shrink", "optimize"], "to free space: pensieve compact DB"),
    (&["check", "validate", "fsck"], "to prove a corpus: pensieve verify DB"),
    (&["doctor", "deps", "dependencies"], "for the converters: pensieve check-dependencies"),
    (&["config", "configure", "setup", "settings"], "for every setting: pensieve init -"),
    (&["server", "web", "ui", "http", "api"], "for the page and the API: pensieve serve DB"),
    (&["dump", "json", "jsonl", "parquet"], "for all chunks: pensieve export DB --format jsonl"),
    (&["embeddings", "vectors", "vectorize"], "for vectors: pensieve embed DB"),
    (&["version"], "for the version: pensieve --version"),
];

/// Flags of other programs, with ours and a word about it.
const FLAGS: &[(&[&str], &str)] = &[
    (&["-n", "-k", "--top", "--top-k", "--max", "--max-results", "--num", "--count"], "--limit"),
    (&["-j", "--jobs", "--workers", "--parallel"], "--threads"),
    (&["-o", "--output", "--outfile", "--output-dir"], "--out"),
    (&["-c", "--cfg", "--conf"], "--config"),
    (&["--dry", "--simulate"], "--dry-run"),
    (&["--force", "--reindex", "--rebuild", "--full"], "--force-reprocess"),
    (&["--ignore", "--skip"], "--exclude"),
    (&["-p", "--port", "--listen", "--address"], "--bind"),
    (&["--size", "--max-tokens"], "--chunk-size"),
    (&["--overlap"], "--chunk-overlap"),
    (&["-b", "--tokens"], "--budget"),
];

/// Flags that are not needed, with the reason.
const NEEDLESS: &[(&[&str], &str)] = &[
    (&["-r", "-R", "--recursive"], "a folder is read with everything below it"),
    (&["--db", "--database", "-d"], "the database is an argument without a flag"),
    (
        &["--no-color", "--no-colour", "--color", "--colour"],
        "NO_COLOR=1 in the environment switches colour off",
    ),
];

/// The hint for a command line that clap refuses, if there is one.
pub fn hint(error: &clap::Error, definition: &clap::Command) -> Option<String> {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        return command_hint(word);
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return None };
    let flag = flag.split(['=', ' ']).next().unwrap_or_default();
    let names = |names: &&(&[&str], &str)| names.0.contains(&flag);
    if let Some((_, why)) = NEEDLESS.iter().find(names) {
        return Some(format!("`{flag}` is not needed: {why}"));
    }
    let (_, ours) = FLAGS.iter().find(names)?;
    let command = std::env::args().nth(1)?;
    let has_ours = definition
        .find_subcommand(command)?
        .get_arguments()
        .any(|argument| argument.get_long().is_some_and(|long| Some(long) == ours.strip_prefix("--")));
    has_ours.then(|| format!("`{flag}` is written {ours} here"))
}

/// The database among the words of the command line, if the one in its place is none: arguments may be swapped.
pub fn other_database() -> Option<String> {
    let words: Vec<String> = std::env::args().skip(2).collect();
    let is_database = |word: &&String| {
        let mut head = [0; 15];
        let read = std::fs::File::open(word).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head == *b"SQLite format 3"
    };
    let found = words.iter().skip(1).find(is_database)?;
    let command = std::env::args().nth(1)?;
    let shown = terminal::line(found);
    Some(format!("`{shown}` is a database, which comes first: pensieve {command} {shown} ..."))
}

/// Says in words of people why a value cannot be one.
pub fn in_words(message: &str) -> String {
    message
        .replace("invalid digit found in string", "give a whole number")
        .replace("cannot parse integer from empty string", "give a whole number")
        .replace("number too large to fit in target type", "the number is too large")
        .replace("invalid socket address syntax", "give an address and a port, such as 127.0.0.1:7474")
}

/// A word in the place of a command: a folder, or what another program calls it.
fn command_hint(word: &str) -> Option<String> {
    let path = Path::new(word);
    let shown = terminal::line(word);
    if path.is_dir() {
        return Some(format!(
            "`{shown}` is a folder; to read it into a database: pensieve ingest {shown} DB"
        ));
    }
    if path.is_file() {
        return Some(match path.extension().is_some_and(|extension| extension == "db") {
            true => format!("`{shown}` is a file; to search a database: pensieve search {shown} 'words'"),
            false => format!("`{shown}` is a file; for its text as Markdown: pensieve convert {shown}"),
        });
    }
    let known = |row: &&(&[&str], &str)| row.0.contains(&word);
    COMMANDS.iter().find(known).map(|(_, hint)| (*hint).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_word_has_two_hints_and_none_is_a_command() {
        let definition = crate::cli::definition();
        let words: Vec<&str> = COMMANDS.iter().flat_map(|(words, _)| words.iter().copied()).collect();
        assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
        for word in words {
            assert!(definition.find_subcommand(word).is_none(), "{word}");
        }
        let flags = FLAGS.iter().chain(NEEDLESS).flat_map(|(flags, _)| flags.iter().copied());
        let flags: Vec<&str> = flags.collect();
        assert_eq!(flags.iter().collect::<BTreeSet<_>>().len(), flags.len());
    }

    /// A hint names commands that exist, with arguments that they take.
    #[test]
    fn hints_name_commands_that_exist() {
        let definition = crate::cli::definition();
        for (_, hint) in COMMANDS {
            for command in hint.split("pensieve ").skip(1) {
                let name = command.split_whitespace().next().unwrap();
                assert!(name.starts_with('-') || definition.find_subcommand(name).is_some(), "{hint}");
            }
        }
        for (_, ours) in FLAGS {
            let long = ours.trim_start_matches("--");
            let mut arguments = definition.get_subcommands().flat_map(clap::Command::get_arguments);
            assert!(arguments.any(|argument| argument.get_long() == Some(long)), "{ours}");
        }
    }
}
