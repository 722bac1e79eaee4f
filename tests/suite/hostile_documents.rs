//! Documents made to hurt: deep, wide, swollen, circular, nosy. Every run ends well, says what is wrong with each, and
//! finds nothing to do when it is repeated.

use crate::support::Workshop;
use std::io::{Cursor, Write};
use zip::write::{SimpleFileOptions, ZipWriter};

/// A package of these entries.
fn package(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A package with one entry that expands to `mebibytes` of `unit`.
fn bomb(entries: &[(&str, &[u8])], name: &str, head: &str, unit: &str, mebibytes: usize) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.start_file(name, SimpleFileOptions::default().large_file(true)).unwrap();
    zip.write_all(head.as_bytes()).unwrap();
    let block = unit.repeat((1 << 20) / unit.len());
    for _ in 0..mebibytes {
        zip.write_all(block.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

const RELS: &str = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>\
    <Relationship Id='r' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument' \
    Target='TARGET'/></Relationships>";

fn docx(body: &str) -> Vec<u8> {
    let document = format!("<w:document xmlns:w='{WORD}'><w:body>{body}</w:body></w:document>");
    let rels = RELS.replace("TARGET", "word/document.xml");
    package(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", rels.as_bytes()),
        ("word/document.xml", document.as_bytes()),
    ])
}

fn odt(body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:table='b'><office:body><office:text>{body}\
         </office:text></office:body></office:document-content>"
    );
    package(&[("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", content.as_bytes())])
}

fn epub(chapter: &str) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path='a.opf'/></rootfiles></container>";
    let package_file = "<package><metadata/><manifest><item id='c' href='c.xhtml' media-type='application/xhtml+xml'/>\
        <item id='d' href='d.xml' media-type='x/y' fallback='e'/><item id='e' href='e.xml' media-type='x/y' fallback='d'/>\
        </manifest><spine><itemref idref='c'/><itemref idref='d'/></spine></package>";
    package(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("a.opf", package_file.as_bytes()),
        ("c.xhtml", chapter.as_bytes()),
    ])
}

fn nested(open: &str, inside: &str, close: &str, times: usize) -> String {
    format!("{}{inside}{}", open.repeat(times), close.repeat(times))
}

/// A PDF of these objects, without a table of them: readers look for them then.
fn pdf(objects: &[&str]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    for (number, object) in (1..).zip(objects) {
        write!(file, "{number} 0 obj\n{object}\nendobj\n").unwrap();
    }
    file.extend_from_slice(b"trailer << /Root 1 0 R /Size 99 >>\n%%EOF\n");
    file
}

fn stream(content: &str) -> String {
    format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len())
}

/// A stream that inflates to `mebibytes` of spaces, packed twice if that is wanted, with these `entries`.
fn swollen(mebibytes: usize, twice: bool, entries: &str) -> Vec<u8> {
    let pack = |bytes: &[u8]| {
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    };
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![b' '; 1 << 20];
    (0..mebibytes).for_each(|_| packed.write_all(&block).unwrap());
    let mut data = packed.finish().unwrap();
    let mut filter = "/FlateDecode".to_owned();
    if twice {
        data = pack(&data);
        filter = "[/FlateDecode /FlateDecode]".to_owned();
    }
    let mut object =
        format!("<< {entries} /Length {} /Filter {filter} >>\nstream\n", data.len()).into_bytes();
    object.extend_from_slice(&data);
    object.extend_from_slice(b"\nendstream");
    object
}

