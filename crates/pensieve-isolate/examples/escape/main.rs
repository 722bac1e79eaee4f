//! A program that means harm, for tests of the sandbox: it plays a converter (`escape INPUT`) and a worker (`escape
//! --worker`) and tries to get out. The document names the attempt in its first line, and what to aim at in the others
//! (`KEY=VALUE`). It reports `OUT: ...` if the attempt worked and `refused: ...` if it did not.
//!
//! As a worker it confines itself exactly as the real one does, and attacks from inside the reader.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a program for tests")]

mod calls;
mod files;
mod network;
mod processes;
mod resources;

use pensieve_isolate::worker::serve_sealed_with;
use pensieve_readers::event::ReaderEvent;
use pensieve_text::model::{Document, Segment};
use std::collections::BTreeMap;
use std::io::Read;

/// What came of an attempt: what got out, or the error of the system.
pub type Attempt = Result<String, i32>;

/// What to aim at, by name.
pub type Aims = BTreeMap<String, String>;

/// Attempts with their names.
pub type NamedAttempts = &'static [(&'static str, fn(&Aims) -> Attempt)];

/// Every attempt with its name.
const GROUPS: &[NamedAttempts] =
    &[files::ATTEMPTS, processes::ATTEMPTS, network::ATTEMPTS, calls::ATTEMPTS, resources::ATTEMPTS];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("--version") => println!("escape 1.0"),
        Some("--list") => {
            GROUPS.iter().flat_map(|group| group.iter()).for_each(|(name, _)| println!("{name}"))
        }
        Some("--worker") => serve_sealed_with(&|_, mut file, on_event| {
            let mut order = String::new();
            file.read_to_string(&mut order).unwrap();
            let text = Segment { text: attempt(&order), ..Segment::default() };
            on_event(ReaderEvent::Document(Box::new(Document { text, ..Document::default() })));
        })
        .unwrap(),
        Some("--without-landlock") => resources::without_landlock(&words[1..]),
        Some("--terminal") => resources::within_terminal(&words[1..]),
        _ => println!("{}", attempt(&std::fs::read_to_string(words.last().unwrap()).unwrap())),
    }
}

fn attempt(order: &str) -> String {
    // Pages come as HTML, logs as plain text.
    let order = order.trim().trim_start_matches("<!-- ").trim_end_matches(" -->");
    let mut lines = order.lines().map(str::trim);
    let name = lines.next().unwrap_or_default();
    let aims =
        lines.filter_map(|line| line.split_once('=')).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let known = GROUPS.iter().flat_map(|group| group.iter()).find(|(known, _)| *known == name);
    match known.unwrap_or_else(|| panic!("no attempt is named {name:?}")).1(&aims) {
        Ok(what) => format!("OUT: {what}"),
        Err(number) => format!("refused: {}", std::io::Error::from_raw_os_error(number)),
    }
}

/// The error of the last system call.
pub fn errno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or_default()
}

/// The answer of a system call that returns -1 if it fails.
pub fn answer(result: i64, what: &str) -> Attempt {
    if result < 0 { Err(errno()) } else { Ok(what.to_owned()) }
}

/// A system call with numbers or pointers.
macro_rules! call {
    ($number:expr $(, $argument:expr)*) => {
        // SAFETY: the arguments are numbers, or point at memory that lives until the call returns.
        unsafe { libc::syscall($number $(, $argument)*) }
    };
}
pub(crate) use call;

/// A path for a system call.
pub fn path(text: &str) -> std::ffi::CString {
    std::ffi::CString::new(text).unwrap()
}
