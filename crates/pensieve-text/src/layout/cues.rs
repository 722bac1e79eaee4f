//! Words by which captions, boxes and exercises say what they are: one table for all languages, which settings extend.
//! A word alone proves nothing (`Figure 3 shows that ...` is prose); the forms in which labels and titles are written do.

use crate::model::AuxKind;

/// How a cue must stand at the start of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// With a number behind it: `Figure 2.1`.
    Label,
    /// As a title: alone on its line, with a number, or before a colon.
    Title,
}

/// Words with the form in which they count and what they begin, in lower case.
const CUES: &[(&str, Form, AuxKind)] = &[
    ("abb", Form::Label, AuxKind::Caption),
    ("abbildung", Form::Label, AuxKind::Caption),
    ("achtung", Form::Title, AuxKind::Callout),
    ("actividad", Form::Title, AuxKind::Activity),
    ("actividades", Form::Title, AuxKind::Activity),
    ("activities", Form::Title, AuxKind::Activity),
    ("activity", Form::Title, AuxKind::Activity),
    ("activité", Form::Title, AuxKind::Activity),
    ("activités", Form::Title, AuxKind::Activity),
    ("afbeelding", Form::Label, AuxKind::Caption),
    ("attention", Form::Title, AuxKind::Callout),
    ("aufgabe", Form::Title, AuxKind::Activity),
    ("aufgaben", Form::Title, AuxKind::Activity),
    ("box", Form::Title, AuxKind::Callout),
    ("case study", Form::Title, AuxKind::Callout),
    ("caution", Form::Title, AuxKind::Callout),
    ("chart", Form::Label, AuxKind::Caption),
    ("check your understanding", Form::Title, AuxKind::Activity),
    ("connections", Form::Title, AuxKind::Callout),
    ("critical thinking questions", Form::Title, AuxKind::Activity),
    ("cuadro", Form::Label, AuxKind::Caption),
    ("diagram", Form::Label, AuxKind::Caption),
    ("did you know", Form::Title, AuxKind::Callout),
    ("discussion questions", Form::Title, AuxKind::Activity),
    ("ejercicio", Form::Title, AuxKind::Activity),
    ("ejercicios", Form::Title, AuxKind::Activity),
    ("esercizi", Form::Title, AuxKind::Activity),
    ("esercizio", Form::Title, AuxKind::Activity),
    ("exercice", Form::Title, AuxKind::Activity),
    ("exercices", Form::Title, AuxKind::Activity),
    ("exercise", Form::Title, AuxKind::Activity),
    ("exercises", Form::Title, AuxKind::Activity),
    ("exercícios", Form::Title, AuxKind::Activity),
    ("exhibit", Form::Label, AuxKind::Caption),
    ("fig", Form::Label, AuxKind::Caption),
    ("figur", Form::Label, AuxKind::Caption),
    ("figura", Form::Label, AuxKind::Caption),
    ("figure", Form::Label, AuxKind::Caption),
    ("figuur", Form::Label, AuxKind::Caption),
    ("glosario", Form::Title, AuxKind::ListOfTerms),
    ("glossaire", Form::Title, AuxKind::ListOfTerms),
    ("glossar", Form::Title, AuxKind::ListOfTerms),
    ("glossary", Form::Title, AuxKind::ListOfTerms),
    ("gráfico", Form::Label, AuxKind::Caption),
    ("hinweis", Form::Title, AuxKind::Callout),
    ("illustration", Form::Label, AuxKind::Caption),
    ("important", Form::Title, AuxKind::Callout),
    ("key points", Form::Title, AuxKind::Callout),
    ("key terms", Form::Title, AuxKind::ListOfTerms),
    ("key words", Form::Title, AuxKind::ListOfTerms),
    ("keywords", Form::Title, AuxKind::ListOfTerms),
    ("learning goals", Form::Title, AuxKind::Callout),
    ("learning objectives", Form::Title, AuxKind::Callout),
    ("learning outcomes", Form::Title, AuxKind::Callout),
    ("lernziele", Form::Title, AuxKind::Callout),
    ("map", Form::Label, AuxKind::Caption),
    ("merke", Form::Title, AuxKind::Callout),
    ("mots-clés", Form::Title, AuxKind::ListOfTerms),
    ("nota", Form::Title, AuxKind::Callout),
    ("note", Form::Title, AuxKind::Callout),
    ("objectifs", Form::Title, AuxKind::Callout),
    ("objetivos", Form::Title, AuxKind::Callout),
    ("oefening", Form::Title, AuxKind::Activity),
    ("palabras clave", Form::Title, AuxKind::ListOfTerms),
    ("parole chiave", Form::Title, AuxKind::ListOfTerms),
    ("photo", Form::Label, AuxKind::Caption),
    ("plate", Form::Label, AuxKind::Caption),
    ("practice", Form::Title, AuxKind::Activity),
    ("practice problems", Form::Title, AuxKind::Activity),
    ("problems", Form::Title, AuxKind::Activity),
    ("quadro", Form::Label, AuxKind::Caption),
    ("remarque", Form::Title, AuxKind::Callout),
    ("remember", Form::Title, AuxKind::Callout),
    ("review questions", Form::Title, AuxKind::Activity),
    ("rys", Form::Label, AuxKind::Caption),
    ("rysunek", Form::Label, AuxKind::Caption),
    ("scheme", Form::Label, AuxKind::Caption),
    ("schlüsselbegriffe", Form::Title, AuxKind::ListOfTerms),
    ("schéma", Form::Label, AuxKind::Caption),
    ("spotlight", Form::Title, AuxKind::Callout),
    ("tab", Form::Label, AuxKind::Caption),
    ("tabel", Form::Label, AuxKind::Caption),
    ("tabela", Form::Label, AuxKind::Caption),
    ("tabell", Form::Label, AuxKind::Caption),
    ("tabella", Form::Label, AuxKind::Caption),
    ("tabelle", Form::Label, AuxKind::Caption),
    ("tabla", Form::Label, AuxKind::Caption),
    ("table", Form::Label, AuxKind::Caption),
    ("tableau", Form::Label, AuxKind::Caption),
    ("tablo", Form::Label, AuxKind::Caption),
    ("tip", Form::Title, AuxKind::Callout),
    ("try it", Form::Title, AuxKind::Activity),
    ("vocabulary", Form::Title, AuxKind::ListOfTerms),
    ("warning", Form::Title, AuxKind::Callout),
    ("übung", Form::Title, AuxKind::Activity),
    ("übungen", Form::Title, AuxKind::Activity),
    ("şekil", Form::Label, AuxKind::Caption),
    ("рис", Form::Label, AuxKind::Caption),
    ("рисунок", Form::Label, AuxKind::Caption),
    ("табл", Form::Label, AuxKind::Caption),
    ("таблица", Form::Label, AuxKind::Caption),
    ("упражнение", Form::Title, AuxKind::Activity),
    ("упражнения", Form::Title, AuxKind::Activity),
    ("図", Form::Label, AuxKind::Caption),
    ("图", Form::Label, AuxKind::Caption),
    ("表", Form::Label, AuxKind::Caption),
];

