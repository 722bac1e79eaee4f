//! A workshop for one test: a folder of its own, the program with a clean environment, and the database as rows.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A temporary folder with a tree to read, a database beside it, and a home without any configuration.
pub struct Workshop {
    folder: tempfile::TempDir,
}

/// What a command left behind.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; `None` after a signal.
    pub code: Option<i32>,
    /// Data.
    pub stdout: String,
    /// Talk.
    pub stderr: String,
}

impl Ran {
    /// Fails unless the command ended with this exit code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The JSON object on stdout.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Texts of one word, repeated so often that looking for a phrase of it takes minutes.
const REPEATED_WORDS: &str = "
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
    INSERT INTO chunks(content_hash, content, estimated_tokens, tokenizer_model)
        SELECT printf('%064x', i), i || ' ' || replace(hex(zeroblob(1000)), '00', 'w '), 1000, 'cl100k_base' FROM n;
    INSERT INTO chunk_sources(chunk_id, file_id, start_index, end_index, chunking_strategy)
        SELECT c.chunk_id, (SELECT min(file_id) FROM files), 0, 1, 'Recursive_512_50'
        FROM chunks c WHERE c.content LIKE '% w %';
    INSERT INTO chunks_fts(chunks_fts) VALUES('rebuild');";

impl Workshop {
    pub fn new() -> Workshop {
        Workshop::in_folder(tempfile::Builder::new().prefix("pensieve-suite-").tempdir().unwrap())
    }

    /// A workshop whose path has always as many tokens: numbers of two digits are one token in every tokenizer.
    pub fn of_constant_path_tokens() -> Workshop {
        loop {
            let random = RandomState::new().hash_one(0);
            let numbers: String =
                random.to_be_bytes()[..4].iter().map(|byte| format!("-{:02}", byte % 100)).collect();
            let folder = tempfile::Builder::new()
                .prefix(&format!("pensieve{numbers}"))
                .rand_bytes(0)
                .tempdir_in("/tmp");
            match folder {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                folder => return Workshop::in_folder(folder.unwrap()),
            }
        }
    }

    fn in_folder(folder: tempfile::TempDir) -> Workshop {
        let workshop = Workshop { folder };
        fs::create_dir(workshop.tree()).unwrap();
        fs::create_dir(workshop.path("home")).unwrap();
        workshop
    }

    /// A path beside the tree.
    pub fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.folder.path().join(name.as_ref())
    }

    /// The folder that is read.
    pub fn tree(&self) -> PathBuf {
        self.path("tree")
    }

    /// The database that is written.
    pub fn database(&self) -> PathBuf {
        self.path("corpus.db")
    }

