//! Finds the rule that hides a path, for a person who wants to know why it was not read.

use super::folder::Folder;
use super::look::is_version_control;
use super::rules::{IgnoreRule, IgnoreRuleList, IgnoreRules, RuleSubject};
use super::tool_folders::ToolFolders;
use super::walk::open_root;
use super::{ScanError, ScanOptions};
use pensieve_isolate::platform::path_bytes;
use std::path::Path;
use std::sync::Arc;

/// The first rule that leaves out `relative`, or a folder above it, from a scan of `root`. The path need not exist: a
/// missing one is treated as a file.
///
/// # Errors
/// If `root` is no readable folder.
pub fn explain(root: &Path, options: &ScanOptions, relative: &Path) -> Result<Option<IgnoreRule>, ScanError> {
    let folder = open_root(root)?;
    let settings = RuleSettings {
        options,
        include: IgnoreRuleList::of_setting("[scan] include", &options.include),
        exclude: IgnoreRuleList::of_setting("[scan] exclude", &options.exclude),
        tool_folders: ToolFolders::new(&options.tool_folders),
    };
    Ok(settings.explain(folder, &path_bytes(relative.as_os_str())))
}

/// True if an ignore file asks for `relative`, or for a folder above it, in a scan of `root`.
pub fn is_wished(root: &Path, options: &ScanOptions, relative: &Path) -> bool {
    let path = path_bytes(relative.as_os_str());
    let Ok(folder) = open_root(root) else { return false };
    let wish = |rules: &IgnoreRules, part: PathPart<'_>| rules.is_wished(part.subject).then_some(());
    options.ignore_files && walk_to(options, folder, &path, wish).is_some()
}

/// A folder on the way to a path, or the path itself.
struct PathPart<'a> {
    subject: RuleSubject<'a>,
    /// The folder that contains it, if there is one.
    parent: Option<&'a Arc<Folder>>,
    /// There is a folder at this place.
    is_folder: bool,
}

/// Descends from the scanned folder to the path, as the walk would, to the first part for which `each` has an answer. It
/// gets the rules and the part.
fn walk_to<T>(
    options: &ScanOptions,
    root: Arc<Folder>,
    path: &[u8],
    mut each: impl FnMut(&IgnoreRules, PathPart<'_>) -> Option<T>,
) -> Option<T> {
    let path = path.strip_suffix(b"/").unwrap_or(path);
    let mut folder = Some(root);
    let mut rules = IgnoreRules::default();
    let ends = memchr::memchr_iter(b'/', path).chain([path.len()]);
    for end in ends {
        if let Some(folder) = folder.as_ref().filter(|_| options.ignore_files) {
            rules = rules.enter(folder, None, &mut |_, _| {}).unwrap_or(rules);
        }
        let inside = folder.as_ref().and_then(|folder| {
            let place = folder.place(path[..end].to_vec());
            if options.follow_symlinks { place.follow().ok() } else { place.open().ok() }
        });
        let is_folder = inside.is_some() || end < path.len();
        let subject = RuleSubject { path: &path[..end], is_folder };
        let part = PathPart { subject, parent: folder.as_ref(), is_folder: inside.is_some() };
        if let Some(answer) = each(&rules, part) {
            return Some(answer);
        }
        folder = inside;
    }
    None
}

struct RuleSettings<'a> {
    options: &'a ScanOptions,
    include: IgnoreRuleList,
    exclude: IgnoreRuleList,
    tool_folders: ToolFolders,
}

