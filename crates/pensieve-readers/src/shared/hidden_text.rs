//! The list of what a reader leaves out because nobody can see it: bounded rows, and exact numbers of characters.

use crate::limits::hidden_text::{MAX_PASSAGE_CHARS, MAX_PASSAGES};
use crate::settings::HiddenTextPolicy;
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{
    Document, HiddenPassage, HiddenReason, Locator, ReviewReasonKind, Segment, Span, Visibility,
};
use std::collections::BTreeMap;

/// What nobody can see in a document, in its order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HiddenText {
    passages: Vec<HiddenPassage>,
    /// Characters that ask for a review, by reason, also of passages that are not listed.
    chars: BTreeMap<HiddenReason, u64>,
}

impl HiddenText {
    /// Adds words, which ask for a review. They continue the passage before if place and reason are the same.
    pub(crate) fn add(&mut self, reason: HiddenReason, place: Option<&Locator>, text: &str) {
        let chars = self.list(reason, place, text);
        if chars > 0 {
            *self.chars.entry(reason).or_default() += chars;
        }
    }

    /// Adds words that ask for no review; returns how many characters they have.
    pub(crate) fn list(&mut self, reason: HiddenReason, place: Option<&Locator>, text: &str) -> u64 {
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() {
            return 0;
        }
        let locator = place.map(Locator::to_json);
        let continues = |last: &&mut HiddenPassage| last.reason == reason && last.locator == locator;
        let is_full = self.passages.len() >= MAX_PASSAGES;
        let mut unlisted = HiddenPassage { reason, locator: None, chars: 0, text: String::new() };
        let passage = match self.passages.last_mut().filter(continues) {
            Some(last) => last,
            None if is_full => &mut unlisted,
            None => {
                self.passages.push(HiddenPassage { reason, locator, chars: 0, text: String::new() });
                self.passages.last_mut().expect("a passage was added")
            }
        };
        let mut chars = 0;
        for word in words {
            let length = word.chars().count() as u64;
            let gap = u64::from(passage.chars > 0);
            // The text holds all characters of the passage until it is cut, so their number is its length.
            let room = (MAX_PASSAGE_CHARS as u64).saturating_sub(passage.chars + gap);
            if room > 0 {
                passage.text.push_str(if gap > 0 { " " } else { "" });
                passage.text.extend(word.chars().take(room as usize));
            }
            passage.chars += gap + length;
            chars += gap + length;
        }
        chars
    }

    /// Puts the list into a document, and asks for a review if anything in it does.
    pub(crate) fn note(self, document: &mut Document) {
        document.hidden_text = self.passages;
        if self.chars.is_empty() {
            return;
        }
        let counts: Vec<String> = self
            .chars
            .iter()
            .map(|(reason, chars)| format!("{} {}", counted(*chars, "character"), reason.in_words()))
            .collect();
        let detail = format!("left out: {}", counts.join(", "));
        document.note(ReviewReasonKind::HiddenText, detail);
    }
}

/// Does with the hidden text of a document what the settings want: it may follow the other text.
pub(crate) fn apply(policy: HiddenTextPolicy, document: &mut Document) {
    if policy == HiddenTextPolicy::LeaveOut || document.hidden_text.is_empty() {
        return;
    }
    let mut after = Segment::default();
    for HiddenPassage { reason, text, .. } in &document.hidden_text {
        let start = after.text.len();
        after.text.extend(["\n", text, "\n"]);
        let visibility = Visibility::Hidden(*reason);
        if policy == HiddenTextPolicy::Mark {
            let span = Span::new(start + 1, after.text.len());
            after.places.0.push((span, Locator::Marked { visibility, place: None }));
        }
    }
    if policy == HiddenTextPolicy::Keep {
        document.review_reasons.retain(|reason| reason.kind != ReviewReasonKind::HiddenText);
    }
    document.text.append(after);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(hidden: HiddenText) -> (Vec<(u64, String)>, Vec<String>) {
        let mut document = Document::default();
        hidden.note(&mut document);
        let rows = document.hidden_text.into_iter().map(|row| (row.chars, row.text)).collect();
        (rows, document.review_reasons.into_iter().map(|reason| reason.detail).collect())
    }

    #[test]
    fn passages_continue_at_one_place_for_one_reason() {
        let mut hidden = HiddenText::default();
        let (one, two) = (Locator::page(1), Locator::page(2));
        for (reason, place, text) in [
            (HiddenReason::Tiny, &one, " a\n b "),
            (HiddenReason::Tiny, &one, "é"),
            (HiddenReason::Tiny, &one, " \n"),
            (HiddenReason::Tiny, &two, "c"),
            (HiddenReason::Covered, &two, "d"),
        ] {
            hidden.add(reason, Some(place), text);
        }
        let rows = [(5, "a b é"), (1, "c"), (1, "d")].map(|(chars, text)| (chars, text.to_owned()));
        let reason = "left out: 1 character covered, 6 characters tiny".to_owned();
        assert_eq!(noted(hidden), (rows.to_vec(), vec![reason]));
        assert_eq!(noted(HiddenText::default()), (Vec::new(), Vec::new()));
    }

    #[test]
    fn hidden_text_may_follow_the_other_text() {
        let check = |policy, expected: &str, locator: Option<&str>, reasons: usize| {
            let text = Segment { text: "a\n".to_owned(), ..Segment::default() };
            let mut document = Document { text, ..Document::default() };
            let mut hidden = HiddenText::default();
            hidden.add(HiddenReason::Tiny, None, "b c");
            hidden.note(&mut document);
            apply(policy, &mut document);
            let end = document.text.text.len();
            let found = document.text.places.of(Span::new(end - 1, end)).map(|place| place.to_json());
            assert_eq!((document.text.text.as_str(), found.as_deref()), (expected, locator), "{policy:?}");
            assert_eq!(
                (document.review_reasons.len(), document.hidden_text.len()),
                (reasons, 1),
                "{policy:?}"
            );
        };
        check(HiddenTextPolicy::LeaveOut, "a\n", None, 1);
        check(HiddenTextPolicy::Mark, "a\n\nb c\n", Some("{\"hidden\":\"tiny\"}"), 1);
        check(HiddenTextPolicy::Keep, "a\n\nb c\n", None, 0);
    }

    #[test]
    fn the_list_is_bounded_and_the_numbers_are_exact() {
        let mut hidden = HiddenText::default();
        hidden.add(HiddenReason::Tiny, None, &"é".repeat(MAX_PASSAGE_CHARS + 7));
        hidden.add(HiddenReason::Tiny, None, "more");
        for page in 0..MAX_PASSAGES as u64 {
            hidden.add(HiddenReason::Covered, Some(&Locator::page(page)), "a b");
        }
        let (rows, reasons) = noted(hidden);
        assert_eq!((rows.len(), rows[0].0), (MAX_PASSAGES, MAX_PASSAGE_CHARS as u64 + 12));
        assert_eq!(rows[0].1, "é".repeat(MAX_PASSAGE_CHARS));
        assert_eq!(reasons, ["left out: 600 characters covered, 1,012 characters tiny"]);
    }
}
