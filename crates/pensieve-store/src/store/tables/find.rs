//! Which tables there are: all of a document, or those whose names and labels have the words of a question.

use super::{COLUMNS, StoredTable, TABLES, TableQueries, stored_table};
use crate::store::database::error::StoreError;
use crate::store::rows::sql::{Queries, while_true};
use std::collections::HashSet;

/// Which tables are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableFilter {
    /// Words to look for in titles, headings, columns, labels and paths; empty for all tables.
    pub words: String,
    /// What the path of the document has in it.
    pub path: Option<String>,
    /// Tables at most.
    pub limit: usize,
}

/// Words that say nothing about a table.
const STOP_WORDS: &[&str] = &[
    "the", "of", "and", "in", "for", "was", "were", "what", "which", "how", "much", "many", "is", "are",
    "did", "does", "do", "a", "an", "to", "on", "at", "by", "from", "with", "its", "it", "that", "this",
    "as", "or", "be", "has", "have", "had", "between", "than", "table",
];

/// What a word weighs by where it stands: a table is about what it is called, and a document has many tables.
const FIELD_WEIGHTS: [f64; 4] = [3.0, 2.5, 2.0, 1.0];

/// A table, and in which of its fields each word stands.
struct Candidate {
    table: StoredTable,
    fields: Vec<Option<usize>>,
    size: usize,
}

impl TableQueries<'_> {
    /// The tables of a filter: in the order of documents, or best first where words are given.
    ///
    /// # Errors
    /// The database cannot be read.
    ///
    /// Cost: one pass over the rows of tables; only those with a word are kept.
    pub fn find(&self, filter: &TableFilter) -> Result<Vec<StoredTable>, StoreError> {
        self.check()?;
        let words: Vec<String> =
            words_of(&filter.words).filter(|word| !STOP_WORDS.contains(&word.as_str())).collect();
        let limit = filter.limit.max(1);
        let sql = format!(
            "SELECT {COLUMNS} FROM {TABLES} WHERE ?1 IS NULL OR instr(lower(f.full_filepath), lower(?1)) > 0 ORDER BY t.table_id"
        );
        let mut found: Vec<Candidate> = Vec::new();
        let mut total = 0_usize;
        self.0.ask(|connection| {
            connection.each(&sql, [&filter.path], |row| {
                let table = stored_table(row)?;
                total += 1;
                let (fields, size) = fields_of(&table, &words);
                if words.is_empty() || fields.iter().any(Option::is_some) {
                    found.push(Candidate { table, fields, size });
                }
                Ok(while_true(!words.is_empty() || found.len() < limit))
            })
        })?;
        if !words.is_empty() {
            let weights: Vec<f64> = (0..words.len())
                .map(|at| {
                    let having = found.iter().filter(|candidate| candidate.fields[at].is_some()).count();
                    ((1 + total) as f64 / (1 + having) as f64).ln() + 0.1
                })
                .collect();
            let score = |candidate: &Candidate| -> f64 {
                let of_word = |(field, weight): (&Option<usize>, &f64)| {
                    field.map_or(0.0, |field| FIELD_WEIGHTS[field] * weight)
                };
                let sum: f64 = candidate.fields.iter().zip(&weights).map(of_word).sum();
                // Long lists of labels have every word.
                sum / (1.0 + (candidate.size as f64 / 400.0)).sqrt()
            };
            found.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.table.table_id.cmp(&b.table.table_id)));
        }
        Ok(found.into_iter().take(limit).map(|candidate| candidate.table).collect())
    }
}

/// In which field of a table each word stands first, and how many words its labels and columns have.
fn fields_of(table: &StoredTable, words: &[String]) -> (Vec<Option<usize>>, usize) {
    if words.is_empty() {
        return (Vec::new(), 0);
    }
    let headings = table.heading_path.as_deref().unwrap_or_default();
    let mut names = String::new();
    for column in &table.columns {
        names.push_str(&column.name);
        names.push(' ');
    }
    let own = words_of(table.title.as_deref().unwrap_or_default()).collect::<HashSet<_>>();
    let labels = words_of(&table.labels).chain(words_of(&names)).collect::<HashSet<_>>();
    let (headings, path) =
        (words_of(headings).collect::<HashSet<_>>(), words_of(&table.path).collect::<HashSet<_>>());
    let fields = [&own, &path, &labels, &headings];
    let field = |word: &String| fields.iter().position(|field| field.contains(word));
    (words.iter().map(field).collect(), labels.len())
}

/// The words of a text in lower case, without the endings of the plural.
fn words_of(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(|word| {
        let word = word.to_lowercase();
        match word.strip_suffix("ies") {
            Some(stem) if stem.len() > 2 => format!("{stem}y"),
            _ => match word.strip_suffix('s') {
                Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
                _ => word,
            },
        }
    })
}
