//! Why a command failed, what the user can do about it, and the exit code.
//!
//! Only this module knows exit codes and hints. A problem with a single file is never a failure.

use super::{colour, hints, terminal};
use crate::config::{ConfigError, Origin};
use crate::embedding::EmbedError;
use crate::export::ExportError;
use crate::ingest::IngestError;
use crate::mcp::McpError;
use crate::passages::{CollectError, DatabaseError, ManifestError};
use crate::ragmd::RagMdError;
use crate::retrieval::PackError;
use crate::scan::ScanError;
use crate::serve::ServeError;
use crate::shards::{MergeError, PlanError};
use crate::store::StoreError;
use pensieve_text::model::Problem;
use pensieve_text::text::clean::CleanVersion;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use thiserror::Error;

/// How a command ended, for the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The command did its job.
    Done,
    /// The command did its job, with problems that the user asked to count.
    Problems,
    /// The command line cannot be understood.
    Usage,
    /// The configuration cannot be used.
    Configuration,
    /// The input does not exist or cannot be read.
    Input,
    /// The database cannot be used.
    Database,
    /// A fault of this program.
    Bug,
    /// The user stopped the command.
    Interrupted,
}

/// Every exit code with its meaning, as shown by `--help` and the manual.
pub const EXIT_CODES: &[(Exit, u8, &str)] = &[
    (Exit::Done, 0, "done; problems of single files are rows of the database"),
    (
        Exit::Problems,
        1,
        "done, with problems, and --strict was given; or verify found violations, eval questions that it could not count, or cite words that are gone",
    ),
    (Exit::Usage, 2, "the command line cannot be understood"),
    (Exit::Configuration, 3, "the configuration cannot be used"),
    (Exit::Input, 4, "what should be read is missing or unreadable"),
    (Exit::Database, 5, "the database is locked, not ours, newer, read-only or full"),
    (Exit::Bug, 70, "a bug"),
    (Exit::Interrupted, 130, "interrupted; the database is consistent, the next run goes on from there"),
];

