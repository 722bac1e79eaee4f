//! Bullets that a page draws apart from the words of their items. Each is joined to them, so that a column of bullets is no
//! column of a table. Word processors draw the bullet of a second level as the letter `o` of another typeface.

use super::list_items::is_bullet_mark;
use crate::layout::input::page::{LayoutPage, TextSpan};
use crate::layout::input::typefaces::family;

/// Bullets of one page that are joined; a page with more is a drawing, and each is looked for among all texts.
const MAX_BULLETS: usize = 400;

/// The farthest distance of a bullet from its words, in font sizes.
const MAX_GAP: f32 = 4.0;

/// By how much the baselines of both may differ, in font sizes.
const SAME_BASELINE: f32 = 0.3;

/// The page with its bullets before their words; none if nothing is to be joined.
pub(crate) fn joined(page: &LayoutPage) -> Option<LayoutPage> {
    let bullets: Vec<usize> = (0..page.spans.len()).filter(|at| may_be_bullet(&page.spans[*at])).collect();
    if bullets.is_empty() || bullets.len() > MAX_BULLETS {
        return None;
    }
    let mut spans = page.spans.clone();
    let mut is_gone = vec![false; spans.len()];
    for at in bullets {
        let Some(words) = words_of(&page.spans, at).filter(|words| !is_gone[*words]) else { continue };
        let (bullet, text) = (&page.spans[at], &spans[words]);
        // The second level of Word's lists.
        let mark = if bullet.text.trim() == "o" { "◦" } else { bullet.text.trim() };
        let by = text.origin[0] - bullet.origin[0];
        let lead = mark.len() + 1;
        let moved = |gap: &crate::layout::input::page::SpanGap| crate::layout::input::page::SpanGap {
            at: gap.at + lead,
            from: gap.from + by,
            to: gap.to + by,
        };
        spans[words] = TextSpan {
            text: format!("{mark} {}", text.text.trim_start()),
            origin: [bullet.origin[0], text.origin[1]],
            length: text.length + by,
            bbox: [bullet.bbox[0].min(text.bbox[0]), text.bbox[1], text.bbox[2], text.bbox[3]],
            gaps: text.gaps.iter().map(moved).collect(),
            ..text.clone()
        };
        is_gone[at] = true;
    }
    if !is_gone.contains(&true) {
        return None;
    }
    let kept = spans.into_iter().zip(&is_gone).filter(|(_, is_gone)| !**is_gone).map(|(span, _)| span);
    Some(page.with_spans(kept.collect()))
}

fn may_be_bullet(span: &TextSpan) -> bool {
    let mut chars = span.text.trim().chars();
    let (first, rest) = (chars.next(), chars.next());
    rest.is_none() && span.rotation == 0.0 && first.is_some_and(|c| is_bullet_mark(c) || is_weak(c))
}

/// Signs that are bullets only where they begin a line.
fn is_weak(c: char) -> bool {
    matches!(c, 'o' | '–' | '-')
}

/// The nearest text after a bullet on its baseline.
fn words_of(spans: &[TextSpan], at: usize) -> Option<usize> {
    let bullet = &spans[at];
    let end = bullet.origin[0] + bullet.length;
    let is_near = |span: &TextSpan| {
        let size = span.size.max(bullet.size);
        let gap = span.origin[0] - end;
        (span.origin[1] - bullet.origin[1]).abs() <= SAME_BASELINE * size
            && (-0.1 * size..=MAX_GAP * size).contains(&gap)
            && span.rotation == 0.0
    };
    let near = (0..spans.len()).filter(|other| *other != at && is_near(&spans[*other]));
    let nearest = near.min_by(|a, b| spans[*a].origin[0].total_cmp(&spans[*b].origin[0]))?;
    let words = &spans[nearest];
    let is_letter = bullet.text.trim() == "o";
    // `o` in the typeface of its words is a word of Spanish, Italian or Portuguese.
    let is_other =
        family(&bullet.font.name) != family(&words.font.name) && words.origin[0] - end > 0.3 * words.size;
    let has_words = words.text.contains(char::is_alphanumeric) && !may_be_bullet(words);
    // A dash inside of a line is a dash.
    let begins_line = || {
        let is_before = |span: &TextSpan| {
            (span.origin[1] - bullet.origin[1]).abs() <= SAME_BASELINE * bullet.size
                && span.origin[0] < bullet.origin[0]
        };
        words.text.trim_start().starts_with(char::is_alphabetic) && !spans.iter().any(is_before)
    };
    let is_weak = bullet.text.trim().starts_with(is_weak);
    (has_words && (!is_letter || is_other) && (!is_weak || begins_line())).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::input::page::FontFace;
    use std::sync::Arc;

    /// Texts of size 10 at these places, `*` first in a typeface of its own: the texts after joining.
    fn check(drawn: &[(&str, f32, f32)], expected: Option<&[&str]>) {
        let span = |(text, x, y): &(&str, f32, f32)| {
            let (text, name) = text.strip_prefix('*').map_or((*text, "Serif"), |text| (text, "Courier"));
            let font = Arc::new(FontFace { name: name.to_owned(), ..FontFace::default() });
            let length = 5.0 * text.chars().count() as f32;
            TextSpan { font, ..TextSpan::drawn(text, [*x, *y], length, 10.0) }
        };
        let spans = drawn.iter().map(span).collect();
        let found = joined(&LayoutPage { spans, ..LayoutPage::default() });
        let texts =
            found.as_ref().map(|page| page.spans.iter().map(|span| span.text.as_str()).collect::<Vec<_>>());
        assert_eq!(texts.as_deref(), expected, "{drawn:?}");
    }

    #[test]
    fn bullets_are_joined_to_the_words_after_them() {
        check(&[("•", 10.0, 50.0), ("oil", 25.0, 50.5)], Some(&["• oil"]));
        check(&[("oil", 25.0, 50.0), ("•", 10.0, 50.0)], Some(&["• oil"]));
        check(&[("•", 10.0, 50.0), ("oil", 60.0, 50.0)], None);
        check(&[("•", 10.0, 50.0), ("oil", 25.0, 60.0)], None);
        check(&[("•", 10.0, 50.0), ("•", 20.0, 50.0)], None);
        check(
            &[("•", 10.0, 50.0), ("•", 110.0, 50.0), ("oil", 20.0, 50.0), ("tides", 120.0, 50.0)],
            Some(&["• oil", "• tides"]),
        );
    }

    #[test]
    fn a_dash_is_a_bullet_at_the_start_of_a_line() {
        check(&[("–", 10.0, 50.0), ("oil", 25.0, 50.0)], Some(&["– oil"]));
        check(&[("–", 10.0, 50.0), ("12", 25.0, 50.0)], None);
        check(&[("Lamps", -40.0, 50.0), ("–", 10.0, 50.0), ("oil", 25.0, 50.0)], None);
    }

    #[test]
    fn a_letter_is_a_bullet_in_another_typeface_and_apart() {
        check(&[("*o", 10.0, 50.0), ("oil", 25.0, 50.0)], Some(&["◦ oil"]));
        check(&[("o", 10.0, 50.0), ("oil", 25.0, 50.0)], None);
        check(&[("*o", 10.0, 50.0), ("il", 15.0, 50.0)], None);
    }
}
