//! From JSON to cells: only text is kept; other data and wrong types are tolerated.
//!
//! Cells go into the notebook one by one while the file is read, so that an error costs only what follows it. Nesting
//! is limited by the JSON reader (128 levels).

use super::output::{CellOutput, OutputText};
use crate::limits::web::{MAX_CELL_OUTPUTS, MAX_NOTEBOOK_CELLS};
use crate::settings::HtmlOptions;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::io::{BufReader, Read};

/// A notebook.
#[derive(Debug, Default)]
pub(super) struct Notebook {
    pub cells: Vec<NotebookCell>,
    /// How outputs that are pages are read.
    pub html: HtmlOptions,
    /// It has a list of cells, which may be empty.
    pub has_cells: bool,
    /// Of its code.
    pub language: Option<String>,
    pub title: Option<String>,
    pub authors: Vec<String>,
}

/// A cell.
#[derive(Debug, Default)]
pub(super) struct NotebookCell {
    /// Its place: `cells/3`.
    pub place: String,
    pub kind: String,
    pub source: String,
    /// Of its code, if the cell declares it (nbformat 3).
    pub language: Option<String>,
    /// Of a heading (nbformat 3).
    pub level: Option<u64>,
    /// The words of its outputs.
    pub shown: Vec<OutputText>,
}

/// Reads a notebook as far as possible, with the reason if it ends early.
pub(super) fn parse(bytes: &[u8], html: &HtmlOptions) -> (Notebook, Option<String>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    parse_from(&mut serde_json::Deserializer::from_str(&text), html)
}

/// As [`parse`], without the whole notebook in memory: most of it may be pictures.
pub(super) fn parse_stream(file: impl Read, html: &HtmlOptions) -> (Notebook, Option<String>) {
    parse_from(&mut serde_json::Deserializer::from_reader(BufReader::with_capacity(64 << 10, file)), html)
}

fn parse_from<'de, R: serde_json::de::Read<'de>>(
    reader: &mut serde_json::Deserializer<R>,
    html: &HtmlOptions,
) -> (Notebook, Option<String>) {
    let mut notebook = Notebook { html: html.clone(), ..Notebook::default() };
    let read = ObjectSeed(&mut notebook, NotebookKey).deserialize(reader);
    (notebook, read.err().map(|error| error.to_string()))
}

/// Reads one field of an object into the value that is being built, or skips it.
trait FieldReader<T> {
    fn read<'de, A: MapAccess<'de>>(&self, into: &mut T, key: &str, map: &mut A) -> Result<(), A::Error>;
}

/// An object, field by field; anything else is skipped.
struct ObjectSeed<'b, T, K>(&'b mut T, K);

impl<'de, T, K: FieldReader<T>> DeserializeSeed<'de> for ObjectSeed<'_, T, K> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(AnyValue(self))
    }
}

/// A list, each element by a seed made for it; anything else is skipped.
struct ListSeed<F>(F);

impl<'de, F, S> DeserializeSeed<'de> for ListSeed<F>
where
    F: FnMut(usize) -> S,
    S: DeserializeSeed<'de, Value = ()>,
{
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(AnyValue(self))
    }
}

/// The characters of a string or of a list of strings, added to a text; anything else is skipped.
struct TextSeed<'b>(&'b mut String);

impl<'de> DeserializeSeed<'de> for TextSeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(AnyValue(self))
    }
}

/// How a seed handles each kind of value.
trait ValueHandler<'de>: Sized {
    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
    fn string(self, _: &str) {}
    fn number(self, _: u64) {}
}

impl<'de, T, K: FieldReader<T>> ValueHandler<'de> for ObjectSeed<'_, T, K> {
    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            self.1.read(self.0, &key, &mut map)?;
        }
        Ok(())
    }
}

impl<'de, F, S> ValueHandler<'de> for ListSeed<F>
where
    F: FnMut(usize) -> S,
    S: DeserializeSeed<'de, Value = ()>,
{
    fn list<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let mut at = 0;
        while list.next_element_seed((self.0)(at))?.is_some() {
            at += 1;
        }
        Ok(())
    }
}

