//! Documents that are larger than what may be held of them: emitted by their workers segment by segment, by several at
//! once, with the writer far behind.

use crate::support::{Dice, Workshop};
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// A workbook of one sheet with so many rows of words that hardly repeat.
fn workbook(rows: usize, seed: u64) -> Vec<u8> {
    const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const SHEET: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let link = |kind: &str, target: &str| {
        format!(
            "<Relationships xmlns='{RELATIONSHIPS}'><Relationship Id='r1' Type='{OFFICE}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &str| {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    };
    add("[Content_Types].xml", "<Types/>");
    add("_rels/.rels", &link("officeDocument", "xl/workbook.xml"));
    add("xl/_rels/workbook.xml.rels", &link("worksheet", "worksheets/sheet1.xml"));
    add(
        "xl/workbook.xml",
        &format!(
            "<workbook xmlns='{SHEET}' xmlns:r='{OFFICE}'><sheets><sheet name='Long' sheetId='1' r:id='r1'/></sheets></workbook>"
        ),
    );
    let mut dice = Dice::new(seed);
    let mut sheet = format!("<worksheet xmlns='{SHEET}'><sheetData>");
    for row in 1..=rows {
        sheet.push_str(&format!("<row r='{row}'>"));
        for column in ["A", "B", "C"] {
            let words = crate::material::words(&mut dice, 6, 3);
            sheet.push_str(&format!("<c r='{column}{row}' t='inlineStr'><is><t>{row} {words}</t></is></c>"));
        }
        sheet.push_str("</row>");
    }
    add("xl/worksheets/sheet1.xml", &(sheet + "</sheetData></worksheet>"));
    zip.finish().unwrap().into_inner()
}

/// One worker, many readers: whoever is ahead of the writer gives its worker up instead of waiting with it.
#[test]
fn large_documents_wait_for_their_turn_without_a_worker() {
    let workshop = Workshop::new();
    for (number, rows) in [40_000, 20, 30_000, 10, 50_000, 10].into_iter().enumerate() {
        workshop.write(format!("{number}.xlsx"), workbook(rows, number as u64));
        workshop.write(format!("{number}.html"), format!("<p>Page {number} between the sheets.</p>"));
    }
    let flags = ["--threads", "8", "--max-mem", "256MiB"];
    workshop.ingest(&flags);
    assert_eq!(
        workshop.rows("SELECT relative_path FROM files WHERE processing_status <> 'Processed'"),
        [""; 0]
    );
    workshop.verify();
    let last = "SELECT locator, heading_path FROM chunk_sources JOIN files USING(file_id) WHERE relative_path = '4.xlsx'
                ORDER BY start_index DESC LIMIT 1";
    let last = workshop.one(last);
    assert!(last.contains(":C50000\"") && last.ends_with("|Long"), "{last}");
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&["--threads", "1", "--isolation", "off"]));
}