/// Characters at the start of a line among which a cue is looked for.
const HEAD: usize = 48;

/// A title has at most so many characters.
const TITLE: usize = 60;

/// The table with the user's own words.
#[derive(Debug, Clone, Default)]
pub(super) struct Cues {
    own: Vec<(String, AuxKind)>,
}

/// A cue at the start of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cue {
    /// What begins here.
    pub(super) kind: AuxKind,
    /// The form in which it is written.
    pub(super) form: Form,
    /// The word with its number, in lower case: `figure 2.1`.
    pub(super) label: String,
    /// What follows the label reads like a sentence of which the label is the subject.
    pub(super) goes_on: bool,
}

impl Cues {
    /// The table with words of the form `word = subtype`; others are passed over, the settings refuse them before.
    pub(super) fn new(own: &[String]) -> Cues {
        Cues { own: own.iter().filter_map(|entry| parsed(entry)).collect() }
    }

    /// The cue at the start of a block's first line.
    pub(super) fn at(&self, line: &str) -> Option<Cue> {
        let head: String = line.trim_start().chars().take(HEAD).flat_map(char::to_lowercase).collect();
        // The longest word that the line starts with.
        let own = self.own.iter().map(|(word, kind)| (word.as_str(), Form::Title, *kind));
        let (word, form, kind) = own
            .chain(CUES.iter().copied())
            .filter(|(word, ..)| starts_with_word(&head, word))
            .max_by_key(|(word, ..)| word.len())?;
        match form {
            Form::Label => {
                label(&head, word, line).map(|(label, goes_on)| Cue { kind, form, label, goes_on })
            }
            Form::Title => is_title(line, &head[word.len()..]).then(|| Cue {
                kind,
                form,
                label: word.to_owned(),
                goes_on: false,
            }),
        }
    }

