//! Blocks of code and other preformatted text, in fences that name the language; in cells as spans, one a line.

use super::emphasis::code_ticks;
use super::page::ParsedPage;
use crate::markdown::{BlockBreak, InlineMark, SourceText, StreamWriter};
use crate::web::html::parse::attributes::has_word;
use crate::web::html::parse::tag::HtmlTag;
use pensieve_text::model::Span;

/// Prefixes of class names that highlighters put before a language.
const LANGUAGE_PREFIXES: &[&str] = &["language-", "lang-", "highlight-source-", "brush:", "sourceCode-"];

/// Languages that are named without a prefix. Sorted.
const BARE_LANGUAGES: &[&str] = &[
    "bash", "c", "cpp", "csharp", "css", "go", "html", "java", "json", "kotlin", "php", "python", "ruby",
    "rust", "scala", "shell", "sql", "swift", "toml", "xml", "yaml",
];

/// How many settings of a macro are searched for its language.
// The language is among the first.
const MAX_MACRO_SETTINGS: usize = 16;

/// Writes preformatted text, with a fence that its own backticks cannot close.
pub(super) fn write_preformatted(page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize) {
    let text = shown_words(page, node);
    // A fence around nothing would be read as code.
    if text.trim().is_empty() {
        return;
    }
    let language = language_of(page, node).unwrap_or_default();
    let fence = writer.open_fence(&language, &text);
    let mut at = node + 1;
    // The ends of the blocks around, and whether one has ended since the last text.
    let (mut ends, mut has_ended) = (Vec::new(), false);
    while at < page.end(node) {
        while ends.last().is_some_and(|&end| end <= at) {
            ends.pop();
            has_ended = true;
        }
        let tag = page.tag(at);
        if page.is_dropped(at) || tag.is_some_and(HtmlTag::is_never_text) {
            at = page.end(at);
            continue;
        }
        match (tag, page.text(at)) {
            (_, Some(text)) => {
                // The line end may be in the text after the element, too.
                let is_next = has_ended && !text.resolve(page.source()).starts_with('\n');
                if is_next && writer.is_in_code_line() {
                    writer.end_code_line();
                }
                has_ended = false;
                writer.code(text);
            }
            // White space counts in code, and so does this.
            (Some(HtmlTag::Br), _) => writer.end_code_line(),
            // Highlighters wrap each line in an element.
            (Some(tag), _) if tag.is_block() || is_line(page, at) => {
                if writer.is_in_code_line() {
                    writer.end_code_line();
                }
                ends.push(page.end(at));
            }
            _ => {}
        }
        at += 1;
    }
    writer.end_code();
    writer.put_fence(&fence);
}

/// True for an element that a style makes a line.
pub(crate) fn is_line(page: ParsedPage<'_>, node: usize) -> bool {
    let value = |name: &str| page.attribute(node, name).unwrap_or_default();
    let is_block = |style: &str| style.split(';').any(|one| one.replace(' ', "") == "display:block");
    page.tag(node) == Some(HtmlTag::Span)
        && (is_block(value("style")) || has_word(value("class"), &["line", "code-line", "view-line"]))
}

/// The words below a node, without those that are left out.
fn shown_words(page: ParsedPage<'_>, node: usize) -> String {
    let (mut words, mut at) = (String::new(), node + 1);
    while at < page.end(node) {
        if page.is_dropped(at) || page.tag(at).is_some_and(HtmlTag::is_never_text) {
            at = page.end(at);
            continue;
        }
        words.push_str(page.words(at).unwrap_or_default());
        at += 1;
    }
    words
}

/// Writes code in a cell, which is one line: a span for each line of it.
pub(super) fn write_code_in_cell(page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize) {
    let mark = InlineMark::Code(code_ticks(page, node));
    writer.end_block(BlockBreak::Line);
    writer.open_mark(Some(mark.clone()));
    for text in page.tree().below(node).filter_map(|below| page.text(below)) {
        // Such a text has no places of its own lines.
        if text.decoded.is_some() {
            writer.words(text);
            continue;
        }
        let mut start = text.span.start;
        for (at, line) in text.resolve(page.source()).split('\n').enumerate() {
            if at > 0 {
                writer.close_mark();
                writer.put_space();
                writer.open_mark(Some(mark.clone()));
            }
            let span = Span::new(start, start + line.len());
            writer.words(&SourceText { span, decoded: None });
            start = span.end + 1;
        }
    }
    writer.close_mark();
    writer.end_block(BlockBreak::Line);
}

/// The language of a block of code, from the names that highlighters use.
fn language_of(page: ParsedPage<'_>, node: usize) -> Option<String> {
    let inner = page.tree().below(node).take(3).find(|&below| page.tag(below) == Some(HtmlTag::Code));
    let around = page.tree().ancestors(node).take(2);
    if let Some(language) = language_of_macro(page, node) {
        return Some(language);
    }
    // Highlighters name it on `pre`, on the `code` inside, or on a `div` around.
    let mut candidates = [Some(node), inner].into_iter().flatten().chain(around);
    candidates.find_map(|candidate| {
        let attributes = ["data-lang", "data-language", "code-language"];
        let named =
            attributes.iter().find_map(|name| page.attribute(candidate, name).and_then(language_name));
        named.or_else(|| language_of_class(page.attribute(candidate, "class").unwrap_or_default()))
    })
}

