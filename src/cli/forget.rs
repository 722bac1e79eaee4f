//! `pensieve forget`: removes a root from a database.

use super::shared::context::{CommandContext, CommandOutcome, absolute};
use super::shared::failure::Failure;
use super::shared::settings;
use clap::Args;
use pensieve_store::store::Store;
use pensieve_text::model::numbers::counted;
use std::path::PathBuf;

/// Remove a folder from a database.
///
/// Its files are removed, and the chunks that no other folder has; `compact` then frees the space.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve forget corpus.db ~/old-notes")]
pub struct ForgetArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The folder, as it was given to ingest; it need not exist any more.
    root: PathBuf,
    /// Use this configuration instead of ./pensieve.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &ForgetArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let config = context.config(args.config.as_deref(), Vec::new())?;
    context.check_converters(&config)?;
    let root = absolute(&args.root);
    // Looked up before anything is opened for writing, so that a wrong name leaves the database file untouched.
    let read_only = Store::open_for_reading(&args.database)?;
    let Some(known) = read_only.roots().at(&root)? else {
        return Err(Failure::NoSuchRoot {
            root: root.to_string_lossy().into_owned(),
            database: args.database.to_string_lossy().into_owned(),
            known: read_only.roots().all()?.into_iter().map(|root| root.path).collect(),
        });
    };
    drop(read_only);
    let mut store = Store::open_for_change(&args.database)?;
    let settings = settings::work(&config, &root, &args.database);
    let files = crate::ingest::forget(&settings, &mut store, &known)?;
    store.close()?;
    match args.json {
        true => context.print_json(&serde_json::json!({"root": known.path, "files": files}))?,
        false => context.print(&format!("forgot {}\n", counted(files, "file")))?,
    }
    Ok(CommandOutcome::Done)
}
