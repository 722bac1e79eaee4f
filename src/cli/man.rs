//! `pensieve man`: manual pages.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use clap::Args;

/// Print the manual page of pensieve, or of one of its commands.
#[derive(Debug, Args)]
#[command(after_help = "Example: pensieve man ingest > pensieve-ingest.1")]
pub struct ManArgs {
    /// The command; without it, the page about all of them.
    command: Option<String>,
}

/// Runs the command.
pub fn run(args: &ManArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    context.print(&page(args.command.as_deref(), (context.definition)())?)?;
    Ok(CommandOutcome::Done)
}

fn page(name: Option<&str>, mut definition: clap::Command) -> Result<String, Failure> {
    definition.build();
    let command = match name {
        None => definition,
        Some(name) => match definition.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                return Err(Failure::Usage {
                    message: format!("there is no command `{name}`"),
                    hint: "`pensieve --help` lists them".to_owned(),
                });
            }
        },
    };
    let mut out = Vec::new();
    clap_mangen::Man::new(command).render(&mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::definition;

    #[test]
    fn there_is_a_page_for_everything() {
        assert!(page(None, definition()).unwrap().contains("check\\-dependencies"));
        for command in definition().get_subcommands() {
            let page = page(Some(command.get_name()), definition()).unwrap();
            assert!(page.contains("Example: pensieve"), "{page}");
        }
        assert!(page(Some("nothing"), definition()).is_err());
    }
}