/// The language that a macro of Confluence names beside its code.
fn language_of_macro(page: ParsedPage<'_>, node: usize) -> Option<String> {
    let is_language = |&setting: &usize| {
        page.tag(setting) == Some(HtmlTag::MacroSetting)
            && page.attribute(setting, "ac:name") == Some("language")
    };
    let setting =
        page.tree().children(page.tree().parent(node)).take(MAX_MACRO_SETTINGS).find(is_language)?;
    language_name(page.words_below(setting).trim())
}

fn language_of_class(classes: &str) -> Option<String> {
    let mut words = classes.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let found = LANGUAGE_PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix));
        let found = match found {
            // `brush: java`
            Some("") => words.peek().copied(),
            None => BARE_LANGUAGES.binary_search(&word).is_ok().then_some(word),
            found => found,
        };
        if let Some(language) = found.and_then(language_name) {
            return Some(language);
        }
    }
    None
}

fn language_name(name: &str) -> Option<String> {
    let name = name.trim_matches([';', ':', ',']);
    // A longer one is a sentence or the state of a program.
    let is_name = name.len() <= 24 && name.chars().all(|c| c.is_ascii_alphanumeric() || "+#-_.".contains(c));
    // Prism's name for no language.
    (is_name && !name.is_empty() && name != "none").then(|| name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    #[test]
    fn languages_are_named_in_many_ways() {
        for (page, expected) in [
            ("<pre class=rust>a</pre>", "```rust\na\n```"),
            ("<pre><code class=lang-C++>a</code></pre>", "```c++\na\n```"),
            ("<pre><span><code class=language-go>a</code></span></pre>", "```go\na\n```"),
            ("<pre><i></i><i></i><i></i><code class=language-go>a</code></pre>", "```\na\n```"),
            ("<div class=highlight-source-sh><div><pre>a</pre></div></div>", "```sh\na\n```"),
            ("<div class=highlight-source-sh><div><div><pre>a</pre></div></div></div>", "```\na\n```"),
            ("<pre class='brush: js;'>a</pre>", "```js\na\n```"),
            ("<pre class='brush:js'>a</pre>", "```js\na\n```"),
            ("<pre class='language-none'>a</pre>", "```\na\n```"),
            ("<pre class='language-none rust'>a</pre>", "```rust\na\n```"),
            ("<pre class='language-a,b'>a</pre>", "```\na\n```"),
            ("<pre class='language-aaaaaaaaaaaaaaaaaaaaaaaa'>a</pre>", "```aaaaaaaaaaaaaaaaaaaaaaaa\na\n```"),
            ("<pre class='language-aaaaaaaaaaaaaaaaaaaaaaaaa'>a</pre>", "```\na\n```"),
            ("<pre data-lang='x y' data-language=z>a</pre>", "```z\na\n```"),
            ("<pre code-language=z class=rust>a</pre>", "```z\na\n```"),
            ("<pre class='rusty'>a</pre>", "```\na\n```"),
            ("<pre><div>a</div></pre>", "```\na\n```"),
        ] {
            crate::web::html::tests::check(page, expected);
        }
    }

    #[test]
    fn lines_of_code_are_elements_or_text() {
        for (page, expected) in [
            ("<pre>`</pre>", "```\n`\n```"),
            ("<pre>a<b>b</b><br>c<script>d</script></pre>", "```\nab\nc\n```"),
            ("<pre>a<div><div>b</div></div><div>c</div></pre>", "```\na\nb\nc\n```"),
            ("<pre>a<div>b</div><div>c</div>d</pre>", "```\na\nb\nc\nd\n```"),
            ("<pre><div>a</div>\n<div>b</div>c<b>d</b></pre>", "```\na\nb\ncd\n```"),
            ("<pre><div>a<div>b</div>c</div>d</pre>", "```\na\nb\nc\nd\n```"),
            ("<pre>a<span hidden>b</span>c</pre>", "```\nac\n```"),
            ("<p>a<pre><span hidden>b</span><script>c</script> </pre>", "a"),
            ("<pre>a<span hidden>```</span></pre>", "```\na\n```"),
            ("<listing>a</listing><xmp>b</xmp>", "```\na\n```\n\n```\nb\n```"),
            ("<ul><li><pre>a</pre></ul>", "- ```\n  a\n  ```"),
        ] {
            crate::web::html::tests::check(page, expected);
        }
    }

    #[test]
    fn lines_of_code_in_a_cell_are_spans() {
        for (code, expected) in [
            ("a b", "`a b`"),
            ("a\nb\n", "`a` `b`"),
            ("\na &lt;\n  b", "`a <` `b`"),
            ("é\nà\nb", "`é` `à` `b`"),
        ] {
            let page = format!("<table><tr><th>A<th>B<tr><td>x<td>y<pre>{code}</pre>z</table>");
            let table = format!("| A | B |\n| - | - |\n| x | y {expected} z |");
            crate::web::html::tests::check(&page, &table);
        }
    }
}
