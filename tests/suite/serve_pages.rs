//! The pages of `serve`: what they show, and that nothing of the corpus runs in them.

use crate::http::Server;
use crate::serve::{uid, workshop};
use crate::support::Workshop;
use std::fs;

/// What a browser asks.
const BROWSER: &[(&str, &str)] = &[("Accept", "text/html,application/xhtml+xml")];

#[test]
fn pages_show_the_corpus_and_run_nothing_of_it() {
    let place = workshop();
    let evil = "<img src=x onerror=alert(1)>\" onload=\"alert(2)";
    place.write(
        format!("{evil}.md"),
        "# <script>alert(3)</script>\n\n<svg onload=alert(4)> lamp 'quoted' \"text\"\n",
    );
    place.write("torn.txt", b"torn \xff text that nobody can read \xfe\n");
    place.write("bad.pdf", "%PDF-1.4 nothing\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let documents = place.rows("SELECT doc_uid FROM files WHERE file_type = 'file'");
    let fixed = [
        "/",
        "/docs",
        "/docs?query=&format=&status=",
        "/docs?query=lamp&status=Processed",
        "/search",
        "/review",
        "/errors",
    ];
    let searches = [
        "/search?query=lamp",
        "/search?query=%3Cscript%3E",
        "/search?query=%22open",
        "/search?query=svg&path=&format=md",
    ];
    let mut targets: Vec<String> = fixed.iter().chain(&searches).map(|target| (*target).to_owned()).collect();
    targets.extend(documents.iter().map(|uid| format!("/docs/{uid}?at=0#found")));
    for target in targets {
        let page = server.send("GET", target.split('#').next().unwrap(), BROWSER, b"");
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"), "{target}");
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{policy}");
        let text = page.text();
        for wrong in [
            "<img",
            "<script>",
            "<svg onload",
            " style=",
            "onerror=alert(1)>\"",
            "javascript:",
            "http://",
            "https://",
        ] {
            assert!(!text.contains(wrong), "{target} holds {wrong}: {text}");
        }
        assert!(
            text.contains("<main id=\"main\"") && text.contains("lang=\"en\"") && text.contains("<h1"),
            "{target}"
        );
    }
    let text = server.send("GET", "/search?query=lamp", BROWSER, b"").text();
    assert!(text.contains("<mark>lamp</mark>"), "{text}");
    let text = server.send("GET", "/search?query=%22open", BROWSER, b"").text();
    assert!(text.contains("role=\"alert\"") && !text.contains("fts5"), "{text}");
    let missing = server.send("GET", "/docs/nobody", BROWSER, b"");
    assert_eq!((missing.status, missing.header("content-type")), (404, "text/html; charset=utf-8"));
    server.refuses("/docs/nobody", 404, "not-found");
    for (asset, kind) in
        [("/style.css", "text/css; charset=utf-8"), ("/page.js", "text/javascript; charset=utf-8")]
    {
        assert_eq!(server.get(asset).header("content-type"), kind);
    }
}

#[test]
fn a_document_shows_every_character_of_its_text_once() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let scripts = uid(&place, "b/scripts.txt");
    let text = place.run(["text", "corpus.db", "b/scripts.txt"]).expect(0).stdout;
    let (mut shown, mut number) = (String::new(), 1);
    loop {
        let page = server.send("GET", &format!("/docs/{scripts}?page={number}"), BROWSER, b"").text();
        for words in page.split("<div class=\"words\" dir=\"auto\">").skip(1) {
            let words = words.split("</div>").next().unwrap();
            shown.push_str(
                &words
                    .replace("<span hidden>", "")
                    .replace("<span class=\"overlap\" title=\"The next chunk begins here\">", "")
                    .replace("</span>", ""),
            );
        }
        if !page.contains("rel=\"next\"") {
            break;
        }
        number += 1;
    }
    assert!(number > 1);
    // Pages overlap as chunks do: the text is there from end to end, without white space at its ends.
    let plain = shown.replace("&amp;", "&");
    assert!(
        plain.starts_with("Plain words.")
            && plain.trim_end().ends_with(text.trim_end().lines().last().unwrap())
    );
    assert!(plain.chars().count() >= text.trim().chars().count());
}

#[test]
fn a_mail_leads_to_its_thread() {
    let place = Workshop::new();
    for (day, answered) in [(1, ""), (2, "In-Reply-To: <1@x>\n"), (3, "References: <1@x> <2@x>\n")] {
        place.write(
            format!("{day}.eml"),
            format!(
                "From: Ada <ada@example.org>\nSubject: Day {day}\nMessage-ID: <{day}@x>\n{answered}\
                 Date: {day} Feb 2024 10:00:00 +0100\n\nWords.\n"
            ),
        );
    }
    place.write("alone.eml", "From: Bob <bob@example.org>\nSubject: Alone\n\nWords.\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let page = |name: &str| server.send("GET", &format!("/docs/{}", uid(&place, name)), BROWSER, b"").text();
    let text = page("2.eml");
    for other in ["1.eml", "3.eml"] {
        assert!(text.contains(&format!("<a href=\"/docs/{}\"><bdi>Ada", uid(&place, other))), "{text}");
    }
    let here = format!("<a href=\"/docs/{}\" aria-current=\"true\">", uid(&place, "2.eml"));
    assert!(text.contains(&here), "{text}");
    assert!(!page("alone.eml").contains("Thread"));
}

#[test]
fn places_in_a_pdf_are_told_in_words() {
    let place = Workshop::new();
    place.write(
        "a.pdf",
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/office/leaflet.pdf")).unwrap(),
    );
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let text = server.send("GET", &format!("/docs/{}", uid(&place, "a.pdf")), BROWSER, b"").text();
    assert!(text.contains("<span>page 1</span>") && !text.contains("bbox"), "{text}");
}
