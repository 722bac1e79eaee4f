//! The table of converters: which files may name programs, and which converters cannot work.

use super::error::{ConverterFault, Origin};
use super::keys;
use super::merged_layers::MergedLayers;
use super::nearest::is_one_slip;
use pensieve_isolate::process::CommandTemplate;
use pensieve_text::format;
use std::collections::BTreeMap;
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

/// The converters that cannot work, in the order of their extensions.
pub(super) fn faults(converters: &BTreeMap<String, Converter>) -> Vec<BrokenConverter> {
    let fault = |(extension, converter): (&String, &Converter)| {
        let fault = fault_of(extension, &converter.command)?;
        Some(BrokenConverter { extension: extension.clone(), at: converter.at.clone(), fault })
    };
    converters.iter().filter_map(fault).collect()
}

fn fault_of(extension: &str, command: &str) -> Option<ConverterFault> {
    let is_extension = !extension.is_empty()
        && extension.len() <= LONGEST_EXTENSION
        && extension == extension.to_lowercase()
        && !extension
            .contains(|sign: char| sign.is_whitespace() || sign.is_control() || "./\\".contains(sign));
    if !is_extension {
        return Some(ConverterFault::NoExtension { extension: extension.to_owned() });
    }
    CommandTemplate::parse(command).err().map(ConverterFault::Template)
}

/// Bytes of the longest key that counts as an extension.
const LONGEST_EXTENSION: usize = 32;

/// The extensions that may be misspelt: no format has them, and one slip leads to one that a format has. Each comes with where
/// it was written and what may have been meant.
pub(super) fn perhaps_misspelt(
    converters: &BTreeMap<String, Converter>,
) -> Vec<(&str, &Origin, &'static str)> {
    let known = || format::FORMATS.iter().flat_map(|row| row.extensions.iter().copied());
    let unknown = |extension: &str| format::by_extension(extension).is_none() && !format::is_usual(extension);
    let found =
        converters.iter().filter(|(extension, _)| unknown(extension)).filter_map(|(extension, converter)| {
            let meant = known().find(|known| is_one_slip(extension, known))?;
            Some((extension.as_str(), &converter.at, meant))
        });
    found.collect()
}
