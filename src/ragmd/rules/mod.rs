//! The cleaning of `rag_v1`: an ordered table of named rules over Markdown, each of which may be switched off,
//! followed by the user's own rules.
//!
//! Rules see the text outside fenced code and code spans, never code itself, and no character after a backslash
//! ([`code`]): readers put one before the text of a book that looks like an artefact. They do not change headings,
//! links inside the document or the lines of anchors. The table is applied until it changes nothing, so that clean
//! text stays as it is; the user's rules are applied once, since their effect is unknown.

mod code;
mod context;
mod fenced;
mod figures;
mod marks;
mod notes;
mod space;

use context::RuleContext;
use fenced::fenced_parts;
use regex::Regex;
use std::borrow::Cow;
use std::collections::HashSet;
use thiserror::Error;

pub use context::Footnotes;

/// The name of the table.
pub const VERSION: &str = "rag_v1";

/// Rounds after which cleaning stops: each one but the last removes something.
const MAX_ROUNDS: usize = 12;

/// Maximum number of bytes that a user's rules may expand a text to.
const MAX_TEXT_BYTES: usize = 256 << 20;

/// One rule: its name, what it removes, and the function.
struct Rule {
    name: &'static str,
    about: &'static str,
    apply: fn(&str, &RuleContext) -> String,
}

/// Every rule, in the order of application.
#[rustfmt::skip]
const TABLE: &[Rule] = &[
    Rule { name: "soft_hyphens", about: "soft hyphens", apply: marks::soft_hyphens },
    Rule { name: "controls", about: "control characters with the escape sequences of terminals, and characters without width", apply: marks::controls },
    Rule { name: "page_breaks", about: "page-break markers; kept as `--- PAGE 12 ---` with --page-markers", apply: marks::page_breaks },
    Rule { name: "raw_html", about: "HTML tags that say nothing: div, span, section, comments", apply: marks::raw_html },
    Rule { name: "div_fences", about: "lines `:::` around divisions", apply: marks::div_fences },
    Rule { name: "attributes", about: "header identifiers `{#...}` and attribute blocks", apply: marks::attributes },
    Rule { name: "empty_images", about: "image links without words: `![]()`", apply: marks::empty_images },
    Rule { name: "image_links", about: "images, which become their alternative texts", apply: marks::image_links },
    Rule { name: "footnotes", about: "footnote references, definitions and back links; kept with --footnotes inline or end", apply: notes::footnotes },
    Rule { name: "address_echoes", about: "the address of a link in brackets after it, once more", apply: marks::address_echoes },
    Rule { name: "dangling_links", about: "links to places that are not in the file, which become their words", apply: marks::dangling_links },
    Rule { name: "figure_references", about: "bare references to figures in parentheses or as a sentence of their own", apply: figures::references },
    Rule { name: "white_space", about: "runs of spaces, spaces of other widths, space at line ends, more than one blank line", apply: space::white_space },
];

/// The names of the rules and what each removes, in order.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.iter().map(|rule| (rule.name, rule.about))
}

/// A rule of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnRule {
    /// Its name.
    pub name: String,
    /// A regular expression in the syntax of the `regex` crate; `^` and `$` match at lines.
    pub pattern: String,
    /// The text that replaces a match; `$1` is its first group.
    pub replacement: String,
}

impl OwnRule {
    /// Reads `NAME: REGULAR EXPRESSION => REPLACEMENT`.
    ///
    /// # Errors
    /// The text has another form.
    pub fn parse(text: &str) -> Result<OwnRule, RuleError> {
        let found = text.split_once(": ").and_then(|(name, rest)| {
            let (pattern, replacement) = rest.rsplit_once(" =>")?;
            Some((name.trim(), pattern, replacement.strip_prefix(' ').unwrap_or(replacement)))
        });
        let form = || RuleError::Form { text: text.to_owned() };
        let (name, pattern, replacement) = found.filter(|found| !found.0.is_empty()).ok_or_else(form)?;
        let [name, pattern, replacement] = [name, pattern, replacement].map(str::to_owned);
        Ok(OwnRule { name, pattern, replacement })
    }
}

