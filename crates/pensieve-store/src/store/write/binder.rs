//! Binds the values of a statement one after the other.

use rusqlite::Statement;
use rusqlite::types::ToSql;

/// A statement, and how many of its values are bound.
pub(super) struct Binder<'s, 'c> {
    statement: &'s mut Statement<'c>,
    bound: usize,
}

impl<'s, 'c> Binder<'s, 'c> {
    /// Begins with the first value.
    pub fn new(statement: &'s mut Statement<'c>) -> Binder<'s, 'c> {
        Binder { statement, bound: 0 }
    }

    /// Binds the next value.
    pub fn add(&mut self, value: impl ToSql) -> rusqlite::Result<()> {
        self.bound += 1;
        self.statement.raw_bind_parameter(self.bound, value)
    }
}
