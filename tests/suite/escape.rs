//! A program that means harm plays a converter and a worker and tries every way out (`examples/escape` of `pensieve-isolate`):
//! nothing gets out, nothing is left over, and an attempt that only an attack makes is a row of `errors`.

use crate::support::{Ran, Workshop, left_out, ran};
use pensieve::cli::ingest_settings;
use pensieve::config::{ConfigSources, load};
use pensieve::ingest;
use pensieve_isolate::process::sandbox_level;
use pensieve_text::model::{Observer, ProgressEvent};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// A user that owns nothing.
const NOBODY: u32 = 65534;

/// Set when the worker's test runs itself again as another user: the path of the program.
const PROGRAM_VARIABLE: &str = "ESCAPE_PROGRAM";

/// What a converter may do: it is a program of the system like any other.
const HARMLESS: &[&str] = &["run-program", "fork", "open-password-file", "open-own-program"];

/// Attempts of a converter whose row in `errors` has another kind than [`FATAL`].
const OVERRUNS: &[(&str, &str)] = &[
    ("fill-heap", "MemoryLimit"),
    ("fill-shared-mapping", "MemoryLimit"),
    ("many-small-files", "OutputLimit"),
    ("many-large-files", "OutputLimit"),
    ("deleted-files", "OutputLimit"),
    ("deep-folders", "OutputLimit"),
    ("closed-folders", "OutputLimit"),
    ("flood-output", "OutputLimit"),
    ("spin", "Timeout"),
];

/// Long enough that a busy machine reaches every other limit first: 4,096 files once took more than five seconds.
const TIMEOUT_SECONDS: u64 = 20;

/// Attempts that end a converter, because nothing but an attack makes them.
const FATAL: &[&str] = &[
    "bpf",
    "change-root",
    "load-module",
    "mount",
    "open-by-handle",
    "open-file-system",
    "read-memory",
    "restart-machine",
    "trace-parent",
    "type-into-streams",
];

/// Attempts that end a worker: a reader computes, and does nothing else.
const FATAL_TO_A_WORKER: &[&str] = &[
    "chmod",
    "create",
    "daemon",
    "fork",
    "memory-file",
    "open-password-file",
    "open-terminal",
    "read-secret",
    "run-program",
    "shared-memory",
    "signal-other",
    "tcp",
    "unix-datagram",
    "user-namespace",
];

/// The program, compiled once a run of the tests.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        if let Some(known) = std::env::var_os(PROGRAM_VARIABLE) {
            return known.into();
        }
        let words = ["build", "--quiet", "--offline", "--workspace", "--example", "escape"];
        let built = Command::new(env!("CARGO")).args(words).current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(built.unwrap().success(), "the program that means harm does not compile");
        Path::new(env!("CARGO_BIN_EXE_pensieve")).parent().unwrap().join("examples/escape")
    })
}

fn attempts() -> Vec<String> {
    let listed = ran(Command::new(program()).arg("--list")).expect(0).stdout;
    listed.lines().map(str::to_owned).collect()
}

/// What the program aims at: files, sockets and a process outside.
struct Bait {
    workshop: Workshop,
    outside: tempfile::TempDir,
    tcp: TcpListener,
    udp: UdpSocket,
    stream: UnixListener,
    datagram: UnixDatagram,
    hidden: UnixListener,
    process: Child,
    before: Vec<String>,
}

