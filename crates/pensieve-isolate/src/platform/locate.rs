//! Finds programs; nothing is launched.

use std::env;
use std::path::{Path, PathBuf};

/// The file of a program by its name or path, if it exists and may be executed. Nothing is launched.
///
/// A name with a folder in it is a path; any other is looked up in the absolute folders of `PATH`. Relative folders
/// of `PATH` are skipped, because with them a program could come from a foreign tree.
pub fn locate(program: &str) -> Option<PathBuf> {
    if program.is_empty() {
        return None;
    }
    if program.contains('/') || (cfg!(windows) && program.contains('\\')) {
        return std::path::absolute(program).ok().and_then(|path| runnable(&path));
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).filter(|folder| folder.is_absolute()).find_map(|f| runnable(&f.join(program)))
}

fn runnable(path: &Path) -> Option<PathBuf> {
    let mut with_extension = path.as_os_str().to_owned();
    with_extension.push(env::consts::EXE_SUFFIX);
    [path.to_owned(), PathBuf::from(with_extension)].into_iter().find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    #[cfg(unix)]
    let may_run = rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    #[cfg(not(unix))]
    let may_run = true;
    may_run && path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_programs_are_not_found() {
        assert_eq!(locate("no-such-program-here"), None);
        assert_eq!(locate("/no/such/program"), None);
        assert_eq!(locate(""), None);
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_by_name_and_by_path_and_folders_are_not_programs() {
        let by_name = locate("sh").expect("every unix has sh");
        assert!(by_name.is_absolute());
        assert_eq!(locate("/bin/sh"), Some(PathBuf::from("/bin/sh")));
        assert_eq!(locate("/bin"), None);
        assert_eq!(locate("/etc/passwd"), None);
    }
}
