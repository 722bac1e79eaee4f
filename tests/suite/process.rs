//! What becomes of converters that misbehave: each mode of `tests/fakes/converter.rs`, run as a converter is run.

#![cfg(unix)]

use pensieve_isolate::converter::{Conversion, ConversionFailure, ConversionResult, convert};
use pensieve_isolate::process::{CommandTemplate, ProcessLimits, sandbox_level};
use pensieve_text::model::ProblemKind;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const LIMITS: ProcessLimits = ProcessLimits {
    wall: Duration::from_secs(20),
    cpu: Some(Duration::from_secs(10)),
    memory: 256 << 20,
    output: 4 << 20,
};

/// The fake, compiled once a run of the tests.
fn fake() -> &'static Path {
    static FAKE: OnceLock<PathBuf> = OnceLock::new();
    FAKE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fakes");
        fs::create_dir_all(&folder).unwrap();
        // Made under a name of its own and renamed: nobody runs what another run of the tests is writing.
        let fresh = folder.join(format!("converter-{}", std::process::id()));
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fakes/converter.rs");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let status = Command::new(rustc).args(["--edition", "2024", "-o"]).arg(&fresh).arg(source).status();
        assert!(status.unwrap().success(), "the fake converter does not compile");
        let program = folder.join("converter");
        fs::rename(&fresh, &program).unwrap();
        program
    })
}

/// Runs the fake in a mode on a file with a name that means harm; the file must stay as it is.
fn converted(mode: &str, limits: ProcessLimits) -> Result<ConversionResult, ConversionFailure> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("--lua-filter=x\n'$(id)'.lua");
    fs::write(&path, "page one\u{c}page two\u{c}").unwrap();
    let before = fs::metadata(&path).unwrap();
    let template = CommandTemplate::parse(&format!("'{}' {mode} {{input}}", fake().display())).unwrap();
    let conversion =
        Conversion { template: &template, program: fake(), extension: "pdf", limits, is_ocr: false };
    let result = convert(&File::open(&path).unwrap(), &conversion, &|| false);
    let after = fs::metadata(&path).unwrap();
    assert_eq!((before.ctime(), before.ctime_nsec()), (after.ctime(), after.ctime_nsec()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    result
}

fn check_text(mode: &str, expected: &str) {
    match converted(mode, LIMITS) {
        Ok(done) => assert_eq!(done.document.text.text, expected, "{mode}"),
        Err(failure) => panic!("{mode}: {failure}"),
    }
}

fn check_failure(mode: &str, limits: ProcessLimits, kind: ProblemKind, words: &str) {
    let started = Instant::now();
    let problem = converted(mode, limits).unwrap_err().problem();
    assert_eq!(problem.kind, kind, "{mode}: {}", problem.message);
    assert!(problem.message.contains(words), "{mode}: {}", problem.message);
    assert!(started.elapsed() < Duration::from_secs(10), "{mode} took {:?}", started.elapsed());
}

/// Numbers of the living processes whose command line holds a word.
fn living(word: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let says = |pid: &String| {
        fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(word))
    };
    pids.filter(|pid| pid.parse::<u32>().is_ok() && pid != "self").filter(says).collect()
}

fn check_nobody_left(mode: &str, limits: ProcessLimits) {
    let marker = format!("marker-{mode}-{}-", std::process::id());
    let started = Instant::now();
    let result = converted(&format!("{mode} {marker}"), limits);
    assert!(started.elapsed() < Duration::from_secs(10), "{mode} took {:?}", started.elapsed());
    assert_eq!(living(&marker), Vec::<String>::new(), "{mode} left somebody; it ended with {result:?}");
}

#[test]
fn good_converters_are_read_whole() {
    check_text("cat", "page one\u{c}page two\u{c}");
    check_text("stdin", "0 bytes\n");
    let places = converted("cat", LIMITS).unwrap().document.text.places.0;
    assert_eq!(
        places.iter().map(|(_, place)| place.to_json()).collect::<Vec<_>>(),
        ["{\"page\":1}", "{\"page\":2}"]
    );
}