fn write_pdfs(workshop: &Workshop) {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> \
                /Font << /A 6 0 R >> >> >>";
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
    let catalog = "<< /Type /Catalog /Pages 2 0 R >>";
    let pages = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
    let form = |content: &str| {
        let content = stream(content);
        content.replacen(
            "<<",
            "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >>",
            1,
        )
    };
    let text = stream("BT /A 12 Tf 72 700 Td (Readable words.) Tj ET /F Do");
    let (endless, doubling) = (form("/F Do"), form("/F Do /F Do /F Do /F Do"));
    workshop.write("circle-form.pdf", pdf(&[catalog, pages, page, &text, &endless, font]));
    workshop.write("doubling-form.pdf", pdf(&[catalog, pages, page, &text, &doubling, font]));
    workshop.write("circle-pages.pdf", pdf(&[catalog, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>"]));
    workshop.write("circle-reference.pdf", pdf(&["2 0 R", "1 0 R"]));
    workshop.write(
        "circle-length.pdf",
        pdf(&[catalog, pages, page, "<< /Length 4 0 R >>\nstream\nBT ET\nendstream"]),
    );
    let wide = "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [<< /Type /Font \
                /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 \
                >> /W [0 4294967295 500] >>] >>";
    workshop.write("wide-widths.pdf", pdf(&[catalog, pages, page, &text, &endless, wide]));
    let long = stream(&format!("BT /A 12 Tf ({}) Tj ET", "x".repeat(4 << 20)));
    workshop.write("long-string.pdf", pdf(&[catalog, pages, page, &long, &endless, font]));
    workshop.write(
        "deep-arrays.pdf",
        pdf(&[catalog, pages, page, &stream(&"[".repeat(1 << 20)), &endless, font]),
    );
    let objects = "/Type /ObjStm /N 1 /First 9";
    let swollen_files =
        [("swollen.pdf", false, ""), ("swollen-twice.pdf", true, ""), ("swollen-objects.pdf", true, objects)];
    for (name, twice, entries) in swollen_files {
        let mut file = pdf(&[catalog, pages, page]);
        let end = file.windows(7).position(|window| window == b"trailer").unwrap();
        let mut object = b"4 0 obj\n".to_vec();
        object.extend(swollen(1024, twice, entries));
        object.extend_from_slice(b"\nendobj\n");
        file.splice(end..end, object);
        workshop.write(name, file);
    }
}

fn write_packages(workshop: &Workshop) {
    let words = "<w:p><w:r><w:t>Readable words.</w:t></w:r></w:p>";
    workshop.write(
        "deep-tables.docx",
        docx(&nested("<w:tbl><w:tr><w:tc>", words, "</w:tc></w:tr></w:tbl>", 2_000)),
    );
    workshop.write(
        "deep.docx",
        docx(&nested("<w:sdt><w:sdtContent>", words, "</w:sdtContent></w:sdt>", 100_000)),
    );
    workshop.write(
        "wide-spans.docx",
        docx(&format!(
            "<w:tbl>{}</w:tbl>",
            format!("<w:tr><w:tc><w:tcPr><w:gridSpan w:val='4000000000'/></w:tcPr>{words}</w:tc></w:tr>")
                .repeat(2_000)
        )),
    );
    let external = "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'><!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;'>]>";
    let nosy = format!(
        "{external}<w:document xmlns:w='{WORD}'><w:body><w:p><w:r><w:t>&e;&b; Readable words.</w:t></w:r></w:p></w:body></w:document>"
    );
    let rels = RELS.replace("TARGET", "word/document.xml");
    workshop.write(
        "nosy.docx",
        package(&[
            ("[Content_Types].xml", b"<Types/>"),
            ("_rels/.rels", rels.as_bytes()),
            ("word/document.xml", nosy.as_bytes()),
        ]),
    );
    workshop.write(
        "swollen.docx",
        bomb(
            &[("[Content_Types].xml", b"<Types/>"), ("_rels/.rels", rels.as_bytes())],
            "word/document.xml",
            &format!("<w:document xmlns:w='{WORD}'><w:body>"),
            // Much markup and little text: the limit is one of bytes in the package.
            &format!("<w:p w:rsidR='{}'><w:r><w:t>again and again</w:t></w:r></w:p>", "0".repeat(1000)),
            1024,
        ),
    );
    workshop.write(
        "deep-lists.odt",
        odt(&nested(
            "<text:list><text:list-item>",
            "<text:p>Readable words.</text:p>",
            "</text:list-item></text:list>",
            2_000,
        )),
    );
    workshop.write("many-spaces.odt", odt("<text:p>Readable<text:s text:c='2000000000'/>words.</text:p>"));
    workshop.write("repeated-columns.odt", odt(
        "<table:table><table:table-row table:number-rows-repeated='2000000000'><table:table-cell \
         table:number-columns-repeated='2000000000'><text:p>Readable words.</text:p></table:table-cell></table:table-row>\
         </table:table>",
    ));
    let page = |body: &str| format!("<html xmlns='http://www.w3.org/1999/xhtml'><body>{body}</body></html>");
    workshop.write("deep.epub", epub(&page(&nested("<div>", "Readable words.", "</div>", 100_000))));
    workshop
        .write("deep-lists.epub", epub(&page(&nested("<ul><li>", "Readable words.", "</li></ul>", 2_000))));
    let workbook = "<workbook xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' \
        xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'><sheets><sheet name='S' sheetId='1' \
        r:id='r1'/></sheets></workbook>";
    let sheets = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'><Relationship Id='r1' \
        Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet' Target='worksheets/sheet1.xml'/>\
        </Relationships>";
    let rels = RELS.replace("TARGET", "xl/workbook.xml");
    let book: [(&str, &[u8]); 4] = [
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", rels.as_bytes()),
        ("xl/workbook.xml", workbook.as_bytes()),
        ("xl/_rels/workbook.xml.rels", sheets.as_bytes()),
    ];
    let sheet = "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><sheetData>";
    let far = format!(
        "{sheet}<row r='1'><c r='A1'><v>1</v></c></row><row r='1048576'><c r='XFD1048576'><v>2</v></c></row></sheetData></worksheet>"
    );
    let mut entries = book.to_vec();
    entries.push(("xl/worksheets/sheet1.xml", far.as_bytes()));
    workshop.write("far-apart.xlsx", package(&entries));
    workshop.write(
        "swollen.xlsx",
        bomb(&book, "xl/worksheets/sheet1.xml", sheet, "<row><c><v>1234567</v></c></row>", 256),
    );
}

fn write_texts(workshop: &Workshop) {
    workshop.write("deep-lists.html", nested("<ul><li>", "Readable words.", "</li></ul>", 2_000));
    workshop.write("deep.html", nested("<div>", "Readable words.", "</div>", 100_000));
    workshop.write("deep.xml", nested("<a>", "Readable words.", "</a>", 500_000));
    workshop.write("deep.json", nested("[", "\"Readable words.\"", "]", 500_000));
    workshop.write("deep.ipynb", nested("{\"cells\":[", "\"Readable words.\"", "]}", 100_000));
    workshop.write("deep.rtf", format!("{{\\rtf1 {} }}", nested("{", "Readable words.", "}", 500_000)));
    workshop.write(
        "deep.svg",
        format!("<svg>{}</svg>", nested("<g>", "<text>Readable words.</text>", "</g>", 100_000)),
    );
    let fb2 = nested("<section>", "<p>Readable words.</p>", "</section>", 50_000);
    workshop.write("deep.fb2", format!("<?xml version='1.0'?><FictionBook><body>{fb2}</body></FictionBook>"));
    let mut mail = String::from("Subject: deep\nMIME-Version: 1.0\n");
    for depth in 0..2_000 {
        mail.push_str(&format!("Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n"));
    }
    workshop.write("deep.eml", mail + "\nReadable words.\n");
    let mut letter = String::from("Subject: inner\n\nReadable words.\n");
    for depth in 0..50 {
        letter = format!("Subject: letter {depth}\nContent-Type: message/rfc822\n\n{letter}");
    }
    workshop.write("letters-in-letters.eml", letter);
}

/// Documents that were written all end, with a reason where they are not read, and nothing is left to do.
fn check_hostile(write: impl Fn(&Workshop)) -> Workshop {
    let workshop = Workshop::new();
    write(&workshop);
    let files = std::fs::read_dir(workshop.tree()).unwrap().count();
    let first = workshop.ingest(&[]);
    assert_eq!(first["new"], files, "{first}");
    workshop.verify();
    let unexplained =
        "SELECT relative_path || ': ' || processing_status FROM files f WHERE file_type = 'file'
        AND processing_status NOT IN ('Processed') AND status_reason IS NULL";
    assert_eq!(workshop.rows(unexplained), [""; 0]);
    let again = workshop.ingest(&[]);
    for count in ["new", "changed", "deleted", "renamed"] {
        assert_eq!(again[count], 0, "{count} of {again}");
    }
    workshop
}

#[test]
fn hostile_pdfs_end_within_their_limits() {
    let workshop = check_hostile(write_pdfs);
    // Streams that would expand too far are left out, the rest of their files is read.
    let swollen = "SELECT DISTINCT filename FROM text_versions JOIN files USING(file_id) WHERE filename LIKE 'swollen%.pdf'
        AND processing_status = 'Processed' AND review_reasons LIKE '%beyond the limits%' ORDER BY filename";
    assert_eq!(workshop.rows(swollen), ["swollen-objects.pdf", "swollen-twice.pdf", "swollen.pdf"]);
}

#[test]
fn hostile_packages_end_within_their_limits() {
    let workshop = check_hostile(write_packages);
    let limited = "SELECT error_type FROM errors WHERE path LIKE '%swollen%' ORDER BY path";
    assert_eq!(workshop.rows(limited), ["SizeLimit", "OutputLimit"]);
    // Nothing of this machine was let in.
    assert_eq!(workshop.one("SELECT count(*) FROM chunks WHERE content LIKE '%root:%'"), "0");
}

#[test]
fn hostile_texts_end_within_their_limits() {
    check_hostile(write_texts);
}
