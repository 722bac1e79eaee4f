//! Lists of Word that only their indent puts inside of another list.

/// A list that is open.
#[derive(Debug)]
struct OpenList {
    list: u32,
    /// The depth of its level 0.
    base: u8,
    /// Level, depth and indent of its last item.
    level: u8,
    depth: u8,
    indent: Option<i32>,
}

/// The lists of items that follow each other, the outermost first. Programs write an indented list inside a list as levels of
/// one list, or as a list of its own with another indent.
#[derive(Debug, Default)]
pub(super) struct OpenLists(Vec<OpenList>);

/// In twentieths of a point: an eighth of an inch. What differs by less is on one level.
const MIN_DEEPER: i32 = 180;

impl OpenLists {
    /// How deep an item is.
    pub(super) fn depth(&mut self, list: u32, level: u8, indent: Option<i32>) -> u8 {
        let base = match self.0.iter().position(|open| open.list == list) {
            Some(at) => {
                self.0.truncate(at + 1);
                self.0.pop().map_or(0, |open| open.base)
            }
            None => {
                let is_deeper =
                    |outer: &OpenList| indent.zip(outer.indent).is_some_and(|(a, b)| a - b >= MIN_DEEPER);
                while self.0.pop_if(|open| !is_deeper(open)).is_some() {}
                match self.0.last() {
                    Some(outer) if level > outer.level => outer.base,
                    Some(outer) => (outer.depth + 1).saturating_sub(level),
                    None => 0,
                }
            }
        };
        let depth = (base + level).min(8);
        self.0.push(OpenList { list, base, level, depth, indent });
        depth
    }
}
