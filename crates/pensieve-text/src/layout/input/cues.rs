//! Words that mark captions, boxes and exercises: one table for all languages, which settings can extend. A word
//! alone is not enough (`Figure 3 shows that ...` is prose); it must have the form of a label or title.

use super::cjk::is_cjk;
use crate::model::AuxKind;

/// What must follow a cue, a word such as `figure` or `exercise` at the start of a block, for it to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CueForm {
    /// Followed by a number: `Figure 2.1`.
    Label,
    /// As a title: alone on its line, with a number, or before a colon.
    Title,
}

/// Words in lower case, with the form in which they count and the kind of text that they begin.
const CUES: &[(&str, CueForm, AuxKind)] = &[
    ("abb", CueForm::Label, AuxKind::Caption),
    ("abbildung", CueForm::Label, AuxKind::Caption),
    ("achtung", CueForm::Title, AuxKind::Callout),
    ("actividad", CueForm::Title, AuxKind::Activity),
    ("actividades", CueForm::Title, AuxKind::Activity),
    ("activities", CueForm::Title, AuxKind::Activity),
    ("activity", CueForm::Title, AuxKind::Activity),
    ("activité", CueForm::Title, AuxKind::Activity),
    ("activités", CueForm::Title, AuxKind::Activity),
    ("afbeelding", CueForm::Label, AuxKind::Caption),
    ("attention", CueForm::Title, AuxKind::Callout),
    ("aufgabe", CueForm::Title, AuxKind::Activity),
    ("aufgaben", CueForm::Title, AuxKind::Activity),
    ("box", CueForm::Title, AuxKind::Callout),
    ("case study", CueForm::Title, AuxKind::Callout),
    ("caution", CueForm::Title, AuxKind::Callout),
    ("chart", CueForm::Label, AuxKind::Caption),
    ("check your understanding", CueForm::Title, AuxKind::Activity),
    ("connections", CueForm::Title, AuxKind::Callout),
    ("critical thinking questions", CueForm::Title, AuxKind::Activity),
    ("cuadro", CueForm::Label, AuxKind::Caption),
    ("diagram", CueForm::Label, AuxKind::Caption),
    ("did you know", CueForm::Title, AuxKind::Callout),
    ("discussion questions", CueForm::Title, AuxKind::Activity),
    ("ejercicio", CueForm::Title, AuxKind::Activity),
    ("ejercicios", CueForm::Title, AuxKind::Activity),
    ("esercizi", CueForm::Title, AuxKind::Activity),
    ("esercizio", CueForm::Title, AuxKind::Activity),
    ("exercice", CueForm::Title, AuxKind::Activity),
    ("exercices", CueForm::Title, AuxKind::Activity),
    ("exercise", CueForm::Title, AuxKind::Activity),
    ("exercises", CueForm::Title, AuxKind::Activity),
    ("exercícios", CueForm::Title, AuxKind::Activity),
    ("exhibit", CueForm::Label, AuxKind::Caption),
    ("fig", CueForm::Label, AuxKind::Caption),
    ("figur", CueForm::Label, AuxKind::Caption),
    ("figura", CueForm::Label, AuxKind::Caption),
    ("figure", CueForm::Label, AuxKind::Caption),
    ("figuur", CueForm::Label, AuxKind::Caption),
    ("glosario", CueForm::Title, AuxKind::ListOfTerms),
    ("glossaire", CueForm::Title, AuxKind::ListOfTerms),
    ("glossar", CueForm::Title, AuxKind::ListOfTerms),
    ("glossary", CueForm::Title, AuxKind::ListOfTerms),
    ("gráfico", CueForm::Label, AuxKind::Caption),
    ("hinweis", CueForm::Title, AuxKind::Callout),
    ("illustration", CueForm::Label, AuxKind::Caption),
    ("important", CueForm::Title, AuxKind::Callout),
    ("key points", CueForm::Title, AuxKind::Callout),
    ("key terms", CueForm::Title, AuxKind::ListOfTerms),
    ("key words", CueForm::Title, AuxKind::ListOfTerms),
    ("keywords", CueForm::Title, AuxKind::ListOfTerms),
    ("learning goals", CueForm::Title, AuxKind::Callout),
    ("learning objectives", CueForm::Title, AuxKind::Callout),
    ("learning outcomes", CueForm::Title, AuxKind::Callout),
    ("lernziele", CueForm::Title, AuxKind::Callout),
    ("map", CueForm::Label, AuxKind::Caption),
    ("merke", CueForm::Title, AuxKind::Callout),
    ("mots-clés", CueForm::Title, AuxKind::ListOfTerms),
    ("nota", CueForm::Title, AuxKind::Callout),
    ("note", CueForm::Title, AuxKind::Callout),
    ("objectifs", CueForm::Title, AuxKind::Callout),
    ("objetivos", CueForm::Title, AuxKind::Callout),
    ("oefening", CueForm::Title, AuxKind::Activity),
    ("palabras clave", CueForm::Title, AuxKind::ListOfTerms),
    ("parole chiave", CueForm::Title, AuxKind::ListOfTerms),
    ("photo", CueForm::Label, AuxKind::Caption),
    ("plate", CueForm::Label, AuxKind::Caption),
    ("practice", CueForm::Title, AuxKind::Activity),
    ("practice problems", CueForm::Title, AuxKind::Activity),
    ("problems", CueForm::Title, AuxKind::Activity),
    ("quadro", CueForm::Label, AuxKind::Caption),
    ("remarque", CueForm::Title, AuxKind::Callout),
    ("remember", CueForm::Title, AuxKind::Callout),
    ("review questions", CueForm::Title, AuxKind::Activity),
    ("rys", CueForm::Label, AuxKind::Caption),
    ("rysunek", CueForm::Label, AuxKind::Caption),
    ("scheme", CueForm::Label, AuxKind::Caption),
    ("schlüsselbegriffe", CueForm::Title, AuxKind::ListOfTerms),
    ("schéma", CueForm::Label, AuxKind::Caption),
    ("spotlight", CueForm::Title, AuxKind::Callout),
    ("tab", CueForm::Label, AuxKind::Caption),
    ("tabel", CueForm::Label, AuxKind::Caption),
    ("tabela", CueForm::Label, AuxKind::Caption),
    ("tabell", CueForm::Label, AuxKind::Caption),
    ("tabella", CueForm::Label, AuxKind::Caption),
    ("tabelle", CueForm::Label, AuxKind::Caption),
    ("tabla", CueForm::Label, AuxKind::Caption),
    ("table", CueForm::Label, AuxKind::Caption),
    ("tableau", CueForm::Label, AuxKind::Caption),
    ("tablo", CueForm::Label, AuxKind::Caption),
    ("tip", CueForm::Title, AuxKind::Callout),
    ("try it", CueForm::Title, AuxKind::Activity),
    ("vocabulary", CueForm::Title, AuxKind::ListOfTerms),
    ("warning", CueForm::Title, AuxKind::Callout),
    ("übung", CueForm::Title, AuxKind::Activity),
    ("übungen", CueForm::Title, AuxKind::Activity),
    ("şekil", CueForm::Label, AuxKind::Caption),
    ("рис", CueForm::Label, AuxKind::Caption),
    ("рисунок", CueForm::Label, AuxKind::Caption),
    ("табл", CueForm::Label, AuxKind::Caption),
    ("таблица", CueForm::Label, AuxKind::Caption),
    ("упражнение", CueForm::Title, AuxKind::Activity),
    ("упражнения", CueForm::Title, AuxKind::Activity),
    ("図", CueForm::Label, AuxKind::Caption),
    ("图", CueForm::Label, AuxKind::Caption),
    ("表", CueForm::Label, AuxKind::Caption),
];

