//! Documents inside documents: their rows, their groups, and what becomes of them when the file around them changes.

use crate::audit::audit;
use crate::support::Workshop;

/// A mail with these attachments: name, type, content.
fn mail(subject: &str, attachments: &[(&str, &str, &str)]) -> String {
    let mut mail = format!(
        "Subject: {subject}\nFrom: Ann <ann@example.org>\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b-{subject}\n\n--b-{subject}\n\nThe letter about {subject}.\n"
    );
    for (name, kind, content) in attachments {
        mail.push_str(&format!(
            "--b-{subject}\nContent-Type: {kind}\nContent-Disposition: attachment; filename=\"{name}\"\n\n{content}\n"
        ));
    }
    mail.push_str(&format!("--b-{subject}--\n"));
    mail
}

const MEMBERS: &str = "SELECT relative_path, processing_status, duplicate_status, format FROM files
    WHERE file_type = 'member' ORDER BY relative_path";

/// Every chunk's words with the path of each file that it stands in.
const PLACES: &str =
    "SELECT trim(content, char(10)), relative_path FROM chunks JOIN chunk_sources USING(chunk_id)
    JOIN files USING(file_id) WHERE file_type = 'member' ORDER BY relative_path, start_index";

#[track_caller]
fn check_fresh(workshop: &Workshop) {
    workshop.verify();
    audit(&workshop.database());
    assert_eq!(workshop.fingerprint(), workshop.clean_fingerprint(&[]));
}

#[test]
fn attachments_and_letters_are_documents_of_their_own() {
    let workshop = Workshop::new();
    let inner = mail("inner", &[("deep.txt", "text/plain", "Deep words.")]);
    workshop.write(
        "a.eml",
        mail(
            "outer",
            &[
                ("notes.txt", "text/plain", "Attached words."),
                ("image.png", "image/png", "\u{1}PNG\u{0}\u{2}"),
                ("letter.eml", "message/rfc822", &inner),
            ],
        ),
    );
    let summary = workshop.ingest(&[]);
    assert_eq!((&summary["new"], &summary["members"]), (&1.into(), &4.into()), "{summary}");
    let rows = workshop.rows(MEMBERS);
    assert_eq!(rows.len(), 4, "{rows:?}");
    assert!(rows[0].starts_with("a.eml/2/notes.txt|Processed|unique|text"), "{rows:?}");
    assert!(rows[1].starts_with("a.eml/3/image.png|Skipped_Binary|unique"), "{rows:?}");
    assert!(rows[2].starts_with("a.eml/4/letter.eml|Processed|unique|eml"), "{rows:?}");
    assert!(rows[3].starts_with("a.eml/4/letter.eml/2/deep.txt|Processed|unique|text"), "{rows:?}");
    assert_eq!(workshop.one("SELECT count(*) FROM chunks WHERE content LIKE '%Deep words.%'"), "1");
    check_fresh(&workshop);
    let again = workshop.ingest(&[]);
    assert_eq!((&again["unchanged"], &again["chunks"]), (&1.into(), &0.into()), "{again}");
}

#[test]
fn what_another_file_has_too_is_stored_once_and_passes_on() {
    let workshop = Workshop::new();
    let same = ("same.txt", "text/plain", "The same words in both letters.");
    workshop.write("a.eml", mail("first", &[same]));
    workshop.write("b.eml", mail("second", &[same]));
    workshop.ingest(&[]);
    let at = |path: &str| format!("The same words in both letters.|{path}");
    assert_eq!(workshop.rows(PLACES), [at("a.eml/2/same.txt")]);
    check_fresh(&workshop);
    workshop.remove("a.eml");
    let summary = workshop.ingest(&[]);
    assert_eq!(
        (&summary["deleted"], &summary["chunks"]),
        (&1.into(), &0.into()),
        "nothing is read again: {summary}"
    );
    assert_eq!(workshop.rows(PLACES), [at("b.eml/2/same.txt")]);
    check_fresh(&workshop);
    // A file on disk comes before members.
    workshop.write("z.txt", "The same words in both letters.");
    workshop.ingest(&[]);
    assert_eq!(workshop.rows(PLACES), [""; 0]);
    check_fresh(&workshop);
    workshop.remove("z.txt");
    workshop.ingest(&[]);
    assert_eq!(workshop.rows(PLACES), [at("b.eml/2/same.txt")]);
    check_fresh(&workshop);
}

#[test]
fn a_member_that_another_name_made_another_document_of_is_read_with_its_container() {
    let workshop = Workshop::new();
    let words = "# A heading\n\nWords below it.";
    workshop.write("a.eml", mail("first", &[("notes.md", "text/markdown", words)]));
    workshop.write("z.txt", words);
    workshop.ingest(&[]);
    assert_eq!(workshop.rows(PLACES), [""; 0]);
    check_fresh(&workshop);
    workshop.remove("z.txt");
    workshop.ingest(&[]);
    assert_eq!(workshop.rows(PLACES).len(), 1);
    assert_eq!(workshop.one("SELECT format FROM files WHERE file_type = 'member'"), "markdown");
    check_fresh(&workshop);
}

