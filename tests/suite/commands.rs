//! Commands as a user meets them: arguments in, stdout, stderr and exit code out.

use crate::support::{Ran, Workshop};
use regex::Regex;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A workshop with three small files in its tree, two of them alike; tests write beside the tree as well.
pub struct Place(Workshop);

impl Place {
    pub fn new() -> Place {
        let workshop = Workshop::new();
        workshop.write("a.md", "# Trees\n\nAn oak is a tree.\n");
        workshop.write("b.txt", "The sea is wide.\n");
        workshop.write("sub/c.txt", "The sea is wide.\n");
        Place(workshop)
    }

    /// The path of something in the workshop.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    /// Writes a file anywhere in the workshop, with the folders above it.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The program, about to be run.
    pub fn program(&self, words: &[&str]) -> Command {
        self.0.command(words)
    }

    /// Runs it.
    pub fn run(&self, words: &[&str]) -> Ran {
        self.0.run(words)
    }

    /// Runs it, and it must do its job.
    #[track_caller]
    pub fn done(&self, words: &[&str]) -> Ran {
        self.run(words).expect(0)
    }

    /// Runs it, and it must fail with this code, these words on stderr, and nothing on stdout.
    #[track_caller]
    pub fn fails(&self, words: &[&str], code: i32, said: &str) {
        let ran = self.run(words).expect(code);
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{words:?}");
    }
}

#[track_caller]
fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn without_arguments_the_program_says_what_it_needs() {
    let place = Place::new();
    place.fails(&[], 2, "Usage: pensieve [OPTIONS] <COMMAND>");
    place.fails(&[], 2, "ingest");
    place.fails(&["ingest"], 2, "hint: pensieve ingest DIR DB");
    place.fails(&["ingset", "tree", "x.db"], 2, "ingest");
    place.fails(&["ingest", "tree", "x.db", "--chunk-size", "many"], 2, "--chunk-size");
    assert!(!place.path("x.db").exists());
}

