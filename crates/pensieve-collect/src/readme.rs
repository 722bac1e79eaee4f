//! The README of a collection: what the data is, how it was made, what it contains, and ten sample passages.

use crate::collection::CollectionOutput;
use crate::manifest::{MarkupPolicy, PassageRules};
use crate::passage::BuiltPassage;
use crate::reading::set_names;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::ExtractionDate;
    use crate::{book::Book, manifest, passage, reading::PreparedBook};
    use std::path::Path;

    /// Passages of a book with a chapter for each word.
    fn made(words: &[&str]) -> Vec<BuiltPassage> {
        let text = "[collection]\nname = \"x\"\n[keywords.weather]\nwords = [\"rain\"]\n[rules]\nwords = [8, 60]\n\
                    bounds = [8, 80]\nmin_score = 0.1\nmax_overlap = 1.0\nsteps = []\n[[works]]\nauthor = \"Ann Other\"\nauthor_id = \"other\"\n\
                    title = \"The Pier\"\nslug = \"pier\"\ngutenberg_id = 9\npublication_year = 1899\n";
        let manifest = manifest::parse(text, Path::new("m.toml")).unwrap();
        let chapters = words.iter().enumerate().map(|(at, word)| {
            let numbered: Vec<String> = (0..8).map(|n| format!("{word}{n}")).collect();
            format!(
                "CHAPTER {}\n\nThe rain {}\nand then it rained on everybody there.\n\n",
                at + 1,
                numbered.join(" ")
            )
        });
        let book = Book::of(chapters.collect::<String>().as_bytes(), &manifest.rules);
        let books = [PreparedBook::new(&manifest, 0, 9, book)];
        let chosen = passage::choose_all(&books, &manifest.rules);
        passage::make(&books, &manifest, &chosen, &ExtractionDate::at(0))
    }

    #[test]
    fn samples_are_at_equal_distances() {
        let check = |count: usize, expected: &[usize]| {
            let words: Vec<String> = (0..count).map(|at| format!("w{at}x")).collect();
            let made = made(&words.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(made.len(), count);
            let mut page = String::new();
            samples(&mut page, &made);
            assert!(page.starts_with(&format!("## {} passages\n", expected.len())), "{page}");
            let shown: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("### ")).collect();
            let expected: Vec<&str> =
                expected.iter().map(|at| made[*at].passage.passage_id.as_str()).collect();
            assert_eq!(shown, expected);
        };
        check(0, &[]);
        check(3, &[0, 1, 2]);
        check(13, &[0, 1, 2, 3, 5, 6, 7, 9, 10, 11]);
    }

    #[test]
    fn a_sample_is_quoted_below_its_facts() {
        let mut page = String::new();
        let made = made(&["reed"]);
        samples(&mut page, &made);
        let expected = format!(
            "## 1 passages\n\n### {}\n\nAnn Other, *The Pier*, CHAPTER 1. 17 words; weather: rain.\n\n\
             > The rain reed0 reed1 reed2 reed3 reed4 reed5 reed6 reed7\n> and then it rained on everybody there.\n\n",
            made[0].passage.passage_id
        );
        assert_eq!(page, expected);
    }
}
