//! Pages and their expected texts, read as any page is.

use super::chapter::tests::decoded;
use super::read_html;
use crate::settings::HtmlOptions;
use pensieve_text::model::{Document, Locator, Span};

pub(super) fn read(source: &str, markdown: bool, main_content: bool) -> Document {
    let document = read_html(decoded(source), &HtmlOptions { markdown, main_content });
    let text = &document.text;
    for run in text.map.runs().iter().filter(|run| run.exact && run.out_unit > 0) {
        assert_eq!(text.text[run.out..run.out_end()], source[run.src..run.src_end()], "a map of {source}");
    }
    let ends = text.places.0.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start);
    assert!(ends && text.places.0.last().is_none_or(|(span, _)| span.end <= text.text.len()));
    document
}

pub(super) fn check(source: &str, expected: &str) {
    assert_eq!(read(source, true, false).text.text.trim_end_matches('\n'), expected, "of {source}");
}

pub(super) fn check_plain(source: &str, expected: &str) {
    assert_eq!(read(source, false, false).text.text.trim_end_matches('\n'), expected, "of {source}");
}

#[test]
fn headings_paragraphs_and_breaks() {
    check("<h2>1. One</h2><p>1. One", "## 1. One\n\n1\\. One");
    check("<h1>One <b>two</b></h1>text<p>a<br>b<br><br>c<hr>d", "# One two\n\ntext\n\na\nb\n\nc\n\n---\n\nd");
    check("<p> a \n b </p><p>&nbsp;</p><div></div><p>c&nbsp;d", "a b\n\nc d");
    check("<hr><p>a<hr><hr>", "a");
    check("", "");
}

#[test]
fn numbers_and_signs_are_escaped_only_where_they_would_be_markup() {
    check("<p>1810. A year", "1810\\. A year");
    check(
        "<p>In<br>1810. A year<br>1. an item<br><b>2</b>. another",
        "In\n1810. A year\n1\\. an item\n**2**. another",
    );
    check("<p>In<br><br>1810. A year", "In\n\n1810\\. A year");
    check("<ul><li>a</ul>1810. A year", "- a\n\n1810\\. A year");
    check("<blockquote>In<br>1810. A year</blockquote>7. x", "> In\n> 1810. A year\n\n7\\. x");
    check(
        "<h2>In</h2>7. x<p>#<a href='http://x/'>5</a> <p># 5",
        "## In\n\n7\\. x\n\n#[5](http://x/)\n\n\\# 5",
    );
    check(
        "<p>one* two*<br>three*\n</p><p>Result&lt;T, E&gt; Vec&lt;T&gt;",
        "one* two*\nthree*\n\nResult<T, E> Vec&lt;T>",
    );
}

#[test]
fn emphasis_hugs_its_words() {
    check("<p>a<b> b </b>c <i>d</i>.", "a **b** c *d*.");
    check("<b><b>a</b></b><i></i><del>x</del>", "**a**~~x~~");
    check("<b>a<p>b</p></b>", "**a**\n\n**b**");
    check("<p>use <code>a*b_c</code> and <code>`x`</code>", "use `a*b_c` and `` `x` ``");
}

#[test]
fn emphasis_that_touches_is_read_as_that() {
    check("<p><b>a</b><b>b</b> and <i>c<b>d</b></i><b>e</b>", "**ab** and *c**d***__e__");
    check("<p><u><i>Wired</i></u><i>.</i> <b>!</b>", "*Wired*. **!**");
    check("<p><i>* New</i> and <i>* old</i>", "*\\* New* and *\\* old*");
    check("<p>the <em>package-1.0</em><strong>.tar.gz</strong> file", "the *package-1.0*__.tar.gz__ file");
    check("<p><strong>/usr/</strong><em>package</em> for", "**/usr/**_package_ for");
    check(
        "<p><b>Note:</b>text, <b>Note</b>text, a<i>(b)</i>c <i>(d)</i>",
        "Note:text, **Note**text, a(b)c *(d)*",
    );
    check("<p><strong>\\</strong>). <b>dh_*</b>, <i>*</i> a", "**\\\\**). **dh_\\***, *\\** a");
    check("<p>a <b>\u{ad}</b><b> </b><i>&#8203;</i>b", "a \u{ad} \u{200b}b");
    check("<p>「<b>「あ」</b>と", "「「あ」と");
    check("<p><code>a</code><code>b</code> <code>``</code> <code>`a`</code>", "`ab` ``` `` ``` `` `a` ``");
    check("<p><b><i>a</i></b>b <i>a<br>b</i>", "***a***b *a*\n*b*");
}

