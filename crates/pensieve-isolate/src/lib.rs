//! Readers and converters in processes of their own: what a document takes over reaches nothing.
//!
//! Only a process can be killed, so structured formats are read in [`worker`] processes with limits on time, memory and
//! output, which close themselves before they read. Outside programs run through [`process`], in a sandbox where the
//! kernel has one; [`converter`] and [`ocr`] use them, and [`selection`] decides which document goes to one.
//! [`platform`] has the calls of each system, and with them all unsafe code; [`files`] opens files with them.
//!
//! The crate knows the readers, and they do not know it: no reader can reach a file, a process or the sandbox.
//!
//! The modules are listed bottom-up, and a module names only modules above it in this list; a test proves that.

mod limits;
pub mod platform;
pub mod files;
pub mod process;
pub mod converter;
pub mod ocr;
pub mod selection;
pub mod worker;
