//! The words of a text exactly as the tokenizer of the search tables divides and folds them.
//!
//! `unicode61` looks at one character at a time: it divides, or it begins or continues a word, and is written in some
//! way. SQLite's tables of characters are of one version of Unicode and Rust's of another, so the tokenizer itself is
//! asked how it takes the characters, a block of them when the first of a block is met.

use crate::store::rows::sql::Queries;
use rusqlite::{Connection, params};
use std::ops::ControlFlow;

/// Characters that are asked for at a time.
const BLOCK: u32 = 256;

/// FTS5 cuts longer words (`FTS5_MAX_TOKEN_SIZE`).
const MAX_WORD_BYTES: usize = 32_768;

/// A table that indexes one character after the other, and the list of its entries.
const OPEN: &str = "
    PRAGMA temp_store = MEMORY;
    CREATE VIRTUAL TABLE temp.letters USING fts5(
      content, content='', tokenize='unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE temp.letter_entries USING fts5vocab('temp', 'letters', 'instance');
";
const CLOSE: &str = "DROP TABLE temp.letter_entries; DROP TABLE temp.letters";

/// How the tokenizer takes a character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Letter {
    begins: bool,
    continues: bool,
    /// What is written for it in a word; nothing for marks that are removed.
    folded: Option<char>,
}

/// How the tokenizer takes the characters that were met.
pub(super) struct SearchLetters {
    blocks: Vec<Option<Box<[Letter; BLOCK as usize]>>>,
    word: String,
}

impl SearchLetters {
    /// No character is known yet.
    ///
    /// Adds temporary tables, of which a connection has one set; [`close`](SearchLetters::close) removes them.
    pub fn new(connection: &Connection) -> rusqlite::Result<SearchLetters> {
        connection.execute_batch(OPEN)?;
        let blocks = (0..=u32::from(char::MAX) / BLOCK).map(|_| None).collect();
        Ok(SearchLetters { blocks, word: String::new() })
    }

    /// Removes the temporary tables.
    pub fn close(self, connection: &Connection) -> rusqlite::Result<()> {
        connection.flush_prepared_statement_cache();
        connection.execute_batch(CLOSE)
    }

    /// Passes the words of a text in order, folded.
    ///
    /// Cost: linear; an unknown block of characters takes a millisecond.
    pub fn each_word(
        &mut self,
        connection: &Connection,
        text: &str,
        each: &mut dyn FnMut(&[u8]),
    ) -> rusqlite::Result<()> {
        let mut is_open = false;
        let mut word = std::mem::take(&mut self.word);
        for c in text.chars() {
            let letter = match c.is_ascii() {
                true => ascii_letter(c),
                false => self.letter(connection, c)?,
            };
            if letter.begins || (is_open && letter.continues) {
                is_open = true;
                word.extend(letter.folded);
            } else if is_open {
                each(&word.as_bytes()[..word.len().min(MAX_WORD_BYTES)]);
                word.clear();
                is_open = false;
            }
        }
        if is_open {
            each(&word.as_bytes()[..word.len().min(MAX_WORD_BYTES)]);
        }
        word.clear();
        self.word = word;
        Ok(())
    }

    fn letter(&mut self, connection: &Connection, c: char) -> rusqlite::Result<Letter> {
        let (block, at) = (u32::from(c) / BLOCK, u32::from(c) % BLOCK);
        let known = &mut self.blocks[block as usize];
        let letters = match known {
            Some(letters) => letters,
            None => known.insert(ask(connection, block)?),
        };
        Ok(letters[at as usize])
    }
}

/// ASCII as the tokenizer takes it: letters and digits.
fn ascii_letter(c: char) -> Letter {
    let is_word = c.is_ascii_alphanumeric();
    Letter { begins: is_word, continues: is_word, folded: is_word.then(|| c.to_ascii_lowercase()) }
}

/// Asks the tokenizer about a block: about each character alone, and between two letters.
fn ask(connection: &Connection, block: u32) -> rusqlite::Result<Box<[Letter; BLOCK as usize]>> {
    let mut letters = Box::new([Letter::default(); BLOCK as usize]);
    let insert = "INSERT INTO temp.letters(rowid, content) VALUES(?1, ?2)";
    for (at, number) in (0..BLOCK).zip(block * BLOCK..) {
        let Some(c) = char::from_u32(number) else { continue };
        connection.run(insert, params![at * 2, c.to_string()])?;
        connection.run(insert, params![at * 2 + 1, format!("x{c}x")])?;
    }
    connection.each("SELECT doc, term FROM temp.letter_entries", [], |row| {
        let (document, term): (u32, &str) = (row.get(0)?, row.get_ref(1)?.as_str()?);
        let letter = &mut letters[document as usize / 2];
        match document % 2 {
            0 => (letter.begins, letter.folded) = (true, term.chars().next()),
            // Two words `x` where it divides.
            _ => letter.continues = term != "x",
        }
        Ok(ControlFlow::Continue(()))
    })?;
    connection.run("INSERT INTO temp.letters(letters) VALUES('delete-all')", [])?;
    Ok(letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    /// The words of texts as the tokenizer finds them.
    fn indexed(connection: &Connection, texts: &[String]) -> Vec<(i64, i64, String)> {
        connection
            .execute_batch(
                "CREATE VIRTUAL TABLE temp.asked USING fts5(
                   content, content='', tokenize='unicode61 remove_diacritics 2');
                 CREATE VIRTUAL TABLE temp.asked_entries USING fts5vocab('temp', 'asked', 'instance')",
            )
            .unwrap();
        for (number, text) in texts.iter().enumerate() {
            connection
                .run("INSERT INTO asked(rowid, content) VALUES(?1, ?2)", params![number as i64, text])
                .unwrap();
        }
        let mut found = Vec::new();
        connection
            .each("SELECT doc, offset, term FROM asked_entries ORDER BY 1, 2", [], |row| {
                found.push((row.get(0)?, row.get(1)?, row.get(2)?));
                Ok(ControlFlow::Continue(()))
            })
            .unwrap();
        found
    }

    #[test]
    fn characters_are_taken_as_the_tokenizer_takes_them() {
        let connection = Connection::open_in_memory().unwrap();
        // Two planes, and some characters of the others, which have ideographs and nothing.
        let numbers = (1..0x2_0000).chain((0x2_0000..=u32::from(char::MAX)).step_by(10_007));
        let characters: Vec<char> = numbers.filter_map(char::from_u32).collect();
        // Each character at the beginning, inside and at the end of words, after a mark and before one.
        let texts: Vec<String> = characters
            .chunks(1000)
            .map(|part| part.iter().map(|c| format!("{c}A {c} b{c}c {c}\u{301}{c}é-d{c} ")).collect())
            .chain([format!("{} end", "long".repeat(10_000)), String::new()])
            .collect();
        let mut letters = SearchLetters::new(&connection).unwrap();
        let mut words = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let mut offset = 0;
            letters
                .each_word(&connection, text, &mut |word| {
                    words.push((number as i64, offset, String::from_utf8(word.to_vec()).unwrap()));
                    offset += 1;
                })
                .unwrap();
        }
        letters.close(&connection).unwrap();
        let expected = indexed(&connection, &texts);
        let differing = words.iter().zip(&expected).find(|(own, other)| own != other);
        assert_eq!(differing, None);
        assert_eq!(words.len(), expected.len());
    }
}
