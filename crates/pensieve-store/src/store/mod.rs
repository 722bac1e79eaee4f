//! The one SQLite file: schema, locking, rows in and out. All SQL of the program lives here.
//!
//! A run writes through one [`Writer`], in batches; a file's old content is removed and its new content added in one
//! transaction. A first, large load keeps the index on chunk hashes in memory and builds it at its end, and the search
//! tables beside it ([`indexes`]); small changes update the live indexes. All other code reads through a [`Store`], which
//! has one type for each group of queries.

mod database;
mod indexes;
mod places;
mod query;
mod read;
mod rows;
mod search;
mod shards;
mod tables;
#[doc(hidden)]
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod vectors;
mod write;

use database::meta::MetaTable;
use database::roots::RootTable;
use database::runs::RunTable;
use read::{
    ChunkQueries, CorpusListings, DocumentQueries, FileQueries, LawQueries, MailQueries, PlanQueries,
    ProblemQueries, ReportQueries, Statistics, TextQueries,
};
use search::SearchQueries;
use shards::ShardQueries;
use tables::TableQueries;
use write::Maintenance;

pub use database::connection::sqlite_version;
pub use database::error::{MAKE_DATABASE, StoreError};
pub use database::open::Store;
pub use database::roots::Root;
pub use places::citation::{Citation, CitationError};
pub use places::document_address::DocumentAddress;
pub use read::change_cursor::{ChangeCursor, ChangeCursorError, ChangesSince};
pub use read::{ChunkSpan, DocumentText, FileState, SectionSpan, StoredText};
pub use rows::fingerprint::Fingerprint;
pub use rows::hidden_text::HiddenRow;
pub use rows::text_packing::TextVariant;
pub use shards::{DuplicateRole, ShardContents, ShardEntry, ShardFacts, ShardPool};
pub use vectors::{
    ChunkFailure, MissingChunk, MissingTotals, ModelVectors, NewVector, QueryVector, VectorFormat,
    VectorModel, VectorSet, VectorTable,
};
pub use write::{
    AddedChunks, ChunkLines, ChunkRow, CopiedDocument, NewFile, NewMember, Outcome, RAW_VERSION, Recipes,
    ShardFile, Task, TaskKind, VersionRow, Writer, WriterOptions,
};

pub use database::lock::lock_path;
pub use database::meta::{CorpusSettings, SearchMode};
pub use database::runs::RunRow;
pub use database::serving::QueryDeadline;
pub use places::chunk_place::{ChunkPlace, FileCopy};
pub use places::repetition::{
    BoilerplateRow, LedgerDocument, NearRow, PlaceRepetition, RecurringBlock, RepeatRow, RepetitionTable,
    StoredSketch, repeated_share,
};
pub use query::{QueryError, QueryNote};
pub use read::{
    ChangeRow, ChangesWanted, ChunkName, CitedChunk, CleanFacts, CorpusCounts, CorpusState, CorpusStats,
    CoverageRow, DocumentFacets, DocumentFilter, DocumentName, DocumentPosition, DocumentRow, DocumentSort,
    ExportRow, FailedFile, FileFacts, FileProblem, FileTotals, FolderPath, FolderRow, FormatStatus,
    GroupSize, KnownFile, KnownFiles, ListPart, ListSort, ListedDocument, MailSummary, MailView, OpenProblem,
    ProblemCounts, ProblemSeverity, ReaderFacts, ReviewRow, StoredChunk, StoredSecrets, StoredSettings,
    StoredVersion, ThreadMail, ThreadRow, ThreadView, Violation, least_repeated,
};
pub use rows::member_names::MEMBER_SEPARATOR;
pub use rows::place_columns::PlaceColumns;
pub use rows::text_packing::{PackedSegment, TextPacker, TextUnpacker};
pub use rows::time::{now, stored_now, stored_time};
pub use search::{
    DOCUMENT_FILTERS, DocumentFilters, FilterParameter, HIGHLIGHT_MARKS, Hit, LastWord, NoDate, RepeatedHits,
    SearchOptions, SearchResults, WordMatch,
};
pub use tables::{QueryLimits, RowPlaces, SelectError, SqlAnswer, SqlValue, StoredTable, TableFilter};