#[test]
fn the_text_of_a_page_is_no_markup() {
    check(
        "<p>&gt;&gt;&gt; print(1)<p>&#35; x<p><span>1</span>. y<p>| a<p>+ x",
        "\\>>> print(1)\n\n\\# x\n\n1\\. y\n\n\\| a\n\n\\+ x",
    );
    check(
        "<p>a<br>==<br>--<p>--<p>*** a<p>--- b<p>~~~ b<p>[x]: y<h2>C #</h2>",
        "a\n\\==\n\\--\n\n--\n\n*** a\n\n--- b\n\n\\~\\~\\~ b\n\n[x\\]: y\n\n## C \\#",
    );
    check("<p>f[0](x), <i>x</i>[1]<b></b>(2) <i>[^a-z]</i>", "f[0\\](x), *x*[1]\\(2) *\\[^a-z]*");
    check(
        "<p>[re:run(S)](<a href='http://b/'><code>re:run/3</code></a>)",
        "[re:run(S)\\]([`re:run/3`](http://b/))",
    );
    check("<p>char \\*name, char *\\*p", "char \\\\\\*name, char \\*\\\\\\*p");
    check(
        "<table><tr><td>a<td>b<tr><td><code>a || b</code><td>c|d</table>",
        "| a | b |\n| - | - |\n| `a \\|\\| b` | c\\|d |",
    );
    check("<p>Wow!<a href='http://b/'>c</a> Ah!", "Wow\\![c](http://b/) Ah!");
    check("<ol><li><pre>x</pre></ol><h2>Docker", "1. ```\n   x\n   ```\n\n## Docker");
}

#[test]
fn links_keep_their_addresses() {
    check(
        "<p>see <a href='/a b(1)'>the [guide]</a> or <a href='#x'>here</a>",
        "see [the \\[guide\\]](/a%20b%281%29) or here",
    );
    check("<a href='javascript:x()'>a</a> <a href=x></a><a href='y'><h2>t</h2>p</a>", "a\n\n## [t](y)\n\np");
    check("<h2>T <a href='#t'>§</a></h2>", "## T");
}

#[test]
fn images_are_their_descriptions() {
    check("<p>a <img alt='a cat' src='data:image/png;base64,AAAA'> b", "a ![a cat]() b");
    check("<a href=x><img alt='a cat'></a><img alt='cat.jpg'><img>", "[a cat](x)");
    check("<figure><img alt='a cat'><figcaption>A cat.</figcaption></figure>", "A cat.");
}

#[test]
fn lists_nest_and_count() {
    check("<ul><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ul>e", "- a\n  - b\n- c\n\n  d\n\ne");
    check("<ol start=9><li>a<li>b<ol><li>c</ol><li value=3>d</ol>", "9. a\n10. b\n    1. c\n3. d");
    check("<ul><li><ul><li>a</ul><li><li>b</ul>", "- a\n- b");
    check("<dl><dt>a<dd>b<dd><dl><dt>c<dd>d</dl></dl>", "- **a**\n  - b\n  - **c**\n    - d");
}

#[test]
fn quotes_and_code() {
    check("<blockquote><p>a<p>b<ul><li>c</ul></blockquote>d", "> a\n>\n> b\n>\n> - c\n\nd");
    check(
        "<pre><code class='language-rust'>\nfn a() {\n    b &amp;&amp; c\n}\n\n</code></pre>",
        "```rust\nfn a() {\n    b && c\n}\n```",
    );
    check("<ul><li>x<pre>a\n\n  b</pre></ul>", "- x\n\n  ```\n  a\n  \n    b\n  ```");
    check("<pre>```</pre>", "````\n```\n````");
    check("<pre> \n </pre>", "");
    check("<div class='highlight-source-sh'><pre class='rust x'>a</pre></div>", "```rust\na\n```");
    check("<div data-lang=sh><pre>a<br>b<div>c</div></pre></div>", "```sh\na\nb\nc\n```");
}

#[test]
fn tables_of_data_become_rows() {
    check(
        "<table><caption>C<tr><th>a<th>b|c<tr><td rowspan=2>1<td>2<tr><td><ul><li>x<li>y</ul></table>",
        "C\n\n| a | b\\|c |\n| - | - |\n| 1 | 2 |\n| 1 | x; y |",
    );
    check("<table><tr><td colspan=2>a<tr><td>b<td>c</table>", "| a |  |\n| - | - |\n| b | c |");
    check("<table><tr><td colspan=100000000 rowspan=100000000>a</table>", "a");
    check_plain("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a | b\nc | d");
}

