//! Tests of mails.

use super::*;
use pensieve_text::model::Locator;
use pensieve_text::model::ReviewReasonKind;
use std::io::Cursor;

#[derive(Default)]
struct Files(Vec<(String, String, Vec<u8>)>);

impl DocumentSink for Files {
    fn text(&mut self, _: Segment) -> Result<(), Problem> {
        Ok(())
    }

    fn member(&mut self, member: ContainerMember) -> Result<(), Problem> {
        self.0.push((member.member, member.name, member.bytes));
        Ok(())
    }
}

fn mail(bytes: &[u8]) -> (Document, Vec<(String, String, Vec<u8>)>) {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "a.eml").unwrap();
    let mut files = Files::default();
    let document = read(&mut source, &ReadSettings::default(), &mut files).unwrap();
    (document, files.0)
}

fn check(text: &str, expected: &str) {
    assert_eq!(mail(text.as_bytes()).0.text.text, expected, "{text}");
}

/// Every exact span of a mail points to equal bytes.
fn check_spans(bytes: &[u8]) {
    let document = mail(bytes).0;
    let encoding = Encoding::from_name(document.encoding.as_deref().unwrap()).unwrap();
    let mut cited = 0;
    for (at, c) in document.text.text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let span = Span::new(at, at + c.len_utf8());
        if let Some(source) = document.text.map.source(span).filter(|source| source.exact) {
            let said = pensieve_text::text::decode::decode_slice(encoding, &bytes[source.start..source.end]);
            assert_eq!(said.as_deref(), Some(c.to_string().as_str()), "at {at}");
            cited += 1;
        }
    }
    assert!(cited > 0);
}

#[test]
fn a_mail_that_ends_in_the_name_of_a_field_is_cut() {
    let problems = |file: &str| mail(file.as_bytes()).0.problems.len();
    let head = "From: a@b.c\nDate: Tue, 3 Jun 2025 09:15:00 +0200\nSubject: a";
    assert_eq!(problems(head), 0);
    assert_eq!(problems(&format!("{head}\n and b")), 0);
    assert_eq!(problems(&format!("{head}\nConten")), 1);
    assert_eq!(problems(&format!("{head}\n\nConten")), 0);
}

#[test]
fn a_file_that_is_shorter_than_it_declares_is_damaged() {
    let problems = |file: &str| {
        let problems = mail(file.as_bytes()).0.problems;
        problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>()
    };
    let words = "From: a@b.c\nDate: Tue, 3 Jun 2025 09:15:00 +0200\nSubject: a\n\nwords\n";
    assert!(problems(&format!("{}\n{words}<?xml version='1.0'?><plist/>", words.len())).is_empty());
    assert!(problems(&format!("{}\n{words}", words.len())).is_empty());
    let lost = "the file is shorter than its first line says: the end of the mail is missing";
    assert_eq!(problems(&format!("{}\n{words}", words.len() + 1)), [lost]);
}

#[test]
fn what_lies_elsewhere_is_named_among_the_documents() {
    let (document, members) = mail(
        b"Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/external-body;\n \
          access-type=URL; URL=\"http://a.example/b.ps\"; name=\"b.ps\"\n\nContent-Type: application/postscript\n\n--b--\n",
    );
    assert_eq!(
        document.text.text,
        "# a\n\nLies elsewhere: name b.ps, access-type URL, url http://a.example/b.ps\n"
    );
    assert_eq!(members, [("1".to_owned(), "b.ps".to_owned(), Vec::new())]);
}

#[test]
fn a_mail_is_its_head_and_its_body() {
    check(
        "Subject: Hello\nFrom: A <a@b.c>\nTo: d@e.f\nDate: Mon, 1 Jan 2001 00:00:00 +0100\n\nWords.\n",
        "# Hello\n\nFrom: A <a@b.c>\nTo: d@e.f\nDate: Mon, 1 Jan 2001 00:00:00 +0100\n\nWords.\n",
    );
    check("Subject: =?utf-8?q?caf=C3=A9?=\n\n", "# caf\u{e9}\n");
    check("no header at all\n", "no header at all\n");
    check("", "");
    check("\n\nSubject: a\n\nb", "# a\n\nb\n");
    check("20\nSubject: a\n\none two\n\n<?xml version=\"1.0\"?><plist/>", "# a\n\none two\n");
}

