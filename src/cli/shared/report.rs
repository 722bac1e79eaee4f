//! `--report`: where the report of a run is written, and writing it. It is never written among the sources or to the
//! database.

use super::context::absolute;
use super::failure::Failure;
use crate::ingest::{ReportScope, RunFacts, RunReporter};
use pensieve_store::store::Store;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The destination of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportTarget {
    /// One file with everything.
    File(PathBuf),
    /// A folder, for one file about documents and one about attachments.
    Folder(PathBuf),
}

impl ReportTarget {
    /// The destination for a given path: a folder if one exists there, or if the path ends with a slash.
    ///
    /// # Errors
    /// The path is among the sources, or is the database, or its folder does not exist and cannot be created.
    pub fn new(given: &Path, database: &Path, sources: &[PathBuf]) -> Result<ReportTarget, Failure> {
        let place = absolute(given);
        let usage = |message: &str| Failure::Usage {
            message: format!("the report `{}` {message}", place.display()),
            hint: "choose another path for --report".to_owned(),
        };
        let is_folder = place.is_dir() || given.as_os_str().as_encoded_bytes().ends_with(b"/");
        let folder = if is_folder { &*place } else { place.parent().unwrap_or(Path::new("/")) };
        let real_folder = real(folder);
        let is_among =
            |source: &PathBuf| real_folder.starts_with(real(source)) || folder.starts_with(absolute(source));
        if sources.iter().any(is_among) {
            return Err(usage("would lie in the folder that is read"));
        }
        let is_database = real_folder.join(place.file_name().unwrap_or_default()) == real(database);
        if !is_folder && (is_database || place == absolute(database)) {
            return Err(usage("would overwrite the database"));
        }
        let unwritable = |source| Failure::Unwritable { path: place.clone(), source };
        if is_folder {
            fs::create_dir_all(&place).map_err(unwritable)?;
            return Ok(ReportTarget::Folder(place));
        }
        fs::metadata(folder).map_err(unwritable)?;
        Ok(ReportTarget::File(place))
    }

    /// Writes the report of a completed run.
    ///
    /// # Errors
    /// The database cannot be read, or the report cannot be written.
    pub fn write(&self, database: &Path, facts: RunFacts<'_>) -> Result<(), Failure> {
        let store = Store::open_for_reading(database)?;
        let run = facts.run_id;
        let reporter = RunReporter::new(&store, facts)?;
        match self {
            ReportTarget::File(path) => save(path, &reporter.report(&store, ReportScope::All)?),
            ReportTarget::Folder(folder) => {
                let name = |part: &str| folder.join(format!("{part}_extract_report_{run}.json"));
                save(&name("docs"), &reporter.report(&store, ReportScope::Documents)?)?;
                save(&name("attachments"), &reporter.report(&store, ReportScope::Attachments)?)
            }
        }
    }
}

/// Writes one indented JSON object.
pub fn save(path: &Path, report: &impl serde::Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(report).map_err(std::io::Error::from)?;
    text.push('\n');
    fs::write(path, text).map_err(|source| Failure::Unwritable { path: path.to_owned(), source })
}

/// The counts of a run, as `--json` prints them.
pub fn counts(counted: &impl serde::Serialize) -> Result<Value, Failure> {
    Ok(serde_json::to_value(counted).map_err(std::io::Error::from)?)
}

/// The path with symbolic links resolved, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    let mut there = absolute(path);
    loop {
        if let Ok(found) = fs::canonicalize(&there) {
            return missing.iter().rev().fold(found, |path, name| path.join(name));
        }
        let Some(name) = there.file_name().map(ToOwned::to_owned) else { return absolute(path) };
        missing.push(name);
        there.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_never_lands_among_the_sources() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("tree/sub")).unwrap();
        fs::create_dir_all(at("out")).unwrap();
        let check = |report: &str| {
            ReportTarget::new(&at(report), &at("x.db"), &[at("tree")]).map_err(|failure| failure.to_string())
        };
        assert!(matches!(check("r.json"), Ok(ReportTarget::File(_))));
        assert!(matches!(check("tree/../r.json"), Ok(ReportTarget::File(_))));
        assert!(matches!(check("out"), Ok(ReportTarget::Folder(_))));
        assert!(matches!(check("new/"), Ok(ReportTarget::Folder(_))) && at("new").is_dir());
        assert!(check("tree/sub/r.json").unwrap_err().ends_with("would lie in the folder that is read"));
        assert!(check("x.db").unwrap_err().ends_with("would overwrite the database"));
        assert!(check("tree").is_err() && check("tree/new/").is_err() && !at("tree/new").exists());
        assert!(check("missing/r.json").is_err());
        #[cfg(unix)]
        std::os::unix::fs::symlink(at("tree"), at("link")).unwrap();
        #[cfg(unix)]
        assert!(check("link/r.json").is_err() && check("link/new/").is_err());
    }
}
