//! The metadata of a document: the information dictionary, the XMP packet, the language of the catalog. If dictionary
//! and packet both have a value, the packet's counts for lists (authors), the dictionary's for the rest. Sources: ISO
//! 32000-2, 14.3; ISO 16684-1 (XMP).

use super::decoder::StreamDecoder;
use super::strings;
use crate::limits::pdf::{MAX_METADATA_VALUES, MAX_XMP_BYTES};
use hayro_font::hayro_syntax::Pdf;
use hayro_font::hayro_syntax::object::{DateTime, Dict, Stream, String as PdfString};
use quick_xml::Reader;
use quick_xml::events::Event;

/// Properties of XMP and their keys in the metadata.
const PROPERTIES: &[(&str, &str)] = &[
    ("dc:title", "title"),
    ("dc:creator", "author"),
    ("dc:description", "subject"),
    ("pdf:Keywords", "keywords"),
    ("dc:subject", "keywords"),
    ("dc:language", "language"),
    ("dc:publisher", "publisher"),
    ("dc:identifier", "identifier"),
    ("xmp:CreateDate", "created"),
    ("xmp:ModifyDate", "modified"),
];

/// Keys in the order of the metadata.
const KEYS: &[&str] =
    &["title", "author", "subject", "keywords", "language", "publisher", "identifier", "created", "modified"];

/// The metadata of a document: title, author, language, ...
pub(super) fn read(pdf: &Pdf, decoder: &StreamDecoder) -> Vec<(String, String)> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let mut stated = information(pdf);
    if let Some(language) = catalog.get::<PdfString<'_>>("Lang") {
        stated.push(("language", strings::decode(&language)));
    }
    let packet = catalog.get::<Stream<'_>>("Metadata").and_then(|stream| decoder.decode(&stream).ok());
    let from_packet =
        packet.filter(|data| data.len() <= MAX_XMP_BYTES).map(|data| properties(&data)).unwrap_or_default();
    let mut rows = Vec::new();
    for key in KEYS {
        let of = |values: &[(&'static str, String)]| -> Vec<String> {
            let mut found: Vec<String> = Vec::new();
            for (_, value) in values.iter().filter(|(other, value)| other == key && !value.is_empty()) {
                if !found.contains(value) && found.len() < MAX_METADATA_VALUES {
                    found.push(value.clone());
                }
            }
            found
        };
        let (stated, packet) = (of(&stated), of(&from_packet));
        let values =
            if stated.is_empty() || (*key == "author" && packet.len() > 1) { packet } else { stated };
        rows.extend(values.into_iter().map(|value| ((*key).to_owned(), value)));
    }
    rows
}

fn information(pdf: &Pdf) -> Vec<(&'static str, String)> {
    let metadata = pdf.metadata();
    let texts = [
        ("title", &metadata.title),
        ("author", &metadata.author),
        ("subject", &metadata.subject),
        ("keywords", &metadata.keywords),
    ];
    let mut values: Vec<(&'static str, String)> = Vec::new();
    for (key, text) in texts {
        if let Some(text) = text {
            values.push((key, strings::decode(text).split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    for (key, date) in [("created", metadata.creation_date), ("modified", metadata.modification_date)] {
        if let Some(date) = date {
            values.push((key, iso_date(&date)));
        }
    }
    values
}

fn iso_date(date: &DateTime) -> String {
    let DateTime { year, month, day, hour, minute, second, utc_offset_hour, utc_offset_minute } = *date;
    let offset = i32::from(utc_offset_hour) * 60 + i32::from(utc_offset_minute);
    let zone = match offset {
        0 => "Z".to_owned(),
        _ => {
            format!("{}{:02}:{:02}", if offset < 0 { '-' } else { '+' }, offset.abs() / 60, offset.abs() % 60)
        }
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
}

/// The values of an XMP packet, which may be elements, lists or attributes.
fn properties(packet: &[u8]) -> Vec<(&'static str, String)> {
    let key_of = |name: &str| PROPERTIES.iter().find(|(property, _)| *property == name).map(|(_, key)| *key);
    let text = String::from_utf8_lossy(packet);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().check_end_names = false;
    let mut values: Vec<(&'static str, String)> = Vec::new();
    let mut inside: Option<(&'static str, String)> = None;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes().flatten() {
                    if let Some(key) = key_of(attribute.key.as_ref()) {
                        values.push((key, unescaped(&attribute.value)));
                    }
                }
                if let Some(key) = key_of(tag.name().as_ref()) {
                    inside = Some((key, String::new()));
                }
            }
            Event::Text(piece) => {
                if let Some((_, text)) = &mut inside {
                    text.push_str(&piece);
                }
            }
            Event::GeneralRef(reference) => {
                if let Some((_, text)) = &mut inside {
                    text.push_str(&unescaped(&format!("&{};", &*reference)));
                }
            }
            Event::End(tag) => {
                let is_property = key_of(tag.name().as_ref()).is_some();
                if let Some((key, text)) = &mut inside
                    && (is_property || tag.name().as_ref() == "rdf:li")
                {
                    values.push((key, std::mem::take(text).split_whitespace().collect::<Vec<_>>().join(" ")));
                }
                if is_property {
                    inside = None;
                }
            }
            _ => {}
        }
    }
    values.retain(|(_, value)| !value.is_empty() && value != "x-default");
    values
}

fn unescaped(text: &str) -> String {
    quick_xml::escape::unescape(text).map(|text| text.trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_read_in_each_of_their_forms() {
        let packet = br#"<x:xmpmeta><rdf:RDF><rdf:Description xmp:CreateDate="2020-01-02T03:04:05Z">
            <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Fish &amp; chips</rdf:li></rdf:Alt></dc:title>
            <dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>
            <pdf:Keywords>one, two</pdf:Keywords></rdf:Description>"#;
        let values = properties(packet);
        let of = |key: &str| {
            values.iter().filter(|(k, _)| *k == key).map(|(_, v)| v.as_str()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(of("title"), "Fish & chips");
        assert_eq!(of("author"), "Ann|Bob");
        assert_eq!(of("keywords"), "one, two");
        assert_eq!(of("created"), "2020-01-02T03:04:05Z");
    }
}
