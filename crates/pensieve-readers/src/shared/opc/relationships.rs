//! Relationships: which part of a package refers to which, and the kind of the reference.

use crate::shared::xml::XmlTag;
use std::collections::HashMap;
use std::sync::Arc;

/// A relationship of a part to another one, or to something outside the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relationship {
    /// The last word of its type, such as `image` or `hyperlink`.
    pub kind: String,
    /// The name of the other part from the root of the package, or the address outside as it is written.
    pub target: Arc<str>,
    /// True if the target lies outside the package; it is never fetched.
    pub is_external: bool,
}

/// The relationships of one part, in the order of their file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Relationships {
    all: Vec<Relationship>,
    by_id: HashMap<String, usize>,
}

impl Relationships {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The relationship of this identifier.
    pub fn get(&self, id: &str) -> Option<&Relationship> {
        self.by_id.get(id).map(|&at| &self.all[at])
    }

    /// The part that this identifier refers to, if it refers to a part.
    pub fn part(&self, id: &str) -> Option<&Arc<str>> {
        self.get(id).filter(|relation| !relation.is_external).map(|relation| &relation.target)
    }

    /// The parts of a kind inside the package.
    pub fn of_kind<'r>(&'r self, kind: &'r str) -> impl Iterator<Item = &'r Arc<str>> {
        let all = self.all.iter().filter(move |relation| !relation.is_external && relation.kind == kind);
        all.map(|relation| &relation.target)
    }

    pub(super) fn add(&mut self, tag: &XmlTag<'_>, folder: &str) {
        let value = |name| tag.get(name).unwrap_or_default();
        let kind = value("Type").rsplit('/').next().unwrap_or_default().to_owned();
        let is_external = value("TargetMode").eq_ignore_ascii_case("External");
        let target = value("Target");
        let target = if is_external { target } else { resolve_target(folder, &target) };
        self.by_id.insert(value("Id"), self.all.len());
        self.all.push(Relationship { kind, target: target.into(), is_external });
    }
}

/// The name from the root of the package of a target that is relative to a folder.
fn resolve_target(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let target = target.split('#').next().unwrap_or_default();
    let (folder, target) = match target.strip_prefix('/') {
        Some(absolute) => ("", absolute),
        None => (folder, target),
    };
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_names_from_the_root() {
        assert_eq!(resolve_target("word", "../a/./b.xml#x"), "a/b.xml");
        assert_eq!(resolve_target("word", "/c.xml"), "c.xml");
        assert_eq!(resolve_target("ppt/slides", "..\\..\\..\\etc"), "etc");
    }
}
