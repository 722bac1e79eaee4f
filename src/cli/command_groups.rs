//! The list of commands in the help of the program, in groups by what a person wants.

use std::fmt::Write as _;

/// The groups with their commands, in the order shown.
pub const GROUPS: &[(&str, &[&str])] = &[
    (
        "Use",
        &[
            "ingest", "watch", "search", "pack", "cite", "text", "tables", "table", "sql", "convert",
            "collect", "serve", "mcp",
        ],
    ),
    ("Look", &["list", "stats", "problems", "errors", "review", "why", "repeats", "diff", "eval"]),
    ("Keep", &["init", "check-dependencies", "clean", "embed", "verify", "forget", "compact"]),
    ("For machines", &["export", "changes", "fingerprint", "plan", "merge"]),
];

/// Commands that are named and not described there: for developers and packages.
pub const OTHERS: &[&str] = &["layout", "worker", "completions", "man"];

/// The help of the program, where clap would list all commands in a row.
pub fn template(commands: &clap::Command) -> String {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        let _ = write!(text, "\n{group}:\n");
        for name in *names {
            let about = commands.find_subcommand(name).and_then(clap::Command::get_about);
            let _ = writeln!(text, "  {name:<20}{}", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    let _ = write!(text, "\nMore: {}\n`pensieve COMMAND --help` explains each.\n", OTHERS.join(", "));
    text + "\nOptions:\n{options}{after-help}"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_in_one_group() {
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let listed: Vec<&str> = listed.into_iter().chain(OTHERS.iter().copied()).collect();
        let definition = crate::cli::definition();
        let known: BTreeSet<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), known);
        assert_eq!(listed.len(), known.len());
    }
}
