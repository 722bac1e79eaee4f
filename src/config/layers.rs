//! The sources of values: files, environment and flags, each read into entries with their places.
//!
//! Nothing is merged here, and no value is compared with another.

use super::error::{ConfigError, Origin};
use super::keys::{self, PREFIX};
use super::nearest::likely;
use super::value::{ValueKind, described, from_toml};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Value;
use toml::de::{DeTable, DeValue};

/// The layers above the defaults, gathered by the caller, so that nothing here depends on the process.
#[derive(Debug, Clone, Default)]
pub struct ConfigSources {
    /// The user's own file; it need not exist.
    pub user: Option<UserConfigFile>,
    /// The project's configuration file.
    pub project: Option<ProjectConfigFile>,
    /// All environment variables; those without our prefix are ignored.
    pub environment: Vec<(String, String)>,
    /// Values from flags.
    pub flags: Vec<FlagValue>,
    /// The folder that `~` means in `trusted`.
    pub home: Option<PathBuf>,
}

/// The project's file, and how it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectConfigFile {
    /// The file in the current folder, if it exists: whoever made the folder may have written it.
    Found(PathBuf),
    /// The user named it.
    Named(PathBuf),
}

/// The user's own file, and how its folder is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserConfigFile {
    /// In the home folder.
    Home(PathBuf),
    /// In the folder that `XDG_CONFIG_HOME` names.
    Named(PathBuf),
}

impl UserConfigFile {
    /// Its path.
    pub fn path(&self) -> &Path {
        match self {
            UserConfigFile::Home(path) | UserConfigFile::Named(path) => path,
        }
    }
}

/// A value from a flag.
#[derive(Debug, Clone, PartialEq)]
pub struct FlagValue {
    /// The flag's name, with dashes.
    pub name: &'static str,
    /// The key that it sets.
    pub key: &'static str,
    /// Its value.
    pub value: String,
}

/// One value, as written in a layer.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfigEntry {
    /// The key, with its table.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Where it was written.
    pub at: Origin,
}

/// Maximum number of bytes of a configuration file; a larger file is something else.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Why nobody can tell whether a file exists; `None` for one that exists, or surely does not.
pub fn hidden_by(path: &Path) -> Option<std::io::Error> {
    let is_absent = |kind| matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory);
    fs::metadata(path).err().filter(|error| !is_absent(error.kind()))
}

/// The text of a configuration file; `None` if it does not exist.
pub fn read_file(path: &Path) -> Result<Option<String>, ConfigError> {
    let fail = |source| ConfigError::Unreadable { path: path.to_owned(), source };
    let other = |what: &str| fail(std::io::Error::other(what.to_owned()));
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        // A home that is no folder (`/dev/null`) has no files.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(fail(error)),
    };
    if !meta.is_file() {
        return Err(other("not a regular file"));
    }
    if meta.len() > MAX_FILE_BYTES {
        return Err(other("larger than 1 MiB"));
    }
    let bytes = fs::read(path).map_err(fail)?;
    String::from_utf8(bytes).map(Some).map_err(|_| other("not UTF-8"))
}

/// The entries of a configuration file, in their order.
///
/// # Errors
/// The text is not TOML, or a table has a plain value.
pub fn of_file(text: &str, path: &Path) -> Result<Vec<ConfigEntry>, ConfigError> {
    let file: Arc<Path> = path.into();
    let place = |at: usize| Origin::File { path: Arc::clone(&file), line: line_of(text, at) };
    let document = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        at: place(error.span().map_or(0, |span| span.start)),
        message: error.message().lines().next().unwrap_or("not TOML").to_owned(),
    })?;
    let mut entries = Vec::new();
    add_table(document.get_ref(), "", &mut entries).map_err(|(start, key, found)| {
        ConfigError::NotATable { at: place(start), key, found: described(&found) }
    })?;
    entries.sort_by_key(|(start, ..)| *start);
    Ok(entries.into_iter().map(|(start, key, value)| ConfigEntry { key, value, at: place(start) }).collect())
}

/// The position of a value, its key, and the value.
type PositionedValue = (usize, String, Value);

/// Adds the entries of a table and of its subtables that we know. The error is a plain value in place of a table.
fn add_table(
    table: &DeTable<'_>,
    prefix: &str,
    entries: &mut Vec<PositionedValue>,
) -> Result<(), PositionedValue> {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        let start = name.span().start;
        match value.get_ref() {
            DeValue::Table(inner) if keys::is_table(&key) => add_table(inner, &format!("{key}."), entries)?,
            other if keys::canonical(&key) != key => {
                entries.push((start, keys::canonical(&key).to_owned(), from_toml(other)));
            }
            other if keys::is_table(&key) => return Err((start, key, from_toml(other))),
            other => entries.push((start, key, from_toml(other))),
        }
    }
    Ok(())
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The entries of the environment, in the order of their names. A variable with our prefix that names no key may belong to
/// somebody else, so it is a warning.
pub fn of_environment(variables: &[(String, String)], warnings: &mut Vec<String>) -> Vec<ConfigEntry> {
    let is_ours = |name: &str| name.starts_with(PREFIX) && !keys::OTHER_VARIABLES.contains(&name);
    let mut ours: Vec<&(String, String)> = variables.iter().filter(|(name, _)| is_ours(name)).collect();
    ours.sort();
    let (known, foreign): (Vec<_>, Vec<_>) = ours
        .into_iter()
        .map(|(variable, value)| (variable, value, keys::key_of_variable(variable)))
        .partition(|(.., key)| key.is_some());
    warnings.extend(foreign.into_iter().map(|(variable, ..)| foreign_variable(variable)));
    known.into_iter().filter_map(|(variable, value, key)| Some(of_variable(variable, value, key?))).collect()
}

