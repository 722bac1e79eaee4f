//! Open folders and their entries, reached without long paths.
//!
//! A folder is opened relative to an open ancestor, so that trees deeper than the longest path of the system are
//! walked completely. An ancestor is kept open only where the path from the one before becomes long: the number of
//! open folders does not grow with the tree.

use pensieve_isolate::files::problem;
use pensieve_isolate::platform::{Errno, FileStat, OpenFolder, stat_open};
use pensieve_text::model::{FileType, Problem, ProblemKind};
use std::ffi::{CStr, CString};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// Bytes of the path from an open ancestor; a folder with a longer one is kept open itself. A name has at most 255
/// bytes.
const MAX_RELATIVE_BYTES: usize = 2048;

/// An open folder.
#[derive(Debug)]
pub(super) struct Folder {
    open: OpenFolder,
    /// Its path relative to the scanned folder, with a slash at the end; empty for the scanned folder itself.
    prefix: Vec<u8>,
    /// The ancestor relative to which its folders are opened; `None` for this folder itself.
    anchor: Option<Arc<Folder>>,
}

/// A folder that is not open: its path, and the open ancestor relative to which it is opened.
#[derive(Debug, Clone)]
pub(super) struct FolderLocation {
    anchor: Arc<Folder>,
    /// Relative to the scanned folder, without a slash at the end.
    pub path: Vec<u8>,
}

impl Folder {
    /// Opens the folder to be scanned, also through a symlink.
    pub fn root(path: &Path) -> Result<Arc<Folder>, Errno> {
        let open = OpenFolder::open(path)?;
        Ok(Arc::new(Folder { open, prefix: Vec::new(), anchor: None }))
    }

    /// The path with which the paths of its entries begin.
    pub fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// Reads its listing: each name, and its type if the listing has it.
    pub fn read_names(&self, each: &mut dyn FnMut(&CStr, Option<FileType>)) -> Result<(), Errno> {
        self.open.read_names(each)
    }

    /// The type and metadata of an entry, of a symlink itself.
    pub fn stat_entry(&self, name: &CStr) -> Result<(FileType, FileStat), Errno> {
        self.open.stat_entry(name, false)
    }

    /// True if it has an entry of that name, of any type.
    pub fn has(&self, name: &CStr) -> bool {
        self.stat_entry(name).is_ok()
    }

    /// The name of its file system if that contains no documents, but the state of the running system.
    pub fn synthetic_file_system(&self) -> Option<&'static str> {
        self.open.synthetic_file_system()
    }

    /// Device and inode.
    pub fn identity(&self) -> Result<(u64, u64), Errno> {
        self.open.stat().map(|stat| stat.identity())
    }

    /// The location of the entry with this path.
    pub fn place(self: &Arc<Folder>, path: Vec<u8>) -> FolderLocation {
        FolderLocation { anchor: Arc::clone(self.anchor.as_ref().unwrap_or(self)), path }
    }
}

impl FolderLocation {
    /// Opens the folder at this location, with no symlink on the way.
    pub fn open(&self) -> Result<Arc<Folder>, Errno> {
        let below = self.below();
        let open = self.anchor.open.folder_beneath(below)?;
        let anchor = (below.len() <= MAX_RELATIVE_BYTES).then(|| Arc::clone(&self.anchor));
        Ok(Arc::new(Folder { open, prefix: self.prefix(), anchor }))
    }

    /// Opens the folder to which the symlink at this location leads. Folders below it are opened relative to it.
    pub fn follow(&self) -> Result<Arc<Folder>, Errno> {
        let open = self.anchor.open.folder_through_links(self.below())?;
        Ok(Arc::new(Folder { open, prefix: self.prefix(), anchor: None }))
    }

    fn below(&self) -> &[u8] {
        &self.path[self.anchor.prefix.len()..]
    }

    fn prefix(&self) -> Vec<u8> {
        [&self.path[..], b"/"].concat()
    }
}

/// Names of entries, one after the other in one buffer.
#[derive(Debug, Default)]
pub(super) struct NameBuffer {
    bytes: Vec<u8>,
    /// The end of each name (after its NUL), and its type if the listing has it.
    ends: Vec<(usize, Option<FileType>)>,
}

impl NameBuffer {
    /// Adds a name.
    pub fn push(&mut self, name: &CStr, file_type: Option<FileType>) {
        self.bytes.extend_from_slice(name.to_bytes_with_nul());
        self.ends.push((self.bytes.len(), file_type));
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Removes all names.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Every name, in the order of the listing.
    pub fn iter(&self) -> impl Iterator<Item = (&CStr, Option<FileType>)> {
        let mut start = 0;
        self.ends.iter().map(move |(end, file_type)| {
            let name = &self.bytes[std::mem::replace(&mut start, *end)..*end];
            (CStr::from_bytes_with_nul(name).expect("names were pushed with their NUL"), *file_type)
        })
    }

    /// True if the name is among them.
    pub fn contains(&self, name: &[u8]) -> bool {
        self.iter().any(|(other, _)| other.to_bytes() == name)
    }
}

/// The bytes of a small regular file of a folder; `None` if there is none. A symlink is not followed, as in git, and
/// only a regular file is read.
pub(super) fn read_small(folder: &Folder, name: &CStr, largest: u64) -> Result<Option<Vec<u8>>, Problem> {
    let file = match folder.open.open_entry(name) {
        Ok(file) => file,
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO) => return Ok(None),
        Err(error) => return Err(problem(error, "ignore rules cannot be read")),
    };
    let unreadable = |error| problem(error, "ignore rules cannot be read");
    let (file_type, stat) = stat_open(&file).map_err(unreadable)?;
    if file_type != FileType::File {
        return Ok(None);
    }
    if stat.size > largest {
        let message = format!("ignore rules are not read: more than {largest} bytes");
        return Err(Problem::new(ProblemKind::SizeLimit, message));
    }
    let mut bytes = Vec::with_capacity(stat.size as usize);
    let read = file.take(largest).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(Errno::from_io_error(&error).unwrap_or(Errno::IO)))?;
    Ok(Some(bytes))
}

/// The target of a symlink, as written there.
pub(super) fn read_link(folder: &Folder, name: &CStr) -> Result<CString, Errno> {
    folder.open.read_link(name)
}

/// The type and metadata of the target of a symlink.
pub(super) fn stat_target(folder: &Folder, name: &CStr) -> Result<(FileType, FileStat), Errno> {
    folder.open.stat_entry(name, true)
}
