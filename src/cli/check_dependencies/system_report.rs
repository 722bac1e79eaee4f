//! What bounds a run on this machine: the database's library, memory and programs at once, limits of the system.

use crate::config::{ByteSize, Config};
use crate::ingest::{ConverterLimits, children_share, workers};
use pensieve_isolate::platform::open_file_limit;
use pensieve_store::store::sqlite_version;
use pensieve_text::model::numbers::{count, counted};
use serde::Serialize;
use std::fmt;

/// Versions and limits, as `check-dependencies` shows them. Sizes are bytes.
#[derive(Debug, Serialize)]
pub struct SystemReport {
    /// The version of SQLite, which is part of the program.
    sqlite: &'static str,
    run: RunLimits,
    converter: ConverterLimits,
    system: SystemLimits,
}

/// What a run may use.
#[derive(Debug, Serialize)]
struct RunLimits {
    threads: usize,
    max_memory: u64,
    /// The part that readers and converters have together.
    children_memory: u64,
    /// Readers in processes of their own, at once.
    workers: usize,
    worker_memory: u64,
}

/// What the system permits; `None` where that is not known.
#[derive(Debug, Serialize)]
struct SystemLimits {
    open_files: Option<u64>,
    /// Folders that `watch` may watch.
    watched_folders: Option<u64>,
}

impl SystemReport {
    /// The limits with this configuration.
    pub fn of(config: &Config) -> SystemReport {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if config.thread_count == 0 { cores() } else { config.thread_count };
        let (workers, worker_memory) = workers(config.max_memory, threads);
        SystemReport {
            sqlite: sqlite_version(),
            run: RunLimits {
                threads,
                max_memory: config.max_memory,
                children_memory: children_share(config.max_memory),
                workers,
                worker_memory,
            },
            converter: config.converter_limits.clone(),
            system: SystemLimits {
                open_files: open_file_limit(),
                watched_folders: number_in("/proc/sys/fs/inotify/max_user_watches"),
            },
        }
    }
}

fn number_in(file: &str) -> Option<u64> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

impl fmt::Display for SystemReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SystemReport { sqlite, run, converter, system } = self;
        writeln!(f, "SQLite {sqlite}, built in")?;
        writeln!(
            f,
            "A run: {}, {} (max_memory), of which readers and converters have {}",
            counted(run.threads as u64, "thread"),
            ByteSize(run.max_memory),
            ByteSize(run.children_memory),
        )?;
        writeln!(
            f,
            "A reader: {}; {} at once. A converter: {}, {} s, {} of output (converter_limits)",
            ByteSize(run.worker_memory),
            run.workers,
            ByteSize(converter.memory),
            converter.timeout_seconds,
            ByteSize(converter.output),
        )?;
        let unlimited = |limit: Option<u64>| limit.map_or_else(|| "any number of".to_owned(), count);
        write!(f, "The system: {} open files (ulimit -n)", unlimited(system.open_files))?;
        if let Some(folders) = system.watched_folders {
            write!(f, ", {} watched folders (fs.inotify.max_user_watches)", count(folders))?;
        }
        writeln!(f)
    }
}
