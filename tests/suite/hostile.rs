//! Trees that mean harm, or change while they are read: each bad file costs one row of `errors`, never the run.

use crate::audit::audit;
use crate::support::{Ran, Workshop, left_out, ran, start};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A user that owns nothing.
const NOBODY: u32 = 65534;

#[test]
fn names_that_hold_anything_become_rows() {
    let workshop = Workshop::new();
    let names: &[(&[u8], &str)] = &[
        (b"new\nline.txt", "new\nline.txt"),
        (b"esc\x1b[31mred\x07.txt", "esc\x1b[31mred\x07.txt"),
        (b"caf\xe9.txt", "caf\\xe9.txt"),
        (b"\xff\xfe.md", "\\xff\\xfe.md"),
        (b"caf\xe9/in\xe8de.txt", "caf\\xe9/in\\xe8de.txt"),
        (b"back\\slash.txt", "back\\slash.txt"),
        (b"looks\\xe9.txt", "looks\\x5cxe9.txt"),
        (b" spaces . txt ", " spaces . txt "),
        (b"--lua-filter=x.lua", "--lua-filter=x.lua"),
        (b"'quote\".txt", "'quote\".txt"),
        ("\u{202e}txt.exe.md".as_bytes(), "\u{202e}txt.exe.md"),
        ("\u{fffd}.txt".as_bytes(), "\u{fffd}.txt"),
        (b"%s%n.txt", "%s%n.txt"),
    ];
    for (at, (name, _)) in names.iter().enumerate() {
        workshop.write(OsStr::from_bytes(name), format!("The text number {at}.\n"));
    }
    // An empty name before the dot, and a problem that must be told without disturbing the terminal.
    workshop.write(OsStr::from_bytes(b"bad\x1b[2J\n.pdf"), "%PDF-1.4 nothing in it");
    let told = workshop.run(workshop.words(&["-v", "--progress", "plain"])).expect(0);
    assert!(!told.stderr.contains('\u{1b}') && !told.stderr.contains('\u{7}'), "{:?}", told.stderr);
    assert!(!told.stdout.contains('\u{1b}'), "{:?}", told.stdout);
    for (name, stored) in names {
        let bytes = if stored.as_bytes() == *name { String::new() } else { "path".to_owned() };
        let row = workshop.file(stored, "processing_status, CASE WHEN path_bytes NOTNULL THEN 'path' END");
        assert_eq!(row, format!("Processed|{bytes}"), "{stored:?}");
    }
    let exact = workshop.file("caf\\xe9.txt", "path_bytes");
    let whole = workshop.tree().join(OsStr::from_bytes(b"caf\xe9.txt"));
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert!(exact == hex(whole.as_os_str().as_bytes()) || exact == hex(b"caf\xe9.txt"), "{exact}");
    assert_eq!(workshop.ingest(&[])["new"], 0);
    workshop.verify();
    audit(&workshop.database());
    for (_, stored) in names {
        let path = format!("{}/{stored}", workshop.tree().display());
        assert_eq!(
            workshop.one(&format!(
                "SELECT count(*) FROM files WHERE full_filepath = '{}'",
                path.replace('\'', "''")
            )),
            "1"
        );
    }
    for command in [&["stats", "corpus.db"][..], &["errors", "corpus.db"], &["search", "corpus.db", "text"]] {
        workshop.run(command).expect(0);
    }
}

#[test]
fn a_root_whose_own_name_is_odd_is_known_again() {
    for name in [&b"caf\xe9 root"[..], b"looks\\x41", b"new\nline"] {
        let workshop = Workshop::new();
        let root = workshop.path(OsStr::from_bytes(name));
        fs::rename(workshop.tree(), &root).unwrap();
        fs::write(root.join(OsStr::from_bytes(b"in\xe8.txt")), "A text of some words.\n").unwrap();
        let words = [OsStr::new("ingest"), root.as_os_str(), OsStr::new("corpus.db"), OsStr::new("--json")];
        assert_eq!(workshop.run(words).expect(0).json()["new"], 1);
        let report = workshop.run(["verify", "corpus.db", "--json"]).expect(0).json();
        assert_eq!(report["sources_read"], 1, "{report}");
        assert_eq!(workshop.run(words).expect(0).json()["unchanged"], 1);
        workshop.run([OsStr::new("forget"), OsStr::new("corpus.db"), root.as_os_str()]).expect(0);
        assert_eq!(workshop.one("SELECT (SELECT count(*) FROM roots) + (SELECT count(*) FROM files)"), "0");
    }
}