impl Exit {
    /// The number that the shell receives.
    pub fn code(self) -> u8 {
        EXIT_CODES.iter().find(|(exit, ..)| *exit == self).map_or(70, |(_, code, _)| *code)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Why a command could not do its work.
#[derive(Debug, Error)]
pub enum Failure {
    /// Flags or arguments that contradict each other.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An error of `ingest` or `clean`.
    #[error(transparent)]
    Ingest(#[from] IngestError),
    /// An error in the manifest of a collection.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// An error of `collect`.
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// An error of the database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An error of `plan`.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// An error of `merge`.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// An error of `embed`.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// An error of `export` to files.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// Vectors that the database does not have.
    #[error("`{database}` has no vectors of `{model}`")]
    NoSuchModel {
        /// The model, as given.
        model: String,
        /// The database.
        database: String,
        /// The models that it has vectors of.
        known: Vec<String>,
    },
    /// An error of `pack`.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// An error of the scan.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// An error of the server.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// An error of the server for language models.
    #[error(transparent)]
    Mcp(#[from] McpError),
    /// A document that was not converted to Markdown.
    #[error(transparent)]
    Convert(#[from] RagMdError),
    /// A file that the database does not have.
    #[error("`{database}` has no file `{file}`")]
    NoSuchFile {
        /// The file, as given.
        file: String,
        /// The database.
        database: String,
        /// What can be given instead.
        hint: String,
    },
    /// A name that matches several files.
    #[error("`{file}` may be any of {}", candidates.join(", "))]
    Ambiguous {
        /// The name, as given.
        file: String,
        /// The first few matches.
        candidates: Vec<String>,
    },
    /// A file without the requested text.
    #[error("`{file}` has no {what}: {reason}")]
    NoText {
        /// The file.
        file: String,
        /// The requested text.
        what: String,
        /// Why it does not exist.
        reason: String,
    },
    /// A folder that the database was not made from.
    #[error("`{database}` has no root `{root}`")]
    NoSuchRoot {
        /// The folder, as given.
        root: String,
        /// The database.
        database: String,
        /// The roots of the database.
        known: Vec<String>,
    },
    /// A file that exists already.
    #[error("`{}` exists already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file that cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file that cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A document that cannot be read.
    #[error("cannot read `{}`: {}: {}", path.display(), problem.kind, problem.message)]
    UnreadableDocument {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Problem,
    },
    /// Standard output or input failed.
    #[error("cannot go on: {0}")]
    Stream(#[from] io::Error),
    /// A fault of this program.
    #[error("{message} ({place}); this is a bug in pensieve {}", env!("CARGO_PKG_VERSION"))]
    Bug {
        /// The message of the panic.
        message: String,
        /// The place in the source.
        place: String,
    },
}

impl Failure {
    /// The exit code of the failure.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage { .. } | Failure::Exists { .. } => Exit::Usage,
            Failure::Config(_) => Exit::Configuration,
            Failure::Ingest(error) => ingest_exit(error),
            Failure::Manifest(ManifestError::Unreadable { .. }) => Exit::Input,
            Failure::Manifest(_) => Exit::Configuration,
            Failure::Collect(error) => collect_exit(error),
            Failure::Store(error) | Failure::Pack(PackError::Store(error)) => store_exit(error),
            Failure::Pack(_) => Exit::Usage,
            Failure::Embed(error) => embed_exit(error),
            Failure::Export(error) => export_exit(error),
            Failure::Scan(_) => Exit::Input,
            Failure::Merge(error) => merge_exit(error),
            Failure::Plan(PlanError::Inside { .. } | PlanError::NotEmpty { .. }) => Exit::Usage,
            Failure::Plan(
                PlanError::OtherPlan { .. } | PlanError::SamePart { .. } | PlanError::MissingPart { .. },
            ) => Exit::Usage,
            Failure::Plan(_) => Exit::Input,
            Failure::Serve(error) => serve_exit(error),
            Failure::Mcp(McpError::Store(error)) => store_exit(error),
            Failure::Mcp(McpError::Start(_)) => Exit::Bug,
            Failure::Mcp(McpError::Protocol(_)) => Exit::Input,
            Failure::Convert(error) => convert_exit(error),
            Failure::NoSuchFile { .. } | Failure::Ambiguous { .. } | Failure::NoText { .. } => Exit::Input,
            Failure::NoSuchRoot { .. } | Failure::NoSuchModel { .. } | Failure::Unwritable { .. } => {
                Exit::Input
            }
            Failure::Unreadable { .. } | Failure::UnreadableDocument { .. } => Exit::Input,
            // A reader that stops reading, such as `head`, is not a failure.
            Failure::Stream(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
            Failure::Stream(_) => Exit::Input,
            Failure::Bug { .. } => Exit::Bug,
        }
    }

    /// What the user can do about it, if anything.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Failure::Usage { hint, .. } => hint.clone(),
            Failure::Config(error) => return config_hint(error),
            Failure::Ingest(error) => return ingest_hint(error),
            Failure::Manifest(_) => "docs/collections.md explains every key of a manifest".to_owned(),
            Failure::Collect(error) => return collect_hint(error),
            Failure::Store(error) | Failure::Pack(PackError::Store(error)) => return store_hint(error),
            Failure::Pack(PackError::SmallBudget { needed, .. }) => {
                format!("give at least {needed}, and some hundreds for each piece that you want")
            }
            Failure::Serve(error) => return serve_hint(error),
            Failure::Mcp(McpError::Store(error)) => return store_hint(error),
            Failure::Mcp(McpError::Start(_)) => return None,
            Failure::Mcp(McpError::Protocol(_)) => {
                "a client of the Model Context Protocol starts this command; docs/mcp.md says how".to_owned()
            }
            Failure::Embed(error) => return embed_hint(error),
            Failure::Export(error) => return export_hint(error),
            Failure::NoSuchModel { known, .. } if known.is_empty() => {
                "`pensieve embed` makes vectors".to_owned()
            }
            Failure::NoSuchModel { known, .. } => format!("it has {}", known.join(", ")),
            Failure::Merge(error) => return merge_hint(error),
            Failure::Plan(PlanError::Inside { .. } | PlanError::NotEmpty { .. }) => {
                "name a new folder outside of the one that is read".to_owned()
            }
            Failure::Convert(error) => return error.hint().map(str::to_owned),
            Failure::NoSuchFile { hint, .. } => hint.clone(),
            Failure::Ambiguous { .. } => "give more of the path".to_owned(),
            Failure::NoText { .. } => "see `pensieve why` for what happened to it".to_owned(),
            Failure::NoSuchRoot { known, .. } if !known.is_empty() => format!("it has {}", known.join(", ")),
            Failure::Exists { .. } => "use --force to overwrite it".to_owned(),
            Failure::Bug { .. } => {
                "please report it with the command that you ran; RUST_BACKTRACE=1 shows more".to_owned()
            }
            _ => return None,
        })
    }

    /// The lines printed on stderr: the message, and the hint if there is one. Empty if the reader of stdout has
    /// closed it.
    pub fn message(&self) -> String {
        if self.exit() == Exit::Done {
            return String::new();
        }
        let mut message = format!("error: {}\n", terminal::line(&self.to_string()));
        if let Some(hint) = self.hint() {
            let _ = writeln!(message, "hint: {}", terminal::line(&hint));
        }
        message
    }

    /// Prints it on stderr and returns the exit code.
    pub fn report(&self) -> Exit {
        let _ = io::stderr().lock().write_all(colour::on_stderr(&self.message()).as_bytes());
        self.exit()
    }
}

fn ingest_exit(error: &IngestError) -> Exit {
    match error {
        IngestError::Input { .. } | IngestError::NotAFolder { .. } | IngestError::Scan(_) => Exit::Input,
        IngestError::Overlap { .. } | IngestError::UnknownRoot { .. } => Exit::Input,
        IngestError::MassDeletion { .. } | IngestError::MassFailure { .. } => Exit::Input,
        IngestError::NoSuchVersion { .. } | IngestError::NoRawText { .. } => Exit::Input,
        IngestError::Settings(_) => Exit::Configuration,
        IngestError::Store(error) => store_exit(error),
        IngestError::Start(_) => Exit::Bug,
    }
}

fn merge_exit(error: &MergeError) -> Exit {
    match error {
        MergeError::Exists { .. } => Exit::Usage,
        MergeError::Older { .. } | MergeError::Unfinished { .. } | MergeError::Settings { .. } => Exit::Input,
        MergeError::SameFile { .. } | MergeError::NestedRoots { .. } | MergeError::Io { .. } => Exit::Input,
        MergeError::Differs { .. } | MergeError::Unsound { .. } => Exit::Database,
        MergeError::Store(error) => store_exit(error),
    }
}

fn merge_hint(error: &MergeError) -> Option<String> {
    let hint = match error {
        MergeError::Exists { .. } => "it was left untouched; name a new file, or remove this one",
        MergeError::Older { .. } => "bring it up to date: run `pensieve ingest` into it with this version",
        MergeError::Unfinished { .. } => "run its `pensieve ingest` again to finish it",
        MergeError::Settings { .. } => {
            "nothing was written; ingest one of them again with the configuration and the version of the other"
        }
        MergeError::SameFile { .. } => {
            "nothing was written; every file belongs to one shard: `pensieve plan` makes such lists"
        }
        MergeError::NestedRoots { .. } => "nothing was written; ingest both with the same folder as root",
        MergeError::Unsound { .. } => "nothing was written; `pensieve verify` lists what is wrong with it",
        MergeError::Differs { .. } => "check the shards with `pensieve verify` and merge again",
        MergeError::Io { .. } => return None,
        MergeError::Store(error) => return store_hint(error),
    };
    Some(hint.to_owned())
}

fn collect_exit(error: &CollectError) -> Exit {
    match error {
        CollectError::Source { .. } | CollectError::Unwritable { .. } | CollectError::NoTexts { .. } => {
            Exit::Input
        }
        CollectError::Database(DatabaseError::Store(error)) => store_exit(error),
        CollectError::Database(DatabaseError::Occupied { .. }) => Exit::Database,
        CollectError::Database(DatabaseError::Raw { .. } | DatabaseError::Pack(_)) => Exit::Input,
        CollectError::Unsound { .. } => Exit::Bug,
    }
}

fn collect_hint(error: &CollectError) -> Option<String> {
    Some(match error {
        CollectError::Database(DatabaseError::Store(error)) => return store_hint(error),
        CollectError::Database(DatabaseError::Occupied { .. }) => {
            "it was left untouched; give --db another path".to_owned()
        }
        CollectError::NoTexts { .. } => {
            "check the numbers in the manifest and the network, or give copies with --source".to_owned()
        }
        _ => return None,
    })
}

fn embed_exit(error: &EmbedError) -> Exit {
    match error {
        EmbedError::Store(error) => store_exit(error),
        EmbedError::Refused { .. } | EmbedError::WrongAddress { .. } => Exit::Configuration,
        EmbedError::Unavailable { .. } | EmbedError::Unusable { .. } => Exit::Input,
        EmbedError::Stopped => Exit::Interrupted,
    }
}

fn embed_hint(error: &EmbedError) -> Option<String> {
    Some(match error {
        EmbedError::Store(error) => return store_hint(error),
        EmbedError::Refused { .. } => {
            "set the environment variable that `embedding.api_key_env` names to a valid key".to_owned()
        }
        EmbedError::WrongAddress { .. } => {
            "check `embedding.endpoint`, the full address such as http://127.0.0.1:8080/v1/embeddings, and `embedding.model`"
                .to_owned()
        }
        EmbedError::Unavailable { .. } => {
            "see that it runs, and run the same command again: what is stored is not sent again".to_owned()
        }
        EmbedError::Unusable { .. } => "see what the service logs".to_owned(),
        EmbedError::Stopped => return None,
    })
}

fn export_exit(error: &ExportError) -> Exit {
    match error {
        ExportError::Store(error) => store_exit(error),
        ExportError::Occupied { .. } => Exit::Usage,
        ExportError::Busy { .. } | ExportError::Unwritable { .. } => Exit::Input,
        ExportError::Interrupted => Exit::Interrupted,
    }
}

fn export_hint(error: &ExportError) -> Option<String> {
    Some(match error {
        ExportError::Store(error) => return store_hint(error),
        ExportError::Occupied { .. } => {
            "it was left untouched; give --out a folder that is new, empty or of an earlier export".to_owned()
        }
        ExportError::Busy { .. } => "wait until it has ended, or give --out another folder".to_owned(),
        ExportError::Unwritable { .. } | ExportError::Interrupted => return None,
    })
}

fn convert_exit(error: &RagMdError) -> Exit {
    match error {
        RagMdError::Interrupted => Exit::Interrupted,
        RagMdError::Rule(_) | RagMdError::Converter(_) | RagMdError::PandocNotFound => Exit::Configuration,
        RagMdError::Start { .. } => Exit::Bug,
        _ => Exit::Input,
    }
}

fn store_exit(error: &StoreError) -> Exit {
    match error {
        StoreError::Missing { .. } => Exit::Input,
        StoreError::Query(_) | StoreError::NoRun { .. } => Exit::Usage,
        _ => Exit::Database,
    }
}

fn serve_exit(error: &ServeError) -> Exit {
    match error {
        ServeError::Store(error) => store_exit(error),
        ServeError::Exposed { .. } | ServeError::BadToken { .. } => Exit::Usage,
        ServeError::Bind { .. } => Exit::Input,
        ServeError::Start(_) => Exit::Bug,
    }
}

fn serve_hint(error: &ServeError) -> Option<String> {
    Some(match error {
        ServeError::Store(error) => return store_hint(error),
        ServeError::Exposed { .. } => "give a --token-file, or bind to 127.0.0.1".to_owned(),
        ServeError::BadToken { .. } => "use one line of letters, digits and signs without blanks".to_owned(),
        ServeError::Bind { .. } => "choose another port with --bind; port 0 takes a free one".to_owned(),
        ServeError::Start(_) => return None,
    })
}

fn config_hint(error: &ConfigError) -> Option<String> {
    Some(match error {
        ConfigError::Untrusted { file, folder, .. } => format!(
            "if you trust it, name it with `--config {}`, or list \"{}\" under `trusted` in your own pensieve.toml",
            file.display(),
            folder.display()
        ),
        ConfigError::Overlap { at: Origin::BuiltIn, key, .. } => format!("set {key} too"),
        ConfigError::Overlap { size_key, .. } => format!("lower it, or raise {size_key}"),
        ConfigError::LeastOverlap { .. } => "lower it, or raise pdf.layout.overlap_tokens".to_owned(),
        ConfigError::NoPage { .. } => {
            "write {page} where the program takes the number, as in `pdftoppm -f {page} -l {page} -png {input}`"
                .to_owned()
        }
        ConfigError::LimitDoesNotFit { .. } => "raise max_memory or lower converter_limits.memory".to_owned(),
        ConfigError::UnknownKey { .. } | ConfigError::WrongValue { .. } | ConfigError::Syntax { .. } => {
            "`pensieve init -` prints every key with its default".to_owned()
        }
        ConfigError::UserOnly { .. } => "it belongs into ~/.config/pensieve/pensieve.toml".to_owned(),
        ConfigError::Converter { .. } => "see `pensieve check-dependencies`".to_owned(),
        ConfigError::Embedding { .. } => {
            "set `endpoint` and `model` under [embedding]; docs/embedding.md has the lines for common services".to_owned()
        }
        _ => return None,
    })
}

fn ingest_hint(error: &IngestError) -> Option<String> {
    Some(match error {
        IngestError::NotAFolder { .. } => {
            "pensieve ingests folders: give the folder that contains it".to_owned()
        }
        IngestError::Overlap { .. } => {
            "ingest it into another database, or take the other root out with `pensieve forget`".to_owned()
        }
        IngestError::NoRawText { version: None, .. } => {
            "`pensieve ingest` reads the sources again; with \"raw\" under `store.keep` it keeps what it reads".to_owned()
        }
        IngestError::NoSuchVersion { version, stored } => return version_hint(version, stored),
        IngestError::NoRawText { version: Some(_), stored, .. } if !stored.is_empty() => {
            format!("stored is raw text of {}", stored.join(", "))
        }
        IngestError::MassFailure { .. } => {
            "see `pensieve errors` and `pensieve check-dependencies`; if it is meant, add --allow-mass-deletion".to_owned()
        }
        IngestError::MassDeletion { .. } => {
            "see that the disk is mounted; if the files were deleted or are left out on purpose (an ignore file, scan.exclude, \
             scan.tool_folders), add --allow-mass-deletion"
                .to_owned()
        }
        IngestError::UnknownRoot { .. } => "`pensieve stats` lists the roots of a database".to_owned(),
        IngestError::Store(error) => return store_hint(error),
        _ => return None,
    })
}

/// The versions that a rollback can go to, and how to make one that is only a recipe so far.
fn version_hint(version: &str, stored: &[String]) -> Option<String> {
    let stored = (!stored.is_empty()).then(|| format!("stored are {}", stored.join(", ")));
    let recipe = CleanVersion::from_name(version)
        .map(|version| format!("`pensieve clean --version {}` makes it from raw text", version.as_str()));
    let parts: Vec<String> = stored.into_iter().chain(recipe).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn store_hint(error: &StoreError) -> Option<String> {
    Some(
        match error {
            StoreError::Missing { .. } => {
                return Some(
                    hints::other_database()
                        .unwrap_or_else(|| "make one with `pensieve ingest <DIR> <DB>`".to_owned()),
                );
            }
            StoreError::NoFolder { .. } => "create the folder first",
            StoreError::Folder { .. } => {
                "a database is a file: `pensieve ingest <DIR> <DB>` makes one of a folder"
            }
            StoreError::Foreign { .. } => "it was left untouched; choose another path",
            StoreError::Newer { .. } => {
                "it was left untouched; use the version of pensieve that wrote it, or a later one"
            }
            StoreError::Altered { .. } => {
                "such objects can run or answer in place of ours, so nothing was read: remove what was added (DROP), or ingest into a new database"
            }
            StoreError::Locked { .. } => {
                "wait until the other run has ended, or stop it; nothing was written"
            }
            StoreError::ReadOnly { .. } => "make the file and its folder writable, or choose another path",
            StoreError::Empty { .. } => "run `pensieve ingest` into it, or give another path",
            StoreError::InputOutput { .. } => {
                "check the disk, quotas and `ulimit -f`, then run the same command again"
            }
            StoreError::Full { .. } => "free some space and run the same command again",
            StoreError::Query(error) => return Some(error.cure()),
            StoreError::NoRun { .. } => "pass `0` for the whole state, or a cursor",
            StoreError::NoTables { .. } => "run `pensieve ingest` with this database, which finds them",
            StoreError::NoSearch { .. } => "set `store.fts = true` and run `pensieve ingest` again",
            StoreError::Unfinished { .. } => {
                "wait for the run that is going on, or run `pensieve ingest` again if it was broken off"
            }
            StoreError::Damaged { .. } => "ingest into a new database, or take one from a backup",
            _ => return None,
        }
        .to_owned(),
    )
}

/// The message and the place of the last panic.
static LAST_PANIC: Mutex<Option<(String, String)>> = Mutex::new(None);

/// Prevents panics from writing to stderr: one that a reader causes becomes a problem of its file, and one that ends
/// the command is reported as a [`Failure::Bug`]. With `RUST_BACKTRACE` set, the usual report is printed as well.
pub fn install_panic_hook() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let payload = panic.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text =
            text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without words");
        let place = panic.location().map_or_else(|| "nowhere".to_owned(), ToString::to_string);
        // When a scoped thread panics, its scope panics too, with a message that hides the cause.
        if text != "a scoped thread panicked" {
            let mut last = LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            *last = Some((text.to_owned(), place));
        }
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            usual(panic);
        }
    }));
}

/// The failure of a command that panicked.
pub fn bug() -> Failure {
    let last = LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
    let (message, place) = last.unwrap_or_else(|| ("a panic without words".to_owned(), "nowhere".to_owned()));
    Failure::Bug { message, place }
}

#[cfg(test)]
mod tests;
