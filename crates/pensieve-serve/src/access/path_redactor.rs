//! [`PathRedactor`]: answers without the folders of this machine.

use pensieve_store::store::{DocumentName, DocumentRow, Root, Store, StoreError};

/// Removes the folders of this machine from paths and messages, unless they are to be shown.
#[derive(Debug, Clone)]
pub struct PathRedactor {
    roots: Vec<Root>,
    shows_paths: bool,
}

impl PathRedactor {
    /// A redactor for the roots of one database.
    pub fn over(store: &Store, shows_paths: bool) -> Result<PathRedactor, StoreError> {
        Ok(PathRedactor { roots: store.roots().all()?, shows_paths })
    }

    /// An absolute path, if paths are shown.
    pub fn path(&self, full: &str) -> Option<String> {
        self.shows_paths.then(|| full.to_owned())
    }

    /// The names of a document.
    pub fn name(&self, mut name: DocumentName) -> DocumentName {
        name.full_path = self.path(&name.full_path).unwrap_or_default();
        name
    }

    /// A document as in lists.
    pub fn row(&self, mut row: DocumentRow) -> DocumentRow {
        row.full_path = self.path(&row.full_path).unwrap_or_default();
        row.reason = row.reason.map(|reason| self.message(&reason));
        row
    }

    /// Every root in order.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// A message of a reader or converter without absolute paths: those below a root become relative, others are cut to
    /// their last part.
    pub fn message(&self, message: &str) -> String {
        if self.shows_paths {
            return message.to_owned();
        }
        let mut text = message.to_owned();
        for root in &self.roots {
            text = text.replace(&root.full_path(""), "");
        }
        without_folders(&text)
    }
}

/// Cuts every path to its last part.
fn without_folders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, path) = rest.split_at(at);
        let end = path.find(|c: char| c.is_whitespace() || "`'\"<>|;,)]}".contains(c)).unwrap_or(path.len());
        let (path, after) = path.split_at(end);
        let starts_here = !before.ends_with(|c: char| c.is_alphanumeric() || "._-~".contains(c));
        let is_address = path.starts_with("//") && !path.starts_with("///");
        out.push_str(before);
        match path.trim_end_matches('/').rfind('/') {
            Some(last) if last > 0 && starts_here && !is_address => {
                out.push('…');
                out.push_str(&path[last..]);
            }
            _ => out.push_str(path),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(message: &str, expected: &str) {
        let root = Root { root_id: 1, path: "/home/me/notes".into(), location: "/home/me/notes".into() };
        let redactor = PathRedactor { roots: vec![root], shows_paths: false };
        assert_eq!(redactor.message(message), expected);
    }

    #[test]
    fn messages_show_no_folder_of_this_machine() {
        check("cannot open `/home/me/notes/a/b.txt`: denied", "cannot open `a/b.txt`: denied");
        check("pandoc: /tmp/x-1/input.docx: no such file", "pandoc: …/input.docx: no such file");
        check("see https://example.org/a/b and/or c", "see https://example.org/a/b and/or c");
        check("open:/var/lib/me/x.txt, file:///var/lib/x.txt", "open:…/x.txt, file:…/x.txt");
        check("in /etc only", "in /etc only");
        check("12 of 3400 glyphs", "12 of 3400 glyphs");
    }
}
