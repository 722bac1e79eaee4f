//! Who speaks in a passage, from its speech tags: `said Tom`, `Aunt Polly replied`.
//!
//! Only speech tags are used: a verb of speech next to a quotation. A name without a tag is not found, and no list of
//! names is consulted, so that anything the book gives words to has a name: in *Life on the Mississippi* two
//! travellers are called Cincinnati and New Orleans. A name after an article is a kind of person (`the Welshman
//! said`) and is left out unless it has a title (`the Widow Douglas said`).

use std::collections::BTreeSet;

/// Verbs of speech tags.
const VERBS: &[&str] = &[
    "said",
    "says",
    "replied",
    "answered",
    "asked",
    "cried",
    "exclaimed",
    "shouted",
    "whispered",
    "muttered",
    "murmured",
    "remarked",
    "continued",
    "added",
    "observed",
    "returned",
    "inquired",
    "responded",
    "called",
    "screamed",
    "growled",
    "demanded",
    "begged",
    "suggested",
    "declared",
    "sobbed",
    "laughed",
    "sighed",
];

/// Capitalised words that begin sentences or are not names.
const NOT_NAMES: &[&str] = &[
    "i",
    "he",
    "she",
    "it",
    "they",
    "we",
    "you",
    "the",
    "a",
    "an",
    "and",
    "but",
    "then",
    "so",
    "well",
    "oh",
    "no",
    "yes",
    "now",
    "what",
    "when",
    "where",
    "why",
    "how",
    "this",
    "that",
    "there",
    "his",
    "her",
    "my",
    "your",
    "our",
    "their",
    "all",
    "some",
    "one",
    "another",
    "everybody",
    "nobody",
    "somebody",
    "who",
    "as",
    "at",
    "in",
    "to",
    "of",
    "for",
    "if",
    "god",
    "lord",
    "ah",
    "old",
    "poor",
    "here",
    "not",
    "after",
    "before",
    "presently",
    "finally",
    "both",
    "each",
    "next",
    "yet",
    "or",
    "these",
    "those",
    "it's",
    "i'll",
    "i'm",
    "book",
    "scripture",
    "scriptures",
    "bible",
    "gospel",
    "proverb",
    "proverbs",
    "providence",
    "heaven",
    "history",
    "nature",
    "experience",
    "reason",
    "everyone",
    "anybody",
    "someone",
    "people",
    "others",
    "many",
    "several",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Titles that belong to the name after them.
const TITLES: &[&str] = &[
    "mr", "mrs", "miss", "dr", "aunt", "uncle", "judge", "sir", "king", "queen", "captain", "colonel",
    "lady", "lord", "governor", "widow", "father", "mother", "doctor", "reverend", "deacon", "injun",
    "young",
];

/// The names of the speakers, each once, in alphabetical order.
pub fn names(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().flat_map(|word| word.split_inclusive("--")).collect();
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !VERBS.contains(&bare) {
            continue;
        }
        let after_quote = at > 0 && closes(words[at - 1]);
        if after_quote && !word.ends_with([',', '.', ':', ';']) {
            found.extend(forward(&words[at + 1..]));
        }
        let before_quote = words
            .get(at + 1)
            .is_some_and(|next| opens(next) || next.starts_with('\'') && word.ends_with([',', ':']));
        found.extend(backward(&words[..at], before_quote));
    }
    found.into_iter().collect()
}

/// True for a word that ends or interrupts a quotation.
fn closes(word: &str) -> bool {
    word.ends_with(['"', '”', '’', '\'']) || word.ends_with("--")
}

/// True for a word that begins a quotation.
fn opens(word: &str) -> bool {
    word.starts_with(['"', '“', '‘'])
}

/// A word that may be part of a name.
fn is_name(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    bare.starts_with(char::is_uppercase)
        && bare.chars().any(char::is_lowercase)
        && !NOT_NAMES.contains(&bare.to_lowercase().as_str())
}

fn is_article(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "the" | "a" | "an" | "this" | "that" | "another")
}

fn is_title(word: &str) -> bool {
    TITLES.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().as_str())
}

/// The name at the start of a list of words.
fn forward(words: &[&str]) -> Option<String> {
    let mut name: Vec<&str> = Vec::new();
    for word in words.iter().take(3) {
        if !is_name(word) || opens(word) {
            break;
        }
        let is_titled = is_title(word) && word.ends_with('.');
        name.push(word);
        if word.ends_with(|c: char| !c.is_alphanumeric()) && !is_titled {
            break;
        }
    }
    joined(&name)
}

