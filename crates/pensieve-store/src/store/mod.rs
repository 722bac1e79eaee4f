//! The one SQLite file: schema, locking, rows in and out. All SQL of the program lives here.
//!
//! A run writes through one [`Writer`], in batches; a file's old content is removed and its new content added in one
//! transaction. A first, large load keeps the index on chunk hashes in memory and builds it at its end ([`load`]), and the
//! search tables beside it ([`search_builders`]); small changes update the live indexes. All other code reads through a [`Store`], which has one
//! type for each group of queries ([`queries`]).

mod changed_files;
mod checkpointer;
mod chunk_hashes;
mod change_cursor;
mod citation;
mod connection;
mod digest_lines;
mod digests;
mod document_address;
mod document_fields;
mod error;
mod fingerprint;
mod hidden_text;
mod journal;
mod load;
mod lock;
mod member_names;
mod meta;
mod migrate;
mod migrations;
mod open;
mod place_columns;
mod places;
mod queries;
mod query;
mod read;
mod repetition;
mod roots;
mod runs;
mod schema;
mod search;
mod search_builders;
mod search_check;
mod search_letters;
mod search_mode;
mod search_segments;
mod search_tables;
mod serving;
mod shards;
mod sql;
mod tables;
#[doc(hidden)]
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text_packing;
mod time;
mod unfinished_run;
mod unstored_chunk;
mod vectors;
mod write;

pub use change_cursor::{ChangeCursor, ChangeCursorError, ChangesSince};
pub use citation::{Citation, CitationError};
pub use connection::sqlite_version;
pub use document_address::DocumentAddress;
pub use error::{MAKE_DATABASE, StoreError};
pub use fingerprint::Fingerprint;
pub use hidden_text::HiddenRow;
pub use open::Store;
pub use read::{ChunkSpan, DocumentText, FileState, SectionSpan, StoredText};
pub use roots::Root;
pub use search_mode::SearchMode;
pub use shards::{ShardContents, ShardEntry, ShardFacts, ShardPool};
pub use text_packing::TextVariant;
pub use vectors::{
    ChunkFailure, MissingChunk, MissingTotals, ModelVectors, NewVector, QueryVector, VectorFormat,
    VectorModel, VectorSet, VectorTable,
};
pub use write::{
    AddedChunks, ChunkLines, ChunkRow, CopiedDocument, DuplicateRole, NewFile, NewMember, Outcome,
    RAW_VERSION, Recipes, ShardFile, Task, TaskKind, VersionRow, Writer, WriterOptions,
};

pub use lock::lock_path;
pub use member_names::MEMBER_SEPARATOR;
pub use meta::CorpusSettings;
pub use place_columns::PlaceColumns;
pub use places::{ChunkPlace, FileCopy};
pub use query::{QueryError, QueryNote};
pub use read::{
    ChangeRow, ChangesWanted, ChunkName, CitedChunk, CleanFacts, CorpusCounts, CorpusState, CorpusStats,
    CoverageRow, DocumentFacets, DocumentFilter, DocumentName, DocumentPosition, DocumentRow, DocumentSort,
    ExportRow, FailedFile, FileFacts, FileProblem, FileTotals, FolderPath, FolderRow, FormatStatus,
    GroupSize, KnownFile, KnownFiles, ListPart, ListSort, ListedDocument, MailLine, MailView, OpenProblem,
    ProblemCounts, ProblemSeverity, ReaderFacts, ReviewRow, StoredChunk, StoredSecrets, StoredSettings,
    StoredVersion, ThreadMail, ThreadRow, ThreadView, Violation, least_repeated,
};
pub use repetition::{
    BoilerplateRow, LedgerDocument, NearRow, PlaceRepetition, RecurringBlock, RepeatRow, RepetitionTable,
    StoredSketch, repeated_share,
};
pub use runs::RunRow;
pub use search::{
    DOCUMENT_FILTERS, DocumentFilters, FilterParameter, HIGHLIGHT_MARKS, Hit, LastWord, NoDate, RepeatedHits,
    SearchOptions, SearchResults, WordMatch,
};
pub use serving::QueryDeadline;
pub use tables::{QueryLimits, RowPlaces, SelectError, SqlAnswer, SqlValue, StoredTable, TableFilter};
pub use text_packing::{PackedSegment, TextPacker, TextUnpacker};
pub use time::{now, stored_now, stored_time};
