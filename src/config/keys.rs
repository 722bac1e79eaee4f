//! Every key of the configuration: its name, the values it accepts, and the layers that may set it.
//!
//! One table, used for files, the environment and error messages. Defaults are not here but in `default.toml`.

use super::value::ValueKind;
use pensieve_text::text::repetition::RunLength;
use pensieve_text::text::tokens::Tokenizer;

/// One key.
#[derive(Debug)]
pub struct ConfigKey {
    /// Its name, after its table and a dot.
    pub name: &'static str,
    /// The values it accepts.
    pub kind: ValueKind,
    /// Which layers may set it.
    pub layers: AllowedLayers,
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

/// Which layers may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllowedLayers {
    /// All.
    All,
    /// The user's own file only.
    UserFile,
}

/// The table whose keys are file extensions.
pub const CONVERTERS: &str = "converters";

/// A key in the table of converters.
pub const CONVERTER: ConfigKey = key("converters", ValueKind::Text).when_found(FoundValue::None);

/// Every fixed key, in the order of `default.toml`.
pub const KEYS: &[ConfigKey] = &[
    key("tokenizer_model", ValueKind::Choice(Tokenizer::NAMES)),
    key("chunk_size", ValueKind::Count { min: 16, max: 1_000_000 }),
    key("chunk_overlap", ValueKind::Count { min: 0, max: 1_000_000 }),
    key("chunking_strategy", ValueKind::Choice(&["auto", "recursive", "markdown", "paragraph"])),
    key("thread_count", ValueKind::Count { min: 0, max: 1024 }),
    key("max_memory", ValueKind::Size { min: 256 << 20 }),
    ConfigKey { layers: AllowedLayers::UserFile, ..key("trusted", ValueKind::Texts) },
    key("scan.hidden", ValueKind::Flag).when_found(FoundValue::Only(false)),
    key("scan.follow_symlinks", ValueKind::Flag).when_found(FoundValue::Only(false)),
    key("scan.ignore_files", ValueKind::Flag).when_found(FoundValue::Only(true)),
    key("scan.max_file_size", ValueKind::Size { min: 0 }).when_found(FoundValue::LowerLimit),
    key("scan.include", ValueKind::Texts).when_found(FoundValue::FirstList),
    key("scan.exclude", ValueKind::Texts).when_found(FoundValue::LongerList),
    key("scan.tool_folders", ValueKind::Texts).when_found(FoundValue::LongerList),
    key("scan.svg", ValueKind::Flag),
    key("scan.archives", ValueKind::Flag),
    key("scan.secrets", ValueKind::Flag).when_found(FoundValue::Only(false)),
    key("scan.hidden_text", ValueKind::Choice(&["leave_out", "mark", "keep"])),
    key("scan.check", ValueKind::Choice(&["auto", "full", "mtime"])),
    key("html.markdown", ValueKind::Flag),
    key("html.main_content", ValueKind::Flag),
    key("office.comments", ValueKind::Flag),
    key("office.headers", ValueKind::Flag),
    key("pdf.passwords", ValueKind::Texts),
    key("pdf.layout.enabled", ValueKind::Flag),
    key("pdf.layout.furniture_pages", ValueKind::Count { min: 2, max: 1000 }),
    key("pdf.layout.furniture_share", PERCENT),
    key("pdf.layout.furniture_band", ValueKind::Count { min: 0, max: 50 }),
    key("pdf.layout.column_overlap", PERCENT),
    key("pdf.layout.column_width", PERCENT),
    key("pdf.layout.size_tolerance", PERCENT),
    key("pdf.layout.line_height_tolerance", PERCENT),
    key("pdf.layout.density_low", PERCENT),
    key("pdf.layout.density_high", PERCENT),
    key("pdf.layout.density_tolerance", ValueKind::Count { min: 0, max: 1000 }),
    key("pdf.layout.heading_size", ValueKind::Count { min: 100, max: 1000 }),
    key("pdf.layout.prose_share", PERCENT),
    key("pdf.layout.box_share", PERCENT),
    key("pdf.layout.table_rows", ValueKind::Count { min: 2, max: 1000 }),
    key("pdf.layout.cues", ValueKind::Texts),
    key("pdf.layout.window_tokens", ValueKind::Count { min: 16, max: 1_000_000 }),
    key("pdf.layout.overlap_tokens", ValueKind::Count { min: 0, max: 1_000_000 }),
    key("pdf.layout.min_overlap_tokens", ValueKind::Count { min: 0, max: 1_000_000 }),
    key("clean.version", ValueKind::Choice(&["clean_v1", "clean_v0"])),
    key("clean.unicode", ValueKind::Choice(&["nfkc", "nfc", "none"])),
    key("clean.max_blank_lines", ValueKind::Count { min: 0, max: 1000 }),
    key("clean.gutenberg", ValueKind::Flag),
    key("clean.page_markers", ValueKind::Flag),
    key("clean.rules.escapes", ValueKind::Flag),
    key("clean.rules.mojibake", ValueKind::Flag),
    key("clean.rules.controls", ValueKind::Flag),
    key("clean.rules.soft_hyphens", ValueKind::Flag),
    key("clean.rules.unicode", ValueKind::Flag),
    key("clean.rules.base64", ValueKind::Flag),
    key("clean.rules.page_furniture", ValueKind::Flag),
    key("clean.rules.page_breaks", ValueKind::Flag),
    key("clean.rules.line_ends", ValueKind::Flag),
    key("clean.rules.shapes", ValueKind::Flag),
    key("clean.rules.blanks", ValueKind::Flag),
    key("clean.rules.blank_lines", ValueKind::Flag),
    key("clean.rules.lists", ValueKind::Flag),
    key("clean.rules.hyphens", ValueKind::Flag),
    key("clean.rules.soft_wraps", ValueKind::Flag),
    key("review.min_chars_per_page", ValueKind::Count { min: 0, max: 1_000_000 }),
    key("review.max_bytes_per_char", ValueKind::Count { min: 1, max: 1_000_000_000 }),
    key("review.max_replaced_percent", ValueKind::Count { min: 0, max: 100 }),
    key("review.max_removed_percent", ValueKind::Count { min: 0, max: 100 }),
    key("rag.footnotes", ValueKind::Choice(&["drop", "inline", "end"])),
    key("rag.off", ValueKind::Texts),
    key("rag.own", ValueKind::Texts),
    key("ocr.command", ValueKind::Text).when_found(FoundValue::Default),
    key("ocr.lang", ValueKind::Text).when_found(FoundValue::Default),
    key("ocr.dpi", ValueKind::Count { min: 50, max: 1200 }).when_found(FoundValue::Default),
    key("ocr.render", ValueKind::Text).when_found(FoundValue::Default),
    key("converter_limits.timeout_seconds", ValueKind::Count { min: 1, max: 86_400 }),
    key("converter_limits.memory", ValueKind::Size { min: 1 << 20 }),
    key("converter_limits.output", ValueKind::Size { min: 1 }),
    key("store.keep", ValueKind::Choices(&["raw", "clean"])),
    key("store.fts", ValueKind::Flag),
    key("store.journal", ValueKind::Runs),
    key("repetition.enabled", ValueKind::Flag),
    key("repetition.words", ValueKind::Count { min: RunLength::MIN_WORDS as u64, max: 1000 }),
    key("embedding.endpoint", ValueKind::Text).when_found(FoundValue::Default),
    key("embedding.model", ValueKind::Text).when_found(FoundValue::Default),
    key("embedding.dimensions", ValueKind::Count { min: 0, max: 65_536 }).when_found(FoundValue::Default),
    key("embedding.api_key_env", ValueKind::Text).when_found(FoundValue::Default),
    key("embedding.format", ValueKind::Choice(&["f16", "f32", "i8"])).when_found(FoundValue::Default),
    key("embedding.prefix_document", ValueKind::Text).when_found(FoundValue::Default),
    key("embedding.prefix_query", ValueKind::Text).when_found(FoundValue::Default),
    key("embedding.batch", ValueKind::Count { min: 1, max: 4096 }).when_found(FoundValue::Default),
    key("embedding.concurrency", ValueKind::Count { min: 1, max: 64 }).when_found(FoundValue::Default),
    key("embedding.max_tokens_per_minute", ValueKind::Count { min: 0, max: 1_000_000_000_000 })
        .when_found(FoundValue::Default),
    key("embedding.timeout", ValueKind::Count { min: 1, max: 86_400 }).when_found(FoundValue::Default),
    key("embedding.retries", ValueKind::Count { min: 0, max: 100 }).when_found(FoundValue::Default),
    key("embedding.price_per_million", ValueKind::Amount),
    key("embedding.keep_orphans", ValueKind::Count { min: 0, max: 1_000_000 })
        .when_found(FoundValue::Default),
    key("search.mode", ValueKind::Choice(&["words", "vectors", "hybrid"])).when_found(FoundValue::Default),
];

const PERCENT: ValueKind = ValueKind::Count { min: 0, max: 100 };

/// Short forms: `[pdf] layout = false` stands for `[pdf.layout] enabled = false`.
const ALIASES: &[(&str, &str)] = &[("pdf.layout", "pdf.layout.enabled")];

/// The full name of a key that may have been written in its short form.
pub fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

const fn key(name: &'static str, kind: ValueKind) -> ConfigKey {
    ConfigKey { name, kind, layers: AllowedLayers::All, found: FoundValue::Any }
}

impl ConfigKey {
    const fn when_found(self, found: FoundValue) -> ConfigKey {
        ConfigKey { found, ..self }
    }
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
