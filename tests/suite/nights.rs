//! Fourteen nights of a job that ingests three folders with `--strict --json`: what each says, and what the corpus has then.

use crate::support::{Workshop, ran};
use std::fs;

const READS: &str = "cat \"$1\"";

struct Job {
    workshop: Workshop,
    night: usize,
}

impl Job {
    fn new() -> Job {
        let workshop = Workshop::new();
        for (folder, number) in [("notes", 30), ("mail", 12), ("papers", 6)] {
            fs::create_dir(workshop.path(folder)).unwrap();
            for file in 0..number {
                let text = format!("Words of {folder} {file}, which nobody else has.\n");
                fs::write(workshop.path(folder).join(format!("{file}.txt")), text).unwrap();
            }
        }
        for file in 0..5 {
            fs::write(workshop.path(format!("papers/{file}.log")), format!("Entry {file} of a log.\n"))
                .unwrap();
        }
        workshop.install_tool(READS);
        Job { workshop, night: 0 }
    }

    /// One night: the exit code, and the numbers of new, changed and deleted files, documents with text and problems.
    #[track_caller]
    fn night(&mut self, code: i32, expected: [u64; 5]) -> String {
        self.night_in(&[], code, expected)
    }

    #[track_caller]
    fn night_in(&mut self, flags: &[&str], code: i32, expected: [u64; 5]) -> String {
        self.night += 1;
        let words =
            ["ingest", "notes", "mail", "papers", "corpus.db", "--strict", "--json", "--config", "tool.toml"];
        let found = self.workshop.run(words.iter().chain(flags)).expect(code);
        self.check(&found.stdout, expected);
        found.stderr
    }

    #[track_caller]
    fn check(&self, stdout: &str, [new, changed, deleted, texts, problems]: [u64; 5]) {
        // A failure is an object too, after that of the folders that were read.
        let told: serde_json::Value = serde_json::from_str(stdout.lines().next().unwrap()).unwrap();
        let with_text = self.workshop.one("SELECT count(DISTINCT file_id) FROM chunk_sources");
        let found = [&told["new"], &told["changed"], &told["deleted"], &told["corpus"]["problems"]];
        let [found_new, found_changed, found_deleted, found_problems] = found.map(|value| value.as_u64());
        assert_eq!(
            ([found_new, found_changed, found_deleted, found_problems], with_text),
            ([Some(new), Some(changed), Some(deleted), Some(problems)], texts.to_string()),
            "night {}: {stdout}",
            self.night
        );
        self.workshop.verify();
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.workshop.path(name), bytes).unwrap();
    }
}

#[test]
fn nothing_is_lost_by_trouble_in_fourteen_nights() {
    let mut job = Job::new();
    job.night(0, [53, 0, 0, 53, 0]);
    // The second night has nothing to do.
    job.night(0, [0, 0, 0, 53, 0]);
    job.write("notes/0.txt", b"Other words of note 0.\n");
    job.write("notes/new.txt", b"A note that is new.\n");
    fs::remove_file(job.workshop.path("mail/3.txt")).unwrap();
    job.night(0, [1, 1, 1, 53, 0]);
    // The converter breaks. Its files have other settings then, because it is another program: their text stays.
    job.workshop.install_tool("echo cannot go on >&2; exit 3");
    job.workshop.run(["ingest", "corpus.db", "--config", "tool.toml", "--force-reprocess", "-q"]).expect(0);
    assert_eq!(job.workshop.one("SELECT count(*) FROM errors"), "5");
    job.night(0, [0, 0, 0, 53, 5]);
    job.night(0, [0, 0, 0, 53, 5]);
    // It is missing; and a file changes meanwhile, whose old text would be wrong.
    fs::rename(job.workshop.path("tool.sh"), job.workshop.path("aside.sh")).unwrap();
    job.write("papers/0.log", b"Another entry of a log.\n");
    job.night(1, [0, 1, 0, 52, 5]);
    fs::remove_file(job.workshop.path("aside.sh")).unwrap();
    job.workshop.install_tool(READS);
    job.night(0, [0, 0, 0, 53, 0]);
    // A file without text is red until somebody accepts it.
    job.write("papers/torn.pdf", b"%PDF-1.4\nnothing of it is left\n");
    job.night(1, [1, 0, 0, 53, 1]);
    job.night(1, [0, 0, 0, 53, 1]);
    job.workshop.run(["problems", "corpus.db", "--accept", "--path", "torn.pdf"]).expect(0);
    job.night(0, [0, 0, 0, 53, 0]);
    // A disk is not mounted: its folder is there, and empty. The other folders are read.
    fs::rename(job.workshop.path("mail"), job.workshop.path("elsewhere")).unwrap();
    fs::create_dir(job.workshop.path("mail")).unwrap();
    job.write("notes/second.txt", b"A second note that is new.\n");
    let said = job.night(4, [1, 0, 0, 54, 0]);
    assert!(said.contains("nothing was changed") && said.contains("--allow-mass-deletion"), "{said}");
    fs::remove_dir(job.workshop.path("mail")).unwrap();
    fs::rename(job.workshop.path("elsewhere"), job.workshop.path("mail")).unwrap();
    job.night(0, [0, 0, 0, 54, 0]);
    // A setting changes: one line says what it costs, no file is read.
    let said = job.night_in(&["--chunk-size", "64", "--chunk-overlap", "6"], 0, [0, 0, 0, 54, 0]);
    assert!(said.contains("chunk_size from 512 to 64") && said.contains("to be cut again"), "{said}");
    // The disk is full: the run ends, the corpus is as it was, and the next run goes on.
    let long: String = (0..90_000).map(|number| format!("Word {number} of a long note. ")).collect();
    job.write("notes/long.txt", long.as_bytes());
    let limited = format!(
        "ulimit -f 400; exec '{}' ingest notes mail papers corpus.db --strict --json --config tool.toml",
        env!("CARGO_BIN_EXE_pensieve")
    );
    let mut shell = job.workshop.command(["--version"]);
    let environment: Vec<_> =
        shell.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    shell = std::process::Command::new("bash");
    shell.args(["-c", &limited]).current_dir(job.workshop.path("")).env_clear();
    for (name, value) in environment {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    let full = ran(&mut shell).expect(5);
    assert!(full.stdout.contains("\"error\""), "{}", full.stdout);
    job.workshop.verify();
    job.workshop.run(["ingest", "corpus.db", "--config", "tool.toml"]).expect(0);
    assert_eq!(job.workshop.one("SELECT count(DISTINCT file_id) FROM chunk_sources"), "55");
    job.workshop.verify();
    // After all of it the corpus is what one ingest of the folders gives.
    let words = ["ingest", "notes", "mail", "papers", "clean.db", "--config", "tool.toml"];
    job.workshop.run(words.iter().chain(&["--chunk-size", "64", "--chunk-overlap", "6"])).expect(0);
    assert_eq!(job.workshop.fingerprint(), job.workshop.fingerprint_of("clean.db"));
}
