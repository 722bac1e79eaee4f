//! The layers merged: for each key the value that wins, and where it was written.

use super::error::{ConfigError, Origin};
use super::keys::{self, DEFAULT, USER_ONLY};
use super::layers::{self, ConfigEntry};
use super::nearest::nearest;
use super::value::described;
use std::collections::BTreeMap;
use std::path::Path;
use toml::{Table, Value};

/// The same as `init` writes it: every key is a comment, so that the file sets nothing until a person removes a `#`. Tables
/// are none, because a key without its table would be another key.
pub fn commented_default() -> String {
    let comment = |line: &str| match line {
        "" => "\n".to_owned(),
        line if line.starts_with(['#', '[']) => format!("{line}\n"),
        line => format!("#{line}\n"),
    };
    DEFAULT.lines().map(comment).collect()
}

/// The layers so far.
pub(super) struct MergedLayers(BTreeMap<String, (Value, Origin)>);

impl MergedLayers {
    /// The layer of defaults alone.
    pub fn built_in() -> MergedLayers {
        let entries =
            layers::of_file(DEFAULT, Path::new("default.toml")).expect("the compiled-in file is sound");
        let mut merged = MergedLayers(BTreeMap::new());
        for entry in entries {
            let entry = ConfigEntry { at: Origin::BuiltIn, ..entry };
            merged.add(entry, true).expect("the compiled-in file is sound");
        }
        merged
    }

    /// Adds a layer; `is_user_file` allows the keys that only the user's own file may have.
    ///
    /// # Errors
    /// The first entry whose key is unknown or not allowed in this layer, or whose value the key does not accept.
    pub fn add_all(&mut self, entries: Vec<ConfigEntry>, is_user_file: bool) -> Result<(), ConfigError> {
        entries.into_iter().try_for_each(|entry| self.add(entry, is_user_file))
    }

    fn add(&mut self, entry: ConfigEntry, is_user_file: bool) -> Result<(), ConfigError> {
        let ConfigEntry { key, value, at } = entry;
        let Some(known) = keys::find(&key) else {
            let nearest = nearest(&key, keys::names()).unwrap_or_default().to_owned();
            return Err(ConfigError::UnknownKey { at, key, nearest });
        };
        // An empty list trusts no folder, and every file written by `init` has it.
        let is_empty = value.as_array().is_some_and(Vec::is_empty);
        if key == USER_ONLY && !is_user_file && !is_empty {
            return Err(ConfigError::UserOnly { at, key });
        }
        match known.kind.accept(value) {
            Ok(value) => {
                self.0.insert(key, (value, at));
                Ok(())
            }
            Err(value) => {
                Err(ConfigError::WrongValue { at, key, expected: known.kind, found: described(&value) })
            }
        }
    }

    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.0.get(key).map(|(value, _)| value)
    }

    /// All keys with their values and places.
    pub fn values(&self) -> impl Iterator<Item = (&str, &Value, &Origin)> {
        self.0.iter().map(|(key, (value, origin))| (key.as_str(), value, origin))
    }

    /// The fixed keys as a document, tables inside tables.
    pub fn document(&self) -> Table {
        let mut document = Table::new();
        for (key, value, _) in self.values().filter(|(key, ..)| !keys::is_converter(key)) {
            let mut words = key.split('.').collect::<Vec<_>>();
            let name = words.pop().unwrap_or_default();
            let mut table = &mut document;
            for word in words {
                let inner = table.entry(word).or_insert_with(|| Value::Table(Table::new()));
                table = inner.as_table_mut().expect("no key is the name of a table");
            }
            table.insert(name.to_owned(), value.clone());
        }
        document
    }
}