#[test]
fn help_goes_to_stdout_and_explains_every_command_with_an_example() {
    let place = Place::new();
    let help = place.done(&["--help"]).stdout;
    assert!(help.contains("Exit codes:") && help.contains("130"), "{help}");
    for group in [
        "\nUse:\n",
        "\nLook:\n",
        "\nKeep:\n",
        "\nFor machines:\n",
        "\nMore: layout, worker, completions, man\n",
    ] {
        assert!(help.contains(group), "{group}: {help}");
    }
    for command in [
        "ingest",
        "search",
        "text",
        "stats",
        "errors",
        "why",
        "export",
        "verify",
        "fingerprint",
        "forget",
        "compact",
        "init",
        "check-dependencies",
    ] {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is not listed: {help}");
        let help = place.done(&[command, "--help"]).stdout;
        assert!(help.contains(&format!("Example: pensieve {command}")), "{help}");
    }
    assert_eq!(place.done(&["--version"]).stdout, concat!("pensieve ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_main_job_tells_its_summary_and_the_second_run_finds_nothing_new() {
    let place = Place::new();
    let first = place.done(&["ingest", "tree", "x.db"]);
    let run = " s   3 new, 0 changed, 0 unchanged; 1 duplicate, 0 skipped; ";
    assert!(first.stdout.starts_with("documents                  3 "), "{}", first.stdout);
    assert!(first.stdout.contains(run), "{}", first.stdout);
    let timed = Regex::new(r"(?m)^\S+Z found 3 files: 2 unique, 1 duplicate, 0 skipped$").unwrap();
    assert!(timed.is_match(&first.stderr), "{}", first.stderr);
    let second = place.done(&["ingest", "tree", "x.db", "--json"]);
    let counts = json(&second.stdout);
    for name in [
        "new",
        "changed",
        "unchanged",
        "renamed",
        "deleted",
        "retried",
        "duplicates",
        "skipped",
        "errors",
        "chunks",
        "unique_chunks",
        "tokens_in",
        "tokens_kept",
    ] {
        assert!(counts[name].is_u64(), "{name}: {counts}");
    }
    assert_eq!((&counts["new"], &counts["changed"], &counts["unchanged"]), (&0.into(), &0.into(), &3.into()));
}

#[test]
fn quiet_is_quiet_and_a_report_is_written_beside() {
    let place = Place::new();
    let ended = place.done(&["ingest", "tree", "x.db", "-q", "--report", "r.json"]);
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("", ""));
    assert_eq!(json(&fs::read_to_string(place.path("r.json")).unwrap())["new"], 3);
    place.fails(
        &["ingest", "tree", "x.db", "--report", "tree/r.json"],
        2,
        "would lie in the folder that is read",
    );
    place.fails(&["ingest", "tree", "x.db", "--report", "no/r.json"], 4, "cannot write");
}

#[test]
fn a_dry_run_prints_the_plan_and_writes_nothing() {
    let place = Place::new();
    let plan = place.done(&["ingest", "tree", "x.db", "--dry-run"]).stdout;
    assert!(plan.contains("new        a.md\n") && plan.contains("duplicate  sub/c.txt\n"), "{plan}");
    assert!(plan.ends_with("dry run: nothing was written\n"), "{plan}");
    assert!(!place.path("x.db").exists() && !place.path("x.db.lock").exists());
    let counts = json(&place.done(&["ingest", "tree", "x.db", "--dry-run", "--json"]).stdout);
    assert_eq!((&counts["new"], &counts["dry_run"]), (&3.into(), &true.into()));
}

#[test]
fn progress_for_programs_is_one_object_a_line() {
    let place = Place::new();
    let ended = place.done(&["ingest", "tree", "x.db", "--progress", "json", "--json"]);
    let events: Vec<serde_json::Value> = ended.stderr.lines().map(json).collect();
    assert!(events.iter().any(|event| event["event"] == "tree" && event["files"] == 3), "{}", ended.stderr);
    json(&ended.stdout);
}

#[test]
fn input_and_database_that_cannot_be_used_are_told_with_their_cure() {
    let place = Place::new();
    place.write("other.db", "this is no database, it is text of more than sixteen bytes");
    place.fails(&["ingest", "none", "x.db"], 4, "error: cannot read folder `none`");
    place.fails(&["ingest", "tree/a.md", "x.db"], 4, "`tree/a.md` is not a folder\nhint: ");
    place.fails(&["ingest", "tree", "no/x.db"], 5, "the folder of `no/x.db` does not exist\nhint: ");
    place.fails(&["ingest", "tree", "tree"], 5, "`tree` is a folder, not a database file\nhint: ");
    place.fails(&["ingest", "tree", "other.db"], 5, "`other.db` is not a Pensieve database\nhint: ");
    for command in ["stats", "errors", "verify", "fingerprint", "compact", "export"] {
        place.fails(&[command, "none.db"], 4, "no database at `none.db`\nhint: ");
        place.fails(&[command, "other.db"], 5, "`other.db` is not a Pensieve database");
    }
    place.fails(&["search", "none.db", "x"], 4, "no database");
    assert!(!place.path("x.db").exists() && !place.path("none.db").exists());
    assert_eq!(fs::read_to_string(place.path("other.db")).unwrap().len(), 58);
}

#[test]
fn the_corpus_answers_questions() {
    let place = Place::new();
    place.done(&["ingest", "tree", "x.db", "-q"]);
    assert_eq!(place.done(&["text", "x.db", "a.md"]).stdout, "# Trees\n\nAn oak is a tree.\n");
    assert_eq!(
        place.done(&["text", "x.db", "tree/sub/c.txt", "--offset", "4", "--limit", "3"]).stdout,
        "sea"
    );
    let hits = json(&place.done(&["search", "x.db", "oak", "--json"]).stdout);
    assert_eq!(hits["hits"].as_array().map(Vec::len), Some(1), "{hits}");
    assert!(place.done(&["search", "x.db", "sea"]).stdout.contains("(also "));
    assert!(place.done(&["why", "x.db", "sub/c.txt"]).stdout.contains("duplicate"));
    assert_eq!(json(&place.done(&["stats", "x.db", "--json"]).stdout)["files"], 3);
    assert_eq!(place.done(&["errors", "x.db", "--json"]).stdout, "");
    assert!(place.done(&["verify", "x.db"]).stdout.starts_with("0 violations: "));
    let fingerprint = place.done(&["fingerprint", "x.db"]).stdout;
    assert!(fingerprint.len() == 65 && fingerprint.trim_end().bytes().all(|byte| byte.is_ascii_hexdigit()));
    let export = place.done(&["export", "x.db", "--format", "jsonl"]).stdout;
    assert_eq!(export.lines().map(json).filter(|row| row["content_hash"].is_string()).count(), 2);
    place.fails(&["text", "x.db", "none.txt"], 4, "has no file `none.txt`");
    place.fails(&["forget", "x.db", "none"], 4, "has no root");
    place.done(&["forget", "x.db", "tree"]);
    place.done(&["compact", "x.db"]);
    assert_eq!(json(&place.done(&["stats", "x.db", "--json"]).stdout)["files"], 0);
}

#[test]
fn why_names_the_rule_that_leaves_a_file_out() {
    let place = Place::new();
    place.write("tree/.gitignore", "*.log\n");
    place.write("tree/x.log", "noise");
    place.done(&["ingest", "tree", "x.db", "-q"]);
    let story = place.done(&["why", "x.db", "tree/x.log"]).stdout;
    assert!(story.contains("left out by a rule") && story.contains(".gitignore:1: *.log"), "{story}");
    place.fails(&["why", "x.db", "tree/none.txt"], 4, "has no file");
}

#[test]
fn file_names_do_not_disturb_the_terminal() {
    let place = Place::new();
    place.write("tree/bad\u{1b}[2J\n.txt", "x");
    let plan = place.done(&["ingest", "tree", "x.db", "--dry-run"]).stdout;
    assert!(plan.contains("new        bad\\u{1b}[2J\\n.txt\n"), "{plan}");
}

#[test]
fn check_dependencies_tells_what_is_there() {
    let place = Place::new();
    place.write("my.toml", "[converters]\ndoc = \"no-such-program {input}\"\npdf = \"sh {input}\"\n");
    let told = place.done(&["check-dependencies", "--config", "my.toml"]).stdout;
    assert!(
        told.contains("[✗] no-such-program not found: doc files will be Skipped_Dependency; install"),
        "{told}"
    );
    assert!(told.contains(" found (") && told.contains("): pdf enabled\n"), "{told}");
    assert!(told.contains("HTML") && told.contains("converters reach no files but"), "{told}");
    for limit in ["SQLite 3.", "A run: ", "512 MiB (max_memory)", " of output", " open files"] {
        assert!(told.contains(limit), "{limit}: {told}");
    }
    let report = json(&place.done(&["check-dependencies", "--config", "my.toml", "--json"]).stdout);
    assert!(report["sqlite"].as_str().unwrap().starts_with("3."));
    assert_eq!(report["run"]["max_memory"], 512 << 20);
    let workers =
        report["run"]["workers"].as_u64().unwrap() * report["run"]["worker_memory"].as_u64().unwrap();
    assert!(workers > 0 && workers <= report["run"]["children_memory"].as_u64().unwrap());
    assert!(report["converter"]["timeout_seconds"].is_u64() && report["system"]["open_files"].is_u64());
    let programs = report["converters"].as_array().unwrap();
    assert!(
        programs.iter().any(|program| program["program"] == "no-such-program" && program["found"] == false)
    );

    place.write("bad.toml", "[converters]\npdf = \"pdftotext -\"\nQQQ = \"x {input}\"\n");
    let ended = place.run(&["check-dependencies", "--config", "bad.toml"]);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(
        ended.stdout.contains("converters.pdf cannot work: ") && ended.stdout.contains("bad.toml:2"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("converters.QQQ cannot work: `QQQ` is no extension"), "{}", ended.stdout);
}

#[test]
fn completions_and_manual_come_from_the_same_definition() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.done(&["completions", shell]).stdout.contains("check-dependencies"), "{shell}");
    }
    assert!(place.done(&["man"]).stdout.contains(".SH"));
    assert!(place.done(&["man", "ingest"]).stdout.contains("moved"));
    place.fails(&["man", "nothing"], 2, "there is no command `nothing`");
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let place = Place::new();
    let mut child = place
        .program(&["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn strict_runs_end_with_one_when_a_file_has_a_problem() {
    let place = Place::new();
    place.write("tree/page.pdf", "%PDF-1.4\n");
    place.write("my.toml", "[converters]\npdf = \"false {input}\"\n");
    let words = ["ingest", "tree", "x.db", "--config", "my.toml"];
    let lax = place.done(&words);
    assert!(lax.stderr.contains("error: page.pdf: "), "{}", lax.stderr);
    let strict = place.run(&["ingest", "tree", "y.db", "--config", "my.toml", "--strict"]);
    assert_eq!(strict.code, Some(1), "{}", strict.stderr);
}

#[test]
fn a_worker_that_is_asked_nothing_answers_nothing() {
    let place = Place::new();
    assert_eq!(place.done(&["worker", "--protocol", "1"]).stdout, "");
    place.fails(&["worker", "--protocol", "9"], 2, "protocol 9 is unknown");
}

#[test]
fn an_interrupted_run_keeps_what_is_done_and_the_next_goes_on() {
    let place = Place::new();
    // A converter that waits makes sure that the run is not over before the signal.
    place.write("slow.sh", "#!/bin/sh\ncase $1 in -*) echo slow 1.0;; *) sleep 20;; esac\n");
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(place.path("slow.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    place.write("my.toml", "[converters]\npdf = \"./slow.sh {input}\"\n");
    place.write("tree/page.pdf", "%PDF-1.4\n");
    let words = ["ingest", "tree", "x.db", "--config", "my.toml"];
    let child = place.program(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&place.path("x.db"));
    std::thread::sleep(std::time::Duration::from_millis(500));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("interrupted: what is done is kept"), "{told}");
    place.write("my.toml", "[converters]\npdf = \"cat {input}\"\n");
    place.done(&words);
    assert!(place.done(&["verify", "x.db"]).stdout.starts_with("0 violations"));
}

fn wait_for(path: &Path) {
    for _ in 0..200 {
        if path.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{} does not appear", path.display());
}
