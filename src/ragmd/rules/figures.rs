//! References to figures that a text cannot show.
//!
//! Only bare ones go: `(see Figure 1.1)`, or `See Fig. 3.` as a sentence. What says more, or stands inside a sentence,
//! is left alone: without it the sentence would not be one.

use super::Scene;
use regex::Regex;
use std::sync::LazyLock;

/// White space inside a paragraph.
const GAP: &str = r"(?:[ \t\u{a0}]+|[ \t]*\n[ \t]*)";

/// What is referred to: `Figure 1.1`, `Figs. 2a and 3`, `Abb. 7`.
fn figure() -> String {
    let number = r"(?:[A-Z]{1,2}[.-]?)?\d+(?:[.‐‑–-]\d+)*[a-z]?(?:\([a-z]\))?";
    let more = format!(
        r"(?:{GAP}?(?:,|;|&|–|-|and|or|to|und|bis|et|y){GAP}?(?:and{GAP})?(?:(?:Figures?|Figs?\.?){GAP})?{number})*"
    );
    format!(
        r"(?:\*\*?|_)?(?i:figures?|figs?\.?|illustrations?|abbildung(?:en)?|abb\.|figuras?){GAP}?{number}{more}(?:\*\*?|_)?"
    )
}

/// What may lead to it.
fn lead() -> String {
    format!(
        r"(?i:see|see{GAP}also|cf\.?|compare|refer{GAP}to|as{GAP}(?:shown|seen|illustrated|depicted){GAP}in|(?:shown|illustrated){GAP}in|siehe(?:{GAP}auch)?|vgl\.|voir|véase)"
    )
}

/// Where on the page it is said to be.
const WHERE: &str = r"(?:,?[ \t]+(?:above|below|opposite|overleaf))?";

static IN_PARENTHESES: LazyLock<Regex> = LazyLock::new(|| {
    let (lead, figure) = (lead(), figure());
    let inner = format!(r"(?:{lead}{GAP})?(?:the{GAP})?{figure}{WHERE}\.?");
    Regex::new(&format!(r"(?:[ \t\u{{a0}}]+|([^>\s])[ \t]*\n[ \t]*)?(?:\({inner}\)|\[{inner}\]([^(\[]|$))"))
        .expect("the pattern is tested")
});

static AS_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    let (lead, figure) = (lead(), figure());
    let ends = r#"[.!?…][”"’')\]]*"#;
    Regex::new(&format!(r"(?m)(^|{ends}{GAP})(?:{lead}){GAP}(?:the{GAP})?{figure}{WHERE}[.!]({GAP}|$)"))
        .expect("the pattern is tested")
});

/// Takes bare references to figures away.
pub(super) fn references(text: &str, _: &Scene) -> String {
    let text = IN_PARENTHESES.replace_all(text, "${1}${2}");
    let replaced = AS_SENTENCE.replace_all(&text, |found: &regex::Captures<'_>| {
        let (before, after) = (&found[1], &found[2]);
        // A sentence begins with a capital; `... cf. see fig. 3. ...` is part of one.
        let sentence = found[0][before.len()..].chars().next().is_some_and(char::is_uppercase);
        match sentence {
            false => found[0].to_owned(),
            true if after.contains('\n') || after.is_empty() => format!("{}{after}", before.trim_end()),
            true => before.to_owned(),
        }
    });
    replaced.into_owned()
}
