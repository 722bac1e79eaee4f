//! `pensieve pack`: the best context for a question within a budget of tokens.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::databases::{AskedDatabase, MoreDatabases};
use super::shared::failure::Failure;
use super::shared::filters::FilterArgs;
use super::shared::terminal;
use clap::Args;
use pensieve_store::retrieval::{
    Pack, PackError, PackFormat, PackOptions, count_hits, join_packs, pack, share_budget,
};
use pensieve_store::store::{SearchMode, WordMatch};
use pensieve_text::text::tokens::Tokenizer;
use std::num::NonZero;
use std::path::PathBuf;

/// Print the best context for a question that fits a budget of tokens, with citations.
///
/// What `search` finds is extended to whole paragraphs, joined where it touches, and never repeated; when all of it is
/// in, passages grow until the budget is filled. Notes on what was done go to stderr, and into the JSON.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve pack corpus.db 'when is tax due?' --budget 4000")]
pub struct PackArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// A question, or a query as for `search`; several words need no quotes.
    #[arg(required = true)]
    question: Vec<String>,
    /// Maximum tokens of the whole output; with JSON, of the Markdown that it describes.
    #[arg(long, value_name = "TOKENS", default_value_t = PackOptions::DEFAULT_BUDGET)]
    budget: usize,
    /// The output format.
    #[arg(long, value_name = "FORMAT", default_value = "markdown", value_parser = PackFormat::NAMES)]
    format: String,
    /// Print one JSON object: the same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The encoding that counts tokens; without it, the one that the corpus was chunked by.
    #[arg(long, value_name = "NAME", value_parser = Tokenizer::NAMES.to_vec())]
    tokenizer: Option<String>,
    #[command(flatten)]
    others: MoreDatabases,
    #[command(flatten)]
    filters: FilterArgs,
    /// How chunks are found: by their words, by their meaning, or by both; without it as the configuration or the
    /// database says.
    #[arg(long, value_parser = SearchMode::NAMES)]
    mode: Option<String>,
    /// What a question finds: chunks with any of its words, by how well they answer (auto, any), or with all words as
    /// written.
    #[arg(long = "match", value_name = "WORDS", default_value = "auto", value_parser = WordMatch::NAMES)]
    word_match: String,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Maximum number of pieces of one document.
    #[arg(long, value_name = "N")]
    max_per_document: Option<NonZero<usize>>,
}

/// Runs the command.
pub fn run(args: &PackArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let mode = args.mode.as_deref().and_then(SearchMode::from_name);
    let asked = args.others.open(&args.database, mode, args.config.as_deref(), context)?;
    let format = PackFormat::from_name(&args.format).unwrap_or_default();
    let options = PackOptions {
        question: args.question.join(" "),
        budget: args.budget,
        format: if args.json { PackFormat::Json } else { format },
        tokenizer: args.tokenizer.clone(),
        mode,
        word_match: WordMatch::from_name(&args.word_match).unwrap_or_default(),
        documents: args.filters.0.clone(),
        max_per_document: args.max_per_document.map(NonZero::get),
        hides_paths: false,
    };
    let pack = match asked.as_slice() {
        [only] => pack(&only.store, &options, &only.embedder)?,
        several => pack_several(several, &options)?,
    };
    for note in &pack.notes {
        context.say(&format!("note: {}", terminal::line(note)));
    }
    context.print_foreign(&pack.output)?;
    Ok(CommandOutcome::Done)
}

fn pack_several(asked: &[AskedDatabase], options: &PackOptions) -> Result<Pack, PackError> {
    let hits = asked.iter().map(|one| count_hits(&one.store, options));
    let hits = hits.collect::<Result<Vec<_>, _>>()?;
    let mut packs = Vec::new();
    for (one, share) in asked.iter().zip(share_budget(options, &hits)) {
        let Some(share) = share else { continue };
        packs.push((one.name.clone(), pack(&one.store, &share, &one.embedder)?));
    }
    join_packs(options, packs)
}
