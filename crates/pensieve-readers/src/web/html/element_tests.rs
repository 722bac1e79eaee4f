//! Elements in every form that the standard allows.

use super::tests::check;

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
    check("<title>x</title><textarea>y</textarea>z", "yz");
    check("<script>if (a < b) {}</script>a<style>p > a</style>b<!-- c -->d", "abd");
    check("a<![CDATA[b]]>c", "ac");
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
        "| a | b |\n| - | - |\n| t | u |\n| 1 | 2 |",
    );
    check("<table><tr><td>a<tr><td>b</table>", "a\n\nb");
    check("<table><tr><td>a<td><tr><td>b<td></table>", "| a |  |\n| - | - |\n| b |  |");
}
