//! Exit codes, messages and hints.

use super::*;
use crate::config::{ConfigError, ConverterFault, Origin, ValueKind};
use crate::export::ExportError;
use crate::ingest::IngestError;
use crate::ragmd::RagMdError;
use crate::shards::{MergeError, PlanError};
use pensieve_collect::{CollectError, DatabaseError, ManifestError};
use pensieve_serve::mcp::McpError;
use pensieve_serve::serve::ServeError;
use pensieve_store::embedding::{EmbedError, Endpoint};
use pensieve_store::exit::EXIT_CODES;
use pensieve_store::retrieval::{PackError, PackFormat};
use pensieve_store::scan::ScanError;
use pensieve_store::store::StoreError;
use pensieve_text::model::ProblemKind;

#[test]
fn the_table_has_every_exit_once_with_the_codes_of_the_contract() {
    let codes: Vec<u8> = EXIT_CODES.iter().map(|(_, code, _)| *code).collect();
    assert_eq!(codes, [0, 1, 2, 3, 4, 5, 70, 130]);
    for (exit, code, _) in EXIT_CODES {
        assert_eq!(exit.code(), *code);
    }
}

fn check(failure: impl Into<Failure>, code: u8, message: &str) {
    let failure = failure.into();
    assert_eq!((failure.exit().code(), failure.message().as_str()), (code, message));
}

