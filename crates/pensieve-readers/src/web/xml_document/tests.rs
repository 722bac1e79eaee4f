//! Small documents of each vocabulary.

use super::roles::ROLES;
use super::*;
use crate::source::DiscardingSink;

fn check(xml: &str, expected: &str) {
    let mut file = std::io::Cursor::new(xml.as_bytes());
    let mut source = DocumentSource::new(&mut file, "a.xml").unwrap();
    let document = read(&mut source, &ReadSettings::default(), &mut DiscardingSink).unwrap();
    assert_eq!(document.text.text, expected, "of {xml}");
    for run in document.text.map.runs().iter().filter(|run| run.exact) {
        assert_eq!(document.text.text[run.out..run.out_end()], xml[run.src..run.src_end()]);
    }
}

#[test]
fn roles_are_sorted_and_said_once() {
    assert!(ROLES.is_sorted_by(|a, b| a.0 < b.0));
}

#[test]
fn articles_have_sections_tables_and_references() {
    check(
        "<article><front><journal-meta><x>no</x></journal-meta><article-meta><title-group><article-title>Drift\
         </article-title></title-group></article-meta></front><body><sec><label>1</label><title>Methods</title>\
         <p>In <italic>open</italic> water at 10<sup>3</sup> m of H<sub>2</sub>O, the 1<sup>st</sup>.</p><table-wrap><label>Table 1</label><caption><title>By</title><p>site\
         </p></caption><table><tr><th>Site</th><th>km</th></tr><tr><td>North</td><td>4</td></tr></table></table-wrap></sec></body><back>\
         <ref-list><title>References</title><ref><label>1</label><mixed-citation>Falk. <article-title>Tides</article-title>.\
         </mixed-citation></ref></ref-list></back></article>",
        "# Drift\n\n## 1 Methods\n\nIn *open* water at 10^3 m of H2O, the 1st.\n\nTable 1 By site\n\n| Site | km |\n| - | - |\n| North | 4 |\n\n\
         ## References\n\n- 1 Falk. Tides.\n",
    );
}

#[test]
fn parts_of_names_have_blanks_between_them() {
    check(
        "<article><front><contrib><name><surname>Falk</surname><given-names>Ines</given-names></name></contrib></front>\
         <back><ref-list><ref><element-citation><name><surname>Bo</surname></name><year>2019</year>\
         <article-title>Tides</article-title></element-citation></ref></ref-list></back></article>",
        "- Author: Falk Ines\n- Bo 2019 Tides\n",
    );
    check(
        "<book><chapter><title>A</title><informaltable><tgroup><row><entry>a</entry><entry>b</entry></row></tgroup>\
         </informaltable><figure><title>Fig</title></figure><note><title>N</title><para>n</para></note></chapter></book>",
        "## A\n\n| a | b |\n| - | - |\n\nFig\n\n> N\n>\n> n\n",
    );
}

#[test]
fn books_and_editions_have_chapters_lists_and_listings() {
    check(
        "<book><info><title>Pumps</title></info><chapter><title>Valves</title><para>Use <command>v</command> and \
         <link xlink:href='https://a.example/'>this</link>.</para><orderedlist><listitem><para>one</para></listitem>\
         <listitem><para>two</para></listitem></orderedlist><screen>a\n  b</screen></chapter></book>",
        "# Pumps\n\n## Valves\n\nUse `v` and [this](https://a.example/).\n\n1. one\n2. two\n\n```\na\n  b\n```\n",
    );
    check(
        "<TEI><teiHeader><fileDesc><titleStmt><title>Lamps</title></titleStmt><publicationStmt><p>no</p>\
         </publicationStmt></fileDesc></teiHeader><text><body><div><head>One</head><p>Read <title>Tides</title>.</p>\
         <lg><l>first</l><l>second</l></lg></div></body></text></TEI>",
        "# Lamps\n\n## One\n\nRead *Tides*.\n\nfirst\\\nsecond\n",
    );
}

#[test]
fn feeds_have_entries_with_pages() {
    check(
        "<feed><title>N</title><entry><title type='html'>Pier &amp;amp; &lt;b&gt;quay&lt;/b&gt;</title></entry></feed>",
        "# N\n\n## Pier & **quay**\n",
    );
    check(
        "<rss><channel><title>News</title><item><title>Pier</title><link>https://a.example/1</link>\
         <description>&lt;p&gt;The &lt;b&gt;north&lt;/b&gt; pier.&lt;/p&gt;</description></item></channel></rss>",
        "# News\n\n## Pier\n\n- Link: https://a.example/1\n\nThe **north** pier.\n",
    );
    check(
        "<feed><title>News</title><entry><title>Pier</title><link href='https://a.example/1'/><id>urn:1</id>\
         <content type='xhtml'><div><p>The <b>north</b> pier.</p></div></content></entry></feed>",
        "# News\n\n## Pier\n\nLink: https://a.example/1\n\nThe **north** pier.\n",
    );
    check(
        "<opml><head><title>Feeds</title></head><body><outline text='Sea'><outline text='Pier' htmlUrl='https://a.example/'/>\
         </outline></body></opml>",
        "# Feeds\n\n- Sea\n  - [Pier](https://a.example/)\n",
    );
}

#[test]
fn broken_documents_give_what_they_have() {
    check("<article><sec><title>a<p>b", "## a\n\n## b\n");
    check("", "");
}

#[test]
fn news_and_patents_have_headings_and_paragraphs() {
    check(
        "<nitf><head><title>x</title></head><body><body.head><hedline><hl1>Pier opens</hl1></hedline><byline>By Ines</byline>\
         </body.head><body.content><p>One.</p><p>Two.</p></body.content></body></nitf>",
        "# Pier opens\n\nBy Ines\n\nOne.\n\nTwo.\n",
    );
    check(
        "<us-patent-grant><us-bibliographic-data-grant><invention-title>Lamp holder</invention-title></us-bibliographic-data-grant>\
         <description><heading>BACKGROUND</heading><p>See FIG. <figref>1</figref>.</p></description><claims><claim><claim-text>A holder\
         <claim-text>with a hook.</claim-text></claim-text></claim></claims></us-patent-grant>",
        "# Lamp holder\n\n## BACKGROUND\n\nSee FIG. 1.\n\nA holder\n\nwith a hook.\n",
    );
    check(
        "<tt><head>x</head><body><div><p>Good<br/>evening.</p><p>Welcome.</p></div></body></tt>",
        "Good\\\nevening. Welcome.\n",
    );
}

#[test]
fn formulas_are_tex_and_looks_of_editions_are_marks() {
    let math = "<mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>";
    let tex = "<tex-math>\\documentclass{x}\\begin{document}$$x^{2}$$\\end{document}</tex-math>";
    check(&format!("<article><p>so {math} holds</p></article>"), "so $x^2$ holds\n");
    check(
        &format!("<article><p>so <alternatives>{tex}{math}</alternatives> holds</p></article>"),
        "so $x^{2}$ holds\n",
    );
    check(&format!("<article><p>a</p><disp-formula>{math}</disp-formula></article>"), "a\n\n$$x^2$$\n");
    check(
        "<TEI><text><p>10<hi rend='superscript'>6</hi> <hi rend='bold'>b</hi> <hi>i</hi></p></text></TEI>",
        "10^6 **b** *i*\n",
    );
}
