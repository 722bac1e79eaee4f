//! Someone who works on a tree: writes, renames, swaps, deletes, brings back.

use crate::material;
use crate::support::Dice;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The most entries that an editor lets a tree have.
const MOST: usize = 60;

/// A tree under edit.
pub struct Editor {
    root: PathBuf,
    /// Names that were there once.
    gone: Vec<PathBuf>,
    /// Contents that were there once.
    old: Vec<Vec<u8>>,
    /// What was done, for the one who must understand a failure.
    pub diary: Vec<String>,
}

impl Editor {
    pub fn new(root: PathBuf) -> Editor {
        Editor { root, gone: Vec::new(), old: Vec::new(), diary: Vec::new() }
    }

    /// Does one thing to the tree.
    pub fn step(&mut self, dice: &mut Dice) {
        let (files, folders) = (self.files(), self.folders());
        if files.len() < 4 {
            return self.create(dice, &folders);
        }
        let file = dice.pick(&files);
        let other = dice.pick(&files);
        match dice.below(24) {
            0..=3 if files.len() < MOST => self.create(dice, &folders),
            4 => self.change(&file, "edit in the middle of", insert, dice),
            5 => self.change(
                &file,
                "append to",
                |bytes, _| bytes.extend_from_slice(b"\nOne more line.\n"),
                dice,
            ),
            6 => self.change(&file, "truncate", |bytes, dice| bytes.truncate(dice.below(bytes.len())), dice),
            7 => self.rename(dice, &file, &folders),
            8 => self.swap(&file, &other),
            9 => self.delete(&file),
            10 if dice.chance(30) => self.delete_folder(dice, &folders),
            11 => self.recreate(dice),
            12 => self.copy(dice, &file, &folders),
            13 => self.overwrite(&file, &other),
            14 => self.chmod(dice, &file),
            15 => self.touch(dice, &file),
            16 => self.forge(&file),
            17 => self.turn_into_folder(dice, &file),
            18 => self.turn_into_file(dice, &folders),
            19 => self.link(dice, &file, &folders),
            20 => self.ignore(dice, &folders),
            21 => self.move_folder(dice, &folders),
            22 => self.hard_link(dice, &file, &folders),
            _ => self.empty(&file),
        }
    }

    fn note(&mut self, what: &str, path: &Path) {
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        self.diary.push(format!("{what} {}", name.display()));
    }