/// Characters at the start of a line that can contain a cue.
const MAX_CUE_CHARACTERS: usize = 48;

/// Maximum characters of a title.
const MAX_TITLE_CHARACTERS: usize = 60;

/// The table with the user's own words.
#[derive(Debug, Clone, Default)]
pub(crate) struct CueTable {
    own: Vec<(String, AuxKind)>,
}

/// A cue at the start of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cue {
    /// The kind of text that begins here.
    pub(crate) kind: AuxKind,
    /// Its form.
    pub(crate) form: CueForm,
    /// The word with its number, in lower case: `figure 2.1`.
    pub(crate) label: String,
    /// True if the text after the label reads like a sentence with the label as its subject.
    pub(crate) starts_sentence: bool,
}

impl CueTable {
    /// The table with the user's own entries of the form `word = subtype`. Malformed entries are skipped: reading the
    /// configuration has refused them before.
    pub(crate) fn new(own: &[String]) -> CueTable {
        CueTable { own: own.iter().filter_map(|entry| parsed(entry)).collect() }
    }

    /// The cue at the start of a block's first line.
    pub(crate) fn at(&self, line: &str) -> Option<Cue> {
        let head: String =
            line.trim_start().chars().take(MAX_CUE_CHARACTERS).flat_map(char::to_lowercase).collect();
        // The longest word that the line starts with.
        let own = self.own.iter().map(|(word, kind)| (word.as_str(), CueForm::Title, *kind));
        let (word, form, kind) = own
            .chain(CUES.iter().copied())
            .filter(|(word, ..)| starts_with_word(&head, word))
            .max_by_key(|(word, ..)| word.len())?;
        match form {
            CueForm::Label => label(&head, word, line).map(|(label, starts_sentence)| Cue {
                kind,
                form,
                label,
                starts_sentence,
            }),
            CueForm::Title => is_title(line, &head[word.len()..]).then(|| Cue {
                kind,
                form,
                label: word.to_owned(),
                starts_sentence: false,
            }),
        }
    }