impl Bait {
    fn new(owner: Option<u32>) -> Bait {
        let workshop = Workshop::new();
        let outside = tempfile::Builder::new().prefix("outside-").tempdir().unwrap();
        let at = |name: &str| outside.path().join(name);
        fs::write(at("secret"), "the secret").unwrap();
        fs::set_permissions(at("secret"), fs::Permissions::from_mode(0o600)).unwrap();
        let name = format!("pensieve-escape-{}-{}", std::process::id(), outside.path().display());
        let bait = Bait {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            stream: UnixListener::bind(at("stream")).unwrap(),
            datagram: UnixDatagram::bind(at("datagram")).unwrap(),
            hidden: UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap(),
            process: {
                let mut sleep = Command::new("sleep");
                if let Some(owner) = owner {
                    sleep.uid(owner).gid(owner);
                }
                sleep.arg("300").spawn().unwrap()
            },
            before: Vec::new(),
            workshop,
            outside,
        };
        fs::create_dir(bait.workshop.path("tmp")).unwrap();
        if let Some(owner) = owner {
            let places = ["", "tmp", "home", "tree"].map(|name| bait.workshop.path(name));
            let files = ["", "secret", "stream", "datagram"].map(|name| bait.outside.path().join(name));
            places.iter().chain(&files).for_each(|path| chown(path, Some(owner), Some(owner)).unwrap());
        }
        Bait { before: bait.traces(), ..bait }
    }

    /// The document that orders an attempt.
    fn order(&self, name: &str) -> String {
        let at = |name: &str| self.outside.path().join(name).display().to_string();
        let aims = [
            ("secret", at("secret")),
            // Readable to converters, and the user's own.
            ("readable", program().display().to_string()),
            ("outside", self.outside.path().display().to_string()),
            ("process", self.process.id().to_string()),
            ("tcp", self.tcp.local_addr().unwrap().to_string()),
            ("udp", self.udp.local_addr().unwrap().to_string()),
            ("stream", at("stream")),
            ("datagram", at("datagram")),
            (
                "abstract",
                String::from_utf8_lossy(self.hidden.local_addr().unwrap().as_abstract_name().unwrap())
                    .into_owned(),
            ),
        ];
        let aims: Vec<String> = aims.iter().map(|(key, value)| format!("{key}={value}\n")).collect();
        format!("{name}\n{}", aims.concat())
    }

    /// Everything outside that an attempt could have changed.
    fn traces(&self) -> Vec<String> {
        let mut traces = Vec::new();
        let entries = fs::read_dir(self.outside.path()).unwrap().flatten();
        for path in
            entries.map(|entry| entry.path()).chain([self.outside.path().to_owned(), program().to_owned()])
        {
            let found = fs::symlink_metadata(&path).unwrap();
            let facts =
                (found.mode(), found.uid(), found.size(), found.mtime(), found.nlink(), found.ctime());
            traces.push(format!("{} {facts:?}", path.display()));
        }
        traces.sort();
        for list in ["shm", "msg", "sem"] {
            traces.push(fs::read_to_string(format!("/proc/sysvipc/{list}")).unwrap_or_default());
        }
        traces
    }

    /// Fails if anything arrived, changed or stayed.
    fn check(mut self) {
        assert_eq!(self.traces(), self.before);
        self.tcp.set_nonblocking(true).unwrap();
        self.stream.set_nonblocking(true).unwrap();
        self.hidden.set_nonblocking(true).unwrap();
        self.udp.set_nonblocking(true).unwrap();
        self.datagram.set_nonblocking(true).unwrap();
        assert!(self.tcp.accept().is_err() && self.stream.accept().is_err() && self.hidden.accept().is_err());
        assert!(self.udp.recv(&mut [0]).is_err() && self.datagram.recv(&mut [0]).is_err());
        assert!(self.process.try_wait().unwrap().is_none(), "the process outside has ended");
        let left: Vec<_> = fs::read_dir(self.workshop.path("tmp")).unwrap().flatten().collect();
        assert!(left.is_empty(), "private folders are left: {left:?}");
        let others = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&*self.workshop.path("tmp").to_string_lossy())
        });
        assert_eq!(others.count(), 0, "processes are left");
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    /// By attempt: the kind of its row in `errors`, or what the program reported.
    fn outcomes(&self, names: &[String], extension: &str) -> BTreeMap<String, String> {
        let rows = self
            .workshop
            .rows("SELECT relative_path, error_type, error_message FROM errors JOIN files USING(file_id)");
        let mut outcomes = BTreeMap::new();
        for name in names {
            let file = format!("{name}.{extension}");
            let row = rows.iter().find_map(|row| row.strip_prefix(&format!("{file}|")));
            let outcome = row.map_or_else(
                || self.workshop.run(["text", "corpus.db", &file]).expect(0).stdout.trim().to_owned(),
                str::to_owned,
            );
            outcomes.insert(name.clone(), outcome);
        }
        // For people who want to see the whole list.
        if let Some(table) = std::env::var_os("ESCAPE_TABLE") {
            let lines: Vec<String> =
                outcomes.iter().map(|(name, outcome)| format!("{name}\t{outcome}\n")).collect();
            let name = format!("{extension}-{}", fs::metadata(self.workshop.tree()).unwrap().uid());
            fs::write(Path::new(&table).join(name), lines.concat()).unwrap();
        }
        outcomes
    }
}

