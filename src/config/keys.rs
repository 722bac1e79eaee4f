//! Every key of the configuration: its name, what it takes, and from where it counts.
//!
//! One table, read by the files, the environment and the error messages. Defaults are not here: `default.toml` has them.

use super::value::Kind;
use pensieve_text::text::tokens::Tokenizer;

/// One key.
#[derive(Debug)]
pub struct Key {
    /// Its name, with its table before a dot.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// From where it counts.
    pub standing: Standing,
}

/// From where a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Everywhere.
    Open,
    /// In the user's own file only.
    UserOnly,
}

/// The table whose keys are file extensions.
pub const CONVERTERS: &str = "converters";

/// What a key of the table of converters takes.
pub const CONVERTER: Key = open("converters", Kind::Text);

/// Every fixed key, in the order of `default.toml`.
pub const KEYS: &[Key] = &[
    open("tokenizer_model", Kind::Choice(Tokenizer::NAMES)),
    open("chunk_size", Kind::Count { least: 16, most: 1_000_000 }),
    open("chunk_overlap", Kind::Count { least: 0, most: 1_000_000 }),
    open("chunking_strategy", Kind::Choice(&["auto", "recursive", "markdown", "paragraph"])),
    open("thread_count", Kind::Count { least: 0, most: 1024 }),
    open("max_memory", Kind::Size { least: 256 << 20 }),
    Key { name: "trusted", kind: Kind::Texts, standing: Standing::UserOnly },
    open("scan.hidden", Kind::Flag),
    open("scan.follow_symlinks", Kind::Flag),
    open("scan.ignore_files", Kind::Flag),
    open("scan.max_file_size", Kind::Size { least: 0 }),
    open("scan.include", Kind::Texts),
    open("scan.exclude", Kind::Texts),
    open("scan.svg", Kind::Flag),
    open("scan.check", Kind::Choice(&["auto", "full", "mtime"])),
    open("html.markdown", Kind::Flag),
    open("html.main_content", Kind::Flag),
    open("office.comments", Kind::Flag),
    open("office.headers", Kind::Flag),
    open("pdf.passwords", Kind::Texts),
    open("pdf.layout.enabled", Kind::Flag),
    open("pdf.layout.furniture_pages", Kind::Count { least: 2, most: 1000 }),
    open("pdf.layout.furniture_share", SHARE),
    open("pdf.layout.furniture_band", Kind::Count { least: 0, most: 50 }),
    open("pdf.layout.column_overlap", SHARE),
    open("pdf.layout.column_width", SHARE),
    open("pdf.layout.size_tolerance", SHARE),
    open("pdf.layout.line_height_tolerance", SHARE),
    open("pdf.layout.density_low", SHARE),
    open("pdf.layout.density_high", SHARE),
    open("pdf.layout.density_tolerance", Kind::Count { least: 0, most: 1000 }),
    open("pdf.layout.heading_size", Kind::Count { least: 100, most: 1000 }),
    open("pdf.layout.prose_share", SHARE),
    open("pdf.layout.box_share", SHARE),
    open("pdf.layout.table_rows", Kind::Count { least: 2, most: 1000 }),
    open("pdf.layout.cues", Kind::Texts),
    open("pdf.layout.window_tokens", Kind::Count { least: 16, most: 1_000_000 }),
    open("pdf.layout.overlap_tokens", Kind::Count { least: 0, most: 1_000_000 }),
    open("pdf.layout.min_overlap_tokens", Kind::Count { least: 0, most: 1_000_000 }),
    open("clean.version", Kind::Choice(&["clean_v1", "clean_v0"])),
    open("clean.unicode", Kind::Choice(&["nfkc", "nfc", "none"])),
    open("clean.max_blank_lines", Kind::Count { least: 0, most: 1000 }),
    open("clean.gutenberg", Kind::Flag),
    open("clean.page_markers", Kind::Flag),
    open("clean.rules.mojibake", Kind::Flag),
    open("clean.rules.controls", Kind::Flag),
    open("clean.rules.unicode", Kind::Flag),
    open("clean.rules.page_furniture", Kind::Flag),
    open("clean.rules.page_breaks", Kind::Flag),
    open("clean.rules.line_ends", Kind::Flag),
    open("clean.rules.blanks", Kind::Flag),
    open("clean.rules.blank_lines", Kind::Flag),
    open("clean.rules.lists", Kind::Flag),
    open("clean.rules.hyphens", Kind::Flag),
    open("clean.rules.soft_wraps", Kind::Flag),
    open("review.min_chars_per_page", Kind::Count { least: 0, most: 1_000_000 }),
    open("review.max_bytes_per_char", Kind::Count { least: 1, most: 1_000_000_000 }),
    open("review.max_replaced_percent", Kind::Count { least: 0, most: 100 }),
    open("review.max_removed_percent", Kind::Count { least: 0, most: 100 }),
    open("rag.footnotes", Kind::Choice(&["drop", "inline", "end"])),
    open("rag.off", Kind::Texts),
    open("rag.own", Kind::Texts),
    open("converter_limits.timeout_seconds", Kind::Count { least: 1, most: 86_400 }),
    open("converter_limits.memory", Kind::Size { least: 1 << 20 }),
    open("converter_limits.output", Kind::Size { least: 1 }),
    open("store.keep", Kind::Choices(&["raw", "clean"])),
    open("store.fts", Kind::Flag),
];

