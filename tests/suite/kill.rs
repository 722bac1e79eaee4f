//! Law 9: a run may be killed at any instant. The database opens, the laws hold, the next run finishes the job and
//! does again only what was in flight.

use crate::audit::{assert_same, audit};
use crate::editing::Editor;
use crate::material;
use crate::support::{Dice, Workshop, kill, rounds, seed, start, timed, with_seed};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

const FLAGS: &[&str] = &["--chunk-size", "64", "--chunk-overlap", "8", "--threads", "2"];
const PROCESSED: &str = "SELECT count(*) FROM files WHERE is_canonical AND processing_status = 'Processed'";

/// A tree of some hundred small files.
fn furnished(dice: &mut Dice, count: usize) -> Workshop {
    let workshop = Workshop::new();
    for number in 0..count {
        let (extension, bytes) = material::file(dice);
        workshop.write(format!("{}/{number}.{extension}", number % 7), bytes);
    }
    workshop
}

/// Starts a run and kills it after a while; true when it had not ended by itself.
fn kill_after(workshop: &Workshop, flags: &[&str], moment: Duration) -> bool {
    let child = start(&mut workshop.command(workshop.words(flags)));
    std::thread::sleep(moment);
    kill(child).is_none()
}

/// How many files are there for good; 0 while there is no schema yet.
fn committed(workshop: &Workshop) -> u64 {
    let there = workshop.database().exists()
        && !workshop.rows("SELECT 1 FROM sqlite_master WHERE name = 'files'").is_empty();
    if !there {
        return 0;
    }
    workshop.verify();
    workshop.one(PROCESSED).parse().unwrap()
}

/// Kills a first run of the tree at this moment; the next one finishes, without doing anything twice.
fn kill_first_run(workshop: &Workshop, moment: Duration, clean: &str) -> bool {
    let _ = fs::remove_file(workshop.database());
    let killed = kill_after(workshop, FLAGS, moment);
    let before = committed(workshop);
    let summary = workshop.ingest(FLAGS);
    assert_eq!(workshop.fingerprint(), clean, "killed after {moment:?}");
    let total: u64 = workshop.one(PROCESSED).parse().unwrap();
    assert_eq!(summary["processed"].as_u64().unwrap() + before, total, "killed after {moment:?}: {summary}");
    killed
}

/// Moments spread over a run that takes `whole`, each at random within its share.
fn moments(count: usize, whole: Duration, dice: &mut Dice) -> Vec<Duration> {
    let share = |at: usize, dice: &mut Dice| (at as f64 + dice.below(1000) as f64 / 1000.0) / count as f64;
    (0..count).map(|at| whole.mul_f64(share(at, dice))).collect()
}

fn spread_kills(seed: u64, count: usize) {
    with_seed(seed, |dice| {
        let workshop = furnished(dice, 260);
        let (clean, whole) = timed(|| workshop.clean_fingerprint(FLAGS));
        let mut killed = 0;
        for moment in moments(rounds(count), whole, dice) {
            killed += usize::from(kill_first_run(&workshop, moment, &clean));
        }
        assert!(killed * 2 > count, "only {killed} of {count} runs were still there to be killed");
        assert_same(&workshop.database(), &workshop.path("clean.db"));
        audit(&workshop.database());
    });
}

#[test]
fn a_first_run_may_be_killed_at_any_instant() {
    spread_kills(seed() * 1000 + 1, 18);
}

#[test]
fn another_first_run_may_be_killed_at_any_instant() {
    spread_kills(seed() * 1000 + 2, 18);
}

/// A run over a changed tree works on live indexes, and replaces what is there.
#[test]
fn a_later_run_may_be_killed_at_any_instant() {
    with_seed(seed() * 1000 + 3, |dice| {
        let workshop = furnished(dice, 160);
        workshop.ingest(FLAGS);
        let before = workshop.path("before.db");
        fs::copy(workshop.database(), &before).unwrap();
        let mut editor = Editor::new(workshop.tree());
        for _ in 0..60 {
            editor.step(dice);
        }
        let (_, whole) = timed(|| workshop.ingest(FLAGS));
        let clean = workshop.clean_fingerprint(FLAGS);
        assert_eq!(workshop.fingerprint(), clean);
        for moment in moments(rounds(18), whole, dice) {
            for name in ["corpus.db-wal", "corpus.db-shm"] {
                let _ = fs::remove_file(workshop.path(name));
            }
            fs::copy(&before, workshop.database()).unwrap();
            kill_after(&workshop, FLAGS, moment);
            workshop.verify();
            workshop.ingest(FLAGS);
            assert_eq!(workshop.fingerprint(), clean, "killed after {moment:?}");
        }
        workshop.verify();
        assert_same(&workshop.database(), &workshop.path("clean.db"));
    });
}

/// One run after the other is killed; each brings the work forward or leaves it where it was.
#[test]
fn runs_that_are_killed_one_after_the_other_come_to_an_end() {
    with_seed(seed() * 1000 + 4, |dice| {
        let workshop = furnished(dice, 150);
        let (clean, whole) = timed(|| workshop.clean_fingerprint(FLAGS));
        let mut last = 0;
        for _ in 0..6 {
            kill_after(&workshop, FLAGS, whole.mul_f64(0.3 + dice.below(100) as f64 / 140.0));
            let now = committed(&workshop);
            assert!(now >= last, "{last} files were there, now {now}");
            last = now;
        }
        workshop.ingest(FLAGS);
        assert_eq!(workshop.fingerprint(), clean);
    });
}

/// A run that takes long commits on its way: what it has committed is not done again. Slow converters make it long.
#[test]
fn what_a_long_run_has_committed_is_not_done_again() {
    let workshop = Workshop::new();
    let tool = workshop.path("slow.sh");
    fs::write(&tool, "#!/bin/sh\nsleep 0.2\ncat \"$1\"\n").unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(workshop.path("slow.toml"), format!("[converters]\nlog = \"{} {{input}}\"\n", tool.display()))
        .unwrap();
    let flags = ["--config", "slow.toml", "--threads", "2"];
    for number in 0..90 {
        workshop.write(format!("{number:03}.log"), format!("entry {number}: nothing happened\n"));
    }
    let mut done = Vec::new();
    for moment in [6200, 8000] {
        let _ = fs::remove_file(workshop.database());
        kill_after(&workshop, &flags, Duration::from_millis(moment));
        let before = committed(&workshop);
        let summary = workshop.ingest(&flags);
        assert_eq!(summary["processed"].as_u64().unwrap() + before, 90, "{summary}");
        workshop.verify();
        assert_eq!(workshop.one(PROCESSED), "90");
        done.push(before);
    }
    assert!(done.iter().any(|&before| before > 0), "no batch was committed before the kill: {done:?}");
    let clean = workshop.clean_fingerprint(&flags);
    assert_eq!(workshop.fingerprint(), clean);
}