    /// The kind of text below a heading that consists of a cue: `Exercises`, `Key Terms`.
    pub(crate) fn of_heading(&self, title: &str) -> Option<AuxKind> {
        let title = title.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
        let title = title.trim_end_matches(':').to_lowercase();
        let own = self.own.iter().find(|(word, _)| *word == title).map(|(_, kind)| *kind);
        let known = || CUES.iter().find(|(word, form, _)| *form == CueForm::Title && *word == title);
        let kind = own.or_else(|| known().map(|(.., kind)| *kind))?;
        matches!(kind, AuxKind::Activity | AuxKind::ListOfTerms).then_some(kind)
    }
}

/// The word and the subtype of `word = subtype`; `None` for a malformed entry or a word that could never be found.
/// Furniture is recognised by its place, never by a word.
pub(super) fn parsed(entry: &str) -> Option<(String, AuxKind)> {
    let (word, kind) = entry.split_once('=')?;
    let word = word.trim().to_lowercase();
    let kind = AuxKind::from_name(kind.trim()).filter(|kind| *kind != AuxKind::Furniture)?;
    (1..=MAX_CUE_CHARACTERS).contains(&word.chars().count()).then_some((word, kind))
}

fn starts_with_word(head: &str, word: &str) -> bool {
    let next = head.strip_prefix(word).map(|rest| rest.chars().next());
    // Chinese and Japanese have no space after the word.
    let is_cjk = word.chars().next().is_some_and(is_cjk);
    next.is_some_and(|next| is_cjk || next.is_none_or(|c| !c.is_alphabetic()))
}

/// A label such as `figure 2.1`, in lower case, and whether a sentence follows it.
fn label(head: &str, word: &str, line: &str) -> Option<(String, bool)> {
    let rest = head[word.len()..].trim_start_matches(['.', ' ', '\u{a0}']);
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '–' | '\u{2011}');
    let number: &str = rest.split(|c: char| !is_number(c) && !c.is_ascii_alphabetic()).next()?;
    let number = number.trim_end_matches(['.', '-', '–']);
    let has_digit = number.contains(|c: char| c.is_ascii_digit());
    // `Table IV`, `Plate xii`.
    let is_roman = !number.is_empty() && number.chars().all(|c| "ivxlc".contains(c));
    if !has_digit && !is_roman {
        return None;
    }
    // In the line itself, whose case tells a title from a verb.
    let at = line.to_lowercase().find(number).map_or(line.len(), |at| at + number.len());
    let after = line.get(at..).unwrap_or_default().trim_start();
    let starts_sentence = after.starts_with(|c: char| c.is_lowercase() || matches!(c, ',' | ';'));
    Some((format!("{word} {number}"), starts_sentence))
}

