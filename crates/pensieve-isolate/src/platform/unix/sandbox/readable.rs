//! Which files a converter may read: the programs of the system, its own installation, what its arguments name.
//!
//! Interpreters keep their libraries in many places, so these are found by rules and not by name: the folders in which
//! systems install programs, those that `PATH` names, that of the program with everything that its symbolic links and
//! its first line lead to, and files that the command itself names. Not among them are the documents and secrets of
//! the user, other temporary files, other processes and devices.

use crate::platform::invocation::Invocation;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where systems install programs and keep what these need to start.
const SYSTEM_FOLDERS: &[&str] = &[
    "/bin",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/proc/version",
    "/run/current-system",
    "/sbin",
    "/snap",
    "/sys/devices/system/cpu",
    "/usr",
    "/var/cache/fontconfig",
    "/var/spool/libreoffice",
];

/// Folders whose names say that the installation is the folder above.
const PROGRAM_FOLDERS: &[&str] = &["bin", "sbin", "libexec", "shims", "Scripts", ".bin"];

/// The parts of an installation. A folder of the root that `PATH` leads to may hold documents beside them, as in containers.
const PARTS: &[&str] = &["bin", "sbin", "lib", "lib32", "lib64", "libexec", "share", "etc"];

/// Where programs are put that no system installs, and how many names an installation has there.
const ADDED_PROGRAMS: [(&str, usize); 2] = [("/app", 2), ("/opt", 3)];

/// Links that are followed from a program to its interpreter and on.
const MAX_LINKS: usize = 8;

/// Bytes of a script in which the name of its interpreter is looked for.
const MAX_FIRST_LINE_BYTES: u64 = 512;

/// Files and folders of the system that every converter may read; found once.
pub(super) fn system_paths() -> &'static [PathBuf] {
    static PATHS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PATHS.get_or_init(|| {
        let mut paths: BTreeSet<PathBuf> = SYSTEM_FOLDERS.iter().map(PathBuf::from).collect();
        add_settings(Path::new("/etc"), &mut paths);
        // Installed programs keep parts of themselves here, such as the extensions of LibreOffice and the tables of TeX.
        paths.extend(open_entries(Path::new("/var/lib")));
        for folder in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
            if folder.is_absolute() && folder.is_dir() {
                let mut found = BTreeSet::new();
                add_program(&folder.join("any"), &mut found);
                paths.extend(found.into_iter().flat_map(parts));
            }
        }
        paths.into_iter().collect()
    })
}

/// Files and folders that this program may read besides those of the system.
pub(super) fn program_paths(invocation: &Invocation) -> BTreeSet<PathBuf> {
    let mut paths = BTreeSet::new();
    let mut program = invocation.program.clone();
    for _ in 0..MAX_LINKS {
        add_program(&program, &mut paths);
        paths.insert(program.clone());
        let Some(next) = fs::canonicalize(&program)
            .ok()
            .filter(|found| *found != program)
            .or_else(|| interpreter(&program))
        else {
            break;
        };
        program = next;
    }
    for argument in &invocation.arguments {
        // `--filter=/x/y.lua` names a file too.
        let bytes = argument.as_bytes();
        let value = memchr::memchr(b'=', bytes).map_or(&[][..], |at| &bytes[at + 1..]);
        let named = [bytes, value].map(|bytes| Path::new(OsStr::from_bytes(bytes)));
        for path in named.into_iter().filter(|path| path.is_absolute()) {
            paths.insert(path.to_owned());
            paths.extend(added_program(path));
        }
    }
    // A command that names the root or a home means something else by it.
    paths.retain(|path| !is_home(path));
    paths
}

/// The parts of an installation that is a folder of the root; any other is taken whole.
fn parts(installation: PathBuf) -> Vec<PathBuf> {
    match installation.parent() == Some(Path::new("/")) {
        true => PARTS.iter().map(|part| installation.join(part)).filter(|part| part.exists()).collect(),
        false => vec![installation],
    }
}

/// The installation of a script that a command names, which reads what lies beside it: `/opt/x` by `/opt/x/y/z.py`.
fn added_program(path: &Path) -> Option<PathBuf> {
    let (_, names) = ADDED_PROGRAMS.iter().find(|(folder, _)| path.starts_with(folder))?;
    let installation: PathBuf = path.iter().take(*names).collect();
    (installation != *path).then_some(installation)
}

/// Adds the installation of a program that lies at this path.
fn add_program(program: &Path, paths: &mut BTreeSet<PathBuf>) {
    let Some(folder) = program.parent() else { return };
    let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    for folder in [folder, &real] {
        paths.extend(installation(folder));
    }
}

