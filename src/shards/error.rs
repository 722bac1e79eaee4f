//! Why a tree cannot be divided, and databases cannot be merged.

use pensieve_store::exit::command_error;
use pensieve_store::scan::ScanError;
use pensieve_store::store::StoreError;
use std::path::PathBuf;
use thiserror::Error;

/// Why there is no plan.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The lists would be files of the tree.
    #[error("`{}` is inside `{}`, where nothing is ever written", out.display(), root.display())]
    Inside {
        /// The folder of the lists.
        out: PathBuf,
        /// The folder that is read.
        root: PathBuf,
    },
    /// The folder of the lists has something in it.
    #[error("`{}` is not empty", out.display())]
    NotEmpty {
        /// The folder.
        out: PathBuf,
    },
    /// The tree cannot be scanned.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// The file of a part cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file is no part of a plan.
    #[error("`{}` is no complete part of a plan: line {line} is not understood", path.display())]
    NoPart {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// Two files are parts of different plans.
    #[error("`{}` and `{}` are parts of different plans", path.display(), other.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// A part of the other plan.
        other: PathBuf,
    },
    /// Two files are the same part.
    #[error("`{}` is part {part}, which another file is too", path.display())]
    SamePart {
        /// The file.
        path: PathBuf,
        /// The number of the part.
        part: u64,
    },
    /// A part was not given.
    #[error("part {part} of {parts} is missing")]
    MissingPart {
        /// The number of the part.
        part: u64,
        /// How many there are.
        parts: u64,
    },
    /// A list cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

command_error! { PlanError passes Scan {
    Inside | NotEmpty => Usage, "name a new folder outside of the one that is read";
    OtherPlan | SamePart | MissingPart => Usage;
    Unreadable | NoPart | Unwritable => Input;
} }

/// Why a merge could not begin or continue.
#[derive(Debug, Error)]
pub enum MergeError {
    /// There is something at the path of the new database.
    #[error("`{}` exists already", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// A shard has an older schema.
    #[error("`{}` has schema {found}, this version writes {known}", path.display())]
    Older {
        /// The shard.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The schema of this version.
        known: i64,
    },
    /// A shard is not complete.
    #[error("`{}` is not complete: {reason}", path.display())]
    Unfinished {
        /// The shard.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// A shard breaks the laws of a corpus.
    #[error("`{}` breaks a law of databases: {} ({violations} violations in all)", path.display(), first)]
    Unsound {
        /// The shard.
        path: PathBuf,
        /// How many violations there are.
        violations: u64,
        /// The first one.
        first: String,
    },
    /// Two shards were made with different settings.
    #[error("`{}` and `{}` were made with different settings: {difference}", first.display(), second.display())]
    Settings {
        /// A shard.
        first: PathBuf,
        /// Another shard.
        second: PathBuf,
        /// The setting that differs, and how.
        difference: String,
    },
    /// Two shards have the same file.
    #[error("`{}` and `{}` both have `{path}`", first.display(), second.display())]
    SameFile {
        /// A shard.
        first: PathBuf,
        /// Another shard.
        second: PathBuf,
        /// The path of the file below its root, in stored form.
        path: String,
    },
    /// A root of one shard is inside a root of another.
    #[error("`{inner}` is inside `{outer}`, and both are roots of shards")]
    NestedRoots {
        /// The inner root, in stored form.
        inner: String,
        /// The outer root, in stored form.
        outer: String,
    },
    /// A copied file differs from the one in its shard.
    #[error("the copy of `{file}` is not as its shard has it; nothing was published")]
    Differs {
        /// The path of the file below its root, in stored form.
        file: String,
    },
    /// A file cannot be looked at or renamed.
    #[error("`{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

command_error! { MergeError passes Store {
    Exists => Usage, "it was left untouched; name a new file, or remove this one";
    Older => Input, "bring it up to date: run `pensieve ingest` into it with this version";
    Unfinished => Input, "run its `pensieve ingest` again to finish it";
    Unsound => Database, "nothing was written; `pensieve verify` lists what is wrong with it";
    Settings => Input, "nothing was written; ingest one of them again with the configuration and the version of the other";
    SameFile => Input, "nothing was written; every file belongs to one shard: `pensieve plan` makes such lists";
    NestedRoots => Input, "nothing was written; ingest both with the same folder as root";
    Differs => Database, "check the shards with `pensieve verify` and merge again";
    Io => Input;
} }
