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
        "/search?query=FOG+AND",
        "/search?query=svg&path=&format=md",
        "/docs?folder=%3Cscript%3E",
        "/pack?question=lamp",
        "/pack?question=%3Cscript%3E&path=%22",
        "/threads",
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
    let text = server.send("GET", "/search?query=FOG+AND", BROWSER, b"").text();
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
    assert!(text.contains("<span class=\"tag\">prose</span>"), "{text}");
}

#[test]
fn documents_are_opened_folder_by_folder() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let page = |target: &str| server.send("GET", target, BROWSER, b"").text();
    let has = |target: &str, parts: &[&str], missing: &[&str]| {
        let text = page(target);
        for part in parts {
            assert!(text.contains(part), "{target} has no {part}: {text}");
        }
        for part in missing {
            assert!(!text.contains(part), "{target} has {part}: {text}");
        }
    };
    has(
        "/docs",
        &["folder=a\"", "folder=b\"", "2 documents", "empty.txt", "2 folders, 1 document"],
        &["first.md"],
    );
    has(
        "/docs?folder=a",
        &["first.md", "second.txt", "aria-current=\"page\">a</bdi>"],
        &["copy.txt", "folder=b\""],
    );
    has("/docs?folder=a&query=keeper", &["second.txt", "1 document"], &["first.md", "copy.txt"]);
    has("/docs?folder=nowhere", &["There are no documents here."], &[]);
    has("/docs?root=9", &["There are no documents here."], &[]);
    has("/docs?format=md", &["first.md"], &["second.txt", "scripts.txt"]);
    let order = |target: &str| {
        let text = page(target);
        let names = ["scripts.txt", "photo.png", "empty.txt"];
        let mut at: Vec<(usize, &str)> = names.iter().map(|name| (text.find(name).unwrap(), *name)).collect();
        at.sort_unstable();
        at.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
    };
    assert_eq!(order("/docs?format=&query=t&sort=size"), ["scripts.txt", "photo.png", "empty.txt"]);
    assert_eq!(order("/docs?query=t&sort=size&order=ascending"), ["empty.txt", "photo.png", "scripts.txt"]);
    has(
        "/docs?limit=1&query=t&page=3",
        &["Page 3 of 6", "rel=\"prev\"", "rel=\"next\"", "Last", "First"],
        &[],
    );
    has("/docs?limit=1&query=t&page=99", &["Page 6 of 6"], &["rel=\"next\""]);
    has("/docs?limit=2", &["folder=a\"", "Page 1 of 2"], &["empty.txt"]);
    has("/docs?limit=2&page=2", &["empty.txt"], &["folder=a\""]);
    let folders = server.json("/api/v3/folders");
    assert_eq!(
        (&folders["root_id"], &folders["folders"][1]["name"], &folders["folders"][1]["documents"]),
        (&1.into(), &"b".into(), &3.into())
    );
    assert_eq!(server.json("/api/v3/folders?folder=a")["folders"].as_array().unwrap().len(), 0);
    let below = server.json("/api/v3/docs?folder=b");
    assert_eq!(below["docs"].as_array().unwrap().len(), 3);
    assert_eq!(page(&format!("/docs?folder={}", "x".repeat(8001))).matches("8000 characters").count(), 1);
}

#[test]
fn several_roots_are_folders_without_their_places() {
    let place = workshop();
    fs::create_dir(place.path("more")).unwrap();
    fs::write(place.path("more/far.txt"), "A far text.\n").unwrap();
    place.ingest_root("more", &[]);
    let server = Server::start(&place, &[]);
    let text = server.send("GET", "/docs", BROWSER, b"").text();
    assert!(
        text.contains("Root 1")
            && text.contains("Root 2")
            && !text.contains("tree")
            && !text.contains("far.txt"),
        "{text}"
    );
    let text = server.send("GET", "/docs?root=2", BROWSER, b"").text();
    assert!(text.contains("far.txt") && !text.contains("empty.txt"), "{text}");
}

#[test]
fn words_of_a_document_are_marked() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let first = uid(&place, "a/second.txt");
    let page = |at: &str| server.send("GET", &format!("/docs/{first}?at={at}"), BROWSER, b"").text();
    assert!(page("2-8,28-38").contains("A <mark id=\"found\">second</mark> text about a lighth<mark>ouse"));
    assert!(page("22-32").contains("<mark id=\"found\">lighthouse</mark> and"), "{}", page("22-32"));
    assert!(page("22").contains("class=\"chunk wanted whole\" id=\"found\""), "{}", page("22"));
    assert!(!page("5000-6000").contains("<mark"));
    for wrong in ["x", "3-2", "-", "1-2,"] {
        assert!(page(wrong).contains("first byte of the words"), "{wrong}");
    }
    let hits = server.send("GET", "/search?query=keeper", BROWSER, b"").text();
    assert!(hits.contains(&format!("/docs/{first}?at=41-47#found")), "{hits}");
}