/// A fork bomb has too many processes, and too much memory if the machine is so busy that these are counted late.
fn check_fork_bomb(outcomes: &BTreeMap<String, String>) {
    let outcome = &outcomes["fork-bomb"];
    assert!(["ProcessLimit|", "MemoryLimit|"].iter().any(|kind| outcome.starts_with(kind)), "{outcome}");
}

fn check_kind(outcomes: &BTreeMap<String, String>, name: &str, kind: &str) {
    assert!(outcomes[name].starts_with(&format!("{kind}|")), "{name}: {}", outcomes[name]);
}

fn check_refused(outcomes: &BTreeMap<String, String>, harmless: &[&str]) {
    let out = outcomes.iter().filter(|(name, outcome)| {
        !outcome.contains('|') && !outcome.starts_with("refused:") && !harmless.contains(&name.as_str())
    });
    assert_eq!(out.collect::<Vec<_>>(), Vec::<(&String, &String)>::new());
}

/// Runs all attempts as a converter, by this user or another, in a terminal.
fn converter(owner: Option<u32>) {
    if !sandbox_level().is_whole() {
        return left_out("a converter that means harm: this kernel has no Landlock 6 or no seccomp");
    }
    let bait = Bait::new(owner);
    let names = attempts();
    names.iter().for_each(|name| bait.workshop.write(format!("{name}.log"), bait.order(name)));
    let settings = format!(
        "[converters]\nlog = \"'{}' {{input}}\"\n[converter_limits]\ntimeout_seconds = {TIMEOUT_SECONDS}\nmemory = \"192 MiB\"\noutput = \"16 MiB\"\n",
        program().display()
    );
    fs::write(bait.workshop.path("escape.toml"), settings).unwrap();
    let mut command = Command::new(program());
    let words = [
        "--terminal",
        env!("CARGO_BIN_EXE_pensieve"),
        "ingest",
        "tree",
        "corpus.db",
        "--config",
        "escape.toml",
    ];
    command.args(words).current_dir(bait.workshop.path("")).env_clear().stdin(Stdio::null());
    command.env("PATH", "/usr/bin:/bin").env("HOME", bait.workshop.path("home"));
    command.env("TMPDIR", bait.workshop.path("tmp")).env("SECRET_TOKEN", "the secret");
    if let Some(owner) = owner {
        command.uid(owner).gid(owner);
    }
    let told = ran(&mut command).expect(0);
    assert!(told.stderr.contains("{\"typed\":0,\"status\":0}"), "{}", told.stderr);
    let outcomes = bait.outcomes(&names, "log");
    check_refused(&outcomes, HARMLESS);
    FATAL.iter().for_each(|name| check_kind(&outcomes, name, "Forbidden"));
    OVERRUNS.iter().for_each(|(name, kind)| check_kind(&outcomes, name, kind));
    check_fork_bomb(&outcomes);
    bait.check();
}

#[test]
fn a_converter_that_means_harm_reaches_nothing() {
    converter(None);
}

#[test]
fn a_converter_of_another_user_reaches_nothing() {
    match rustix::process::getuid().is_root() {
        true => converter(Some(NOBODY)),
        false => left_out("a converter of another user: only root can change users"),
    }
}