#[test]
fn specials_are_recorded_and_never_opened() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "A text.\n");
    let made = Command::new("mkfifo").arg(workshop.tree().join("pipe.txt")).status();
    assert!(made.unwrap().success());
    let _socket = UnixListener::bind(workshop.tree().join("socket.md")).unwrap();
    symlink("/dev/zero", workshop.tree().join("zero.txt")).unwrap();
    workshop.ingest(&[]);
    let kinds =
        workshop.rows("SELECT relative_path, file_type, processing_status, size_bytes FROM files ORDER BY 1");
    assert_eq!(
        kinds,
        ["a.txt|file|Processed|8", "pipe.txt|special||0", "socket.md|special||0", "zero.txt|symlink||0"]
    );
    // Followed, the link leads to a device all the same.
    fs::write(workshop.path("f.toml"), "[scan]\nfollow_symlinks = true\n").unwrap();
    workshop.ingest(&["--config", "f.toml"]);
    assert_eq!(workshop.file("zero.txt", "processing_status, hash, size_bytes"), "||0");
    workshop.verify();
}

#[test]
fn links_that_lead_in_circles_are_harmless() {
    let workshop = Workshop::new();
    workshop.write("deep/a.txt", "A text.\n");
    for (target, name) in [
        ("self", "self"),
        ("two", "one"),
        ("one", "two"),
        ("..", "deep/up"),
        (".", "here"),
        ("deep", "other"),
        ("nowhere", "broken"),
    ] {
        symlink(target, workshop.tree().join(name)).unwrap();
    }
    workshop.ingest(&[]);
    assert_eq!(workshop.one("SELECT count(*) FROM files WHERE file_type = 'symlink'"), "7");
    assert_eq!(workshop.file("deep/up", "symlink_target, is_symlink, hash"), "..|1|");
    workshop.verify();
    fs::write(workshop.path("f.toml"), "[scan]\nfollow_symlinks = true\n").unwrap();
    workshop.ingest(&["--config", "f.toml"]);
    assert_eq!(
        workshop.one(
            "SELECT count(DISTINCT hash) FROM files WHERE hash NOTNULL AND processing_status = 'Processed'"
        ),
        "1"
    );
    workshop.verify();
    assert_eq!(workshop.ingest(&["--config", "f.toml"])["new"], 0);
    workshop.ingest(&[]);
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

/// A converter that takes its time with the first file in path order; meanwhile the others change.
fn while_reading(workshop: &Workshop, meanwhile: impl FnOnce()) -> Ran {
    workshop.install_tool("sleep 3\ncat \"$1\"");
    workshop.write("0.log", "slow\n");
    let words = workshop.words(&["--config", "tool.toml", "--threads", "1", "--json"]);
    thread::scope(|scope| {
        let run = scope.spawn(|| workshop.run(words));
        // The scan is over when the table of contents is there.
        let there = || workshop.database().exists() && query_or_none(workshop).is_some_and(|count| count > 0);
        while !there() && !run.is_finished() {
            thread::sleep(Duration::from_millis(20));
        }
        meanwhile();
        run.join().unwrap()
    })
}

/// How many rows the file has that the converter takes its time with.
fn query_or_none(workshop: &Workshop) -> Option<i64> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let corpus = rusqlite::Connection::open_with_flags(workshop.database(), flags).ok()?;
    corpus.query_row("SELECT count(*) FROM files WHERE relative_path = '0.log'", [], |row| row.get(0)).ok()
}

