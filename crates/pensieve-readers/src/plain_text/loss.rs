//! What a text file shows to be lost: a block of zeros, or its end, where the format says how a file ends.

use super::element_end::ElementEnd;
use super::json_end::{JsonEnd, JsonLayout};
use super::marked_end::MarkedEnd;
use pensieve_text::format::Format;
use pensieve_text::text::decode::ZeroBlockSearch;

/// Searches a file that arrives in parts for what is lost.
pub(super) struct LossSearch {
    zeros: ZeroBlockSearch,
    end: EndSearch,
}

/// How the end of a file is recognised.
enum EndSearch {
    Json(JsonEnd),
    Element(ElementEnd),
    Marked(MarkedEnd),
    /// The first text decides.
    ByContent,
    Unknown,
}

impl LossSearch {
    pub(super) fn new(format: &Format) -> LossSearch {
        LossSearch { zeros: ZeroBlockSearch::default(), end: EndSearch::of(format) }
    }

    /// Searches the next bytes of the file.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.zeros.push(bytes);
    }

    /// Searches the next text of the file.
    pub(super) fn text(&mut self, text: &str) {
        if matches!(self.end, EndSearch::ByContent) && !text.is_empty() {
            self.end = EndSearch::by_content(text);
        }
        match &mut self.end {
            EndSearch::Json(end) => end.push(text),
            EndSearch::Element(end) => end.push(text),
            EndSearch::Marked(end) => end.push(text),
            EndSearch::ByContent | EndSearch::Unknown => {}
        }
    }

    /// What is lost of the whole file, if anything.
    pub(super) fn damage(&self) -> Option<String> {
        if let Some(first) = self.zeros.first() {
            return Some(format!("a block of the file is nothing but zeros, from byte {first} on"));
        }
        let is_cut = match &self.end {
            EndSearch::Json(end) => end.is_open().then_some("the file ends before its last bracket"),
            EndSearch::Element(end) => end.is_open().then_some("the file ends before its last tag"),
            EndSearch::Marked(end) => end.is_open().then_some("the file ends before its last line"),
            EndSearch::ByContent | EndSearch::Unknown => None,
        };
        is_cut.map(|what| format!("{what}: it was cut short"))
    }
}

impl EndSearch {
    fn of(format: &Format) -> EndSearch {
        match format.name {
            "json" => EndSearch::Json(JsonEnd::new(JsonLayout::Free)),
            "jsonl" => EndSearch::Json(JsonEnd::new(JsonLayout::Lines)),
            "xml" => EndSearch::Element(ElementEnd::new()),
            "tex" => EndSearch::Marked(MarkedEnd::new("\\begin{document}", "\\end{document}")),
            "ics" => EndSearch::Marked(MarkedEnd::new("BEGIN:VCALENDAR", "END:VCALENDAR")),
            "vcard" => EndSearch::Marked(MarkedEnd::new("BEGIN:VCARD", "END:VCARD")),
            "text" | "subtitles" => EndSearch::ByContent,
            _ => EndSearch::Unknown,
        }
    }

    /// Subtitles in SAMI, which have no row of their own.
    fn by_content(text: &str) -> EndSearch {
        let is_sami = text.trim_start().get(..6).is_some_and(|tag| tag.eq_ignore_ascii_case("<sami>"));
        if is_sami { EndSearch::Element(ElementEnd::new()) } else { EndSearch::Unknown }
    }
}
