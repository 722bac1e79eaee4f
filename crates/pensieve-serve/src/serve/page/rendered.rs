//! Markdown as elements: what the corpus has as Markdown, as it is meant to be read.
//!
//! The elements are those named here; everything else, HTML in the text too, is text, and escaped. Nothing is loaded: a
//! picture is its words, and a link leads to the web or a mailbox only if a person follows it.

use maud::{Escaper, Markup, PreEscaped};
use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::fmt::Write;
use std::ops::Range;

/// A text as elements, with these bytes of it marked; the first is what `#found` leads to if `leads` says so.
pub fn rendered(text: &str, marks: &[Range<usize>], leads: bool) -> Markup {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let mut writer = ElementWriter { text, marks, must_lead: leads, ..ElementWriter::default() };
    Parser::new_ext(text, options).into_offset_iter().for_each(|(event, span)| writer.event(event, span));
    // Words that are in an address, and so not shown, are found at the beginning.
    let anchor = if writer.must_lead { "<span id=\"found\"></span>" } else { "" };
    PreEscaped(format!("{anchor}{}", writer.html))
}

#[derive(Default)]
struct ElementWriter<'t> {
    text: &'t str,
    marks: &'t [Range<usize>],
    html: String,
    must_lead: bool,
    is_head: bool,
    /// For each open link, whether it is one on the page.
    links: Vec<bool>,
}

