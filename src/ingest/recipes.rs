//! How a file becomes chunks: its reader, its kind of white space, its chunking strategy, and for each stage the
//! settings that the result depends on.

use super::settings::{IngestError, IngestSettings};
use super::text_profile::TextProfile;
use super::timings::StageTimings;
use pensieve_isolate::converter;
use pensieve_isolate::files;
use pensieve_isolate::files::FileStat;
use pensieve_isolate::ocr::{OcrEngine, OcrSettings};
use pensieve_isolate::selection::{Converter, Converters, SelectedReader};
use pensieve_readers::plain_text;
use pensieve_readers::registry::reader_of;
use pensieve_readers::registry::{no_reader_message, reads_as_text};
use pensieve_readers::settings::{OcrPass, ReadSettings};
use pensieve_store::scan::{ScanOptions, stored_path};
use pensieve_store::store::{CorpusSettings, FileState, Recipes, Store, StoredSettings, TaskKind};
use pensieve_text::chunk::{ChunkOptions, StrategyChoice, strategy_for};
use pensieve_text::format::{self, Format, SniffOptions, SniffResult, SniffVerdict, sniff};
use pensieve_text::layout::WindowOptions;
use pensieve_text::model::{ChunkStrategy, ContentHash, ProcessingStatus, RecipeLine, TextKind, recipe_text};
use pensieve_text::text::clean::{CleanOptions, CleanVersion};
use pensieve_text::text::review::ReviewOptions;
use pensieve_text::text::tokens::Tokenizer;
use std::collections::{BTreeMap, BTreeSet};

/// Increased when all text, the cleaner or a chunker gives other results for the same input. Each reader of a format has
/// an edition of its own.
const EXTRACT_EDITION: u32 = 2;
const CLEAN_EDITION: u32 = 6;
const CHUNK_EDITION: u32 = 8;

/// Increased when files that are no documents become documents.
const SNIFF_EDITION: u32 = 4;

/// Why a file is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SkipReason {
    /// The status of its row.
    pub status: ProcessingStatus,
    /// The reason in words.
    pub reason: String,
}

/// A stored settings hash, stage by stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StageHashes {
    extract: u64,
    clean: u64,
    chunk: u64,
}

/// The stages that must be redone for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedoStage {
    Nothing,
    Chunk,
    Clean,
    Read,
}

impl StageHashes {
    /// The stored form.
    pub fn to_text(self) -> String {
        format!("{:016x}.{:016x}.{:016x}", self.extract, self.clean, self.chunk)
    }

    fn parse(text: &str) -> Option<StageHashes> {
        let mut parts = text.split('.').map(|part| u64::from_str_radix(part, 16));
        let mut next = || parts.next()?.ok();
        Some(StageHashes { extract: next()?, clean: next()?, chunk: next()? })
    }

    /// The hashes that a redo of `kind` gives: earlier stages keep those stored for the file and for the recalled
    /// text.
    pub fn reached(self, kind: &TaskKind, stored: Option<&str>, text: Option<&str>) -> StageHashes {
        match (kind, stored.and_then(StageHashes::parse)) {
            (TaskKind::Chunk, Some(old)) => StageHashes { chunk: self.chunk, ..old },
            (TaskKind::Recall { .. }, Some(old)) => {
                let clean = text.and_then(StageHashes::parse).map_or(old.clean, |text| text.clean);
                StageHashes { extract: old.extract, clean, chunk: self.chunk }
            }
            (TaskKind::Clean { .. }, Some(old)) => StageHashes { extract: old.extract, ..self },
            _ => self,
        }
    }

    /// True when text stored with these settings was cleaned as it would be now.
    pub fn cleans_alike(self, stored: Option<&str>) -> bool {
        stored.and_then(StageHashes::parse).is_some_and(|old| old.clean == self.clean)
    }

    /// True when text stored with these settings was cut differently.
    pub fn cuts_otherwise(self, stored: Option<&str>) -> bool {
        stored.and_then(StageHashes::parse).is_some_and(|old| old.chunk != self.chunk)
    }

