//! Locators of text on pages with layout: role, section, sentence and boxes.

use super::closed_list::names;
use std::fmt::Write;

names! {
    /// The role of text on its page.
    LayoutRole {
        /// The running prose.
        Main = "MAIN",
        /// Anything beside the running prose.
        Aux = "AUX",
    }
}

names! {
    /// The kinds of AUX text; `furniture` is omitted from texts and listed separately.
    AuxKind {
        /// The text of a figure or table.
        Caption = "caption",
        /// An exercise or task.
        Activity = "activity",
        /// A box or note in the flow of the text.
        Callout = "callout",
        /// A note at the foot of the page.
        Footnote = "footnote",
        /// Rows and columns.
        Table = "table",
        /// Terms with their definitions.
        ListOfTerms = "list-of-terms",
        /// Text beside the columns.
        Sidebar = "sidebar",
        /// Headers, footers, page numbers.
        Furniture = "furniture",
    }
}

/// The places of consecutive sentences on their pages: one box each, two for a sentence that continues in another
/// column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LayoutLocator {
    /// The role of all of it; `None` if there are several.
    pub role: Option<LayoutRole>,
    /// The kind, if all of it is AUX text of one kind.
    pub kind: Option<AuxKind>,
    /// The section, if all of it belongs to one section.
    pub section: Option<u64>,
    /// The level of a heading; 0 for anything else.
    pub level: u8,
    /// Counts sentences of the document; the two parts of one sentence share the number.
    pub sentence: u64,
    /// Pages, from 1, and boxes: left, top, right, bottom in points from the top left of the page as displayed.
    pub spots: Vec<(u64, [f32; 4])>,
    /// True if letters of it were recognised in a picture (OCR).
    pub ocr: bool,
}

impl LayoutLocator {
    /// Adds a locator that comes later in the text.
    pub fn extend(&mut self, next: &LayoutLocator) {
        let same = |one: bool, other: bool| one && other;
        // A heading alone belongs to what follows it.
        let is_title = same(self.level > 0, self.role == next.role);
        self.section =
            if is_title { next.section } else { self.section.filter(|_| self.section == next.section) };
        self.kind = self.kind.filter(|_| same(self.kind == next.kind, self.role == next.role));
        self.role = self.role.filter(|_| self.role == next.role);
        self.level = if self.level > 0 { next.level } else { 0 };
        self.spots.extend_from_slice(&next.spots);
        self.ocr |= next.ocr;
    }

    /// The stored JSON: pages, the box where there is one page, role, section, subtype, and every sentence.
    pub fn to_json(&self) -> String {
        let first = self.spots.iter().map(|spot| spot.0).min().unwrap_or_default();
        let last = self.spots.iter().map(|spot| spot.0).max().unwrap_or_default();
        let mut json = String::from("{");
        if first == last {
            let _ =
                write!(json, "\"bbox\":{},{}\"page\":{first}", box_json(&self.around()), ocr_json(self.ocr));
        } else {
            let _ = write!(json, "{}\"page\":[{first},{last}]", ocr_json(self.ocr));
        }
        if let Some(role) = self.role {
            let _ = write!(json, ",\"role\":\"{role}\"");
        }
        if let Some(section) = self.section {
            let _ = write!(json, ",\"section\":{section}");
        }
        json.push_str(",\"sentences\":[");
        for (at, (page, bbox)) in self.spots.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let _ = write!(json, "{comma}{{\"bbox\":{},\"page\":{page}}}", box_json(bbox));
        }
        json.push(']');
        if let Some(kind) = self.kind {
            let _ = write!(json, ",\"subtype\":\"{kind}\"");
        }
        json.push('}');
        json
    }

    fn around(&self) -> [f32; 4] {
        let join = |[a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]| [a.min(e), b.min(f), c.max(g), d.max(h)];
        self.spots.iter().map(|spot| spot.1).reduce(join).unwrap_or_default()
    }
}

/// The member of text that was recognised in a picture.
pub(super) fn ocr_json(ocr: bool) -> &'static str {
    if ocr { "\"ocr\":true," } else { "" }
}

/// A box in points, rounded to hundredths and without trailing zeros.
pub(super) fn box_json(bbox: &[f32; 4]) -> String {
    let number = |value: f32| {
        let text = format!("{value:.2}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    };
    format!("[{}]", bbox.map(number).join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locator(
        role: LayoutRole,
        kind: Option<AuxKind>,
        section: u64,
        spot: (u64, [f32; 4]),
    ) -> LayoutLocator {
        LayoutLocator {
            role: Some(role),
            kind,
            section: Some(section),
            level: 0,
            sentence: 0,
            spots: vec![spot],
            ocr: false,
        }
    }

    #[test]
    fn sentences_of_one_role_keep_it_and_their_boxes() {
        let mut both = locator(LayoutRole::Main, None, 4, (2, [10.0, 20.5, 30.0, 40.0]));
        both.extend(&locator(LayoutRole::Main, None, 4, (2, [5.0, 50.0, 30.0, 60.0])));
        let expected = "{\"bbox\":[5,20.5,30,60],\"page\":2,\"role\":\"MAIN\",\"section\":4,\"sentences\":\
                        [{\"bbox\":[10,20.5,30,40],\"page\":2},{\"bbox\":[5,50,30,60],\"page\":2}]}";
        assert_eq!(both.to_json(), expected);
    }

    #[test]
    fn text_of_two_roles_has_none() {
        let spot = (1, [0.0; 4]);
        let mut mixed = locator(LayoutRole::Main, None, 1, spot);
        mixed.extend(&locator(LayoutRole::Aux, Some(AuxKind::Table), 1, (2, [0.0; 4])));
        assert_eq!((mixed.role, mixed.kind, mixed.section), (None, None, Some(1)));
        assert!(mixed.to_json().starts_with("{\"page\":[1,2],\"section\":1,\"sentences\":["));
        let mut kinds = locator(LayoutRole::Aux, Some(AuxKind::Table), 1, spot);
        kinds.extend(&locator(LayoutRole::Aux, Some(AuxKind::Caption), 1, spot));
        assert_eq!((kinds.role, kinds.kind), (Some(LayoutRole::Aux), None));
    }
}
