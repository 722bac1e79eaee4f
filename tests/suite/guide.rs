//! The commands that README, the tasks of the book and all other pages show: those of the first two run as they stand, the
//! others are at least understood.

use crate::support::Workshop;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The lines of blocks of commands, each block as one text.
fn blocks(page: &str, kinds: &[&str]) -> Vec<String> {
    let text = fs::read_to_string(place(page)).unwrap();
    let parts = text.split("```").skip(1).step_by(2);
    parts
        .filter_map(|part| part.split_once('\n'))
        .filter(|(kind, _)| kinds.contains(kind))
        .map(|(_, lines)| lines.to_owned())
        .collect()
}

/// A home with a few notes, mails and papers, where `pensieve` is a command.
fn home() -> Workshop {
    let workshop = Workshop::new();
    let write = |name: &str, text: &str| {
        let path = workshop.path("home").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for number in 0..12 {
        write(
            &format!("notes/{number}.md"),
            &format!("# Day {number}\n\nThe plumber came for the boiler on day {number}.\n"),
        );
    }
    write("notes/a.md", "# Boiler\n\nThe boiler is serviced in May.\n");
    write("notes/.obsidian/workspace.json", "{}");
    write("Documents/tax.txt", "The tax is due at the end of July.\n");
    let mail = "From: a@example.com\nTo: b@example.com\nSubject: Chairs\nDate: Mon, 3 Feb 2025 10:00:00 +0000\n\nThe invoice for the chairs.\n";
    write("mail/1.eml", mail);
    write("papers/read.txt", "A paper that can be read.\n");
    write("papers/torn.pdf", "%PDF-1.4\nnothing of it is left\n");
    let bin = workshop.path("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pensieve"), bin.join("pensieve")).unwrap();
    workshop
}

/// Runs every block in a shell that ends at the first command that fails.
fn follow(page: &str) {
    let workshop = home();
    let path = format!("{}:{}", workshop.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    let is_tried = |line: &&str| {
        !line.contains("  # needs ") && !["cargo ", "scripts/"].iter().any(|start| line.starts_with(start))
    };
    let mut commands = 0;
    for block in blocks(page, &["sh"]) {
        let script: Vec<&str> = block.lines().filter(is_tried).collect();
        commands += script.iter().filter(|line| line.starts_with("pensieve ")).count();
        let mut shell = Command::new("bash");
        let script = script.join("\n");
        shell.args(["-e", "-o", "pipefail", "-c", &script]).current_dir(workshop.path("")).env_clear();
        shell.env("PATH", &path).env("HOME", workshop.path("home"));
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{page}:\n{script}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(commands > 10, "{commands} commands of {page}");
}

#[test]
fn the_commands_of_the_readme_run_as_they_stand() {
    follow("README.md");
}

#[test]
fn the_tasks_of_the_book_can_be_followed_word_for_word() {
    follow("docs/how-to.md");
}

/// The words of a command line, as a shell divides them; `None` for one that needs a shell for more than quotes.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(open)) if letter == open => quote = None,
            (' ', None) => words.extend(word.take()),
            ('#', None) if word.is_none() => break,
            ('>' | '<' | '|' | '&' | ';' | '$' | '`' | '(' | '\\' | '…', None) => return None,
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    Some(words)
}

#[test]
fn every_command_of_every_page_is_understood() {
    let mut pages: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(str::to_owned).into();
    let docs = fs::read_dir(place("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    pages.extend(
        docs.map(|name| format!("docs/{}", name.to_string_lossy())).filter(|name| name.ends_with(".md")),
    );
    let mut commands = 0;
    for page in pages {
        for block in blocks(&page, &["sh", "console"]) {
            for line in block.lines().map(|line| line.trim_start_matches("$ ")) {
                let Some(words) = line.strip_prefix("pensieve ").and_then(words) else { continue };
                let understood = pensieve::cli::understands(&words);
                assert_eq!(understood, Ok(()), "{page}: {line}");
                commands += 1;
            }
        }
    }
    assert!(commands > 60, "{commands} commands");
}

/// The words of a page that somebody wrote to be read: without blocks of code, rows of tables and what is generated.
fn prose(page: &str) -> Vec<String> {
    let text = fs::read_to_string(place(page)).unwrap();
    let text = text.split("test --test suite docs -->").next().unwrap_or_default();
    let outside: String = text.split("```").step_by(2).collect();
    let lines = outside.lines().filter(|line| !line.starts_with('|')).collect::<Vec<_>>().join("\n");
    let is_word = |letter: char| letter.is_alphanumeric() || "_'-.".contains(letter);
    lines.split(|letter| !is_word(letter)).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[test]
fn no_ten_words_stand_in_two_places_of_the_book() {
    let mut known = std::collections::HashMap::new();
    let mut twice = Vec::new();
    let docs = fs::read_dir(place("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut pages: Vec<String> = docs.map(|name| format!("docs/{}", name.to_string_lossy())).collect();
    pages.retain(|page| page.ends_with(".md") && page != "docs/commands.md");
    pages.sort();
    pages.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(str::to_owned));
    for page in &pages {
        for run in prose(page).windows(10) {
            if let Some(other) = known.insert(run.join(" "), page) {
                twice.push(format!("{other}, {page}: {}", run.join(" ")));
            }
        }
    }
    assert!(twice.is_empty(), "{twice:#?}");
}