/// A rule that cannot be used.
#[derive(Debug, Error)]
pub enum RuleError {
    /// No rule has this name.
    #[error("there is no rule `{name}`; the rules are {}", all_names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// A user's rule does not have the required form.
    #[error("`{text}` is no rule: write `NAME: REGULAR EXPRESSION => REPLACEMENT`")]
    Form {
        /// The text as written.
        text: String,
    },
    /// The pattern of a user's rule is not a regular expression.
    #[error("the rule `{name}`: {source}")]
    Pattern {
        /// The rule.
        name: String,
        /// The error in it.
        #[source]
        source: Box<regex::Error>,
    },
}

fn all_names() -> String {
    TABLE.iter().map(|rule| rule.name).collect::<Vec<_>>().join(", ")
}

/// How a text is cleaned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CleanOptions {
    /// Rules that are switched off.
    pub off: Vec<String>,
    /// The user's rules, applied after those of the table.
    pub own: Vec<OwnRule>,
    /// What happens to footnotes.
    pub footnotes: Footnotes,
    /// Keep page breaks, as lines or words `--- PAGE 12 ---`.
    pub page_markers: bool,
}

/// The rules for one set of options, ready to be used.
#[derive(Debug)]
pub struct Cleaner {
    off: HashSet<String>,
    own: Vec<(Regex, String)>,
    footnotes: Footnotes,
    page_markers: bool,
}

impl Cleaner {
    /// Compiles the rules.
    ///
    /// # Errors
    /// A name that is not the name of a rule, or a user's rule that is not a regular expression.
    pub fn new(options: &CleanOptions) -> Result<Cleaner, RuleError> {
        if let Some(name) = options.off.iter().find(|name| TABLE.iter().all(|rule| rule.name != **name)) {
            return Err(RuleError::Unknown { name: name.clone() });
        }
        let compiled = |rule: &OwnRule| {
            let regex = regex::RegexBuilder::new(&rule.pattern).multi_line(true).build();
            let failed = |source| RuleError::Pattern { name: rule.name.clone(), source: Box::new(source) };
            Ok((regex.map_err(failed)?, rule.replacement.clone()))
        };
        Ok(Cleaner {
            off: options.off.iter().cloned().collect(),
            own: options.own.iter().map(compiled).collect::<Result<_, RuleError>>()?,
            footnotes: options.footnotes,
            page_markers: options.page_markers,
        })
    }

    /// Cleans a Markdown text. Without the user's own rules, clean text stays as it is.
    ///
    /// Cost: a few passes over the text.
    pub fn clean(&self, text: &str) -> String {
        // All lines end in LF; a CR that remained could be taken for half of a line end in the next pass.
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut text = self.settled(lines.replace(code::is_sign, ""));
        if self.own.is_empty() {
            return text;
        }
        for (regex, replacement) in &self.own {
            if text.len() < MAX_TEXT_BYTES {
                text =
                    outside_fences(&text, |part| regex.replace_all(part, replacement.as_str()).into_owned());
            }
        }
        self.settled(text)
    }

    /// Applies the table until nothing changes.
    fn settled(&self, mut text: String) -> String {
        for _ in 0..MAX_ROUNDS {
            let (masked, spans) = code::mask_code(&text);
            let context = RuleContext {
                footnotes: self.footnotes,
                page_markers: self.page_markers,
                anchors: marks::anchors(&masked),
            };
            let mut next = Cow::Borrowed(masked.as_str());
            for rule in TABLE.iter().filter(|rule| !self.off.contains(rule.name)) {
                next = match rule.name {
                    // Notes are far from their references, with code in between.
                    "footnotes" => Cow::Owned((rule.apply)(&next, &context)),
                    _ => Cow::Owned(outside_fences(&next, |part| (rule.apply)(part, &context))),
                };
            }
            let next = trimmed(&code::unmask_code(&next, &spans));
            if next == text {
                break;
            }
            text = next;
        }
        text
    }
}

/// Without blank lines at the start, and with one line end at the end.
fn trimmed(text: &str) -> String {
    let start = text.len() - text.trim_start_matches('\n').len();
    let words = text[start..].trim_end();
    if words.is_empty() { String::new() } else { format!("{words}\n") }
}

/// Applies a change to the text outside fenced code.
fn outside_fences(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    let mut changed = String::with_capacity(text.len());
    for (part, is_code) in fenced_parts(text) {
        match is_code {
            true => changed.push_str(part),
            false => changed.push_str(&change(part)),
        }
    }
    changed
}

#[cfg(test)]
mod tests;
