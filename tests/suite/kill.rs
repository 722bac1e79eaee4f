//! Law 9: a run may be killed at any instant. The database opens, the laws hold, the next run finishes the job and
//! does again only what was in flight.

use crate::audit::{assert_same, audit};
use crate::editing::Editor;
use crate::material;
use crate::support::{Dice, Workshop, kill, rounds, seed, start, timed, with_seed};
use crate::threads::write_texts;
use std::fs;
use std::time::Duration;

const FLAGS: &[&str] =
    &["--chunk-size", "64", "--chunk-overlap", "8", "--threads", "2", "--allow-mass-deletion"];
const PROCESSED: &str = "SELECT count(*) FROM files WHERE is_canonical AND processing_status = 'Processed'
    AND file_type = 'file'";

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

/// True once a run has committed a file, seen from outside while it goes on.
fn has_processed(workshop: &Workshop) -> bool {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let Ok(corpus) = rusqlite::Connection::open_with_flags(workshop.database(), flags) else { return false };
    corpus.query_row(PROCESSED, [], |row| row.get::<_, i64>(0)).is_ok_and(|files| files > 0)
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

/// The moments at which runs are killed: spread over the duration of a run, each at random within its share. A run that
/// ends before its moment shows that runs take less time than was measured.
pub struct KillMoments {
    whole: Duration,
    wanted: usize,
    killed: usize,
    tried: usize,
}

impl KillMoments {
    pub fn new(count: usize, whole: Duration) -> KillMoments {
        KillMoments { whole, wanted: rounds(count), killed: 0, tried: 0 }
    }

    /// The next moment, until as many runs as wanted were killed.
    pub fn next(&mut self, dice: &mut Dice) -> Option<Duration> {
        assert!(
            self.tried < self.wanted * 4,
            "only {} of {} runs were there to be killed",
            self.killed,
            self.tried
        );
        let share = (self.killed as f64 + dice.below(1000) as f64 / 1000.0) / self.wanted as f64;
        self.tried += 1;
        (self.killed < self.wanted).then(|| self.whole.mul_f64(share))
    }

    pub fn learn(&mut self, moment: Duration, was_killed: bool) {
        match was_killed {
            true => self.killed += 1,
            false => self.whole = self.whole.min(moment).mul_f64(0.98),
        }
    }
}

fn spread_kills(seed: u64, count: usize) {
    with_seed(seed, |dice| {
        let workshop = furnished(dice, 260);
        let clean = workshop.clean_fingerprint(FLAGS);
        let (_, whole) = timed(|| workshop.ingest(FLAGS));
        let mut moments = KillMoments::new(count, whole);
        while let Some(moment) = moments.next(dice) {
            moments.learn(moment, kill_first_run(&workshop, moment, &clean));
        }
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
fn a_first_run_that_builds_its_search_tables_beside_it_may_be_killed_at_any_instant() {
    with_seed(seed() + 7, |dice| {
        let workshop = Workshop::new();
        write_texts(&workshop, dice, 16);
        let clean = workshop.clean_fingerprint(FLAGS);
        let (_, whole) = timed(|| workshop.ingest(FLAGS));
        let count = rounds(6);
        for at in 0..count {
            kill_first_run(&workshop, whole.mul_f64((at as f64 + 0.5) / count as f64), &clean);
            assert_same(&workshop.database(), &workshop.path("clean.db"));
            workshop.verify();
        }
    });
}

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
        let mut moments = KillMoments::new(18, whole);
        while let Some(moment) = moments.next(dice) {
            for name in ["corpus.db-wal", "corpus.db-shm", "corpus.db-journal"] {
                let _ = fs::remove_file(workshop.path(name));
            }
            fs::copy(&before, workshop.database()).unwrap();
            moments.learn(moment, kill_after(&workshop, FLAGS, moment));
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
    workshop.install_tool("sleep 0.2\ncat \"$1\"");
    let flags = ["--config", "tool.toml", "--threads", "2"];
    for number in 0..90 {
        workshop.write(format!("{number:03}.log"), format!("entry {number}: nothing happened\n"));
    }
    let child = start(&mut workshop.command(workshop.words(&flags)));
    for _ in 0..600 {
        std::thread::sleep(Duration::from_millis(100));
        if has_processed(&workshop) {
            break;
        }
    }
    kill(child);
    let before = committed(&workshop);
    assert!((1..90).contains(&before), "{before} files were committed before the kill");
    let summary = workshop.ingest(&flags);
    assert_eq!(summary["processed"].as_u64().unwrap() + before, 90, "{summary}");
    workshop.verify();
    let quick = ["--config", "tool.toml", "--threads", "8", "--max-mem", "4GiB"];
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&quick));
}

/// Every process below one, as the system lists them.
#[cfg(target_os = "linux")]
fn descendants(of: u32) -> Vec<u32> {
    let parent = |id: u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok()
    };
    let all: Vec<u32> = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    let mut found = vec![of];
    let mut at = 0;
    while at < found.len() {
        let children: Vec<u32> = all.iter().copied().filter(|&id| parent(id) == Some(found[at])).collect();
        found.extend(children);
        at += 1;
    }
    found.split_off(1)
}

/// Neither converters nor reading children outlive a run that was killed. What a converter has started itself is out of
/// reach then: nobody is left who could end it.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_no_process_behind() {
    let workshop = Workshop::new();
    workshop.install_tool("exec sleep 78");
    for number in 0..3 {
        workshop.write(format!("{number}.html"), format!("<p>Page {number}, with some words in it.</p>"));
        workshop.write(format!("{number}.log"), "entry\n");
    }
    let child = start(&mut workshop.command(workshop.words(&["--config", "tool.toml", "--threads", "3"])));
    let asleep =
        |id: &u32| fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim() == "sleep");
    let begun = std::time::Instant::now();
    let mut below = Vec::new();
    while below.iter().filter(|id| asleep(id)).count() < 1 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the converters have not begun: {below:?}");
        std::thread::sleep(Duration::from_millis(50));
        below = descendants(child.id());
    }
    kill(child);
    let alive = |id: &&u32| {
        // A process that has ended and that nobody has buried yet is no process any more.
        fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    };
    let begun = std::time::Instant::now();
    while below.iter().filter(alive).count() > 0 {
        let left: Vec<String> = below
            .iter()
            .filter(alive)
            .map(|id| fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default())
            .collect();
        assert!(begun.elapsed() < Duration::from_secs(8), "still there: {left:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
