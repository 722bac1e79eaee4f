//! `pensieve embed`: turns arguments into settings; the work is done elsewhere.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::progress::{Progress, ProgressChoice};
use super::shared::{settings, signal};
use crate::config::FlagValue;
use clap::Args;
use pensieve_store::embedding::{self as work, EmbedPlan, EmbedSummary, EmbeddingSettings};
use pensieve_store::store::Store;
use pensieve_text::model::numbers::{count, counted, time};
use std::path::PathBuf;
use std::time::Duration;

/// Make vectors of the chunks that have none, by the service that you configure.
///
/// Any service that speaks OpenAI's protocol will do: Ollama, vLLM, llama.cpp, Text Embeddings Inference, or a hosted one.
/// A chunk is sent once, however often it occurs, and each answer is stored at once: stop it at any moment, and the same
/// command goes on from there. A chunk that the service does not take is a row in `errors`, and tried again by the next run.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve embed corpus.db --dry-run")]
pub struct EmbedArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// Print how many chunks and tokens would be sent, and what they cost, and send nothing.
    #[arg(long)]
    dry_run: bool,
    /// Remove all vectors of this model, and send nothing.
    #[arg(long, value_name = "MODEL", conflicts_with = "dry_run")]
    drop: Option<String>,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The model, instead of the configured one.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// How progress is shown on stderr.
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: ProgressChoice,
    /// Print the summary as one JSON object.
    #[arg(long)]
    json: bool,
    /// End with exit code 1 if any chunk could not be embedded.
    #[arg(long)]
    strict: bool,
}

/// Runs the command.
pub fn run(args: &EmbedArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    if let Some(model) = &args.drop {
        return drop_model(args, model, context);
    }
    let model = args.model.iter();
    let flags =
        model.map(|value| FlagValue { name: "--model", key: "embedding.model", value: value.clone() });
    let config = context.config(args.config.as_deref(), flags.collect())?;
    let settings = settings::embedding(&config)?;
    if args.dry_run {
        let plan = work::plan(&Store::open_for_reading(&args.database)?, &settings)?;
        match args.json {
            true => context.print_json(&plan)?,
            false => context.print(&plan_table(&plan))?,
        }
        return Ok(CommandOutcome::Done);
    }
    embed(args, &settings, context)
}

fn embed(
    args: &EmbedArgs,
    settings: &EmbeddingSettings,
    context: &CommandContext,
) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_change(&args.database)?;
    let interrupt = signal::watch()?;
    signal::end_after(&interrupt);
    let progress = Progress::new(args.progress, context.level, &interrupt);
    let ended = progress.during(|observer| work::embed(&store, settings, observer));
    store.close()?;
    let summary = ended?;
    match args.json {
        true => context.print_json(&summary)?,
        false if context.level >= super::LogLevel::Warn => context.print(&summary_table(&summary))?,
        false => {}
    }
    if summary.interrupted {
        context.say("interrupted: what is done is kept; the same command goes on from there");
    }
    Ok(match summary {
        EmbedSummary { interrupted: true, .. } => CommandOutcome::Interrupted,
        EmbedSummary { failed: 1.., .. } if args.strict => CommandOutcome::Problems,
        _ => CommandOutcome::Done,
    })
}

fn drop_model(args: &EmbedArgs, model: &str, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let read_only = Store::open_for_reading(&args.database)?;
    let known: Vec<String> = read_only.vectors().models()?.into_iter().map(|vectors| vectors.model).collect();
    if !known.iter().any(|known| known == model) {
        let database = args.database.to_string_lossy().into_owned();
        return Err(Failure::NoSuchModel { model: model.to_owned(), database, known });
    }
    drop(read_only);
    let store = Store::open_for_change(&args.database)?;
    let dropped = store.vectors().drop_model(model)?;
    store.close()?;
    match args.json {
        true => context.print_json(&serde_json::json!({"model": model, "dropped": dropped}))?,
        false => context.print(&format!("dropped {} of {model}\n", counted(dropped, "vector")))?,
    }
    Ok(CommandOutcome::Done)
}

