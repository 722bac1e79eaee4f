//! Reads documents from bytes, for the tests of the formats.

use crate::settings::ReadSettings;
use crate::shared::archive::testing::package;
use crate::source::{DocumentSink, DocumentSource, ReadFormat};
use pensieve_text::model::{ContainerMember, Document, Problem, Segment};

pub(super) struct CollectingSink(pub String);

impl DocumentSink for CollectingSink {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.0.push_str(&segment.text);
        Ok(())
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}

/// The whole text and the rest of the document.
pub(super) fn read(bytes: &[u8], read: ReadFormat) -> Result<(String, Document), Problem> {
    let mut file = std::io::Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "test")?;
    let mut sink = CollectingSink(String::new());
    let document = read(&mut source, &ReadSettings::default(), &mut sink)?;
    Ok((sink.0 + &document.text.text, document))
}

/// The bytes of a workbook with one sheet, and other parts.
pub(super) fn workbook(sheet: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let book = "<workbook><sheets><sheet name='S' r:id='xl/worksheets/sheet1.xml'/></sheets></workbook>";
    let sheet = format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>");
    let mut parts =
        vec![("xl/workbook.xml", book.as_bytes()), ("xl/worksheets/sheet1.xml", sheet.as_bytes())];
    parts.extend(more.iter().map(|(name, content)| (*name, content.as_bytes())));
    package(&parts)
}

/// The text of a workbook with these rows.
pub(super) fn sheet_text(rows: &str) -> String {
    read(&workbook(rows, &[]), super::excel::read_xlsx).unwrap().0
}
