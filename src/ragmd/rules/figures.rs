//! References to figures, which the text does not contain.
//!
//! Only bare references are removed: `(see Figure 1.1)`, or `See Fig. 3.` as a sentence. A reference with more words,
//! or one that is part of a sentence, is left alone: the sentence would be incomplete without it.

use super::context::RuleContext;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// White space inside a paragraph.
const GAP: &str = r"(?:[ \t\u{a0}]+|[ \t]*\n[ \t]*)";

/// Emphasis marks, which may surround a reference or a part of it.
const EMPHASIS: &str = r"(?:\*{1,3}|_{1,3})?";

/// The name of a figure: `Figure 1.1`, `Figs. 2a and 3`, `Abb. 7`.
fn figure() -> String {
    let number = r"(?:[A-Z]{1,2}[.-]?)?\d+(?:[.‐‑–-]\d+)*[a-zA-Z]?(?:\([a-z]\))?";
    let more = format!(
        r"(?:{GAP}?(?:,|;|&|–|-|and|or|to|und|bis|et|y){GAP}?(?:and{GAP})?(?:(?:Figures?|Figs?\.?){GAP})?{number})*"
    );
    format!(
        r"{EMPHASIS}(?i:figures?|figs?\.?|illustrations?|abbildung(?:en)?|abb\.|figuras?){EMPHASIS}{GAP}?{EMPHASIS}{number}{more}{EMPHASIS}"
    )
}

/// Words that introduce a reference.
fn intro() -> String {
    format!(
        r"(?i:see|see{GAP}also|cf\.?|compare|refer{GAP}to|as{GAP}(?:shown|seen|illustrated|depicted){GAP}in|(?:shown|illustrated){GAP}in|siehe(?:{GAP}auch)?|vgl\.|voir|véase)"
    )
}

/// The position on the page.
const POSITION: &str = r"(?:,?[ \t]+(?:above|below|opposite|overleaf))?";

static IN_PARENTHESES: LazyLock<Regex> = LazyLock::new(|| {
    let (intro, figure) = (intro(), figure());
    let inner = format!(r"(?:{intro}{GAP})?(?:the{GAP})?{figure}{POSITION}\.?");
    let whole = format!(r"(?:\({inner}\)|\[{inner}\]([^(\[]|$))");
    // A reference at the start of a line is removed with the space after it.
    Regex::new(&format!(r"(?m:^)\({inner}\)[ \t]+|(?:[ \t\u{{a0}}]+|([^>\s])[ \t]*\n[ \t]*)?{whole}"))
        .expect("the pattern is tested")
});

static AS_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    let (intro, figure) = (intro(), figure());
    let ends = r#"[.!?…][”"’')\]]*"#;
    let line = r"^[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*";
    let sentence = format!(r"{EMPHASIS}(?:{intro}){GAP}(?:the{GAP})?{figure}{POSITION}[.!]{EMPHASIS}");
    Regex::new(&format!(r"(?m)(?:({line})|({ends}{GAP}))({sentence})({GAP}|$)"))
        .expect("the pattern is tested")
});

/// Removes bare references to figures.
pub(super) fn references(text: &str, _: &RuleContext) -> String {
    let text = IN_PARENTHESES.replace_all(text, |found: &Captures<'_>| {
        let group = |number: usize| found.get(number).map_or("", |group| group.as_str());
        if is_whole(&found[0]) { format!("{}{}", group(1), group(2)) } else { found[0].to_owned() }
    });
    let replaced = AS_SENTENCE.replace_all(&text, |found: &Captures<'_>| {
        let (sentence, after) = (&found[3], &found[4]);
        // A sentence begins with a capital; `... cf. see fig. 3. ...` is part of one.
        let is_sentence =
            sentence.trim_start_matches(['*', '_']).starts_with(char::is_uppercase) && is_whole(sentence);
        if !is_sentence {
            return found[0].to_owned();
        }
        let ends_line = after.contains('\n') || after.is_empty();
        match (found.get(1), found.get(2)) {
            // An item or a quote with nothing else is removed.
            (Some(marks), _) if ends_line && !marks.is_empty() => {
                after.split_once('\n').map_or(String::new(), |(_, next)| next.to_owned())
            }
            (_, before) if ends_line => {
                format!("{}{after}", before.map_or("", |before| before.as_str().trim_end()))
            }
            (before, other) => before.or(other).map_or("", |before| before.as_str()).to_owned(),
        }
    });
    replaced.into_owned()
}

/// True when every emphasis that begins in a text also ends there.
fn is_whole(text: &str) -> bool {
    ['*', '_'].into_iter().all(|sign| text.matches(sign).count() % 2 == 0)
}