#[test]
fn metadata_has_one_row_an_address() {
    let text = "From: \"B, A\" <a@b.c>\nTo: x@y.z,\n =?utf-8?q?=C3=A9?= <e@y.z>\nMessage-ID: <1@b>\n\
        Date: Mon, 1 Jan 2001 00:00:00 GMT\nReferences: <2@b>\n <3@b>\n\n";
    let rows: Vec<(String, String)> = mail(text.as_bytes()).0.metadata;
    let rows: Vec<(&str, &str)> = rows.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let expected = [
        ("from", "\"B, A\" <a@b.c>"),
        ("to", "x@y.z"),
        ("to", "\u{e9} <e@y.z>"),
        ("date", "2001-01-01T00:00:00Z"),
        ("message_id", "<1@b>"),
        ("references", "<2@b> <3@b>"),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn spans_lead_to_the_bytes_of_the_file() {
    check_spans(b"Subject: a < b\r\nFrom: x@y\r\n\r\nWords with <tags> here.\r\nAnd more.\r\n");
    check_spans(b"Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9 au lait, d\xe9j\xe0 vu\n");
    check_spans(
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=iso-8859-1\n\n\
        caf\xe9 d\xe9j\xe0 vu\n--b\nContent-Type: text/plain; charset=utf-8\n\ncaf\xc3\xa9 d\xc3\xa9j\xc3\xa0\n--b\n\
        Content-Type: text/html\n\n<p>one <b>two</b>\n--b--\n",
    );
}

#[test]
fn parts_have_places_and_files_become_documents() {
    let text = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\nd29yZHM=\n--b\n\
        Content-Type: application/pdf; name=\"../a.pdf\"\nContent-Transfer-Encoding: base64\n\nJVBERg==\n--b\n\
        Content-Type: message/rfc822\n\nSubject: x\n\ny\n--b--\n";
    let (document, files) = mail(text.as_bytes());
    assert_eq!(document.text.text, "words\n");
    assert_eq!(document.text.places.of(Span::new(0, 5)), Some(Locator::part("1", Some(Span::new(0, 5)))));
    assert!(document.text.map.is_empty());
    let names: Vec<(&str, &str)> = files.iter().map(|file| (file.0.as_str(), file.1.as_str())).collect();
    assert_eq!(names, [("2", "a.pdf"), ("3", "part 3.eml")]);
    assert_eq!(files[0].2, b"%PDF");
}

#[test]
fn encryption_is_reported_and_the_head_is_read() {
    let text =
        "Subject: a\nContent-Type: multipart/encrypted; boundary=b\n\n--b\n\nVersion: 1\n--b\n\nxyz\n--b--\n";
    let (document, files) = mail(text.as_bytes());
    assert_eq!(document.text.text, "# a\n");
    assert_eq!(document.problems[0].kind, ProblemKind::Encrypted);
    assert!(files.is_empty());
}

#[test]
fn markup_of_older_mails_is_left_out() {
    check("Content-Type: text/enriched\n\n<bold>Now</bold> << then", "Now < then\n");
}

#[test]
fn uuencoded_files_are_attachments() {
    let text = "Subject: a\n\nSee:\n\nbegin 644 a.txt\n#0V%T\n`\nend\n\nYours\n\nbegin 644 b\n#0V%T\n#0V%T\n";
    let (document, files) = mail(text.as_bytes());
    assert_eq!(document.text.text, "# a\n\nSee:\n\n\nYours\n\n");
    let files: Vec<(&str, &str, &[u8])> =
        files.iter().map(|file| (file.0.as_str(), file.1.as_str(), file.2.as_slice())).collect();
    assert_eq!(files, [("1.1", "a.txt", b"Cat".as_slice()), ("1.2", "b", b"CatCat")]);
    let reasons: Vec<&str> = document.review_reasons.iter().map(|reason| reason.detail.as_str()).collect();
    assert_eq!(reasons, ["part 1.2: the last line of an uuencoded file is missing"]);
    check_spans(text.as_bytes());
}

#[test]
fn damaged_base64_is_read_and_reported() {
    let body = "> SGVsbG8sIHdvcmxkISBI\n> ZWxsbyE=\n";
    let (document, _) = mail(format!("Content-Transfer-Encoding: base64\n\n{body}").as_bytes());
    assert_eq!(document.text.text, "Hello, world! Hello!\n");
    let reason = &document.review_reasons[0];
    assert_eq!(reason.kind, ReviewReasonKind::RepairedStructure);
    assert_eq!(reason.detail, "part 1: 2 characters outside of base64 left out");
}

#[test]
fn cut_mails_are_read_as_far_as_they_go() {
    let text = "Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>one\n--b\n\
        Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQ=\n--b--\n";
    for cut in 0..text.len() {
        mail(&text.as_bytes()[..cut]);
    }
}

/// A mail of this head, besides its subject, and body: its text.
fn text_of(head: &str, body: &str) -> String {
    mail(format!("Subject: S\n{head}\n\n{body}").as_bytes()).0.text.text.replacen("# S\n\n", "", 1)
}

#[test]
fn broken_structures_give_their_text() {
    let mixed = |boundary: &str| format!("Content-Type: multipart/mixed; boundary={boundary}");
    let part = "--b\nContent-Type: text/plain\n\n";
    for (head, body, expected) in [
        (mixed("b"), format!("{part}one\n{part}two\n"), "one\n\ntwo\n"),
        (
            "Content-Type: multipart/mixed".to_owned(),
            format!("{part}one\n{part}two\n--b--\n"),
            "one\n\ntwo\n",
        ),
        (mixed("b"), "no boundary at all\n".to_owned(), "no boundary at all\n"),
        (
            mixed("b"),
            format!(
                "--b\nContent-Type: multipart/alternative; boundary=b\n\n{part}one\n--b--\n{part}two\n--b--\n"
            ),
            "one\n\ntwo\n",
        ),
        (
            mixed("b"),
            format!(
                "--b\nContent-Type: multipart/alternative; boundary=i\n\n--i\nContent-Type: text/plain\n\none\n{part}two\n--b--\n"
            ),
            "one\n\ntwo\n",
        ),
        (mixed("\"b\" ; x=y"), "--b   \nContent-Type: text/plain\n\none\n--b--  \n".to_owned(), "one\n"),
        (mixed("b"), format!("preamble\n{part}one\n--b--\nepilogue\n"), "one\n"),
        ("Content-Transfer-Encoding: x-strange".to_owned(), "one\n".to_owned(), "one\n"),
    ] {
        assert_eq!(text_of(&head, &body), expected, "{head}\n{body}");
    }
}

#[test]
fn broken_encodings_give_their_text() {
    let plain = |charset: &str, encoding: &str| {
        format!("Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {encoding}")
    };
    for (head, body, expected) in [
        (plain("us-ascii", "8bit"), "café\n", "café\n"),
        (plain("x-unknown-99", "8bit"), "café\n", "café\n"),
        (plain("utf-8", "quoted-printable"), "caf=C3=A9 ends soft=\n", "café ends soft\n"),
        (plain("utf-8", "quoted-printable"), "a = b =ZZ =C3=\n=A9 =3\n", "a = b =ZZ é =3\n"),
        (plain("utf-16le", "base64"), "bwBuAGUA\n", "one\n"),
        (plain("\"ISO-8859-1\"", "QUOTED-PRINTABLE"), "caf=E9\n", "café\n"),
        ("Content-Type: text/plain; format=flowed".to_owned(), "one \ntwo\n", "one two\n"),
    ] {
        assert_eq!(text_of(&head, body), expected, "{head}\n{body}");
    }
    check(
        "Subject: =?utf-8?B?TcO8?= =?utf-8?B?aGxl?=\n =?utf-8?Q?_hl=C3?= =?utf-8?Q?=BC?=\n\na\n",
        "# Mühle hlü\n\na\n",
    );
}

#[test]
fn mails_in_digests_and_names_in_pieces_are_members() {
    let digest = "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: x\n\none\n--b\nContent-Type: message/rfc822\n\n\
                  Subject: y\n\ntwo\n--b--\n";
    let members = mail(digest.as_bytes()).1;
    let bodies: Vec<String> =
        members.iter().map(|member| String::from_utf8_lossy(&member.2).into_owned()).collect();
    assert_eq!(
        bodies.iter().map(|body| body.trim_end()).collect::<Vec<_>>(),
        ["Subject: x\n\none", "Subject: y\n\ntwo"]
    );
    let named = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\nContent-Disposition: attachment;\n \
                 filename*0*=UTF-8''M%C3%BC;\n filename*1*=hle%20;\n filename*2=\"plan.txt\"\n\na\n--b--\n";
    assert_eq!(mail(named.as_bytes()).1[0].1, "Mühle plan.txt");
}