    /// Writes a file of the tree, and the folders that it needs.
    pub fn write(&self, name: impl AsRef<OsStr>, bytes: impl AsRef<[u8]>) {
        let path = self.tree().join(name.as_ref());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Takes a file of the tree away.
    pub fn remove(&self, name: impl AsRef<OsStr>) {
        fs::remove_file(self.tree().join(name.as_ref())).unwrap();
    }

    /// Gives a file of the tree another name.
    pub fn rename(&self, from: &str, to: &str) {
        let to = self.tree().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(self.tree().join(from), to).unwrap();
    }

    /// The program in the folder of the workshop; its environment holds nothing but where programs and the home are.
    pub fn command<W: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pensieve"));
        command.args(words).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.path("home")).env("XDG_CONFIG_HOME", self.path("home/.config"));
        command.env("TMPDIR", std::env::temp_dir());
        command
    }

    /// Runs the program to its end.
    pub fn run<W: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Ran {
        ran(&mut self.command(words))
    }

    /// The words of an ingest of the tree with these flags.
    pub fn words(&self, flags: &[&str]) -> Vec<String> {
        let mut words = vec!["ingest".to_owned(), "tree".to_owned(), "corpus.db".to_owned()];
        words.extend(flags.iter().map(|&flag| flag.to_owned()));
        words
    }

    /// Makes `tool.sh` of this body the converter of `.log` files, for a run with `--config tool.toml`. Asked for its
    /// version it answers at once, because every run asks.
    pub fn install_tool(&self, body: &str) {
        let tool = self.path("tool.sh");
        let version = "[ \"$1\" = --version ] && { echo tool 1.0; exit 0; }";
        fs::write(&tool, format!("#!/bin/sh\n{version}\n{body}\n")).unwrap();
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
        let text = format!("[converters]\nlog = \"{} {{input}}\"\n", tool.display());
        fs::write(self.path("tool.toml"), text).unwrap();
    }

    /// Ingests the tree; the summary.
    #[track_caller]
    pub fn ingest(&self, flags: &[&str]) -> serde_json::Value {
        let mut words = self.words(flags);
        words.push("--json".to_owned());
        self.run(words).expect(0).json()
    }

    /// Ingests another folder of the workshop into the same database; the summary.
    #[track_caller]
    pub fn ingest_root(&self, root: &str, flags: &[&str]) -> serde_json::Value {
        self.run(["ingest", root, "corpus.db", "--json"].iter().chain(flags)).expect(0).json()
    }

    /// Adds texts of one word, repeated so often that the returned query takes minutes.
    #[track_caller]
    pub fn add_a_slow_search(&self) -> String {
        Connection::open(self.database()).unwrap().execute_batch(REPEATED_WORDS).unwrap();
        format!("\"{}w\"", "w ".repeat(200))
    }

    /// Fails unless `verify` finds nothing.
    #[track_caller]
    pub fn verify(&self) {
        self.run(["verify", "corpus.db"]).expect(0);
    }

    /// The fingerprint of a database of the workshop.
    #[track_caller]
    pub fn fingerprint_of(&self, database: &str) -> String {
        let printed = self.run(["fingerprint", database]).expect(0).stdout;
        let digits = printed.strip_suffix('\n').unwrap();
        assert!(digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit()), "{printed:?}");
        digits.to_owned()
    }

    /// The fingerprint of the database.
    #[track_caller]
    pub fn fingerprint(&self) -> String {
        self.fingerprint_of("corpus.db")
    }

    /// Ingests the tree into a new database, `clean.db`; its fingerprint.
    #[track_caller]
    pub fn clean_fingerprint(&self, flags: &[&str]) -> String {
        let clean = self.path("clean.db");
        let _ = fs::remove_file(&clean);
        self.run(["ingest", "tree", "clean.db"].iter().chain(flags)).expect(0);
        self.fingerprint_of("clean.db")
    }

    /// The database, for reading.
    pub fn corpus(&self) -> Connection {
        open(&self.database())
    }

    /// The rows that a query gives, as text.
    #[track_caller]
    pub fn rows(&self, query: &str) -> Vec<String> {
        rows(&self.corpus(), query)
    }

    /// The one value that a query gives, as text.
    #[track_caller]
    pub fn one(&self, query: &str) -> String {
        let rows = self.rows(query);
        assert_eq!(rows.len(), 1, "{query}: {rows:?}");
        rows.into_iter().next().unwrap()
    }

    /// The columns of one file's row, as text.
    #[track_caller]
    pub fn file(&self, name: &str, columns: &str) -> String {
        self.one(&format!("SELECT {columns} FROM files WHERE relative_path = '{}'", name.replace('\'', "''")))
    }

    /// What a file's row became: its status, and the kinds of its open problems.
    #[track_caller]
    pub fn fate(&self, name: &str) -> String {
        self.file(
            name,
            "processing_status, (SELECT group_concat(error_type) FROM errors e WHERE e.file_id = files.file_id)",
        )
    }

    /// Every row of every table but `runs`: what a run that has nothing to do leaves alone.
    pub fn dump(&self) -> BTreeSet<String> {
        let corpus = self.corpus();
        let tables = rows(
            &corpus,
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('runs', 'sqlite_sequence', 'meta')",
        );
        let lines = |table: &String| {
            let all = rows(&corpus, &format!("SELECT * FROM \"{table}\""));
            all.into_iter().map(|row| format!("{table}|{row}")).collect::<Vec<_>>()
        };
        tables.iter().flat_map(lines).collect()
    }
}

