//! Servers that answer with a page whatever is asked: a sign-in, a portal on the way, a "not found" with status 200.
//!
//! One page may stand where a text is missing, and the next address has it. The same page again and again says that the
//! server has no texts for this client, and every further request is a burden for it and time lost here.

use crate::stage_checks::is_page;
use pensieve_text::model::ContentHash;
use std::collections::BTreeMap;

/// The same page so many times is no accident of one address.
const MAX_EQUAL_PAGES: u32 = 3;

/// Letters of a title that a message shows.
const TITLE_LETTERS: usize = 60;

/// The pages that came where texts were expected.
#[derive(Debug, Default)]
pub struct ServerPages(BTreeMap<String, u32>);

impl ServerPages {
    /// Counts what came from a server, if it is a page; returns why the server is asked no more, once that is so. Pages of one
    /// server are the same if their titles are, since they may repeat the address; those of several if their bytes are.
    pub fn note(&mut self, base: &str, bytes: &[u8]) -> Option<String> {
        if !is_page(bytes) {
            return None;
        }
        let title = title(bytes);
        let keys = [format!("{base} {title}"), ContentHash::of(bytes).to_hex()];
        let counts = keys.map(|key| {
            let count = self.0.entry(key).or_default();
            *count += 1;
            *count
        });
        let shown = if title.is_empty() { String::new() } else { format!(" (“{title}”)") };
        (counts.into_iter().max() >= Some(MAX_EQUAL_PAGES))
            .then(|| format!("{base} answers with the same page{shown} where texts are expected"))
    }
}

/// The title of a page, on one line.
fn title(page: &[u8]) -> String {
    let page = String::from_utf8_lossy(page);
    // Same offsets: only ASCII letters change.
    let lower = page.to_ascii_lowercase();
    let title = lower.find("<title").and_then(|at| {
        let start = at + lower[at..].find('>')? + 1;
        page[start..].split('<').next()
    });
    let words: Vec<&str> = title.unwrap_or_default().split_whitespace().collect();
    words.join(" ").chars().filter(|c| !c.is_control()).take(TITLE_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_left_out_after_the_same_page_three_times() {
        let mut pages = ServerPages::default();
        let page = |at: &str| format!("<html><TITLE>Sign\n in</title><p>You asked for {at}.");
        assert_eq!(pages.note("http://a", b"A text about <title>.</title>"), None);
        assert_eq!(pages.note("http://a", page("1").as_bytes()), None);
        assert_eq!(pages.note("http://a", page("2").as_bytes()), None);
        assert_eq!(pages.note("http://b", page("2").as_bytes()), None);
        let expected = "http://a answers with the same page (“Sign in”) where texts are expected";
        assert_eq!(pages.note("http://a", page("3").as_bytes()).as_deref(), Some(expected));
        // Something on the way answers for every server.
        assert!(pages.note("http://c", page("2").as_bytes()).is_some());
        assert_eq!(pages.note("http://c", b"<html>Another"), None);
    }
}
