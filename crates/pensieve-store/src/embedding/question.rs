//! [`QuestionEmbedder`]: the vector of a question, from the same service as the vectors of chunks.

use super::client::{Answer, EmbeddingClient};
use super::settings::EmbeddingSettings;
use crate::store::{QueryVector, SearchMode, Store, StoreError};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// How long a question may wait for its vector.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Questions whose vectors are remembered: the pages of an answer ask the same one again.
const REMEMBERED: usize = 64;

/// Why a question has no vector.
#[derive(Debug, Error)]
pub enum QuestionError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Without a vector the question can still be answered by its words.
    #[error("{0}")]
    Unavailable(String),
}

/// Makes vectors of questions, and knows how questions are answered unless a caller says otherwise.
#[derive(Debug)]
pub struct QuestionEmbedder {
    /// The service, or why there is none.
    settings: Result<EmbeddingSettings, String>,
    /// The mode that the user chose in the configuration.
    mode: Option<SearchMode>,
    known: Mutex<VecDeque<KnownQuestion>>,
}

#[derive(Debug)]
struct KnownQuestion {
    text: String,
    dimensions: usize,
    numbers: Vec<f32>,
}

impl QuestionEmbedder {
    /// An embedder that asks a service, or the reason why there is none.
    pub fn new(settings: Result<EmbeddingSettings, String>, mode: Option<SearchMode>) -> QuestionEmbedder {
        QuestionEmbedder { settings, mode, known: Mutex::default() }
    }

    /// An embedder without a service: questions are answered by their words.
    pub fn none() -> QuestionEmbedder {
        QuestionEmbedder::new(Err("no service for vectors is configured".to_owned()), None)
    }

    /// How a question is answered: as asked for, else as configured, else as the database has it.
    pub fn mode(&self, store: &Store, asked: Option<SearchMode>) -> Result<SearchMode, StoreError> {
        match asked.or(self.mode) {
            Some(mode) => Ok(mode),
            None => Ok(store.meta().search_mode()?.unwrap_or_default()),
        }
    }

    /// The vector of a question, to be compared with those of a database.
    ///
    /// # Errors
    /// There is no service, the database has no vectors of its model, or it gave no vector in time.
    ///
    /// Cost: one request; none for a question that was asked before.
    pub fn vector(&self, store: &Store, question: &str) -> Result<QueryVector, QuestionError> {
        let unavailable = |reason: String| Err(QuestionError::Unavailable(reason));
        let settings = match &self.settings {
            Ok(settings) => settings,
            Err(reason) => return unavailable(reason.clone()),
        };
        let (model, vectors) = (&settings.model, store.vectors());
        let dimensions = match settings.dimensions {
            Some(dimensions) => Some(dimensions),
            None => vectors.native_dimensions(model)?,
        };
        let Some(dimensions) = dimensions else { return unavailable(no_vectors(model)) };
        if !vectors.has(model, dimensions)? {
            return unavailable(no_vectors(model));
        }
        let numbers = self.numbers(settings, question, dimensions).map_err(QuestionError::Unavailable)?;
        Ok(QueryVector { model: model.clone(), prefix: settings.prefix_document.clone(), numbers })
    }

    /// The numbers of a question, remembered or new; the error says why there are none.
    fn numbers(
        &self,
        settings: &EmbeddingSettings,
        question: &str,
        dimensions: usize,
    ) -> Result<Vec<f32>, String> {
        let text = format!("{}{question}", settings.prefix_query);
        let is_known = |known: &&KnownQuestion| known.text == text && known.dimensions == dimensions;
        if let Some(known) = self.known().iter().find(is_known) {
            return Ok(known.numbers.clone());
        }
        let numbers = ask(settings, &text)?;
        if numbers.len() != dimensions || numbers.iter().any(|number| !number.is_finite()) {
            return Err(format!("the vector of the question is not {dimensions} numbers"));
        }
        let mut known = self.known();
        known.truncate(REMEMBERED - 1);
        known.push_front(KnownQuestion { text, dimensions, numbers: numbers.clone() });
        Ok(numbers)
    }

    fn known(&self) -> MutexGuard<'_, VecDeque<KnownQuestion>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_vectors(model: &str) -> String {
    format!("the database has no vectors of `{model}`; `pensieve embed` makes them")
}

