//! `pensieve init`: writes every key with its default, each as a comment, to start from.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use crate::config::commented_default;
use clap::Args;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Write a pensieve.toml with every key and its default as comments.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve init ~/.config/pensieve/pensieve.toml")]
pub struct InitArgs {
    /// Where to write it: a file, a folder, or - for stdout.
    #[arg(default_value = "pensieve.toml")]
    path: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(args: &InitArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    if args.path == Path::new("-") {
        context.print(&commented_default())?;
        return Ok(CommandOutcome::Done);
    }
    let path = if args.path.is_dir() { args.path.join("pensieve.toml") } else { args.path.clone() };
    write(&path, args.force)?;
    context.say(&format!("wrote `{}`", super::shared::terminal::line(&path.to_string_lossy())));
    Ok(CommandOutcome::Done)
}

fn write(path: &Path, force: bool) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(force).create_new(!force);
    let written = options.open(path).and_then(|mut file| file.write_all(commented_default().as_bytes()));
    written.map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists if !force => Failure::Exists { path: path.to_owned() },
        _ => Failure::Unwritable { path: path.to_owned(), source },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_kept_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pensieve.toml");
        std::fs::write(&path, "mine").unwrap();
        assert!(matches!(write(&path, false), Err(Failure::Exists { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        write(&path, true).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), commented_default());
        let missing = folder.path().join("no/pensieve.toml");
        assert!(matches!(write(&missing, true), Err(Failure::Unwritable { .. })));
    }
}
