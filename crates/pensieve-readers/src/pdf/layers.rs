//! The layers of a document (optional content) that its default view hides. Text of a hidden layer is not on the page.
//! Source: ISO 32000-2, 8.11.

use crate::limits::pdf::MAX_LAYERS;
use hayro_font::hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjRef, ObjectIdentifier};
use rustc_hash::FxHashSet;

/// Which layers the default view shows.
#[derive(Debug, Default)]
pub(super) struct LayerVisibility {
    hidden: FxHashSet<(u32, i32)>,
}

impl LayerVisibility {
    /// Reads the default view from the catalog.
    pub(super) fn new(catalog: &Dict<'_>) -> LayerVisibility {
        let mut layers = LayerVisibility::default();
        let Some(properties) = catalog.get::<Dict<'_>>("OCProperties") else { return layers };
        let view = properties.get::<Dict<'_>>("D").unwrap_or_default();
        if view.get::<Name<'_>>("BaseState").as_deref() == Some(b"OFF") {
            layers.hidden.extend(groups(&properties, "OCGs"));
            for shown in groups(&view, "ON") {
                layers.hidden.remove(&shown);
            }
        }
        layers.hidden.extend(groups(&view, "OFF"));
        layers
    }

    /// True when the group, or the membership dictionary over groups, is not shown. `resolved` is the dictionary that
    /// `group` refers to.
    pub(super) fn hides(&self, group: &MaybeRef<Dict<'_>>, resolved: Option<Dict<'_>>) -> bool {
        if self.hidden.is_empty() {
            return false;
        }
        if let MaybeRef::Ref(reference) = group
            && self.hidden.contains(&key(*reference))
        {
            return true;
        }
        let Some(membership) = resolved.filter(|dict| dict.contains_key("OCGs")) else { return false };
        let members: Vec<(u32, i32)> = match membership.get_ref("OCGs") {
            Some(one) if membership.get::<Array<'_>>("OCGs").is_none() => vec![key(one)],
            _ => groups(&membership, "OCGs").collect(),
        };
        let is_hidden = |member: &(u32, i32)| self.hidden.contains(member);
        match membership.get::<Name<'_>>("P").as_deref() {
            Some(b"AllOn") => members.iter().any(is_hidden),
            Some(b"AnyOff") => !members.iter().any(is_hidden),
            Some(b"AllOff") => !members.iter().all(is_hidden),
            _ => !members.is_empty() && members.iter().all(is_hidden),
        }
    }
}

fn key(reference: ObjRef) -> (u32, i32) {
    let id = ObjectIdentifier::from(reference);
    (id.obj_number, id.gen_number)
}

fn groups(dict: &Dict<'_>, name: &str) -> impl Iterator<Item = (u32, i32)> {
    let references: Vec<(u32, i32)> = dict
        .get::<Array<'_>>(name)
        .iter()
        .flat_map(|list| list.raw_iter())
        .take(MAX_LAYERS)
        .filter_map(|item| item.as_obj_ref().map(key))
        .collect();
    references.into_iter()
}
