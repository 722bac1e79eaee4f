//! Words of several tables, each found by one look-up instead of one in every table.

use rustc_hash::FxHashMap;

/// For each word the tables that have it.
#[derive(Debug)]
pub(super) struct WordTables {
    tables: FxHashMap<&'static str, TableSet>,
}

impl WordTables {
    /// The index of these tables; their numbers are their positions.
    pub fn new(tables: &[&[&'static str]]) -> WordTables {
        assert!(tables.len() <= u16::BITS as usize, "a set of tables has a bit for each");
        let mut index: FxHashMap<&'static str, TableSet> = FxHashMap::default();
        for (number, table) in tables.iter().enumerate() {
            table.iter().for_each(|word| index.entry(word).or_default().0 |= 1 << number);
        }
        WordTables { tables: index }
    }

    /// The tables that have one of these words.
    pub fn tables_of<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> TableSet {
        let found = words.into_iter().filter_map(|word| self.tables.get(word));
        TableSet(found.fold(0, |set, tables| set | tables.0))
    }
}

/// Numbers of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TableSet(u16);

impl TableSet {
    pub fn has(self, table: usize) -> bool {
        self.0 & (1 << table) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_every_table() {
        let index = WordTables::new(&[&["body", "text"], &["footer"], &["body"]]);
        let check = |words: &[&str], expected: [bool; 3]| {
            let tables = index.tables_of(words.iter().copied());
            assert_eq!([0, 1, 2].map(|table| tables.has(table)), expected, "of {words:?}");
        };
        check(&["body"], [true, false, true]);
        check(&["text", "footer"], [true, true, false]);
        check(&["bod", ""], [false; 3]);
    }
}
