//! The documentation says what the program does: pages that can be generated are, the others name everything that there is.
//!
//! `UPDATE_DOCS=1 cargo test --test suite docs` writes the generated pages anew.

use crate::http::Server;
use crate::support::{Workshop, commands_of};
use pensieve::config::DEFAULT;
use pensieve_text::format::{FORMATS, Format, ReaderKind};
use pensieve_text::model::{ProblemKind, ProcessingStatus};
use rusqlite::Connection;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tells whether a format belongs to a group.
type Belongs = fn(&Format) -> bool;

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn page(name: &str) -> String {
    fs::read_to_string(place(name)).unwrap()
}

/// Fails unless the page is this text; writes it where that is asked for.
#[track_caller]
fn check_generated(name: &str, text: &str) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(place(name), text).unwrap();
    }
    assert!(page(name) == text, "{name} is out of date: UPDATE_DOCS=1 cargo test --test suite docs");
}

/// What stands in a page before the part that is made from the program ends with this line, and what stands after it begins
/// with the other one.
const GENERATED: &str = "cargo test --test suite docs -->\n";
const BY_HAND: &str = "<!-- From here on by hand -->\n";

#[test]
fn the_page_of_formats_is_the_table() {
    let page = page("docs/formats.md");
    let (before, rest) = page.split_once(GENERATED).unwrap();
    let (_, after) = rest.split_once(BY_HAND).unwrap();
    let mut text = format!("{before}{GENERATED}\n");
    let groups: [(&str, Belongs); 3] = [
        ("Documents, read by the program itself", |row| row.reader == ReaderKind::Document),
        ("Text, code and data, read as they are", |row| row.reader == ReaderKind::Text),
        ("Read by a converter that you configure", |row| row.reader == ReaderKind::Converter),
    ];
    for (title, is_in) in groups {
        write!(text, "## {title}\n\n| format | name | MIME type | kind | cut | largest | files |\n").unwrap();
        text.push_str("| --- | --- | --- | --- | --- | --- | --- |\n");
        for row in FORMATS.iter().filter(|row| is_in(row)) {
            text.push_str(&format_line(row));
        }
        text.push('\n');
    }
    check_generated("docs/formats.md", &format!("{text}{BY_HAND}{after}"));
}

fn format_line(row: &Format) -> String {
    let extensions = row.extensions.iter().map(|extension| format!("`.{extension}`"));
    let files: Vec<String> = extensions.chain(row.filenames.iter().map(|name| format!("`{name}`"))).collect();
    let cut = row.strategy.map_or("", |strategy| strategy.as_str());
    let largest = row.whole_limit.map(|limit| format!("{} MiB", limit >> 20)).unwrap_or_default();
    let cells = [row.name, row.label, row.mime, row.kind.as_str(), cut, &largest, &files.join(" ")];
    format!("| {} |\n", cells.join(" | "))
}

/// A limit that a user can set has a row in the page on limits.
#[test]
fn every_limit_that_can_be_set_is_explained() {
    let text = page("docs/limits.md");
    let mut table = String::new();
    for line in DEFAULT.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            table = format!("{}.", name.trim_end_matches(']'));
        } else if let Some((key, _)) = line.split_once(" = ") {
            let is_limit = key.contains("max_") || table == "converter_limits.";
            let is_named = text.contains(&format!("| `{table}{key}` |"));
            assert!(!is_limit || is_named || table == "review.", "{table}{key}");
        }
    }
}

