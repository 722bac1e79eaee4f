//! Credential stores and private keys stay where they are, and secret values are masked, until the user asks for them.

use crate::archives::{check_fresh, zip};
use crate::support::Workshop;
use std::fs;

const KEY: &str = "-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0LXdvcmQ\n-----END OPENSSH PRIVATE KEY-----\n";
const FATES: &str = "SELECT relative_path, processing_status, coalesce(format, '') FROM files
    WHERE file_type IN ('file', 'member') AND relative_path NOT LIKE '%ignore' ORDER BY relative_path";

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write(".netrc", "machine a login b password netrc-word\n");
    workshop.write(".ssh/id_ed25519", KEY);
    workshop.write("docs/copy.txt", KEY);
    workshop.write("docs/ssh.md", format!("A key looks like this:\n\n{KEY}").replace("c2VjcmV0", "c2hvd24"));
    workshop.write("proj/.env", "DB_PASSWORD=env-word\nPORT=8080\n# run make first\n");
    workshop.write(
        "box.zip",
        zip(&[(".aws/credentials", b"key = aws-word"), ("proj/.env.local", b"API_TOKEN=local-word\nPORT=1")]),
    );
    workshop
}

/// The fates of all files, and the words of them that are in chunks.
fn check(workshop: &Workshop, flags: &[&str], fates: &[&str], words: &[&str]) {
    workshop.ingest(flags);
    assert_eq!(workshop.rows(FATES), fates);
    let text: String = workshop.rows("SELECT content FROM chunks ORDER BY content").concat();
    let all = [
        "netrc-word",
        "c2VjcmV0LXdvcmQ",
        "env-word",
        "aws-word",
        "local-word",
        "PORT=8080",
        "run make first",
    ];
    let found: Vec<&str> = all.into_iter().filter(|word| text.contains(word)).collect();
    assert_eq!(found, words);
    check_fresh(workshop, flags);
}

#[test]
fn secrets_are_read_when_they_are_asked_for_and_not_before_or_after() {
    let workshop = workshop();
    let withheld = [
        ".netrc|Skipped_Secret|",
        ".ssh/id_ed25519|Skipped_Secret|",
        "box.zip|Skipped_Binary|",
        "docs/copy.txt|Skipped_Secret|",
        "docs/ssh.md|Processed|markdown",
        "proj/.env|Processed|dotenv",
    ];
    let harmless = ["PORT=8080", "run make first"];
    check(&workshop, &[], &withheld, &harmless);
    let reason = workshop.one("SELECT status_reason FROM files WHERE relative_path = '.netrc'");
    assert!(
        reason.starts_with("file of credentials, by the name `.netrc`; `!.netrc` in .pensieveignore"),
        "{reason}"
    );

    workshop.write(".pensieveignore", "!.netrc\n!/proj/\n!.ssh/id_*\n");
    let wished = [
        ".netrc|Processed|text",
        ".ssh/id_ed25519|Processed|text",
        "box.zip|Skipped_Binary|",
        "docs/copy.txt|Processed|",
        "docs/ssh.md|Processed|markdown",
        "proj/.env|Processed|ini",
    ];
    let words = ["netrc-word", "c2VjcmV0LXdvcmQ", "env-word", "PORT=8080", "run make first"];
    check(&workshop, &[], &wished, &words);

    workshop.remove(".pensieveignore");
    // A pattern of git's that happens to match is no wish.
    workshop.write(".gitignore", "*\n!*\n");
    check(&workshop, &[], &withheld, &harmless);
    workshop.remove(".gitignore");
    check(&workshop, &[], &withheld, &harmless);
}

#[test]
fn a_setting_reads_all_secrets_and_archives_keep_theirs_without_it() {
    let workshop = workshop();
    let config = |text: &str| fs::write(workshop.path("c.toml"), text).unwrap();
    let file = workshop.path("c.toml");
    let flags = ["--config", file.to_str().unwrap()];
    config("[scan]\narchives = true\n");
    let withheld = [
        ".netrc|Skipped_Secret|",
        ".ssh/id_ed25519|Skipped_Secret|",
        "box.zip|Processed|zip",
        "box.zip/.aws/credentials|Skipped_Secret|",
        "box.zip/proj/.env.local|Processed|dotenv",
        "docs/copy.txt|Skipped_Secret|",
        "docs/ssh.md|Processed|markdown",
        "proj/.env|Processed|dotenv",
    ];
    check(&workshop, &flags, &withheld, &["PORT=8080", "run make first"]);
    config("[scan]\narchives = true\nsecrets = true\n");
    let read = [
        ".netrc|Processed|text",
        ".ssh/id_ed25519|Processed|text",
        "box.zip|Processed|zip",
        "box.zip/.aws/credentials|Processed|text",
        "box.zip/proj/.env.local|Processed|ini",
        "docs/copy.txt|Processed|",
        "docs/ssh.md|Processed|markdown",
        "proj/.env|Processed|ini",
    ];
    let words = [
        "netrc-word",
        "c2VjcmV0LXdvcmQ",
        "env-word",
        "aws-word",
        "local-word",
        "PORT=8080",
        "run make first",
    ];
    check(&workshop, &flags, &read, &words);
    config("[scan]\narchives = true\n");
    check(&workshop, &flags, &withheld, &["PORT=8080", "run make first"]);
}
