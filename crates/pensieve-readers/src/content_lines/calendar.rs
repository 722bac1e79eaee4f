//! Calendars: events, tasks and journal entries, in the order of the file.
//!
//! Tables of time zones are left out: times name their zone. So are the properties with which programs keep calendars in
//! step.

use super::line::{ContentLine, content_lines};
use super::value::{ValueKind, paragraphs, words};
use super::{FieldTable, FieldsDraft, field_of, read_with};
use crate::markdown::Words;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem};

/// Properties with a name of their own for people.
const FIELDS: &FieldTable = &[
    ("ATTACH", "Attachment", ValueKind::Address),
    ("ATTENDEE", "Attendee", ValueKind::Person),
    ("COMPLETED", "Completed", ValueKind::Time),
    ("CONFERENCE", "Conference", ValueKind::Address),
    ("DTEND", "End", ValueKind::Time),
    ("DTSTART", "Start", ValueKind::Time),
    ("DUE", "Due", ValueKind::Time),
    ("EXDATE", "Except", ValueKind::Time),
    ("FREEBUSY", "Busy", ValueKind::Time),
    ("ORGANIZER", "Organizer", ValueKind::Person),
    ("RDATE", "Also", ValueKind::Time),
    ("RECURRENCE-ID", "Instead of", ValueKind::Time),
    ("RRULE", "Repeats", ValueKind::Rule),
    ("URL", "Link", ValueKind::Address),
];

/// Properties for programs.
const FOR_PROGRAMS: &[&str] = &[
    "ACTION",
    "CALSCALE",
    "CLASS",
    "CREATED",
    "DTSTAMP",
    "LAST-MODIFIED",
    "METHOD",
    "PERCENT-COMPLETE",
    "PRIORITY",
    "PRODID",
    "RELATED-TO",
    "REQUEST-STATUS",
    "SEQUENCE",
    "TRANSP",
    "TRIGGER",
    "UID",
    "VERSION",
];

/// Components that become headings, and what one without a summary is called.
const COMPONENTS: &[(&str, &str)] =
    &[("VEVENT", "Event"), ("VFREEBUSY", "Busy times"), ("VJOURNAL", "Journal entry"), ("VTODO", "Task")];

/// Reads a calendar.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    read_with(source, |text, draft| {
        let mut calendar = Calendar { draft, metadata: Vec::new(), level: 1 };
        calendar.read(&mut content_lines(text));
        calendar.metadata
    })
}

struct Calendar<'c> {
    draft: &'c mut FieldsDraft,
    metadata: Vec<(String, String)>,
    /// The level of headings of events: under the name of the calendar, if it has one.
    level: u8,
}

impl Calendar<'_> {
    fn read(&mut self, lines: &mut dyn Iterator<Item = ContentLine>) {
        while let Some(line) = lines.next().map(ContentLine::whole) {
            match line.name.as_str() {
                "BEGIN" => {
                    let name = line.value().trim().to_ascii_uppercase();
                    match COMPONENTS.iter().find(|(component, _)| *component == name) {
                        Some((_, label)) => self.component(&name, label, lines),
                        None if name == "VCALENDAR" => {}
                        None => drop(component_lines(&name, lines)),
                    }
                }
                "NAME" | "X-WR-CALNAME" if self.level == 1 => {
                    let name = words(&line, ValueKind::Text);
                    self.metadata.push(("title".to_owned(), name.to_plain()));
                    self.draft.heading(1, name);
                    self.level = 2;
                }
                "DESCRIPTION" | "X-WR-CALDESC" => self.draft.paragraphs(paragraphs(&line)),
                _ => {}
            }
        }
    }

    /// Writes the summary, then fields, then longer texts, whatever their order in the file.
    fn component(&mut self, name: &str, label: &str, lines: &mut dyn Iterator<Item = ContentLine>) {
        let all = component_lines(name, lines);
        let summary = all.iter().find(|line| line.name == "SUMMARY").map(|line| words(line, ValueKind::Text));
        let summary = summary.filter(|summary| !summary.is_blank());
        self.draft.heading(self.level, summary.unwrap_or_else(|| Words::plain(label)));
        let mut texts = Vec::new();
        for line in &all {
            match line.name.as_str() {
                "SUMMARY" => {}
                "DESCRIPTION" | "COMMENT" => texts.extend(paragraphs(line)),
                _ if line.is_base64() => self.draft.leave_out(line),
                name if FOR_PROGRAMS.contains(&name) || name.starts_with("X-") => {}
                name => {
                    let (label, kind) = field_of(FIELDS, name);
                    self.draft.field(&label, words(line, kind));
                }
            }
        }
        self.draft.paragraphs(texts);
    }
}

