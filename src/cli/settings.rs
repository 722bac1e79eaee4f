//! From a configuration to the options of each part of the program.

use super::Failure;
use crate::config::{Config, ConfigError, OcrConfig};
use crate::embedding::{ApiKey, EmbeddingSettings, Endpoint};
use crate::ingest::{ConverterLimits, IngestSettings, PinnedSettings};
use crate::scan::ScanOptions;
use pensieve_readers::ocr::OcrSettings;
use pensieve_readers::settings::PdfOptions;
use pensieve_text::chunk::ChunkOptions;
use pensieve_text::text::clean::CleanOptions;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The settings of a run over a folder and a database.
pub fn work(config: &Config, root: &Path, database: &Path) -> IngestSettings {
    IngestSettings {
        root: root.to_owned(),
        database: database.to_owned(),
        scan: scan(config),
        check: config.scan.check,
        svg: config.scan.svg,
        archives: config.scan.archives,
        secrets: config.scan.secrets,
        hidden_text: config.scan.hidden_text,
        html: config.html.clone(),
        office: config.office.clone(),
        pdf: pdf(config),
        clean: clean(config),
        review: config.review.clone(),
        chunk: chunk(config),
        tokenizer: config.tokenizer_model.clone(),
        pinned: pinned(config),
        converters: converters(config),
        ocr: ocr(config),
        limits: ConverterLimits {
            timeout: Duration::from_secs(config.converter_limits.timeout_seconds),
            memory: config.converter_limits.memory,
            output: config.converter_limits.output,
        },
        threads: config.thread_count,
        max_memory: config.max_memory,
        isolation: true,
        worker: Vec::new(),
        keep_raw: config.store.keeps("raw"),
        fts: config.store.fts,
        journal_runs: config.store.journal,
        repetition: config.repetition,
        list: None,
        wait: Duration::ZERO,
        dry_run: false,
        force: false,
        allow_mass_deletion: false,
        retry_costly: true,
        moved_from: None,
        order: None,
    }
}

/// The options of the scan.
pub fn scan(config: &Config) -> ScanOptions {
    let scan = &config.scan;
    ScanOptions {
        hidden: scan.hidden,
        follow_symlinks: scan.follow_symlinks,
        ignore_files: scan.ignore_files,
        max_size: Some(scan.max_file_size).filter(|size| *size > 0),
        include: scan.include.clone(),
        exclude: scan.exclude.clone(),
        tool_folders: scan.tool_folders.clone(),
        listed: None,
        threads: config.thread_count,
    }
}

/// The options of the PDF reader.
pub fn pdf(config: &Config) -> PdfOptions {
    let layout = &config.pdf.layout;
    PdfOptions {
        passwords: config.pdf.passwords.clone(),
        layout: layout.enabled,
        thresholds: layout.thresholds.clone(),
    }
}

/// The options of the chunker.
pub fn chunk(config: &Config) -> ChunkOptions {
    ChunkOptions {
        size: config.chunk_size,
        overlap: config.chunk_overlap,
        strategy: config.chunking_strategy,
        windows: config.pdf.layout.windows,
    }
}

fn clean(config: &Config) -> CleanOptions {
    let clean = &config.clean;
    CleanOptions {
        version: clean.version,
        page_markers: clean.page_markers,
        rules: clean.rule_set(),
        form: clean.unicode,
        max_blank_lines: clean.max_blank_lines,
        gutenberg: clean.gutenberg,
    }
}

/// Which values replace those that the database remembers.
fn pinned(config: &Config) -> PinnedSettings {
    PinnedSettings {
        tokenizer: config.is_chosen("tokenizer_model"),
        chunk_size: config.is_chosen("chunk_size"),
        chunk_overlap: config.is_chosen("chunk_overlap"),
        clean_version: config.is_chosen("clean.version"),
    }
}

/// The converters that the user chose.
pub fn converters(config: &Config) -> BTreeMap<String, String> {
    config
        .converters
        .iter()
        .filter(|(_, converter)| converter.at.is_chosen())
        .map(|(extension, converter)| (extension.clone(), converter.command.clone()))
        .collect()
}

/// The programs that recognise text, if there are any.
pub fn ocr(config: &Config) -> Option<OcrSettings> {
    let OcrConfig { command, render, lang, dpi } = config.ocr.clone();
    Some(OcrSettings { command, render, lang, dpi }).filter(|ocr| !ocr.command.is_empty())
}

/// The service that makes vectors. Its key is read from the environment.
///
/// # Errors
/// No service is configured, its address cannot be used, or its key is not in the environment.
pub fn embedding(config: &Config) -> Result<EmbeddingSettings, Failure> {
    let embedding = &config.embedding;
    let fault = |key: &'static str, fault: String| ConfigError::Embedding {
        at: config.origin(key).clone(),
        key,
        fault,
    };
    for (key, value) in [("embedding.endpoint", &embedding.endpoint), ("embedding.model", &embedding.model)] {
        if value.trim().is_empty() {
            return Err(fault(key, "is empty".to_owned()).into());
        }
    }
    let endpoint = Endpoint::parse(embedding.endpoint.trim())
        .map_err(|error| fault("embedding.endpoint", error.to_string()))?;
    let key = api_key(&embedding.api_key_env).map_err(|error| fault("embedding.api_key_env", error))?;
    Ok(EmbeddingSettings {
        endpoint,
        model: embedding.model.trim().to_owned(),
        dimensions: Some(embedding.dimensions).filter(|dimensions| *dimensions > 0),
        key,
        format: embedding.format,
        prefix_document: embedding.prefix_document.clone(),
        prefix_query: embedding.prefix_query.clone(),
        batch: embedding.batch,
        concurrency: embedding.concurrency,
        max_tokens_per_minute: Some(embedding.max_tokens_per_minute).filter(|limit| *limit > 0),
        timeout: Duration::from_secs(embedding.timeout),
        retries: embedding.retries,
        price_per_million: embedding.price_per_million,
        keep_orphans: embedding.keep_orphans,
    })
}

/// The key in an environment variable; none if no variable is named.
fn api_key(variable: &str) -> Result<Option<ApiKey>, String> {
    if variable.is_empty() {
        return Ok(None);
    }
    let value = std::env::var(variable).unwrap_or_default();
    match ApiKey::new(&value) {
        Some(key) => Ok(Some(key)),
        None => Err(format!("names `{variable}`, which the environment does not have")),
    }
}