impl<'de> ValueHandler<'de> for TextSeed<'_> {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(TextSeed(self.0))?.is_some() {}
        Ok(())
    }
    fn string(self, value: &str) {
        self.0.push_str(value);
    }
    fn number(self, value: u64) {
        self.0.push_str(&value.to_string());
    }
}

/// The visitor of every seed.
struct AnyValue<S>(S);

impl<'de, S: ValueHandler<'de>> Visitor<'de> for AnyValue<S> {
    type Value = ();
    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("any value")
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.0.object(map)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        self.0.list(list)
    }
    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.0.string(value);
        Ok(())
    }
    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.0.number(value);
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

fn pass<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

/// The characters of the next value.
fn characters<'de, A: MapAccess<'de>>(map: &mut A) -> Result<String, A::Error> {
    let mut text = String::new();
    map.next_value_seed(TextSeed(&mut text))?;
    Ok(text)
}

fn worded<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
    Ok(Some(characters(map)?).filter(|text| !text.trim().is_empty()))
}

struct NotebookKey;

impl FieldReader<Notebook> for NotebookKey {
    fn read<'de, A: MapAccess<'de>>(
        &self,
        book: &mut Notebook,
        key: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            "cells" => {
                book.has_cells = true;
                map.next_value_seed(CellListSeed { book, place: String::new() })
            }
            "worksheets" => {
                book.has_cells = true;
                let sheets = std::cell::RefCell::new(book);
                map.next_value_seed(ListSeed(|at| WorksheetSeed { book: &sheets, at }))
            }
            "metadata" => map.next_value_seed(ObjectSeed(book, MetadataKey)),
            _ => pass(map),
        }
    }
}

/// A worksheet of nbformat 3.
struct WorksheetSeed<'c, 'b> {
    book: &'c std::cell::RefCell<&'b mut Notebook>,
    at: usize,
}

impl<'de> DeserializeSeed<'de> for WorksheetSeed<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        ObjectSeed(&mut **self.book.borrow_mut(), SheetKey(self.at)).deserialize(from)
    }
}

struct SheetKey(usize);

impl FieldReader<Notebook> for SheetKey {
    fn read<'de, A: MapAccess<'de>>(
        &self,
        book: &mut Notebook,
        key: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            "cells" => map.next_value_seed(CellListSeed { book, place: format!("worksheets/{}/", self.0) }),
            _ => pass(map),
        }
    }
}

/// A list of cells.
struct CellListSeed<'b> {
    book: &'b mut Notebook,
    place: String,
}

impl<'de> DeserializeSeed<'de> for CellListSeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(AnyValue(self))
    }
}

impl<'de> ValueHandler<'de> for CellListSeed<'_> {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        for at in 0.. {
            let mut cell =
                NotebookCell { place: format!("{}cells/{at}", self.place), ..NotebookCell::default() };
            let mut outputs = Vec::new();
            let read = list.next_element_seed(ObjectSeed(&mut (&mut cell, &mut outputs), CellKey));
            cell.shown =
                outputs.iter().filter_map(|output: &CellOutput| output.shown(&self.book.html)).collect();
            // The readable part of a cell counts, whatever is wrong after it.
            if !cell.source.is_empty() || !cell.shown.is_empty() {
                self.book.cells.push(cell);
            }
            if read?.is_none() || self.book.cells.len() >= MAX_NOTEBOOK_CELLS {
                break;
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

struct CellKey;

impl FieldReader<(&mut NotebookCell, &mut Vec<CellOutput>)> for CellKey {
    fn read<'de, A: MapAccess<'de>>(
        &self,
        (cell, outputs): &mut (&mut NotebookCell, &mut Vec<CellOutput>),
        key: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            "cell_type" => cell.kind = characters(map)?,
            "source" | "input" => cell.source = characters(map)?,
            "language" => cell.language = worded(map)?,
            "level" => cell.level = characters(map)?.parse().ok(),
            "outputs" => {
                let outputs = std::cell::RefCell::new(&mut **outputs);
                map.next_value_seed(ListSeed(|_| OutputSeed(&outputs)))?;
            }
            _ => pass(map)?,
        }
        Ok(())
    }
}