/// Asks once: a person waits for the answer, and words have one.
fn ask(settings: &EmbeddingSettings, text: &str) -> Result<Vec<f32>, String> {
    let client = EmbeddingClient::new(settings, settings.timeout.min(MAX_WAIT));
    let reason = match client.send(&[text.to_owned()]) {
        Answer::Vectors(answer) => return Ok(answer.vectors.into_iter().next().unwrap_or_default()),
        Answer::Busy { reason, .. } | Answer::Failed { reason, .. } | Answer::Rejected(reason) => reason,
        Answer::Fatal(error) => return Err(error.to_string()),
    };
    Err(format!("{} gave no vector: {reason}", settings.endpoint))
}

#[cfg(test)]
mod tests {
    use super::super::testing::settings;
    use super::*;
    use crate::store::testing::store;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// Settings of a service that gives one answer to so many requests.
    fn service(answer: &'static str, requests: usize) -> EmbeddingSettings {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for stream in listener.incoming().take(requests) {
                let (mut stream, mut request) = (stream.unwrap(), Vec::new());
                while !request.ends_with(b"}") {
                    let mut part = [0; 4096];
                    let read = stream.read(&mut part).unwrap();
                    request.extend_from_slice(&part[..read]);
                }
                let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length:";
                write!(stream, "{head} {}\r\n\r\n{answer}", answer.len()).unwrap();
            }
        });
        EmbeddingSettings { endpoint: super::super::Endpoint::parse(&address).unwrap(), ..settings() }
    }

    #[test]
    fn the_last_questions_are_remembered() {
        let settings = service(r#"{"data": [{"embedding": [1, 2]}]}"#, REMEMBERED + 3);
        let embedder = QuestionEmbedder::new(Ok(settings.clone()), None);
        for at in 0..REMEMBERED + 2 {
            assert_eq!(embedder.numbers(&settings, &at.to_string(), 2), Ok(vec![1.0, 2.0]));
            assert_eq!(embedder.known().len(), REMEMBERED.min(at + 1));
        }
        let first = |embedder: &QuestionEmbedder| embedder.known().front().map(|known| known.text.clone());
        assert_eq!(first(&embedder).as_deref(), Some("query: 65"));
        // A known question is not asked again, and stays where it is.
        assert_eq!(embedder.numbers(&settings, "3", 2), Ok(vec![1.0, 2.0]));
        assert_eq!(first(&embedder).as_deref(), Some("query: 65"));
        assert_eq!(embedder.numbers(&settings, "0", 2), Ok(vec![1.0, 2.0]));
        assert_eq!(first(&embedder).as_deref(), Some("query: 0"));
    }

    #[test]
    fn a_vector_of_a_question_is_so_many_numbers() {
        let check = |answer: &'static str, dimensions: usize| {
            let embedder = QuestionEmbedder::none();
            let expected = format!("the vector of the question is not {dimensions} numbers");
            assert_eq!(embedder.numbers(&service(answer, 1), "q", dimensions), Err(expected));
            assert_eq!(embedder.known().len(), 0);
        };
        check(r#"{"data": [{"embedding": [1, 2]}]}"#, 3);
        check(r#"{"data": [{"embedding": [1, null]}]}"#, 2);
    }

    #[test]
    fn a_question_has_no_vector_without_a_service_or_vectors_of_its_model() {
        let store = store();
        let reason = |embedder: &QuestionEmbedder| embedder.vector(&store, "q").unwrap_err().to_string();
        assert_eq!(reason(&QuestionEmbedder::none()), "no service for vectors is configured");
        let expected = "the database has no vectors of `m`; `pensieve embed` makes them";
        for dimensions in [None, Some(2)] {
            let settings = EmbeddingSettings { dimensions, ..settings() };
            assert_eq!(reason(&QuestionEmbedder::new(Ok(settings), None)), expected);
        }
    }

    #[test]
    fn the_mode_that_is_asked_for_comes_first() {
        let store = store();
        let mode = |own: Option<SearchMode>, asked: Option<SearchMode>| {
            QuestionEmbedder::new(Err(String::new()), own).mode(&store, asked).unwrap()
        };
        let [words, vectors] = [SearchMode::Words, SearchMode::Vectors].map(Some);
        assert_eq!(mode(words, vectors), SearchMode::Vectors);
        assert_eq!(mode(vectors, None), SearchMode::Vectors);
        assert_eq!(mode(None, None), SearchMode::default());
    }
}
