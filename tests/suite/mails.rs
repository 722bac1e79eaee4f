//! Mails beside their text: threads, pages, what is attached, and that all of it follows the files.

use crate::audit::audit;
use crate::http::Server;
use crate::support::{Dice, Workshop, rounds, seed, with_seed};
use pensieve_store::store::Store;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A mail with these fields beside `From` and `Date`.
fn mail(day: u32, fields: &[(&str, &str)], body: &str) -> String {
    let mut mail =
        format!("From: Ann <ann@example.org>\nDate: {day} Feb 2024 10:00:00 +0100\nSubject: Day {day}\n");
    fields.iter().for_each(|(name, value)| mail.push_str(&format!("{name}: {value}\n")));
    format!("{mail}\n{body}\n")
}

fn store(workshop: &Workshop) -> Store {
    Store::open_for_reading(&workshop.database()).unwrap()
}

fn uid_of(workshop: &Workshop, path: &str) -> String {
    workshop.file(path, "doc_uid")
}

/// Every mail with its thread, and the table of threads.
fn threads(workshop: &Workshop, database: &str) -> (BTreeMap<String, String>, Vec<String>) {
    let connection = crate::support::open(&workshop.path(database));
    let pairs = crate::support::rows(
        &connection,
        "SELECT relative_path, thread_uid FROM mails JOIN files USING(file_id) ORDER BY 1",
    );
    let pair =
        |row: &String| row.split_once('|').map(|(path, uid)| (path.to_owned(), uid.to_owned())).unwrap();
    let table = crate::support::rows(&connection, "SELECT * FROM mail_threads ORDER BY 1");
    (pairs.iter().map(pair).collect(), table)
}

/// What is stored equals what a first run over the same tree stores.
#[track_caller]
fn check_fresh(workshop: &Workshop) {
    workshop.verify();
    audit(&workshop.database());
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
    assert_eq!(threads(workshop, "corpus.db"), threads(workshop, "clean.db"));
    assert_eq!(workshop.one("SELECT count(*) FROM mail_unsettled"), "0");
    let strays = "SELECT count(*) FROM mail_ids WHERE file_id NOT IN (SELECT file_id FROM mails)";
    assert_eq!(workshop.one(strays), "0");
}

#[test]
fn a_mail_is_shown_with_its_texts_its_page_and_what_is_attached() {
    let workshop = Workshop::new();
    let parts = "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nHello *you*, 3 < 4.\n\n\
        --c\nContent-Type: text/html\n\n<p onclick=x()>Hello <img src=http://t.example/p.gif alt=you></p>\n--c--\n\
        --b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nAttached words.\n\
        --b\nContent-Type: message/rfc822\n\nSubject: Inner\nMessage-ID: <inner@x>\n\nInner words.\n--b--";
    let fields = [
        ("To", "Bob <bob@example.org>"),
        ("Message-ID", "<one@example.org>"),
        ("MIME-Version", "1.0"),
        ("Content-Type", "multipart/mixed; boundary=b"),
    ];
    workshop.write("a.eml", mail(7, &fields, parts));
    workshop.write("z.txt", "Attached words.");
    workshop.ingest(&[]);
    workshop.remove("a.eml");
    let found = store(&workshop).mails().get(&uid_of(&workshop, "a.eml")).unwrap().unwrap();
    assert_eq!(found.mail.subject.as_deref(), Some("Day 7"));
    assert_eq!(found.mail.from.as_deref(), Some("Ann <ann@example.org>"));
    assert_eq!(found.mail.date.as_deref(), Some("2024-02-07T09:00:00.000Z"));
    assert_eq!(found.message_id.as_deref(), Some("one@example.org"));
    assert_eq!(found.mail.body_markdown, "Hello *you*, 3 < 4.\n");
    assert!(found.clean_markdown.starts_with("# Day 7\n\nFrom: Ann"), "{}", found.clean_markdown);
    assert!(
        found.clean_text.starts_with("Day 7\n\nFrom: Ann <ann@example.org>\nTo: Bob"),
        "{}",
        found.clean_text
    );
    assert_eq!(found.render_html, "<p>Hello <img alt=\"you\"></p>");
    assert!(found.mail.body_html_raw.unwrap().contains("onclick=x()"));
    assert_eq!(found.transform_version.as_deref(), Some("mail_v1"));
    let attached: Vec<_> = found
        .mail
        .attachments
        .iter()
        .map(|a| (a.filename.as_str(), a.size_bytes, a.processing_status.as_deref().unwrap()))
        .collect();
    assert_eq!(attached, [("a.txt", 15, "Processed"), ("part 3.eml", 50, "Processed")]);
    assert_eq!(found.mail.attachments[0].canonical_doc_uid, Some(uid_of(&workshop, "z.txt")));
    let inner = store(&workshop).mails().get(&found.mail.attachments[1].doc_uid).unwrap().unwrap();
    assert_eq!(inner.mail.name, "a.eml » 3 » part 3.eml");
    assert_eq!(inner.render_html, "<p>Inner words.</p>\n");
    let told = workshop.run(["text", "corpus.db", "a.eml » 3 » part 3.eml"]).expect(0).stdout;
    assert!(told.ends_with("Inner words.\n"), "{told}");
    let told = workshop.run(["why", "corpus.db", "a.eml/2/a.txt"]).expect(0).stdout;
    assert!(told.contains("a.eml » 2 » a.txt"), "{told}");
    assert_eq!(store(&workshop).mails().get(&uid_of(&workshop, "z.txt")).unwrap(), None);
    assert_eq!(store(&workshop).mails().get("nothing").unwrap(), None);
}

