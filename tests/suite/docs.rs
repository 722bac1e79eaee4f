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
        writeln!(text, "## {title}").unwrap();
        let mut kinds: Vec<(&str, Option<&str>)> = Vec::new();
        let kind_of = |row: &Format| (row.kind.as_str(), row.strategy.map(|strategy| strategy.as_str()));
        for row in FORMATS.iter().filter(|row| is_in(row)) {
            if !kinds.contains(&kind_of(row)) {
                kinds.push(kind_of(row));
            }
        }
        for kind in kinds {
            let rows: Vec<&Format> =
                FORMATS.iter().filter(|row| is_in(row) && kind_of(row) == kind).collect();
            let cut = kind.1.map(|cut| format!(", cut as {cut}")).unwrap_or_default();
            write!(text, "\nKind `{}`{cut}:\n\n", kind.0).unwrap();
            rows.iter().for_each(|row| text.push_str(&format_line(row)));
        }
        text.push('\n');
    }
    check_generated("docs/formats.md", &format!("{text}{BY_HAND}{after}"));
}

fn format_line(row: &Format) -> String {
    let extensions = row.extensions.iter().map(|extension| format!("`.{extension}`"));
    let files: Vec<String> = extensions.chain(row.filenames.iter().map(|name| format!("`{name}`"))).collect();
    let largest = row.whole_limit.map(|limit| format!(", {} MiB", limit >> 20)).unwrap_or_default();
    format!("- **{}**: {}, {}{largest}: {}\n", row.name, row.label, row.mime, files.join(" "))
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

/// An argument of a command as it is typed, with all that its help says of it.
fn argument_line(argument: &clap::Arg) -> String {
    let short = argument.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    let about = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut parts: Vec<String> = about.split("\n\n").map(|part| with_full_stop(&plain(part))).collect();
    if argument.get_action().takes_values() {
        let values = argument.get_possible_values();
        let explained = values.iter().any(|value| value.get_help().is_some());
        let values: Vec<String> = values
            .iter()
            .map(|value| match value.get_help() {
                Some(help) => format!("`{}` ({help})", value.get_name()),
                None => format!("`{}`", value.get_name()),
            })
            .collect();
        if !values.is_empty() {
            parts.push(format!("{}.", values.join(if explained { "; " } else { ", " })));
        }
        let defaults = argument.get_default_values();
        if !defaults.is_empty() && !argument.is_hide_default_value_set() {
            let defaults: Vec<String> =
                defaults.iter().map(|value| value.to_string_lossy().into_owned()).collect();
            parts.push(format!("Default `{}`.", defaults.join(",")));
        }
    }
    if let Some(alias) = argument.get_visible_aliases().and_then(|names| names.first().copied()) {
        parts.push(format!("Also `--{alias}`."));
    }
    format!("- `{short}{argument}`: {}", parts.join(" "))
}

/// Help as Markdown: what is not code has no signs of markup.
fn plain(help: &str) -> String {
    let parts = help.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.replace('*', "\\*").replace('<', "\\<").replace('\n', " "),
        _ => format!("`{part}`"),
    });
    parts.collect()
}

fn with_full_stop(text: &str) -> String {
    if text.ends_with(['.', ':']) { text.to_owned() } else { format!("{text}.") }
}