struct Silent;

impl Observer for Silent {
    fn on_event(&self, _: &ProgressEvent<'_>) {}
}

/// The worker confines itself as the real one does; its reader is the program that means harm.
#[test]
fn a_worker_that_is_taken_over_reaches_nothing() {
    if !sandbox_level().is_whole() {
        return left_out("a worker that was taken over: this kernel has no Landlock 6 or no seccomp");
    }
    let bait = Bait::new(None);
    let names = attempts();
    // Its limit on time is that of every reader, which the tests of workers check.
    let names: Vec<String> = names.into_iter().filter(|name| name != "spin").collect();
    for name in &names {
        bait.workshop.write(format!("{name}.html"), format!("<!-- {} -->", bait.order(name)));
    }
    let config = load(&ConfigSources::default()).unwrap();
    let mut settings = ingest_settings(&config, &bait.workshop.tree(), &bait.workshop.database());
    settings.worker = [program().as_os_str(), "--worker".as_ref()].map(OsString::from).to_vec();
    let summary = ingest::run(&settings, &Silent).unwrap();
    assert!(!summary.interrupted);
    let outcomes = bait.outcomes(&names, "html");
    check_refused(&outcomes, &[]);
    FATAL.iter().chain(FATAL_TO_A_WORKER).for_each(|name| check_kind(&outcomes, name, "Forbidden"));
    check_kind(&outcomes, "fill-heap", "MemoryLimit");
    check_kind(&outcomes, "flood-output", "OutputLimit");
    bait.check();
}

#[test]
fn a_worker_of_another_user_reaches_nothing() {
    if !rustix::process::getuid().is_root() {
        return left_out("a worker of another user: only root can change users");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "escape::a_worker_that_is_taken_over_reaches_nothing"]).uid(NOBODY).gid(NOBODY);
    command.current_dir(folder.path()).env(PROGRAM_VARIABLE, program()).env("TMPDIR", folder.path());
    let Ran { code, stdout, stderr } = ran(&mut command);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
}

/// A reader, or a library that it uses, may come to open a file or to start a thread: its documents would be lost.
#[test]
fn no_reader_needs_what_its_sandbox_forbids() {
    let workshop = Workshop::new();
    let documents = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/pensieve-readers/tests");
    for isolation in ["auto", "off"] {
        let database = format!("{isolation}.db");
        workshop.run(["ingest", documents, &database, "--isolation", isolation]).expect(0);
    }
    assert_eq!(workshop.fingerprint_of("auto.db"), workshop.fingerprint_of("off.db"));
}

/// Where the kernel has only a part of the sandbox, every run says so, once.
#[test]
fn a_system_without_a_sandbox_is_reported_once_in_a_run() {
    let workshop = Workshop::new();
    (0..20).for_each(|number| workshop.write(format!("{number}.html"), format!("<p>Page {number}.</p>")));
    let mut command = Command::new(program());
    command.args(["--without-landlock", env!("CARGO_BIN_EXE_pensieve"), "ingest", "tree", "corpus.db"]);
    command.current_dir(workshop.path("")).env("HOME", workshop.path("home"));
    let told = ran(&mut command).expect(0);
    let note = "this system confines programs only in part: converters can read and write any file";
    assert_eq!(told.stderr.matches(note).count(), 1, "{}", told.stderr);
    let mut command = Command::new(program());
    command.args(["--without-landlock", env!("CARGO_BIN_EXE_pensieve"), "check-dependencies"]);
    let told = ran(command.current_dir(workshop.path("")).env("HOME", workshop.path("home"))).expect(0);
    assert!(
        told.stdout.contains("[!]") && told.stdout.contains("(Landlock): this system lacks it"),
        "{}",
        told.stdout
    );
    assert_eq!(workshop.rows("SELECT count(*) FROM files WHERE processing_status = 'Processed'"), ["20"]);
}
