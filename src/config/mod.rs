//! The configuration: every setting with its value and the place where that was written.
//!
//! Layers are read one over the other: `default.toml`, which is compiled in and the only home of defaults; the user's
//! file; the project's file; the environment; flags. What is misspelt, of the wrong type or contradictory is
//! refused with its place. Nothing here looks at the process: the caller says where the layers are.

mod converters;
mod error;
mod keys;
mod layers;
mod nearest;
mod value;

pub use converters::{Converter, Fault};
pub use error::{ConfigError, ConverterFault, Origin};
pub use keys::{layout_key, layout_keys};
pub use layers::{Flag, Project, Sources};
pub use nearest::nearest;
pub use value::{Bytes, Kind, Value, Written, parse_size};

use crate::ingest::children_share;
use keys::Standing;
use layers::Entry;
use pensieve_text::layout::{LayoutOptions, WindowOptions};
use pensieve_text::model::AuxKind;
use pensieve_text::text::clean::{CLEAN_RULES, CleanRuleRow, CleanRuleSet, CleanVersion};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The file that is compiled in, with its comments: what `init` writes.
pub const DEFAULT: &str = include_str!("default.toml");

/// All settings.
#[derive(Debug, Clone)]
pub struct Config {
    /// The encoding by which tokens are counted.
    pub tokenizer: String,
    /// Tokens in a chunk.
    pub chunk_size: usize,
    /// Tokens that neighbouring chunks share.
    pub chunk_overlap: usize,
    /// `auto`, `recursive`, `markdown` or `paragraph`.
    pub strategy: String,
    /// Threads that read; 0 is one a core.
    pub threads: usize,
    /// Memory of the whole run in bytes.
    pub max_memory: u64,
    /// What the scan reads.
    pub scan: Scan,
    /// How pages are read.
    pub html: Html,
    /// How office documents are read.
    pub office: Office,
    /// How PDF files are read.
    pub pdf: Pdf,
    /// How text is cleaned.
    pub clean: Clean,
    /// When a text needs a look.
    pub review: Review,
    /// How `convert` cleans.
    pub rag: Rag,
    /// The converters, by extension.
    pub converters: BTreeMap<String, Converter>,
    /// What a converter may use.
    pub limits: Limits,
    /// What is stored.
    pub store: Store,
    origins: BTreeMap<String, Origin>,
}

/// What the scan reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    /// Dot files too.
    pub hidden: bool,
    /// Through symbolic links.
    pub follow_symlinks: bool,
    /// Ignore files are obeyed.
    pub ignore_files: bool,
    /// Larger files are skipped.
    pub max_file_size: Option<u64>,
    /// Patterns of which a file must match one, where there are any.
    pub include: Vec<String>,
    /// Patterns of which a file must match none.
    pub exclude: Vec<String>,
    /// `.svg` counts as text.
    pub svg: bool,
    /// `auto`, `full` or `mtime`.
    pub check: String,
}

/// How office documents are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Office {
    /// Comments of reviewers are kept.
    pub comments: bool,
    /// Headers and footers are kept.
    pub headers: bool,
}

/// How PDF files are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pdf {
    /// Passwords to try on encrypted files.
    pub passwords: Vec<String>,
    /// Running prose is told from the rest.
    pub layout: bool,
    /// By what it is told.
    pub thresholds: LayoutOptions,
    /// How its chunks are cut.
    pub windows: WindowOptions,
}

/// How pages are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Html {
    /// Into Markdown.
    pub markdown: bool,
    /// Without navigation, headers and footers.
    pub main_content: bool,
}

/// How text is cleaned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clean {
    /// The recipe.
    pub version: CleanVersion,
    /// Form feeds become `--- PAGE ---`.
    pub page_markers: bool,
    /// The rules that are on.
    pub rules: CleanRuleSet,
    /// `nfkc`, `nfc` or `none`.
    pub unicode: String,
    /// Blank lines in a row that stay.
    pub max_blank_lines: usize,
    /// Leave out what Project Gutenberg puts around a book.
    pub gutenberg: bool,
}