#[test]
fn every_failure_has_its_code_and_its_cure() {
    let path = PathBuf::from("corpus.db");
    check(
        StoreError::Locked { path: path.clone() },
        5,
        concat!(
            "error: cannot open `corpus.db`: locked by another run\n",
            "hint: wait until the other run has ended, or stop it; nothing was written\n",
        ),
    );
    check(
        StoreError::Missing { path: path.clone() },
        4,
        concat!("error: no database at `corpus.db`\n", "hint: make one with `pensieve ingest <DIR> <DB>`\n",),
    );
    check(
        IngestError::Store(StoreError::Full { path: path.clone() }),
        5,
        concat!(
            "error: no space left for `corpus.db`: what is committed stays, the next run goes on from there\n",
            "hint: free some space and run the same command again\n",
        ),
    );
    check(
        IngestError::NotAFolder { path: "a.txt".into() },
        4,
        concat!(
            "error: `a.txt` is not a folder\n",
            "hint: pensieve ingests folders: give the folder that contains it\n",
        ),
    );
    check(
        IngestError::Settings("chunk_overlap 300 is too much".into()),
        3,
        "error: chunk_overlap 300 is too much\n",
    );
    check(ScanError::Missing { path: "no\nwhere".into() }, 4, "error: `no\\nwhere` does not exist\n");
    check(
        Failure::Exists { path: "pensieve.toml".into() },
        2,
        concat!("error: `pensieve.toml` exists already\n", "hint: use --force to overwrite it\n",),
    );
    check(
        ConfigError::CleanNotKept { at: Origin::BuiltIn },
        3,
        "error: built-in default: `store.keep` must have \"clean\": the chunks point into that text\n",
    );
    check(
        Failure::Bug { message: "index 3 of 2".into(), place: "src/x.rs:1:2".into() },
        70,
        concat!(
            "error: index 3 of 2 (src/x.rs:1:2); this is a bug in pensieve ",
            env!("CARGO_PKG_VERSION"),
            "\nhint: please report it with the command that you ran; RUST_BACKTRACE=1 shows more\n",
        ),
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    check(io::Error::from(io::ErrorKind::BrokenPipe), 0, "");
    assert_eq!(Failure::from(io::Error::other("no space")).exit(), Exit::Input);
}

/// The exit code and the beginning of the hint; an empty one stands for none.
fn check_cure(failure: impl Into<Failure>, code: u8, cure: &str) {
    let failure = failure.into();
    let hint = failure.hint().unwrap_or_default();
    assert_eq!(failure.exit().code(), code, "{failure}");
    assert!(hint.starts_with(cure) && hint.is_empty() == cure.is_empty(), "{failure}: {hint}");
}

fn broken() -> io::Error {
    io::Error::other("broken")
}

#[test]
fn what_a_database_refuses_has_a_cure() {
    let path = PathBuf::from("a.db");
    let reason = String::from("x");
    check_cure(StoreError::NoFolder { path: path.clone() }, 5, "create the folder first");
    check_cure(StoreError::Folder { path: path.clone() }, 5, "a database is a file");
    check_cure(StoreError::Foreign { path: path.clone() }, 5, "it was left untouched; choose another path");
    check_cure(
        StoreError::Newer { path: path.clone(), found: 9, known: 8 },
        5,
        "it was left untouched; use the version",
    );
    check_cure(StoreError::Altered { path: path.clone(), object: "x".into() }, 5, "such objects can run");
    check_cure(
        StoreError::ReadOnly { path: path.clone(), reason: reason.clone() },
        5,
        "make the file and its folder writable",
    );
    check_cure(StoreError::InputOutput { path: path.clone(), reason }, 5, "check the disk");
    check_cure(StoreError::Empty { path: path.clone() }, 5, "run `pensieve ingest` into it");
    check_cure(StoreError::Unfinished { path: path.clone(), run: None }, 5, "wait for the run");
    check_cure(StoreError::NoRun { path: path.clone(), run: 3, last: 2 }, 2, "pass `0`");
    check_cure(StoreError::NoSearch { path: path.clone() }, 5, "set `store.fts = true`");
    check_cure(
        StoreError::Damaged { path: path.clone(), detail: "x".into() },
        5,
        "ingest into a new database",
    );
    check_cure(StoreError::Interrupted { path: path.clone() }, 5, "");
    check_cure(StoreError::Io { path, source: broken() }, 5, "");
}

#[test]
fn what_a_run_refuses_has_a_cure() {
    let missing = || StoreError::Missing { path: "a.db".into() };
    let raw = |version: Option<&str>, stored: &[&str]| IngestError::NoRawText {
        files: vec!["a.txt".into()],
        count: 1,
        version: version.map(str::to_owned),
        stored: stored.iter().map(|&name| name.to_owned()).collect(),
    };
    check_cure(IngestError::Input { path: "a".into(), source: broken() }, 4, "");
    check_cure(
        IngestError::Overlap { new: "a/b".into(), known: "a".into() },
        4,
        "ingest it into another database",
    );
    check_cure(IngestError::UnknownRoot { path: "a".into() }, 4, "`pensieve stats` lists the roots");
    check_cure(
        IngestError::MassDeletion { root: "a".into(), deleted: 9, known: 10 },
        4,
        "see that the disk is mounted",
    );
    check_cure(
        IngestError::MassFailure { format: "pdf".into(), failed: 30, all: 40 },
        4,
        "see `pensieve errors`",
    );
    check_cure(raw(None, &[]), 4, "`pensieve ingest` reads the sources again");
    check_cure(raw(Some("raw_v0"), &["raw_v1"]), 4, "give --raw-version one of the stored versions: raw_v1");
    check_cure(raw(Some("raw_v0"), &[]), 4, "");
    let version = |version: &str, stored: &[&str]| IngestError::NoSuchVersion {
        version: version.into(),
        stored: stored.iter().map(|&name| name.to_owned()).collect(),
    };
    check_cure(
        version("clean_v0", &["clean_v1"]),
        4,
        "stored are clean_v1; `pensieve clean --version clean_v0` makes it",
    );
    check_cure(version("clean_v0", &[]), 4, "`pensieve clean --version clean_v0` makes it");
    check_cure(version("x", &[]), 4, "");
    check_cure(IngestError::Start(broken()), 70, "");
    check_cure(IngestError::Store(missing()), 4, "make one with");
    check_cure(MergeError::Exists { path: "a.db".into() }, 2, "it was left untouched; name a new file");
    check_cure(MergeError::Older { path: "a.db".into(), found: 7, known: 8 }, 4, "bring it up to date");
    check_cure(
        MergeError::Unfinished { path: "a.db".into(), reason: "x".into() },
        4,
        "run its `pensieve ingest` again",
    );
    let two = || (PathBuf::from("a.db"), PathBuf::from("b.db"));
    let (first, second) = two();
    check_cure(
        MergeError::Settings { first, second, difference: "x".into() },
        4,
        "nothing was written; ingest one",
    );
    let (first, second) = two();
    check_cure(
        MergeError::SameFile { first, second, path: "x".into() },
        4,
        "nothing was written; every file",
    );
    check_cure(
        MergeError::NestedRoots { inner: "a/b".into(), outer: "a".into() },
        4,
        "nothing was written; ingest both",
    );
    check_cure(MergeError::Differs { file: "x".into() }, 5, "check the shards");
    check_cure(MergeError::Io { path: "a.db".into(), source: broken() }, 4, "");
    check_cure(MergeError::Store(missing()), 4, "make one with");
    check_cure(PlanError::Inside { out: "a/b".into(), root: "a".into() }, 2, "name a new folder");
    check_cure(PlanError::NotEmpty { out: "a".into() }, 2, "name a new folder");
    check_cure(PlanError::OtherPlan { path: "a".into(), other: "b".into() }, 2, "");
    check_cure(PlanError::SamePart { path: "a".into(), part: 1 }, 2, "");
    check_cure(PlanError::MissingPart { part: 1, parts: 2 }, 2, "");
    check_cure(PlanError::NoPart { path: "a".into(), line: 1 }, 4, "");
    check_cure(PlanError::Unwritable { path: "a".into(), source: broken() }, 4, "");
}

#[test]
fn what_a_service_or_a_collection_refuses_has_a_cure() {
    let missing = || StoreError::Missing { path: "a.db".into() };
    check_cure(EmbedError::Store(missing()), 4, "make one with");
    check_cure(EmbedError::Stopped, 130, "");
    check_cure(ExportError::Store(missing()), 4, "make one with");
    check_cure(ExportError::Occupied { path: "a".into() }, 2, "it was left untouched; give --out a folder");
    check_cure(ExportError::Busy { path: "a".into() }, 4, "wait until it has ended");
    check_cure(ExportError::Unwritable { path: "a".into(), source: broken() }, 4, "");
    check_cure(ExportError::Interrupted, 130, "");
    let address = "0.0.0.0:80".parse().unwrap();
    check_cure(ServeError::Exposed { address }, 2, "give a --token-file");
    check_cure(ServeError::BadToken { origin: "--token".to_owned() }, 2, "use one line of letters");
    check_cure(ServeError::Bind { address, source: broken() }, 4, "choose another port");
    check_cure(ServeError::Start(broken()), 70, "");
    check_cure(ServeError::Store(missing()), 4, "make one with");
    check_cure(McpError::Store(missing()), 4, "make one with");
    check_cure(McpError::Start(broken()), 70, "");
    check_cure(CollectError::Source { path: "a".into(), source: broken() }, 4, "");
    check_cure(CollectError::NoTexts { works: 2, first: "x".into() }, 4, "check the numbers in the manifest");
    check_cure(CollectError::Unsound { path: "a".into(), what: "x".into() }, 70, "");
    let database = |error: DatabaseError| CollectError::Database(error);
    check_cure(database(DatabaseError::Store(missing())), 4, "make one with");
    check_cure(
        database(DatabaseError::Occupied { path: "a.db".into(), root: "x".into() }),
        5,
        "it was left untouched; give --db",
    );
    check_cure(database(DatabaseError::Raw { path: "a".into(), what: "x".into() }), 4, "");
    check_cure(RagMdError::Interrupted, 130, "");
    check_cure(RagMdError::PandocNotFound, 3, "install pandoc");
    let model = |known: &[&str]| Failure::NoSuchModel {
        model: "x".into(),
        database: "a.db".into(),
        known: known.iter().map(|&name| name.to_owned()).collect(),
    };
    check_cure(model(&[]), 4, "`pensieve embed` makes vectors");
    check_cure(model(&["words"]), 4, "it has words");
    let root = |known: &[&str]| Failure::NoSuchRoot {
        root: "x".into(),
        database: "a.db".into(),
        known: known.iter().map(|&name| name.to_owned()).collect(),
    };
    check_cure(root(&[]), 4, "");
    check_cure(root(&["/a"]), 4, "it has /a");
    check_cure(
        Failure::Ambiguous { file: "a".into(), candidates: vec!["b/a".into()] },
        4,
        "give more of the path",
    );
    check_cure(
        Failure::NoText { file: "a".into(), what: "x".into(), reason: "y".into() },
        4,
        "see `pensieve why`",
    );
    check_cure(Failure::Unwritable { path: "a".into(), source: broken() }, 4, "");
    check_cure(Failure::Unreadable { path: "a".into(), source: broken() }, 4, "");
}

#[test]
fn what_a_configuration_gets_wrong_has_a_cure() {
    let at = Origin::BuiltIn;
    let named = || Origin::Flag { name: "--chunk-overlap" };
    let key = || String::from("scan.x");
    let overlap = |at: Origin| ConfigError::Overlap {
        at,
        key: "chunk_overlap",
        overlap: 9,
        size_key: "chunk_size",
        size: 10,
        size_at: Origin::BuiltIn,
    };
    check_cure(ConfigError::Unreadable { path: "a".into(), source: broken() }, 3, "");
    check_cure(ConfigError::Syntax { at: at.clone(), message: "x".into() }, 3, "`pensieve init -` prints");
    check_cure(
        ConfigError::UnknownKey { at: at.clone(), key: key(), nearest: "y".into() },
        3,
        "`pensieve init -` prints",
    );
    check_cure(
        ConfigError::WrongValue { at: at.clone(), key: key(), expected: ValueKind::Flag, found: "3".into() },
        3,
        "`pensieve init -` prints",
    );
    check_cure(ConfigError::UserOnly { at: at.clone(), key: key() }, 3, "it belongs into ~/.config");
    check_cure(ConfigError::NotATable { at: at.clone(), key: key(), found: "3".into() }, 3, "");
    check_cure(
        ConfigError::Untrusted { at: at.clone(), key: key(), file: "a/p.toml".into(), folder: "a".into() },
        3,
        "if you trust it, name it with `--config a/p.toml`, or list \"a\" under `trusted`",
    );
    let fault = ConverterFault::NoExtension { extension: ".x".into() };
    check_cure(
        ConfigError::Converter { at: at.clone(), extension: ".x".into(), fault },
        3,
        "see `pensieve check-dependencies`",
    );
    check_cure(overlap(Origin::BuiltIn), 3, "set chunk_overlap too");
    check_cure(overlap(named()), 3, "lower it, or raise chunk_size");
    check_cure(
        ConfigError::LimitDoesNotFit {
            at: at.clone(),
            memory: 9,
            max_memory: 8,
            max_at: Origin::BuiltIn,
            share: 4,
        },
        3,
        "raise max_memory or lower converter_limits.memory",
    );
    check_cure(
        ConfigError::Embedding { at, key: "embedding.model", fault: "is empty".into() },
        3,
        "set `endpoint` and `model` under [embedding]",
    );
}

#[test]
fn what_a_service_for_vectors_refuses_has_a_cure() {
    let endpoint = || Endpoint::parse("http://127.0.0.1:8080/v1").unwrap();
    let reason = || String::from("x");
    check_cure(
        EmbedError::Refused { endpoint: endpoint(), status: 401, reason: reason() },
        3,
        "set the environment variable",
    );
    check_cure(
        EmbedError::WrongAddress { endpoint: endpoint(), reason: reason() },
        3,
        "check `embedding.endpoint`",
    );
    check_cure(EmbedError::Unavailable { endpoint: endpoint(), reason: reason() }, 4, "see that it runs");
    check_cure(
        EmbedError::Unusable { endpoint: endpoint(), reason: reason() },
        4,
        "see what the service logs",
    );
}

#[test]
fn what_other_commands_refuse_has_a_cure() {
    let missing = || StoreError::Missing { path: "a.db".into() };
    let small = PackError::SmallBudget { budget: 3, needed: 20, format: PackFormat::Json };
    check_cure(small, 2, "give at least 20, and some hundreds");
    check_cure(PackError::Store(missing()), 4, "make one with");
    check_cure(McpError::Protocol("x".into()), 4, "a client of the Model Context Protocol");
    let path = || PathBuf::from("a.toml");
    check_cure(ManifestError::Unreadable { path: path(), source: broken() }, 4, "docs/collections.md");
    check_cure(ManifestError::Form { path: path(), line: 3, message: "x".into() }, 3, "docs/collections.md");
    check_cure(CollectError::Unwritable { path: path(), source: broken() }, 4, "");
    check_cure(CollectError::Database(DatabaseError::Pack(broken())), 4, "");
    check_cure(RagMdError::NotFound { path: path() }, 4, "");
    check_cure(RagMdError::Start { source: broken() }, 70, "");
    let locked = Problem::new(ProblemKind::Encrypted, "x");
    check_cure(RagMdError::Document { path: path(), problem: locked }, 4, "save a copy without a password");
    let broken_file = || Problem::new(ProblemKind::Io, "x");
    check_cure(RagMdError::Document { path: path(), problem: broken_file() }, 4, "");
    check_cure(Failure::UnreadableDocument { path: path(), problem: broken_file() }, 4, "");
    check_cure(
        Failure::NoSuchFile { file: "a".into(), database: "a.db".into(), hint: "give b".into() },
        4,
        "give b",
    );
    check_cure(Failure::Usage { message: "x".into(), hint: "leave --y out".into() }, 2, "leave --y out");
    check_cure(IngestError::Scan(ScanError::Missing { path: "a".into() }), 4, "");
    check_cure(io::Error::other("x"), 4, "");
}
