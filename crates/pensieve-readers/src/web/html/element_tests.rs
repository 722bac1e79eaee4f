//! Elements in every form that the standard allows.

use super::tests::{check, check_plain};

#[test]
fn lists_have_numbers_of_every_kind() {
    check("<ol type=i><li>a<li>b</ol>", "- i. a\n- ii. b");
    check("<ol type=I start=4><li>a<li>b</ol>", "- IV. a\n- V. b");
    check("<ol type=A start=26><li>a<li>b</ol>", "- Z. a\n- AA. b");
    check("<ol type=1 start=0><li>a</ol>", "0. a");
    check("<ol start=x><li>a</ol>", "1. a");
    check("<menu><li>a<li>b</menu>", "- a\n- b");
    check("<dl><dt>a<dt>b<dd>c</dl>", "- **a**\n  **b**\n  - c");
}

#[test]
fn text_that_is_no_markup_is_read_to_its_end() {
    check("<p>a<plaintext>b</p><b>", "a\n\n```\nb</p><b>\n```");
    check("<xmp><b></xmp>c", "```\n<b>\n```\n\nc");
    check("<title>x</title><textarea>y</textarea>z", "y z");
    check("<script>if (a < b) {}</script>a<style>p > a</style>b<!-- c -->d", "abd");
    check("a<![CDATA[b]]>c", "ac");
    check("<p>a<title>b</title>c", "ac");
    check("<p>Wow!<a href=/x> b</a>", "Wow! [b](/x)");
    check("<p>a<!DOCTYPE x>b", "ab");
    check("a</>b<?php c ?>d", "abd");
}

#[test]
fn cells_cover_columns_and_rows() {
    check(
        "<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3</table>",
        "| a | b | b |\n| - | - | - |\n| a | c | d |\n| 1 | 2 | 3 |",
    );
    check(
        "<table><thead><tr><th>a<th>b</thead><tfoot><tr><td>t<td>u</tfoot><tbody><tr><td>1<td>2</tbody></table>",
        "| a | b |\n| - | - |\n| 1 | 2 |\n| t | u |",
    );
    check("<table><tr><td>a<tr><td>b</table>", "a\n\nb");
    check("<table><tr><td>a<td><tr><td>b<td></table>", "| a |  |\n| - | - |\n| b |  |");
}

#[test]
fn elements_are_written_by_what_they_are() {
    for (page, expected) in [
        ("<p>a<p hidden>b<p>c", "a\n\nc"),
        ("<p>a<button>b</button>. <label>c<select><option>d<option>e</select></label>f", "a b. c d e f"),
        (
            "<my-card><template shadowrootmode=open><p>a</p></template><p>b</my-card><template>c</template>",
            "a\n\nb",
        ),
        ("<h2><button>a</button></h2>", "## a"),
        ("<svg><title>a</title><text>b</text></svg>c", "c"),
        ("<p>a<video>b</video><object>c</object>d", "ad"),
        ("<math><mi>x</mi><annotation>y</annotation></math>", "$x$"),
        ("<p>a<q>b<br>c</q>d", "a“b\nc”d"),
        ("<h2>a<q>b</q></h2>", "## a“b”"),
        ("<h2>a<br>b<hr>c</h2>d", "## a b c\n\nd"),
        ("<h2>a<pre>b\nc</pre>d</h2>e", "## a b c d\n\ne"),
        ("<table><tr><td>a<pre>b\nc</pre>d<td>e</table>", "a\n\n```\nb\nc\n```\n\nd\n\ne"),
        ("<table><tr><td>a<pre>b&lt;\nc</pre>d<td>e</table>", "a\n\n```\nb<\nc\n```\n\nd\n\ne"),
        ("<table><tr><td><h2>a</h2>b<td><blockquote>c</blockquote>d</table>", "| a b | c d |\n| - | - |"),
        (
            "<table><tr><td><ul><li>a<li>b</ul><td><dl><dt>c<dd>d</dl></table>",
            "| a; b | **c**: d |\n| - | - |",
        ),
        (
            "<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table><td>e</table>",
            "| a, b; c, d | e |\n| - | - |",
        ),
        ("<table><tr><td><table><tr><td>a<td>b</table>c<td>e</table>", "| a, b c | e |\n| - | - |"),
        ("<p>10<sup>5</sup> a<sup>x</sup> b<sup><a href=/x>2</a></sup> <sup>2</sup>", "10^5 a^x b[2](/x) 2"),
        ("<ruby>a<rt>b</rt>c<rt>d</rt></ruby>", "a(b)c(d)"),
        ("<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp>c</ruby>", "a(b)c"),
        ("<ruby>a<rt>b</rt></ruby><rp>x</rp>", "a(b)x"),
        ("<details><summary>a</summary>b</details>", "**a**\n\nb"),
        ("<details><summary><h3>a</h3></summary>b</details>", "### a\n\nb"),
        ("<blockquote>a</blockquote>b", "> a\n\nb"),
        ("<blockquote>a<blockquote>b</blockquote>c</blockquote>d", "> a\n>\n> > b\n>\n> c\n\nd"),
        ("<tr><td>a", "a"),
        ("<table role=none><tr><td>a<td>b<tr><td>c</table>", "a\n\nb\n\nc"),
        ("<h2><table><tr><td>a<td>b<tr><td>c<td>d</table></h2>", "## a b c d"),
        (
            "<p>Wow!<a href=/x>b</a> Wow! <a href=/x>b</a> Wow!<a href=/x> b</a> Wow!<a>b</a>",
            "Wow\\![b](/x) Wow! [b](/x) Wow! [b](/x) Wow!b",
        ),
        ("<p>a#<a href=/x>b</a>", "a#[b](/x)"),
        ("<p>a!<b>b</b>", "a!**b**"),
        ("<p>[a](b)<a href=/x>c</a>", "[a\\](b)[c](/x)"),
        ("<menu><li>a</menu><dir><li>b</dir>", "- a\n\n- b"),
        ("<p>a<h1>b</h1>c<h6>d</h6>", "a\n\n# b\n\nc\n\n###### d"),
        ("<address>a</address><center>b</center>c", "a\n\nb\n\nc"),
        ("<a href=/x><h2>a</h2></a>", "## [a](/x)"),
        ("<caption>a</caption>", "a"),
    ] {
        check(page, expected);
    }
}

#[test]
fn elements_of_plain_text_have_no_marks() {
    for (page, expected) in [
        (
            "<p>a<q>b</q><blockquote>c</blockquote><ol><li>d</ol><h2>e</h2><hr>f",
            "a“b”\n\nc\n\n1. d\n\ne\n\nf",
        ),
        ("<table><tr><td>a|b<td>c<tr><td>d</table>", "a|b | c\nd | "),
        ("<p>10<sup>5</sup> <math alttext='x^2'><mi>x</mi></math>", "10^5 x^2"),
    ] {
        check_plain(page, expected);
    }
}

#[test]
fn elements_of_chapters_are_all_text() {
    for (page, expected) in [
        ("<p>a<video>b</video><object>c</object><script>d</script><template>e</template>f</p>", "abcf"),
        (
            "<p>a</p><table><tr><td>b</td><td>c</td></tr></table><p>d</p>",
            "a\n\n|  |  |\n| - | - |\n| b | c |\n\nd",
        ),
    ] {
        super::chapter::tests::check(page, expected);
    }
}
