//! Mails, their copies and their threads, as the API returns them.

use super::*;
use crate::store::testing::{add, read, read_member, run, store, task, write};
use crate::store::{Outcome, TaskKind};
use pensieve_text::model::{MailFacts, MailHtml, ProcessingStatus};

fn facts(id: &str, refs: &[&str], day: u8) -> Box<MailFacts> {
    Box::new(MailFacts {
        message_id: Some(id.to_owned()),
        refs: refs.iter().map(|id| (*id).to_owned()).collect(),
        date: Some(format!("2024-01-{day:02}T00:00:00.000Z")),
        subject: Some(format!("About {id}")),
        from: Some("a@example.org".to_owned()),
        ..MailFacts::default()
    })
}

/// Two mails of a thread, the first stored twice and copied once; another mail with a page and an attachment.
fn sample() -> Store {
    let mut store = store();
    run(&mut store, |writer| {
        let mut mail = |path: &str, bytes: &str, mail| {
            let file_id = add(writer, path, bytes);
            read(writer, file_id, &["words"], Outcome { mail: Some(mail), ..Outcome::default() });
        };
        mail("answer.eml", "answer", facts("b", &["a"], 2));
        mail("first.eml", "first", facts("a", &[], 1));
        mail("kept.eml", "kept", facts("a", &[], 1));
        mail("other.eml", "other sender", Box::new(MailFacts { from: None, ..*facts("a", &[], 1) }));
        add(writer, "twin.eml", "first");
        let file_id = add(writer, "page.eml", "page");
        let start = task(writer, file_id, TaskKind::Read);
        assert!(writer.start(start.file.file_id, &start.kind).unwrap());
        write(writer, &["body"]);
        read_member(writer, None, "2/note.txt", &["note"]);
        let page = Some(MailHtml { raw: "<b>raw".to_owned(), sanitised: "<b>safe</b>".to_owned() });
        let mail = Some(Box::new(MailFacts { page, date: None, ..*facts("c", &[], 1) }));
        let status = Some(ProcessingStatus::Processed);
        writer.finish(&Outcome { status, mail, ..Outcome::default() }).unwrap();
    });
    store
}

fn get(store: &Store, path: &str) -> MailView {
    let uid = format!("SELECT doc_uid FROM files WHERE relative_path = '{path}'");
    let uid: String = store.connection.query_row(&uid, [], |row| row.get(0)).unwrap();
    store.mails().get(&uid).unwrap().unwrap()
}

fn copies(mail: &ThreadMail) -> Vec<&str> {
    mail.copies.iter().map(|copy| copy.name.as_str()).collect()
}

#[test]
fn a_mail_has_its_text_its_page_and_its_copies() {
    let store = sample();
    let first = get(&store, "first.eml");
    assert_eq!(
        (first.message_id.as_deref(), first.references.len(), first.clean_markdown.as_str()),
        (Some("a"), 0, "words\n")
    );
    assert_eq!(copies(&first.mail), ["twin.eml", "kept.eml"]);
    assert_eq!(copies(&get(&store, "kept.eml").mail), ["first.eml", "twin.eml"]);
    assert_eq!(copies(&get(&store, "other.eml").mail), [""; 0]);
    assert_eq!(get(&store, "twin.eml").mail.name, "first.eml");
    assert!(first.mail.body_html.contains("words") && first.mail.body_html_raw.is_none());
    assert_eq!(get(&store, "answer.eml").references, ["a"]);
    let page = get(&store, "page.eml");
    assert_eq!(
        (page.render_html.as_str(), page.mail.body_html_raw.as_deref()),
        ("<b>safe</b>", Some("<b>raw"))
    );
    let attached: Vec<&str> = page.mail.attachments.iter().map(|file| file.filename.as_str()).collect();
    assert_eq!((attached, page.mail.text_truncated), (vec!["note.txt"], false));
    assert_eq!(store.mails().get("nothing").unwrap(), None);
    store.connection.execute_batch("UPDATE mail_pages SET raw = x'00'").unwrap();
    let uid: String = store
        .connection
        .query_row("SELECT doc_uid FROM files WHERE relative_path = 'page.eml'", [], |row| row.get(0))
        .unwrap();
    assert!(matches!(store.mails().get(&uid), Err(StoreError::Damaged { .. })));
}

