//! The one file: its lock, schema and connections, a [`Store`](open::Store) over it, and what is said of it as a whole in the
//! tables of roots, runs, facts and changes.

pub(super) mod changed_files;
pub(super) mod checkpointer;
pub(super) mod connection;
pub(super) mod error;
pub(super) mod journal;
pub(super) mod lock;
pub(super) mod meta;
pub(super) mod open;
pub(super) mod roots;
pub(super) mod runs;
pub(super) mod schema;
pub(super) mod serving;