/// What `--help` prints, in parts: those between blank lines, a flag with all that is said of it in one.
fn help_parts(words: &[&str]) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pensieve"));
    let output = command.args(words).arg("--help").env("COLUMNS", "100").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut parts: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        let begins_flag = line.trim_start().starts_with('-') && line.len() - line.trim_start().len() <= 6;
        let is_deep = line.starts_with("          ");
        match parts.last_mut() {
            Some(part) if !begins_flag && (is_deep || !part.is_empty() && !line.is_empty()) => {
                *part += &format!("\n{line}");
            }
            Some(part) if line.is_empty() && part.is_empty() => {}
            _ => parts.push(line.to_owned()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[test]
fn the_page_of_commands_is_their_help() {
    let overview = help_parts(&[]);
    let whole = overview.join("\n\n");
    let commands: Vec<(&str, Vec<String>)> =
        commands_of(&whole).into_iter().map(|name| (name, help_parts(&[name]))).collect();
    let is_flag = |part: &str| part.trim_start().starts_with('-') || part.starts_with("Messages:\n");
    let uses = |part: &String| commands.iter().filter(|(_, parts)| parts.contains(part)).count();
    let mut text = format!(
        "# Commands\n\nGenerated from the program. Flags of several commands stand [at the end](#flags-of-several-commands).\n\n```text\n{}\n```\n",
        whole
    );
    let mut shared: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, parts) in &commands {
        let mut own = Vec::new();
        for part in parts {
            match is_flag(part) && uses(part) > 1 {
                true => match shared.iter_mut().find(|(known, _)| known == part) {
                    Some((_, names)) => names.push(name),
                    None => shared.push((part.clone(), vec![name])),
                },
                false => own.push(part.as_str()),
            }
        }
        write!(text, "\n## {name}\n\n```text\n{}\n```\n", own.join("\n\n")).unwrap();
    }
    text.push_str("\n## Flags of several commands\n");
    for (part, names) in &shared {
        let names = if names.len() == commands.len() { "All".to_owned() } else { names.join(", ") };
        write!(text, "\n{names}:\n\n```text\n{part}\n```\n").unwrap();
    }
    check_generated("docs/commands.md", &text);
}

#[test]
fn the_page_on_http_is_the_openapi_document() {
    let place = Workshop::new();
    place.ingest(&[]);
    let api = Server::start(&place, &[]).json("/api/v3/openapi.json");
    let page = page("docs/http.md");
    let (by_hand, _) = page.split_once(GENERATED).unwrap();
    let mut text = format!("{by_hand}{GENERATED}");
    let schemas = &api["components"]["schemas"];
    let mut shapes = Vec::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        let get = &item["get"];
        write!(text, "\n## `GET {path}`\n\n{}\n", get["summary"].as_str().unwrap()).unwrap();
        let parameters = get["parameters"].as_array().cloned().unwrap_or_default();
        if !parameters.is_empty() {
            text.push_str("\n| parameter | |\n| --- | --- |\n");
        }
        for parameter in parameters {
            let default = parameter["schema"].get("default").map(|default| format!(" Default {default}."));
            let words = parameter["schema"]["enum"].as_array().cloned().unwrap_or_default();
            let words: Vec<String> =
                words.iter().map(|word| format!("`{}`", word.as_str().unwrap())).collect();
            let words =
                if words.is_empty() { String::new() } else { format!(" One of {}.", words.join(", ")) };
            let (name, about) =
                (parameter["name"].as_str().unwrap(), parameter["description"].as_str().unwrap());
            writeln!(text, "| `{name}` | {about}{words}{} |", default.unwrap_or_default()).unwrap();
        }
        let content = &get["responses"]["200"]["content"];
        if content.get("application/x-ndjson").is_some() {
            text.push_str("\nThe lines are explained in [changes](changes.md).\n");
            continue;
        }
        let answer = shape_of(&content["application/json"]["schema"]).unwrap();
        write!(text, "\nThe answer is a {}.\n", link_to(answer, &mut shapes)).unwrap();
    }
    let mut written = 0;
    while let Some(shape) = shapes.get(written).cloned() {
        write!(text, "\n## {shape}\n\n| field | |\n| --- | --- |\n").unwrap();
        write_fields(&mut text, &schemas[&shape], &mut shapes);
        written += 1;
    }
    text.push_str("\n## Problems\n\n| type | status | title |\n| --- | --- | --- |\n");
    for kind in pensieve::serve::ProblemKind::ALL {
        let (status, title) = (kind.status().as_u16(), kind.title());
        writeln!(text, "| `urn:pensieve:problem:{}` | {status} | {title} |", kind.name()).unwrap();
    }
    check_generated("docs/http.md", &text);
}