#[test]
fn rows_may_have_names_where_columns_have_none() {
    check("<table><tr><th>a<td>1<tr><th>b<td>2</table>", "|  |  |\n| - | - |\n| a | 1 |\n| b | 2 |");
    check("<table><tr><th>a<td>1<tr><td>b<td>2</table>", "| a | 1 |\n| - | - |\n| b | 2 |");
    check("<table><tr><td><th>x<tr><th>a<td>1</table>", "|  | x |\n| - | - |\n| a | 1 |");
    check("<table><thead><tr><th>a<td>b<tbody><tr><th>1<td>2</table>", "| a | b |\n| - | - |\n| 1 | 2 |");
    check_plain("<table><tr><th>a<td>1<tr><th>b<td>2</table>", "a | 1\nb | 2");
}

#[test]
fn titles_and_rows_of_headers_stand_above_the_data() {
    check(
        "<table><tr><th colspan=2>T<tr><th>a<td>1<tr><th>b<td>2</table>",
        "T\n\n|  |  |\n| - | - |\n| a | 1 |\n| b | 2 |",
    );
    check(
        "<table><thead><tr><th rowspan=2>n<th colspan=2>s<tr><th>w<th>h<tbody><tr><td>a<td>1<td>2</table>",
        "| n | s w | s h |\n| - | - | - |\n| a | 1 | 2 |",
    );
    check(
        "<table><tr><td>a<td><table><tr><td>b<td>c<tr><td>d<td>e</table></table>",
        "| a | b, c; d, e |\n| - | - |",
    );
}

#[test]
fn cells_of_several_lines_follow_the_names_of_their_columns() {
    check(
        "<table><tr><th>A<th>B<tr><td>x<td><pre>a b\nc &lt; d</pre></table>",
        "| A | B |\n| - | - |\n| x | `a b` `c < d` |",
    );
    let code = "<pre>1\n2\n3\n4\n5\n</pre>";
    let fence = "  ```\n  1\n  2\n  3\n  4\n  5\n  ```";
    check(
        &format!(
            "<table><caption>C<tr><th>A<th>B*<tr><td><p>p<p>q<td><ul><li>x</ul><tr><td>y<td>{code}</table>z"
        ),
        &format!(
            "C\n\n- **A:** p\n\n  q\n\n  **B\\*:**\n\n  - x\n\n- **A:** y\n\n  **B\\*:**\n\n{fence}\n\nz"
        ),
    );
    check(&format!("<table><tr><th>a<td>{code}</table>"), &format!("- **a**\n\n{fence}"));
    let deep = format!("<table><tr><th>h<th>i<tr><td>{code}<td>").repeat(300);
    assert!(read(&format!("{deep}word"), true, false).text.text.contains("word"));
}

#[test]
fn tables_of_layout_become_blocks() {
    check("<table role=presentation><tr><td><h2>a</h2><td>b</table>", "## a\n\nb");
    let inner = format!("<table><tr><td>{}<td>x</table>", "word ".repeat(200));
    let text = read(&format!("<table><tr><td>{inner}<td>menu</table>"), true, false).text.text;
    assert!(text.contains("\nmenu") && text.contains("| x |"), "of {text}");
}

#[test]
fn small_things() {
    check("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)");
    check("<ruby>漢<rt>kan</rt></ruby>", "漢(kan)");
    check(
        "10<span style='vertical-align: super; font-size: 8px'>5</span> H<span style='vertical-align:sub'>2</span>O",
        "10^5 H2O",
    );
    check(
        "<pre><code><span style='display: block'>a = 1</span><span style='display:block'>b = 2</span></code></pre>",
        "```\na = 1\nb = 2\n```",
    );
    check(
        "<p>Run <code><span style='display: block'>a 1</span><span style='display:block'>b 2</span></code>.",
        "Run `a 1 b 2`.",
    );
    check(
        "<div role=tablist><button role=tab>Debian</button><button role=tab>Fedora</button></div><p>x",
        "Debian\n\nFedora\n\nx",
    );
    check("<p>f(<em class='sig-param'>level</em>, <em>x</em>)", "f(level, *x*)");
    check("10<sup>5</sup> x<sup>2</sup> H<sub>2</sub>O 4<sup>th</sup>", "10^5 x^2 H2O 4th");
    check("<math alttext='x^2'><mi>x</mi></math> <math><mi>y</mi></math>", "$x^2$ $y$");
    check("<math><mfenced open='[' close=']'><mi>x</mi></mfenced><mspace/><mi>y</mi></math>", "$[x] y$");
    check(
        "<table><tr><td>a<td><math><mo>|</mo><mi>x</mi><mo>|</mo></math></table>",
        "| a | $\\|x\\|$ |\n| - | - |",
    );
    check(
        "<p><q>a</q><script>b</script><style>c</style><svg><text>d</text></svg><template>e</template>",
        "“a”",
    );
    check("<details><summary>a</summary>b</details>", "**a**\n\nb");
    check("<p>1. a<p># b<p>- c<p>&lt;b&gt; &amp;amp;", "1\\. a\n\n\\# b\n\n\\- c\n\n&lt;b> &amp;amp;");
}