#[test]
fn members_keep_their_names_when_their_container_is_renamed_and_read_again() {
    let workshop = Workshop::new();
    let deep = mail("inner", &[("deep.txt", "text/plain", "Deep words.")]);
    let attachments =
        [("notes.txt", "text/plain", "Attached words."), ("letter.eml", "message/rfc822", &*deep)];
    let names = |container: &str| {
        workshop.rows(&format!(
            "SELECT doc_uid FROM files WHERE file_type = 'member' AND relative_path LIKE '{container}/%' ORDER BY relative_path"
        ))
    };
    workshop.write("a.eml", mail("outer", &attachments));
    workshop.ingest(&[]);
    let first = names("a.eml");
    assert_eq!(first.len(), 3);
    workshop.rename("a.eml", "moved/b.eml");
    workshop.ingest(&[]);
    assert_eq!(names("moved/b.eml"), first, "renamed");
    workshop.ingest(&["--force-reprocess"]);
    assert_eq!(names("moved/b.eml"), first, "read again");
    workshop.write("moved/b.eml", mail("outer, edited", &attachments));
    workshop.ingest(&[]);
    assert_eq!(names("moved/b.eml"), first, "edited");
    check_fresh(&workshop);
    // Who takes the former name of the container takes none of these.
    let deep = mail("inner, too", &[("deep.txt", "text/plain", "Other deep words.")]);
    let attachments = [("notes.txt", "text/plain", "Other words."), ("letter.eml", "message/rfc822", &*deep)];
    workshop.write("a.eml", mail("another", &attachments));
    workshop.ingest(&["--force-reprocess"]);
    assert_eq!(names("moved/b.eml"), first, "beside another");
    assert!(names("a.eml").iter().all(|name| !first.contains(name)) && names("a.eml").len() == 3);
    check_fresh(&workshop);
}

#[test]
fn members_follow_the_file_around_them() {
    let workshop = Workshop::new();
    let deep = mail("inner", &[("deep.txt", "text/plain", "Deep words.")]);
    let attachments =
        [("notes.txt", "text/plain", "Attached words."), ("letter.eml", "message/rfc822", &*deep)];
    workshop.write("a.eml", mail("outer", &attachments));
    workshop.write("twin.eml", mail("outer", &attachments));
    workshop.ingest(&[]);
    check_fresh(&workshop);
    workshop.rename("a.eml", "moved/b.eml");
    let summary = workshop.ingest(&[]);
    assert_eq!((&summary["renamed"], &summary["chunks"]), (&1.into(), &0.into()), "{summary}");
    assert!(
        workshop.rows(MEMBERS).iter().all(|row| row.starts_with("moved/b.eml/")),
        "{:?}",
        workshop.rows(MEMBERS)
    );
    check_fresh(&workshop);
    workshop.remove("moved/b.eml");
    let summary = workshop.ingest(&[]);
    assert_eq!(summary["chunks"], 0, "the twin takes over: {summary}");
    assert_eq!(workshop.rows(MEMBERS).len(), 3);
    assert!(
        workshop.rows(MEMBERS).iter().all(|row| row.starts_with("twin.eml/")),
        "{:?}",
        workshop.rows(MEMBERS)
    );
    check_fresh(&workshop);
    workshop.write("twin.eml", mail("outer", &attachments[..1]));
    workshop.ingest(&[]);
    assert_eq!(workshop.rows(MEMBERS).len(), 1);
    assert_eq!(workshop.one("SELECT count(*) FROM chunks WHERE content LIKE '%Deep%'"), "0");
    check_fresh(&workshop);
    workshop.remove("twin.eml");
    workshop.ingest(&["--allow-mass-deletion"]);
    assert_eq!(workshop.rows(MEMBERS), [""; 0]);
    assert_eq!(workshop.one("SELECT count(*) FROM chunks"), "0");
}

#[test]
fn a_converter_reads_members_of_its_format_too() {
    let workshop = Workshop::new();
    workshop.install_tool("echo \"converted: $(cat \"$1\")\"");
    workshop.write("a.eml", mail("outer", &[("run.log", "text/plain", "started")]));
    workshop.ingest(&["--config", "tool.toml"]);
    let found = workshop.rows("SELECT content FROM chunks WHERE content LIKE 'converted:%'");
    assert_eq!(found.len(), 1, "{:?}", workshop.rows(MEMBERS));
    assert_eq!(workshop.one("SELECT extractor FROM files WHERE file_type = 'member'"), "tool.sh 1.0");
    workshop.verify();
    // Without it the attachment is text.
    workshop.ingest(&[]);
    assert_eq!(workshop.one("SELECT count(*) FROM chunks WHERE content LIKE 'converted:%'"), "0");
    check_fresh(&workshop);
}

#[test]
fn a_forgotten_root_takes_its_members_along() {
    let workshop = Workshop::new();
    let same = ("same.txt", "text/plain", "The same words in both roots.");
    workshop.write("a.eml", mail("first", &[same]));
    workshop.write("../other/b.eml", mail("second", &[same]));
    workshop.ingest(&[]);
    workshop.ingest_root("other", &[]);
    let tree = workshop.tree();
    workshop.run(["forget", "corpus.db", tree.to_str().unwrap()]).expect(0);
    assert_eq!(workshop.rows(PLACES), ["The same words in both roots.|b.eml/2/same.txt"]);
    workshop.verify();
    audit(&workshop.database());
}

#[test]
fn a_mailbox_is_as_many_mails_as_it_holds() {
    let workshop = Workshop::new();
    let mut mailbox = String::new();
    for number in 0..300 {
        mailbox.push_str(&format!("From ann@example.org Mon Jan  1 00:00:00 2024\nSubject: letter {number}\n\nWords of {number}.\n\n"));
    }
    workshop.write("box.mbox", &mailbox);
    let summary = workshop.ingest(&[]);
    assert_eq!(summary["members"], 300, "{summary}");
    assert_eq!(
        workshop.one("SELECT count(*) FROM files WHERE file_type = 'member' AND format = 'eml'"),
        "300"
    );
    check_fresh(&workshop);
}
