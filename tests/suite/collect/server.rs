//! A server on the loopback that does what it is told: slow, flaky, truncating, lying, redirecting, refusing.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// One answer to one request of a path; the last of a list is repeated.
#[derive(Clone)]
pub enum Answer {
    /// The text, with its tag, in parts where asked for.
    Text(String),
    /// The text in small pieces with a pause after each.
    Slowly(String),
    /// The whole length promised, so many bytes sent.
    Cut(String, usize),
    /// So many bytes promised and sent, as if they were all.
    Short(String, usize),
    /// A status with header lines.
    Status(u16, &'static str),
    /// Another address.
    Redirect(String),
    /// The connection is closed at once.
    Hang,
    /// A body without any length.
    Unmeasured(String),
}

/// A request as it came: path and header lines in small letters.
#[derive(Debug, Clone)]
pub struct Request {
    pub path: String,
    pub headers: HashMap<String, String>,
}

type Script = Arc<Mutex<HashMap<String, Vec<Answer>>>>;

/// The server; it lives as long as the test.
pub struct Server {
    pub base: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub fn new(script: Vec<(&str, Vec<Answer>)>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let script: HashMap<String, Vec<Answer>> =
            script.into_iter().map(|(path, answers)| (path.to_owned(), answers)).collect();
        let script: Script = Arc::new(Mutex::new(script));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, heard) = (Arc::clone(&script), Arc::clone(&heard));
                // A client that went away is no fault of the server.
                thread::spawn(move || serve(stream, &script, &heard).is_ok());
            }
        });
        Server { base, requests }
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    pub fn paths(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.path).collect()
    }
}

fn serve(mut stream: TcpStream, script: &Script, heard: &Mutex<Vec<Request>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    heard.lock().unwrap().push(Request { path: path.clone(), headers: headers.clone() });
    let answer = {
        let mut script = script.lock().unwrap();
        match script.get_mut(&path) {
            Some(answers) if answers.len() > 1 => answers.remove(0),
            Some(answers) => answers[0].clone(),
            None => Answer::Status(404, ""),
        }
    };
    give(&mut stream, answer, &headers)
}

fn give(stream: &mut TcpStream, answer: Answer, headers: &HashMap<String, String>) -> std::io::Result<()> {
    let head = |status: &str, length: usize, more: &str| {
        format!(
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nETag: \"v1\"\r\nConnection: close\r\n{more}\r\n"
        )
    };
    match answer {
        Answer::Text(text) | Answer::Slowly(text)
            if headers.get("if-none-match").is_some_and(|tag| tag == "\"v1\"") =>
        {
            let _ = text;
            stream.write_all(head("304 Not Modified", 0, "").as_bytes())
        }
        Answer::Text(text) => {
            let from = asked_from(headers, &text);
            stream.write_all(part_head(&head, from, text.len()).as_bytes())?;
            stream.write_all(&text.as_bytes()[from..])
        }
        Answer::Slowly(text) => {
            let from = asked_from(headers, &text);
            stream.write_all(part_head(&head, from, text.len()).as_bytes())?;
            for piece in text.as_bytes()[from..].chunks(2000) {
                stream.write_all(piece)?;
                stream.flush()?;
                thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        }
        Answer::Cut(text, sent) => {
            let from = asked_from(headers, &text);
            stream.write_all(part_head(&head, from, text.len()).as_bytes())?;
            stream.write_all(&text.as_bytes()[from..(from + sent).min(text.len())])
        }
        Answer::Short(text, sent) => {
            stream.write_all(head("200 OK", sent, "").as_bytes())?;
            stream.write_all(&text.as_bytes()[..sent])
        }
        Answer::Status(status, more) => stream.write_all(head(&format!("{status} So"), 0, more).as_bytes()),
        Answer::Redirect(to) => {
            stream.write_all(head("302 Found", 0, &format!("Location: {to}\r\n")).as_bytes())
        }
        Answer::Hang => Ok(()),
        Answer::Unmeasured(text) => {
            stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")?;
            stream.write_all(text.as_bytes())
        }
    }
}

/// The first byte that a request wants.
fn asked_from(headers: &HashMap<String, String>, text: &str) -> usize {
    let fits = headers.get("if-range").is_some_and(|tag| tag == "\"v1\"");
    let from =
        headers.get("range").and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
    from.filter(|from| fits && *from < text.len()).unwrap_or(0)
}

fn part_head(head: &dyn Fn(&str, usize, &str) -> String, from: usize, whole: usize) -> String {
    match from {
        0 => head("200 OK", whole, ""),
        from => {
            let range = format!("Content-Range: bytes {from}-{}/{whole}\r\n", whole - 1);
            head("206 Partial Content", whole - from, &range)
        }
    }
}
