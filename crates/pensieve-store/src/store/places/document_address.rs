//! The names of a document: its path, its public id, and the name that people see.

use crate::store::rows::member_names::{MEMBER_SEPARATOR, ends_with_name};
use pensieve_text::model::ContentHash;

/// The public id of a path with a number: the first 128 bits of SHA-256("doc\0" + path + "\0" + number).
///
/// A document has the first number that is free when its path is stored, which is 0 unless a file was renamed or two roots
/// have the same path.
pub(crate) fn uid_of(relative_path: &str, number: u64) -> String {
    ContentHash::of(format!("doc\0{relative_path}\0{number}").as_bytes()).to_hex()[..32].to_owned()
}

/// The path of a document inside another one. The place of a file in an archive ends with its name: `a.zip/notes/b.txt`; an
/// attachment has a number and a name: `a.eml/2/b.txt`.
pub(crate) fn member_path(parent: &str, member: &str, name: &str) -> String {
    match ends_with_name(member, name) {
        true => format!("{parent}/{member}"),
        false => format!("{parent}/{member}/{name}"),
    }
}

/// The names of a document in a database that has nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentAddress {
    /// Its public id.
    pub doc_uid: String,
    /// Its path for people: `notes/a.md`, or `mail.eml » 2 » report.pdf` for a member.
    pub name: String,
    /// Its path below its root, in stored form.
    pub relative_path: String,
    /// Its absolute path in stored form.
    pub path: String,
}

impl DocumentAddress {
    /// The address of a file, by its path below its root and its absolute path.
    pub fn of_file(relative_path: String, path: String) -> DocumentAddress {
        DocumentAddress {
            doc_uid: uid_of(&relative_path, 0),
            name: relative_path.clone(),
            relative_path,
            path,
        }
    }

    /// The address of a document inside this one.
    pub fn member(&self, member: &str, name: &str) -> DocumentAddress {
        let relative_path = member_path(&self.relative_path, member, name);
        DocumentAddress {
            doc_uid: uid_of(&relative_path, 0),
            name: match ends_with_name(member, name) {
                true => [self.name.as_str(), member].join(MEMBER_SEPARATOR),
                false => [self.name.as_str(), member, name].join(MEMBER_SEPARATOR),
            },
            relative_path,
            path: member_path(&self.path, member, name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_named_after_what_contains_it() {
        let mail = DocumentAddress::of_file("in/a.eml".to_owned(), "/data/in/a.eml".to_owned());
        let member = mail.member("2", "report.pdf");
        assert_eq!(member.relative_path, "in/a.eml/2/report.pdf");
        assert_eq!(member.path, "/data/in/a.eml/2/report.pdf");
        assert_eq!(member.name, "in/a.eml » 2 » report.pdf");
        assert_eq!(member.doc_uid, uid_of("in/a.eml/2/report.pdf", 0));
        assert_ne!(member.doc_uid, mail.doc_uid);
        let archive = DocumentAddress::of_file("a.zip".to_owned(), "/data/a.zip".to_owned());
        let member = archive.member("notes/b.txt", "b.txt");
        assert_eq!(
            (member.path.as_str(), member.name.as_str()),
            ("/data/a.zip/notes/b.txt", "a.zip » notes/b.txt")
        );
        assert_eq!(archive.member("b.txt", "b.txt").relative_path, "a.zip/b.txt");
        assert_eq!(archive.member("xb.txt", "b.txt").relative_path, "a.zip/xb.txt/b.txt");
    }
}