/// From when on a text needs a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Review {
    /// Characters that a page should have on average.
    pub min_chars_per_page: usize,
    /// Bytes of a file for each character of its text.
    pub max_bytes_per_char: usize,
    /// Replacement characters in a hundred.
    pub max_replaced_percent: usize,
    /// Parts of a hundred that cleaning may remove.
    pub max_removed_percent: usize,
}

/// How `convert` cleans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rag {
    /// `drop`, `inline` or `end`.
    pub footnotes: String,
    /// Rules that are switched off.
    pub off: Vec<String>,
    /// Own rules, as they are written.
    pub own: Vec<String>,
}

/// What one run of a converter may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Time.
    pub timeout: Duration,
    /// Memory in bytes.
    pub memory: u64,
    /// Output in bytes.
    pub output: u64,
}

/// What is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Raw text.
    pub keep_raw: bool,
    /// The full-text index.
    pub fts: bool,
}

/// Reads all layers.
///
/// Converters that cannot work are no error here, so that they can be listed: see [`Config::check_converters`].
///
/// # Errors
/// The first thing that is wrong, in the order of the layers and of the lines in a file.
pub fn load(sources: &Sources) -> Result<Config, ConfigError> {
    let mut merged = Merged::built_in();
    if let Some(path) = &sources.user {
        merged.add_all(entries_of(path)?, true)?;
    }
    match &sources.project {
        Some(Project::Named(path)) => {
            let text = layers::read_file(path)?.ok_or_else(|| ConfigError::Unreadable {
                path: path.clone(),
                source: std::io::Error::new(std::io::ErrorKind::NotFound, "no such file"),
            })?;
            merged.add_all(layers::of_file(&text, path)?, false)?;
        }
        Some(Project::Found(path)) if !is_same_file(path, sources.user.as_deref()) => {
            let entries = entries_of(path)?;
            converters::check_trust(&entries, path, &merged, sources.home.as_deref())?;
            merged.add_all(entries, false)?;
        }
        _ => {}
    }
    merged.add_all(layers::of_environment(&sources.environment)?, false)?;
    merged.add_all(layers::of_flags(&sources.flags), false)?;
    merged.into_config()
}

fn entries_of(path: &Path) -> Result<Vec<Entry>, ConfigError> {
    match layers::read_file(path)? {
        Some(text) => layers::of_file(&text, path),
        None => Ok(Vec::new()),
    }
}

fn is_same_file(path: &Path, other: Option<&Path>) -> bool {
    let canonical = |path: &Path| path.canonicalize().ok();
    canonical(path).is_some_and(|path| other.and_then(canonical) == Some(path))
}

/// The layers so far, one over the other.
struct Merged(BTreeMap<String, (Value, Origin)>);

impl Merged {
    fn built_in() -> Merged {
        let entries =
            layers::of_file(DEFAULT, Path::new("default.toml")).expect("the compiled-in file is sound");
        let mut merged = Merged(BTreeMap::new());
        for entry in entries {
            let entry = Entry { at: Origin::BuiltIn, ..entry };
            merged.add(entry, true).expect("the compiled-in file is sound");
        }
        merged
    }

    fn add_all(&mut self, entries: Vec<Entry>, user: bool) -> Result<(), ConfigError> {
        entries.into_iter().try_for_each(|entry| self.add(entry, user))
    }

    fn add(&mut self, entry: Entry, user: bool) -> Result<(), ConfigError> {
        let Entry { key, written, at } = entry;
        let Some(known) = keys::find(&key) else {
            let nearest = nearest(&key, keys::names()).unwrap_or_default().to_owned();
            return Err(ConfigError::UnknownKey { at, key, nearest });
        };
        match known.standing {
            // The empty list trusts nobody: it stands in every file that `init` has written.
            Standing::UserOnly if !user && written != Written::List(Vec::new()) => {
                return Err(ConfigError::UserOnly { at, key });
            }
            _ => {}
        }
        match known.kind.read(&written) {
            Some(value) => {
                self.0.insert(key, (value, at));
                Ok(())
            }
            None => Err(ConfigError::WrongValue { at, key, expected: known.kind, found: written }),
        }
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.0.get(key).map(|(value, _)| value)
    }

