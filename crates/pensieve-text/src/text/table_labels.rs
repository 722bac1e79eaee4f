//! Labels of tables, such as `Table 4.` or `Cuadro 2:`.

/// The beginnings of words that label tables, in lower case.
const TABLE_WORDS: &[&str] = &["tab", "cuadro", "quadro", "表"];

/// True for a word, in lower case, that labels tables where a number follows.
pub(crate) fn labels_tables(word: &str) -> bool {
    TABLE_WORDS.iter().any(|beginning| word.starts_with(beginning))
}

/// True for a text that begins with the label of a table: its word and a number, one letter, or a colon.
pub(crate) fn begins_with_table_label(text: &str) -> bool {
    let is_mark = |c: char| matches!(c, '*' | '_' | '(' | '[') || c.is_whitespace();
    let text = text.trim_start_matches(is_mark);
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let rest = rest.trim_start_matches(|c: char| is_mark(c) || c == '.');
    let number = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        || !number.is_empty()
            && number.chars().all(|c| c.is_ascii_uppercase())
            && number.len() <= MAX_NUMERAL_LETTERS;
    labels_tables(&word.to_lowercase()) && (is_number || rest.starts_with(':'))
}

/// Letters of a numeral such as `XVIII`.
const MAX_NUMERAL_LETTERS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_word_for_tables_with_a_number() {
        for text in [
            "Table 4. Oil",
            "**Tabelle 2:** Öl",
            "TABLE IV",
            "Tab. 3 – Oil",
            "Table: Oil",
            "Cuadro A Aceite",
            "表1 油",
        ] {
            assert!(begins_with_table_label(text), "{text}");
        }
        for text in
            ["Table of oil", "Tables are long.", "Figure 4", "4 tables", "", "Tabac de Paris", "table"]
        {
            assert!(!begins_with_table_label(text), "{text}");
        }
    }
}