/// One row a field; the shapes that it names are noted, to be written once.
fn write_fields(text: &mut String, schema: &Value, shapes: &mut Vec<String>) {
    for key in ["allOf", "oneOf"] {
        for part in schema[key].as_array().into_iter().flatten() {
            match shape_of(part) {
                Some(shape) => writeln!(text, "| | what a {} has |", link_to(shape, shapes)).unwrap(),
                None => write_fields(text, part, shapes),
            }
        }
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let parts = ["allOf", "oneOf"].iter().flat_map(|key| field[*key].as_array().into_iter().flatten());
        let shape = parts.chain([field, &field["items"], &field["additionalProperties"]]).find_map(shape_of);
        let about = field["description"].as_str().unwrap_or_default().replace('\n', " ");
        let link = shape.map(|shape| format!(" {}", link_to(shape, shapes))).unwrap_or_default();
        writeln!(text, "| `{name}` | {about}{link} |").unwrap();
    }
}

/// A link to a shape, which is noted.
fn link_to(shape: &str, shapes: &mut Vec<String>) -> String {
    if !shapes.iter().any(|known| known == shape) {
        shapes.push(shape.to_owned());
    }
    format!("[{shape}](#{})", shape.to_lowercase())
}

/// The name of the shape that a schema refers to.
fn shape_of(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

#[test]
fn every_key_of_the_configuration_is_explained_with_its_default() {
    let text = page("docs/configuration.md");
    let mut table = String::new();
    for line in DEFAULT.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            table = format!("{}.", name.trim_end_matches(']'));
        } else if let Some((key, value)) = line.split_once(" = ").filter(|_| table != "converters.") {
            let row = format!("\n| `{table}{key}` |");
            let row = text.find(&row).map(|at| text[at + 1..].lines().next().unwrap());
            // A list of many lines has a paragraph of its own.
            let default = if value == "[" { "| [below](#".to_owned() } else { format!("| `{value}` |") };
            assert!(row.is_some_and(|row| row.contains(&default)), "{table}{key} = {value}");
        }
    }
}

#[test]
fn every_type_of_problem_and_every_status_is_explained() {
    let text = page("docs/problems.md");
    let kinds = ProblemKind::ALL.iter().map(|kind| kind.as_str());
    for name in kinds.chain(ProcessingStatus::ALL.iter().map(|status| status.as_str())) {
        assert!(text.contains(&format!("\n| `{name}` |")), "{name}");
    }
    for kind in ProblemKind::ALL {
        let row = text.lines().find(|line| line.starts_with(&format!("| `{kind}` |"))).unwrap();
        assert_eq!(row.ends_with("| every run |"), kind.is_circumstance(), "{kind}");
    }
}

#[test]
fn the_page_of_problems_has_every_exit_code() {
    let page = page("docs/problems.md");
    let (by_hand, _) = page.split_once(GENERATED).unwrap();
    let mut text = format!("{by_hand}{GENERATED}\n## Exit codes\n\n| code | |\n| --- | --- |\n");
    for (_, code, meaning) in pensieve::exit::EXIT_CODES {
        writeln!(text, "| {code} | {meaning} |").unwrap();
    }
    check_generated("docs/problems.md", &text);
}

