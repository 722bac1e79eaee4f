//! Cards: a heading for each contact, its fields as items. Pictures, sounds and keys are counted.

use super::line::{ContentLine, content_lines};
use super::value::{ValueKind, paragraphs, words};
use super::{FieldTable, FieldsDraft, field_of, read_with};
use crate::markdown::Words;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem};
use std::collections::HashMap;

/// Properties with a name of their own for people.
const FIELDS: &FieldTable = &[
    ("ADR", "Address", ValueKind::Parts),
    ("ANNIVERSARY", "Anniversary", ValueKind::Time),
    ("BDAY", "Birthday", ValueKind::Time),
    ("EMAIL", "E-mail", ValueKind::Text),
    ("IMPP", "Chat", ValueKind::Address),
    ("KEY", "Key", ValueKind::Address),
    ("LABEL", "Address label", ValueKind::Text),
    ("LOGO", "Logo", ValueKind::Address),
    ("ORG", "Organization", ValueKind::Parts),
    ("PHOTO", "Photo", ValueKind::Address),
    ("SOUND", "Sound", ValueKind::Address),
    ("TEL", "Phone", ValueKind::Text),
    ("TITLE", "Job title", ValueKind::Text),
    ("URL", "Link", ValueKind::Address),
];

/// Properties for programs, and those that are written elsewhere.
const FOR_PROGRAMS: &[&str] = &[
    "AGENT",
    "CLIENTPIDMAP",
    "END",
    "FN",
    "MAILER",
    "N",
    "PRODID",
    "REV",
    "SORT-STRING",
    "UID",
    "VERSION",
    "X-ABADR",
    "X-ABLABEL",
    "X-ABUID",
    "PROFILE",
];

/// Types that tell people nothing.
const SILENT_TYPES: &[&str] = &[
    "8bit",
    "7bit",
    "base64",
    "dom",
    "internet",
    "intl",
    "parcel",
    "postal",
    "pref",
    "quoted-printable",
    "voice",
];

/// Reads a file of contacts.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    read_with(source, |text, draft| {
        let mut card = Vec::new();
        for line in content_lines(text).map(ContentLine::whole) {
            if line.name == "BEGIN" {
                write_card(std::mem::take(&mut card), draft);
            } else {
                card.push(line);
            }
        }
        write_card(card, draft);
        Vec::new()
    })
}

fn write_card(card: Vec<ContentLine>, draft: &mut FieldsDraft) {
    if card.iter().all(|line| line.name == "END") {
        return;
    }
    let (name, shows_n) = name_of(&card);
    draft.heading(1, name);
    let labels = labels_of(&card);
    let mut texts = Vec::new();
    for line in &card {
        match line.name.as_str() {
            "NOTE" => texts.extend(paragraphs(line)),
            _ if line.is_base64() => draft.leave_out(line),
            "N" if shows_n => draft.field("Name", words(line, ValueKind::Parts)),
            name if FOR_PROGRAMS.contains(&name) || line.name.is_empty() => {}
            name => {
                let (label, kind) = field_of(FIELDS, name);
                draft.field(&(label + &types_of(line, &labels)), words(line, kind));
            }
        }
    }
    draft.paragraphs(texts);
}

/// What the heading of a card says, and whether the parts of the name say more than it.
fn name_of(card: &[ContentLine]) -> (Words, bool) {
    let of = |name: &str| {
        let line = card.iter().find(|line| line.name == name);
        line.map(|line| words(line, ValueKind::Parts)).filter(|words| !words.is_blank())
    };
    let parts = of("N").map(|parts| parts.to_plain());
    match ["FN", "N", "ORG", "EMAIL", "TEL"].iter().find_map(|name| Some((name, of(name)?))) {
        Some((&"FN", name)) => {
            let shown = name.to_plain();
            let says_more = |parts: String| parts.split([',', ' ']).any(|part| !shown.contains(part));
            (name, parts.is_some_and(says_more))
        }
        Some((_, name)) => (name, false),
        None => (Words::plain("Contact"), false),
    }
}

