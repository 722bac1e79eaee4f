//! From a configuration to the options of each part of the program.

use super::failure::Failure;
use crate::config::{Config, ConfigError};
use crate::ingest::{IngestSettings, PinnedSettings};
use pensieve_isolate::ocr::OcrSettings;
use pensieve_readers::settings::PdfOptions;
use pensieve_store::embedding::{ApiKey, EmbeddingSettings};
use pensieve_store::scan::ScanOptions;
use pensieve_text::chunk::ChunkOptions;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The settings of a run over a folder and a database.
pub fn work(config: &Config, root: &Path, database: &Path) -> IngestSettings {
    IngestSettings {
        root: root.to_owned(),
        database: database.to_owned(),
        scan: scan(config),
        html: config.html.clone(),
        office: config.office.clone(),
        pdf: pdf(config),
        clean: config.clean.clone(),
        review: config.review.clone(),
        chunk: chunk(config),
        tokenizer: config.tokenizer_model.clone(),
        pinned: pinned(config),
        converters: converters(config),
        ocr: ocr(config),
        limits: config.converter_limits.clone(),
        threads: config.thread_count,
        max_memory: config.max_memory,
        isolation: true,
        worker: Vec::new(),
        store: config.store.clone(),
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
    ScanOptions { threads: config.thread_count, ..config.scan.clone() }
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
    Some(config.ocr.clone()).filter(|ocr| !ocr.command.is_empty())
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
    let is_empty = [
        ("embedding.endpoint", embedding.endpoint.is_empty()),
        ("embedding.model", embedding.model.trim().is_empty()),
    ];
    if let Some((key, _)) = is_empty.into_iter().find(|(_, is_empty)| *is_empty) {
        return Err(fault(key, "is empty".to_owned()).into());
    }
    let key = api_key(&embedding.api_key_env).map_err(|error| fault("embedding.api_key_env", error))?;
    Ok(EmbeddingSettings { model: embedding.model.trim().to_owned(), key, ..embedding.clone() })
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