#[test]
fn files_that_change_or_vanish_under_the_run_are_told_and_mended() {
    let workshop = Workshop::new();
    for name in ["changed.txt", "folder.txt", "gone.txt", "link.txt", "same.txt", "touched.txt"] {
        workshop.write(name, format!("The first text of {name}.\n"));
    }
    let at = |name: &str| workshop.tree().join(name);
    let ran = while_reading(&workshop, || {
        fs::write(at("changed.txt"), "Quite another text.\n").unwrap();
        fs::remove_file(at("gone.txt")).unwrap();
        fs::remove_file(at("folder.txt")).unwrap();
        fs::create_dir(at("folder.txt")).unwrap();
        fs::remove_file(at("link.txt")).unwrap();
        symlink("same.txt", at("link.txt")).unwrap();
        fs::File::options()
            .write(true)
            .open(at("touched.txt"))
            .unwrap()
            .set_modified(std::time::UNIX_EPOCH)
            .unwrap();
    });
    ran.expect(0);
    workshop.verify();
    audit(&workshop.database());
    assert_eq!(workshop.fate("same.txt"), "Processed|");
    assert_eq!(workshop.fate("touched.txt"), "Processed|");
    assert_eq!(workshop.fate("changed.txt"), "Processed|");
    assert_eq!(
        workshop.one("SELECT content FROM chunks WHERE content LIKE '%another%'").trim(),
        "Quite another text."
    );
    assert_eq!(workshop.fate("gone.txt"), "Error|Vanished");
    let flags = ["--config", "tool.toml"];
    workshop.ingest(&flags);
    assert_eq!(workshop.one("SELECT count(*) FROM errors"), "0");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&flags));
}

/// What changed while it was read replaces the old row whole, or stays as it was; duplicates follow.
#[test]
fn a_duplicate_made_or_broken_under_the_run_is_placed_rightly() {
    let workshop = Workshop::new();
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        workshop.write(name, format!("Text {}.\n", if name < "c" { "one" } else { name }));
    }
    let at = |name: &str| workshop.tree().join(name);
    while_reading(&workshop, || {
        fs::write(at("a.txt"), "Text d.txt.\n").unwrap();
        fs::write(at("c.txt"), "Text one.\n").unwrap();
    })
    .expect(0);
    workshop.verify();
    audit(&workshop.database());
    let flags = ["--config", "tool.toml"];
    workshop.ingest(&flags);
    workshop.verify();
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&flags));
}

#[test]
fn a_file_that_grows_all_the_time_does_not_stop_the_run() {
    let workshop = Workshop::new();
    for number in 0..60 {
        workshop.write(format!("{number}.txt"), format!("Text {number}.\n").repeat(50));
    }
    workshop.write("growing.txt", "one more line\n");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            use std::io::Write;
            let mut file =
                fs::File::options().append(true).open(workshop.tree().join("growing.txt")).unwrap();
            while !stop.load(Ordering::Relaxed) {
                file.write_all(b"one more line\n").unwrap();
                thread::sleep(Duration::from_micros(200));
            }
        });
        for _ in 0..4 {
            workshop.ingest(&[]);
            workshop.verify();
            audit(&workshop.database());
            assert_eq!(workshop.fate("growing.txt"), "Processed|");
        }
        stop.store(true, Ordering::Relaxed);
    });
    workshop.ingest(&[]);
    assert_eq!(workshop.fate("growing.txt"), "Processed|");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

/// The program run by a user whom permissions bind; `None` where this cannot be arranged.
fn as_nobody(workshop: &Workshop, words: &[&str]) -> Option<Ran> {
    if !rustix::process::getuid().is_root() {
        return Some(workshop.run(words));
    }
    let program = workshop.path("pensieve");
    if !program.exists() {
        fs::copy(env!("CARGO_BIN_EXE_pensieve"), &program).ok()?;
        fs::set_permissions(workshop.path(""), fs::Permissions::from_mode(0o777)).ok()?;
    }
    let mut command = Command::new(&program);
    command.args(words).current_dir(workshop.path("")).env_clear().env("PATH", "/usr/bin:/bin");
    command.uid(NOBODY).gid(NOBODY).stdin(Stdio::null());
    let output = command.output().ok()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Some(Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) })
}