#[test]
fn the_page_of_commands_is_their_help() {
    let mut definition = pensieve::cli::definition();
    definition.build();
    let help = definition.render_long_help().to_string();
    let commands: Vec<&clap::Command> =
        commands_of(&help).into_iter().map(|name| definition.find_subcommand(name).unwrap()).collect();
    let lines_of = |command: &clap::Command| -> Vec<String> {
        command.get_arguments().filter(|argument| !argument.is_hide_set()).map(argument_line).collect()
    };
    let lines: Vec<Vec<String>> = commands.iter().map(|command| lines_of(command)).collect();
    let mut text = "# Commands\n\nGenerated from the program: `pensieve COMMAND --help` prints the same. What several commands take \
                    stands\n[at the end](#arguments-of-several-commands); [problems.md](problems.md#exit-codes) has the exit codes.\n"
        .to_owned();
    for line in help.lines().take_while(|line| *line != "Options:") {
        let listed =
            line.strip_prefix("  ").and_then(|line| line.split_once("  ")).map(|(name, _)| vec![name]);
        let others = || line.strip_prefix("More: ").map(|names| names.split(", ").collect());
        match (line.strip_suffix(':'), listed.or_else(others)) {
            (Some(group), _) => write!(text, "\n**{group}**:").unwrap(),
            (None, Some(names)) => {
                text.push_str(if line.starts_with("More") { "\n\n**More**:" } else { "" });
                names.iter().for_each(|name| write!(text, " [{name}](#{name})").unwrap());
            }
            (None, None) => text.push_str(if text.ends_with(')') { "\n" } else { "" }),
        }
    }
    let mut shared: Vec<(Vec<&str>, Vec<&String>)> = Vec::new();
    for (command, own) in commands.iter().zip(&lines) {
        write!(text, "\n## {}\n\n", command.get_name()).unwrap();
        let about = command.get_long_about().or(command.get_about()).unwrap().to_string();
        writeln!(text, "{}\n", with_full_stop(&plain_paragraphs(&about))).unwrap();
        let usage = (*command).clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").replace("\n       ", "\n").replace(" [OPTIONS]", "");
        let example = command.get_after_help().unwrap().to_string();
        let example = example.trim_start_matches("Example: ");
        writeln!(text, "`{}`; for example `{example}`\n", usage.replace('\n', "` or `")).unwrap();
        for line in own {
            let users: Vec<&str> = commands
                .iter()
                .zip(&lines)
                .filter(|(_, lines)| lines.contains(line))
                .map(|(command, _)| command.get_name())
                .collect();
            if users.len() == 1 {
                writeln!(text, "{line}").unwrap();
                continue;
            }
            match shared.iter_mut().find(|(known, _)| *known == users) {
                Some((_, known)) if known.contains(&line) => {}
                Some((_, known)) => known.push(line),
                None => shared.push((users, vec![line])),
            }
        }
    }
    text.push_str("\n## Arguments of several commands\n");
    for (users, lines) in &shared {
        let users = match users.len() {
            all if all == commands.len() => "All".to_owned(),
            most if most > commands.len() / 2 => "Most".to_owned(),
            _ => users.join(", "),
        };
        write!(text, "\n{users}:\n\n").unwrap();
        lines.iter().for_each(|line| writeln!(text, "{line}").unwrap());
    }
    check_generated("docs/commands.md", &text.replace("\n\n\n", "\n\n"));
}

