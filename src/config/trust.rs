//! What a configuration file that was merely found may set: whoever made the folder may have written it, so it may
//! narrow what is read, and runs nothing.

use super::error::ConfigError;
use super::keys::{self, FoundValue};
use super::layers::ConfigEntry;
use super::merged_layers::MergedLayers;
use std::path::{Path, PathBuf};
use toml::Value;

/// Rejects values of a file that was merely found with which more would be read or run, unless the user trusts its
/// folder.
///
/// Values that the layers below already have may be repeated: a file written by `init` works where it is, and does
/// nothing that would not happen without it.
pub(super) fn check_trust(
    entries: &[ConfigEntry],
    file: &Path,
    below: &MergedLayers,
    home: Option<&Path>,
) -> Result<(), ConfigError> {
    let Some(entry) = entries.iter().find(|entry| widens(entry, below)) else { return Ok(()) };
    let folder = folder_of(file);
    let trusted =
        below.value("trusted").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    if trusted.into_iter().any(|trusted| is_folder(trusted, &folder, home)) {
        return Ok(());
    }
    Err(ConfigError::Untrusted {
        at: entry.at.clone(),
        key: entry.key.clone(),
        file: file.to_owned(),
        folder,
    })
}

/// True if more is read or run with this value than with that of the layers below.
fn widens(entry: &ConfigEntry, below: &MergedLayers) -> bool {
    let (new, old) = (&entry.value, below.value(&entry.key));
    let Some(key) = keys::find(&entry.key).filter(|_| old != Some(new)) else { return false };
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    match key.found {
        FoundValue::Any => false,
        FoundValue::None => true,
        FoundValue::Default => MergedLayers::built_in().value(&entry.key) != Some(new),
        FoundValue::Only(allowed) => new.as_bool() == Some(!allowed),
        FoundValue::FirstList => !list(old).is_empty(),
        FoundValue::LongerList => {
            let (old, new) = (list(old), list(Some(new)));
            let brings_back = |item: &&Value| item.as_str().is_some_and(|text| text.starts_with('!'));
            old.iter().any(|kept| !new.contains(kept))
                || new.iter().filter(brings_back).any(|item| !old.contains(item))
        }
        // 0 is no limit.
        FoundValue::LowerLimit => {
            let limit = |value: Option<&Value>| size_of(value).filter(|limit| *limit > 0).unwrap_or(u64::MAX);
            limit(Some(new)) > limit(old)
        }
    }
}

fn size_of(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Integer(number) => u64::try_from(*number).ok(),
        Value::String(text) => super::value::parse_size(text),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn below(text: &str) -> MergedLayers {
        let mut below = MergedLayers::built_in();
        below.add_all(super::super::layers::of_file(text, Path::new("user.toml")).unwrap(), true).unwrap();
        below
    }

    #[test]
    fn a_found_file_may_narrow_what_is_read() {
        let check = |user: &str, found: &str, expected: bool| {
            let entries = super::super::layers::of_file(found, Path::new("found.toml")).unwrap();
            let widening = entries.iter().any(|entry| widens(entry, &below(user)));
            assert_eq!(widening, expected, "{found:?} above {user:?}");
        };
        check("", "chunk_size = 77", false);
        check("", "[scan]\nhidden = false", false);
        check("", "[scan]\nhidden = true", false);
        check("[scan]\nhidden = false", "[scan]\nhidden = true", true);
        check("", "[scan]\nignore_files = false", true);
        check("[scan]\nignore_files = false", "[scan]\nignore_files = true", false);
        check("[scan]\nignore_files = false", "[scan]\nignore_files = false", false);
        check("", "[scan]\nfollow_symlinks = true", true);
        check("", "[scan]\nmax_file_size = 1000", false);
        check("[scan]\nmax_file_size = 1000", "[scan]\nmax_file_size = 999", false);
        check("[scan]\nmax_file_size = 1000", "[scan]\nmax_file_size = 1000", false);
        check("[scan]\nmax_file_size = 1000", "[scan]\nmax_file_size = \"1000 B\"", false);
        check("[scan]\nmax_file_size = 1000", "[scan]\nmax_file_size = 1001", true);
        check("[scan]\nmax_file_size = 1000", "[scan]\nmax_file_size = 0", true);
        check("[scan]\nmax_file_size = 1", "[scan]\nmax_file_size = 0", true);
        check("[scan]\nmax_file_size = 0", "[scan]\nmax_file_size = 1", false);
        check("", "[scan]\ninclude = [\"*.md\"]", false);
        check("[scan]\ninclude = [\"*.md\"]", "[scan]\ninclude = [\"*.txt\"]", true);
        check("[scan]\nexclude = [\"a\"]", "[scan]\nexclude = [\"b\", \"a\"]", false);
        check("[scan]\nexclude = [\"a\", \"b\"]", "[scan]\nexclude = [\"b\"]", true);
        check("[scan]\nexclude = [\"a\"]", "[scan]\nexclude = [\"a\", \"!a\"]", true);
        check("", "[scan]\ntool_folders = []", true);
        check("", "[converters]\ndoc = \"antiword {input}\"", true);
        check("", "[embedding]\nendpoint = \"http://a/\"", true);
        check("[embedding]\nendpoint = \"http://a/\"", "[embedding]\nendpoint = \"http://a/\"", false);
        check("[embedding]\nendpoint = \"http://a/\"", "[embedding]\nendpoint = \"\"", false);
    }

    #[test]
    fn the_folder_of_a_file_is_known_without_links() {
        let here = Path::new(".").canonicalize().unwrap();
        assert_eq!(folder_of(Path::new("pensieve.toml")), here);
        assert_eq!(folder_of(Path::new("./pensieve.toml")), here);
        assert_eq!(folder_of(&here.join("src/../pensieve.toml")), here);
        assert_eq!(folder_of(Path::new("/no such folder/a.toml")), Path::new("/no such folder"));
    }

    #[test]
    fn a_trusted_folder_is_absolute_or_at_home() {
        let here = Path::new(".").canonicalize().unwrap();
        let source = here.join("src");
        let check = |trusted: &str, home: Option<&Path>, expected: bool| {
            assert_eq!(is_folder(trusted, &source, home), expected, "{trusted} {home:?}");
        };
        check(source.to_str().unwrap(), None, true);
        check(here.to_str().unwrap(), None, false);
        check("src", None, false);
        check("~", Some(&source), true);
        check("~", Some(&here), false);
        check("~", None, false);
        check("~/src", Some(&here), true);
        check("~src", Some(&here), false);
        check("~/src", None, false);
        check("~/src/store", Some(&here), false);
    }
}