#[test]
fn what_may_not_be_read_is_told_and_tried_again() {
    let workshop = Workshop::new();
    for name in ["open.txt", "closed.txt", "room/inside.txt", "hall/inside.txt"] {
        workshop.write(name, format!("The text of {name}.\n"));
    }
    let mode = |name: &str, mode| {
        fs::set_permissions(workshop.tree().join(name), fs::Permissions::from_mode(mode)).unwrap()
    };
    mode("closed.txt", 0o000);
    mode("room", 0o000);
    mode("hall", 0o444);
    let Some(ran) = as_nobody(&workshop, &["ingest", "tree", "corpus.db", "--json"]) else {
        return left_out("files without permission: no other user to run as");
    };
    let summary = ran.expect(0).json();
    assert_eq!(workshop.fate("open.txt"), "Processed|");
    assert_eq!(workshop.fate("closed.txt"), "Error|Permissions");
    assert_eq!(workshop.file("closed.txt", "hash, is_canonical, duplicate_status"), "|0|");
    let problems = workshop.rows("SELECT DISTINCT error_type FROM errors");
    assert_eq!(problems, ["Permissions"]);
    assert_eq!(workshop.one("SELECT count(*) FROM errors WHERE path LIKE '%/room'"), "1");
    assert_eq!(summary["errors"].as_u64().unwrap().to_string(), workshop.one("SELECT count(*) FROM errors"));
    for (name, bits) in [("closed.txt", 0o644), ("room", 0o755), ("hall", 0o755)] {
        mode(name, bits);
    }
    workshop.ingest(&[]);
    assert_eq!(workshop.one("SELECT count(*) FROM errors"), "0");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

/// Files of a folder that cannot be listed are not there for this run, and the same ones when they are back.
#[test]
fn what_is_below_a_closed_folder_is_kept_until_it_can_be_looked_at() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "A text.\n");
    workshop.write("room/inside.txt", "The text in the room.\n");
    workshop.write("room/deep/c.txt", "Another text in the room.\n");
    let ingest =
        || as_nobody(&workshop, &["ingest", "tree", "corpus.db", "--json"]).map(|ran| ran.expect(0).json());
    if ingest().is_none() {
        return left_out("folders without permission: no other user to run as");
    }
    let (before, uid) = (workshop.fingerprint(), workshop.file("room/inside.txt", "doc_uid"));
    let room =
        |mode| fs::set_permissions(workshop.tree().join("room"), fs::Permissions::from_mode(mode)).unwrap();
    let counts = || {
        let summary = ingest().unwrap();
        ["deleted", "unreachable", "errors"].map(|key| summary[key].as_u64().unwrap())
    };
    room(0o000);
    for _ in 0..2 {
        assert_eq!(counts(), [0, 2, 1]);
        assert_eq!(workshop.fingerprint(), before);
        let rows = workshop.rows("SELECT error_type, error_message FROM errors");
        assert!(rows[0].starts_with("Permissions|"), "{rows:?}");
        assert!(rows[0].ends_with("what was read before is kept (2 files)"), "{rows:?}");
        assert!(workshop.file("room/deep/c.txt", "status_reason").contains("could not be read"));
        workshop.verify();
    }
    room(0o755);
    assert_eq!(counts(), [0, 0, 0]);
    assert_eq!(workshop.file("room/deep/c.txt", "status_reason"), "");
    assert_eq!(workshop.file("room/inside.txt", "doc_uid"), uid);
    workshop.remove("room/inside.txt");
    assert_eq!(counts(), [1, 0, 0]);
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
    audit(&workshop.database());
}

#[test]
fn what_may_not_be_written_is_refused_and_can_be_read() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "A text of words.\n");
    workshop.ingest(&[]);
    if as_nobody(&workshop, &["fingerprint", "corpus.db"]).is_none() {
        return left_out("a database without permission: no other user to run as");
    }
    let mode = |path: &str, mode| {
        fs::set_permissions(workshop.path(path), fs::Permissions::from_mode(mode)).unwrap()
    };
    mode("corpus.db", 0o444);
    mode("", 0o555);
    let (before, entries) = (workshop.fingerprint(), fs::read_dir(workshop.path("")).unwrap().count());
    for words in [
        &["ingest", "tree", "corpus.db"][..],
        &["ingest", "tree", "new.db"],
        &["forget", "corpus.db", "tree"],
    ] {
        let refused = as_nobody(&workshop, words).unwrap().expect(5);
        assert_eq!(refused.stderr.lines().filter(|line| line.starts_with("error")).count(), 1, "{refused:?}");
        assert!(refused.stderr.contains("hint: "), "{refused:?}");
    }
    for words in
        [&["verify", "corpus.db"][..], &["search", "corpus.db", "words"], &["fingerprint", "corpus.db"]]
    {
        as_nobody(&workshop, words).unwrap().expect(0);
    }
    mode("tree", 0o300);
    as_nobody(&workshop, &["ingest", "tree", "corpus.db", "--dry-run"]).unwrap().expect(4);
    mode("tree", 0o755);
    assert_eq!(fs::read_dir(workshop.path("")).unwrap().count(), entries);
    mode("", 0o755);
    mode("corpus.db", 0o644);
    assert_eq!(workshop.fingerprint(), before);
}

