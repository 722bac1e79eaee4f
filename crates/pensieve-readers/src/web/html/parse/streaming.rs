//! Pages with too many tags for a tree in memory: all of their text is read, token by token.
//!
//! Keeps blocks, headings, rows and cells, items, code and line breaks. Ignores nesting: nothing is selected or
//! hidden, merged cells are written once, and emphasis and links become plain words.

use super::tag::HtmlTag;
use super::tokenizer::{HtmlToken, HtmlTokenizer, RawText};
use crate::limits::web::MAX_TREE_TAGS;
use crate::markdown::{BlockBreak, SEGMENT_BYTES, SourceText, StreamWriter, WrittenText};
use pensieve_text::model::Problem;

/// True for a page whose tree would be too large.
pub(crate) fn is_dense(source: &str) -> bool {
    // No tag is shorter than `<a>`.
    source.len() > MAX_TREE_TAGS * 3
        && memchr::memchr_iter(b'<', source.as_bytes()).nth(MAX_TREE_TAGS).is_some()
}

/// Reads the text of a page. All segments of it but the last go to `receive`.
///
/// # Errors
/// Those of `receive`.
pub(crate) fn read(
    source: &str,
    markdown: bool,
    receive: &mut dyn FnMut(WrittenText) -> Result<(), Problem>,
) -> Result<WrittenText, Problem> {
    let mut tokenizer = HtmlTokenizer::new(source);
    let mut page = StreamedPage {
        writer: StreamWriter::new(source, markdown),
        in_heading: false,
        in_code: false,
        cells: None,
        is_first_row: false,
    };
    // The open element whose content is not text.
    let mut skipped: Option<String> = None;
    while let Some(token) = tokenizer.next(false) {
        match token {
            HtmlToken::End(name) if skipped.as_ref() == Some(&name) => skipped = None,
            _ if skipped.is_some() => {}
            HtmlToken::Start(tag) => {
                if let Some(raw) = raw_kind(&tag.name) {
                    if tag.self_closing && !tokenizer.is_closed_later(&tag.name) {
                        continue;
                    }
                    tokenizer.enter_raw(raw, &tag.name);
                    // Words to a reader, unlike scripts, styles and the title.
                    skipped = Some(tag.name).filter(|name| raw != RawText::Plain && name != "textarea");
                    continue;
                }
                let tag = HtmlTag::from_name(&tag.name);
                // Blocks do not go on in the next segment.
                if tag.is_block() && page.writer.len() > SEGMENT_BYTES && page.is_between() {
                    let next = StreamWriter::new(source, markdown);
                    receive(std::mem::replace(&mut page.writer, next).finish_segment())?;
                }
                page.start(tag);
            }
            HtmlToken::End(name) => page.end(HtmlTag::from_name(&name)),
            HtmlToken::Text(text_token) => page.text(&text_token),
            HtmlToken::Null | HtmlToken::Doctype => {}
        }
    }
    Ok(page.finish())
}

/// How to read the content of an element that cannot contain tags.
fn raw_kind(name: &str) -> Option<RawText> {
    match name {
        "script" => Some(RawText::Script),
        "style" | "iframe" | "noembed" | "noframes" | "xmp" => Some(RawText::Literal),
        "title" | "textarea" => Some(RawText::Referenced),
        "plaintext" => Some(RawText::Plain),
        _ => None,
    }
}

struct StreamedPage<'a> {
    writer: StreamWriter<'a>,
    in_heading: bool,
    in_code: bool,
    /// Cells of the row that is open.
    cells: Option<usize>,
    /// The next row is the first of its table.
    is_first_row: bool,
}

