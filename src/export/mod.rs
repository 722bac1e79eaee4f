//! The chunks of a corpus as Parquet files: the same corpus gives the same bytes.
//!
//! [`write_parquet`] passes the rows of the database to parts of a bounded size; [`row_group`] holds as many rows as one
//! group has, [`columns`] names and types them, [`folder`] lets the files appear together when all of them are complete.
//!
//! [`ArrowRows`] gives the rows of a worker as batches of a stream of Arrow.

mod arrow_batch;
mod arrow_rows;
mod columns;
mod flatbuffer;
mod folder;
mod parts;
mod row_group;
mod table_file;
mod unrepeated;

pub use arrow_rows::{ARROW_END, ArrowRows, arrow_start};
pub use parts::{ChooseRow, ParquetOptions, ParquetSummary, write_parquet};
pub(crate) use table_file::write_table;
pub use unrepeated::{LeftOut, RepeatCutter};

use pensieve_store::exit::command_error;
use pensieve_store::store::StoreError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why an export was not written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder has something that no export wrote.
    #[error("`{}` is not of an earlier export", path.display())]
    Occupied {
        /// What is there.
        path: PathBuf,
    },
    /// Another export writes into the folder.
    #[error("another export writes into `{}`", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A file or folder that cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The user stopped it.
    #[error("interrupted: nothing was written")]
    Interrupted,
}

command_error! { ExportError passes Store {
    Occupied => Usage, "it was left untouched; give --out a folder that is new, empty or of an earlier export";
    Busy => Input, "wait until it has ended, or give --out another folder";
    Unwritable => Input;
    Interrupted => Interrupted;
} }
