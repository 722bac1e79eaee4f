//! Folders that tools fill and nobody writes: dependencies, caches, build results, trash. They are left out unless a rule of
//! the user says otherwise.
//!
//! Patterns have the lowest precedence: every ignore file can bring a folder back. A scanned folder itself is never judged,
//! so that whoever gives a folder of this kind reads it.

use super::folder::Folder;
use super::queue::lock;
use super::rules::{IgnoreRule, IgnoreRuleList, RuleSubject};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::sync::{Arc, Mutex};

/// Where a file stands by which a folder is known.
enum MarkPlace {
    /// In the folder itself.
    Inside,
    /// In the folder that contains it.
    Beside,
}

/// Names that people use for folders of their own too: a tool's folder is only the one with one of these entries.
const MARKS: [(&[u8], MarkPlace, &[&CStr]); 5] = [
    (b"target", MarkPlace::Beside, &[c"Cargo.toml", c"pom.xml", c"build.sbt"]),
    (b"build", MarkPlace::Beside, &[c"build.gradle", c"build.gradle.kts"]),
    (b"venv", MarkPlace::Inside, &[c"pyvenv.cfg"]),
    (b"env", MarkPlace::Inside, &[c"pyvenv.cfg"]),
    // The trash of Linux desktops, which is below a folder that is not only trash. Mail programs have folders of this name.
    (b"Trash", MarkPlace::Inside, &[c"info"]),
];

/// How many entries were left out, by the pattern that matched.
pub type ToolFolderCounts = BTreeMap<String, u64>;

/// The patterns of the setting, and what they have left out so far.
pub(super) struct ToolFolders {
    rules: IgnoreRuleList,
    counts: Mutex<ToolFolderCounts>,
}

impl ToolFolders {
    /// The patterns of the setting, as in an ignore file of the scanned folder.
    pub fn new(patterns: &[String]) -> ToolFolders {
        let rules = IgnoreRuleList::of_setting("[scan] tool_folders", patterns);
        ToolFolders { rules, counts: Mutex::default() }
    }

    /// The pattern that leaves out an entry of this folder, if any.
    ///
    /// Cost: a look-up of the name; calls of the system only for names that people use too.
    pub fn rule(&self, subject: RuleSubject<'_>, parent: &Arc<Folder>) -> Option<IgnoreRule> {
        let is_tools = self.rules.verdict(subject) == Some(true) && is_marked(subject.path, parent);
        is_tools.then(|| self.rules.rule(subject)).flatten()
    }

    /// The same, and counts the entry.
    pub fn leaves_out(&self, subject: RuleSubject<'_>, parent: &Arc<Folder>) -> bool {
        let Some(rule) = self.rule(subject, parent) else { return false };
        let name = rule.pattern.trim_end_matches('/').to_owned();
        *lock(&self.counts).entry(name).or_default() += 1;
        true
    }

    /// What was left out.
    pub fn counts(self) -> ToolFolderCounts {
        self.counts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// False for a name that needs a mark and has none.
fn is_marked(path: &[u8], parent: &Arc<Folder>) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let Some((_, place, marks)) = MARKS.iter().find(|(known, ..)| *known == name) else { return true };
    let has_mark = |folder: &Folder| marks.iter().any(|mark| folder.has(mark));
    match place {
        MarkPlace::Beside => has_mark(parent),
        MarkPlace::Inside => parent.place(path.to_vec()).open().is_ok_and(|folder| has_mark(&folder)),
    }
}