    /// The first stage whose stored hash differs from this one; results without text depend only on the first stage.
    pub fn redo(self, stored: Option<&str>, has_text: bool) -> RedoStage {
        match stored.and_then(StageHashes::parse) {
            None => RedoStage::Read,
            Some(old) if old.extract != self.extract => RedoStage::Read,
            Some(_) if !has_text => RedoStage::Nothing,
            Some(old) if old.clean != self.clean => RedoStage::Clean,
            Some(old) if old.chunk != self.chunk => RedoStage::Chunk,
            Some(_) => RedoStage::Nothing,
        }
    }
}

/// Contains every recipe of a run.
pub(super) struct StageRecipes<'s> {
    settings: &'s IngestSettings,
    tools: Converters,
    /// Times of the stages.
    pub timings: StageTimings,
    /// Options for cleaning, with the version of the corpus.
    pub clean: CleanOptions,
    /// Ceiling, overlap and strategy.
    pub chunk: ChunkOptions,
    /// The tokenizer of the corpus.
    pub tokenizer: &'static Tokenizer,
    /// The extensions with a converter.
    converted: Vec<String>,
    reading: ReadSettings,
}

impl<'s> StageRecipes<'s> {
    /// Parses templates and looks up the tokenizer.
    ///
    /// # Errors
    /// An unknown encoding, an invalid template, or limits that do not fit into memory.
    pub fn new(
        settings: &'s IngestSettings,
        corpus: &CorpusSettings,
    ) -> Result<StageRecipes<'s>, IngestError> {
        let tokenizer =
            Tokenizer::named(&corpus.tokenizer).map_err(|error| IngestError::Settings(error.to_string()))?;
        let tools = Converters::new(&settings.converters)
            .and_then(|tools| tools.with_ocr(settings.ocr.as_ref()))
            .map_err(|error| IngestError::Settings(error.to_string()))?;
        let chunk = ChunkOptions { size: corpus.chunk_size, overlap: corpus.chunk_overlap, ..settings.chunk };
        let version = CleanVersion::from_name(&corpus.clean_version).ok_or_else(|| {
            IngestError::Settings(format!("unknown clean version `{}`", corpus.clean_version))
        })?;
        let clean = CleanOptions { version, ..settings.clean.clone() };
        let ocr = if tools.ocr_of("pdf").is_some() { OcrPass::Read } else { OcrPass::Off };
        let reading = ReadSettings { converters: tools.extensions(), ocr, ..settings.reading() };
        Ok(StageRecipes {
            timings: StageTimings::default(),
            settings,
            clean,
            chunk,
            tokenizer,
            converted: tools.extensions(),
            tools,
            reading,
        })
    }

    /// Recalls what converters answered in earlier runs.
    pub fn recall_versions(&self, store: &Store) -> Result<(), IngestError> {
        if !self.tools.extensions().is_empty() {
            *self.tools.versions().answers() = store.meta().converter_versions()?;
        }
        Ok(())
    }

    /// Stores what converters answered in this run.
    pub fn keep_versions(&self, store: &Store) -> Result<(), IngestError> {
        let answers = self.tools.versions().answers();
        if !answers.is_empty() {
            store.meta().set_converter_versions(&answers)?;
        }
        Ok(())
    }

    /// Looks up the converters of files that the database has, while `work` is done.
    pub fn look_up_beside<T>(
        &self,
        store: Option<&Store>,
        work: impl FnOnce() -> Result<T, IngestError>,
    ) -> Result<T, IngestError> {
        let known = match store.filter(|_| !self.tools.extensions().is_empty()) {
            Some(store) => store.planning().settings_in_use()?,
            None => Vec::new(),
        };
        let extensions: BTreeSet<&str> = known.iter().map(|stored| stored.extension.as_str()).collect();
        std::thread::scope(|scope| {
            for tool in extensions.into_iter().filter_map(|extension| self.tools.get(extension)) {
                let thread = std::thread::Builder::new().name(format!("look-up-{}", tool.extension));
                // Without the thread it is looked up when it is needed.
                let _ = thread.spawn_scoped(scope, || tool.facts().is_some());
            }
            work()
        })
    }

    /// What a file is, decided by its first bytes and its path. `is_wished` says that the user asks for this one even if it
    /// holds secrets.
    pub fn sniff(&self, head: &[u8], whole: bool, path: &str, is_wished: bool) -> SniffResult {
        let ScanOptions { svg, archives, .. } = self.settings.scan;
        let secrets = is_wished || self.settings.scan.secrets;
        let options = SniffOptions { svg, archives, secrets, converters: &self.converted };
        sniff(head, whole, path, &options)
    }

    /// Which reader, converter or other way reads a file of this format and extension.
    pub fn way(&self, format: Option<&'static Format>, extension: &str) -> SelectedReader<'_> {
        format.map_or(SelectedReader::Unread, |format| self.tools.select(format, extension))
    }

    /// The format that reads a file, or why none does.
    pub fn readable(&self, verdict: SniffVerdict, extension: &str) -> Result<&'static Format, SkipReason> {
        match verdict {
            SniffVerdict::Binary { reason, .. } => {
                Err(SkipReason { status: ProcessingStatus::SkippedBinary, reason })
            }
            SniffVerdict::Secret { reason } => {
                Err(SkipReason { status: ProcessingStatus::SkippedSecret, reason })
            }
            SniffVerdict::Read(format) => match self.way(Some(format), extension) {
                SelectedReader::Unread => Err(SkipReason {
                    status: ProcessingStatus::SkippedDependency,
                    reason: no_reader_message(format),
                }),
                _ => Ok(format),
            },
        }
    }

    /// The settings of document readers, except the format.
    pub fn reading(&self) -> &ReadSettings {
        &self.reading
    }

    /// True for a row with text whose chunks were cut with other settings.
    pub fn cuts_otherwise(&self, file: &FileState) -> bool {
        let format = file.format.as_deref().and_then(format::by_name);
        file.status == Some(ProcessingStatus::Processed)
            && self.stages(format, &file.extension).cuts_otherwise(file.settings_hash.as_deref())
    }

    /// True for a file that is too large for the reader of its format.
    pub fn is_too_large(&self, file: &FileState) -> bool {
        let format = file.format.as_deref().and_then(format::by_name);
        let limit = format.and_then(|format| format.whole_limit);
        matches!(self.way(format, &file.extension), SelectedReader::Reader(_))
            && limit.is_some_and(|limit| file.size > limit)
    }

    /// True for a file that waits for a converter which is still not installed.
    pub fn still_lacks_tool(&self, file: &FileState) -> bool {
        let format = file.format.as_deref().and_then(format::by_name);
        file.status == Some(ProcessingStatus::SkippedDependency)
            && matches!(self.way(format, &file.extension), SelectedReader::Converter(tool) if tool.facts().is_none())
    }

    /// The late stages for a row.
    pub fn late_stages_of(&self, file: &FileState) -> StageHashes {
        self.late_stages(file.format.as_deref().and_then(format::by_name), &file.extension)
    }

    /// The thresholds beyond which a text needs a review.
    pub fn review(&self) -> &'s ReviewOptions {
        &self.settings.review
    }

    /// What recognises pages of a document of this format.
    pub fn ocr_of(&self, format: &Format) -> Option<&OcrEngine> {
        self.tools.ocr_of(format.name)
    }

    /// The converter of an extension.
    pub fn tool(&self, extension: &str) -> Option<&Converter> {
        self.tools.get(extension)
    }

    /// How the white space of a text is read and how the text is cut.
    pub fn shape(&self, format: &'static Format, document_kind: Option<TextKind>) -> TextProfile {
        let kind = document_kind.unwrap_or(format.kind);
        let strategy = match (self.chunk.strategy, document_kind) {
            (StrategyChoice::Auto, None) if self.lays_out(format) => ChunkStrategy::Layout,
            (StrategyChoice::Auto, None) => match format.strategy {
                Some(strategy) => strategy,
                None => strategy_for(self.chunk.strategy, kind),
            },
            (choice, _) => strategy_for(choice, kind),
        };
        TextProfile { format, kind, strategy }
    }

    /// True for a format whose built-in reader records roles and sentences; a converter's output has its own kind of
    /// text.
    fn lays_out(&self, format: &Format) -> bool {
        reader_of(format.name).is_some_and(|reader| reader.lays_out(&self.reading))
    }

    /// The kind of text that the reader decides on, as when it read the file.
    pub fn document_kind(&self, format: &'static Format, extension: &str, size: u64) -> Option<TextKind> {
        match self.way(Some(format), extension) {
            SelectedReader::Reader(_) if reads_as_text(format, size) => None,
            way => self.kind_of(&way),
        }
    }

    fn kind_of(&self, way: &SelectedReader<'_>) -> Option<TextKind> {
        match way {
            SelectedReader::Reader(reader) => reader.kind(&self.reading),
            SelectedReader::Converter(tool) => Some(converter::output_kind(&tool.template)),
            SelectedReader::Text | SelectedReader::Unread => None,
        }
    }

    /// The hashes of the settings that the result for this format and extension depends on.
    pub fn stages(&self, format: Option<&'static Format>, extension: &str) -> StageHashes {
        let way = match self.way(format, extension) {
            SelectedReader::Text if format.is_some_and(|format| format.is_masked) => {
                plain_text::MASKED_RECIPE.to_owned()
            }
            SelectedReader::Text => plain_text::RECIPE.to_owned(),
            SelectedReader::Reader(reader) if format.is_some_and(|format| format.is_archive) => {
                let ScanOptions { archives, secrets, .. } = self.settings.scan;
                let secrets = if secrets { " secrets" } else { "" };
                let hidden = self.settings.scan.hidden_text.recipe();
                format!("{} archives={archives}{secrets}{hidden}", reader.recipe(&self.reading))
            }
            SelectedReader::Reader(reader) => {
                let ocr = self.tools.ocr_of(reader.format).map(|engine| format!(" {}", engine.recipe()));
                let secrets = if self.settings.scan.secrets { " secrets" } else { "" };
                let hidden = self.settings.scan.hidden_text.recipe();
                format!("{}{}{secrets}{hidden}", reader.recipe(&self.reading), ocr.unwrap_or_default())
            }
            SelectedReader::Converter(tool) => format!("{} by {}", tool.command, tool.name()),
            SelectedReader::Unread => self.unread_recipe(),
        };
        self.stages_of(&way, format, extension)
    }

    /// What a file without a name for it is may be shown by its content.
    fn unread_recipe(&self) -> String {
        format!("unread {SNIFF_EDITION}{}", self.extensions_without_row().join(" "))
    }

    /// The same for a file of this type that is no document: an archive may become one.
    pub fn unread_stages(&self, mime: Option<&str>, extension: &str) -> StageHashes {
        match mime.is_some_and(format::is_archive) {
            true => {
                let way = format!("{} archives={}", self.unread_recipe(), self.settings.scan.archives);
                self.stages_of(&way, None, extension)
            }
            false => self.stages(None, extension),
        }
    }

    fn stages_of(&self, way: &str, format: Option<&'static Format>, extension: &str) -> StageHashes {
        let svg = self.reads_image(extension);
        let converted = if self.extensions_without_row().contains(&extension) { " converted" } else { "" };
        StageHashes {
            extract: digest(&format!(
                "{EXTRACT_EDITION} {way} raw={} svg={svg}{converted}",
                self.settings.store.keeps("raw")
            )),
            ..self.late_stages(format, extension)
        }
    }

    /// The same without extraction: what cleaning and cutting of stored text depend on. The kind of text is included,
    /// because it changes with the reader settings.
    pub fn late_stages(&self, format: Option<&'static Format>, extension: &str) -> StageHashes {
        let kind = self.kind_of(&self.way(format, extension));
        let name = kind.map_or("of the format", TextKind::as_str);
        let cleaning = recipe_text(&self.clean.recipe_lines());
        let cutting = recipe_text(&self.cuts_by(format, kind).recipe_lines());
        StageHashes {
            extract: 0,
            clean: digest(&format!("{CLEAN_EDITION} {name}\n{cleaning}")),
            chunk: digest(&format!("{CHUNK_EDITION} {}\n{cutting}", self.tokenizer.name())),
        }
    }

    /// The options for cutting a text: windows apply only to pages with a layout.
    fn cuts_by(&self, format: Option<&'static Format>, kind: Option<TextKind>) -> ChunkOptions {
        let has_layout =
            format.is_some_and(|format| self.shape(format, kind).strategy == ChunkStrategy::Layout);
        let windows = if has_layout { self.chunk.windows } else { WindowOptions::default() };
        ChunkOptions { windows, ..self.chunk }
    }

    /// Every setting that stored results depend on, line by line, for the next run to compare.
    pub fn lines(&self) -> BTreeMap<String, String> {
        let settings = self.settings;
        let flag = |name, is_on: bool| -> RecipeLine { (name, is_on.to_string()) };
        let fixed = [
            vec![("tokenizer_model", self.tokenizer.name().to_owned())],
            self.chunk.recipe_lines(),
            self.clean.recipe_lines(),
            settings.html.recipe_lines(),
            settings.office.recipe_lines(),
            settings.pdf.recipe_lines(),
            vec![
                flag("scan.svg", settings.scan.svg),
                flag("scan.archives", settings.scan.archives),
                flag("scan.secrets", settings.scan.secrets),
                ("scan.hidden_text", settings.scan.hidden_text.as_str().to_owned()),
                flag("store.keep raw", settings.store.keeps("raw")),
                ("ocr.command", settings.ocr.as_ref().map(OcrSettings::recognizer).unwrap_or_default()),
                ("ocr.render", settings.ocr.as_ref().map(|ocr| ocr.renderer(0)).unwrap_or_default()),
            ],
        ];
        let fixed = fixed.concat().into_iter().map(|(name, value)| (name.to_owned(), value));
        let converters = settings.converters.iter();
        fixed
            .chain(converters.map(|(name, command)| (format!("converters.{name}"), command.clone())))
            .collect()
    }

    /// The extensions that only a converter makes a format of.
    fn extensions_without_row(&self) -> Vec<&str> {
        let keys = self.converted.iter().map(String::as_str);
        keys.filter(|extension| format::by_extension(extension).is_none()).collect()
    }

    /// True for the extension of images that are read as text if the settings request it.
    fn reads_image(&self, extension: &str) -> bool {
        self.settings.scan.svg && format::by_extension(extension).is_some_and(|format| format.is_image)
    }

    /// What must be done again for a stored row.
    pub fn redo(&self, file: &StoredSettings, has_text: bool) -> RedoStage {
        let (extension, stored) = (file.extension.as_str(), file.settings_hash.as_deref());
        let format = match file.format.as_deref() {
            Some(name) => format::by_name(name),
            // A file without a reader depends on a converter that may have been configured since.
            None if self.tools.get(extension).is_some() => Some(format::format_of_converter(extension)),
            None if self.reads_image(extension) => format::by_extension(extension),
            None => None,
        };
        let stages = match format {
            Some(_) => self.stages(format, extension),
            None => self.unread_stages(file.mime.as_deref(), extension),
        };
        stages.redo(stored, has_text)
    }
}