#[test]
fn threads_of_mails_are_listed_and_read() {
    let place = Workshop::new();
    place.write("none.txt", "no mail\n");
    place.ingest(&[]);
    {
        let server = Server::start(&place, &[]);
        assert!(server.send("GET", "/threads", BROWSER, b"").text().contains("The corpus has no mails."));
    }
    for (day, answered) in [(1, ""), (2, "In-Reply-To: <1@x>\n")] {
        place.write(
            format!("{day}.eml"),
            format!(
                "From: Ada <ada@example.org>\nTo: <b>@x\nSubject: Day {day}\nMessage-ID: <{day}@x>\n{answered}\
                 Date: {day} Feb 2024 10:00:00 +0100\n\nWords of day {day}.\n"
            ),
        );
    }
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let text = server.send("GET", "/threads", BROWSER, b"").text();
    assert!(text.contains("Day 1") && text.contains("2 mails") && !text.contains("Day 2"), "{text}");
    let link = text.split("href=\"/threads/").nth(1).unwrap().split('"').next().unwrap();
    let thread = server.send("GET", &format!("/threads/{link}"), BROWSER, b"").text();
    for part in ["Words of day 1.", "Words of day 2.", "Ada &lt;ada@example.org&gt;", "2024-02-01 09:00"] {
        assert!(thread.contains(part), "{part}: {thread}");
    }
    assert_eq!(server.send("GET", "/threads/nothing", BROWSER, b"").status, 404);
    let mail = server.send("GET", &format!("/docs/{}", uid(&place, "2.eml")), BROWSER, b"").text();
    assert!(mail.contains("<dt>Subject</dt><dd><bdi>Day 2</bdi>") && mail.contains(link), "{mail}");
}

#[test]
fn a_citation_leads_to_its_words() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let (first, other) = (uid(&place, "a/second.txt"), uid(&place, "a/first.md"));
    let chunks = server.json(&format!("/api/v3/docs/{first}/chunks"));
    let citation = chunks["chunks"][0]["citation"].as_str().unwrap().to_owned();
    let open = |citation: &str| {
        let answer = server.send("GET", &format!("/cite/{citation}"), BROWSER, b"");
        assert_eq!(answer.status, 303, "{citation}");
        let target = answer.header("location").strip_suffix("#found").unwrap().to_owned();
        server.send("GET", &target, BROWSER, b"").text()
    };
    let text = open(&citation);
    assert!(text.contains("As cited.") && text.contains("<mark id=\"found\">A second text about"), "{text}");
    let gone = open(&citation.replace("/0-", "/3-"));
    assert!(gone.contains("No longer as cited:") && gone.contains("id=\"found\""), "{gone}");
    place.write("a/second.txt", "Before it.\n\nA second text about a lighthouse and its keeper.\n");
    place.ingest(&[]);
    let moved = open(&citation);
    assert!(moved.contains("Moved.") && moved.contains("<mark id=\"found\">A second text about"), "{moved}");
    for wrong in ["nothing", "pensieve:nobody/0-3/0123456789ab", "pensieve:a/0-3"] {
        assert_eq!(server.send("GET", &format!("/cite/{wrong}"), BROWSER, b"").status, 404, "{wrong}");
    }
    let foreign = server.send("GET", &format!("/docs/{other}?cite={citation}"), BROWSER, b"");
    assert_eq!(foreign.status, 400);
    let search = server.send("GET", &format!("/search?query={citation}"), BROWSER, b"").text();
    assert!(search.contains(&format!("href=\"/cite/{citation}\"")), "{search}");
}

#[test]
fn a_pack_can_be_made_and_saved() {
    let place = workshop();
    let server = Server::start(&place, &[]);
    let page = |query: &str| server.send("GET", &format!("/pack{query}"), BROWSER, b"").text();
    assert!(page("").contains("name=\"question\"") && !page("").contains("Save as"));
    let text = page("?question=keeper&budget=500");
    assert!(text.contains("of 500 tokens") && text.contains("lighthouse and its keeper."), "{text}");
    assert!(text.contains("href=\"/cite/pensieve:") && text.contains("data-copy-of=\"pack\""), "{text}");
    let link = text.split("href=\"/pack.md").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    let saved = server.send("GET", &format!("/pack.md{link}"), BROWSER, b"");
    assert_eq!(saved.header("content-type"), "text/markdown; charset=utf-8");
    assert_eq!(saved.header("content-disposition"), "attachment; filename=\"pack.md\"");
    assert!(saved.text().contains("lighthouse and its keeper.") && saved.text().contains("pensieve:"));
    assert!(!page("?question=lamp&path=b/**&budget=500").contains("The lamp was lit"));
    for (query, says) in
        [("?question=keeper&budget=1", "no part of it fits"), ("?question=FOG+AND", "role=\"alert\"")]
    {
        assert!(page(query).contains(says), "{query}: {}", page(query));
    }
    assert!(page("?question=xyzzyx").contains("0 pieces"), "{}", page("?question=xyzzyx"));
}

