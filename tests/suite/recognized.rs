//! Pages and images whose text a program of the user's recognises.

use crate::audit::assert_same;
use crate::support::Workshop;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A PDF file of these pages: text, or the picture of a scan where there is none.
fn pdf(pages: &[Option<&str>]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|at| format!("{} 0 R", 5 + 2 * at)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Count {} /Kids [{}] >>", pages.len(), kids.join(" ")),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\n\
         stream\nx\nendstream"
            .to_owned(),
    ];
    for (at, page) in pages.iter().enumerate() {
        let content = match page {
            Some(text) => format!("BT /F 12 Tf 72 700 Td ({text}) Tj ET"),
            None => "q 612 0 0 792 0 0 cm /I Do Q".to_owned(),
        };
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R \
             /Resources << /Font << /F 3 0 R >> /XObject << /I 4 0 R >> >> >>",
            6 + 2 * at
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    let mut file = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let start = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    places.iter().for_each(|place| file.push_str(&format!("{place:010} 00000 n \n")));
    file.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    file.into_bytes()
}

/// A workshop with a program that draws pages and one that reads them: its answer has the number of the page. `ocr.toml` names
/// both; the second writes what `answer` prints, for which `$n` is the page.
fn workshop(answer: &str) -> Workshop {
    let workshop = Workshop::new();
    let tool = |name: &str, body: &str| {
        let path = workshop.path(name);
        let version = "[ \"$1\" = --version ] && { echo tool 2.0; exit 0; }";
        fs::write(&path, format!("#!/bin/sh\n{version}\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    };
    let draw = tool("draw.sh", "grep -q '^%PDF' \"$1\" || exit 9; printf 'picture %s' \"$2\"");
    let read = tool("read.sh", &format!("n=$(tail -n 1 \"$1\" | sed 's/.* //'); {answer}"));
    let text = format!("[ocr]\ncommand = \"{read} {{input}}\"\nrender = \"{draw} {{input}} {{page}}\"\n");
    fs::write(workshop.path("ocr.toml"), text).unwrap();
    workshop
}

const WITH: &[&str] = &["--config", "ocr.toml"];

const HOCR: &str = "cat <<END
<html><body><div class='ocr_page' title='bbox 0 0 1224 1584'><p class='ocr_par'>
<span class='ocr_line' title='bbox 144 200 1000 230; baseline 0 -6; x_size 24'>
<span class='ocrx_word' title='bbox 144 200 400 230'>Recognised</span>
<span class='ocrx_word' title='bbox 420 200 700 230'>words</span>
<span class='ocrx_word' title='bbox 720 200 1000 230'>of-page-$n.</span></span></p></div></body></html>
END";

#[track_caller]
fn check_clean(workshop: &Workshop, flags: &[&str]) {
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(flags));
    assert_same(&workshop.database(), &workshop.path("clean.db"));
    assert_eq!(workshop.ingest(flags)["processed"], 0);
    workshop.verify();
}

#[test]
fn scanned_pages_are_recognised_in_their_order_and_cited_by_their_boxes() {
    let workshop = workshop(HOCR);
    workshop.write("mixed.pdf", pdf(&[None, Some("Printed on the second page."), None]));
    workshop.write("printed.pdf", pdf(&[Some("Nothing but print.")]));
    workshop.ingest(&[]);
    assert_eq!(workshop.file("mixed.pdf", "extractor LIKE '%read%'"), "0");
    let review = workshop.run(["review", "corpus.db"]).expect(0).stdout;
    assert!(review.contains("2 of 3 pages are pictures without text"), "{review}");
    let shown = workshop.run(["check-dependencies", "--config", "ocr.toml"]).expect(0).stdout;
    assert!(shown.contains("read.sh 2.0 found (") && shown.contains("): ocr.render\n"), "{shown}");
    workshop.ingest(WITH);
    let text = workshop.run(["text", "corpus.db", "mixed.pdf"]).expect(0).stdout;
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(at("of-page-1") < at("Printed on the second") && at("Printed on the second") < at("of-page-3"));
    assert!(workshop.file("mixed.pdf", "extractor").ends_with(" + read.sh 2.0"));
    assert!(!workshop.file("printed.pdf", "extractor").contains("read.sh"));
    let facts = "SELECT value FROM metadata WHERE key = 'ocr'";
    assert_eq!(workshop.rows(facts), ["read.sh 2.0, pages 1, 3"]);
    let places = workshop.rows("SELECT locator FROM chunk_sources WHERE locator LIKE '%\"ocr\":true%'");
    assert!(!places.is_empty());
    // The boxes are those of the hOCR, in points.
    assert!(places[0].contains("[72,100,500,115]"), "{places:?}");
    check_clean(&workshop, WITH);
    workshop.run(["convert", "tree/mixed.pdf", "--config", "ocr.toml", "--out", "books"]).expect(0);
    let converted = fs::read_to_string(workshop.path("books/mixed.rag.md")).unwrap();
    let at = |words: &str| converted.find(words).unwrap_or_else(|| panic!("{words}: {converted}"));
    assert!(at("of-page-1") < at("Printed on the second") && at("Printed on the second") < at("of-page-3"));
    let review = workshop.run(["review", "corpus.db"]).expect(0).stdout;
    assert!(!review.contains("pictures"), "{review}");
    workshop.ingest(&[]);
    check_clean(&workshop, &[]);
}

#[test]
fn plain_text_of_a_program_has_the_box_of_its_page() {
    let workshop = workshop("printf 'Plain words of page %s,\\nin two lines.\\n\\nAnd more.\\n' \"$n\"");
    workshop.write("scan.pdf", pdf(&[None]));
    workshop.ingest(WITH);
    let text = workshop.run(["text", "corpus.db", "scan.pdf"]).expect(0).stdout;
    assert!(text.contains("Plain words of page 1, in two lines."), "{text}");
    let places = workshop.rows("SELECT locator FROM chunk_sources");
    assert!(
        places.iter().all(|place| place.contains("\"bbox\":[0,0,612,792],\"ocr\":true,\"page\":1")),
        "{places:?}"
    );
    check_clean(&workshop, WITH);
}

#[test]
fn pages_without_layout_are_recognised_too() {
    let workshop = workshop(HOCR);
    workshop.write("scan.pdf", pdf(&[None, Some("Print.")]));
    let text = fs::read_to_string(workshop.path("ocr.toml")).unwrap();
    fs::write(workshop.path("ocr.toml"), format!("{text}[pdf]\nlayout = false\n")).unwrap();
    workshop.ingest(WITH);
    let places = workshop.rows("SELECT locator FROM chunk_sources");
    assert!(places[0].contains("\"ocr\":true"), "{places:?}");
    check_clean(&workshop, WITH);
}

#[test]
fn images_and_scans_in_mails_are_recognised() {
    let workshop = workshop(HOCR);
    workshop.write("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\n 7");
    let scan = base64(&pdf(&[None]));
    workshop.write(
        "mail.eml",
        format!(
            "From: a@example.org\nSubject: scan\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
             --b\nContent-Type: text/plain\n\nHere it is.\n--b\nContent-Type: application/pdf; name=scan.pdf\n\
             Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=scan.pdf\n\n{scan}\n--b--\n"
        ),
    );
    workshop.ingest(WITH);
    assert_eq!(workshop.file("photo.png", "format, processing_status"), "png|Processed");
    let found = workshop.rows("SELECT count(*) FROM files WHERE processing_status = 'Processed'");
    assert_eq!(found, ["3"]);
    let places = workshop.rows("SELECT count(*) FROM chunk_sources WHERE locator LIKE '%\"ocr\":true%'");
    assert_eq!(places, ["2"]);
    check_clean(&workshop, WITH);
    let done =
        workshop.run(["convert", "tree/photo.png", "--config", "ocr.toml", "--out", "books"]).expect(0);
    assert!(done.stderr.is_empty() || !done.stderr.contains("error"), "{}", done.stderr);
    let text = fs::read_to_string(workshop.path("books/photo.rag.md")).unwrap();
    assert!(text.contains("Recognised words of-page-7."), "{text}");
}

#[test]
fn a_page_that_cannot_be_recognised_is_a_problem_and_costs_no_other() {
    let workshop = workshop(&format!("[ \"$n\" = 2 ] && {{ echo too dark >&2; exit 4; }}\n{HOCR}"));
    workshop.write("scan.pdf", pdf(&[None, None, Some("Print.")]));
    workshop.ingest(WITH);
    let problems = workshop.rows("SELECT error_message FROM errors");
    assert_eq!(problems, ["page 2 is not recognised: `read.sh` ended with status 4: too dark"]);
    let text = workshop.run(["text", "corpus.db", "scan.pdf"]).expect(0).stdout;
    assert!(text.contains("of-page-1") && text.contains("Print."), "{text}");
    workshop.verify();

    let text = fs::read_to_string(workshop.path("ocr.toml")).unwrap();
    fs::write(workshop.path("gone.toml"), text.replace("read.sh", "no-such.sh")).unwrap();
    workshop.ingest(&["--config", "gone.toml"]);
    let problems = workshop.rows("SELECT error_type, error_message FROM errors");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("no-such.sh` does not exist or may not be run"), "{problems:?}");
    assert!(problems[0].contains("`[ocr]`"), "{problems:?}");
}

#[test]
fn commands_that_cannot_work_are_refused() {
    let workshop = workshop(HOCR);
    let check = |text: &str, message: &str| {
        fs::write(workshop.path("bad.toml"), text).unwrap();
        workshop.write("a.txt", "words\n");
        let ran = workshop.run(["ingest", "tree", "x.db", "--config", "bad.toml"]).expect(3);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    };
    check("[ocr]\ncommand = \"tesseract\"\n", "`ocr.command`: the template lacks `{input}`");
    check("[ocr]\ncommand = \"t {input}\"\nrender = \"r\"\n", "`ocr.render`: the template lacks `{input}`");
    check("[ocr]\nlang = \"x y\"\n", "`ocr.lang`: `x y` has other signs");
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for (at, group) in bytes.chunks(3).enumerate() {
        if at > 0 && at % 19 == 0 {
            text.push('\n');
        }
        let whole =
            group.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = LETTERS[(whole >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= group.len() { char::from(letter) } else { '=' });
        }
    }
    text
}
