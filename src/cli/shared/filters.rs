//! Flags that narrow a search or a list to some documents: those of the table of filters.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use pensieve_store::store::{DOCUMENT_FILTERS, DocumentFilters, FilterParameter};

/// Which documents.
#[derive(Debug, Default)]
pub struct FilterArgs(pub DocumentFilters);

fn flag(filter: &'static FilterParameter, command: &Command) -> Arg {
    let flag = Arg::new(filter.flag)
        .long(filter.flag)
        .value_name(filter.value)
        .help(filter.about.trim_end_matches('.'));
    // `pack` has a format of its output.
    let has_format = command.get_arguments().any(|known| known.get_id() == "format");
    let flag = match filter.name {
        "format" => flag.alias(if has_format { "file-format" } else { "format" }),
        "lang" => flag.visible_alias("language"),
        _ => flag,
    };
    match filter.is_date() {
        true => flag.value_parser(|value: &str| {
            DocumentFilters::default().add(filter.name, value).map(|()| value.to_owned())
        }),
        false => flag.action(ArgAction::Append),
    }
}

impl Args for FilterArgs {
    fn augment_args(command: Command) -> Command {
        DOCUMENT_FILTERS.iter().fold(command, |command, filter| {
            let flag = flag(filter, &command);
            command.arg(flag)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        FilterArgs::augment_args(command)
    }
}

impl FromArgMatches for FilterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FilterArgs, clap::Error> {
        let values = |filter: &FilterParameter| -> Vec<&String> {
            matches.get_many(filter.flag).into_iter().flatten().collect()
        };
        // Dates were checked when the flags were read.
        Ok(FilterArgs(DocumentFilters::of(values).unwrap_or_default()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = FilterArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