/// The folder of an installation, by the folder of its programs: `/opt/x` by `/opt/x/bin`, and below a home the hidden
/// folder, as in `.pyenv/shims` and `.local/bin`, whose interpreters lie elsewhere in it.
fn installation(folder: &Path) -> Option<PathBuf> {
    let mut home = folder.ancestors().skip(1).filter(|above| is_home(above) && **above != *Path::new("/"));
    if let Some(first) =
        home.next().and_then(|home| folder.strip_prefix(home).ok()?.iter().next().map(|name| home.join(name)))
        && first.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."))
    {
        return Some(first);
    }
    let is_of_programs =
        folder.file_name().is_some_and(|name| PROGRAM_FOLDERS.iter().any(|known| name == *known));
    let whole = folder.parent().filter(|above| is_of_programs && !is_home(above));
    let whole = whole.unwrap_or(folder);
    // Temporary files of others lie beside a program that somebody keeps there.
    (!is_home(whole) && whole != env::temp_dir()).then(|| whole.to_owned())
}

fn is_home(path: &Path) -> bool {
    let is_own = env::var_os("HOME").is_some_and(|home| path == Path::new(&home));
    is_own
        || ["/", "/root", "/home", "/Users"].iter().any(|known| path == Path::new(known))
        || path.parent() == Some(Path::new("/home"))
}

/// The program that the first line of a script names: `#!/usr/bin/python3 -E`, or `#!/usr/bin/env python3`.
fn interpreter(program: &Path) -> Option<PathBuf> {
    let mut line = Vec::new();
    File::open(program).ok()?.take(MAX_FIRST_LINE_BYTES).read_to_end(&mut line).ok()?;
    let line = line.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let path = Path::new(OsStr::from_bytes(words.next()?));
    if !path.ends_with("env") {
        return Some(path.to_owned());
    }
    crate::platform::locate(std::str::from_utf8(words.find(|word| !word.starts_with(b"-"))?).ok()?)
}

/// The entries of a folder that everybody may read.
fn open_entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| {
            fs::symlink_metadata(entry.path())
                .is_ok_and(|found| !found.is_symlink() && found.mode() & 0o004 != 0)
        })
        .map(|entry| entry.path())
}

/// Adds the settings of the system. Root may read secrets among them (`/etc/shadow`), so only what everybody may read
/// is added: a folder with a closed entry is added entry by entry.
fn add_settings(folder: &Path, paths: &mut BTreeSet<PathBuf>) -> bool {
    let mut open = BTreeSet::new();
    let mut is_open = true;
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(found) = fs::symlink_metadata(entry.path()) else { continue };
        let is_for_all = found.is_symlink() || found.mode() & 0o004 != 0;
        if is_for_all && found.is_dir() {
            is_open &= add_settings(&entry.path(), &mut open);
        } else if is_for_all && !found.is_symlink() {
            open.insert(entry.path());
        } else {
            is_open &= is_for_all;
        }
    }
    match is_open {
        true => drop(paths.insert(folder.to_owned())),
        false => paths.extend(open),
    }
    is_open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_to_a_system_is_read_where_a_command_needs_it() {
        let check = |program: &str, argument: &str, expected: &[&str]| {
            let invocation = Invocation::new(Path::new(program), vec![argument]);
            let found = program_paths(&invocation);
            let added = found.iter().filter(|path| path.starts_with("/opt") || path.starts_with("/app"));
            assert_eq!(added.map(|path| path.to_str().unwrap()).collect::<Vec<_>>(), expected);
        };
        check("/usr/bin/python3", "x", &[]);
        check("/usr/bin/python3", "/opt/tool/y/main.py", &["/opt/tool", "/opt/tool/y/main.py"]);
        check("/usr/bin/python3", "--lua-filter=/app/x.lua", &["/app", "/app/x.lua"]);
        check("/opt/tool/bin/x", "y", &["/opt/tool", "/opt/tool/bin/x"]);
        let is_whole = |path: &PathBuf| ["/opt", "/app"].iter().any(|whole| path == Path::new(whole));
        assert!(!system_paths().iter().any(is_whole));
    }

    #[test]
    fn a_folder_of_the_root_is_read_in_its_parts() {
        assert_eq!(parts("/opt/x".into()), [PathBuf::from("/opt/x")]);
        let usr = parts("/usr".into());
        assert!(usr.contains(&"/usr/bin".into()) && !usr.contains(&"/usr/src".into()), "{usr:?}");
    }
}