/// The next output of a cell.
struct OutputSeed<'c, 'b>(&'c std::cell::RefCell<&'b mut Vec<CellOutput>>);

impl<'de> DeserializeSeed<'de> for OutputSeed<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let mut output = CellOutput::default();
        let read = ObjectSeed(&mut output, OutputKey).deserialize(from);
        let mut outputs = self.0.borrow_mut();
        let is_full = outputs.len() >= MAX_CELL_OUTPUTS;
        match outputs.last_mut().filter(|last| last.is_stream() && output.is_stream()) {
            // A stream comes in parts, as it was flushed.
            Some(last) => {
                last.text.get_or_insert_default().push_str(output.text.as_deref().unwrap_or_default())
            }
            None if is_full => {}
            None => outputs.push(output),
        }
        read
    }
}

struct OutputKey;

impl FieldReader<CellOutput> for OutputKey {
    fn read<'de, A: MapAccess<'de>>(
        &self,
        output: &mut CellOutput,
        key: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            "data" => map.next_value_seed(ObjectSeed(output, OutputKey))?,
            "text" | "text/plain" => output.text = worded(map)?,
            "text/markdown" => output.markdown = worded(map)?,
            "html" | "text/html" => output.html = worded(map)?,
            "latex" | "text/latex" => output.latex = worded(map)?,
            "ename" => output.error = worded(map)?,
            "evalue" => output.value = worded(map)?,
            "traceback" => map.next_value_seed(LinesSeed(&mut output.traceback))?,
            "png" | "jpeg" | "svg" => {
                output.has_picture = true;
                pass(map)?;
            }
            key => {
                output.has_picture |= key.starts_with("image/") || key.starts_with("application/");
                pass(map)?;
            }
        }
        Ok(())
    }
}

/// A list of strings, each on lines of its own.
struct LinesSeed<'b>(&'b mut String);

impl<'de> DeserializeSeed<'de> for LinesSeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(AnyValue(self))
    }
}

impl<'de> ValueHandler<'de> for LinesSeed<'_> {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(TextSeed(self.0))?.is_some() {
            self.0.push('\n');
        }
        Ok(())
    }
    fn string(self, value: &str) {
        self.0.push_str(value);
    }
}

struct MetadataKey;

impl FieldReader<Notebook> for MetadataKey {
    fn read<'de, A: MapAccess<'de>>(
        &self,
        book: &mut Notebook,
        key: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            "kernelspec" => map.next_value_seed(ObjectSeed(book, LanguageKey("language"))),
            "language_info" => map.next_value_seed(ObjectSeed(book, LanguageKey("name"))),
            "title" => {
                book.title = worded(map)?;
                Ok(())
            }
            "authors" => {
                let names = std::cell::RefCell::new(&mut book.authors);
                map.next_value_seed(ListSeed(|_| AuthorSeed(&names)))
            }
            _ => pass(map),
        }
    }
}

/// The key of a notebook's metadata under which the programming language is named. Both `kernelspec` and
/// `language_info` may name it; the first in the file is used.
struct LanguageKey(&'static str);

impl FieldReader<Notebook> for LanguageKey {
    fn read<'de, A: MapAccess<'de>>(
        &self,
        book: &mut Notebook,
        key: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        if key != self.0 {
            return pass(map);
        }
        let language = worded(map)?;
        book.language = book.language.take().or(language);
        Ok(())
    }
}

/// The next author: an object with a name.
struct AuthorSeed<'c, 'b>(&'c std::cell::RefCell<&'b mut Vec<String>>);

impl<'de> DeserializeSeed<'de> for AuthorSeed<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        ObjectSeed(&mut **self.0.borrow_mut(), AuthorKey).deserialize(from)
    }
}

struct AuthorKey;

impl FieldReader<Vec<String>> for AuthorKey {
    fn read<'de, A: MapAccess<'de>>(
        &self,
        names: &mut Vec<String>,
        key: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            "name" => names.extend(worded(map)?),
            _ => pass(map)?,
        }
        Ok(())
    }
}