    fn flag(&self, key: &str) -> bool {
        matches!(self.value(key), Some(Value::Flag(true)))
    }

    fn number(&self, key: &str) -> u64 {
        match self.value(key) {
            Some(Value::Number(number)) => *number,
            _ => 0,
        }
    }

    fn count(&self, key: &str) -> usize {
        usize::try_from(self.number(key)).unwrap_or(usize::MAX)
    }

    fn text(&self, key: &str) -> String {
        match self.value(key) {
            Some(Value::Text(text)) => text.clone(),
            _ => String::new(),
        }
    }

    fn texts(&self, key: &str) -> Vec<String> {
        match self.value(key) {
            Some(Value::Texts(texts)) => texts.clone(),
            _ => Vec::new(),
        }
    }

    fn into_config(self) -> Result<Config, ConfigError> {
        let mut config = Config {
            tokenizer: self.text("tokenizer_model"),
            chunk_size: self.count("chunk_size"),
            chunk_overlap: self.count("chunk_overlap"),
            strategy: self.text("chunking_strategy"),
            threads: self.count("thread_count"),
            max_memory: self.number("max_memory"),
            scan: self.scan(),
            html: Html { markdown: self.flag("html.markdown"), main_content: self.flag("html.main_content") },
            office: Office { comments: self.flag("office.comments"), headers: self.flag("office.headers") },
            pdf: self.pdf(),
            clean: self.clean(),
            review: Review {
                min_chars_per_page: self.count("review.min_chars_per_page"),
                max_bytes_per_char: self.count("review.max_bytes_per_char"),
                max_replaced_percent: self.count("review.max_replaced_percent"),
                max_removed_percent: self.count("review.max_removed_percent"),
            },
            rag: Rag {
                footnotes: self.text("rag.footnotes"),
                off: self.texts("rag.off"),
                own: self.texts("rag.own"),
            },
            converters: converters::of(&self),
            limits: self.limits(),
            store: Store {
                keep_raw: self.texts("store.keep").iter().any(|text| text == "raw"),
                fts: self.flag("store.fts"),
            },
            origins: self.0.iter().map(|(key, (_, origin))| (key.clone(), origin.clone())).collect(),
        };
        if !self.texts("store.keep").iter().any(|text| text == "clean") {
            return Err(ConfigError::CleanNotKept { at: config.origin("store.keep").clone() });
        }
        config.check_cues()?;
        config.settle_overlap()?;
        config.settle_memory()?;
        Ok(config)
    }

    fn pdf(&self) -> Pdf {
        let count = |name: &str| self.count(&format!("pdf.layout.{name}"));
        Pdf {
            passwords: self.texts("pdf.passwords"),
            layout: self.flag("pdf.layout.enabled"),
            thresholds: LayoutOptions {
                furniture_pages: count("furniture_pages"),
                furniture_share: count("furniture_share"),
                furniture_band: count("furniture_band"),
                column_overlap: count("column_overlap"),
                column_width: count("column_width"),
                size_tolerance: count("size_tolerance"),
                line_height_tolerance: count("line_height_tolerance"),
                density_low: count("density_low"),
                density_high: count("density_high"),
                density_tolerance: count("density_tolerance"),
                heading_size: count("heading_size"),
                prose_share: count("prose_share"),
                box_share: count("box_share"),
                table_rows: count("table_rows"),
                cues: self.texts("pdf.layout.cues"),
            },
            windows: WindowOptions {
                window: count("window_tokens"),
                overlap: count("overlap_tokens"),
                min_overlap: count("min_overlap_tokens"),
            },
        }
    }