#[test]
fn a_thread_shows_copies_as_one_mail() {
    let store = sample();
    let uid = get(&store, "answer.eml").thread_uid.unwrap();
    let names = |offset, limit| {
        let view = store.mails().thread(&uid, offset, limit).unwrap().unwrap();
        assert_eq!((view.total, view.subject.as_deref()), (3, Some("About a")));
        view.mails.iter().map(|mail| (mail.name.clone(), mail.copies.len())).collect::<Vec<_>>()
    };
    let expected = [("first.eml", 2), ("other.eml", 0), ("answer.eml", 0)]
        .map(|(name, copies)| (name.to_owned(), copies));
    assert_eq!(names(0, 9), expected);
    assert_eq!((names(1, 1), names(3, 9)), (expected[1..2].to_vec(), Vec::new()));
    assert_eq!(store.mails().thread("nothing", 0, 9).unwrap(), None);
    let lines = store.mails().thread_summaries(1, 3).unwrap();
    let subjects: Vec<&str> = lines.iter().filter_map(|line| line.subject.as_deref()).collect();
    assert_eq!(subjects, ["About a", "About a", "About a"]);
    assert_eq!(store.mails().thread_summaries(99, 3).unwrap(), []);
}

#[test]
fn threads_are_listed_from_the_latest_on() {
    let store = sample();
    let page = store.mails().threads(None, 1).unwrap().unwrap();
    let first = &page.threads[0];
    assert_eq!((page.threads.len(), first.mail_count, first.subject.as_deref()), (1, 4, Some("About a")));
    assert_eq!(first.first_date.as_deref(), Some("2024-01-01T00:00:00.000Z"));
    assert_eq!(first.last_date.as_deref(), Some("2024-01-02T00:00:00.000Z"));
    let next = store.mails().threads(page.next.as_deref(), 1).unwrap().unwrap();
    assert_eq!((next.threads[0].mail_count, next.threads[0].last_date.clone(), next.next), (1, None, None));
    assert_eq!(store.mails().threads(None, 2).unwrap().unwrap().next, None);
    assert_eq!(store.mails().threads(Some("nonsense"), 1).unwrap(), None);
}

#[test]
fn large_mails_come_a_few_at_a_time_and_long_texts_are_cut() {
    let mut store = store();
    run(&mut store, |writer| {
        for (number, path) in ["1.eml", "2.eml", "3.eml"].into_iter().enumerate() {
            let page = Some(MailHtml { raw: "x".repeat(2_200_000), sanitised: "<p>safe</p>".to_owned() });
            let refs: &[&str] = if number == 0 { &[] } else { &["0"] };
            let mail = MailFacts { page, ..*facts(&number.to_string(), refs, number as u8 + 1) };
            let file_id = add(writer, path, path);
            let text = if number == 0 { "é".repeat(MAX_TEXT_CHARS + 5) } else { "short".to_owned() };
            read(writer, file_id, &[&text], Outcome { mail: Some(Box::new(mail)), ..Outcome::default() });
        }
    });
    let first = get(&store, "1.eml");
    assert!(first.mail.text_truncated);
    assert_eq!(first.clean_markdown.chars().count(), MAX_TEXT_CHARS);
    assert!(!get(&store, "2.eml").mail.text_truncated);
    let part = |offset| {
        let view = store.mails().thread(first.thread_uid.as_deref().unwrap(), offset, 9).unwrap().unwrap();
        (view.total, view.mails.len())
    };
    // The first mail has a page of 2.2 MB and a text of 2 MB.
    assert_eq!((part(0), part(1), part(2)), ((3, 1), (3, 2), (3, 1)));
}
