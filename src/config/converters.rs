//! The table of converters: which files may name programs, and which converters cannot work.

use super::error::{ConfigError, ConverterFault, Origin};
use super::keys;
use super::layers::ConfigEntry;
use super::merged_layers::MergedLayers;
use super::nearest::nearest;
use pensieve_readers::process::CommandTemplate;
use pensieve_text::format;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Value;

/// A converter as it was configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converter {
    /// The command as it was written.
    pub command: String,
    /// Where it was written.
    pub at: Origin,
}

/// A converter that cannot work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenConverter {
    /// Its extension.
    pub extension: String,
    /// Where it was written.
    pub at: Origin,
    /// What is wrong with it.
    pub fault: ConverterFault,
}

/// The converters among all values.
pub(super) fn of(merged: &MergedLayers) -> BTreeMap<String, Converter> {
    let converter = |(key, value, at): (&str, &Value, &Origin)| {
        let extension = key.strip_prefix(keys::CONVERTERS)?.strip_prefix('.')?;
        Some((extension.to_owned(), Converter { command: value.as_str()?.to_owned(), at: at.clone() }))
    };
    merged.values().filter_map(converter).collect()
}

/// Rejects programs named by a file that was merely found.
///
/// Values that the layers below already have may be repeated: a file written by `init` works where it is, and runs
/// nothing that would not run without it.
pub(super) fn check_trust(
    entries: &[ConfigEntry],
    file: &Path,
    below: &MergedLayers,
    home: Option<&Path>,
) -> Result<(), ConfigError> {
    let changes = |entry: &&ConfigEntry| below.value(&entry.key) != Some(&entry.value);
    let Some(entry) = entries.iter().filter(|entry| keys::is_converter(&entry.key)).find(changes) else {
        return Ok(());
    };
    let folder = folder_of(file);
    let trusted =
        below.value("trusted").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    if trusted.into_iter().any(|trusted| is_folder(trusted, &folder, home)) {
        return Ok(());
    }
    Err(ConfigError::Untrusted {
        at: entry.at.clone(),
        extension: entry.key.split_once('.').map(|(_, extension)| extension.to_owned()).unwrap_or_default(),
        file: file.to_owned(),
        folder,
    })
}

fn folder_of(file: &Path) -> PathBuf {
    let folder = match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn is_folder(trusted: &str, folder: &Path, home: Option<&Path>) -> bool {
    let path = match (trusted.strip_prefix("~"), home) {
        (Some(""), Some(home)) => home.to_owned(),
        (Some(rest), Some(home)) if rest.starts_with('/') => home.join(&rest[1..]),
        _ => PathBuf::from(trusted),
    };
    // A relative path would mean a different folder in each working directory, so it trusts none.
    path.is_absolute() && path.canonicalize().is_ok_and(|path| path == folder)
}

/// The converters that cannot work, in the order of their extensions.
pub(super) fn faults(converters: &BTreeMap<String, Converter>) -> Vec<BrokenConverter> {
    let fault = |(extension, converter): (&String, &Converter)| {
        let fault = fault_of(extension, &converter.command)?;
        Some(BrokenConverter { extension: extension.clone(), at: converter.at.clone(), fault })
    };
    converters.iter().filter_map(fault).collect()
}

fn fault_of(extension: &str, command: &str) -> Option<ConverterFault> {
    if format::by_extension(extension).is_none() {
        let known = format::FORMATS.iter().flat_map(|row| row.extensions.iter().copied());
        let nearest = nearest(extension, known).unwrap_or_default().to_owned();
        return Some(ConverterFault::UnknownExtension { extension: extension.to_owned(), nearest });
    }
    CommandTemplate::parse(command).err().map(ConverterFault::Template)
}