#[test]
fn threads_are_found_in_order_of_date_and_listed_from_the_latest() {
    let workshop = Workshop::new();
    let id = |id: &str| format!("<{id}@x>");
    workshop.write("c.eml", mail(1, &[("Message-ID", &id("1"))], "First."));
    workshop.write("b.eml", mail(3, &[("Message-ID", &id("3")), ("References", "<1@x> <2@x>")], "Third."));
    workshop.write("a.eml", mail(2, &[("Message-ID", &id("2")), ("In-Reply-To", "<1@x>")], "Second."));
    workshop
        .write("copy.eml", mail(2, &[("Message-ID", &id("2")), ("In-Reply-To", "<1@x>")], "Second, kept."));
    workshop.write("twin.eml", mail(3, &[("Message-ID", &id("3")), ("References", "<1@x> <2@x>")], "Third."));
    workshop.write("lone.eml", mail(9, &[("Message-ID", &id("9"))], "Alone."));
    workshop.ingest(&[]);
    let store = store(&workshop);
    let list = store.mails().threads(None, 1).unwrap().unwrap();
    assert_eq!((list.threads[0].subject.as_deref(), list.threads[0].mail_count), (Some("Day 9"), 1));
    let list = store.mails().threads(list.next.as_deref(), 10).unwrap().unwrap();
    assert_eq!((list.threads.len(), list.threads[0].mail_count, list.next), (1, 4, None));
    let thread = store.mails().thread(&list.threads[0].thread_uid, 0, 10).unwrap().unwrap();
    let bodies: Vec<&str> = thread.mails.iter().map(|mail| mail.body_markdown.trim()).collect();
    assert_eq!((thread.total, bodies), (3, vec!["First.", "Second.", "Third."]));
    let copies: Vec<Vec<&str>> =
        thread.mails.iter().map(|mail| mail.copies.iter().map(|copy| copy.name.as_str()).collect()).collect();
    assert_eq!(copies, [vec![], vec!["copy.eml"], vec!["twin.eml"]]);
    assert_eq!(store.mails().thread(&thread.thread_uid, 1, 1).unwrap().unwrap().mails[0], thread.mails[1]);
    assert_eq!(store.mails().threads(Some("nonsense"), 1).unwrap(), None);
    assert_eq!(store.mails().thread("nonsense", 0, 1).unwrap(), None);
    check_fresh(&workshop);
}

#[test]
fn a_mailbox_gives_mails_and_their_threads() {
    let workshop = Workshop::new();
    let from = "From ann@example.org Thu Feb  1 10:00:00 2024\n";
    let one = mail(1, &[("Message-ID", "<1@x>")], "First.");
    let two = mail(2, &[("Message-ID", "<2@x>"), ("In-Reply-To", "<1@x>")], "Second.");
    workshop.write("a.mbox", format!("{from}{one}\n{from}{two}"));
    workshop.ingest(&[]);
    assert_eq!(workshop.one("SELECT count(DISTINCT thread_uid) || ' ' || count(*) FROM mails"), "1 2");
    workshop.write("a.mbox", format!("{from}{two}"));
    workshop.ingest(&[]);
    check_fresh(&workshop);
    workshop.run(["forget", "corpus.db", "tree"]).expect(0);
    let left = "SELECT (SELECT count(*) FROM mails) + (SELECT count(*) FROM mail_ids) + (SELECT count(*) FROM mail_threads)
        + (SELECT count(*) FROM mail_unsettled) + (SELECT count(*) FROM mail_pages)";
    assert_eq!(workshop.one(left), "0");
}