#[test]
fn arguments_arrive_as_they_are_and_the_name_of_the_file_does_not() {
    let text = converted("argv '$HOME' \"a b\" --x={input}", LIMITS).unwrap().document.text.text;
    let words: Vec<&str> = text.lines().collect();
    assert_eq!(words[..3], ["argv", "$HOME", "a b"]);
    // The path of the copy differs in every run, and what a program writes is stored.
    assert_eq!(words[3..], ["--x={input}", "{input}"]);
}

#[test]
fn work_happens_in_a_private_folder() {
    let text = converted("where", LIMITS).unwrap().document.text.text;
    let (folder, temporary) = text.trim_end().split_once('\n').unwrap();
    assert_eq!((folder, temporary), ("{folder}", "{folder}"));
}

#[test]
fn noise_on_stderr_is_no_failure_and_its_ends_are_kept() {
    let done = converted("noisy", LIMITS).unwrap();
    assert_eq!(done.document.text.text, "text\n");
    assert!(
        done.log.starts_with("first words") && done.log.ends_with("last words\n") && done.log.len() < 9000
    );
}

#[test]
fn ends_are_told_apart() {
    use ProblemKind::*;
    check_failure("exit 3", LIMITS, ExtractionFailed, "ended with status 3: cannot read {input}");
    check_failure("silent", LIMITS, ExtractionFailed, "wrote nothing");
    check_failure("signal 11", LIMITS, Crashed, "signal 11");
    check_failure("signal 9", LIMITS, Crashed, "signal 9");
    check_failure("flood", LIMITS, OutputLimit, "4194304 bytes");
    check_failure("flood-file", LIMITS, OutputLimit, "4194304 bytes");
}

#[test]
fn time_is_up_for_whoever_is_there() {
    let short = ProcessLimits { wall: Duration::from_millis(500), ..LIMITS };
    let timeout = ProblemKind::Timeout;
    check_failure("slow", short, timeout, "longer than 0.5 s; raise `converter_limits.timeout_seconds`");
    check_failure("stubborn", short, timeout, "");
    check_failure("flood-stderr", short, timeout, "");
    check_failure("daemon-slow", short, timeout, "");
    check_failure(
        "busy",
        ProcessLimits { cpu: Some(Duration::from_secs(1)), ..LIMITS },
        timeout,
        "longer than 1 s",
    );
}

#[test]
fn memory_is_limited_for_one_process_and_for_all() {
    check_text("eat 100", "ate 100\n");
    check_failure("eat 1000", LIMITS, ProblemKind::MemoryLimit, "268435456 bytes");
    if cfg!(target_os = "linux") {
        check_failure("eat-together 800", LIMITS, ProblemKind::MemoryLimit, "268435456 bytes");
    }
}

#[test]
fn whoever_holds_the_pipe_keeps_nobody_waiting() {
    check_nobody_left("holder", LIMITS);
    check_text("holder", "text\n");
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_is_left_behind() {
    let short = ProcessLimits { wall: Duration::from_millis(500), ..LIMITS };
    check_nobody_left("daemon", LIMITS);
    check_nobody_left("daemons", LIMITS);
    check_nobody_left("daemon-slow", short);
    check_nobody_left("stubborn", short);
    check_nobody_left("hopper", LIMITS);
}

#[cfg(target_os = "linux")]
#[test]
fn conversions_side_by_side_do_not_end_each_other() {
    fake();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| check_text("daemon", "text\n"));
            scope.spawn(|| check_failure("exit 5", LIMITS, ProblemKind::ExtractionFailed, "status 5"));
        }
    });
}

#[test]
fn where_the_kernel_helps_nothing_is_written_and_nobody_is_called() {
    let level = sandbox_level();
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    fs::write(&target, "mine").unwrap();
    check_text("write inside", "written\n");
    if level.read_only {
        check_text(&format!("write {}", target.display()), "PermissionDenied\n");
        check_text(&format!("write {}/new", outside.path().display()), "PermissionDenied\n");
        assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
        assert!(!outside.path().join("new").exists());
    }
    if level.no_network {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        check_text(&format!("connect {}", listener.local_addr().unwrap()), "PermissionDenied\n");
    }
}
