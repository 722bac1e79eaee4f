//! Transcripts: everything that users see of a session, word for word, in `tests/transcripts/*.txt`.
//!
//! A line that begins with a mark is a step, all other lines are what it printed, indented by two spaces:
//!
//! * `$ COMMAND`: a line of the shell in an empty folder, with `pensieve` in its path and the fixtures of the repository
//!   in `$FIXTURES`; lines with `> ` continue it. Its lines on stderr begin with `! `, and `[exit N]` follows a command
//!   that failed.
//! * `? SELECT ...`: rows of `corpus.db`, columns joined by `|`.
//! * `GET /path`: what `serve` answers from `corpus.db`: status, type, body. `GET /page html` asks as a browser does.
//! * `MCP METHOD PARAMETERS`: a request of the Model Context Protocol to the same server.
//! * `# ...`: why the next steps are there.
//!
//! `UPDATE_GOLDEN=1 cargo test --test suite transcripts` writes what is printed now; the difference is to be read.
//! Times, speeds, versions and places of the machine are replaced by names in `<>`.

use crate::http::{Answer, Server};
use crate::support::{Workshop, rows};
use crate::variable::{Variable, fixtures};
use regex::Regex;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn sessions_print_what_their_transcripts_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let expected = fs::read_to_string(&path).unwrap();
        let printed = Session::new().replay(&expected);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &printed).unwrap();
            continue;
        }
        if let Some((line, (left, right))) = expected
            .lines()
            .chain([""])
            .zip(printed.lines().chain([""]))
            .enumerate()
            .find(|(_, (a, b))| a != b)
        {
            panic!("{}:{}:\nexpected: {left}\nprinted:  {right}", path.display(), line + 1);
        }
        assert_eq!(expected.lines().count(), printed.lines().count(), "{}", path.display());
    }
}

/// One folder with what a transcript does in it.
struct Session {
    place: Workshop,
    /// Started by the first request, ended by the next command.
    server: Option<Server>,
    variable: Variable,
}

impl Session {
    fn new() -> Session {
        let place = Workshop::new();
        fs::create_dir(place.path("bin")).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pensieve"), place.path("bin/pensieve")).unwrap();
        Session { place, server: None, variable: Variable::new() }
    }

    /// Takes the steps of a transcript; the transcript as it is now.
    fn replay(&mut self, transcript: &str) -> String {
        let mut printed = String::new();
        let mut lines = transcript.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((mark, rest)) = line.split_once(' ').filter(|(mark, _)| !mark.is_empty()) else {
                continue;
            };
            let mut step = rest.to_owned();
            printed.push_str(&format!("{line}\n"));
            while let Some(more) = lines.next_if(|line| line.starts_with("> ")) {
                printed.push_str(&format!("{more}\n"));
                step.push_str(&format!("\n{}", &more[2..]));
            }
            let output = self.take(mark, &step);
            for line in self.variable.replaced(&self.place, &output).lines() {
                printed.push_str(format!("  {line}").trim_end());
                printed.push('\n');
            }
        }
        printed
    }

    fn take(&mut self, mark: &str, step: &str) -> String {
        match mark {
            "#" => String::new(),
            "$" => {
                self.server = None;
                self.shell(step)
            }
            "?" => {
                let rows = rows(&self.place.corpus(), step);
                rows.iter().map(|row| format!("{}\n", row.replace('\n', "\\n"))).collect()
            }
            "GET" => match step.strip_suffix(" html") {
                Some(target) => page(&self.serving().send("GET", target, &[("Accept", "text/html")], b"")),
                None => resource(&self.serving().get(step)),
            },
            "MCP" => {
                let (method, parameters) = step.split_once(' ').unwrap_or((step, "{}"));
                let head = [
                    ("Content-Type", "application/json"),
                    ("Accept", "application/json, text/event-stream"),
                    ("MCP-Protocol-Version", "2025-11-25"),
                ];
                let request = format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\",\"params\":{parameters}}}"
                );
                resource(&self.serving().send("POST", "/mcp", &head, request.as_bytes()))
            }
            _ => panic!("no kind of step: {mark}"),
        }
    }

    /// The server of the folder's database.
    fn serving(&mut self) -> &Server {
        self.server.get_or_insert_with(|| Server::start(&self.place, &[]))
    }

    fn shell(&self, step: &str) -> String {
        let path =
            format!("{}:{}", self.place.path("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("sh");
        command.args(["-c", step]).current_dir(self.place.path("")).env_clear().stdin(Stdio::null());
        command.env("PATH", path).env("HOME", self.place.path("home")).env("COLUMNS", "100");
        command.env("FIXTURES", fixtures());
        let ran = crate::support::ran(&mut command);
        let messages: String = ran.stderr.lines().map(|line| format!("! {line}\n")).collect();
        let exit = ran.code.filter(|&code| code != 0).map(|code| format!("[exit {code}]\n"));
        format!("{}{messages}{}", on_lines(&ran.stdout), exit.unwrap_or_default())
    }
}

/// JSON objects spread over lines, other text as it is.
fn on_lines(text: &str) -> String {
    let line = |line: &str| match serde_json::from_str::<serde_json::Value>(line) {
        Ok(value) if value.is_object() => short_pairs(&format!("{value:#}\n")),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// JSON with each array of two numbers on one line.
fn short_pairs(json: &str) -> String {
    let pair = Regex::new(r"\[\s+(\d+),\s+(\d+)\s+\]").unwrap();
    pair.replace_all(json, "[$1, $2]").into_owned()
}

/// An answer of the API.
fn resource(answer: &Answer) -> String {
    let text = answer.text();
    let data = text.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| !data.is_empty());
    let data: Vec<&str> = data.collect();
    let body = if data.is_empty() { on_lines(&text) } else { on_lines(&data.join("\n")) };
    format!("{} {}\n{body}", answer.status, answer.header("content-type"))
}

/// The main part of a page for a browser, a line for every element that begins one.
fn page(answer: &Answer) -> String {
    let starts = Regex::new(
        r"<(/?(main|section|form|table|ul|ol|dl|nav|header|footer|tbody|thead|head|body|article|details)|h\d|p|li|tr|dt|dd|label|input|option|select|div|pre|title|link|script|meta|a|button)\b",
    );
    let text = answer.text();
    let main = &text[text.find("<main").unwrap_or(0)..];
    let body = starts.unwrap().replace_all(main, "\n$0").into_owned();
    let lines: String =
        body.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("{line}\n")).collect();
    format!("{} {}\n{lines}", answer.status, answer.header("content-type"))
}