impl Recipes for StageRecipes<'_> {
    fn are_equal(&self, owner: &FileState, heir: &FileState) -> bool {
        let is_read = owner.status != Some(ProcessingStatus::SkippedSecret);
        if is_read && owner.extension == heir.extension && !owner.extension.is_empty() {
            return true;
        }
        let Some((head, whole)) = head_of(heir) else { return false };
        let read = |file: &FileState| {
            let verdict = self.sniff(&head, whole, &stored_path(file.location.as_os_str()).0, false).verdict;
            let format = self.readable(verdict, &file.extension)?;
            Ok::<_, SkipReason>((format.name, self.stages(Some(format), &file.extension)))
        };
        read(owner) == read(heir)
    }
}

/// The first bytes of a file, and whether they are the whole file.
fn head_of(file: &FileState) -> Option<(Vec<u8>, bool)> {
    let expected = FileStat { inode: file.inode, device: file.device, ..FileStat::default() };
    let open = files::open(&file.location, &expected).ok()?;
    // A file that was replaced since it was read says nothing of the bytes that are stored.
    files::stat_of(&open).ok().filter(|stat| stat.identity() == expected.identity())?;
    let head = files::read_head(&open).ok()?;
    let whole = head.len() as u64 == file.size;
    Some((head, whole))
}

fn digest(text: &str) -> u64 {
    ContentHash::of(text.as_bytes()).prefix()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_stage_that_changed_and_those_after_it_are_redone() {
        let old = StageHashes { extract: 1, clean: 2, chunk: 3 };
        let stored = old.to_text();
        let check = |now: StageHashes, has_text, expected| {
            assert_eq!(now.redo(Some(&stored), has_text), expected);
        };
        check(old, true, RedoStage::Nothing);
        check(StageHashes { chunk: 9, ..old }, true, RedoStage::Chunk);
        check(StageHashes { clean: 9, chunk: 9, ..old }, true, RedoStage::Clean);
        check(StageHashes { clean: 9, chunk: 9, ..old }, false, RedoStage::Nothing);
        check(StageHashes { extract: 9, ..old }, true, RedoStage::Read);
        assert_eq!(old.redo(None, true), RedoStage::Read);
    }
}
