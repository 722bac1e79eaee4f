//! `pensieve completions`: completion scripts for shells.

use super::shared::context::{CommandContext, CommandOutcome};
use super::shared::failure::Failure;
use clap::Args;
use clap_complete::Shell;

/// Print the completion script of a shell.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: pensieve completions bash > ~/.local/share/bash-completion/completions/pensieve"
)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Runs the command.
pub fn run(args: &CompletionsArgs, context: &CommandContext) -> Result<CommandOutcome, Failure> {
    context.print(&script(args.shell, (context.definition)()))?;
    Ok(CommandOutcome::Done)
}

/// Writes the script to memory: the generator panics if it cannot write, as to a closed pipe.
fn script(shell: Shell, mut definition: clap::Command) -> String {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut definition, "pensieve", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_shell_learns_the_commands() {
        for shell in Shell::value_variants() {
            let script = script(*shell, crate::cli::definition());
            assert!(script.contains("check-dependencies") && script.contains("chunk-size"), "{shell}");
        }
    }
}
