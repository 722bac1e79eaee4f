//! MDX: Markdown with the code of a page. Imports and exports are code, and tags of components have no words but their
//! labels; everything else stays as it is. Format: mdxjs.com/docs/what-is-mdx.

use crate::settings::ReadSettings;
use crate::shared::text_file::TextFile;
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, LineAnchor, MapBuilder, Problem, Segment};
use pensieve_text::text::decode::EncodingHints;

/// Lines of code after which an open bracket is no longer believed.
const MAX_CODE_LINES: usize = 400;

/// Attributes of components that readers see.
const SHOWN_ATTRIBUTES: &[&str] = &["label=\"", "title=\"", "label='", "title='"];

/// Reads a page.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    _: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let file = TextFile::read(source, &EncodingHints::default())?;
    let text = without_code(&file.decoded);
    Ok(file.document(text, None))
}

/// The text that is written line by line.
struct Page {
    text: String,
    map: MapBuilder,
    lines: Vec<LineAnchor>,
}

impl Page {
    fn copy(&mut self, text: &str, line: u64) {
        let is_next = self
            .lines
            .last()
            .is_some_and(|last| last.line + self.text[last.out..].matches('\n').count() as u64 == line);
        if !is_next {
            self.lines.push(LineAnchor { out: self.text.len(), line });
        }
        self.text.push_str(text);
        self.map.copy(text.len());
    }
}

fn without_code(decoded: &Segment) -> Segment {
    let mut page = Page { text: String::new(), map: MapBuilder::new(0), lines: Vec::new() };
    let lines: Vec<&str> = decoded.text.split_inclusive('\n').collect();
    let (mut at, mut fence, mut is_block_start) = (0, None, true);
    while at < lines.len() {
        let line = lines[at];
        let bare = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        let count = match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                0
            }
            (Some(_), _) => 0,
            (None, Some(mark)) => {
                fence = Some(mark);
                0
            }
            (None, None) if is_block_start && is_module_line(line) => code_lines(&lines[at..]),
            (None, None) => tag_lines(&lines[at..]),
        };
        if count == 0 {
            page.copy(line, at as u64 + 1);
            is_block_start = bare.is_empty() || bare == "---";
            at += 1;
            continue;
        }
        for line in &lines[at..at + count] {
            labels(line, at as u64 + 1, &mut page);
            at += 1;
        }
        is_block_start = true;
    }
    let map = page.map.finish().through(&decoded.map);
    Segment { text: page.text, map, lines: page.lines, ..Segment::default() }
}

/// True for a line of a module, which begins at the margin.
fn is_module_line(line: &str) -> bool {
    let has_quote = |rest: &str| rest.contains(['"', '\'']);
    if let Some(rest) = line.strip_prefix("import ") {
        return rest.starts_with(['"', '\'', '{', '*']) || rest.contains(" from ") && has_quote(rest);
    }
    const WORDS: &[&str] =
        &["const ", "let ", "var ", "function ", "default ", "async ", "class ", "{", "* "];
    line.strip_prefix("export ").is_some_and(|rest| WORDS.iter().any(|word| rest.starts_with(word)))
}

/// The lines of a block of code: to a blank line outside of brackets.
fn code_lines(lines: &[&str]) -> usize {
    let mut depth = 0_i32;
    for (at, line) in lines.iter().take(MAX_CODE_LINES).enumerate() {
        if line.trim().is_empty() && depth <= 0 {
            return at;
        }
        let count = |signs: [char; 3]| line.matches(signs).count() as i32;
        depth += count(['{', '(', '[']) - count(['}', ')', ']']);
    }
    match lines.len() {
        whole if whole < MAX_CODE_LINES && depth <= 0 => whole,
        // A bracket that is never closed hides no text: the block ends at its first blank line.
        whole => lines.iter().position(|line| line.trim().is_empty()).unwrap_or(whole),
    }
}

/// The lines of a tag or comment that has lines of its own; 0 if the first line is something else.
fn tag_lines(lines: &[&str]) -> usize {
    let first = lines[0].trim();
    let is_comment = first.starts_with("{/*");
    let name = first.strip_prefix("</").or_else(|| first.strip_prefix('<')).unwrap_or_default();
    if !is_comment && !name.starts_with(|sign: char| sign.is_ascii_uppercase() || sign == '>') {
        return 0;
    }
    let end = if is_comment { "*/}" } else { ">" };
    for (at, line) in lines.iter().take(MAX_CODE_LINES).enumerate() {
        let line = line.trim_end();
        // An arrow of a function ends no tag.
        if let Some(close) = line.find(end).filter(|close| is_comment || !line[..*close].ends_with('=')) {
            return if close + end.len() == line.len() { at + 1 } else { 0 };
        }
        if line.is_empty() {
            return 0;
        }
    }
    0
}

/// Leaves out a line but for what its labels say.
fn labels(line: &str, number: u64, page: &mut Page) {
    let bare = line.trim_start();
    let is_tag = !bare.starts_with("import ") && !bare.starts_with("export ");
    let mut done = 0;
    for attribute in SHOWN_ATTRIBUTES.iter().filter(|_| is_tag) {
        let Some(at) = line[done..].find(attribute).map(|at| done + at + attribute.len()) else { continue };
        let Some(length) = line[at..].find(&attribute[attribute.len() - 1..]) else { continue };
        page.map.skip(at - done);
        page.copy(&line[at..at + length], number);
        page.text.push('\n');
        page.map.insert_blank(1);
        done = at + length;
    }
    page.map.skip(line.len() - done);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::DiscardingSink;

    fn check(source: &str, expected: &str) {
        let mut file = std::io::Cursor::new(source.as_bytes());
        let mut document = DocumentSource::new(&mut file, "a.mdx").unwrap();
        let document = read(&mut document, &ReadSettings::default(), &mut DiscardingSink).unwrap();
        assert_eq!(document.text.text, expected, "of {source}");
        for run in document.text.map.runs().iter().filter(|run| run.exact) {
            assert_eq!(document.text.text[run.out..run.out_end()], source[run.src..run.src_end()]);
        }
    }

    #[test]
    fn code_of_a_page_is_no_text() {
        check(
            "---\nid: x\n---\nimport A from \"a\";\nexport const meta = {\n\n a: 1};\n\n# B\n\nimport duties rise.\n",
            "---\nid: x\n---\n\n# B\n\nimport duties rise.\n",
        );
        check("a\n\n```js\nimport A from 'a'\n<B>\n```\n", "a\n\n```js\nimport A from 'a'\n<B>\n```\n");
        check("export const a = {\n\n# B\n", "\n# B\n");
    }

    #[test]
    fn tags_of_components_leave_their_labels() {
        check(
            "<Tabs>\n<Item value=\"x\"\n  label=\"Debian\">\n\nrun\n\n</Item>\n</Tabs>\n{/* no */}\n<>\n",
            "Debian\n\nrun\n\n",
        );
        check("<Note>words</Note>\n<b>x</b>\na <B>\n", "<Note>words</Note>\n<b>x</b>\na <B>\n");
    }
}