/// True for a title: the line ends after the cue or its number, or a colon or dash follows.
fn is_title(line: &str, rest: &str) -> bool {
    let rest = rest.trim_start();
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    let has_number = after.len() < rest.len() && rest.starts_with(|c: char| c.is_ascii_digit());
    let ends = rest.is_empty() || rest == ":" || rest == "?" || rest == "!";
    let is_marked = rest.starts_with([':', '–', '—', '|']) || after.starts_with([':', '–', '—', '|']);
    ends || is_marked
        // `Exercise 3, in which ...` is the beginning of a sentence.
        || (has_number && line.chars().count() <= MAX_TITLE_CHARACTERS && !line.trim_end().ends_with(','))
}

/// The beginnings of words that label tables.
// `tab` begins table, Tabelle, tabla, tableau and the others above in Latin script.
const TABLE_WORDS: &[&str] = &["tab", "cuadro", "quadro", "表"];

/// True for a text, perhaps with marks of emphasis, that begins with the label of a table and is no sentence about that.
pub(crate) fn is_table_caption(text: &str) -> bool {
    let cue = CueTable::default().at(text.trim_start_matches(['*', '_']));
    // `Table 3 shows the rest` is a sentence, and `Tablets 5 mg` no label at all.
    cue.is_some_and(|cue| labels_tables(&cue.label) && !cue.starts_sentence)
}

/// True for the label of a table.
pub(crate) fn labels_tables(label: &str) -> bool {
    TABLE_WORDS.iter().any(|word| label.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(AuxKind, &str, bool)>) {
        let cue = CueTable::new(&["Merksatz = callout".to_owned()]).at(line);
        let found = cue.as_ref().map(|cue| (cue.kind, cue.label.as_str(), cue.starts_sentence));
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn labels_have_numbers() {
        check("Figure 2.1 Thinking: a sculpture", Some((AuxKind::Caption, "figure 2.1", false)));
        check("Fig. 3: Results", Some((AuxKind::Caption, "fig 3", false)));
        check("Table IV. Values", Some((AuxKind::Caption, "table iv", false)));
        check("Abbildung 12", Some((AuxKind::Caption, "abbildung 12", false)));
        check("表1", Some((AuxKind::Caption, "表 1", false)));
        check("Figure 3 shows that it works", Some((AuxKind::Caption, "figure 3", true)));
        check("Figure skating is a sport", None);
        check("Tablets were made of clay", None);
    }

    #[test]
    fn titles_stand_alone_or_before_a_colon() {
        check("Keywords", Some((AuxKind::ListOfTerms, "keywords", false)));
        check("Activity: Think Philosopher", Some((AuxKind::Activity, "activity", false)));
        check("Exercise 3.2", Some((AuxKind::Activity, "exercise", false)));
        check("MERKSATZ", Some((AuxKind::Callout, "merksatz", false)));
        check("Note: nothing is lost", Some((AuxKind::Callout, "note", false)));
        check("Note that nothing is lost", None);
        check("Problems of philosophy are old", None);
    }

    #[test]
    fn headings_that_are_cues_name_the_kind_of_text_below() {
        let cues = CueTable::default();
        assert_eq!(cues.of_heading("4.5 Exercises"), Some(AuxKind::Activity));
        assert_eq!(cues.of_heading("Key Terms"), Some(AuxKind::ListOfTerms));
        assert_eq!(cues.of_heading("Exercises in style"), None);
        assert_eq!(cues.of_heading("Note"), None);
    }

    #[test]
    fn the_table_is_sorted_without_repetition() {
        assert!(CUES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