impl StreamedPage<'_> {
    /// True where the text may be cut: outside of rows, code and headings.
    fn is_between(&self) -> bool {
        self.cells.is_none() && !self.in_code && !self.in_heading && self.writer.is_between()
    }

    fn start(&mut self, tag: HtmlTag) {
        match tag {
            HtmlTag::Br if self.in_code => self.writer.end_code_line(),
            HtmlTag::Br => self.writer.line_break(),
            _ if self.in_code => {}
            HtmlTag::Td | HtmlTag::Th => self.cell(),
            HtmlTag::Table | HtmlTag::Tr => {
                self.end_row();
                self.end_heading();
                self.writer.end_block(if tag == HtmlTag::Tr {
                    BlockBreak::Line
                } else {
                    BlockBreak::Paragraph
                });
                // Markdown needs a line that divides after the first row, whatever it is.
                self.is_first_row |= tag == HtmlTag::Table;
            }
            // Headings, rules and items are words in a cell.
            _ if self.cells.is_some() => self.block(tag),
            HtmlTag::Hr => self.writer.rule(),
            HtmlTag::Li | HtmlTag::Dt | HtmlTag::Dd => {
                self.end_heading();
                self.writer.end_tight_block();
                if self.writer.with_markup() {
                    self.writer.put_words("-");
                    self.writer.put_space();
                }
            }
            HtmlTag::Pre | HtmlTag::Listing => {
                self.block(tag);
                self.writer.put_streamed_fence();
                self.in_code = true;
            }
            _ => {
                self.block(tag);
                if let Some(level) = tag.heading_level() {
                    self.writer.start_heading(level);
                    self.in_heading = true;
                }
            }
        }
    }

    fn end(&mut self, tag: HtmlTag) {
        match tag {
            HtmlTag::Pre | HtmlTag::Listing => self.end_code(),
            _ if self.in_code => {}
            HtmlTag::Tr | HtmlTag::Table => {
                self.end_row();
                self.writer.end_block(if tag == HtmlTag::Tr {
                    BlockBreak::Line
                } else {
                    BlockBreak::Paragraph
                });
            }
            _ => self.block(tag),
        }
    }

    /// A block begins or ends.
    fn block(&mut self, tag: HtmlTag) {
        if tag.is_block() {
            self.end_heading();
            self.writer.end_block(BlockBreak::Paragraph);
        }
    }

    fn text(&mut self, text_token: &SourceText) {
        match self.in_code {
            true => self.writer.code(text_token),
            false => self.writer.words(text_token),
        }
    }

    fn cell(&mut self) {
        if self.cells.is_none() {
            self.end_heading();
            self.writer.open_row();
        }
        self.writer.open_cell();
        self.cells = Some(self.cells.unwrap_or(0) + 1);
    }

    fn end_row(&mut self) {
        let Some(cells) = self.cells.take() else { return };
        self.writer.close_row();
        if std::mem::take(&mut self.is_first_row) {
            self.writer.put_delimiter_row(cells);
        }
    }

    fn end_heading(&mut self) {
        if std::mem::take(&mut self.in_heading) {
            self.writer.end_heading();
        }
    }

    fn end_code(&mut self) {
        if std::mem::take(&mut self.in_code) {
            self.writer.end_code();
            self.writer.put_streamed_fence();
            self.writer.end_block(BlockBreak::Paragraph);
        }
    }

    fn finish(mut self) -> WrittenText {
        self.end_code();
        self.end_row();
        self.end_heading();
        self.writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::{Segment, SpanMap};
    use proptest::prelude::*;

    fn text(source: &str, markdown: bool) -> Segment {
        let decoded = Segment {
            text: source.to_owned(),
            map: SpanMap::identity(source.len(), 0),
            ..Segment::default()
        };
        let mut segment = Segment::default();
        let mut receive = |written: WrittenText| {
            segment.append(written.segment(&decoded));
            Ok(())
        };
        let last = read(source, markdown, &mut receive).unwrap();
        segment.append(last.segment(&decoded));
        for run in segment.map.runs().iter().filter(|run| run.exact && run.out_unit > 0) {
            assert_eq!(segment.text[run.out..run.out_end()], source[run.src..run.src_end()]);
        }
        segment
    }

    fn check(source: &str, expected: &str) {
        assert_eq!(text(source, true).text.trim_end_matches('\n'), expected, "of {source}");
    }

    #[test]
    fn blocks_headings_and_items_are_distinguished() {
        check(
            "<title>x</title><style>a{}</style><h2>One <b>two</b></h2><p>a<br>b<p>c &amp; d<ul><li>e<li>f</ul>g<script>1<2</script>",
            "## One two\n\na\nb\n\nc & d\n- e\n- f\n\ng",
        );
        check("<h1>open<p>a</p>b", "# open\n\na\n\nb");
        check("a<hr>b<textarea>c</textarea>", "a\n\n---\n\nbc");
        check("<iframe/><p>a<script src=x /><p>b<script>c</script>", "a");
        check("<iframe/><p>a<style/><p>b", "a\n\nb");
        check("<iframe><p>a", "");
    }

    #[test]
    fn rows_have_cells_and_code_has_lines() {
        check(
            "<table><tr><th>a<th>b<tr><td><p>c</p>d<td>e</table>f",
            "| a | b |\n| - | - |\n| c d | e |\n\nf",
        );
        check("<p>x<pre>  a\n    <b>b</b>\n</pre>y", "x\n\n``````````\n  a\n    b\n``````````\n\ny");
        assert_eq!(text("<tr><td>a<td>b", false).text, "a | b\n");
    }

    #[test]
    fn segments_join_to_the_same_text() {
        let row = "<tr><td>some words<td>more</tr>";
        let page = format!("<table>{}</table>{}", row.repeat(20_000), "<p>A paragraph.".repeat(40_000));
        let expected = format!(
            "| some words | more |\n| - | - |\n{}\n{}",
            "| some words | more |\n".repeat(19_999),
            "A paragraph.\n\n".repeat(40_000)
        );
        assert_eq!(text(&page, true).text.trim_end(), expected.trim_end());
    }

    #[test]
    fn a_page_is_dense_by_its_tags() {
        assert!(!is_dense(&"<p>a".repeat(MAX_TREE_TAGS / 2)));
        assert!(is_dense(&"<p>".repeat(MAX_TREE_TAGS + 1)));
    }

    proptest! {
        #[test]
        fn any_bytes_make_a_text(source in "(<(/?(p|td|tr|table|h1|li|pre|script|title|b)|!--)[ >]|&amp;|[a-c <>\n]){0,40}") {
            text(&source, true);
            text(&source, false);
        }
    }

    #[test]
    fn elements_of_streamed_pages_are_blocks_rows_and_code() {
        for (page, expected) in [
            ("<p>a<br>b<hr>c<h2>d<br>e</h2>f", "a\nb\n\n---\n\nc\n\n## d e\n\nf"),
            ("<h2>a<h3>b</h3>c", "## a\n\n### b\n\nc"),
            ("<h2>a<table><tr><td>b<td>c</table>d", "## a\n\n| b | c |\n| - | - |\n\nd"),
            ("<h2>a<li>b</li>c", "## a\n- b\n\nc"),
            (
                "<table><tr><th>a<tr><td>b<td>c</table><table><tr><td>d</table>",
                "| a |\n| - |\n| b | c |\n\n| d |\n| - |",
            ),
            ("<table><tr><td>a<p>b<hr>c<li>d<td>e</tr></table>f", "| a b c d | e |\n| - | - |\n\nf"),
            ("<table><tr><td>a<tr><td>b", "| a |\n| - |\n| b |"),
            ("<table><tr><td>a<table><tr><td>b</table>c</table>", "| a |\n| - |\n\n| b |\n| - |\n\nc"),
            ("<tr><td>a<td>b<tr><td>c", "| a | b |\n| c |"),
            ("<pre>a<b>b</b><br>c<p>d</p><td>e</pre>f", "``````````\nab\ncde\n``````````\n\nf"),
            ("<listing>a</listing>b", "``````````\na\n``````````\n\nb"),
            ("<pre>a", "``````````\na\n``````````"),
            ("<pre>a</pre><pre>b</pre>", "``````````\na\n``````````\n\n``````````\nb\n``````````"),
            (
                "<script>a</script><style>b</style><title>c</title><iframe>d</iframe><noembed>e</noembed><noframes>f</noframes><xmp>g</xmp><textarea>h &amp; i</textarea>j",
                "h & ij",
            ),
            ("<script>a</style>b</script>c", "c"),
            ("<textarea><b>a</b></textarea><p>b", "&lt;b>a&lt;/b>\n\nb"),
            ("a<plaintext>b<p>c", "ab&lt;p>c"),
            ("<title>a", ""),
            ("<p>a</p>b</div>c</b>d", "a\n\nb\n\ncd"),
            ("<h1>a", "# a"),
            ("<p>a &lt;b&gt; *c*", "a &lt;b> \\*c\\*"),
        ] {
            check(page, expected);
        }
    }

    #[test]
    fn plain_text_has_no_signs() {
        let page = "<h1>a</h1><ul><li>b</ul><pre>c</pre><table><tr><td>d<td>e</table><hr>f";
        assert_eq!(text(page, false).text, "a\nb\n\nc\n\nd | e\n\nf\n");
    }

    #[test]
    fn segments_end_between_blocks_as_soon_as_they_are_long() {
        let check = |page: &str, expected: &[&str]| {
            let mut ends = Vec::new();
            let mut receive = |written: WrittenText| {
                let segment = written.segment(&Segment::default()).text;
                assert!((SEGMENT_BYTES..SEGMENT_BYTES + 200).contains(&segment.len()), "{}", segment.len());
                ends.push(segment[segment.len() - 12..].trim_start_matches('x').to_owned());
                Ok(())
            };
            read(page, true, &mut receive).unwrap();
            assert_eq!(ends, expected, "of {}", &page[page.len() - 40..]);
        };
        let long = |bytes: usize| "x".repeat(bytes);
        check(&format!("<p>{}</p><p>a</p><p>b</p>", long(SEGMENT_BYTES)), &["\n\na\n\n"]);
        check(&format!("<p>{}</p><p>a</p><p>b</p>", long(SEGMENT_BYTES + 1)), &["\n\n"]);
        check(&format!("<p>{}<b>a</b>b<br>c</p><p>d</p>", long(SEGMENT_BYTES + 1)), &["ab\nc\n\n"]);
        check(&format!("<h1>{}<p>a</p><p>b</p>", long(SEGMENT_BYTES + 1)), &["\n\na\n\n"]);
        let code = |end: &str| format!("<pre>{}{end}<p>a</p></pre><p>b</p>", long(SEGMENT_BYTES + 1));
        for end in ["", "\n", "<br>"] {
            check(&code(end), &["``````````\n\n"]);
        }
        check(
            &format!("<tr><td>{}<p>a</p><td>b</tr><tr><td>c</tr>", long(SEGMENT_BYTES + 1)),
            &[" a | b |\n"],
        );
        check(&format!("<p>{}</p><hr><p>a</p><p>b</p>", long(SEGMENT_BYTES + 1)), &["\n\n"]);
        let two = format!("<p>{0}</p><p>a</p><p>{0}</p><p>b</p>", long(SEGMENT_BYTES + 1));
        check(&two, &["\n\n", "\n\n"]);
        let failed =
            read(&two, true, &mut |_| Err(Problem::new(pensieve_text::model::ProblemKind::Io, "full")));
        assert!(failed.is_err());
    }

    #[test]
    fn text_of_any_length_and_as_many_tags_as_a_tree_has_are_not_dense() {
        assert!(!is_dense(&"a".repeat(MAX_TREE_TAGS * 3 + 1)));
        assert!(!is_dense(&format!("{}aaa", "<p>".repeat(MAX_TREE_TAGS))));
        assert!(is_dense(&format!("{}aaa", "<p>".repeat(MAX_TREE_TAGS + 1))));
    }

    #[test]
    fn blank_lines_of_code_are_kept() {
        check("<pre>a<br><br>b</pre>", "``````````\na\n\nb\n``````````");
        check("<pre>a\n\nb</pre>", "``````````\na\n\nb\n``````````");
    }
}
