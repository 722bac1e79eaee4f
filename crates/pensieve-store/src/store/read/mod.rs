//! Reading: one type for each group of queries.

mod changes;
mod chunks;
mod document_lists;
mod document_names;
mod document_paths;
mod document_text;
mod documents;
mod export;
mod file_facts;
pub(super) mod files;
mod fingerprint;
mod folders;
mod laws;
mod listed_documents;
mod listings;
mod mail_views;
mod mails;
mod named_documents;
mod planning;
mod problems;
mod file_problems;
mod reports;
mod statistics;
mod text;
mod texts;
mod threads;

pub use changes::{ChangeRow, ChangesWanted};
pub use chunks::{ChunkName, ChunkQueries, StoredChunk};
pub use document_lists::{DocumentFilter, DocumentPosition, DocumentSort, ListPart};
pub use document_names::DocumentName;
pub use document_text::{ChunkSpan, DocumentText, SectionSpan};
pub use documents::{DocumentFacets, DocumentQueries, DocumentRow};
pub use export::{ExportRow, least_repeated};
pub use file_facts::FileFacts;
pub use file_problems::{FileProblem, ProblemCounts, ProblemSeverity};
pub use files::{FileQueries, FileState};
pub use folders::{FolderPath, FolderRow};
pub use laws::{CitedChunk, LawQueries, Violation};
pub use listed_documents::{ListSort, ListedDocument};
pub use listings::CorpusListings;
pub use mail_views::{MailSummary, MailView, ThreadMail, ThreadView};
pub use mails::MailQueries;
pub use planning::{
    FileTotals, GroupSize, KnownFile, KnownFiles, PlanQueries, StoredSecrets, StoredSettings,
};
pub use problems::{OpenProblem, ProblemQueries};
pub use reports::{CoverageRow, FailedFile, ReportQueries, ReviewRow};
pub use statistics::{CorpusCounts, CorpusState, CorpusStats, FormatStatus, Statistics};
pub use text::StoredText;
pub(super) use texts::stored_review_reasons;
pub use texts::{CleanFacts, ReaderFacts, StoredVersion, TextQueries};
pub use threads::ThreadRow;

#[cfg(test)]
mod tests;
pub(super) mod change_cursor;
