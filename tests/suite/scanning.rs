//! What a scan does with folders that change, vanish or cannot be read while it runs.

use crate::audit::audit;
use crate::support::{Workshop, interrupt, left_out, rounds, settle, start};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

#[test]
fn a_folder_that_is_swapped_for_a_link_brings_in_nothing_from_outside() {
    let workshop = Workshop::new();
    for number in 0..40 {
        workshop.write(format!("d/{number}.txt"), format!("Text {number} from inside.\n"));
        fs::create_dir_all(workshop.path("outside")).unwrap();
        fs::write(workshop.path(format!("outside/{number}.txt")), format!("Secret {number} of outside.\n"))
            .unwrap();
    }
    let (inside, kept) = (workshop.tree().join("d"), workshop.path("kept"));
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                fs::rename(&inside, &kept).unwrap();
                symlink(workshop.path("outside"), &inside).unwrap();
                thread::sleep(Duration::from_micros(200));
                fs::remove_file(&inside).unwrap();
                fs::rename(&kept, &inside).unwrap();
                thread::sleep(Duration::from_micros(200));
            }
        });
        for _ in 0..rounds(10) {
            let _ = fs::remove_file(workshop.database());
            workshop.run(workshop.words(&["--threads", "2"])).expect(0);
            assert_eq!(workshop.one("SELECT count(*) FROM chunks WHERE content LIKE '%Secret%'"), "0");
        }
        is_done.store(true, Ordering::Relaxed);
    });
    workshop.ingest(&["--allow-mass-deletion"]);
    assert_eq!(workshop.one("SELECT count(*) FROM chunks WHERE content LIKE '%inside%'"), "40");
    workshop.verify();
}

#[test]
fn a_run_that_would_delete_most_files_stops_before_it_writes() {
    let workshop = Workshop::new();
    let name = |number: usize| format!("{}/{number}.txt", number % 3);
    (0..120).for_each(|number| workshop.write(name(number), format!("Text {number}.\n")));
    workshop.ingest(&[]);
    let before = workshop.fingerprint();
    (0..61).for_each(|number| workshop.remove(name(number)));
    let stopped = workshop.run(workshop.words(&[])).expect(4);
    assert!(stopped.stderr.contains("61 of 120 files"), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("--allow-mass-deletion"), "{}", stopped.stderr);
    assert_eq!(workshop.fingerprint(), before);
    let planned = workshop.run(workshop.words(&["--dry-run"])).expect(0);
    assert!(planned.stdout.contains("a run would stop"), "{}", planned.stdout);
    assert_eq!(workshop.ingest(&["--allow-mass-deletion"])["deleted"], 61);
    // Less than half, and less than 100 files.
    (61..100).for_each(|number| workshop.remove(name(number)));
    assert_eq!(workshop.ingest(&[])["deleted"], 39);
    // A root that is empty all at once, as without its disk.
    fs::remove_dir_all(workshop.tree()).unwrap();
    fs::create_dir(workshop.tree()).unwrap();
    workshop.run(workshop.words(&[])).expect(4);
    assert_eq!(workshop.one("SELECT count(*) FROM files WHERE processing_status = 'Processed'"), "20");
    workshop.verify();
    audit(&workshop.database());
}

#[test]
#[cfg(target_os = "linux")]
fn what_the_kernel_makes_up_is_left_out() {
    let workshop = Workshop::new();
    let stopped = workshop.run(["ingest", "/proc/self", "corpus.db"]).expect(4);
    assert!(stopped.stderr.contains("file system proc"), "{}", stopped.stderr);
    workshop.write("a.txt", "A text of words.\n");
    symlink("/proc/self", workshop.tree().join("self")).unwrap();
    fs::write(workshop.path("f.toml"), "[scan]\nfollow_symlinks = true\n").unwrap();
    workshop.run(workshop.words(&["--config", "f.toml"])).expect(0);
    assert_eq!(workshop.rows("SELECT error_type FROM errors"), ["Io"]);
    assert_eq!(workshop.one("SELECT count(*) FROM files"), "2");
}

#[test]
fn what_was_hashed_before_an_interruption_is_kept() {
    let workshop = Workshop::new();
    let megabyte = "A line of text that is long enough to be hashed for a while.\n".repeat(16_000);
    (0..300).for_each(|number| workshop.write(format!("{number}.txt"), format!("{number}\n{megabyte}")));
    // Files that were touched at the moment of a scan are hashed again by the next one.
    settle();
    let mut awaited = 60 * megabyte.len() as u64;
    for _ in 0..12 {
        let _ = fs::remove_file(workshop.database());
        let mut child = start(&mut workshop.command(workshop.words(&["--threads", "1"])));
        if !wait_until_read(&mut child, awaited) {
            break;
        }
        let code = interrupt(child);
        assert!(matches!(code, Some(130 | 0)), "it ended with {code:?}");
        let rows = match workshop.database().exists() {
            true => workshop.one("SELECT count(*) FROM files WHERE hash IS NOT NULL").parse::<u64>().unwrap(),
            false => 0,
        };
        match rows {
            0 => awaited = awaited * 3 / 2,
            300.. => awaited = awaited * 2 / 3,
            rows => {
                let planned = workshop.run(workshop.words(&["--dry-run", "--json"])).expect(0).json();
                let hashed = planned["bytes_hashed"].as_u64().unwrap() / megabyte.len() as u64;
                assert_eq!(hashed, 300 - rows);
                return;
            }
        }
    }
    left_out("an interruption during the scan: no moment was found");
}

/// Waits until a process has read so many bytes; false if it ended before, or if the system does not count them.
fn wait_until_read(child: &mut Child, bytes: u64) -> bool {
    while let Ok(counts) = fs::read_to_string(format!("/proc/{}/io", child.id())) {
        let count = counts.lines().find_map(|line| line.strip_prefix("rchar: "));
        if count.is_some_and(|count| count.parse::<u64>().unwrap() >= bytes) {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
    false
}

#[test]
fn a_dry_run_lists_what_is_done_again() {
    let workshop = Workshop::new();
    (0..5).for_each(|number| workshop.write(format!("{number}.txt"), format!("Text {number} of words.\n")));
    workshop.ingest(&["--chunk-size", "64"]);
    let plan = |flags: &[&str]| {
        let planned =
            workshop.run(workshop.words(&[&["--dry-run", "--json"], flags].concat())).expect(0).json();
        let lines = planned["plan"].as_array().unwrap().clone();
        let count = |what: &str| lines.iter().filter(|line| line["what"] == what).count();
        ["new", "changed", "read", "clean", "chunk"].map(count)
    };
    assert_eq!(plan(&["--chunk-size", "64"]), [0, 0, 0, 0, 0]);
    assert_eq!(plan(&["--chunk-size", "128"]), [0, 0, 0, 0, 5]);
    assert_eq!(plan(&["--chunk-size", "64", "--force-reprocess"]), [0, 0, 5, 0, 0]);
    workshop.write("0.txt", "Other words.\n");
    workshop.write("new.txt", "New words.\n");
    assert_eq!(plan(&["--chunk-size", "128"]), [1, 1, 0, 0, 4]);
    let done = workshop.ingest(&["--chunk-size", "128"]);
    assert_eq!((&done["rechunked"], &done["processed"]), (&4.into(), &6.into()));
}
