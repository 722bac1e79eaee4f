//! Refuses shards that do not make one corpus, before anything is written.

use super::error::MergeError;
use pensieve_store::store::{CorpusSettings, Root, ShardContents, ShardFacts, ShardPool};
use std::path::PathBuf;

/// Shards that fit together.
#[derive(Debug)]
pub(super) struct MergeInput {
    /// Their roots, in the order in which the shards were given; the first has the number 1.
    pub roots: Vec<Root>,
    /// The settings of all of them.
    pub settings: CorpusSettings,
    /// True if they have search tables.
    pub has_search: bool,
    /// Which shard has which file.
    pub contents: ShardContents,
}

/// Reads what shards must have in common, and where their files are.
///
/// # Errors
/// A shard is not complete, or two of them do not fit together.
pub(super) fn check(shards: &mut ShardPool) -> Result<MergeInput, MergeError> {
    let mut first: Option<(ShardFacts, CorpusSettings)> = None;
    let mut roots: Vec<Root> = Vec::new();
    let contents = ShardContents::new()?;
    for shard in 0..shards.count() {
        let (facts, settings) = facts_of(shard, shards)?;
        let numbers = facts.roots.iter().map(|root| Ok((root.root_id, number_of(root, &mut roots)?)));
        let numbers = numbers.collect::<Result<Vec<_>, MergeError>>()?;
        contents.add(shard, shards.get(shard)?, &numbers)?;
        match &mut first {
            None => first = Some((facts, settings)),
            Some((known, known_settings)) => {
                let difference = settings_difference(known_settings, &settings)
                    .or_else(|| storage_difference(known, &facts))
                    .or_else(|| recipe_difference(known, &facts));
                if let Some(difference) = difference {
                    let [first, second] = [0, shard].map(|shard| shards.path(shard).clone());
                    return Err(MergeError::Settings { first, second, difference });
                }
                known.keeps_raw = known.keeps_raw.or(facts.keeps_raw);
                known.recipes.extend(facts.recipes);
            }
        }
    }
    if let Some((path, first, second)) = contents.overlap()? {
        let [first, second] = [first, second].map(|shard| shards.path(shard).clone());
        return Err(MergeError::SameFile { first, second, path });
    }
    let Some((facts, settings)) = first else {
        return Err(MergeError::Unfinished {
            path: PathBuf::new(),
            reason: "there are no shards".to_owned(),
        });
    };
    Ok(MergeInput { roots, settings, has_search: facts.has_search, contents })
}

/// The facts of a shard that is complete and has today's schema.
fn facts_of(shard: usize, shards: &mut ShardPool) -> Result<(ShardFacts, CorpusSettings), MergeError> {
    let path = shards.path(shard).clone();
    let store = shards.get(shard)?;
    let (found, known) = store.shard().schema()?;
    if found != known {
        return Err(MergeError::Older { path, found, known });
    }
    let facts = store.shard().facts()?;
    let unfinished = |reason: String| MergeError::Unfinished { path: path.clone(), reason };
    if !facts.is_finished {
        return Err(unfinished("its last run did not come to its end".to_owned()));
    }
    if facts.waiting > 0 {
        return Err(unfinished(format!("{} of its files wait to be read", facts.waiting)));
    }
    match facts.settings.clone() {
        Some(settings) => Ok((facts, settings)),
        None => Err(unfinished("no folder was read into it".to_owned())),
    }
}

/// The number of a root in the new database, from 1.
fn number_of(root: &Root, roots: &mut Vec<Root>) -> Result<i64, MergeError> {
    if let Some(at) = roots.iter().position(|known| known.path == root.path) {
        return Ok(at as i64 + 1);
    }
    let is_inside = |inner: &Root, outer: &Root| inner.location.starts_with(&outer.location);
    for known in roots.iter() {
        let nested = match (is_inside(root, known), is_inside(known, root)) {
            (true, _) => (root, known),
            (_, true) => (known, root),
            _ => continue,
        };
        return Err(MergeError::NestedRoots { inner: nested.0.path.clone(), outer: nested.1.path.clone() });
    }
    roots.push(root.clone());
    Ok(roots.len() as i64)
}

fn settings_difference(first: &CorpusSettings, second: &CorpusSettings) -> Option<String> {
    let values = |settings: &CorpusSettings| {
        [
            ("tokenizer_model", settings.tokenizer.clone()),
            ("chunk_size", settings.chunk_size.to_string()),
            ("chunk_overlap", settings.chunk_overlap.to_string()),
            ("clean version", settings.clean_version.clone()),
        ]
    };
    let pairs = values(first).into_iter().zip(values(second));
    let different = pairs.into_iter().find(|(first, second)| first != second);
    different.map(|((name, first), (_, second))| format!("{name} {first} and {second}"))
}

/// What is stored besides clean text and chunks.
fn storage_difference(first: &ShardFacts, second: &ShardFacts) -> Option<String> {
    if first.has_search != second.has_search {
        return Some(format!("store.fts {} and {}", first.has_search, second.has_search));
    }
    let (one, two) = first.keeps_raw.zip(second.keeps_raw).filter(|(one, two)| one != two)?;
    let shown = |keeps: bool| if keeps { "with" } else { "without" };
    Some(format!("store.keep {} and {} raw text", shown(one), shown(two)))
}

/// Files of one format and extension must have been read, cleaned and cut with the same settings.
fn recipe_difference(first: &ShardFacts, second: &ShardFacts) -> Option<String> {
    second.recipes.iter().find_map(|(kind, example)| {
        let known = first.recipes.get(kind).filter(|known| known.settings_hash != example.settings_hash)?;
        let format = kind.0.as_deref().unwrap_or("unknown");
        Some(format!(
            "documents of format {format}, such as `{}` and `{}`, were read, cleaned or cut differently",
            known.path, example.path
        ))
    })
}
