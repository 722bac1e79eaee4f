//! The README of a collection: what the data is, how it was made, what it contains, and ten sample passages.

use super::collection::CollectionOutput;
use super::manifest::{MarkupPolicy, PassageRules};
use super::passage::BuiltPassage;
use super::reading::set_names;
use pensieve_text::model::numbers::counted;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Number of passages shown.
const SAMPLE_COUNT: usize = 10;

/// The whole page.
pub fn text(output: &CollectionOutput<'_>) -> String {
    let mut page = String::new();
    let collection = &output.manifest.collection;
    let _ = writeln!(page, "# {}\n", collection.name);
    if !collection.description.is_empty() {
        let _ = writeln!(page, "{}\n", collection.description);
    }
    let metadata = &output.metadata;
    let _ = writeln!(
        page,
        "{} from {}, extracted on {} by {}.\n",
        counted(metadata.total_passages as u64, "passage"),
        counted(metadata.books_processed as u64, "book"),
        metadata.extraction_date,
        metadata.generator
    );
    structure(&mut page);
    method(&mut page, output);
    counts(&mut page, output);
    samples(&mut page, output.made);
    page
}

fn structure(page: &mut String) {
    page.push_str(
        "## Structure\n\n\
         | file | contents |\n| --- | --- |\n\
         | `gutenberg_passages.json` | `passages` and `metadata`, one document |\n\
         | `gutenberg_passages.jsonl` | the same passages, one per line |\n\
         | `gutenberg_passages.sources.jsonl` | where each passage comes from: ranges of bytes of the raw file and of the clean book, and its score |\n\
         | `books/` | the clean books; the text of each passage is a slice of one |\n\
         | `../raw/gutenberg/` | the texts as received |\n\n\
         A passage has `passage_id`, `author_name`, `author_id`, `book_title`, `book_id`, `publication_year`, `chapter_section`, `text`,\n\
         `word_count`, `genre_tags`, `keywords_matched`, `context_type`, `character_names` (only where speech tags name somebody),\n\
         `source_url` and `extraction_date`. Paragraphs of `text` are separated by blank lines, lines end as in the book.\n\n",
    );
}

fn method(page: &mut String, output: &CollectionOutput<'_>) {
    let rules = &output.manifest.rules;
    let PassageRules { words, bounds, max_overlap, italics, illustrations, .. } = rules;
    let _ = writeln!(
        page,
        "## Method\n\n\
         Header, licence and credits of Project Gutenberg are cut off. Illustrations are {}, signs of italics are {}. Chapters are found by\n\
         the conventions of plain texts. A passage is a run of whole paragraphs around whole-word matches, inside one chapter, of {} to {}\n\
         words (never under {} or over {}); a paragraph that is longer is cut between sentences. Verse, letters and short exchanges of\n\
         dialogue stay whole. Of overlapping candidates, the set with the best scores is chosen; two passages share at most {:.0} % of their words.\n\
         A score counts what a passage is about and how well it reads; docs/collections.md of pensieve lists the points.\n\n\
         Keyword sets:\n",
        if *illustrations == MarkupPolicy::Drop { "dropped" } else { "kept" },
        if *italics == MarkupPolicy::Drop { "dropped" } else { "kept" },
        words.0,
        words.1,
        bounds.0,
        bounds.1,
        max_overlap * 100.0
    );
    for (name, set) in &output.manifest.keywords {
        let _ = writeln!(page, "- **{name}**: {}", set.words.join(", "));
        for (author, words) in &set.authors {
            let _ = writeln!(page, "  - for `{author}` also: {}", words.join(", "));
        }
    }
    page.push_str("\nSteps:\n\n| score from | candidates | passages | nearly the same | surplus |\n| ---: | ---: | ---: | ---: | ---: |\n");
    for step in &output.metadata.steps {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            step.min_score, step.candidates, step.passages, step.near_identical, step.surplus
        );
    }
    if let Some((least, most)) = output.metadata.target {
        let _ = write!(page, "\nWanted: {least} to {most}.");
        if let Some(shortfall) = &output.metadata.shortfall {
            let _ = write!(page, " Shortfall: {shortfall}.");
        }
        page.push('\n');
    }
    page.push('\n');
}

fn counts(page: &mut String, output: &CollectionOutput<'_>) {
    let mut contexts = set_names(output.manifest);
    contexts.push("both".to_owned());
    let _ = writeln!(
        page,
        "## Counts\n\nBy book and set:\n\n| book | {} | all |\n| --- |{} ---: |",
        contexts.join(" | "),
        " ---: |".repeat(contexts.len())
    );
    for (at, read) in output.books.iter().enumerate() {
        let of = |context: &str| {
            output.made.iter().filter(|made| made.book == at && made.passage.context_type == context).count()
        };
        let columns: Vec<String> = contexts.iter().map(|context| of(context).to_string()).collect();
        let all = output.made.iter().filter(|made| made.book == at).count();
        let work = &output.manifest.works[read.work];
        let _ = writeln!(
            page,
            "| {}, *{}* ({}) | {} | {all} |",
            work.author,
            work.title,
            read.id,
            columns.join(" | ")
        );
    }
    page.push_str("\nBy keyword: ");
    let words: Vec<String> =
        output.metadata.passages_by_keyword.iter().map(|(word, count)| format!("{word} {count}")).collect();
    let _ = writeln!(
        page,
        "{}.\n\nBy chapter:\n\n| book | chapter | passages |\n| --- | --- | ---: |",
        words.join(", ")
    );
    for (at, read) in output.books.iter().enumerate() {
        let mut chapters: BTreeMap<usize, usize> = BTreeMap::new();
        for made in output.made.iter().filter(|made| made.book == at) {
            *chapters.entry(made.section).or_default() += 1;
        }
        for (section, count) in chapters {
            let name = read.sections[section].name.replace('|', "\\|");
            let _ = writeln!(page, "| {} | {name} | {count} |", output.manifest.works[read.work].title);
        }
    }
    let skipped: Vec<String> = output
        .works
        .iter()
        .flat_map(|work| work.skipped_sections.iter().map(move |name| format!("{} ({})", name, work.title)))
        .collect();
    if !skipped.is_empty() {
        let _ = writeln!(page, "\nSections left out because they are malformed: {}.", skipped.join("; "));
    }
    page.push('\n');
}

/// Passages at equal distances, so that every part of the collection is represented.
fn samples(page: &mut String, made: &[BuiltPassage]) {
    let _ = writeln!(page, "## {} passages\n", SAMPLE_COUNT.min(made.len()));
    for at in 0..SAMPLE_COUNT.min(made.len()) {
        let passage = &made[at * made.len() / SAMPLE_COUNT.min(made.len())].passage;
        let _ = writeln!(
            page,
            "### {}\n\n{}, *{}*, {}. {} words; {}: {}.\n",
            passage.passage_id,
            passage.author_name,
            passage.book_title,
            passage.chapter_section,
            passage.word_count,
            passage.context_type,
            passage.keywords_matched.join(", ")
        );
        for line in passage.text.lines() {
            let _ = writeln!(page, "{}", format!("> {line}").trim_end());
        }
        page.push('\n');
    }
}
