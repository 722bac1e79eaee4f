//! Which folders and which database the arguments of `ingest` and `watch` mean.

use crate::cli::shared::failure::Failure;
use pensieve_store::store::Store;
use std::path::{Path, PathBuf};

/// The database where none is given.
pub const DEFAULT_DATABASE: &str = "pensieve.db";

/// What is read into what.
#[derive(Debug, PartialEq, Eq)]
pub struct IngestTargets {
    /// At least one folder.
    pub roots: Vec<PathBuf>,
    /// The database.
    pub database: PathBuf,
}

impl IngestTargets {
    /// What the arguments of a command mean. The last path is the database. One path alone is a folder for `./pensieve.db`, or a
    /// database with all of its folders; none is that database. `root` is the folder where it has a flag of its own.
    ///
    /// # Errors
    /// The arguments are in another order, or name nothing that can be read.
    pub fn of(command: &str, root: Option<&Path>, paths: &[PathBuf]) -> Result<IngestTargets, Failure> {
        let usage = |message: &str, arguments: &str| usage(message, &format!("{command} {arguments}"));
        let to = |roots: &[PathBuf], database: &Path| IngestTargets {
            roots: roots.to_owned(),
            database: database.to_owned(),
        };
        let default = Path::new(DEFAULT_DATABASE);
        match (root, paths) {
            (Some(root), []) => Ok(to(&[root.to_owned()], default)),
            (Some(root), [database]) => Ok(to(&[root.to_owned()], database)),
            (Some(_), _) => Err(usage("with --root the database is the only argument", "--root DIR DB")),
            (None, []) if default.is_file() => IngestTargets::all_of(command, default),
            (None, []) => Err(usage("no folder is given", "DIR DB")),
            (None, [folder]) if folder.is_dir() => Ok(to(paths, default)),
            (None, [database]) if database.exists() => IngestTargets::all_of(command, database),
            (None, [missing]) => {
                let name = missing.display();
                Err(usage(&format!("`{name}` is neither a folder nor a database"), &format!("DIR {name}")))
            }
            (None, [folders @ .., database]) => {
                refuse_order(command, folders, database)?;
                Ok(to(folders, database))
            }
        }
    }

    /// Every folder of a database.
    fn all_of(command: &str, database: &Path) -> Result<IngestTargets, Failure> {
        let known = Store::open_for_reading(database)?.roots().all()?;
        let roots: Vec<PathBuf> = known.into_iter().map(|root| root.location).collect();
        match roots.is_empty() {
            true => Err(usage(
                &format!("`{}` has no folders yet", database.display()),
                &format!("{command} DIR {}", database.display()),
            )),
            false => Ok(IngestTargets { roots, database: database.to_owned() }),
        }
    }
}

/// Refuses a database and a folder in each other's place. Without any database the store refuses the last folder.
fn refuse_order(command: &str, folders: &[PathBuf], database: &Path) -> Result<(), Failure> {
    let (first, last) = (folders[0].display(), database.display());
    match folders[0].is_dir() || !database.is_dir() {
        true => Ok(()),
        false => Err(usage(
            &format!("`{last}` is a folder, and the last argument is the database"),
            &format!("{command} {last} {first}"),
        )),
    }
}

fn usage(message: &str, command: &str) -> Failure {
    Failure::Usage { message: message.to_owned(), hint: format!("pensieve {command}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_path_is_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("a")).unwrap();
        std::fs::create_dir(at("b")).unwrap();
        let check = |root: Option<&str>, names: &[&str], expected: Result<(&[&str], &str), &str>| {
            let paths: Vec<PathBuf> = names.iter().map(|name| at(name)).collect();
            let found = IngestTargets::of("ingest", root.map(&at).as_deref(), &paths);
            let shown = |failure: Failure| {
                format!("{failure}; {}", failure.hint().unwrap_or_default())
                    .replace(&format!("{}/", folder.path().display()), "")
            };
            let expected = expected.map(|(roots, database)| IngestTargets {
                roots: roots.iter().map(|name| at(name)).collect(),
                database: if database == DEFAULT_DATABASE { database.into() } else { at(database) },
            });
            assert_eq!(found.map_err(shown), expected.map_err(str::to_owned), "{names:?}");
        };
        check(None, &["a", "x.db"], Ok((&["a"], "x.db")));
        check(None, &["a", "b", "x.db"], Ok((&["a", "b"], "x.db")));
        check(None, &["a"], Ok((&["a"], "pensieve.db")));
        check(Some("a"), &["x.db"], Ok((&["a"], "x.db")));
        check(Some("a"), &[], Ok((&["a"], "pensieve.db")));
        let swapped = "`a` is a folder, and the last argument is the database; pensieve ingest a x.db";
        check(None, &["x.db", "a"], Err(swapped));
        check(None, &["b", "a"], Ok((&["b"], "a")));
        check(None, &["x.db"], Err("`x.db` is neither a folder nor a database; pensieve ingest DIR x.db"));
        check(None, &[], Err("no folder is given; pensieve ingest DIR DB"));
    }
}