fn of_variable(variable: &str, value: &str, key: String) -> ConfigEntry {
    let kind = keys::find(&key).map_or(ValueKind::Text, |key| key.kind);
    let at = Origin::Environment { variable: variable.to_owned() };
    ConfigEntry { value: kind.from_text(value), key, at }
}

fn foreign_variable(variable: &str) -> String {
    let names: Vec<String> = settable().map(keys::variable_of).collect();
    match likely(variable, names.iter().map(String::as_str)) {
        Some(name) => format!("`{variable}` sets nothing; did you mean `{name}`?"),
        None => format!("`{variable}` sets nothing: no key has this name"),
    }
}

fn settable() -> impl Iterator<Item = &'static str> {
    keys::KEYS.iter().map(|key| key.name).filter(|name| *name != keys::USER_ONLY)
}

/// The entries from flags.
pub fn of_flags(flags: &[FlagValue]) -> Vec<ConfigEntry> {
    let entry = |flag: &FlagValue| {
        let kind = keys::find(flag.key).map_or(ValueKind::Text, |key| key.kind);
        ConfigEntry {
            key: flag.key.to_owned(),
            value: kind.from_text(&flag.value),
            at: Origin::Flag { name: flag.name },
        }
    };
    flags.iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, usize)]) {
        let entries = of_file(text, Path::new("p.toml")).unwrap();
        let seen: Vec<(String, String, String)> =
            entries.into_iter().map(|e| (e.key, described(&e.value), e.at.to_string())).collect();
        let expected: Vec<(String, String, String)> = expected
            .iter()
            .map(|(key, value, line)| ((*key).to_owned(), (*value).to_owned(), format!("p.toml:{line}")))
            .collect();
        assert_eq!(seen, expected);
    }

    fn check_error(text: &str, expected: &str) {
        assert_eq!(of_file(text, Path::new("p.toml")).unwrap_err().to_string(), expected);
    }

    #[test]
    fn entries_know_their_lines() {
        check("", &[]);
        check("# nothing\n[scan]\n", &[]);
        check(
            "chunk_size = 64\n\n[scan]\nhidden = false\n",
            &[("chunk_size", "64", 1), ("scan.hidden", "false", 4)],
        );
        check(
            "scan.hidden = true\r\nx = 1.5",
            &[("scan.hidden", "true", 1), ("x", "a number with a fraction", 2)],
        );
        check("scan = { hidden = true }", &[("scan.hidden", "true", 1)]);
        check("[scna]\nx = 1", &[("scna", "a table", 1)]);
        check("z = 1\na = 2", &[("z", "1", 1), ("a", "2", 2)]);
    }

    #[test]
    fn what_is_not_toml_is_told_with_its_line() {
        check_error("scan = 3", "p.toml:1: `scan` must be a table, written `[scan]`, not 3");
        check_error("a = 1\na = 2", "p.toml:2: duplicate key");
        assert!(of_file("x = \n", Path::new("p.toml")).unwrap_err().to_string().starts_with("p.toml:1: "));
        assert!(of_file(&"[".repeat(100_000), Path::new("p.toml")).is_err());
    }

    #[test]
    fn only_our_variables_count_and_misspelt_ones_are_told() {
        let variable =
            |name: &str| vec![(name.to_owned(), "64".to_owned()), ("HOME".to_owned(), "/".to_owned())];
        let check = |name: &str, keys: &[&str], said: &[&str]| {
            let mut warnings = Vec::new();
            let entries = of_environment(&variable(name), &mut warnings);
            assert_eq!(entries.iter().map(|entry| entry.key.as_str()).collect::<Vec<_>>(), keys);
            assert_eq!(warnings, said);
        };
        check("PENSIEVE_CHUNK_SIZE", &["chunk_size"], &[]);
        check("PENSIEVE_BIN", &[], &[]);
        check("PENSIEVE_SERVE_TOKEN", &[], &[]);
        let meant = "`PENSIEVE_CHUNKSIZE` sets nothing; did you mean `PENSIEVE_CHUNK_SIZE`?";
        check("PENSIEVE_CHUNKSIZE", &[], &[meant]);
        check("PENSIEVE_HOME", &[], &["`PENSIEVE_HOME` sets nothing: no key has this name"]);
    }
}
