//! `pensieve text`: prints the text that the chunks of a file refer to.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use super::shared::{file_lookup, settings};
use crate::ingest::with_page_markers;
use clap::{Args, ValueEnum};
use pensieve_store::store::{FileState, Store, StoredVersion, TextVariant};
use pensieve_text::model::ContentHash;
use std::path::{Path, PathBuf};

/// Print the stored text of one file.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve text corpus.db notes/a.md --offset 1000 --limit 500")]
pub struct TextArgs {
    /// The database.
    #[arg(value_name = "DB")]
    database: PathBuf,
    /// The file: its path on disk, its path below the ingested folder, or the end of either.
    file: PathBuf,
    /// Clean text, which the chunks point into (the default), or raw text, as it was read.
    #[arg(long)]
    variant: Option<VariantChoice>,
    /// This version instead of the current one; its name includes the variant.
    #[arg(long, value_name = "V")]
    version: Option<String>,
    /// Number of characters to skip.
    #[arg(long, value_name = "CHARS", default_value_t = 0)]
    offset: usize,
    /// Maximum number of characters.
    #[arg(long, value_name = "CHARS")]
    limit: Option<usize>,
    /// Show page breaks, as lines `--- PAGE ---`: the text is cleaned again, from the raw text that is stored.
    #[arg(long, conflicts_with_all = ["variant", "version"])]
    page_markers: bool,
    /// Use this configuration instead of ./pensieve.toml, with --page-markers.
    #[arg(long, value_name = "FILE", requires = "page_markers")]
    config: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Which text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VariantChoice {
    /// After cleaning.
    Clean,
    /// As it was read.
    Raw,
}

impl From<VariantChoice> for TextVariant {
    fn from(wanted: VariantChoice) -> TextVariant {
        match wanted {
            VariantChoice::Clean => TextVariant::Clean,
            VariantChoice::Raw => TextVariant::Raw,
        }
    }
}

/// Runs the command.
pub fn run(args: &TextArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    let store = Store::open_for_reading(&args.database)?;
    let asked = file_lookup::one(&store, &args.file)?;
    let file = store.files().canonical_of(&asked)?;
    if args.page_markers {
        return marked(&store, &asked, &file, args, context);
    }
    let version = wanted(&store, &file, args)?;
    let mut failure = None;
    let mut collected = String::new();
    each_part(&store, &file, &version, args, &mut |text| {
        if args.json {
            collected.push_str(text);
            return true;
        }
        failure = context.print_foreign(text).err();
        failure.is_none()
    })?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if args.json {
        context.print_json(&serde_json::json!({
            "path": asked.location.to_string_lossy(),
            "variant": version.variant.as_str(),
            "version": version.version,
            "sha256": version.sha256.to_hex(),
            "char_length": version.chars,
            "offset": args.offset,
            "limit": args.limit,
            "total_chars": version.chars,
            "truncated": args.offset.saturating_add(collected.chars().count()) < version.chars,
            "text": collected,
        }))?;
    }
    Ok(CommandOutcome::Done)
}

/// Prints the text with its page breaks.
fn marked(
    store: &Store,
    asked: &FileState,
    file: &FileState,
    args: &TextArgs,
    context: &CommandContext,
) -> Result<CommandOutcome, Failure> {
    let config = context.config(args.config.as_deref(), Vec::new())?;
    let settings = settings::work(&config, Path::new(""), &args.database);
    let mut text = String::new();
    if !with_page_markers(&settings, store, file, &mut |part| text.push_str(part))? {
        return Err(file_lookup::no_text(
            file,
            TextVariant::Raw.as_str(),
            None,
            &store.texts().versions_of(file.file_id)?,
        ));
    }
    let part: String = text.chars().skip(args.offset).take(args.limit.unwrap_or(usize::MAX)).collect();
    if !args.json {
        context.print_foreign(&part)?;
        return Ok(CommandOutcome::Done);
    }
    let total = text.chars().count();
    context.print_json(&serde_json::json!({
        "path": asked.location.to_string_lossy(),
        "variant": TextVariant::Clean.as_str(),
        "version": settings.clean.version(),
        "sha256": ContentHash::of(text.as_bytes()).to_hex(),
        "char_length": total,
        "offset": args.offset,
        "limit": args.limit,
        "total_chars": total,
        "truncated": args.offset.saturating_add(part.chars().count()) < total,
        "text": part,
    }))?;
    Ok(CommandOutcome::Done)
}

/// The requested version. A version name of raw text needs no `--variant raw`.
fn wanted(store: &Store, file: &FileState, args: &TextArgs) -> Result<StoredVersion, Failure> {
    let versions = store.texts().versions_of(file.file_id)?;
    let name = args.version.as_deref();
    let variant = args.variant.map(TextVariant::from).unwrap_or_else(|| {
        let known = versions.iter().filter(|stored| Some(stored.version.as_str()) == name);
        if known.clone().any(|stored| stored.variant == TextVariant::Clean) {
            return TextVariant::Clean;
        }
        known.map(|stored| stored.variant).next().unwrap_or(TextVariant::Clean)
    });
    let of_variant: Vec<StoredVersion> =
        versions.iter().filter(|stored| stored.variant == variant).cloned().collect();
    match file_lookup::version(file, &of_variant, name, variant.as_str()) {
        Ok(found) => Ok(found.clone()),
        // If the user named both a variant and a version, a version of the other variant is not an answer.
        Err(_) if args.variant.is_some() && name.is_some() && !of_variant.is_empty() => {
            Err(file_lookup::no_text(file, variant.as_str(), name, &of_variant))
        }
        Err(_) => Err(file_lookup::no_text(file, variant.as_str(), name, &versions)),
    }
}

/// Passes on the requested part of the text, segment by segment.
fn each_part(
    store: &Store,
    file: &FileState,
    version: &StoredVersion,
    args: &TextArgs,
    each: &mut dyn FnMut(&str) -> bool,
) -> Result<(), Failure> {
    let end = args.limit.map_or(usize::MAX, |limit| args.offset.saturating_add(limit));
    Ok(store.text(file.file_id, version.variant, &version.version).each_slice(args.offset..end, each)?)
}
