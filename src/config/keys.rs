//! Every key of the configuration: its name, the values it accepts, and what a file that was merely found may set it to.
//!
//! Names, order and defaults are those of `default.toml`; here is what that cannot say. The table of keys is used for files, the
//! environment and error messages.

use super::value::ValueKind;
use crate::ragmd::rules::Footnotes;
use pensieve_readers::settings::HiddenTextPolicy;
use pensieve_store::scan::ChangeCheck;
use pensieve_store::store::{SearchMode, VectorFormat};
use pensieve_text::chunk::StrategyChoice;
use pensieve_text::layout::LayoutOptions;
use pensieve_text::text::normalize::UnicodeForm;
use pensieve_text::text::repetition::RunLength;
use pensieve_text::text::tokens::Tokenizer;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// One key.
#[derive(Debug)]
pub struct ConfigKey {
    /// Its name, after its table and a dot.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: ValueKind,
    /// What a file that was merely found may set it to.
    pub found: FoundValue,
}

/// Which values a configuration file that was merely found may give a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundValue {
    /// All: the key changes neither what is read nor what is run.
    Any,
    /// None that the layers below do not have.
    None,
    /// The default, and the value that is there: another would send text of the corpus somewhere else.
    Default,
    /// This flag: the other one makes more be read.
    Only(bool),
    /// A list where there is none yet: it chooses what is read.
    FirstList,
    /// The list that is there, or a longer one: it leaves out what it names.
    LongerList,
    /// The limit that is there, or a lower one.
    LowerLimit,
}

/// The key that only the user's own file may set.
pub const USER_ONLY: &str = "trusted";

/// The table whose keys are file extensions.
pub const CONVERTERS: &str = "converters";

/// A key in the table of converters.
pub const CONVERTER: ConfigKey =
    ConfigKey { name: CONVERTERS, kind: ValueKind::Text, found: FoundValue::None };

/// The compiled-in default file, with its comments.
pub const DEFAULT: &str = include_str!("default.toml");

/// Every fixed key, in the order of `default.toml`.
pub static KEYS: LazyLock<Vec<ConfigKey>> = LazyLock::new(|| {
    let (mut table, mut keys) = (String::new(), Vec::new());
    for line in DEFAULT.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = format!("{name}.");
        } else if let Some((name, value)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
            let name = &*format!("{table}{name}").leak();
            keys.push(ConfigKey { name, kind: kind_of(name, value), found: found_value(name) });
        }
    }
    keys
});

/// What a key accepts: what the tables say, else what its default is.
fn kind_of(name: &str, default: &str) -> ValueKind {
    let count =
        |row: &(&str, RangeInclusive<u64>)| ValueKind::Count { min: *row.1.start(), max: *row.1.end() };
    let mut counts = COUNTS.iter().chain(LayoutOptions::BOUNDS);
    let counted = counts.find(|row| row.0 == name).map(count);
    let other = || KINDS.iter().find(|row| row.0 == name).map(|row| row.1);
    counted.or_else(other).unwrap_or(match default.as_bytes().first() {
        Some(b'[') => ValueKind::Texts,
        Some(b'"') => ValueKind::Text,
        _ => ValueKind::Flag,
    })
}

/// The keys that are whole numbers, with their bounds; those of `[pdf.layout]` are in [`LayoutOptions::BOUNDS`].
const COUNTS: &[(&str, RangeInclusive<u64>)] = &[
    ("chunk_size", 16..=1_000_000),
    ("chunk_overlap", 0..=1_000_000),
    ("thread_count", 0..=1024),
    ("pdf.layout.window_tokens", 16..=1_000_000),
    ("pdf.layout.overlap_tokens", 0..=1_000_000),
    ("pdf.layout.min_overlap_tokens", 0..=1_000_000),
    ("clean.max_blank_lines", 0..=1000),
    ("review.min_chars_per_page", 0..=1_000_000),
    ("review.max_bytes_per_char", 1..=1_000_000_000),
    ("review.max_replaced_percent", 0..=100),
    ("review.max_removed_percent", 0..=100),
    ("ocr.dpi", 50..=1200),
    ("converter_limits.timeout_seconds", 1..=86_400),
    ("repetition.words", RunLength::MIN_WORDS as u64..=1000),
    ("repetition.boilerplate", 2..=1_000_000),
    ("embedding.dimensions", 0..=65_536),
    ("embedding.batch", 1..=4096),
    ("embedding.concurrency", 1..=64),
    ("embedding.max_tokens_per_minute", 0..=1_000_000_000_000),
    ("embedding.timeout", 1..=86_400),
    ("embedding.retries", 0..=100),
    ("embedding.keep_orphans", 0..=1_000_000),
];

/// The keys that accept neither whole numbers nor all that is like their default.
const KINDS: &[(&str, ValueKind)] = &[
    ("tokenizer_model", ValueKind::Choice(Tokenizer::NAMES)),
    ("chunking_strategy", ValueKind::Choice(&StrategyChoice::NAMES)),
    ("max_memory", ValueKind::Size { min: 256 << 20 }),
    ("scan.max_file_size", ValueKind::Size { min: 0 }),
    ("scan.hidden_text", ValueKind::Choice(&HiddenTextPolicy::NAMES)),
    ("scan.check", ValueKind::Choice(&ChangeCheck::NAMES)),
    ("clean.version", ValueKind::Choice(&["clean_v1", "clean_v0"])),
    ("clean.unicode", ValueKind::Choice(&UnicodeForm::NAMES)),
    ("rag.footnotes", ValueKind::Choice(&Footnotes::NAMES)),
    ("converter_limits.memory", ValueKind::Size { min: 1 << 20 }),
    ("converter_limits.output", ValueKind::Size { min: 1 }),
    ("store.keep", ValueKind::Choices(&["raw", "clean"])),
    ("store.journal", ValueKind::Runs),
    ("embedding.format", ValueKind::Choice(&VectorFormat::NAMES)),
    ("embedding.price_per_million", ValueKind::Amount),
    ("search.mode", ValueKind::Choice(&SearchMode::NAMES)),
];