    fn entries(&self) -> Vec<(PathBuf, fs::FileType)> {
        let (mut found, mut folders) = (Vec::new(), vec![self.root.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    folders.push(entry.path());
                }
                found.push((entry.path(), kind));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    }

    /// Regular files, sorted.
    pub fn files(&self) -> Vec<PathBuf> {
        self.entries().into_iter().filter(|(_, kind)| kind.is_file()).map(|(path, _)| path).collect()
    }

    /// Folders, the root first.
    fn folders(&self) -> Vec<PathBuf> {
        let below = self.entries().into_iter().filter(|(_, kind)| kind.is_dir()).map(|(path, _)| path);
        std::iter::once(self.root.clone()).chain(below).collect()
    }

    /// A name that is free, with this extension.
    fn free_name(&self, dice: &mut Dice, folder: &Path, extension: &str) -> PathBuf {
        loop {
            let stem = dice.pick(&["ash", "birch", "cedar", "Dale", "elm ü", ".fir", "G-1", "Z"]);
            let number = dice.below(30);
            let dot = if extension.is_empty() { "" } else { "." };
            let path = folder.join(format!("{stem}{number}{dot}{extension}"));
            if path.symlink_metadata().is_err() {
                return path;
            }
        }
    }

    /// Writes a file with something new in it.
    pub fn create(&mut self, dice: &mut Dice, folders: &[PathBuf]) {
        let mut folder = dice.pick(folders);
        if dice.chance(25) {
            folder = self.free_name(dice, &folder, "d");
            fs::create_dir(&folder).unwrap();
        }
        let (extension, bytes) = material::file(dice);
        let path = self.free_name(dice, &folder, extension);
        fs::write(&path, bytes).unwrap();
        self.note("create", &path);
    }

    /// Fills an empty tree.
    pub fn furnish(&mut self, dice: &mut Dice, count: usize) {
        for _ in 0..count {
            let folders = self.folders();
            self.create(dice, &folders);
        }
    }

    fn change(
        &mut self,
        file: &Path,
        what: &str,
        edit: impl FnOnce(&mut Vec<u8>, &mut Dice),
        dice: &mut Dice,
    ) {
        let mut bytes = fs::read(file).unwrap();
        self.old.push(bytes.clone());
        edit(&mut bytes, dice);
        fs::write(file, bytes).unwrap();
        self.note(what, file);
    }

    fn rename(&mut self, dice: &mut Dice, file: &Path, folders: &[PathBuf]) {
        let own = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned();
        let extension =
            if dice.chance(70) { own.as_str() } else { dice.pick(&["md", "txt", "csv", "rs", ""]) };
        let folder = dice.pick(folders);
        let to = self.free_name(dice, &folder, extension);
        fs::rename(file, &to).unwrap();
        self.gone.push(file.to_owned());
        self.note("rename", file);
        self.note("  to", &to);
    }

    fn swap(&mut self, one: &Path, other: &Path) {
        if one == other {
            return;
        }
        let aside = self.root.join("aside");
        fs::rename(one, &aside).unwrap();
        fs::rename(other, one).unwrap();
        fs::rename(&aside, other).unwrap();
        self.note("swap", one);
        self.note("  and", other);
    }

    fn delete(&mut self, file: &Path) {
        self.old.push(fs::read(file).unwrap());
        fs::remove_file(file).unwrap();
        self.gone.push(file.to_owned());
        self.note("delete", file);
    }

    fn delete_folder(&mut self, dice: &mut Dice, folders: &[PathBuf]) {
        let folder = dice.pick(folders);
        if folder != self.root {
            fs::remove_dir_all(&folder).unwrap();
            self.note("delete folder", &folder);
        }
    }

    /// Something comes back under a name that was there before: the old content, or another.
    fn recreate(&mut self, dice: &mut Dice) {
        if self.gone.is_empty() || self.old.is_empty() {
            return;
        }
        let path = dice.pick(&self.gone);
        let bytes = if dice.chance(60) { dice.pick(&self.old) } else { material::file(dice).1 };
        let can_be = path.parent().is_some_and(Path::is_dir) && path.symlink_metadata().is_err();
        if can_be {
            fs::write(&path, bytes).unwrap();
            self.note("recreate", &path);
        }
    }

    fn copy(&mut self, dice: &mut Dice, file: &Path, folders: &[PathBuf]) {
        let folder = dice.pick(folders);
        let own = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_owned();
        let extension = if dice.chance(60) { own.as_str() } else { dice.pick(&["md", "txt", "rs"]) };
        let to = self.free_name(dice, &folder, extension);
        fs::copy(file, &to).unwrap();
        self.note("copy", file);
        self.note("  to", &to);
    }

    fn overwrite(&mut self, file: &Path, with: &Path) {
        if file != with {
            let bytes = fs::read(with).unwrap();
            fs::write(file, bytes).unwrap();
            self.note("overwrite", file);
            self.note("  with", with);
        }
    }

    fn chmod(&mut self, dice: &mut Dice, file: &Path) {
        let mode = dice.pick(&[0o600, 0o644, 0o755]);
        fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
        self.note("chmod", file);
    }

    fn touch(&mut self, dice: &mut Dice, file: &Path) {
        let time = match dice.below(3) {
            0 => SystemTime::now(),
            1 => SystemTime::UNIX_EPOCH + Duration::from_secs(dice.below(2_000_000_000) as u64),
            _ => SystemTime::now() + Duration::from_secs(86_400),
        };
        fs::File::options().write(true).open(file).unwrap().set_modified(time).unwrap();
        self.note("touch", file);
    }

    /// Another content of the same size, and the time set back.
    fn forge(&mut self, file: &Path) {
        let mut bytes = fs::read(file).unwrap();
        let time = fs::metadata(file).unwrap().modified().unwrap();
        let Some(at) = bytes.iter().position(|byte| byte.is_ascii_lowercase()) else { return };
        bytes[at] = if bytes[at] == b'z' { b'a' } else { bytes[at] + 1 };
        fs::write(file, bytes).unwrap();
        fs::File::options().write(true).open(file).unwrap().set_modified(time).unwrap();
        self.note("forge", file);
    }

    fn turn_into_folder(&mut self, dice: &mut Dice, file: &Path) {
        let bytes = fs::read(file).unwrap();
        fs::remove_file(file).unwrap();
        fs::create_dir(file).unwrap();
        let inside = self.free_name(dice, file, "txt");
        fs::write(inside, bytes).unwrap();
        self.note("make a folder of", file);
    }

    fn turn_into_file(&mut self, dice: &mut Dice, folders: &[PathBuf]) {
        let folder = dice.pick(folders);
        if folder != self.root && fs::read_dir(&folder).unwrap().count() < 4 {
            fs::remove_dir_all(&folder).unwrap();
            fs::write(&folder, material::prose(dice)).unwrap();
            self.note("make a file of", &folder);
        }
    }

    fn link(&mut self, dice: &mut Dice, file: &Path, folders: &[PathBuf]) {
        let folder = dice.pick(folders);
        let path = self.free_name(dice, &folder, "ln");
        let target = match dice.below(4) {
            0 => PathBuf::from("nowhere/at all"),
            1 => PathBuf::from(".."),
            2 => path.clone(),
            _ => file.to_owned(),
        };
        symlink(target, &path).unwrap();
        self.note("link", &path);
    }

    fn hard_link(&mut self, dice: &mut Dice, file: &Path, folders: &[PathBuf]) {
        let folder = dice.pick(folders);
        let path = self.free_name(dice, &folder, "txt");
        fs::hard_link(file, &path).unwrap();
        self.note("hard link", file);
        self.note("  as", &path);
    }

    /// Ignore rules come, change and go.
    fn ignore(&mut self, dice: &mut Dice, folders: &[PathBuf]) {
        let path = dice.pick(folders).join(dice.pick(&[".gitignore", ".ignore", ".pensieveignore"]));
        match dice.below(3) {
            0 => {
                let _ = fs::remove_file(&path);
            }
            _ if path.is_dir() => {}
            _ => {
                fs::write(&path, dice.pick(&["*.csv\n", "ash*\n!ash1*\n", "/*.d/\n", "# nothing\n"])).unwrap()
            }
        }
        self.note("ignore rules in", &path);
    }

    fn move_folder(&mut self, dice: &mut Dice, folders: &[PathBuf]) {
        let (from, into) = (dice.pick(folders), dice.pick(folders));
        if from != self.root && !into.starts_with(&from) {
            let to = self.free_name(dice, &into, "d");
            fs::rename(&from, &to).unwrap();
            self.note("move folder", &from);
            self.note("  to", &to);
        }
    }

    fn empty(&mut self, file: &Path) {
        self.old.push(fs::read(file).unwrap());
        fs::write(file, "").unwrap();
        self.note("empty", file);
    }
}

/// A sentence more, where a character begins in every encoding that the material has.
fn insert(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let breaks: Vec<usize> =
        (0..bytes.len()).filter(|&at| bytes[at] == b' ' && !bytes.contains(&0)).collect();
    let at = if breaks.is_empty() { bytes.len() } else { dice.pick(&breaks) };
    bytes.splice(at..at, *b" a sentence that was not there before");
}