#[test]
fn hits_are_grouped_by_document_and_narrowed_by_what_documents_have() {
    let place = Workshop::new();
    let paragraphs: String =
        (0..40).map(|number| format!("# Part {number}\n\nThe walnut of part {number} is old.\n\n")).collect();
    place.write("garden/trees.md", paragraphs);
    place.write("letters/one.txt", "A walnut in a letter.\n");
    let mail = |year: &str, from: &str| {
        format!(
            "From: {from}\nSubject: Nuts\nDate: Mon, 3 Feb {year} 10:00:00 +0000\n\nThe walnut of {year}.\n"
        )
    };
    place.write("mail/1.eml", mail("2020", "ann@example.org"));
    place.write("mail/2.eml", mail("2021", "ben@example.org"));
    place.ingest(&["--chunk-size", "32", "--chunk-overlap", "0"]);
    let server = Server::start(&place, &["--title", "Nuts <and> trees"]);
    let page = |target: &str| server.send("GET", target, BROWSER, b"").text();
    let all = page("/search?query=walnut&limit=50");
    assert!(all.contains("<title>walnut – Search · Nuts &lt;and&gt; trees · Pensieve</title>"), "{all}");
    assert_eq!(all.matches("class=\"title\"").count(), 4, "{all}");
    assert!(all.contains("more in this document"), "{all}");
    for facet in ["path=%2Fgarden%2F%2A%2A", "format=markdown", "year=2020", "from=ann%40example.org"] {
        assert!(all.contains(facet), "{facet}: {all}");
    }
    let titles = |page: &str| page.matches("class=\"title\"").count();
    let of_year = page("/search?query=walnut&year=2021");
    assert!(titles(&of_year) == 1 && of_year.contains("The <mark>walnut</mark> of 2021"), "{of_year}");
    assert!(of_year.contains("title=\"Take this choice back\""), "{of_year}");
    assert_eq!(titles(&page("/search?query=walnut&from=nobody%40example.org")), 0);
    assert_eq!(titles(&page("/search?query=walnut&path=%2Fletters%2F%2A%2A")), 1);
}

#[test]
fn markdown_is_shown_as_it_reads_and_as_it_is_stored() {
    let place = Workshop::new();
    place.write(
        "a.md",
        "# Oil\n\nKept in the *cellar*: <b>dry</b>, [far](https://example.org) and [near](b.md).\n",
    );
    place.write("b.txt", "Two *stars* in a plain text.\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let page = |target: &str| server.send("GET", target, BROWSER, b"").text();
    let uid = |name: &str| place.one(&format!("SELECT doc_uid FROM files WHERE filename = '{name}'"));
    let read = page(&format!("/docs/{}", uid("a.md")));
    for part in
        ["<p class=\"heading h1\">Oil</p>", "<em>cellar</em>: &lt;b&gt;dry&lt;/b&gt;", ">far</a> and near."]
    {
        assert!(read.contains(part), "{part}: {read}");
    }
    let stored = page(&format!("/docs/{}?view=raw", uid("a.md")));
    assert!(stored.contains("# Oil\n\nKept in the *cellar*") && !stored.contains("<em>"), "{stored}");
    let plain = page(&format!("/docs/{}", uid("b.txt")));
    assert!(plain.contains("Two *stars*") && !plain.contains("view=raw"), "{plain}");
}

#[test]
fn originals_are_given_only_where_that_is_asked_for_and_as_they_were_read() {
    let place = Workshop::new();
    place.write("a.txt", "The original.\n");
    place.write(".env", "PASSWORD=hunter2\n");
    place.write("key", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n");
    place.ingest(&[]);
    let uid = |name: &str| place.one(&format!("SELECT doc_uid FROM files WHERE filename = '{name}'"));
    let original = |name: &str| format!("/docs/{}/original", uid(name));
    let closed = Server::start(&place, &[]);
    assert_eq!(closed.get(&original("a.txt")).status, 404);
    assert!(!closed.get(&format!("/docs/{}", uid("a.txt"))).text().contains("Open the original"));
    let open = Server::start(&place, &["--sources"]);
    let given = open.get(&original("a.txt"));
    assert_eq!((given.status, given.body.as_slice()), (200, b"The original.\n".as_slice()));
    assert_eq!(given.header("content-disposition"), "attachment; filename*=UTF-8''a%2Etxt");
    for withheld in ["key", ".env"] {
        assert_eq!(open.get(&original(withheld)).status, 404, "{withheld}");
    }
    // Other bytes were never meant, and neither is what a link in the place of the file leads to.
    place.write("a.txt", "Another text.\n");
    assert_eq!(open.get(&original("a.txt")).status, 404);
    fs::write(place.path("outside.txt"), "The original.\n").unwrap();
    fs::remove_file(place.tree().join("a.txt")).unwrap();
    std::os::unix::fs::symlink(place.path("outside.txt"), place.tree().join("a.txt")).unwrap();
    assert_eq!(open.get(&original("a.txt")).status, 404);
}