/// The name at the end of a list of words: a quotation must follow its verb, or end right before it.
fn backward(words: &[&str], before_quote: bool) -> Option<String> {
    let last = *words.last()?;
    if !is_name(last) || last.ends_with(|c: char| !c.is_alphanumeric()) {
        return None;
    }
    let start = match words.len().checked_sub(2).map(|at| words[at]) {
        Some(before)
            if is_title(before) || is_name(before) && !before.ends_with(|c: char| !c.is_alphanumeric()) =>
        {
            words.len() - 2
        }
        _ => words.len() - 1,
    };
    let before = start.checked_sub(1).map(|at| words[at]);
    let is_kind = !is_title(words[start]) && before.is_some_and(is_article);
    let is_tag = before_quote || before.is_some_and(closes);
    joined(&words[start..]).filter(|_| is_tag && !is_kind)
}

fn joined(words: &[&str]) -> Option<String> {
    let bare: Vec<&str> =
        words.iter().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '.')).collect();
    let name = bare.join(" ");
    let name = name.trim_end_matches('.').trim_end_matches("'s").trim_end_matches("’s");
    let is_bare_title = words.len() == 1 && is_title(words[0]);
    (!name.is_empty() && !is_bare_title).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_speech_tags() {
        let check = |text: &str, expected: &[&str]| assert_eq!(names(text), expected, "{text}");
        check("“No,” said Tom. “Yes,” said Huck Finn, “it is.”", &["Huck Finn", "Tom"]);
        check("\"Well,\" replied Mrs. Heron, \"I never.\"", &["Mrs. Heron"]);
        check("Then Aunt Polly said: “Tom!”", &["Aunt Polly"]);
        check("“No,” said he. “No,” said the old man. The King said nothing at all.", &[]);
        check("Scripture says: \"The sea is his.\" Experience answered, “No.”", &[]);
        check(
            "The Welshman stepped out. Another Frenchman said: “Hallo.” Then the Welshman said, “Who's there?”",
            &[],
        );
        check("Then the Widow Douglas said: “Come in.”", &["Widow Douglas"]);
        check(
            "'Now as to this,' said Cincinnati, slashing in. Iamo said: 'Now I will divide.'",
            &["Cincinnati", "Iamo"],
        );
        check("I told them what Dick said. Becky cried, and Tom tried to think. “No,” Joe said.", &["Joe"]);
        check("They said 'em all. Bob said 'twas so.", &[]);
        check("He said Monday was a holiday.", &[]);
        check("", &[]);
    }

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(names(text), expected, "{text}");
    }

    #[test]
    fn a_name_after_a_verb_follows_a_quotation() {
        check("“No,” said Tom.", &["Tom"]);
        check("‘No,’ said Tom.", &["Tom"]);
        check("“No--” said Tom.", &["Tom"]);
        check("No--said Tom.", &["Tom"]);
        check("And said Tom.", &[]);
        check("said Tom.", &[]);
        check("“No,” said, Tom.", &[]);
        check("“No,” said: Tom.", &[]);
        check("“No,” sang Tom.", &[]);
        check("“No,” said “Tom.”", &[]);
        check("“No,” said Tom Huck Finn Sawyer", &["Tom Huck Finn"]);
        check("“No,” said Tom, Huck Finn", &["Tom"]);
        check("“No,” said Mr. Finn, Sawyer", &["Mr. Finn"]);
        check("“No,” said Tom. Sawyer", &["Tom"]);
        check("“No,” said Mr. He", &[]);
        check("“No,” said TOM", &[]);
        check("“No,” said Tom’s", &["Tom"]);
    }

    #[test]
    fn a_name_before_a_verb_has_a_quotation_beside_it() {
        check("Tom said “No.”", &["Tom"]);
        check("Tom said ‘No.’", &["Tom"]);
        check("Tom said \"No.\"", &["Tom"]);
        check("Tom said, 'No.'", &["Tom"]);
        check("Tom said 'No.'", &[]);
        check("Tom said so.", &[]);
        check("“No.” Tom said so.", &["Tom"]);
        check("No. Tom said so.", &[]);
        check("Tom, said “No.”", &[]);
        check("And Huck Finn said “No.”", &["Huck Finn"]);
        check("And Huck, Finn said “No.”", &["Finn"]);
        check("Old Huck Finn said “No.”", &["Huck Finn"]);
        check("Then Mrs. Finn said “No.”", &["Mrs. Finn"]);
        check("It was late when Huck Finn said “No.”", &["Huck Finn"]);
        check("the Finn said “No.”", &[]);
        check("the King said “No.”", &[]);
        check("the King Finn said “No.”", &["King Finn"]);
        check("Mr. said “No.”", &[]);
    }
}
