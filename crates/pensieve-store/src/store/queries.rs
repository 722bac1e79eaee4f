//! The groups of queries that a [`Store`] answers, each with its own type.

use super::error::StoreError;
use super::meta::MetaTable;
use super::open::Store;
use super::read::{
    ChunkQueries, CorpusListings, DocumentQueries, FileQueries, LawQueries, MailQueries, PlanQueries,
    ProblemQueries, ReportQueries, Statistics, StoredText, TextQueries,
};
use super::repetition::RepetitionTable;
use super::roots::RootTable;
use super::runs::RunTable;
use super::search::{SearchOptions, SearchQueries, SearchResults};
use super::shards::ShardQueries;
use super::tables::TableQueries;
use super::text_packing::TextVariant;
use super::vectors::{QueryVector, VectorTable};
use super::write::Maintenance;

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

    /// Hits by the vector of a question; with [`SearchMode::Hybrid`](super::SearchMode::Hybrid) by its words too.
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