/// The files at any depth below a folder, sorted.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

/// Runs a command to its end.
pub fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Opens a database to look into it; whoever opens what a killed run left behind must be able to roll it back.
pub fn open(path: &Path) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let connection = Connection::open_with_flags(path, flags).unwrap();
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    connection
}

/// The rows that a query gives, columns joined by `|`; blobs in hex, NULL as nothing.
#[track_caller]
pub fn rows(connection: &Connection, query: &str) -> Vec<String> {
    let mut statement = connection.prepare(query).unwrap_or_else(|error| panic!("{query}: {error}"));
    let columns = statement.column_count();
    let mut found = statement.query([]).unwrap();
    let mut lines = Vec::new();
    while let Some(row) = found.next().unwrap_or_else(|error| panic!("{query}: {error}")) {
        let fields: Vec<String> = (0..columns).map(|at| field(row.get_ref(at).unwrap())).collect();
        lines.push(fields.join("|"));
    }
    lines
}

fn field(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
        ValueRef::Blob(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// Starts a command whose talk nobody hears.
pub fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Ends a process at once.
pub fn kill(mut child: Child) -> Option<i32> {
    let _ = child.kill();
    child.wait().unwrap().code()
}

/// Asks a process to end, as Ctrl-C does, and waits for it.
pub fn interrupt(child: Child) -> Option<i32> {
    end_by(child, rustix::process::Signal::INT)
}

/// Asks a process to end, as service managers do, and waits for it.
pub fn terminate(child: Child) -> Option<i32> {
    end_by(child, rustix::process::Signal::TERM)
}

fn end_by(mut child: Child, signal: rustix::process::Signal) -> Option<i32> {
    let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&child), signal);
    child.wait().unwrap().code()
}

/// Times of the tree lie far enough back that no run takes a file for racily clean.
pub fn settle() {
    std::thread::sleep(Duration::from_millis(60));
}

/// How long something takes.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed())
}

/// The commands that the help of the program names: those of its groups, then the others.
pub fn commands_of(help: &str) -> Vec<&str> {
    let lines = || help.lines().take_while(|line| *line != "Options:");
    let listed = lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let others = lines().filter_map(|line| line.strip_prefix("More: ")).flat_map(|names| names.split(", "));
    listed.map(|(name, _)| name).filter(|name| !name.is_empty()).chain(others).collect()
}

/// Says that something was left out, past the capture of the test harness, and notes it for the list at the end of
/// `scripts/test`.
pub fn left_out(what: &str) {
    let _ = writeln!(std::io::stderr(), "left out: {what}");
    if let Some(list) = std::env::var_os("TESTS_LEFT_OUT")
        && let Ok(mut list) = fs::OpenOptions::new().append(true).create(true).open(list)
    {
        let _ = writeln!(list, "{what}");
    }
}

/// How often a random test is repeated: `usual` times, multiplied by `TEST_ROUNDS`.
pub fn rounds(usual: usize) -> usize {
    let factor = std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    usual * factor
}

/// The seed of all that is random in this run of the suite.
pub fn seed() -> u64 {
    std::env::var("TEST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Runs one case of a random test; if it fails, its seed is told.
pub fn with_seed(seed: u64, case: impl FnOnce(&mut Dice)) {
    let report = SeedReport(seed);
    case(&mut Dice::new(seed));
    drop(report);
}

/// Names the seed of a case that panics.
struct SeedReport(u64);

impl Drop for SeedReport {
    fn drop(&mut self) {
        if std::thread::panicking() {
            left_out(&format!("the rest of the case with seed {}, which failed", self.0));
        }
    }
}

/// A small generator of random numbers (SplitMix64), the same on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}
