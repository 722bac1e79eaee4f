//! Golden files: what was found right once, compared line by line.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder below `tests`, sorted, whose extensions are wanted.
pub fn files(folder: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().and_then(|extension| extension.to_str()).is_some_and(&is_wanted));
    paths.sort();
    paths
}

/// Fails at the first line that differs from the golden file; with `UPDATE_GOLDEN` the file is written anew.
#[track_caller]
pub fn compare(golden: &Path, found: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(golden, found).unwrap();
    }
    let expected = fs::read_to_string(golden).unwrap_or_default();
    let differs = expected.lines().chain([""]).zip(found.lines().chain([""])).find(|(a, b)| a != b);
    if let Some((expected, found)) = differs {
        panic!("{}:\nexpected: {expected}\nfound:    {found}", golden.display());
    }
    assert_eq!(expected.lines().count(), found.lines().count(), "{}", golden.display());
}
