//! Rows of `hidden_text`: what nobody can see in a document.

use super::digests::{self, KnownContent};
use super::sql::{Queries, count};
use pensieve_text::model::{HiddenPassage, HiddenReason, Locator, locator_words};
use rusqlite::{Connection, params};
use serde::Serialize;
use serde_json::Value;

/// The first schema with the table.
pub(crate) const FIRST_WITH_HIDDEN_TEXT: i64 = 11;

/// The key under which earlier schemas have such texts in `metadata`.
const FORMER_KEY: &str = "hidden_text";

/// Stores what nobody can see in a file that has no such rows.
pub(crate) fn write(
    connection: &Connection,
    file_id: i64,
    passages: &[HiddenPassage],
) -> rusqlite::Result<()> {
    let sql =
        "INSERT INTO hidden_text(file_id, seq, reason, locator, chars, text) VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
    for (seq, passage) in (1_i64..).zip(passages) {
        let HiddenPassage { reason, locator, chars, text } = passage;
        connection.run(sql, params![file_id, seq, reason.as_str(), locator, *chars as i64, text])?;
    }
    Ok(())
}

/// A passage that nobody can see, for answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HiddenRow {
    /// Why, by the closed list.
    pub reason: String,
    /// Where it is, as the JSON of a locator.
    pub locator: Option<String>,
    /// Its length in characters.
    pub chars: u64,
    /// Its words; the beginning of them if they are many.
    pub text: String,
}

impl HiddenRow {
    /// The words, why nobody sees them, and where they are: `words (tiny, page 3)`.
    pub fn in_words(&self) -> String {
        let locator: Option<Value> = self.locator.as_deref().and_then(|json| serde_json::from_str(json).ok());
        let place = locator.map_or_else(Vec::new, |locator| locator_words(&locator, "-"));
        let reason = HiddenReason::from_name(&self.reason).map(HiddenReason::in_words);
        let reason = reason.unwrap_or(&self.reason);
        let more = if self.chars > self.text.chars().count() as u64 { " …" } else { "" };
        let note: Vec<&str> = std::iter::once(reason).chain(place.iter().map(String::as_str)).collect();
        format!("{}{more} ({})", self.text, note.join(", "))
    }
}

/// What nobody can see in a file, in its order.
pub(crate) fn of_file(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<HiddenRow>> {
    let sql = "SELECT reason, locator, chars, text FROM hidden_text WHERE file_id = ?1 ORDER BY seq";
    connection.rows(sql, [file_id], |row| {
        Ok(HiddenRow { reason: row.get(0)?, locator: row.get(1)?, chars: count(row, 2)?, text: row.get(3)? })
    })
}

/// Moves what earlier schemas have in `metadata`: `the words (tiny, page 3)`.
///
/// Cost: one pass over `metadata`.
pub(crate) fn take_over(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT DISTINCT file_id FROM metadata WHERE key = ?1 ORDER BY file_id";
    let files: Vec<i64> = connection.rows(sql, [FORMER_KEY], |row| row.get(0))?;
    for file_id in files {
        let sql = "SELECT value FROM metadata WHERE file_id = ?1 AND key = ?2 ORDER BY rowid";
        let rows: Vec<String> = connection.rows(sql, params![file_id, FORMER_KEY], |row| row.get(0))?;
        let passages: Vec<HiddenPassage> = rows.iter().map(|row| passage_of(row)).collect();
        write(connection, file_id, &passages)?;
        connection
            .run("DELETE FROM metadata WHERE file_id = ?1 AND key = ?2", params![file_id, FORMER_KEY])?;
        digests::update(connection, file_id, KnownContent::Changed)?;
    }
    Ok(())
}

/// The passage of a former row. The next run reads its file again, since its reader has another edition.
fn passage_of(row: &str) -> HiddenPassage {
    let inside = |row: &str| -> Option<(String, HiddenReason, Locator)> {
        let (text, note) = row.strip_suffix(')')?.rsplit_once(" (")?;
        let (reason, place) = note.rsplit_once(", ")?;
        let reason = match reason {
            "not painted" => HiddenReason::NotPainted,
            "transparent" => HiddenReason::Transparent,
            "in the colour of its background" => HiddenReason::SameColour,
            "covered" => HiddenReason::Covered,
            "tiny" => HiddenReason::Tiny,
            _ => HiddenReason::NotDisplayed,
        };
        let (kind, number) = place.split_once(' ')?;
        let number = number.parse().ok()?;
        let locator = if kind == "slide" { Locator::slide(number) } else { Locator::page(number) };
        Some((text.to_owned(), reason, locator))
    };
    let (text, reason, locator) = match inside(row) {
        Some((text, reason, locator)) => (text, reason, Some(locator.to_json())),
        None => (row.to_owned(), HiddenReason::NotDisplayed, None),
    };
    HiddenPassage { reason, locator, chars: text.chars().count() as u64, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_words() {
        let row = |chars, locator: Option<&str>| HiddenRow {
            reason: "same_colour".to_owned(),
            locator: locator.map(str::to_owned),
            chars,
            text: "a b".to_owned(),
        };
        let words = row(3, Some("{\"page\":3}")).in_words();
        assert_eq!(words, "a b (in the colour of the background, page 3)");
        assert_eq!(row(4, None).in_words(), "a b … (in the colour of the background)");
    }

    #[test]
    fn former_rows_are_read() {
        let check = |row: &str, reason, locator: Option<&str>, text: &str| {
            let passage = passage_of(row);
            assert_eq!((passage.reason, passage.text.as_str()), (reason, text), "{row}");
            assert_eq!(passage.locator.as_deref(), locator, "{row}");
        };
        let page = Some("{\"page\":12}");
        check("a (b) c (tiny, page 12)", HiddenReason::Tiny, page, "a (b) c");
        check("a (in the colour of its background, page 12)", HiddenReason::SameColour, page, "a");
        let slide = Some("{\"slide\":3}");
        check("a (beside or hidden, slide 3)", HiddenReason::NotDisplayed, slide, "a");
        check("a (b)", HiddenReason::NotDisplayed, None, "a (b)");
    }
}
