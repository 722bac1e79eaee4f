//! Token counters by the name of their encoding.

use pensieve_text::text::tokens::{TokenCounter, Tokenizer};
use std::collections::BTreeMap;

/// A counter for each encoding that chunks name.
#[derive(Default)]
pub(super) struct TokenCounters(BTreeMap<String, Option<TokenCounter>>);

impl TokenCounters {
    pub fn get(&mut self, model: &str) -> Option<&mut TokenCounter> {
        if !self.0.contains_key(model) {
            let counter = Tokenizer::named(model).ok().map(Tokenizer::counter);
            self.0.insert(model.to_owned(), counter);
        }
        self.0.get_mut(model)?.as_mut()
    }
}