impl ElementWriter<'_> {
    fn event(&mut self, event: Event<'_>, span: Range<usize>) {
        match event {
            Event::Start(tag) => self.open(tag),
            Event::End(tag) => self.close(tag),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => self.words(&words, span),
            Event::Code(words) => {
                self.push("<code>");
                let fence = (span.len() - words.len().min(span.len())) / 2;
                self.words(&words, span.start + fence..span.end - fence);
                self.push("</code>");
            }
            Event::InlineMath(words) | Event::DisplayMath(words) => self.words(&words, span),
            Event::SoftBreak => self.push("\n"),
            Event::HardBreak => self.push("<br>"),
            Event::Rule => self.push("<hr>"),
            Event::FootnoteReference(name) => {
                self.push("[");
                self.escaped(&name);
                self.push("]");
            }
            Event::TaskListMarker(is_done) => self.push(if is_done { "☑ " } else { "☐ " }),
        }
    }

    fn open(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.push("<p>"),
            // The headings of a page are those of the page: these have the look alone.
            Tag::Heading { level, .. } => {
                let _ = write!(self.html, "<p class=\"heading h{}\">", (level as usize).min(4));
            }
            Tag::BlockQuote(_) => self.push("<blockquote>"),
            Tag::CodeBlock(kind) => {
                self.push("<pre>");
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.is_empty()
                {
                    self.push("<span class=\"language\">");
                    self.escaped(&language);
                    self.push("</span>");
                }
                self.push("<code>");
            }
            Tag::HtmlBlock | Tag::MetadataBlock(_) => self.push("<pre>"),
            Tag::List(Some(first)) => {
                let _ = write!(self.html, "<ol start=\"{first}\">");
            }
            Tag::List(None) => self.push("<ul>"),
            Tag::Item => self.push("<li>"),
            Tag::Table(columns) => {
                let is_right = |column: &Alignment| *column == Alignment::Right;
                let side = if columns.iter().any(is_right) { " class=\"numbers\"" } else { "" };
                // It may be wider than the page, and is scrolled by keys too.
                let _ = write!(
                    self.html,
                    "<div class=\"wide-table\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table{side}>"
                );
            }
            Tag::TableHead => {
                self.is_head = true;
                self.push("<thead><tr>");
            }
            Tag::TableRow => self.push("<tr>"),
            Tag::TableCell => self.push(if self.is_head { "<th>" } else { "<td>" }),
            Tag::Emphasis => self.push("<em>"),
            Tag::Strong => self.push("<strong>"),
            Tag::Strikethrough => self.push("<del>"),
            Tag::Link { dest_url, .. } => {
                let leads_out =
                    ["https://", "http://", "mailto:"].iter().any(|scheme| dest_url.starts_with(scheme));
                self.links.push(leads_out);
                if leads_out {
                    self.push("<a rel=\"noreferrer nofollow\" href=\"");
                    self.escaped(&dest_url);
                    self.push("\">");
                }
            }
            Tag::Image { .. } => self.push("<span class=\"picture\">"),
            Tag::FootnoteDefinition(name) => {
                self.push("<div class=\"footnote\">[");
                self.escaped(&name);
                self.push("] ");
            }
            _ => self.push("<span>"),
        }
    }

    fn close(&mut self, tag: TagEnd) {
        let end = match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => "</p>",
            TagEnd::BlockQuote(_) => "</blockquote>",
            TagEnd::CodeBlock => "</code></pre>",
            TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) => "</pre>",
            TagEnd::List(true) => "</ol>",
            TagEnd::List(false) => "</ul>",
            TagEnd::Item => "</li>",
            TagEnd::Table => "</tbody></table></div>",
            TagEnd::TableHead => "</tr></thead><tbody>",
            TagEnd::TableRow => "</tr>",
            TagEnd::TableCell if self.is_head => "</th>",
            TagEnd::TableCell => "</td>",
            TagEnd::Emphasis => "</em>",
            TagEnd::Strong => "</strong>",
            TagEnd::Strikethrough => "</del>",
            TagEnd::Link => match self.links.pop() {
                Some(true) => "</a>",
                _ => "",
            },
            TagEnd::FootnoteDefinition => "</div>",
            _ => "</span>",
        };
        if tag == TagEnd::TableHead {
            self.is_head = false;
        }
        self.push(end);
    }

    /// Words that stand at `span` of the text; where they are other words than there (`&amp;`), one mark is around all.
    fn words(&mut self, words: &str, span: Range<usize>) {
        let touched: Vec<Range<usize>> = self
            .marks
            .iter()
            .filter(|mark| mark.start < span.end && mark.end > span.start)
            .cloned()
            .collect();
        if self.text.get(span.clone()) != Some(words) {
            return match touched.is_empty() {
                true => self.escaped(words),
                false => self.marked(words),
            };
        }
        let mut at = span.start;
        for mark in touched {
            let (start, end) = (mark.start.max(at), mark.end.min(span.end));
            let part =
                |from: usize, to: usize| words.get(from - span.start..to - span.start).unwrap_or_default();
            self.escaped(part(at, start));
            self.marked(part(start, end));
            at = end;
        }
        self.escaped(words.get(at - span.start..).unwrap_or_default());
    }

    fn marked(&mut self, words: &str) {
        let leads = std::mem::take(&mut self.must_lead);
        self.push(if leads { "<mark id=\"found\">" } else { "<mark>" });
        self.escaped(words);
        self.push("</mark>");
    }

    fn escaped(&mut self, words: &str) {
        let _ = Escaper::new(&mut self.html).write_str(words);
    }

    fn push(&mut self, html: &str) {
        self.html.push_str(html);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With these bytes marked, each from one to the other.
    fn check(text: &str, marks: &[(usize, usize)], expected: &str) {
        let marks: Vec<Range<usize>> = marks.iter().map(|&(from, to)| from..to).collect();
        assert_eq!(rendered(text, &marks, !marks.is_empty()).into_string(), expected);
    }

    #[test]
    fn markdown_becomes_elements() {
        check(
            "# A *b*\n\nc `d` **e**\n",
            &[],
            "<p class=\"heading h1\">A <em>b</em></p><p>c <code>d</code> <strong>e</strong></p>",
        );
        check(
            "1. a\n2. b\n\n- [x] c\n",
            &[],
            "<ol start=\"1\"><li>a</li><li>b</li></ol><ul><li>☑ c</li></ul>",
        );
        check(
            "|a|b|\n|-|-|\n|1|2|\n",
            &[],
            "<div class=\"wide-table\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table><thead><tr><th>a</th><th>b</th></tr></thead>\
             <tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>",
        );
    }

    #[test]
    fn nothing_of_a_document_is_markup_of_the_page() {
        check(
            "<script>x</script>\n\n<b onclick=y>c</b>",
            &[],
            "<pre>&lt;script&gt;x&lt;/script&gt;\n</pre><p>&lt;b onclick=y&gt;c&lt;/b&gt;</p>",
        );
        check(
            "[a](javascript:x) [b](https://b/\"x)",
            &[],
            "<p>a <a rel=\"noreferrer nofollow\" href=\"https://b/&quot;x\">b</a></p>",
        );
        check("![alt](https://tracker/x.png)", &[], "<p><span class=\"picture\">alt</span></p>");
        check(
            "```<i>\n<u>\n```",
            &[],
            "<pre><span class=\"language\">&lt;i&gt;</span><code>&lt;u&gt;\n</code></pre>",
        );
    }

    #[test]
    fn marks_stay_inside_of_elements() {
        check(
            "a **b c** d",
            &[(0, 5)],
            "<p><mark id=\"found\">a </mark><strong><mark>b</mark> c</strong> d</p>",
        );
        check(
            "`lamp` &amp; fog",
            &[(1, 5), (7, 12)],
            "<p><code><mark id=\"found\">lamp</mark></code> <mark>&amp;</mark> fog</p>",
        );
        check(
            "[a](https://lamp/)",
            &[(12, 16)],
            "<span id=\"found\"></span><p><a rel=\"noreferrer nofollow\" href=\"https://lamp/\">a</a></p>",
        );
    }
}