#[test]
fn plain_text_has_no_markup() {
    check_plain(
        "<h1>a</h1><p><b>b</b> <a href=x>c</a> *d*<ul><li>e<ol><li>f</ol></ul><pre>g\n h</pre>",
        "a\n\nb c *d*\n\n- e\n1. f\n\ng\n h",
    );
}

#[test]
fn xhtml_closes_its_own_elements() {
    let page = "<?xml version='1.0'?><html><body><p><a id='x'/>a</p><script/><p>b</p></body></html>";
    let document = read(page, true, false);
    assert_eq!(document.text.text, "a\n\nb\n");
    assert_eq!(document.mime.as_deref(), Some("application/xhtml+xml"));
}

#[test]
fn blocks_know_their_lines() {
    let document = read("<h1>a</h1>\n<p>b\nc</p>\n\n<p>d</p>", true, false);
    let lines: Vec<Option<Locator>> = [0, 5, 10].map(|at| document.text.locate(Span::new(at, at + 1))).into();
    let expected = [(1, 1), (2, 3), (5, 5)].map(|(first, last)| Some(Locator::Lines { first, last }));
    assert_eq!(lines, expected, "of {:?}", document.text.text);
}

#[test]
fn spans_lead_through_entities_to_the_source() {
    let source = "<p>caf&eacute; au <b>lait</b></p>";
    let document = read(source, false, false);
    let found = |word: &str| {
        let at = document.text.text.find(word).expect("the word is there");
        document.text.map.source(Span::new(at, at + word.len())).expect("it has a source")
    };
    assert_eq!(&source[found("café").start..found("café").end], "caf&eacute;");
    assert!(!found("café").exact && found("lait").exact && !found("au lait").exact);
}

const PROSE: &str =
    "The quick brown fox jumps over the lazy dog, and nobody who saw it knows why it did so, or how often. ";

fn main_text(body: &str) -> String {
    read(&format!("<title>t</title><body>{body}"), true, true).text.text
}

#[test]
fn the_frame_is_left_out() {
    let text = main_text(&format!(
        "<header><a href=/>Home</a></header><nav><ul><li><a href=a>Menu</a></ul></nav><div class='cookie-banner'>We use \
         cookies to make this site better, and you cannot say no to all of them at once.</div><div id=content><h1>Fox</h1>\
         <p>{PROSE}<p>{PROSE}<div class='share-bar'>Share</div><p hidden>secret</p></div><aside class=sidebar>Teaser</aside>\
         <div id=comments><p>{PROSE} a comment</div><footer>Imprint</footer>"
    ));
    assert!(text.starts_with("# Fox\n\nThe quick"), "of {text}");
    for frame in ["Home", "Menu", "cookies", "Share", "secret", "Teaser", "comment", "Imprint"] {
        assert!(!text.contains(frame), "{frame} in {text}");
    }
}

#[test]
fn small_pages_are_taken_whole() {
    assert_eq!(
        main_text("<div class=nav-header><h2><a href=/home>Home</a></h2></div>"),
        "## [Home](/home)\n"
    );
}

#[test]
fn names_made_of_headings_are_no_cues() {
    let text = main_text(&format!(
        "<main><h1>Guide</h1><p>{PROSE}<div id=sharing-state><h2>Sharing state</h2><p>{PROSE}kept</div><pre><span \
         class=comment>// kept too</span></pre></main>"
    ));
    assert!(text.contains("kept\n") && text.contains("// kept too"), "of {text}");
}

#[test]
fn hidden_text_counts_where_it_is_nearly_all() {
    let text = main_text(&format!("<div style='display: none'><p>{PROSE}<p>{PROSE}</div><p>Loading"));
    assert!(text.contains("quick brown"), "of {text}");
}

#[test]
fn an_article_has_no_byline_and_its_sentences_no_addresses() {
    let page = format!(
        "<meta property=og:type content=article><article><h1>Fox</h1><div class=byline>By Ann</div><p>{PROSE}See <a \
         href=http://x.org>this page</a> too.<p>{PROSE}<ul><li><a href=/other>Another story</a></ul></article>"
    );
    let text = read(&page, true, true).text.text;
    assert!(
        text.contains("See this page too.") && !text.contains("Ann") && !text.contains("Another"),
        "of {text}"
    );
}

