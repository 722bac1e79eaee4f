//! What each address of a work answered, for the report: no request goes unmentioned.

use serde::{Deserialize, Serialize};

/// What an address gave in the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressAnswer {
    /// The address.
    pub url: String,
    /// Its last answer, in words.
    pub answer: String,
}

/// The last answer of each address of a work, in the order in which they were first asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AddressAnswers(Vec<AddressAnswer>);

impl AddressAnswers {
    /// Records an answer in place of an earlier one of the same address.
    pub fn note(&mut self, url: &str, answer: impl Into<String>) {
        let answer = answer.into();
        match self.0.iter_mut().find(|known| known.url == url) {
            Some(known) => known.answer = answer,
            None => self.0.push(AddressAnswer { url: url.to_owned(), answer }),
        }
    }

    /// True if an address has an answer.
    pub fn has(&self, url: &str) -> bool {
        self.0.iter().any(|known| known.url == url)
    }

    /// True if nothing was asked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All answers in a line, equal ones together: `https://a/1.txt: answered 503; 6 addresses: answered 404`.
    pub fn summary(&self) -> String {
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for one in &self.0 {
            match groups.iter_mut().find(|(answer, _)| *answer == one.answer) {
                Some((_, urls)) => urls.push(&one.url),
                None => groups.push((&one.answer, vec![&one.url])),
            }
        }
        let lines: Vec<String> = groups
            .iter()
            .map(|(answer, urls)| match urls[..] {
                [url] => format!("{url}: {answer}"),
                _ => format!("{} addresses: {answer}", urls.len()),
            })
            .collect();
        lines.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_answers_are_told_together_and_later_ones_replace_earlier_ones() {
        let mut answers = AddressAnswers::default();
        for (url, answer) in
            [("a/1", "answered 503"), ("a/2", "answered 404"), ("b/1", "answered 404"), ("a/1", "is empty")]
        {
            answers.note(url, answer);
        }
        assert_eq!(answers.summary(), "a/1: is empty; 2 addresses: answered 404");
        assert!(answers.has("b/1") && !answers.has("c/1") && !answers.is_empty());
    }
}
