//! The structure tree of a tagged file: which pieces of its pages are headings, captions and notes. The tree can loop
//! or be huge: every element is visited once, without recursion. Source: ISO 32000-2, 14.7 (logical structure) and 14.8
//! (standard structure types).

use crate::limits::pdf::MAX_STRUCTURE_ELEMENTS;
use hayro_font::hayro_syntax::Pdf;
use hayro_font::hayro_syntax::object::{Dict, Name, Object, ObjectIdentifier};
use pensieve_text::layout::TextTag;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum steps from a name of the file's own to a standard one.
const MAX_ROLE_STEPS: usize = 8;

/// The tags of the pieces of pages that the layout uses.
#[derive(Debug, Default)]
pub(super) struct StructureTags {
    tags: FxHashMap<(u64, i32), TextTag>,
    /// The page that is read.
    pub(super) page: u64,
}

impl StructureTags {
    /// Reads the structure tree of a file.
    pub(super) fn new(pdf: &Pdf, catalog: &Dict<'_>) -> StructureTags {
        let Some(root) = catalog.get::<Dict<'_>>("StructTreeRoot") else { return StructureTags::default() };
        let ids = (1..).zip(pdf.pages().iter());
        let ids = ids.filter_map(|(number, page)| Some((page.raw().obj_id()?, number))).collect();
        let roles = root.get::<Dict<'_>>("RoleMap").unwrap_or_default();
        let mut walk = StructureWalk { ids, roles, tags: FxHashMap::default() };
        walk.run(root);
        StructureTags { tags: walk.tags, page: 0 }
    }

    /// The tag of marked content with these properties, on the page that is read.
    pub(super) fn tag_of(&self, properties: &Dict<'_>) -> Option<TextTag> {
        if self.tags.is_empty() {
            return None;
        }
        self.tags.get(&(self.page, properties.get::<i32>("MCID")?)).copied()
    }
}

/// An element with what it takes from those above it.
struct StructureElement<'a> {
    dict: Dict<'a>,
    page: Option<u64>,
    tag: Option<TextTag>,
}

/// A walk through the tree.
struct StructureWalk<'a> {
    ids: FxHashMap<ObjectIdentifier, u64>,
    roles: Dict<'a>,
    tags: FxHashMap<(u64, i32), TextTag>,
}

impl<'a> StructureWalk<'a> {
    fn run(&mut self, root: Dict<'a>) {
        let mut visited = FxHashSet::default();
        let mut open = vec![StructureElement { dict: root, page: None, tag: None }];
        while let Some(element) = open.pop() {
            let is_new = visited.insert(element.dict.data().as_ptr() as usize);
            if is_new && visited.len() <= MAX_STRUCTURE_ELEMENTS {
                self.enter(&element, &mut open);
            }
        }
    }

    /// Notes the pieces of an element, and adds the elements below it to those that are to be visited.
    fn enter(&mut self, above: &StructureElement<'a>, open: &mut Vec<StructureElement<'a>>) {
        let dict = &above.dict;
        let page = dict.get_ref("Pg").and_then(|page| self.ids.get(&ObjectIdentifier::from(page)).copied());
        let page = page.or(above.page);
        if let (Some(page), Some(piece), Some(tag)) = (page, dict.get::<i32>("MCID"), above.tag) {
            self.tags.insert((page, piece), tag);
        }
        let tag = dict.get::<Name<'a>>("S").and_then(|name| self.tag(name)).or(above.tag);
        let mut add = |kid: Object<'a>, tags: &mut FxHashMap<(u64, i32), TextTag>| match kid {
            Object::Dict(dict) if open.len() < MAX_STRUCTURE_ELEMENTS => {
                open.push(StructureElement { dict, page, tag })
            }
            kid => {
                if let (Some(page), Some(piece), Some(tag)) = (page, kid.into_i32(), tag) {
                    tags.insert((page, piece), tag);
                }
            }
        };
        match dict.get::<Object<'a>>("K") {
            Some(Object::Array(kids)) => kids
                .iter::<Object<'a>>()
                .take(MAX_STRUCTURE_ELEMENTS)
                .for_each(|kid| add(kid, &mut self.tags)),
            Some(kid) => add(kid, &mut self.tags),
            None => {}
        }
    }

    /// The tag of a structure type, standard or mapped to a standard one.
    fn tag(&self, name: Name<'a>) -> Option<TextTag> {
        let mut name = name;
        for _ in 0..MAX_ROLE_STEPS {
            match name.as_ref() as &[u8] {
                b"Caption" => return Some(TextTag::Caption),
                b"Note" | b"FENote" => return Some(TextTag::Note),
                [b'H', level @ b'1'..=b'6'] => return Some(TextTag::Heading(level - b'0')),
                _ => name = self.roles.get::<Name<'a>>(name.clone())?,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_font::hayro_syntax::PdfData;
    use std::sync::Arc;

    /// The tags of a file of one page with these elements; the first one is the child of the root.
    fn tags(elements: &str) -> Vec<((u64, i32), TextTag)> {
        let file = format!(
            "%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R >> endobj\n\
             2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n\
             3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 400 500] >> endobj\n\
             4 0 obj << /Type /StructTreeRoot /K 5 0 R /RoleMap << /Title2 /Own /Own /H2 /Loop /Loop >> >> endobj\n\
             {elements}\ntrailer << /Root 1 0 R >>\n"
        );
        let pdf = Pdf::new(PdfData::from(Arc::new(file.into_bytes()))).expect("a file");
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).expect("a catalog");
        let mut tags: Vec<_> = StructureTags::new(&pdf, &catalog).tags.into_iter().collect();
        tags.sort_by_key(|(piece, _)| *piece);
        tags
    }

    #[test]
    fn pieces_have_the_tags_of_the_elements_around_them() {
        let found = tags(
            "5 0 obj << /S /Document /Pg 3 0 R /K [6 0 R 7 0 R 8 0 R << /S /P /K 9 >>] >> endobj\n\
             6 0 obj << /S /H1 /K << /S /Span /K [0 1] >> >> endobj\n\
             7 0 obj << /S /Title2 /K << /Type /MCR /Pg 3 0 R /MCID 2 >> >> endobj\n\
             8 0 obj << /S /Figure /K << /S /Caption /K 3 >> >> endobj",
        );
        let heading = TextTag::Heading;
        let expected = [(0, heading(1)), (1, heading(1)), (2, heading(2)), (3, TextTag::Caption)];
        assert_eq!(found, expected.map(|(piece, tag)| ((1, piece), tag)));
    }

    #[test]
    fn trees_and_names_that_loop_end() {
        let found = tags(
            "5 0 obj << /S /Loop /Pg 3 0 R /K [6 0 R 5 0 R] >> endobj\n6 0 obj << /S /Note /K [4 5 0 R] >> endobj",
        );
        assert_eq!(found, [((1, 4), TextTag::Note)]);
    }
}