fn plan_table(plan: &EmbedPlan) -> String {
    let mut table = Table::default();
    table.line("model", plan.model.clone(), &dimensions(plan.dimensions));
    table.line("chunks", count(plan.chunks), "");
    table.line("to send", count(plan.missing), "without a vector");
    table.line("tokens", count(plan.tokens), "as the corpus counts them");
    if plan.price > 0.0 {
        table.line("price", format!("{:.4}", plan.price), "by embedding.price_per_million");
    }
    table.text
}

fn summary_table(summary: &EmbedSummary) -> String {
    let mut table = Table::default();
    table.line("model", summary.model.clone(), &dimensions(summary.dimensions));
    table.line(
        "chunks",
        count(summary.chunks),
        &format!("{} without a vector before", count(summary.missing)),
    );
    table.line("embedded", count(summary.embedded), &format!("in {}", counted(summary.requests, "request")));
    let advice = if summary.failed > 0 { "see `pensieve errors`" } else { "" };
    table.line("failed", count(summary.failed), advice);
    table.line("tokens", count(summary.tokens), &billed(summary));
    if summary.price > 0.0 {
        table.line("price", format!("{:.4}", summary.price), "by embedding.price_per_million");
    }
    if summary.orphans_dropped > 0 {
        table.line("dropped", count(summary.orphans_dropped), "vectors of chunks that are gone");
    }
    table.line("wall time", time(Duration::try_from_secs_f64(summary.seconds).unwrap_or_default()), "");
    table.text
}

fn dimensions(dimensions: Option<usize>) -> String {
    dimensions.map_or_else(String::new, |dimensions| format!("{dimensions} dimensions"))
}

fn billed(summary: &EmbedSummary) -> String {
    match summary.billed_tokens {
        0 => String::new(),
        tokens => format!("{} as the service counts them", count(tokens)),
    }
}

/// Lines of a name, a figure and a remark.
#[derive(Default)]
struct Table {
    text: String,
}

impl Table {
    fn line(&mut self, name: &str, value: String, remark: &str) {
        self.text.push_str(format!("{name:<14}{value:>14}   {remark}").trim_end());
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_its_price_where_one_is_known() {
        let plan = EmbedPlan {
            model: "m".to_owned(),
            dimensions: Some(384),
            chunks: 2000,
            missing: 1200,
            tokens: 500_000,
            price: 0.01,
        };
        let text = plan_table(&plan);
        assert!(text.starts_with("model                      m   384 dimensions\n"), "{text}");
        assert!(text.ends_with("price                 0.0100   by embedding.price_per_million\n"), "{text}");
        assert!(!plan_table(&EmbedPlan { price: 0.0, ..plan }).contains("price"));
    }

    fn summary() -> EmbedSummary {
        EmbedSummary {
            model: "m".to_owned(),
            dimensions: Some(384),
            format: "f16",
            chunks: 2000,
            missing: 1200,
            embedded: 1190,
            failed: 10,
            tokens: 500_000,
            billed_tokens: 510_000,
            price: 0.0125,
            requests: 1,
            orphans_dropped: 3,
            seconds: 2.5,
            interrupted: false,
        }
    }

    #[test]
    fn a_summary_has_what_was_done_and_what_it_cost() {
        let expected = [
            "model                      m   384 dimensions",
            "chunks                 2,000   1,200 without a vector before",
            "embedded               1,190   in 1 request",
            "failed                    10   see `pensieve errors`",
            "tokens               500,000   510,000 as the service counts them",
            "price                 0.0125   by embedding.price_per_million",
            "dropped                    3   vectors of chunks that are gone",
            "wall time              2.5 s",
            "",
        ];
        assert_eq!(summary_table(&summary()), expected.join("\n"));
    }

    #[test]
    fn a_summary_leaves_out_what_is_nothing() {
        let summary = EmbedSummary {
            dimensions: None,
            failed: 0,
            billed_tokens: 0,
            price: 0.0,
            orphans_dropped: 0,
            requests: 2,
            ..summary()
        };
        let expected = [
            "model                      m",
            "chunks                 2,000   1,200 without a vector before",
            "embedded               1,190   in 2 requests",
            "failed                     0",
            "tokens               500,000",
            "wall time              2.5 s",
            "",
        ];
        assert_eq!(summary_table(&summary), expected.join("\n"));
    }
}
