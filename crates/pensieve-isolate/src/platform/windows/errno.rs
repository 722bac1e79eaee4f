//! [`Errno`]: errors of Windows under the names that the rest of the program knows.

use std::fmt;
use std::io;

/// An error of the system, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Errno(i32);

impl Errno {
    /// Nothing is there.
    pub const NOENT: Errno = Errno(2);
    /// Too many files are open.
    pub const MFILE: Errno = Errno(4);
    /// Access is denied.
    pub const ACCESS: Errno = Errno(5);
    /// There is not enough memory.
    pub const NOMEM: Errno = Errno(8);
    /// The path leads out of the folder.
    pub const XDEV: Errno = Errno(17);
    /// The device does not exist.
    pub const NXIO: Errno = Errno(55);
    /// The connection to a file server is gone.
    pub const STALE: Errno = Errno(64);
    /// The disk is full.
    pub const NOSPC: Errno = Errno(112);
    /// The system cannot do that.
    pub const NOSYS: Errno = Errno(120);
    /// The path is too long.
    pub const NAMETOOLONG: Errno = Errno(206);
    /// It is no folder.
    pub const NOTDIR: Errno = Errno(267);
    /// A device failed.
    pub const IO: Errno = Errno(1117);
    /// A privilege is missing.
    pub const PERM: Errno = Errno(1314);
    /// The system has no more resources.
    pub const NFILE: Errno = Errno(1450);
    /// A symlink is on the way.
    pub const LOOP: Errno = Errno(1921);

    /// The number of an error, if it has one.
    pub fn from_io_error(error: &io::Error) -> Option<Errno> {
        error.raw_os_error().map(|code| match code {
            // A folder above it is missing, or the name cannot exist.
            3 | 123 | 161 => Errno::NOENT,
            14 => Errno::NOMEM,
            111 => Errno::NAMETOOLONG,
            code => Errno(code),
        })
    }
}

impl From<io::Error> for Errno {
    fn from(error: io::Error) -> Errno {
        Errno::from_io_error(&error).unwrap_or(Errno::IO)
    }
}

impl From<Errno> for io::Error {
    fn from(error: Errno) -> io::Error {
        io::Error::from_raw_os_error(error.0)
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        io::Error::from(*self).fmt(f)
    }
}

impl std::error::Error for Errno {}
