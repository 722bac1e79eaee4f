//! Paths inside a book: references of one part to another, resolved without ever leaving the package, and the likely
//! meaning of paths that do not exist.

use crate::shared::bytes::percent_decoded;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The target of a reference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PathTarget {
    /// The path of the part, from the root of the package.
    pub path: String,
    /// The place inside the part.
    pub fragment: Option<String>,
}

/// Resolves a reference in the part `base`. `None` for targets outside of the package: addresses with a scheme.
pub(super) fn resolve(base: &str, href: &str) -> Option<PathTarget> {
    let href = href.trim();
    let (path, fragment) = match href.split_once('#') {
        Some((path, fragment)) => {
            (path, Some(percent_decoded(fragment)).filter(|fragment| !fragment.is_empty()))
        }
        None => (href, None),
    };
    let path = path.split('?').next().unwrap_or_default();
    if path.is_empty() {
        return Some(PathTarget { path: base.to_owned(), fragment });
    }
    let scheme = path.split_once(':').map(|(scheme, _)| scheme);
    if scheme
        .is_some_and(|scheme| scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    {
        return None;
    }
    let path = percent_decoded(path).replace('\\', "/");
    let folder = if path.starts_with('/') { "" } else { folder_of(base) };
    Some(PathTarget { path: normal(&format!("{folder}/{path}")), fragment })
}

/// Finds parts by paths that are written in another case, percent-encoded, or from another folder.
#[derive(Debug, Clone, Default)]
pub(super) struct PathIndex(HashMap<String, Vec<(String, usize)>>);

impl PathIndex {
    pub(super) fn new<'p>(paths: impl Iterator<Item = (usize, &'p str)>) -> PathIndex {
        let mut known: HashMap<String, Vec<(String, usize)>> = HashMap::new();
        for (number, path) in paths {
            let path = folded(path);
            known.entry(file_name(&path).to_owned()).or_default().push((path, number));
        }
        PathIndex(known)
    }

    /// The only part that a path can mean: it has its file name, agrees in most folders from the end, and is nearest
    /// to the root. `None` if two parts are equally good.
    pub(super) fn find(&self, path: &str) -> Option<usize> {
        let wanted = folded(path);
        let found = self.0.get(file_name(&wanted))?;
        let rank = |path: &str| {
            let agree = path.rsplit('/').zip(wanted.rsplit('/')).take_while(|(own, other)| own == other);
            (agree.count(), Reverse(path.matches('/').count()))
        };
        let best = found.iter().map(|(path, _)| rank(path)).max()?;
        let mut meant = found.iter().filter(|(path, _)| rank(path) == best).map(|(_, number)| *number);
        let first = meant.next()?;
        meant.all(|other| other == first).then_some(first)
    }
}

/// The form in which paths are compared.
fn folded(path: &str) -> String {
    percent_decoded(path).to_lowercase()
}

/// The folder of a part, without the slash at its end.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Without `.` and `..`; a path that would leave the root stays at the root.
fn normal(path: &str) -> String {
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(href: &str, expected: Option<(&str, Option<&str>)>) {
        let found = resolve("OEBPS/text/a.xhtml", href);
        let found = found.as_ref().map(|target| (target.path.as_str(), target.fragment.as_deref()));
        assert_eq!(found, expected, "of {href}");
    }

    #[test]
    fn references_stay_inside_the_package() {
        check("b.xhtml#x", Some(("OEBPS/text/b.xhtml", Some("x"))));
        check("#x%20y", Some(("OEBPS/text/a.xhtml", Some("x y"))));
        check("../b%20c.xhtml?q", Some(("OEBPS/b c.xhtml", None)));
        check("..\\..\\..\\../etc/passwd", Some(("etc/passwd", None)));
        check("/OEBPS/b.xhtml", Some(("OEBPS/b.xhtml", None)));
        check("%zz%ff", Some(("OEBPS/text/%zz%ff", None)));
        check("http://x/y", None);
        check("file:///etc/passwd", None);
    }

    #[test]
    fn a_path_means_the_only_thing_that_it_can() {
        let paths = ["O/g/index.xhtml", "O/g/sub/index.xhtml", "O/c%201.xhtml", "O/a/x.html", "O/b/x.html"];
        let known = PathIndex::new(paths.iter().copied().enumerate());
        let find = |path: &str| known.find(path).map(|at| paths[at]);
        assert_eq!(find("O/index.xhtml"), Some("O/g/index.xhtml"));
        assert_eq!(find("O/Sub/Index.xhtml"), Some("O/g/sub/index.xhtml"));
        assert_eq!(find("O/c 1.xhtml"), Some("O/c%201.xhtml"));
        assert_eq!((find("O/x.html"), find("O/y.html")), (None, None));
        assert_eq!(find("O/B/x.html"), Some("O/b/x.html"));
    }

    #[test]
    fn schemes_have_more_than_one_letter() {
        check("c:/b.xhtml", Some(("OEBPS/text/c:/b.xhtml", None)));
        check("cd:b.xhtml", None);
        check("urn:x", None);
        check("a b:c.xhtml", Some(("OEBPS/text/a b:c.xhtml", None)));
        check("a-b:c.xhtml", Some(("OEBPS/text/a-b:c.xhtml", None)));
        check(":b.xhtml", Some(("OEBPS/text/:b.xhtml", None)));
    }

    #[test]
    fn parts_of_references_may_be_missing() {
        check("", Some(("OEBPS/text/a.xhtml", None)));
        check("#", Some(("OEBPS/text/a.xhtml", None)));
        check("?q#x", Some(("OEBPS/text/a.xhtml", Some("x"))));
        check(" b.xhtml# ", Some(("OEBPS/text/b.xhtml", None)));
        check("./c//./b.xhtml", Some(("OEBPS/text/c/b.xhtml", None)));
        check("../../b.xhtml", Some(("b.xhtml", None)));
        check("b#x#y", Some(("OEBPS/text/b", Some("x#y"))));
    }

    #[test]
    fn percent_signs_are_followed_by_two_digits() {
        for (path, expected) in [
            ("a%20b", "a b"),
            ("%41%62%C3%a9", "Abé"),
            ("%4", "%4"),
            ("%", "%"),
            ("%4g%20", "%4g "),
            ("%25%32", "%2"),
            ("%e9%41", "%e9%41"),
        ] {
            assert_eq!(percent_decoded(path), expected, "{path}");
        }
    }

    #[test]
    fn the_nearest_to_the_root_of_equal_paths_is_meant() {
        let find = |paths: &[&str], path: &str| PathIndex::new(paths.iter().copied().enumerate()).find(path);
        assert_eq!(find(&["a/b/x", "c/x"], "x"), Some(1));
        assert_eq!(find(&["a/b/x", "c/x"], "b/x"), Some(0));
        assert_eq!(find(&["c/x", "d/x"], "x"), None);
        // Two names of one part.
        let twice = PathIndex::new([(3, "c/x"), (3, "C/X")].into_iter());
        assert_eq!(twice.find("x"), Some(3));
    }

    #[test]
    fn folders_and_names_are_divided_at_the_last_slash() {
        for (path, folder, name) in [("a/b/c", "a/b", "c"), ("c", "", "c"), ("a/", "a", ""), ("/c", "", "c")]
        {
            assert_eq!((folder_of(path), file_name(path)), (folder, name), "{path}");
        }
    }
}