/// The lines up to the end of a component, without those of components inside it: alarms repeat its words.
fn component_lines(name: &str, lines: &mut dyn Iterator<Item = ContentLine>) -> Vec<ContentLine> {
    let mut all = Vec::new();
    let mut inner = 0_usize;
    for line in lines.map(ContentLine::whole) {
        match line.name.as_str() {
            "BEGIN" => inner += 1,
            "END" if inner == 0 || line.value().trim().eq_ignore_ascii_case(name) => break,
            "END" => inner -= 1,
            _ if inner == 0 => all.push(line),
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content_lines::read_for_test;

    #[test]
    fn events_are_headings_with_fields_and_texts() {
        let source = "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Harbour\r\nBEGIN:VTIMEZONE\r\nTZID:X\r\nEND:VTIMEZONE\r\n\
            BEGIN:VEVENT\r\nUID:1\r\nDESCRIPTION:Bring the key of the north ga\r\n te\\, please.\\n\\nThank you\r\n\
            DTSTART:20260301T100000Z\r\nLOCATION:Net loft\\, Quay 4\r\nATTACH;ENCODING=BASE64;VALUE=BINARY:QUJD\r\n\
            BEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\nSUMMARY:Meet\r\n ing\r\nEND:VEVENT\r\n\
            BEGIN:VTODO\r\nSTATUS:COMPLETED\r\nEND:VTODO\r\nEND:VCALENDAR\r\n";
        let document = read_for_test(read, "a.ics", source);
        assert_eq!(
            document.text.text,
            "# Harbour\n\n## Meeting\n\n- Start: 2026-03-01 10:00 UTC\n- Location: Net loft, Quay 4\n\n\
             Bring the key of the north gate, please.\n\nThank you\n\n## Task\n\n- Status: COMPLETED\n"
        );
        let left_out = ("left_out".to_owned(), "1 value in base64, 4 characters".to_owned());
        assert_eq!(document.metadata, [("title".to_owned(), "Harbour".to_owned()), left_out]);
    }

    #[test]
    fn a_fold_may_divide_a_character() {
        let mut file = std::io::Cursor::new(b"BEGIN:VEVENT\r\nSUMMARY:M\xc3\r\n \xb6we\r\nEND:VEVENT\r\n");
        let mut source = DocumentSource::new(&mut file, "a.ics").unwrap();
        let settings = ReadSettings::default();
        let document = read(&mut source, &settings, &mut crate::source::DiscardingSink).unwrap();
        assert_eq!((document.text.text.as_str(), document.problems.len()), ("# M\u{f6}we\n", 0));
        // What is no calendar is read as it is; the bytes around the fold are not its words.
        let mut file = std::io::Cursor::new(b"x\r\nSUMMARY:M\xc3\r\n \xb6we\r\n");
        let mut source = DocumentSource::new(&mut file, "a.ics").unwrap();
        let text = read(&mut source, &settings, &mut crate::source::DiscardingSink).unwrap().text;
        let whole = pensieve_text::model::Span::new(0, text.text.len());
        assert!(text.text.contains("M\u{f6}we") && text.map.source(whole).is_some_and(|found| !found.exact));
    }

    #[test]
    fn a_calendar_that_was_cut_is_damaged() {
        let problems = |source: &str| read_for_test(read, "a.ics", source).problems.len();
        assert_eq!(problems("BEGIN:VEVENT\nSUMMARY:a\n"), 1);
        assert_eq!(problems("BEGIN:VEVENT\nSUMMARY:a\nend:VEVENT\n\n"), 0);
    }

    #[test]
    fn broken_calendars_give_what_they_have() {
        let check = |source: &str, expected: &str| {
            assert_eq!(read_for_test(read, "a.ics", source).text.text, expected, "of {source}");
        };
        check("BEGIN:VEVENT\nSUMMARY:a", "# a\n");
        check("END:VEVENT\nBEGIN:\nBEGIN:VEVENT", "END:VEVENT\nBEGIN:\nBEGIN:VEVENT");
        check("", "");
    }
}
