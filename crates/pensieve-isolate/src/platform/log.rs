//! What is kept of the standard error of a program.

use std::collections::VecDeque;

/// The first and the last 4 KiB of a stream of any length: messages about a failure are at one of the two ends.
#[derive(Debug, Default)]
pub(super) struct HeadTail {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl HeadTail {
    const END_BYTES: usize = 4096;

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(Self::END_BYTES - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let surplus = self.tail.len().saturating_sub(Self::END_BYTES);
        self.tail.drain(..surplus);
        self.left_out += surplus as u64;
    }

    pub(super) fn to_text(&self) -> String {
        let mut bytes = self.head.clone();
        if self.left_out > 0 {
            bytes.extend_from_slice(format!("\n... {} bytes left out ...\n", self.left_out).as_bytes());
        }
        bytes.extend(&self.tail);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_long_log_are_kept() {
        let mut log = HeadTail::default();
        log.push(b"first ");
        for _ in 0..10_000 {
            log.push(b"noise ");
        }
        log.push(b"last");
        let text = log.to_text();
        assert!(text.starts_with("first noise") && text.ends_with("noise last") && text.len() < 9000);
        assert!(text.contains("bytes left out"), "{text}");
    }

    #[test]
    fn a_short_log_is_kept_whole() {
        let mut log = HeadTail::default();
        log.push(&[b'x'; 4090]);
        log.push(b"0123456789");
        assert!(log.to_text().ends_with("x0123456789"));
    }
}
