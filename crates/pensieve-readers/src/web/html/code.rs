//! Blocks of code and other preformatted text, in fences that name the language.

use super::render::Renderer;
use super::tag::Tag;

/// Beginnings of class names that highlighters put in front of a language.
const LANGUAGE_PREFIXES: &[&str] = &["language-", "lang-", "highlight-source-", "brush:", "sourceCode-"];

/// Languages that are named without a prefix. Sorted.
const BARE_LANGUAGES: &[&str] = &[
    "bash", "c", "cpp", "csharp", "css", "go", "html", "java", "json", "kotlin", "php", "python", "ruby",
    "rust", "scala", "shell", "sql", "swift", "toml", "xml", "yaml",
];

impl Renderer<'_> {
    /// Renders preformatted text, with a fence that its own backticks cannot close.
    pub(super) fn preformatted(&mut self, node: usize) {
        let text = self.tree.text_below(node, self.source);
        if text.trim().is_empty() {
            return;
        }
        let language = self.language(node).unwrap_or_default();
        let fence = self.writer.open_fence(&language, &text);
        self.code_lines(node);
        self.writer.end_code();
        self.writer.put_fence(&fence);
    }

    fn code_lines(&mut self, node: usize) {
        let mut at = node + 1;
        while at < self.tree.end(node) {
            let tag = self.tree.tag(at);
            if self.selection.is_dropped(at) || tag.is_some_and(Tag::is_machinery) {
                at = self.tree.end(at);
                continue;
            }
            match (tag, self.tree.piece(at)) {
                (_, Some(piece)) => self.writer.code(piece),
                (Some(Tag::Br), _) => self.writer.end_code_line(),
                // Highlighters make an element of each line.
                (Some(tag), _) if tag.is_block() && self.writer.is_in_code_line() => {
                    self.writer.end_code_line()
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The language of a block of code, from the names that highlighters use.
    fn language(&self, node: usize) -> Option<String> {
        let inner = self.tree.below(node).take(3).find(|&below| self.tree.tag(below) == Some(Tag::Code));
        let around = self.tree.ancestors(node).take(2);
        let candidates = [Some(node), inner].into_iter().flatten().chain(around);
        for candidate in candidates {
            for name in ["data-lang", "data-language", "code-language"] {
                if let Some(language) = self.tree.attribute(candidate, name).and_then(language_name) {
                    return Some(language);
                }
            }
            let classes = self.tree.attribute(candidate, "class").unwrap_or_default();
            let mut words = classes.split_ascii_whitespace().peekable();
            while let Some(word) = words.next() {
                let found = LANGUAGE_PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix));
                let found = match found {
                    Some("") => words.peek().copied(),
                    None => BARE_LANGUAGES.binary_search(&word).is_ok().then_some(word),
                    found => found,
                };
                if let Some(language) = found.and_then(language_name) {
                    return Some(language);
                }
            }
        }
        None
    }
}

fn language_name(name: &str) -> Option<String> {
    let name = name.trim_matches([';', ':', ',']);
    let is_name = name.len() <= 24 && name.chars().all(|c| c.is_ascii_alphanumeric() || "+#-_.".contains(c));
    (is_name && !name.is_empty() && name != "none").then(|| name.to_ascii_lowercase())
}