/// Percent.
const SHARE: Kind = Kind::Count { least: 0, most: 100 };

/// Names that stand for others: `[pdf] layout = false` is the short form of `[pdf.layout] enabled = false`.
const ALIASES: &[(&str, &str)] = &[("pdf.layout", "pdf.layout.enabled")];

/// The name of a key for which somebody may have written another.
pub fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

const fn open(name: &'static str, kind: Kind) -> Key {
    Key { name, kind, standing: Standing::Open }
}

/// The key of that name, converters included.
pub fn find(name: &str) -> Option<&'static Key> {
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

/// True for a key of the table of converters.
pub fn is_converter(name: &str) -> bool {
    name.strip_prefix(CONVERTERS).is_some_and(|rest| rest.len() > 1 && rest.starts_with('.'))
}

/// True when some key stands in this table.
pub fn is_table(name: &str) -> bool {
    name == CONVERTERS || KEYS.iter().any(|key| table_of(key.name) == Some(name))
}

/// The table of a key, if it stands in one.
pub fn table_of(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(table, _)| table)
}

/// Everything that may be written: keys and tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    let tables = [
        "scan",
        "html",
        "office",
        "pdf",
        "pdf.layout",
        "clean",
        "clean.rules",
        "review",
        "rag",
        CONVERTERS,
        "converter_limits",
        "store",
    ];
    KEYS.iter().map(|key| key.name).chain(tables)
}

/// The environment variable of a key.
pub fn variable_of(name: &str) -> String {
    format!("{PREFIX}{}", name.replace('.', "_").to_ascii_uppercase())
}

/// What the names of our environment variables begin with.
pub const PREFIX: &str = "PENSIEVE_";

/// The key that an environment variable sets, where there is one.
pub fn key_of_variable(variable: &str) -> Option<String> {
    let rest = variable.strip_prefix(PREFIX)?;
    if let Some(extension) = rest.strip_prefix("CONVERTERS_").filter(|extension| !extension.is_empty()) {
        return Some(format!("{CONVERTERS}.{}", extension.to_ascii_lowercase()));
    }
    let alias = ALIASES.iter().find(|(alias, _)| variable_of(alias) == variable).map(|(_, name)| *name);
    let key = || KEYS.iter().find(|key| variable_of(key.name) == variable).map(|key| key.name);
    alias.or_else(key).map(str::to_owned)
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
