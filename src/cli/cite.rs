//! `pensieve cite`: the words of citations, and whether their documents still have them.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::source_line;
use clap::Args;
use pensieve_store::retrieval::{CheckedCitation, Citation, CitationError, check_citation};
use pensieve_store::store::Store;
use std::io::{self, Read};
use std::path::PathBuf;

/// Show the words of citations, and whether their documents still have them.
///
/// A citation holds while the current text of its document has its words, at their place or, `moved`, at another. Every
/// citation in `search --json`, `pack` and `export` can be given, also after files were renamed. The id of a document and
/// the hash may be shortened to 8 digits. If one does not hold, the exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve cite corpus.db - --json")]
pub struct CiteArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Citations, `pensieve:<doc_uid>/<start>-<end>/<hash>`; - reads a text from stdin and checks every citation in it.
    #[arg(required = true, value_name = "CITATION")]
    citations: Vec<String>,
    /// Print one JSON object per citation.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &CiteArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let citations = given_citations(&args.citations)?;
    let store = Store::open_for_reading(&args.database)?;
    let mut broken = 0;
    for (at, citation) in citations.iter().enumerate() {
        let checked = check_citation(&store, citation)?;
        broken += usize::from(!checked.holds);
        match args.json {
            true => context.print_json(&checked)?,
            false => {
                context.print_foreign(&format!(
                    "{}{}",
                    if at > 0 { "\n" } else { "" },
                    format_citation(&checked)
                ))?;
            }
        }
    }
    if citations.len() > 1 {
        context.say(&format!("{} of {} citations hold", citations.len() - broken, citations.len()));
    }
    Ok(if broken == 0 { CommandOutcome::Done } else { CommandOutcome::Problems })
}

/// The citations of the arguments; those of a text on stdin once each, in the order of the text.
fn given_citations(arguments: &[String]) -> Result<Vec<Citation>, Failure> {
    let mut citations = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "-" => {
                for found in citations_of_stdin()? {
                    if !citations.contains(&found) {
                        citations.push(found);
                    }
                }
            }
            given => citations.push(given.parse().map_err(no_citation)?),
        }
    }
    Ok(citations)
}

fn citations_of_stdin() -> Result<Vec<Citation>, Failure> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    let found = Citation::find_all(&String::from_utf8_lossy(&bytes));
    if found.is_empty() {
        return Err(Failure::Usage {
            message: "there is no citation on stdin".to_owned(),
            hint: format!("one looks like `{}`", Citation::FORM),
        });
    }
    found.into_iter().map(|found| found.map_err(no_citation)).collect()
}

fn no_citation(error: CitationError) -> Failure {
    Failure::Usage {
        message: error.to_string(),
        hint: "`search --json` and `export` print the citation of each source".to_owned(),
    }
}

/// The place and the words, or why there are none.
fn format_citation(checked: &CheckedCitation) -> String {
    let (Some(place), Some(words)) = (checked.words_place(), &checked.text) else {
        let reason = checked.reason.as_deref().unwrap_or_default();
        return format!("{} does not hold: {reason}\n", checked.citation);
    };
    let mut line = source_line::source_line(place);
    if let Some(moved_to) = &checked.moved_to {
        line.push_str(&format!("  (moved: {moved_to})"));
    }
    if let Some(reason) = checked.source_reason.as_ref().filter(|_| checked.source_unchanged == Some(false)) {
        line.push_str(&format!("  ({reason})"));
    }
    let end = if words.ends_with('\n') { "" } else { "\n" };
    format!("{line}\n{words}{end}")
}
