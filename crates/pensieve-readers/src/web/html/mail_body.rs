//! The page of a mail as Markdown: all of it that can be seen, since it has no boilerplate.

use super::hints::mail_marks::MailMarks;
use super::parse;
use super::render::Renderer;
use super::render::page::ParsedPage;
use super::visibility::content_selection::ContentSelection;
use super::visibility::hidden::folded_spans;
use super::visibility::hidden_words::hidden_words;
use crate::markdown::StreamWriter;
use pensieve_text::model::{HiddenReason, Segment};

/// Reads the page of a mail; what nobody can see on it goes to `hide`.
pub(crate) fn read_mail_body(decoded: Segment, mut hide: impl FnMut(HiddenReason, &str)) -> Segment {
    let source = decoded.text.as_str();
    let tree = parse::parse(source, false);
    let selection = ContentSelection::whole(&tree, source);
    for words in hidden_words(&tree, source, &selection) {
        hide(words.reason, &words.text);
    }
    let page = ParsedPage::new(&tree, source, &selection);
    let renderer = Renderer::new(page, StreamWriter::new(source, true));
    let written = renderer.with_mail_marks(MailMarks::of(&tree, source)).finish().0;
    written.folded_in(folded_spans(&tree, &selection.folded)).segment(&decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: &str) {
        let decoded = Segment { text: page.to_owned(), ..Segment::default() };
        assert_eq!(read_mail_body(decoded, |_, _| {}).text.trim_end(), expected, "{page}");
    }

    #[test]
    fn quotations_of_all_programs_are_quoted() {
        check("<p>a<blockquote type=cite>b<blockquote>c</blockquote></blockquote>", "a\n\n> b\n>\n> > c");
        let line = "border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in";
        let head = format!("<div style='{line}'><p><b>From:</b> x<br><b>Sent:</b> y<br><b>To:</b> z</div>");
        let quoted = "> **From:** x\n> **Sent:** y\n> **To:** z\n>\n> old\n>\n> older";
        check(&format!("<div><p>new<div>{head}</div><p>old<p>older</div>"), &format!("new\n\n{quoted}"));
        check(&format!("<div><p>new</div>{head}<p>old<p>older"), &format!("new\n\n{quoted}"));
        check(
            "<p>a<hr><div id=divRplyFwdMsg>From: x Sent: y To: z</div><div>b</div>",
            "a\n\n---\n\n> From: x Sent: y To: z\n>\n> b",
        );
        check("<div>a</div><div class='gmail_quote x'>Forwarded<br>b</div>", "a\n\n> Forwarded\n> b");
        check(
            "<div class=gmail_quote><div>On y x wrote:</div><blockquote>b</blockquote></div>",
            "On y x wrote:\n\n> b",
        );
    }

    #[test]
    fn signatures_have_their_line() {
        check(
            "<p>a<div class=gmail_signature>b<div class=gmail_signature>c</div></div>",
            "a\n\n--\n\nb\n\nc",
        );
        check("<p>a<div class=moz-signature>-- <br>b</div>", "a\n\n--\nb");
        check("<p>a<div id=Signature> </div>", "a");
    }

    #[test]
    fn elements_inside_each_other_end_soon() {
        let page = "<div class=gmail_quote style='border:none;border-top:solid'>".repeat(20_000);
        let decoded = Segment { text: format!("{page}a"), ..Segment::default() };
        let text = read_mail_body(decoded, |_, _| {}).text;
        assert!(text.trim_end().ends_with("> a") && text.len() < 4096, "{} bytes", text.len());
    }

    #[test]
    fn lines_that_head_nothing_are_left_alone() {
        check("<p>a<div style='border:none;border-top:solid 1pt'>no head</div><p>b", "a\n\nno head\n\nb");
    }

    #[test]
    fn marks_of_mail_programs_are_certain_or_ignored() {
        for (page, expected) in [
            ("<div class='X GMAIL_QUOTE'>a</div>b", "> a\n\nb"),
            ("<div class='gmail_quoted'>a</div>b", "a\n\nb"),
            ("<span class=yahoo_quoted>a</span>b", "> a\n\nb"),
            ("<pre class=moz-forward-container>a</pre>b", "> ```\n> a\n> ```\n\nb"),
            ("<table class=zmail_extra><tr><td>a</table>b", "> a\n\nb"),
            ("<section class=gmail_quote>a</section>b", "a\n\nb"),
            ("<div class=gmail_quote> </div>b", "b"),
            ("<div class=gmail_quote>a<blockquote>b</blockquote></div>c", "a\n\n> b\n\nc"),
            (
                "<blockquote>z</blockquote><div class=gmail_quote>a</div><blockquote>b</blockquote>",
                "> z\n\n> a\n\n> b",
            ),
            ("<p>a<p id=Signature>b<p>c", "a\n\n--\n\nb\n\nc"),
            ("<p>a<div class=moz-signature>b</div><div class=signature>c</div>", "a\n\n--\n\nb\n\n--\n\nc"),
            ("<p>a<div class=moz-signature> -- b</div>", "a\n\n-- b"),
            ("<p>a<div class=moz-signature><p>b<p>-- c</div>", "a\n\n--\n\nb\n\n-- c"),
            ("<p>a<div id=divRplyFwdMsg>F: a T: b</div>c", "a\n\nF: a T: b\n\nc"),
            ("<p>a<div id=divRplyFwdMsg>F: a T: b S：c</div>d", "a\n\n> F: a T: b S：c\n>\n> d"),
            ("<p>a<span id=x_divRplyFwdMsg>F: a T: b S: c</span>d", "a\n\n> F: a T: b S: cd"),
            (
                "<p>a<div style='border:none; border-top:solid'>F: a T: b S: c</div>d",
                "a\n\n> F: a T: b S: c\n>\n> d",
            ),
            ("<p>a<span style='border:none; border-top:solid'>F: a T: b S: c</span>d", "aF: a T: b S: cd"),
            ("<p>a<div style='border-top:solid'>F: a T: b S: c</div>d", "a\n\nF: a T: b S: c\n\nd"),
            ("<p>a<div style='border:none'>F: a T: b S: c</div>d", "a\n\nF: a T: b S: c\n\nd"),
            (
                "<div><p>a<div>z<div id=divRplyFwdMsg>F: a T: b S: c</div></div><p>d</div>e",
                "a\n\nz\n\nF: a T: b S: c\n\nd\n\ne",
            ),
            (
                "<div><p>a<div><div id=divRplyFwdMsg>F: a T: b S: c</div>z</div><p>d</div>e",
                "a\n\n> F: a T: b S: c\n>\n> z\n\nd\n\ne",
            ),
            (
                "<div><p>a<div><div id=divRplyFwdMsg>F: a T: b S: c</div></div><p>d</div>e",
                "a\n\n> F: a T: b S: c\n>\n> d\n\ne",
            ),
            ("<p>a<div><div id=divRplyFwdMsg>F: a T: b S: c</div></div>", "a\n\nF: a T: b S: c"),
        ] {
            check(page, expected);
        }
    }

    #[test]
    fn headers_of_quotations_are_short_and_near_their_place() {
        let head = |letters: usize| format!("<div id=divRplyFwdMsg>F: T: S: {}</div>", "x".repeat(letters));
        let is_quoted = |page: &str| {
            let decoded = Segment { text: page.to_owned(), ..Segment::default() };
            read_mail_body(decoded, |_, _| {}).text.trim_end().ends_with("> end")
        };
        assert!(is_quoted(&format!("<p>a{}<p>end", head(4096 - 9))));
        assert!(!is_quoted(&format!("<p>a{}<p>end", head(4096 - 8))));
        let wrapped = |count: usize| {
            format!("<div><p>a{}{}{}<p>end</div>", "<div>".repeat(count), head(1), "</div>".repeat(count))
        };
        assert!(is_quoted(&wrapped(8)));
        assert!(!is_quoted(&wrapped(9)));
    }

    #[test]
    fn what_follows_an_element_is_no_part_of_it() {
        check("<div id=Signature></div>b", "b");
        check("<div id=divRplyFwdMsg>F: T:</div>S: x", "F: T:\n\nS: x");
        check("<div class=gmail_quote></div>b", "b");
        check("<div class=gmail_quote>a</div><blockquote>b</blockquote>", "> a\n\n> b");
    }
}