/// The paragraphs of a help.
fn plain_paragraphs(help: &str) -> String {
    help.split("\n\n").map(plain).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn the_page_on_http_is_the_openapi_document() {
    let place = Workshop::new();
    place.ingest(&[]);
    let api = Server::start(&place, &[]).json("/api/v3/openapi.json");
    let page = page("docs/http.md");
    let (by_hand, _) = page.split_once(GENERATED).unwrap();
    let mut text = format!(
        "{by_hand}{GENERATED}\nWhat is only named stands under [parameters of several endpoints](#parameters-of-several-endpoints).\n"
    );
    let schemas = &api["components"]["schemas"];
    let paths: Vec<(&String, &Value)> =
        api["paths"].as_object().unwrap().iter().map(|(path, item)| (path, &item["get"])).collect();
    let all: Vec<String> =
        paths.iter().flat_map(|(_, get)| parameter_lines(get)).map(|(_, line)| line).collect();
    let is_shared = |line: &String| all.iter().filter(|known| *known == line).count() > 1;
    let (mut shapes, mut shared) = (Vec::new(), Vec::new());
    for (path, get) in paths {
        let content = &get["responses"]["200"]["content"];
        let answer = match shape_of(&content["application/json"]["schema"]) {
            Some(answer) => format!("Answer: {}.", link_to(answer, &mut shapes)),
            None => "The lines are explained in [changes](changes.md).".to_owned(),
        };
        write!(text, "\n## `GET {path}`\n\n{} {answer}\n\n", get["summary"].as_str().unwrap()).unwrap();
        let (common, own): (Vec<_>, Vec<_>) =
            parameter_lines(get).into_iter().partition(|(_, line)| is_shared(line));
        own.iter().for_each(|(_, line)| writeln!(text, "{line}").unwrap());
        let names: Vec<String> = common.iter().map(|(name, _)| format!("`{name}`")).collect();
        if !names.is_empty() {
            writeln!(text, "- {}", names.join(", ")).unwrap();
        }
        for (_, line) in common {
            if !shared.contains(&line) {
                shared.push(line);
            }
        }
    }
    text.push_str("\n## Parameters of several endpoints\n\n");
    shared.iter().for_each(|line| writeln!(text, "{line}").unwrap());
    let mut written = 0;
    while let Some(shape) = shapes.get(written).cloned() {
        write!(text, "\n## {shape}\n\n").unwrap();
        write_fields(&mut text, &schemas[&shape], &mut shapes);
        written += 1;
    }
    text.push_str("\n## Problems\n\n`type` is `urn:pensieve:problem:` and the name.\n\n| name | status | title |\n| --- | --- | --- |\n");
    for kind in pensieve_serve::serve::ProblemKind::ALL {
        let (status, title) = (kind.status().as_u16(), kind.title());
        writeln!(text, "| `{}` | {status} | {title} |", kind.name()).unwrap();
    }
    check_generated("docs/http.md", &text.replace("\n\n\n", "\n\n"));
}

/// Each parameter of an endpoint with its name.
fn parameter_lines(get: &Value) -> Vec<(String, String)> {
    let line = |parameter: &Value| {
        let default = parameter["schema"].get("default").map(|default| format!(" Default {default}."));
        let words = parameter["schema"]["enum"].as_array().cloned().unwrap_or_default();
        let words: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_str().unwrap())).collect();
        let words = if words.is_empty() { String::new() } else { format!(" One of {}.", words.join(", ")) };
        let (name, about) = (parameter["name"].as_str().unwrap(), parameter["description"].as_str().unwrap());
        (name.to_owned(), format!("- `{name}`: {about}{words}{}", default.unwrap_or_default()))
    };
    get["parameters"].as_array().into_iter().flatten().map(line).collect()
}

/// One line a field; the shapes that it names are noted, to be written once.
fn write_fields(text: &mut String, schema: &Value, shapes: &mut Vec<String>) {
    for key in ["allOf", "oneOf"] {
        for part in schema[key].as_array().into_iter().flatten() {
            match shape_of(part) {
                Some(shape) => writeln!(text, "- what a {} has", link_to(shape, shapes)).unwrap(),
                None => write_fields(text, part, shapes),
            }
        }
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let parts = ["allOf", "oneOf"].iter().flat_map(|key| field[*key].as_array().into_iter().flatten());
        let shape = parts.chain([field, &field["items"], &field["additionalProperties"]]).find_map(shape_of);
        let about = field["description"].as_str().unwrap_or_default().replace('\n', " ");
        let link = shape.map(|shape| link_to(shape, shapes)).unwrap_or_default();
        writeln!(text, "- `{name}`: {}", format!("{about} {link}").trim()).unwrap();
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
            // The rules of cleaning have a page of their own, and are all on.
            let key = if table == "clean.rules." { "NAME" } else { key };
            let row = format!("\n- `{table}{key}` ");
            let row = text.find(&row).map(|at| text[at + 1..].lines().next().unwrap());
            // A list of many lines has a paragraph of its own.
            let default = if value == "[" { "([below](#".to_owned() } else { format!("= `{value}`") };
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
    for (_, code, meaning) in pensieve_store::exit::EXIT_CODES {
        writeln!(text, "| {code} | {meaning} |").unwrap();
    }
    check_generated("docs/problems.md", &text);
}

/// The first cell of each row of a table of messages is part of a message in the sources.
#[test]
fn every_message_of_the_page_of_troubles_is_one_of_the_program() {
    let mut sources = String::new();
    let crates = ["pensieve-store", "pensieve-collect", "pensieve-serve", "pensieve-isolate"];
    let mut folders: Vec<PathBuf> = crates.map(|name| place("crates").join(name).join("src")).into();
    folders.push(place("src"));
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
        fs::read_dir(place("crates/pensieve-store/src/store/database/migrations"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
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
