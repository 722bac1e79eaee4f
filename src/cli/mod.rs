//! The command line: one file per command, whose doc comments are its help.
//!
//! Commands turn arguments into calls of the library and results into text. Data goes to stdout, messages to stderr.
//! Only this module and those inside it print, know exit codes or read the environment (but for programs in `PATH`).

mod changes;
mod check_dependencies;
mod cite;
mod clean;
mod collect;
mod command_groups;
mod compact;
mod completions;
mod convert;
mod errors;
mod eval;
mod diff;
mod embed;
mod export;
mod fingerprint;
mod forget;
mod ingest;
mod init;
mod layout;
mod list;
mod man;
mod merge;
mod pack;
mod plan;
mod mcp;
mod repeats;
mod problems;
mod review;
mod search;
mod serve;
mod shared;
mod sql;
mod stats;
mod table;
mod tables;
mod text;
mod verify;
mod watch;
mod why;
mod worker;

pub use shared::context::{CommandContext, CommandOutcome, LogLevel};
pub use shared::failure::Failure;
pub use shared::settings::work as ingest_settings;

use clap::error::ContextKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use pensieve_isolate::platform::keep_files_private;
use pensieve_store::exit::{EXIT_CODES, Exit};
use shared::context::MessageArgs;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Turns a folder into one SQLite file fit for language models.
///
/// Every file becomes clean text, every text chunks of exact token counts, every chunk a row that says where it comes
/// from. What several files share is stored once. Running it again reads only what has changed.
#[derive(Debug, Parser)]
#[command(
    name = "pensieve",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Example: pensieve ingest ~/notes notes.db && pensieve search notes.db 'tax return'"
)]
struct Cli {
    #[command(flatten)]
    messages: MessageArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ingest(ingest::IngestArgs),
    Watch(watch::WatchArgs),
    Clean(clean::CleanArgs),
    Search(search::SearchArgs),
    List(list::ListArgs),
    Pack(pack::PackArgs),
    Embed(embed::EmbedArgs),
    Eval(eval::EvalArgs),
    Cite(cite::CiteArgs),
    Text(text::TextArgs),
    Tables(tables::TablesArgs),
    Table(table::TableArgs),
    Sql(sql::SqlArgs),
    Diff(diff::DiffArgs),
    Review(review::ReviewArgs),
    Layout(layout::LayoutArgs),
    Stats(stats::StatsArgs),
    Problems(problems::ProblemsArgs),
    Errors(errors::ErrorsArgs),
    Why(why::WhyArgs),
    Repeats(repeats::RepeatsArgs),
    Export(export::ExportArgs),
    Changes(changes::ChangesArgs),
    Serve(serve::ServeArgs),
    Mcp(mcp::McpArgs),
    Collect(collect::CollectArgs),
    Convert(convert::ConvertArgs),
    Plan(plan::PlanArgs),
    Merge(merge::MergeArgs),
    Verify(verify::VerifyArgs),
    Fingerprint(fingerprint::FingerprintArgs),
    Forget(forget::ForgetArgs),
    Compact(compact::CompactArgs),
    Init(init::InitArgs),
    CheckDependencies(check_dependencies::CheckDependenciesArgs),
    Worker(worker::WorkerArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    fn run(&self, context: &CommandContext) -> Result<CommandOutcome, Failure> {
        match self {
            Command::Ingest(args) => ingest::run(args, context),
            Command::Watch(args) => watch::run(args, context),
            Command::Clean(args) => clean::run(args, context),
            Command::Search(args) => search::run(args, context),
            Command::List(args) => list::run(args, context),
            Command::Pack(args) => pack::run(args, context),
            Command::Embed(args) => embed::run(args, context),
            Command::Eval(args) => eval::run(args, context),
            Command::Cite(args) => cite::run(args, context),
            Command::Text(args) => text::run(args, context),
            Command::Tables(args) => tables::run(args, context),
            Command::Table(args) => table::run(args, context),
            Command::Sql(args) => sql::run(args, context),
            Command::Diff(args) => diff::run(args, context),
            Command::Review(args) => review::run(args, context),
            Command::Layout(args) => layout::run(args, context),
            Command::Stats(args) => stats::run(args, context),
            Command::Problems(args) => problems::run(args, context),
            Command::Errors(args) => errors::run(args, context),
            Command::Why(args) => why::run(args, context),
            Command::Repeats(args) => repeats::run(args, context),
            Command::Export(args) => export::run(args, context),
            Command::Changes(args) => changes::run(args, context),
            Command::Serve(args) => serve::run(args, context),
            Command::Mcp(args) => mcp::run(args, context),
            Command::Collect(args) => collect::run(args, context),
            Command::Convert(args) => convert::run(args, context),
            Command::Plan(args) => plan::run(args, context),
            Command::Merge(args) => merge::run(args, context),
            Command::Verify(args) => verify::run(args, context),
            Command::Fingerprint(args) => fingerprint::run(args, context),
            Command::Forget(args) => forget::run(args, context),
            Command::Compact(args) => compact::run(args, context),
            Command::Init(args) => init::run(args, context),
            Command::CheckDependencies(args) => check_dependencies::run(args, context),
            Command::Worker(args) => worker::run(args, context),
            Command::Completions(args) => completions::run(args, context),
            Command::Man(args) => man::run(args, context),
        }
    }
}

/// Runs the program: reads the command line, runs the command, returns the exit code.
pub fn run() -> ExitCode {
    shared::failure::install_panic_hook();
    // Databases, exports, reports and Markdown have the texts of files that may be the user's alone.
    keep_files_private();
    // Without it, a write past the limit ends the process without a message.
    let _ = shared::signal::survive_file_size_limit();
    let cli = match parse() {
        Ok(cli) => cli,
        Err(exit) => return exit.into(),
    };
    let context = CommandContext { level: cli.messages.level(), definition };
    let ended = catch_unwind(AssertUnwindSafe(|| cli.command.run(&context)));
    let exit = match ended.unwrap_or_else(|_| Err(shared::failure::bug())) {
        Ok(outcome) => outcome.into(),
        Err(failure) => failure.report(),
    };
    exit.into()
}

/// Whether these words after the name of the program are a command, for tests of what pages show.
///
/// # Errors
/// What is wrong with them.
pub fn understands(words: &[String]) -> Result<(), String> {
    let words = std::iter::once("pensieve").chain(words.iter().map(String::as_str));
    definition().try_get_matches_from(words).map(drop).map_err(|error| error.to_string())
}

/// The definition of every command, for help, completions, the manual and the page of commands.
pub fn definition() -> clap::Command {
    let codes: String =
        EXIT_CODES.iter().map(|(_, code, meaning)| format!("\n  {code:>3}  {meaning}")).collect();
    let example = Cli::command().get_after_help().map(ToString::to_string).unwrap_or_default();
    let commands = Cli::command();
    let template = command_groups::template(&commands);
    commands.help_template(template).after_long_help(format!("{example}\n\nExit codes:{codes}"))
}

fn parse() -> Result<Cli, Exit> {
    let parsed = definition().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.map_err(|mut error| {
        let hint = shared::hints::hint(&error, &definition());
        // That a flag can be given as a value is what nobody wants to know, and a similar word is no better than a hint.
        let similar = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg];
        for kind in
            std::iter::once(ContextKind::Suggested).chain(similar.into_iter().filter(|_| hint.is_some()))
        {
            error.remove(kind);
        }
        match error.use_stderr() {
            true => report_usage(&error),
            false => drop(error.print()),
        }
        if let Some(hint) = hint {
            let _ = writeln!(io::stderr().lock(), "{}", shared::colour::on_stderr(&format!("hint: {hint}")));
        }
        if error.use_stderr() { Exit::Usage } else { Exit::Done }
    })
}