#[test]
fn the_headline_and_the_lead_above_the_body_of_an_article_are_text() {
    let page = |head: &str, above: &str| {
        format!(
            "<meta property=og:type content=article><title>{head}</title><header><h1><a href=/>The Daily \
             Fox</a></h1></header><article>{above}<div class=article__body><p>{PROSE}<p>{PROSE}<h2>Since \
             when</h2><p>{PROSE}<p>{PROSE}</div></article>"
        )
    };
    let check = |head: &str, above: &str, expected: &str| {
        let text = read(&page(head, above), true, true).text.text;
        let found = text.split("The quick").next().expect("something stands before it");
        assert_eq!(found, expected, "of {head:?}, {above:?}");
    };
    let lead = "<div class=info><span class=authors>By Ann</span> <a href=/f>Foxes</a></div><div class=lead>Nobody knows \
                why the fox jumped over the dog, say those who saw it.</div>";
    let said = "Nobody knows why the fox jumped over the dog, say those who saw it.\n\n";
    let heading = "<h1>A fox jumps</h1>";
    check("A fox jumps | The Daily Fox", &format!("{heading}{lead}"), &format!("# A fox jumps\n\n{said}"));
    check("A fox jumps – news of the day from The Daily Fox", heading, "# A fox jumps\n\n");
    check("A fox jumps and more news of the day", heading, "");
    check("Foxes", lead, "");
    check("A fox jumps", &format!("<div hidden>{heading}</div>{lead}"), "");
    let teasers = format!("{heading}<p>{PROSE}<p>{PROSE}<p>{PROSE}<p>{PROSE}<p>{PROSE}");
    check("A fox jumps", &teasers, "# A fox jumps\n\n");
}

#[test]
fn what_a_page_says_about_itself() {
    let page = "<html lang=de><title>T</title><meta name=author content='A B'><meta name=description content='D  d'>\
                <script type='application/ld+json'>{\"@type\":\"NewsArticle\",\"datePublished\":\"2020-01-02\"}</script>";
    let found = read(page, true, true).metadata;
    let found: Vec<(&str, &str)> = found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let expected = [
        ("title", "T"),
        ("language", "de"),
        ("author", "A B"),
        ("date", "2020-01-02"),
        ("description", "D d"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn hostile_pages_are_read_all_the_same() {
    let many = |part: &str| part.repeat(3_000);
    for part in [
        "<div>",
        "<b><i>",
        "<table><tr><td>",
        "<ul><li>",
        "<blockquote>x",
        "<a href=x>",
        "<dl><dt>x<dd>",
        "<svg>",
        "<![>",
    ] {
        let text = read(&format!("{}word", many(part)), true, true).text.text;
        assert!(text.contains("word") || part == "<svg>", "of {part}");
        assert!(text.len() < 3_000 * 60, "of {part}: {}", text.len());
    }
    let rows = "<tr>".to_owned() + &"<td colspan=1000 rowspan=60000>abc".repeat(100);
    assert!(read(&format!("<table>{}", rows.repeat(200)), true, false).text.text.len() < 3_000_000);
}

#[test]
fn any_bytes_make_a_page() {
    let parts = [
        "<p>",
        "</p>",
        "<table>",
        "<td>",
        "<tr>",
        "a",
        " ",
        "\n",
        "&amp;",
        "&#0;",
        "\0",
        "<b>",
        "</b>",
        "<a href=x>",
        "</a>",
        "é",
        "<li>",
        "<ul>",
        "</ul>",
        "<h1>",
        "</h1>",
        "<pre>",
        "</pre>",
        "<svg>",
        "<math>",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "<select>",
        "<option>",
        "<template>",
        "<frameset>",
        "<dd>",
        "<blockquote>",
        "<code>",
        "</code>",
        "`",
        "|",
        "<br>",
        "<img alt=q>",
        "<caption>",
        "<div class=nav>",
        "</div>",
        "<sup>",
        "<ruby>",
        "<rt>",
        "\r\n",
        "<![CDATA[",
        "<",
        "&",
        "<p",
        "<details>",
        "<summary>",
    ];
    let mut seed = 7u64;
    for _ in 0..3_000 {
        let mut page = String::new();
        for _ in 0..40 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            page.push_str(parts[(seed >> 33) as usize % parts.len()]);
        }
        for (markdown, main) in [(true, true), (true, false), (false, true)] {
            read(&page, markdown, main);
        }
    }
}
