//! A server under test and a client that speaks just enough HTTP/1.1 to be exact about it.

use crate::support::Workshop;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running `pensieve serve`; killed when it is dropped.
pub struct Server {
    pub address: SocketAddr,
    child: Option<Child>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Server {
    /// Serves the database of a workshop on a free port.
    #[track_caller]
    pub fn start(place: &Workshop, flags: &[&str]) -> Server {
        Server::at(place, "127.0.0.1:0", flags)
    }

    #[track_caller]
    pub fn at(place: &Workshop, bind: &str, flags: &[&str]) -> Server {
        Server::of(place.command(["serve", "corpus.db", "--bind", bind].iter().chain(flags)))
    }

    /// A server that this command starts.
    #[track_caller]
    pub fn of(mut command: Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").map(str::parse);
        let mut address: SocketAddr = address.unwrap_or_else(|| panic!("{line:?}")).unwrap();
        if address.ip().is_unspecified() {
            address.set_ip([127, 0, 0, 1].into());
        }
        Server { address, child: Some(child) }
    }

    /// Asks for something.
    #[track_caller]
    pub fn get(&self, target: &str) -> Answer {
        self.send("GET", target, &[], b"")
    }

    /// The JSON of something that is there.
    #[track_caller]
    pub fn json(&self, target: &str) -> serde_json::Value {
        let answer = self.get(target);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, "application/json"),
            "{target}: {answer:?}"
        );
        answer.json()
    }

    /// Fails unless the answer is a problem document of this kind; its detail.
    #[track_caller]
    pub fn refuses(&self, target: &str, status: u16, kind: &str) -> String {
        self.get(target).problem(status, kind)
    }

    /// Sends a request with these headers besides `Host`; one with an empty value is left out.
    #[track_caller]
    pub fn send(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        self.raw(&[head.as_bytes(), body].concat())
    }

    /// Sends bytes and reads what comes until the server closes.
    #[track_caller]
    pub fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // A server may answer and close before it has read a body that is too large.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        Answer::read(&bytes)
    }

    /// The id of the process.
    pub fn id(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(self.child.as_ref().unwrap())
    }

    /// Asks the server to end; its exit code.
    pub fn end(mut self, signal: rustix::process::Signal) -> Option<i32> {
        rustix::process::kill_process(self.id(), signal).unwrap();
        self.child.take().unwrap().wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Answer {
    /// Reads an answer from its bytes.
    #[track_caller]
    pub fn read(bytes: &[u8]) -> Answer {
        let at =
            bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or_else(|| panic!("{bytes:?}"));
        let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let pairs = lines.map(|line| line.split_once(':').unwrap());
        let headers: Vec<(String, String)> =
            pairs.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect();
        let mut body = bytes[at + 4..].to_vec();
        if headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked") {
            body = unchunked(&body);
        }
        Answer { status, headers, body }
    }

    /// The value of a header, empty where it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Fails unless this is a problem document of this kind; its detail.
    #[track_caller]
    pub fn problem(&self, status: u16, kind: &str) -> String {
        assert_eq!(
            (self.status, self.header("content-type")),
            (status, "application/problem+json"),
            "{:?}",
            self.text()
        );
        let document = self.json();
        assert_eq!(document["type"], format!("urn:pensieve:problem:{kind}"), "{document}");
        assert_eq!(document["status"], status, "{document}");
        assert!(!document["title"].as_str().unwrap().is_empty(), "{document}");
        document["detail"].as_str().unwrap().to_owned()
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(at) = bytes.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..at]).unwrap(), 16).unwrap();
        if size == 0 {
            break;
        }
        out.extend_from_slice(&bytes[at + 2..at + 2 + size]);
        bytes = &bytes[at + 2 + size + 2..];
    }
    out
}