#[test]
fn paths_longer_than_the_system_opens_are_told() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "A text.\n");
    let name = "n".repeat(200);
    let mut folder = fs::File::open(workshop.tree()).unwrap();
    for _ in 0..25 {
        rustix::fs::mkdirat(&folder, &name, rustix::fs::Mode::from_raw_mode(0o755)).unwrap();
        let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY;
        folder = rustix::fs::openat(&folder, &name, flags, rustix::fs::Mode::empty()).unwrap().into();
    }
    let flags = rustix::fs::OFlags::WRONLY | rustix::fs::OFlags::CREATE;
    let deep =
        rustix::fs::openat(&folder, "deep.txt", flags, rustix::fs::Mode::from_raw_mode(0o644)).unwrap();
    rustix::io::write(&deep, b"A text at the bottom.\n").unwrap();
    workshop.ingest(&[]);
    let status = workshop.rows("SELECT processing_status FROM files WHERE filename = 'deep.txt'");
    let told = workshop.rows("SELECT DISTINCT error_type FROM errors");
    assert!(status == ["Processed"] || told == ["PathTooLong"], "{status:?} {told:?}");
    workshop.verify();
    assert_eq!(workshop.ingest(&[])["new"], 0);
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

#[test]
fn a_second_run_at_the_same_time_is_refused() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "A text.\n");
    workshop.ingest(&[]);
    let mut refused = None;
    while_reading(&workshop, || {
        let (second, took) = crate::support::timed(|| workshop.run(workshop.words(&[])));
        refused = Some(second.expect(5));
        assert!(took < Duration::from_secs(8), "{took:?}");
        // Reading is possible all the time, and sees whole commits.
        workshop.verify();
        workshop.run(["search", "corpus.db", "text"]).expect(0);
        workshop.run(["forget", "corpus.db", "tree"]).expect(5);
    })
    .expect(0);
    let stderr = refused.unwrap().stderr;
    assert!(stderr.contains("corpus.db") && stderr.contains("locked"), "{stderr}");
    assert_eq!(workshop.fate("0.log"), "Processed|");
    workshop.verify();
}

/// Two runs that begin a database at the same moment: one does the work, the other is refused or comes after it.
#[test]
fn two_first_runs_at_once_make_one_database() {
    for _ in 0..6 {
        let workshop = Workshop::new();
        for number in 0..20 {
            workshop.write(format!("{number}.txt"), format!("Text {number}.\n"));
        }
        let mut runs: Vec<_> = (0..3).map(|_| start(&mut workshop.command(workshop.words(&[])))).collect();
        let mut codes: Vec<_> = runs.iter_mut().map(|run| run.wait().unwrap().code().unwrap()).collect();
        codes.sort_unstable();
        assert!(codes[0] == 0 && codes.iter().all(|code| [0, 5].contains(code)), "{codes:?}");
        workshop.verify();
        assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
    }
}

/// Nothing of a killed run stays in the way: neither its lock nor its log.
#[test]
fn a_reader_during_the_run_leaves_a_plain_file_in_the_end() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "A text.\n");
    workshop.ingest(&[]);
    let reader = workshop.corpus();
    reader.execute_batch("BEGIN; SELECT count(*) FROM files").unwrap();
    workshop.write("b.txt", "Another.\n");
    // A transaction that stays open keeps the run from WAL, or the end from a plain file: either way all is well.
    let ran = workshop.run(workshop.words(&[]));
    assert!([Some(0), Some(5)].contains(&ran.code), "{ran:?}");
    drop(reader);
    workshop.ingest(&[]);
    assert_eq!(workshop.one("PRAGMA journal_mode"), "delete");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