    /// What a heading begins that says nothing but a cue: `Exercises`, `Key Terms`.
    pub(super) fn of_heading(&self, title: &str) -> Option<AuxKind> {
        let title = title.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
        let title = title.trim_end_matches(':').to_lowercase();
        let own = self.own.iter().find(|(word, _)| *word == title).map(|(_, kind)| *kind);
        let known = || CUES.iter().find(|(word, form, _)| *form == Form::Title && *word == title);
        let kind = own.or_else(|| known().map(|(.., kind)| *kind))?;
        matches!(kind, AuxKind::Activity | AuxKind::ListOfTerms).then_some(kind)
    }
}

/// The word and the subtype of `word = subtype`; `None` for what could never be found, and for what has another form.
/// Furniture is known by where it stands, never by a word.
pub(super) fn parsed(entry: &str) -> Option<(String, AuxKind)> {
    let (word, kind) = entry.split_once('=')?;
    let word = word.trim().to_lowercase();
    let kind = AuxKind::from_name(kind.trim()).filter(|kind| *kind != AuxKind::Furniture)?;
    (1..=HEAD).contains(&word.chars().count()).then_some((word, kind))
}

fn starts_with_word(head: &str, word: &str) -> bool {
    let next = head.strip_prefix(word).map(|rest| rest.chars().next());
    let is_dense = word.chars().next().is_some_and(super::wrap::is_dense);
    next.is_some_and(|next| is_dense || next.is_none_or(|c| !c.is_alphabetic()))
}

/// `figure 2.1` and whether a sentence goes on behind it, in lower case, without a stop.
fn label(head: &str, word: &str, line: &str) -> Option<(String, bool)> {
    let rest = head[word.len()..].trim_start_matches(['.', ' ', '\u{a0}']);
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '–' | '\u{2011}');
    let number: &str = rest.split(|c: char| !is_number(c) && !c.is_ascii_alphabetic()).next()?;
    let number = number.trim_end_matches(['.', '-', '–']);
    let has_digit = number.contains(|c: char| c.is_ascii_digit());
    let is_roman = !number.is_empty() && number.chars().all(|c| "ivxlc".contains(c));
    if !has_digit && !is_roman {
        return None;
    }
    // In the line itself, whose case tells a title from a verb.
    let at = line.to_lowercase().find(number).map_or(line.len(), |at| at + number.len());
    let behind = line.get(at..).unwrap_or_default().trim_start();
    let goes_on = behind.starts_with(|c: char| c.is_lowercase() || matches!(c, ',' | ';'));
    Some((format!("{word} {number}"), goes_on))
}

/// Nothing but a title: it ends here, or with a number, or a colon or dash follows.
fn is_title(line: &str, rest: &str) -> bool {
    let rest = rest.trim_start();
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    let has_number = behind.len() < rest.len() && rest.starts_with(|c: char| c.is_ascii_digit());
    let ends = rest.is_empty() || rest == ":" || rest == "?" || rest == "!";
    let is_marked = rest.starts_with([':', '–', '—', '|']) || behind.starts_with([':', '–', '—', '|']);
    ends || is_marked || (has_number && line.chars().count() <= TITLE && !line.trim_end().ends_with(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(AuxKind, &str, bool)>) {
        let cue = Cues::new(&["Merksatz = callout".to_owned()]).at(line);
        let found = cue.as_ref().map(|cue| (cue.kind, cue.label.as_str(), cue.goes_on));
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
    fn headings_that_are_cues_begin_what_they_say() {
        let cues = Cues::default();
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