/// The labels that Apple's programs write in a line of each group.
fn labels_of(card: &[ContentLine]) -> HashMap<&str, &ContentLine> {
    let is_label = |line: &&ContentLine| line.name == "X-ABLABEL" && !line.group.is_empty();
    // The first of a group counts.
    card.iter().rev().filter(is_label).map(|line| (line.group.as_str(), line)).collect()
}

/// Where a number or an address belongs: ` (work, fax)`, or the label of its group.
fn types_of(line: &ContentLine, labels: &HashMap<&str, &ContentLine>) -> String {
    let label = labels.get(line.group.as_str()).map(|label| words(label, ValueKind::Text).to_plain());
    let label = label.map(|label| label.trim_start_matches("_$!<").trim_end_matches(">!$_").to_lowercase());
    let types =
        line.parameters("TYPE").flat_map(|types| types.split(',')).map(|word| word.trim().to_lowercase());
    let types = types.filter(|word| !word.is_empty() && !SILENT_TYPES.contains(&word.as_str()));
    let all: Vec<String> = label.into_iter().chain(types).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content_lines::read_for_test;

    fn check(source: &str, expected: &str) {
        assert_eq!(read_for_test(read, "a.vcf", source).text.text, expected, "of {source}");
    }

    #[test]
    fn contacts_are_headings_with_fields() {
        check(
            "BEGIN:VCARD\nVERSION:3.0\nN:Falk;Ines;;;\nFN:Ines Falk\nTEL;TYPE=work,voice:12\n\
             item1.EMAIL;type=INTERNET:i@example.org\nitem1.X-ABLabel:_$!<Home>!$_\nBDAY:1980-02-01\n\
             ADR;HOME:;;Quay 4;Harbour;;;\nNOTE:one\\n\\ntwo\nEND:VCARD\nBEGIN:VCARD\nN:Bo;;;;\nEND:VCARD\n",
            "# Ines Falk\n\n- Phone (work): 12\n- E-mail (home): i@example.org\n- Birthday: 1980-02-01\n\
             - Address (home): Quay 4, Harbour\n\none\n\ntwo\n\n# Bo\n",
        );
    }

    /// With a search for the label of each field, this card takes minutes.
    #[test]
    fn many_fields_find_their_labels() {
        const COUNT: usize = 100_000;
        let fields = (0..COUNT).map(|at| format!("item{at}.TEL:{at}\nitem{at}.X-ABLabel:Desk {at}\n"));
        let card = format!("BEGIN:VCARD\nFN:Ines\n{}END:VCARD\n", fields.collect::<String>());
        let text = read_for_test(read, "a.vcf", &card).text.text;
        assert!(text.ends_with("- Phone (desk 99999): 99999\n"));
    }

    #[test]
    fn pictures_are_counted() {
        for picture in [
            "PHOTO;ENCODING=b;TYPE=JPEG:QUJD\n REVG\n",
            "PHOTO;JPEG;BASE64:\n QUJD\n REVG\n\n",
            "PHOTO;BASE64:QUJD\nREVG\n",
            "PHOTO:data:image/png;base64,QUJDREVG\n",
        ] {
            let source = format!("BEGIN:VCARD\nFN:Ines\n{picture}TEL:1\nEND:VCARD\n");
            let document = read_for_test(read, "a.vcf", &source);
            assert_eq!(document.text.text, "# Ines\n\n- Phone: 1\n", "of {picture}");
            assert_eq!(document.metadata.len(), 1);
        }
    }

    #[test]
    fn names_in_quoted_printable_are_read() {
        check(
            "BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=B6=\n=77e\nEND:VCARD\n",
            "# Möwe\n",
        );
        check("END:VCARD\n", "END:VCARD\n");
        check("", "");
    }
}