/// Runs inside a small file system of its own: fills it, then goes on with more space. An empty database of schema 16 takes more than
/// the 900k that were enough before tables, fields and repetition; the texts are 1.9 MB, so the disk still gets full.
const SMALL_DISK: &str = r#"
set -eu
mkdir small
mount -t tmpfs -o size=1200k tmpfs small
echo mounted
code=0; "$PROGRAM" ingest tree small/corpus.db >out.txt 2>err.txt || code=$?
echo "code $code"
code=0; "$PROGRAM" verify small/corpus.db >>out.txt 2>>err.txt || code=$?
echo "verify $code"
mount -o remount,size=100m small
code=0; "$PROGRAM" ingest tree small/corpus.db >>out.txt 2>>err.txt || code=$?
echo "again $code"
"$PROGRAM" verify small/corpus.db >>out.txt 2>>err.txt
"$PROGRAM" fingerprint small/corpus.db
umount small
"#;

#[test]
fn a_full_disk_ends_the_run_and_the_next_goes_on() {
    let workshop = Workshop::new();
    let mut dice = crate::support::Dice::new(3);
    for number in 0..120 {
        workshop.write(format!("{number}.txt"), crate::material::words(&mut dice, 2500, 30));
    }
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", SMALL_DISK]).current_dir(workshop.path(""));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("PROGRAM", env!("CARGO_BIN_EXE_pensieve")).env("HOME", workshop.path("home"));
    let Some(ran) = command.output().ok().filter(|output| output.stdout.starts_with(b"mounted")) else {
        return left_out("a full disk: no small file system can be mounted here");
    };
    let told = String::from_utf8_lossy(&ran.stdout).into_owned();
    let talk = fs::read_to_string(workshop.path("err.txt")).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[1..4], ["code 5", "verify 0", "again 0"], "{told}{talk}");
    assert!(talk.contains("space"), "{talk}");
    assert_eq!(lines[4], workshop.clean_fingerprint(&[]));
}

/// A limit on the size of files stands for a full disk where nothing can be mounted.
#[test]
fn a_database_that_cannot_grow_ends_the_run_and_the_next_goes_on() {
    let workshop = Workshop::new();
    let mut dice = crate::support::Dice::new(4);
    for number in 0..120 {
        workshop.write(format!("{number}.txt"), crate::material::words(&mut dice, 2500, 30));
    }
    let limited = |blocks: usize| {
        let mut command = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$PROGRAM\" ingest tree corpus.db");
        command.args(["-c", &script]).current_dir(workshop.path(""));
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("PROGRAM", env!("CARGO_BIN_EXE_pensieve")).env("HOME", workshop.path("home"));
        ran(&mut command)
    };
    for blocks in [2800, 800, 1800] {
        let ran = limited(blocks).expect(5);
        assert_eq!(ran.stderr.lines().filter(|line| line.starts_with("error")).count(), 1, "{}", ran.stderr);
        if workshop.database().exists() && fs::metadata(workshop.database()).unwrap().len() > 0 {
            workshop.verify();
        }
    }
    workshop.ingest(&[]);
    workshop.verify();
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

/// Ctrl-C keeps what is done and says so; the same command goes on.
#[test]
fn an_interrupted_run_is_consistent_and_goes_on() {
    let workshop = Workshop::new();
    workshop.install_tool("sleep 0.3\ncat \"$1\"");
    for number in 0..30 {
        workshop.write(format!("{number:02}.log"), format!("entry {number}\n"));
    }
    let flags = ["--config", "tool.toml", "--threads", "1"];
    let child = start(&mut workshop.command(workshop.words(&flags)));
    thread::sleep(Duration::from_millis(2500));
    let (code, took) = crate::support::timed(|| crate::support::interrupt(child));
    assert_eq!(code, Some(130));
    assert!(took < Duration::from_secs(3), "{took:?}");
    workshop.verify();
    assert_eq!(workshop.one("SELECT status FROM runs"), "interrupted");
    let done: u64 =
        workshop.one("SELECT count(*) FROM files WHERE processing_status = 'Processed'").parse().unwrap();
    assert!((1..30).contains(&done), "{done}");
    let summary = workshop.ingest(&flags);
    assert_eq!(summary["processed"].as_u64().unwrap() + done, 30);
    assert_eq!(
        workshop.fingerprint(),
        workshop.clean_fingerprint(&["--config", "tool.toml", "--threads", "8"])
    );
}
