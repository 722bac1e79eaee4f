//! The one SQLite file: what a scan found, the rows of documents and chunks, search, citations, and the proof that all of it
//! holds.
//!
//! All SQL of Pensieve is here, and everything that answers from a database. What writes documents into one, a run, is above
//! this crate; the readers below it know no database.
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.
//!
//! - [`exit`]: how a command ends, and what its errors have to say.
//! - [`scan`]: every entry below a folder, and the hash of a file's bytes.
//! - [`store`]: the database.
//! - [`verify`]: the laws of a corpus, proved.
//! - [`repetition`]: which passages and documents repeat earlier ones.
//! - [`embedding`]: vectors of chunks and of questions, from a service.
//! - [`retrieval`]: citations, and context for language models.

#![forbid(unsafe_code)]

pub mod exit;
pub mod scan;
pub mod store;
pub mod verify;
pub mod repetition;
pub mod embedding;
pub mod retrieval;