    fn scan(&self) -> Scan {
        Scan {
            hidden: self.flag("scan.hidden"),
            follow_symlinks: self.flag("scan.follow_symlinks"),
            ignore_files: self.flag("scan.ignore_files"),
            max_file_size: Some(self.number("scan.max_file_size")).filter(|size| *size > 0),
            include: self.texts("scan.include"),
            exclude: self.texts("scan.exclude"),
            svg: self.flag("scan.svg"),
            check: self.text("scan.check"),
        }
    }

    fn clean(&self) -> Clean {
        let is_on = |row: &CleanRuleRow| self.flag(&format!("clean.rules.{}", row.name));
        Clean {
            version: CleanVersion::from_name(&self.text("clean.version")).unwrap_or_default(),
            page_markers: self.flag("clean.page_markers"),
            rules: CLEAN_RULES
                .iter()
                .fold(CleanRuleSet::all(), |rules, row| rules.with(row.rule, is_on(row))),
            unicode: self.text("clean.unicode"),
            max_blank_lines: self.count("clean.max_blank_lines"),
            gutenberg: self.flag("clean.gutenberg"),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            timeout: Duration::from_secs(self.number("converter_limits.timeout_seconds")),
            memory: self.number("converter_limits.memory"),
            output: self.number("converter_limits.output"),
        }
    }
}

impl Config {
    /// The layer that the value of a key comes from.
    pub fn origin(&self, key: &str) -> &Origin {
        self.origins.get(key).unwrap_or(&Origin::BuiltIn)
    }

    /// True when the value of a key is not the default of nobody's choice.
    pub fn is_chosen(&self, key: &str) -> bool {
        self.origin(key).is_chosen()
    }

    /// Refuses a cue that names no subtype.
    fn check_cues(&self) -> Result<(), ConfigError> {
        let Some(cue) = self.pdf.thresholds.malformed_cue() else { return Ok(()) };
        let kinds = AuxKind::ALL.iter().filter(|kind| **kind != AuxKind::Furniture).map(|kind| kind.as_str());
        Err(ConfigError::Cue {
            at: self.origin("pdf.layout.cues").clone(),
            cue: cue.to_owned(),
            kinds: kinds.collect::<Vec<_>>().join(", "),
        })
    }

    /// Refuses an overlap of half a chunk or more; `size` may come from a database rather than from here.
    pub fn check_overlap(&self, size: usize) -> Result<(), ConfigError> {
        if self.chunk_overlap.saturating_mul(2) < size {
            return Ok(());
        }
        Err(ConfigError::Overlap {
            at: self.origin("chunk_overlap").clone(),
            overlap: self.chunk_overlap,
            size,
            size_at: self.origin("chunk_size").clone(),
        })
    }

    /// An overlap that nobody chose gives way to a chosen chunk size; a chosen one is checked as soon as both are known.
    fn settle_overlap(&mut self) -> Result<(), ConfigError> {
        if !self.is_chosen("chunk_overlap") && self.check_overlap(self.chunk_size).is_err() {
            self.chunk_overlap = self.chunk_size / 10;
        }
        match self.is_chosen("chunk_size") {
            true => self.check_overlap(self.chunk_size),
            false => Ok(()),
        }
    }

    /// A converter's limit that nobody chose gives way to a chosen memory of the run.
    fn settle_memory(&mut self) -> Result<(), ConfigError> {
        let at = self.origin("converter_limits.memory").clone();
        let share = children_share(self.max_memory);
        if !at.is_chosen() {
            self.limits.memory = self.limits.memory.min(share);
        }
        if self.limits.memory <= share {
            return Ok(());
        }
        Err(ConfigError::LimitDoesNotFit {
            at,
            memory: self.limits.memory,
            max_memory: self.max_memory,
            max_at: self.origin("max_memory").clone(),
            share,
        })
    }
}

#[cfg(test)]
mod tests;
