//! Mails beside their text: threads, pages, what is attached, and that all of it follows the files.

use crate::audit::audit;
use crate::support::{Dice, Workshop, rounds, seed, with_seed};
use pensieve::store::Store;
use std::collections::BTreeMap;

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
    let found = store(&workshop).mail(&uid_of(&workshop, "a.eml")).unwrap().unwrap();
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
    let inner = store(&workshop).mail(&found.mail.attachments[1].doc_uid).unwrap().unwrap();
    assert_eq!(inner.mail.name, "a.eml » 3 » part 3.eml");
    assert_eq!(inner.render_html, "<p>Inner words.</p>\n");
    let told = workshop.run(["text", "corpus.db", "a.eml » 3 » part 3.eml"]).expect(0).stdout;
    assert!(told.ends_with("Inner words.\n"), "{told}");
    let told = workshop.run(["why", "corpus.db", "a.eml/2/a.txt"]).expect(0).stdout;
    assert!(told.contains("a.eml » 2 » a.txt"), "{told}");
    assert_eq!(store(&workshop).mail(&uid_of(&workshop, "z.txt")).unwrap(), None);
    assert_eq!(store(&workshop).mail("nothing").unwrap(), None);
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
    let list = store.threads(None, 1).unwrap().unwrap();
    assert_eq!((list.threads[0].subject.as_deref(), list.threads[0].mail_count), (Some("Day 9"), 1));
    let list = store.threads(list.next.as_deref(), 10).unwrap().unwrap();
    assert_eq!((list.threads.len(), list.threads[0].mail_count, list.next), (1, 4, None));
    let thread = store.thread(&list.threads[0].thread_uid, 0, 10).unwrap().unwrap();
    let bodies: Vec<&str> = thread.mails.iter().map(|mail| mail.body_markdown.trim()).collect();
    assert_eq!((thread.total, bodies), (3, vec!["First.", "Second.", "Third."]));
    let copies: Vec<Vec<&str>> =
        thread.mails.iter().map(|mail| mail.copies.iter().map(|copy| copy.name.as_str()).collect()).collect();
    assert_eq!(copies, [vec![], vec!["copy.eml"], vec!["twin.eml"]]);
    assert_eq!(store.thread(&thread.thread_uid, 1, 1).unwrap().unwrap().mails[0], thread.mails[1]);
    assert_eq!(store.threads(Some("nonsense"), 1).unwrap(), None);
    assert_eq!(store.thread("nonsense", 0, 1).unwrap(), None);
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
