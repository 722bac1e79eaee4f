//! The example in the help of each command runs, word for word, on the fixtures.

use crate::collect;
use crate::support::{Ran, Workshop, commands_of, ran};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Commands that work until they are stopped: they have begun when they say this.
const SERVICES: [(&str, &str); 2] = [("serve", "http://"), ("watch", "watching ")];

fn fixture(name: &str) -> String {
    format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A shell in the folder of the workshop, with the program in its path.
fn shell(workshop: &Workshop, line: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_pensieve"));
    let path = [program.parent().unwrap().as_os_str(), &std::env::var_os("PATH").unwrap_or_default()];
    let mut command = workshop.command([] as [&str; 0]);
    let envs: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    command = Command::new("sh");
    command.args(["-c", line]).current_dir(workshop.path("")).env_clear().stdin(Stdio::null());
    command.envs(envs.into_iter().filter_map(|(name, value)| Some((name, value?))));
    command.env("PATH", path.join(":".as_ref()));
    command
}

/// What the examples speak of: notes at home, a corpus of them, documents, questions, lists, a manifest.
fn furnished() -> Workshop {
    let workshop = Workshop::new();
    for file in ["prose/the-lamp.txt", "office/minutes.docx", "letters/mixed.eml", "web", "README.md"] {
        let copy =
            format!("mkdir -p ~/notes/notes ~/notes/docs ~/old-notes && cp -r '{}' ~/notes/", fixture(file));
        ran(&mut shell(&workshop, &copy)).expect(0);
    }
    fs::write(
        workshop.path("home/notes/docs/tax.md"),
        "# Tax\n\nThe tax return is due in May; the memory limit is not.\n",
    )
    .unwrap();
    fs::write(
        workshop.path("home/notes/notes/a.md"),
        "# Notes\n\n".to_owned() + &"One  line of\u{ad} notes.\n".repeat(90),
    )
    .unwrap();
    fs::write(workshop.path("home/old-notes/old.txt"), "An old note.\n").unwrap();
    fs::write(
        workshop.path("questions.jsonl"),
        "{\"id\":\"1\",\"question\":\"when is tax due?\",\"path\":\"docs/tax.md\",\"text\":\"due in May\"}\n",
    )
    .unwrap();
    for (from, to) in [("books/book.epub", "book.epub"), ("office/leaflet.pdf", "book.pdf")] {
        fs::copy(fixture(from), workshop.path(to)).unwrap();
    }
    for line in [
        "pensieve ingest ~/notes corpus.db -q",
        "pensieve ingest ~/old-notes corpus.db -q",
        "pensieve ingest ~/notes notes.db -q",
        "pensieve ingest ~/old-notes papers.db -q",
        "cp notes.db shard-0000.db && cp papers.db shard-0001.db",
        "mkdir -p ~/.local/share/bash-completion/completions ~/.config/pensieve kept",
        "cp *.db kept",
    ] {
        ran(&mut shell(&workshop, line)).expect(0);
    }
    collect::furnish(&workshop.path(""));
    workshop
}

/// What stands around an example: what it needs that another one must not have, and its input.
fn surroundings(command: &str, example: &str) -> String {
    match command {
        "merge" => format!("rm corpus.db && {example}"),
        "embed" => format!(
            "PENSIEVE_EMBEDDING_ENDPOINT=http://127.0.0.1:9/v1/embeddings PENSIEVE_EMBEDDING_MODEL=m {example}"
        ),
        "cite" => format!("pensieve pack corpus.db 'when is tax due?' --budget 4000 | {example}"),
        // The port may be in use.
        "serve" => example.replace(":7474", ":0"),
        _ => example.to_owned(),
    }
}

/// Runs a command that works until it is stopped; it is stopped when it has begun.
fn serve(workshop: &Workshop, line: &str, begun: &str) -> Ran {
    let out = |name: &str| Stdio::from(fs::File::create(workshop.path(name)).unwrap());
    let mut child =
        shell(workshop, &format!("exec {line}")).stdout(out("out")).stderr(out("err")).spawn().unwrap();
    let text = |name: &str| fs::read_to_string(workshop.path(name)).unwrap();
    let start = Instant::now();
    while !(text("out") + &text("err")).contains(begun) && start.elapsed() < Duration::from_secs(40) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = rustix::process::Pid::from_child(&child);
    let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    let code = child.wait().unwrap().code();
    Ran { code, stdout: text("out"), stderr: text("err") }
}

#[test]
fn the_example_of_every_command_runs() {
    let help = Workshop::new().run(["--help"]).expect(0).stdout;
    let workshop = furnished();
    let mut run = 0;
    for name in commands_of(&help) {
        ran(&mut shell(&workshop, "rm -f *.db && cp kept/*.db .")).expect(0);
        let help = workshop.run([name, "--help"]).expect(0).stdout;
        let example = help.lines().find_map(|line| line.strip_prefix("Example: ")).unwrap();
        let line = surroundings(name, example);
        let ended = match SERVICES.iter().find(|(service, _)| *service == name) {
            Some((_, begun)) => serve(&workshop, &line, begun),
            None => ran(&mut shell(&workshop, &line)),
        };
        assert_eq!(ended.code, Some(0), "{line}\n{}\n{}", ended.stdout, ended.stderr);
        run += 1;
    }
    assert!(run > 30, "{run} examples");
    let whole = help.lines().find_map(|line| line.strip_prefix("Example: ")).unwrap();
    ran(&mut shell(&workshop, whole)).expect(0);
}