/// A random mail of a family of ten that refer to each other.
fn random_mail(dice: &mut Dice) -> String {
    let mut reference = || format!("<{}@x>", dice.below(10));
    let (id, answered) = (reference(), reference());
    let references: String = (0..3).map(|_| reference()).collect();
    let mut fields = Vec::new();
    if dice.below(5) > 0 {
        fields.push(("Message-ID", id.as_str()));
    }
    match dice.below(3) {
        0 => fields.push(("In-Reply-To", answered.as_str())),
        1 => fields.push(("References", references.as_str())),
        _ => {}
    }
    mail(1 + dice.below(28) as u32, &fields, "Words.")
}

#[test]
fn any_history_ends_in_the_threads_of_a_first_run() {
    for round in 0..rounds(2) {
        with_seed(seed() + round as u64, |dice| {
            let workshop = Workshop::new();
            for _ in 0..5 {
                for _ in 0..4 {
                    let name = format!("{}.eml", dice.below(8));
                    let there = workshop.tree().join(&name).exists();
                    match dice.below(4) {
                        0 if there => workshop.remove(&name),
                        1 if there => workshop.rename(&name, &format!("{}.eml", 8 + dice.below(4))),
                        _ => workshop.write(&name, random_mail(dice)),
                    }
                }
                workshop.ingest(&[]);
            }
            check_fresh(&workshop);
        });
    }
}