impl RuleSettings<'_> {
    fn explain(&self, root: Arc<Folder>, path: &[u8]) -> Option<IgnoreRule> {
        let mut included = self.options.include.is_empty();
        let mut is_folder = true;
        let rule = walk_to(self.options, root, path, |rules, part| {
            included |= self.include.verdict(part.subject) == Some(true);
            is_folder = part.is_folder;
            self.rule(rules, part)
        });
        rule.or_else(|| (!included && !is_folder).then(|| self.not_included()))
    }

    fn rule(&self, rules: &IgnoreRules, part: PathPart<'_>) -> Option<IgnoreRule> {
        let subject = part.subject;
        let name = subject.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let built_in = |file: &str, pattern: &[u8]| IgnoreRule {
            file: file.to_owned(),
            line: 1,
            pattern: String::from_utf8_lossy(pattern).into_owned(),
        };
        if is_version_control(name, subject.is_folder) {
            return Some(built_in("built-in: version control folders are never entered", name));
        }
        if !self.options.hidden && name.starts_with(b".") {
            return Some(built_in("[scan] hidden", b".*"));
        }
        if self.exclude.verdict(subject) == Some(true) {
            return self.exclude.rule(subject);
        }
        let is_asked_for = rules.has_gits()
            || rules.brings_back(subject)
            || self.exclude.brings_back(subject)
            || self.include.verdict(subject) == Some(true);
        let of_tools = || part.parent.and_then(|parent| self.tool_folders.rule(subject, parent));
        rules.rule(subject).or_else(|| if is_asked_for { None } else { of_tools() })
    }

    fn not_included(&self) -> IgnoreRule {
        let pattern = self.options.include.join(", ");
        IgnoreRule { file: "[scan] include".to_owned(), line: 1, pattern }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn check(options: &ScanOptions, path: &str, expected: Option<(&str, usize, &str)>) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in [".git/info", "d/out", "d/e"] {
            fs::create_dir_all(folder.path().join(name)).expect("a folder");
        }
        for (name, content) in [
            (".git/info/exclude", "*.tmp\n"),
            (".gitignore", "# objects\n*.o\n"),
            ("d/.pensieveignore", "!keep.o\n/out/\n"),
            ("d/out/x", ""),
            ("d/e/f", ""),
        ] {
            fs::write(folder.path().join(name), content).expect("a file");
        }
        let found = explain(folder.path(), options, Path::new(path)).expect("a folder");
        let expected = expected.map(|(file, line, pattern)| IgnoreRule {
            file: file.into(),
            line,
            pattern: pattern.into(),
        });
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn the_rule_that_hides_a_path_is_named() {
        let options = ScanOptions::default();
        check(&options, "a.o", Some((".gitignore", 2, "*.o")));
        check(&options, "d/keep.o", None);
        check(&options, "d/e/keep.o", None);
        check(&options, "d/e/a.o", Some((".gitignore", 2, "*.o")));
        check(&options, "d/out/x", Some(("d/.pensieveignore", 2, "/out/")));
        check(&options, "d/out/", Some(("d/.pensieveignore", 2, "/out/")));
        check(&options, "a.tmp", Some((".git/info/exclude", 1, "*.tmp")));
        check(&options, "d/e/f", None);
        check(
            &options,
            ".git/config",
            Some(("built-in: version control folders are never entered", 1, ".git")),
        );
    }

    #[test]
    fn rules_of_the_user_come_before_those_about_tools() {
        let of = |tool_folders: &[&str]| ScanOptions {
            tool_folders: tool_folders.iter().map(|pattern| pattern.to_string()).collect(),
            ..ScanOptions::default()
        };
        let options = of(&["x/", "e/", "out/"]);
        // Below a .gitignore git decides.
        check(&options, "d/e/f", None);
        check(&options, "d/out/x", Some(("d/.pensieveignore", 2, "/out/")));
        let options = ScanOptions { ignore_files: false, ..options };
        check(&options, "d/e/f", Some(("[scan] tool_folders", 2, "e/")));
        check(&options, "e", None);
        let wanted = ScanOptions { include: vec!["/d/e/".into()], ..options.clone() };
        check(&wanted, "d/e/f", None);
        let wanted = ScanOptions { exclude: vec!["!e".into()], ..options };
        check(&wanted, "d/e/f", None);
    }

    #[test]
    fn settings_are_named_as_well() {
        let options = ScanOptions { hidden: false, ..ScanOptions::default() };
        check(&options, "d/.x", Some(("[scan] hidden", 1, ".*")));
        let options = ScanOptions { exclude: vec!["e/".into(), "*.c".into()], ..ScanOptions::default() };
        check(&options, "d/e/f", Some(("[scan] exclude", 1, "e/")));
        let options = ScanOptions { include: vec!["*.c".into(), "*.h".into()], ..ScanOptions::default() };
        check(&options, "d/e/f", Some(("[scan] include", 1, "*.c, *.h")));
        check(&options, "d/e/f.c", None);
        check(&options, "d/e", None);
    }
}