/// What a file that was merely found may set a key to.
fn found_value(name: &str) -> FoundValue {
    match name {
        "scan.hidden" | "scan.follow_symlinks" | "scan.secrets" => FoundValue::Only(false),
        "scan.ignore_files" => FoundValue::Only(true),
        "scan.max_file_size" => FoundValue::LowerLimit,
        "scan.include" => FoundValue::FirstList,
        "scan.exclude" | "scan.tool_folders" => FoundValue::LongerList,
        "embedding.price_per_million" => FoundValue::Any,
        _ => match table_of(name) {
            Some("ocr" | "embedding" | "search") => FoundValue::Default,
            _ => FoundValue::Any,
        },
    }
}

/// Short forms: `[pdf] layout = false` stands for `[pdf.layout] enabled = false`.
const ALIASES: &[(&str, &str)] = &[("pdf.layout", "pdf.layout.enabled")];

/// The full name of a key that may have been written in its short form.
pub fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

/// The key with this name, converters included.
pub fn find(name: &str) -> Option<&'static ConfigKey> {
    if is_converter(name) {
        return Some(&CONVERTER);
    }
    let name = canonical(name);
    KEYS.iter().find(|key| key.name == name)
}

/// The keys of `[pdf.layout]`, with their table.
pub fn layout_keys() -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|key| key.name).filter(|name| name.starts_with("pdf.layout."))
}

/// The key of `[pdf.layout]` with that name.
pub fn layout_key(name: &str) -> Option<&'static str> {
    layout_keys().find(|key| *key == name)
}

/// True for a key in the table of converters.
pub fn is_converter(name: &str) -> bool {
    name.strip_prefix(CONVERTERS).is_some_and(|rest| rest.len() > 1 && rest.starts_with('.'))
}

/// True when this table has keys.
pub fn is_table(name: &str) -> bool {
    name == CONVERTERS || KEYS.iter().any(|key| table_of(key.name) == Some(name))
}

/// The table of a key, if it has one.
pub fn table_of(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(table, _)| table)
}

/// Every valid name: keys and tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    let mut tables: Vec<&str> = KEYS.iter().filter_map(|key| table_of(key.name)).collect();
    tables.dedup();
    KEYS.iter().map(|key| key.name).chain(tables).chain([CONVERTERS])
}

/// The environment variable of a key.
pub fn variable_of(name: &str) -> String {
    format!("{PREFIX}{}", name.replace('.', "_").to_ascii_uppercase())
}

/// The prefix of our environment variables.
pub const PREFIX: &str = "PENSIEVE_";

/// The variable of the token that clients of `serve` must send.
pub const TOKEN_VARIABLE: &str = "PENSIEVE_SERVE_TOKEN";

/// Variables of ours that set no key: the token, and the program's path for the Python package.
pub const OTHER_VARIABLES: &[&str] = &["PENSIEVE_BIN", TOKEN_VARIABLE];

/// The key that an environment variable sets, if any.
pub fn key_of_variable(variable: &str) -> Option<String> {
    let rest = variable.strip_prefix(PREFIX)?;
    if let Some(extension) = rest.strip_prefix("CONVERTERS_").filter(|extension| !extension.is_empty()) {
        return Some(format!("{CONVERTERS}.{}", extension.to_ascii_lowercase()));
    }
    let alias = ALIASES.iter().find(|(alias, _)| variable_of(alias) == variable).map(|(_, name)| *name);
    let named = || KEYS.iter().find(|key| variable_of(key.name) == variable).map(|key| key.name);
    alias.or_else(named).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_and_no_variable_stands_for_two_keys() {
        let mut names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        let mut variables: Vec<String> = names.iter().map(|name| variable_of(name)).collect();
        names.sort_unstable();
        variables.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(variables.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn every_rule_has_its_key_in_order() {
        let of_keys: Vec<&str> =
            KEYS.iter().filter_map(|key| key.name.strip_prefix("clean.rules.")).collect();
        let rules: Vec<&str> = pensieve_text::text::clean::CLEAN_RULES.iter().map(|row| row.name).collect();
        assert_eq!(of_keys, rules);
    }

    #[test]
    fn every_table_is_among_the_names() {
        for key in KEYS.iter().filter_map(|key| table_of(key.name)) {
            assert!(names().any(|name| name == key), "{key}");
        }
    }

    #[test]
    fn variables_lead_to_keys() {
        let check = |variable: &str, key: Option<&str>| assert_eq!(key_of_variable(variable).as_deref(), key);
        check("PENSIEVE_CHUNK_SIZE", Some("chunk_size"));
        check("PENSIEVE_SCAN_HIDDEN", Some("scan.hidden"));
        check("PENSIEVE_CONVERTER_LIMITS_TIMEOUT_SECONDS", Some("converter_limits.timeout_seconds"));
        check("PENSIEVE_CONVERTERS_PDF", Some("converters.pdf"));
        check("PENSIEVE_PDF_LAYOUT", Some("pdf.layout.enabled"));
        check("PENSIEVE_PDF_LAYOUT_COLUMN_WIDTH", Some("pdf.layout.column_width"));
        check("PENSIEVE_CONVERTERS_", None);
        check("PENSIEVE_CHUNKSIZE", None);
        check("HOME", None);
    }
}