/// The first cell of each row of a table of messages is part of a message in the sources.
#[test]
fn every_message_of_the_page_of_troubles_is_one_of_the_program() {
    let mut sources = String::new();
    let readers = ["process", "platform"].map(|module| place("crates/pensieve-isolate/src").join(module));
    let mut folders = vec![place("src")];
    folders.extend(readers);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources += &fs::read_to_string(path).unwrap();
            }
        }
    }
    let page = page("docs/problems.md");
    let mut messages = 0;
    for table in page.split("| message | why | what helps |\n").skip(1) {
        for row in table.lines().skip(1).take_while(|line| line.starts_with("| `")) {
            let message = row.trim_start_matches("| `").split('`').next().unwrap();
            assert!(sources.contains(message), "no message has `{message}`");
            messages += 1;
        }
    }
    assert!(messages > 35, "{messages} messages");
}

#[test]
fn every_table_and_column_is_explained() {
    let schema = Connection::open_in_memory().unwrap();
    let mut migrations: Vec<PathBuf> =
        fs::read_dir(place("src/store/migrations")).unwrap().map(|entry| entry.unwrap().path()).collect();
    migrations.sort();
    for migration in migrations {
        schema.execute_batch(&fs::read_to_string(migration).unwrap()).unwrap();
    }
    let text = page("docs/schema.md");
    let mut tables = schema
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'
               AND name NOT LIKE 'chunks\\_fts\\_%' ESCAPE '\\'",
        )
        .unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for table in tables {
        let mut columns = schema.prepare(&format!("SELECT name FROM pragma_table_info('{table}')")).unwrap();
        let columns = columns.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap);
        for column in columns.chain([table.clone()]) {
            let is_named = text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == column);
            assert!(is_named, "{table}.{column}");
        }
    }
}

#[test]
fn the_first_screen_of_the_readme_is_what_the_fixtures_give() {
    let readme = page("README.md");
    let workshop = Workshop::new();
    let fixtures = place("fixtures").display().to_string();
    let ran = workshop.run(["ingest", &fixtures, "corpus.db", "--progress", "plain"]).expect(0);
    let told = ran.stderr.lines().filter(|line| line.starts_with("found ") || line.starts_with("error: "));
    let counted = ran.stdout.lines().filter(|line| !line.starts_with("this run"));
    let printed: Vec<&str> = told.chain(counted).collect();
    assert!(printed.len() > 8, "{printed:?}");
    let missing: Vec<&&str> = printed.iter().filter(|line| !readme.contains(**line)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let errors = |text: &str| text.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(errors(&readme), errors(&ran.stderr));
    for command in ["$ cargo run --release -- ingest fixtures corpus.db\n", "\nscripts/test\n"] {
        assert!(readme.contains(command), "{command}");
    }
    let query = "second light in the fog";
    let shown = workshop.run(["search", "corpus.db", query, "--limit", "1"]).expect(0).stdout;
    let shown = shown.replace(&fixtures, "/home/me/pensieve/fixtures");
    let shown = format!("$ pensieve search corpus.db '{query}' --limit 1\n{}\n```", shown.trim_end());
    assert!(readme.contains(&shown), "{shown}");
    let verified = workshop.run(["verify", "corpus.db"]).expect(0).stdout;
    let verified = format!("$ pensieve verify corpus.db\n{}\n```", verified.trim_end());
    assert!(readme.contains(&verified), "{verified}");
}

#[test]
fn binary_fixtures_are_what_their_script_writes() {
    let mut check = Command::new("python3");
    let Ok(output) = check.arg(place("scripts/make-fixtures")).arg("--check").output() else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn figures_have_one_home() {
    let Ok(output) = Command::new("python3").arg(place("benches/figures")).arg("--check").output() else {
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn no_page_links_to_what_is_not_there() {
    let pages =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "benches/README.md"].map(place);
    let docs = fs::read_dir(place("docs")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages.into_iter().chain(docs.filter(|path| path.extension().is_some_and(|end| end == "md"))) {
        for target in fs::read_to_string(&page).unwrap().split("](").skip(1) {
            let target = target.split([')', '#']).next().unwrap();
            let is_outside = target.is_empty() || target.starts_with("http");
            assert!(is_outside || page.with_file_name(target).exists(), "{}: {target}", page.display());
        }
    }
}