#[test]
fn mails_and_threads_are_served_with_what_is_attached() {
    let place = Workshop::new();
    let head = "From: Ada <ada@example.org>\r\nTo: Bob <bob@example.org>\r\nMIME-Version: 1.0\r\n";
    place.write("1.eml", format!(
        "{head}Subject: Lamp\r\nMessage-ID: <1@example.org>\r\nDate: Mon, 2 Mar 2026 10:00:00 +0000\r\n\
         Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n\
         <p onclick=\"evil()\">The lamp is <b>lit</b>.<script>alert(1)</script></p>\r\n--b\r\n\
         Content-Type: text/plain; name=notes.txt\r\nContent-Disposition: attachment; filename=notes.txt\r\n\r\n\
         Attached words.\r\n--b--\r\n"
    ));
    place.write(
        "2.eml",
        format!(
            "{head}Subject: Re: Lamp\r\nMessage-ID: <2@example.org>\r\nIn-Reply-To: <1@example.org>\r\n\
         Date: Tue, 3 Mar 2026 10:00:00 +0000\r\n\r\nGood.\r\n"
        ),
    );
    place.write("copy/2.eml", fs::read(place.tree().join("2.eml")).unwrap());
    place.write("plain.txt", "no mail\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let mail = server.json(&format!("/api/v3/mails/{}", uid_of(&place, "1.eml")));
    assert_eq!((&mail["subject"], &mail["message_id"]), (&"Lamp".into(), &"1@example.org".into()));
    assert_eq!(mail["attachments"][0]["filename"], "notes.txt");
    let attached = mail["attachments"][0]["doc_uid"].as_str().unwrap();
    assert_eq!(server.json(&format!("/api/v3/docs/{attached}/text"))["text"], "Attached words.");
    let document = server.json(&format!("/api/v3/docs/{attached}"));
    assert_eq!(document["parent"]["doc_uid"], uid_of(&place, "1.eml"));
    assert!(document["name"].as_str().unwrap().starts_with("1.eml » "), "{document}");
    let (shown, raw) = (mail["body_html"].as_str().unwrap(), mail["body_html_raw"].as_str().unwrap());
    assert!(
        shown.contains("<b>lit</b>") && !shown.contains("script") && !shown.contains("onclick"),
        "{shown}"
    );
    assert!(raw.contains("<script>alert(1)</script>"), "{raw}");
    let threads = server.json("/api/v3/threads");
    assert_eq!(threads["threads"].as_array().unwrap().len(), 1);
    let uid_of_thread = threads["threads"][0]["thread_uid"].as_str().unwrap();
    assert_eq!(mail["thread_uid"], uid_of_thread);
    let thread = server.json(&format!("/api/v3/threads/{uid_of_thread}"));
    let subjects: Vec<&str> =
        thread["mails"].as_array().unwrap().iter().map(|mail| mail["subject"].as_str().unwrap()).collect();
    assert_eq!(subjects, ["Lamp", "Re: Lamp"]);
    assert!(thread["mails"][1]["body_markdown"].as_str().unwrap().contains("Good."));
    let first = server.json(&format!("/api/v3/threads/{uid_of_thread}?limit=1"));
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = server.json(&format!("/api/v3/threads/{uid_of_thread}?limit=1&cursor={cursor}"));
    assert_eq!((&second["mails"][0]["subject"], &second["next_cursor"]), (&"Re: Lamp".into(), &Value::Null));
    let copy = server.json(&format!("/api/v3/mails/{}", uid_of(&place, "copy/2.eml")));
    assert_eq!(copy["subject"], "Re: Lamp");
    server.refuses(&format!("/api/v3/mails/{}", uid_of(&place, "plain.txt")), 404, "not-found");
    server.refuses("/api/v3/threads/nothing", 404, "not-found");
    server.refuses("/api/v3/threads?cursor=x", 400, "bad-cursor");
}

#[test]
fn a_mail_has_its_text_up_to_a_limit_and_a_thread_of_large_mails_comes_in_parts() {
    let place = Workshop::new();
    for number in 1..=3 {
        // A part that is larger by itself is a document of its own.
        let words = format!("Größe number {number}, word after word.\n\n").repeat(20_000);
        let part = format!("--b\nContent-Type: text/plain; charset=utf-8\n\n{words}\n");
        place.write(
            format!("{number}.eml"),
            format!(
                "From: a@x\nSubject: Large\nMessage-ID: <{number}@x>\nReferences: <1@x>\nMIME-Version: 1.0\n\
                 Content-Type: multipart/mixed; boundary=b\nDate: {number} Feb 2024 10:00:00 +0100\n\n{}--b--\n",
                part.repeat(3)
            ),
        );
    }
    place.write("4.eml", "From: a@x\nSubject: Small\nMessage-ID: <4@x>\nReferences: <1@x>\n\nWords.\n");
    place.ingest(&[]);
    let server = Server::start(&place, &[]);
    let mail = server.json(&format!("/api/v3/mails/{}", uid_of(&place, "1.eml")));
    let text = server.json(&format!("/api/v3/docs/{}/text", uid_of(&place, "1.eml")));
    assert_eq!(text["truncated"], true);
    assert_eq!((&mail["text_truncated"], &mail["text_limit_chars"]), (&true.into(), &1_000_000.into()));
    assert_eq!(mail["clean_markdown"], text["text"]);
    let body = mail["body_markdown"].as_str().unwrap();
    assert!(text["text"].as_str().unwrap().ends_with(body) && body.starts_with("Größe number 1"));
    assert!(mail["body_html"].as_str().unwrap().len() > 1_000_000);
    // The rest follows part by part, each of a limited length.
    let (mut rest, mut next) = (0, mail["text_next"].as_str().map(str::to_owned));
    while let Some(address) = next {
        let part = server.json(&address);
        let length = part["text"].as_str().unwrap().chars().count();
        rest += length;
        assert!(length <= 1_000_000);
        let offset = part["offset"].as_u64().unwrap() + part["limit"].as_u64().unwrap();
        let path = address.split('?').next().unwrap();
        next = (part["truncated"] == true).then(|| format!("{path}?offset={offset}"));
    }
    assert_eq!(1_000_000 + rest as u64, text["total_chars"].as_u64().unwrap());
    let thread = mail["thread_uid"].as_str().unwrap();
    let (mut subjects, mut cursor, mut parts) = (Vec::new(), String::new(), 0);
    loop {
        let part = server.json(&format!("/api/v3/threads/{thread}?limit=100{cursor}"));
        let mails = part["mails"].as_array().unwrap();
        subjects.extend(mails.iter().map(|mail| mail["subject"].as_str().unwrap().to_owned()));
        assert_eq!(mails.last().unwrap()["text_truncated"], mails.last().unwrap()["subject"] == "Large");
        parts += 1;
        match part["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(subjects, ["Large", "Large", "Large", "Small"]);
    assert!(parts > 1, "{parts}");
}
