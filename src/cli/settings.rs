//! What a configuration means: settings of the work, part by part.

use crate::config::{Config, Pdf};
use crate::ingest::{Check, ConverterLimits, Pinned, Settings};
use crate::scan::ScanOptions;
use pensieve_readers::settings::HtmlOptions;
use pensieve_readers::settings::{OfficeOptions, PdfOptions};
use pensieve_text::chunk::{ChunkOptions, StrategyChoice};
use pensieve_text::text::clean::CleanOptions;
use pensieve_text::text::normalize::UnicodeForm;
use pensieve_text::text::review::ReviewOptions;
use std::collections::BTreeMap;
use std::path::Path;

/// What is said about the work on a folder and a database.
pub fn work(config: &Config, root: &Path, database: &Path) -> Settings {
    Settings {
        root: root.to_owned(),
        database: database.to_owned(),
        scan: scan(config),
        check: match config.scan.check.as_str() {
            "full" => Check::Full,
            "mtime" => Check::Mtime,
            _ => Check::Auto,
        },
        svg: config.scan.svg,
        html: HtmlOptions { markdown: config.html.markdown, main_content: config.html.main_content },
        office: OfficeOptions { comments: config.office.comments, headers: config.office.headers },
        pdf: pdf(config),
        clean: clean(config),
        review: review(config),
        chunk: chunk(config),
        tokenizer: config.tokenizer.clone(),
        pinned: pinned(config),
        converters: converters(config),
        limits: ConverterLimits {
            timeout: config.limits.timeout,
            memory: config.limits.memory,
            output: config.limits.output,
        },
        threads: config.threads,
        max_memory: config.max_memory,
        isolation: true,
        worker: Vec::new(),
        keep_raw: config.store.keep_raw,
        fts: config.store.fts,
        dry_run: false,
        force: false,
        moved_from: None,
        order: None,
    }
}

/// What is said about the scan of a folder.
pub fn scan(config: &Config) -> ScanOptions {
    let scan = &config.scan;
    ScanOptions {
        hidden: scan.hidden,
        follow_symlinks: scan.follow_symlinks,
        ignore_files: scan.ignore_files,
        max_size: scan.max_file_size,
        include: scan.include.clone(),
        exclude: scan.exclude.clone(),
        threads: config.threads,
    }
}

/// What is said about PDF files.
pub fn pdf(config: &Config) -> PdfOptions {
    let Pdf { passwords, layout, thresholds, .. } = config.pdf.clone();
    PdfOptions { passwords, layout, thresholds }
}

/// What is said about chunks.
pub fn chunk(config: &Config) -> ChunkOptions {
    ChunkOptions {
        size: config.chunk_size,
        overlap: config.chunk_overlap,
        strategy: match config.strategy.as_str() {
            "recursive" => StrategyChoice::Recursive,
            "markdown" => StrategyChoice::Markdown,
            "paragraph" => StrategyChoice::Paragraph,
            _ => StrategyChoice::Auto,
        },
        windows: config.pdf.windows,
    }
}

fn clean(config: &Config) -> CleanOptions {
    let clean = &config.clean;
    CleanOptions {
        version: clean.version,
        page_markers: clean.page_markers,
        rules: clean.rules,
        form: match clean.unicode.as_str() {
            "nfc" => UnicodeForm::Nfc,
            "none" => UnicodeForm::None,
            _ => UnicodeForm::Nfkc,
        },
        max_blank_lines: clean.max_blank_lines,
        gutenberg: clean.gutenberg,
    }
}

fn review(config: &Config) -> ReviewOptions {
    ReviewOptions {
        min_chars_per_page: config.review.min_chars_per_page,
        max_bytes_per_char: config.review.max_bytes_per_char,
        max_replaced_percent: config.review.max_replaced_percent,
        max_removed_percent: config.review.max_removed_percent,
    }
}

/// What a database that has other values of its own must take over.
fn pinned(config: &Config) -> Pinned {
    Pinned {
        tokenizer: config.is_chosen("tokenizer_model"),
        chunk_size: config.is_chosen("chunk_size"),
        chunk_overlap: config.is_chosen("chunk_overlap"),
        clean_version: config.is_chosen("clean.version"),
    }
}

/// The converters that somebody chose.
pub fn converters(config: &Config) -> BTreeMap<String, String> {
    config
        .converters
        .iter()
        .filter(|(_, converter)| converter.at.is_chosen())
        .map(|(extension, converter)| (extension.clone(), converter.command.clone()))
        .collect()
}