/// Prints what is wrong with a command line, in the colours of other messages.
fn report_usage(error: &clap::Error) {
    let text = shared::hints::in_words(&error.render().to_string());
    let _ = io::stderr().lock().write_all(shared::colour::on_stderr(&text).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        definition().debug_assert();
    }

    #[test]
    fn every_command_shows_one_example_of_itself() {
        for command in definition().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let start = format!("Example: pensieve {}", command.get_name());
            assert!(help.starts_with(&start) && help.lines().count() == 1, "{}: {help}", command.get_name());
            let line = help.trim_start_matches("Example: ").split(" > ").next().unwrap();
            let words = line.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            });
            assert!(definition().try_get_matches_from(words).is_ok(), "{help}");
        }
    }

    #[test]
    fn every_flag_and_argument_is_explained() {
        for command in definition().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
            }
        }
    }

    #[test]
    fn levels_follow_the_flags() {
        let check = |flags: &[&str], level: LogLevel| {
            let words = ["pensieve", "stats", "x.db"].iter().chain(flags);
            let cli = Cli::from_arg_matches(&definition().try_get_matches_from(words).unwrap()).unwrap();
            assert_eq!(cli.messages.level(), level, "{flags:?}");
        };
        check(&[], LogLevel::Info);
        check(&["-v"], LogLevel::Debug);
        check(&["-vv"], LogLevel::Trace);
        check(&["-q"], LogLevel::Error);
        check(&["--log-level", "warn"], LogLevel::Warn);
    }
}
