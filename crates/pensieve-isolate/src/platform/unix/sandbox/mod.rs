//! The sandbox of Linux, with Landlock and seccomp.
//!
//! [`Sandbox`] confines a program that is launched: a converter, or a worker before it starts. [`seal_process`] closes
//! a worker completely, from inside, before it reads a document. [`calls`] is the table of what a converter may not do,
//! [`readable`] decides which files it may read.

mod calls;
mod filters;
mod launch;
mod readable;
mod seal;

pub(crate) use launch::Sandbox;
pub use launch::sandbox_level;
pub use seal::seal_process;
