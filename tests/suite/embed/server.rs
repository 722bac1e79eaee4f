//! A service for vectors on the loopback: OpenAI's protocol, and every way to fail that it is told.
//!
//! A vector is made of the words of its text, so that texts with the same words are near each other.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Numbers in a vector.
pub const DIMENSIONS: usize = 48;

/// How a request fails.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// A status with a header line, and a message.
    Status(u16, &'static str),
    /// The connection is closed without an answer.
    Drop,
    /// The answer is closed in its middle.
    Cut,
    /// The right answer, too late.
    Slow(u64),
    /// One vector less than texts.
    WrongCount,
    /// Vectors that are too short.
    WrongDimension,
    /// A word that is no number.
    NotANumber,
    /// A page, with status 200.
    Page,
}

/// What the server does and has seen.
#[derive(Default)]
struct State {
    /// The faults of the next requests; when they are used up, requests succeed.
    faults: Vec<Fault>,
    /// A request fails in this way if one of its texts has the words.
    poison: Option<(String, Fault)>,
    /// How long each answer takes.
    pause: Duration,
    requests: Vec<Request>,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    pub authorization: Option<String>,
    pub body: Value,
    /// True if vectors were sent back.
    pub is_answered: bool,
}

impl Request {
    pub fn texts(&self) -> Vec<String> {
        self.body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }
}

/// The server; it lives as long as the test.
pub struct EmbeddingServer {
    pub endpoint: String,
    state: Arc<Mutex<State>>,
}

impl EmbeddingServer {
    pub fn new() -> EmbeddingServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/v1/embeddings", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                // A client that went away is no fault of the server.
                thread::spawn(move || serve(stream, &state).is_ok());
            }
        });
        EmbeddingServer { endpoint, state }
    }

    /// The next requests fail in these ways.
    pub fn fail(&self, faults: &[Fault]) {
        let mut faults = faults.to_vec();
        faults.reverse();
        self.state.lock().unwrap().faults = faults;
    }

    /// Requests with these words fail.
    pub fn poison(&self, words: &str, fault: Fault) {
        self.state.lock().unwrap().poison = Some((words.to_owned(), fault));
    }

    /// No request fails any more.
    pub fn heal(&self) {
        let mut state = self.state.lock().unwrap();
        state.faults.clear();
        state.poison = None;
    }

    pub fn answer_after(&self, pause: Duration) {
        self.state.lock().unwrap().pause = pause;
    }

    pub fn requests(&self) -> Vec<Request> {
        self.state.lock().unwrap().requests.clone()
    }

    /// Forgets the requests so far.
    pub fn forget(&self) {
        self.state.lock().unwrap().requests.clear();
    }

    /// How often the vector of each text was sent back.
    pub fn paid(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for request in self.requests().iter().filter(|request| request.is_answered) {
            for text in request.texts() {
                *counts.entry(text).or_default() += 1;
            }
        }
        counts
    }
}

fn serve(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            if line.trim_end().is_empty() { break } else { continue }
        };
        match name.to_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body: Value = serde_json::from_slice(&body).unwrap();
    let (fault, pause) = {
        let mut state = state.lock().unwrap();
        let request =
            Request { authorization: authorization.clone(), body: body.clone(), is_answered: false };
        let fault = state.faults.pop().or_else(|| poisoned(&state, &request));
        let is_answered = matches!(fault, None | Some(Fault::Slow(_)));
        state.requests.push(Request { is_answered, ..request });
        (fault, state.pause)
    };
    thread::sleep(pause);
    give(&mut stream, &body, fault, authorization.unwrap_or_default())
}

fn poisoned(state: &State, request: &Request) -> Option<Fault> {
    let (words, fault) = state.poison.as_ref()?;
    request.texts().iter().any(|text| text.contains(words)).then(|| fault.clone())
}

fn give(
    stream: &mut TcpStream,
    body: &Value,
    fault: Option<Fault>,
    authorization: String,
) -> std::io::Result<()> {
    let texts: Vec<&str> =
        body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let dimensions = body["dimensions"].as_u64().unwrap_or(DIMENSIONS as u64) as usize;
    let right = answer(&texts, dimensions);
    let (status, more, text) = match fault {
        None => (200, "", right),
        Some(Fault::Slow(milliseconds)) => {
            thread::sleep(Duration::from_millis(milliseconds));
            (200, "", right)
        }
        Some(Fault::Drop) => return Ok(()),
        Some(Fault::Cut) => {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", right.len());
            stream.write_all(head.as_bytes())?;
            return stream.write_all(&right.as_bytes()[..right.len() / 2]);
        }
        Some(Fault::Status(status, more)) => {
            // Some services repeat what they were sent.
            let message = format!("not now: {authorization}");
            (status, more, json!({"error": {"message": message}}).to_string())
        }
        Some(Fault::WrongCount) => (200, "", answer(&texts[1..], dimensions)),
        Some(Fault::WrongDimension) => (200, "", answer(&texts, dimensions - 1)),
        Some(Fault::NotANumber) => (200, "", right.replacen("\"embedding\":[", "\"embedding\":[NaN,", 1)),
        Some(Fault::Page) => (200, "", "<!DOCTYPE html><title>Sign in</title>".to_owned()),
    };
    let head =
        format!("HTTP/1.1 {status} So\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n", text.len());
    stream.write_all(head.as_bytes())?;
    stream.write_all(text.as_bytes())
}

fn answer(texts: &[&str], dimensions: usize) -> String {
    let data = texts.iter().enumerate().map(
        |(index, text)| json!({"object": "embedding", "index": index, "embedding": vector(text, dimensions)}),
    );
    let data: Vec<Value> = data.collect();
    json!({"object": "list", "data": data, "model": "words", "usage": {"total_tokens": 7 * texts.len()}})
        .to_string()
}

/// A count for each word, at a place that its letters decide.
pub fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    let mut numbers = vec![0.01_f32; dimensions];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let hash =
            word.to_lowercase().bytes().fold(17_usize, |hash, byte| hash.wrapping_mul(31) + byte as usize);
        numbers[hash % dimensions] += 1.0;
    }
    numbers
}
