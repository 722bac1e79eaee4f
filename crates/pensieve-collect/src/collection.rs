//! A collection before it is written: books, passages, and the metadata computed from them.

use crate::manifest::Manifest;
use crate::metadata::{BookEntry, CollectionMetadata};
use crate::passage::{BuiltPassage, ExtractionDate, ScoreStep};
use crate::reading::{PreparedBook, set_names};
use crate::report::WorkReport;
use pensieve_text::model::numbers::counted;
use std::collections::BTreeMap;

/// Everything that is written.
#[derive(Debug)]
pub struct CollectionOutput<'o> {
    /// The manifest.
    pub manifest: &'o Manifest,
    /// The books that were read.
    pub books: &'o [PreparedBook],
    /// The passages, in order.
    pub made: &'o [BuiltPassage],
    /// The outcome for each work.
    pub works: &'o [WorkReport],
    /// The metadata of the passages.
    pub metadata: CollectionMetadata,
}

/// The metadata of passages.
pub fn metadata(
    manifest: &Manifest,
    books: &[PreparedBook],
    made: &[BuiltPassage],
    works: &[WorkReport],
    steps: Vec<ScoreStep>,
    moment: &ExtractionDate,
) -> CollectionMetadata {
    let of_book = |book: usize| made.iter().filter(|made| made.book == book).count();
    let mut authors: Vec<String> = Vec::new();
    for read in books {
        let author = &manifest.works[read.work].author;
        if !authors.contains(author) {
            authors.push(author.clone());
        }
    }
    let entry = |(at, read): (usize, &PreparedBook)| {
        let work = &manifest.works[read.work];
        BookEntry {
            book_id: read.id,
            book_title: work.title.clone(),
            author_name: work.author.clone(),
            language: work.language.clone(),
            passages: of_book(at),
            sha256: works[read.work].sha256.clone().unwrap_or_default(),
        }
    };
    let mut by_context: BTreeMap<String, usize> =
        set_names(manifest).into_iter().map(|name| (name, 0)).collect();
    let mut by_keyword = BTreeMap::new();
    for made in made {
        *by_context.entry(made.passage.context_type.clone()).or_default() += 1;
        for keyword in &made.passage.keywords_matched {
            *by_keyword.entry(keyword.clone()).or_default() += 1;
        }
    }
    CollectionMetadata {
        total_passages: made.len(),
        extraction_date: moment.date.clone(),
        books_processed: books.len(),
        authors,
        collection: manifest.collection.name.clone(),
        description: manifest.collection.description.clone(),
        generator: concat!("pensieve ", env!("CARGO_PKG_VERSION")).to_owned(),
        books: books.iter().enumerate().map(entry).collect(),
        passages_by_context: by_context,
        passages_by_keyword: by_keyword,
        shortfall: shortfall(manifest, books, made, &steps),
        steps,
        target: manifest.rules.target,
        character_names_source: "speech tags such as `said Tom`; incomplete by nature".to_owned(),
    }
}

/// Why there are fewer passages than the target.
fn shortfall(
    manifest: &Manifest,
    books: &[PreparedBook],
    made: &[BuiltPassage],
    steps: &[ScoreStep],
) -> Option<String> {
    let (least, _) = manifest.rules.target?;
    if made.len() >= least {
        return None;
    }
    let (mut paragraphs, mut words) = (0, 0);
    for read in books {
        for (_, section) in read.text_sections() {
            for block in read.blocks[section.first..section.end].iter().filter(|block| block.kind.is_text()) {
                words += block.words;
                paragraphs += usize::from(!read.lexicon.matches(read.book.text(), block.span).is_empty());
            }
        }
    }
    let last = steps.last()?;
    Some(format!(
        "{} of at least {least} passages: {} with {words} words in all and {paragraphs} paragraphs with keywords; at the lowest score, {}, \
         {} candidates without overlap reach it, of which {} are nearly the same as others; lower scores and repeated text would only pad",
        made.len(),
        counted(books.len() as u64, "text"),
        last.min_score,
        last.candidates,
        last.near_identical
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::manifest::parse;
    use crate::passage::{choose_all, make};
    use std::path::Path;

    #[test]
    fn a_shortfall_is_explained_with_its_numbers() {
        let text = "[collection]\nname = \"x\"\n[keywords.weather]\nwords = [\"rain\"]\n[rules]\nwords = [8, 60]\n\
                    bounds = [8, 80]\nmin_score = 0.1\nsteps = []\ntarget = [2, 9]\n[[works]]\nauthor = \"Ann Other\"\n\
                    author_id = \"other\"\ntitle = \"The Pier\"\nslug = \"pier\"\ngutenberg_id = 9\npublication_year = 1899\n";
        let manifest = parse(text, Path::new("m.toml")).unwrap();
        let book = "CHAPTER I\n\nThe rain fell on the pier all night, and on\nthe keeper too.\n\nNobody else was there.\n\n[Illustration: rain]\n";
        let book = Book::of(book.as_bytes(), &manifest.rules);
        let books = [PreparedBook::new(&manifest, 0, 9, book)];
        let chosen = choose_all(&books, &manifest.rules);
        let made = make(&books, &manifest, &chosen, &ExtractionDate::at(0));
        let short = |made: &[BuiltPassage]| shortfall(&manifest, &books, made, &chosen.steps);
        let expected = "1 of at least 2 passages: 1 text with 17 words in all and 1 paragraphs with keywords; at the lowest score, 0.1, \
                        1 candidates without overlap reach it, of which 0 are nearly the same as others; lower scores and repeated text would only pad";
        assert_eq!(short(&made).as_deref(), Some(expected));
        assert_eq!(short(&[made[0].clone(), made[0].clone()]), None);
        let works = crate::report::WorkReport::of(&manifest.works[0]);
        let found = metadata(&manifest, &books, &made, &[works], Vec::new(), &ExtractionDate::at(0));
        assert_eq!(
            (found.total_passages, found.books_processed, found.authors),
            (1, 1, vec!["Ann Other".to_owned()])
        );
    }
}