/// The groups of queries that a database answers, each with its own type.
impl Store {
    /// The ingested folders.
    pub fn roots(&self) -> RootTable<'_> {
        RootTable(self)
    }

    /// The history of runs.
    pub fn runs(&self) -> RunTable<'_> {
        RunTable(self)
    }

    /// Facts about the database as a whole.
    pub fn meta(&self) -> MetaTable<'_> {
        MetaTable(self)
    }

    /// The database as a part of a corpus that is merged, or as one that is made of parts.
    pub fn shard(&self) -> ShardQueries<'_> {
        ShardQueries(self)
    }

    /// Single files.
    pub fn files(&self) -> FileQueries<'_> {
        FileQueries(self)
    }

    /// Rows for planning a run.
    pub fn planning(&self) -> PlanQueries<'_> {
        PlanQueries(self)
    }

    /// Documents page by page, with their metadata, copies and members.
    pub fn documents(&self) -> DocumentQueries<'_> {
        DocumentQueries(self)
    }

    /// Chunks and their places.
    pub fn chunks(&self) -> ChunkQueries<'_> {
        ChunkQueries(self)
    }

    /// Versions of texts.
    pub fn texts(&self) -> TextQueries<'_> {
        TextQueries(self)
    }

    /// Tables of documents.
    pub fn tables(&self) -> TableQueries<'_> {
        TableQueries(self)
    }

    /// One version of a text.
    pub fn text<'s>(&'s self, file_id: i64, variant: TextVariant, version: &'s str) -> StoredText<'s> {
        StoredText { store: self, file_id, variant, version }
    }

    /// Mails and threads.
    pub fn mails(&self) -> MailQueries<'_> {
        MailQueries(self)
    }

    /// Ranked hits, best first; equal ranks by the hash of the content.
    ///
    /// # Errors
    /// The query is invalid, the search table is off, or a load is unfinished.
    ///
    /// Cost: one pass over the postings of the query's words; only the returned texts are read.
    pub fn search(&self, options: &SearchOptions) -> Result<SearchResults, StoreError> {
        SearchQueries(self).search(options)
    }

    /// Hits by the vector of a question; with [`SearchMode::Hybrid`] by its words too.
    ///
    /// # Errors
    /// The query is invalid, a load is unfinished, or the search table is off and words are needed.
    ///
    /// Cost: one pass over the vectors; only the returned texts are read.
    pub fn search_by_vector(
        &self,
        options: &SearchOptions,
        vector: &QueryVector,
    ) -> Result<SearchResults, StoreError> {
        SearchQueries(self).search_by_vector(options, vector)
    }

    /// The text of a query whose meaning can be compared; `None` if only a search by words understands it.
    ///
    /// # Errors
    /// The query is invalid.
    pub fn question_text(query: &str) -> Result<Option<String>, StoreError> {
        SearchQueries::question_text(query)
    }

    /// Open problems.
    pub fn problems(&self) -> ProblemQueries<'_> {
        ProblemQueries(self)
    }

    /// The corpus in numbers.
    pub fn statistics(&self) -> Statistics<'_> {
        Statistics(self)
    }

    /// Rows for reports.
    pub fn reports(&self) -> ReportQueries<'_> {
        ReportQueries(self)
    }

    /// The whole corpus in a fixed order.
    pub fn listings(&self) -> CorpusListings<'_> {
        CorpusListings(self)
    }

    /// Rows for `verify`.
    pub fn laws(&self) -> LawQueries<'_> {
        LawQueries(self)
    }

    /// Vectors of chunks.
    pub fn vectors(&self) -> VectorTable<'_> {
        VectorTable(self)
    }

    /// Repetition between documents.
    pub fn repetition(&self) -> RepetitionTable<'_> {
        RepetitionTable(self)
    }

    /// Work on the whole database.
    pub fn maintenance(&mut self) -> Maintenance<'_> {
        Maintenance(self)
    }
}
