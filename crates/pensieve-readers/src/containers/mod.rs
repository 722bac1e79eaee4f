//! Archives and packed files: every file in them becomes a document of its own; the archive has no text.
//!
//! A reader walks over the entries of its archive ([`zip`], [`tar`], [`packed`]) and passes them to [`entries`], which
//! names them, holds the small ones in memory and emits them one by one. Text that is too large to be held is read as
//! a stream in a second walk, because a document begins with its hash. Nothing is written to disk: the name of an
//! entry is a name, never a path that is opened.

#[cfg(test)]
mod testing;
mod entries;
mod names;
pub mod packed;
pub mod tar;
pub mod zip;
