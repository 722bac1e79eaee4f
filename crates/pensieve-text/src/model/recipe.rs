//! The settings that a stored result depends on, written line by line: a name that never changes, and the value.

/// One setting: its name as in the configuration, and its value.
pub type RecipeLine = (&'static str, String);

/// The lines of a recipe as text, in the order given.
///
/// Names of fields do not count, so that a renamed one reads no database again.
pub fn recipe_text(lines: &[RecipeLine]) -> String {
    lines.iter().map(|(name, value)| format!("{name} = {value}\n")).collect()
}
