#!/usr/bin/env python3
"""Writes the pages of this folder: one of each kind of page that the web has, with the furniture that such pages have."""

SENTENCES = """The keepers of the harbour light their lamps an hour before the sun goes down.
Nobody has counted them since the winter of the long storm, when the mole broke.
A lamp that is out at midnight is written into the book, and another keeper looks at it.
Oil comes by ship from the north, in barrels that two people can roll along the quay.
In summer the nights are short, and half of the lamps stay dark to save it.
The tower can be seen from the bar, but not from the fishing grounds behind it.
Visitors ask why the lamps are green, and every keeper tells another story about this.
When fog comes, a bell is rung from the end of the mole until the ships answer.
The council pays for the glass, the ships pay for the oil, and the wind pays for nothing.
Young keepers learn the walk in a week and the wind in ten years.
On the first of March the wicks are changed, whatever the weather may be.
What was lost in the flood was written again from memory, with all its errors.""".split("\n")
used = 0


def prose(sentences):
    """Sentences; no two paragraphs are alike."""
    global used
    used += 1
    chosen = [SENTENCES[(used * 5 + at * 7) % len(SENTENCES)] for at in range(sentences)]
    return " ".join([f"The winter of {1900 + used} was long.", *chosen])


def paragraphs(count, sentences=3):
    return "\n".join(f"<p>{prose(sentences)}</p>" for _ in range(count))


def write(name, page):
    with open(name, "w", encoding="utf-8") as file:
        file.write(page.strip() + "\n")


MENU = '<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/lamps">Lamps</a></li></ul></nav>'

write("news.html", f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Harbour lights its lamps | Saltmere Post</title>
<meta property="og:type" content="article"><meta property="og:title" content="Harbour lights its lamps">
<meta name="author" content="Rosa Quill"><meta name="description" content="What the keepers do at dusk.">
<meta property="article:published_time" content="2024-03-01T18:00:00+01:00">
<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "Harbour lights its lamps",
"author": {{"name": "Rosa Quill"}}, "datePublished": "2024-03-01"}}</script></head>
<body><a class="skip-link" href="#main">Skip to content</a>
<div class="cookie-banner" role="dialog"><p>We use cookies to count our readers. You may refuse them, but then a part of this page stays dark, as a lamp without oil does.</p><button>Accept</button></div>
<header class="site-header"><a href="/">Saltmere Post</a>{MENU}</header>
<main id="main"><article>
<header><p class="kicker">Harbour</p><h1>Harbour lights its lamps</h1>
<p class="standfirst">After the storm, all posts on the quay burn again: a walk with the keepers, who had little sleep.</p>
<p class="byline">By <a rel="author" href="/quill">Rosa Quill</a> <time datetime="2024-03-01">1 March 2024</time></p>
<div class="share-buttons"><a href="#">Share</a> <a href="#">Tweet</a> <a href="#">Mail</a></div></header>
<figure><img src="quay.jpg" alt="The quay at dusk"><figcaption>The quay at dusk. <span class="credit">Photo: S. Wharton</span></figcaption></figure>
<div class="article-body">{paragraphs(3, 4)}
<aside class="related"><h3>More on this</h3><ul><li><a href="/1">Why the mole broke</a></li><li><a href="/2">Oil: the price of light</a></li></ul></aside>
<h2>The walk</h2>{paragraphs(2, 4)}
<div class="advertisement">Advertisement <a href="/buy">Buy lanterns</a></div>
<blockquote class="pullquote"><p>“We count what burns, not what was lit.”</p><footer>— a keeper</footer></blockquote>
<p>See also <a href="/mole?utm_source=x">the report on the mole</a>, <em>which</em> the council read in <strong>February</strong>.<br>It has 40 pages.</p>
{paragraphs(1, 3)}</div>
<footer class="tags">Tags: <a href="/t/lamps">lamps</a>, <a href="/t/oil">oil</a></footer></article>
<section id="comments"><h2>2 comments</h2><div class="comment"><b>Ann</b><p>My father lit those lamps for thirty years and never lost one of them to the wind.</p></div><div class="comment"><b>Bo</b><p>The green is from copper, is it not? I have read so in a book about glass.</p></div></section>
</main><aside class="sidebar"><h2>Most read</h2><ol><li><a href="/3">Ferry late</a></li><li><a href="/4">Gull steals hat</a></li></ol>
<form class="newsletter"><label>Your mail <input type="email"></label><button>Subscribe</button></form></aside>
<footer class="site-footer"><p>© 2024 Saltmere Post. All rights reserved. <a href="/privacy">Privacy</a> <a href="/imprint">Imprint</a></p></footer></body></html>""")

write("headline_outside.html", f"""<!doctype html><html><head><title>Oil and wicks - Coast by night</title></head><body>
<div id="header"><ul class="menu"><li><a href="/a">One</a><li><a href="/b">Two</a></ul></div>
<div id="wrapper"><h1>Oil and wicks</h1><p class="meta">Posted on 3 May by ann in <a href="/c">tools</a></p>
<p>Every lamp needs both, and most keepers think of one of them only until the other one is gone.</p>
<div class="columns"><div class="left-column"><p><a href="/x">Archive</a> <a href="/y">2023</a> <a href="/z">2022</a></p></div>
<div class="entry-content">{paragraphs(5, 4)}
<ul><li>Wicks: cotton, <code>12 mm</code></li><li>Oil: 2 l a night<ol><li>winter</li><li value="5">summer</li></ol></li></ul>
<dl><dt>Wick</dt><dd>A band of cotton.</dd><dt>Font</dt><dd>Holds the oil.</dd><dd>Also: a set of letters.</dd></dl>
</div></div>
<div class="post-navigation"><a href="/p">Previous: Glass</a> <a href="/n">Next: Posts</a></div>
<div class="related-posts"><h3>You may also like</h3><ul><li><a href="/1">Glass, green and white, and what it costs</a></li><li><a href="/2">Posts of iron</a></li></ul></div></div>
<div id="footer">Powered by wind</div></body></html>""")

write("documentation.html", f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>lamp.light() - Lamps 2.1 documentation</title></head><body>
<div class="sphinxsidebar"><h3>Navigation</h3><ul><li><a href="index.html">Index</a><ul><li><a href="lamp.html">lamp</a></li></ul></li></ul><h3>Quick search</h3><form><input name="q"></form></div>
<div class="document" role="main"><h1>lamp.light()<a class="headerlink" href="#light" title="Permalink">¶</a></h1>
<p>Lights a lamp. It was added in version 1.2. {prose(3)}</p>
<pre class="highlight language-python"><code><span class="kn">import</span> lamp
<span class="comment"># all of them</span>
for one in lamp.all():
    one.light(oil=<span class="mi">2</span>)
</code></pre>
<h2>Parameters</h2><table class="params"><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody><tr><td><code>oil</code></td><td>number</td><td>Litres; default <code>1</code></td></tr>
<tr><td><code>side</code></td><td>text</td><td>One of <code>left</code>, <code>right</code><ul><li>left: the sea</li><li>right: the town</li></ul></td></tr></tbody></table>
<div class="admonition note"><p class="admonition-title">Note</p><p>A lamp that burns already stays as it is, whatever the oil that was asked for.</p></div>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>Never light a lamp in rain. {prose(1)}</p></div>
<h2>Returns</h2><p>True if it burns. See <a class="reference" href="dark.html">dark()</a> and <a href="https://example.org/spec#lamp">the specification</a>.</p>
<h3>Exit codes</h3><dl class="docutils"><dt><code>0</code></dt><dd><p>It burns.</p></dd><dt><code>1</code></dt><dd><p>No oil.</p><p>Ask for more.</p></dd></dl>
<details><summary>Show an example</summary><pre>$ lamp light 7
7: burns</pre></details><p>Press <kbd>Ctrl</kbd>+<kbd>C</kbd> to stop. 10<sup>5</sup> lamps, H<sub>2</sub>O, 1<sup>st</sup> lamp, x<sup>n</sup>.</p>
<p>{prose(4)}</p></div>
<div class="related" role="navigation"><a href="a.html">previous</a> | <a href="b.html">next</a></div><div class="footer">© Copyright 2024. Created with a lamp.</div></body></html>""")

write("forum.html", f"""<!doctype html><html><head><title>Which oil? - Keepers' forum</title><link rel="canonical" href="https://forum.example.org/viewtopic.php?t=12"></head><body>
<div class="navbar"><a href="/">Board index</a> <a href="/faq">FAQ</a> <a href="/login">Login</a></div><h2 class="topic-title">Which oil?</h2>
<div class="pagination">3 posts • Page 1 of 1</div>
<div class="post" id="p1"><dl class="postprofile"><dt><a href="/u/ann">ann</a></dt><dd>Posts: 112</dd><dd>Joined: 2003</dd></dl><div class="postbody"><h3>Which oil?</h3><p class="author">by ann » 3 May 2024</p><div class="content">Which oil do you burn in winter? {prose(3)}</div><div class="signature">Light them all.</div></div></div>
<div class="post" id="p2"><dl class="postprofile"><dt><a href="/u/bo">bo</a></dt><dd>Posts: 3</dd></dl><div class="postbody"><div class="content"><blockquote><cite>ann wrote:</cite>Which oil do you burn in winter?</blockquote>Rape oil, and I warm it first. {prose(2)}</div></div></div>
<div class="post" id="p3"><dl class="postprofile"><dt>cy</dt></dl><div class="postbody"><div class="content">The same here. {prose(2)}<br><br>It smells, though.</div></div></div>
<div class="copyright">Powered by a board</div></body></html>""")

write("product.html", f"""<!doctype html><html><head><title>Lantern, green</title><meta property="og:type" content="product">
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "Product", "name": "Lantern, green"}}</script></head><body>{MENU}
<div class="breadcrumb"><a href="/">Shop</a> › <a href="/l">Lanterns</a> › Lantern, green</div>
<main><h1>Lantern, green</h1><div class="gallery"><img alt="Lantern from the left"><img alt="Lantern from the right"><img alt="Lantern from above"></div>
<p class="price">12.50 crowns</p><form><select><option>small<option>large</select><button>Add to basket</button></form>
<div class="description"><p>A lantern of brass with green glass. {prose(4)}</p><p>{prose(3)}</p></div>
<table><tr><th>Height</th><td>31 cm</td></tr><tr><th>Burns</th><td>11 hours</td></tr><tr><th>Glass</th><td>green, 3 mm</td></tr></table>
<div id="reviews" class="reviews"><h2>Reviews</h2><div class="review"><p>It burned all night in the wind, which no other lantern did in my boat.</p></div><div class="review"><p>Smaller than I thought, but the light is good and the glass is thick.</p></div></div></main>
<div class="recommendations"><h2>Customers also bought</h2><a href="/1">Wicks</a> <a href="/2">Oil</a></div></body></html>""")

write("wiki.html", f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Saltmere - Harbour wiki</title></head><body><div id="content" class="mw-body"><h1 id="firstHeading">Saltmere</h1>
<div id="mw-content-text"><div class="hatnote">For the fish, see <a href="/Salt">Salt mere</a>.</div>
<table class="infobox"><caption>Saltmere</caption><tr><th colspan="2"><img alt="Arms of Saltmere"></th></tr><tr><th>Country</th><td>Coast</td></tr><tr><th>Lamps</th><td>112<sup class="reference"><a href="#cite-1">[1]</a></sup></td></tr></table>
<p><b>Saltmere</b> is a harbour on the coast.<sup class="reference"><a href="#cite-1">[1]</a></sup> {prose(4)}<sup class="reference"><a href="#cite-2">[2]</a></sup></p>
<div id="toc" class="toc"><h2>Contents</h2><ul><li><a href="#History">1 History</a></li><li><a href="#Lamps">2 Lamps</a></li></ul></div>
<h2><span id="History">History</span><span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2>{paragraphs(2, 4)}
<h2><span id="Lamps">Lamps</span><span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2><p>{prose(2)}</p>
<table class="wikitable sortable"><caption>Lamps by quay</caption><tr><th rowspan="2">Quay</th><th colspan="2">Lamps</th><th rowspan="2">Since</th></tr><tr><th>green</th><th>white</th></tr>
<tr><td>North</td><td>40</td><td>12</td><td rowspan="2">1871</td></tr><tr><td>South</td><td>51</td><td>9</td></tr><tr><td>Mole</td><td colspan="2">none</td><td>1902</td></tr></table>
<div class="thumb"><img alt="Map of the quays"><div class="thumbcaption">The quays of Saltmere</div></div>
<p>{prose(3)}</p><math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>
<h2>References</h2><ol class="references"><li id="cite-1"><a href="#ref-1">^</a> Quill, R. (1998). <i>Lamps</i>. p. 12.</li><li id="cite-2"><a href="#ref-2">^</a> Wharton, S. <cite>Tides</cite>, 2001.</li></ol>
<table class="navbox"><tr><th>Harbours of the coast</th></tr><tr><td><a href="/n">Northport</a> • <a href="/g">Gull Bay</a> • <a href="/o">Old Quay</a></td></tr></table></div></div>
<div id="mw-navigation"><h2>Navigation menu</h2><ul><li><a href="/t">Talk</a></li><li><a href="/h">History</a></li></ul></div><div id="catlinks">Categories: <a href="/c">Harbours</a></div></body></html>""")

write("old.html", f"""<HTML><HEAD><TITLE>My harbour page</TITLE></HEAD><BODY BGCOLOR=white><CENTER><FONT SIZE=5>My harbour page</FONT></CENTER>
<TABLE WIDTH=100% BORDER=0><TR><TD WIDTH=120 VALIGN=top><A HREF=a.htm>Home</A><BR><A HREF=b.htm>Boats</A><BR><A HREF=c.htm>Links</A></TD><TD>
<H2>Boats</H2>{prose(4)}<P>{prose(3)}<HR><TABLE BORDER=1><TR><TD>Boat<TD>Length<TD>Built<TR><TD>Gull<TD ALIGN=right>12 m<TD>1931<TR><TD>Petrel<TD ALIGN=right>9 m<TD>1950</TABLE>
<P><FONT COLOR=red>New!</FONT> {prose(2)}<UL><LI>One<LI>Two<UL><LI>Two and a half</UL><LI>Three</UL><PRE>tide    low   high
Mon     04:10 10:20
Tue     04:50 11:00</PRE><ADDRESS>Mail to keeper@example.org</ADDRESS><I>Last changed 3.5.1998</I> &copy; me &amp; co &#151; caf&eacute; &#x263A; &unknown; &lt;tag&gt;
</TD></TR></TABLE></BODY></HTML>""")

write("twice.html", f"""<!doctype html><html><head><title>Notice of the harbour master</title></head><body><main>
<div class="desktop-only"><p>The north quay is closed from Monday until the stones have been set again, which may take three weeks.</p></div>
<div class="mobile-only"><p>The north quay is closed from Monday until the stones have been set again, which may take three weeks.</p></div>
<h1>Notice of the harbour master</h1>{paragraphs(4, 4)}
<div class="slide"><h3>Gull Bay in winter</h3><p>A walk of two hours along the ice, with tea at the end of it and lamps on both sides.</p></div>
<div class="slide"><h3>Old Quay in spring</h3><p>The boats are painted, and whoever comes may hold a brush for an hour or for a day.</p></div>
<div class="slide"><h3>Gull Bay in winter</h3><p>A walk of two hours along the ice, with tea at the end of it and lamps on both sides.</p></div>
<div class="slide"><h3>Old Quay in spring</h3><p>The boats are painted, and whoever comes may hold a brush for an hour or for a day.</p></div>
<ul><li>No mooring at night without a lamp at the bow</li><li>No mooring at night without a lamp at the bow</li></ul>
<p style="display:none">Hidden words.</p><p hidden>More hidden words.</p><p class="sr-only">Words for screen readers.</p><p aria-hidden="true">Shown to eyes only.</p><noscript>Needs a script.</noscript><template><p>Later</p></template></main></body></html>""")

write("list.html", """<!doctype html><html><head><title>All lanterns</title></head><body><header><a href="/">Shop</a></header><h1>All lanterns</h1><p>24 found</p><div class="grid">"""
    + "".join(f'<div class="card"><a href="/l/{at}"><h3>Lantern {at}</h3></a><span>{at * 3}.50 crowns</span><p>Brass, {at + 4} hours</p></div>' for at in range(1, 9))
    + """</div><div class="pager"><a href="?p=2">2</a> <a href="?p=3">3</a> <a href="?p=2">Next</a></div><footer>Imprint</footer></body></html>""")

write("questions.html", f"""<!doctype html><html><head><title>Questions - Harbour</title></head><body>{MENU}<article><h1>Questions</h1><p>{prose(3)}</p>
<div class="accordion"><h3><button>When are the lamps lit?</button></h3><div class="collapse" hidden><p>An hour before the sun goes down, on every day of the year. {prose(1)}</p></div>
<h3><button>Who pays?</button></h3><div class="collapse" style="display: none"><p>The ships pay for oil, the council for glass. {prose(1)}</p></div></div>
<ul class="tabs"><li><a href="#w">Winter</a></li><li><a href="#s">Summer</a></li></ul><div class="tab-pane" id="w"><p>In winter all lamps burn. {prose(2)}</p></div><div class="tab-pane" id="s"><p>In summer half of them do. {prose(2)}</p></div>
<p>Read <a href="https://example.org/a_(b)">this</a>, <a href="mailto:a@example.org">write</a>, <a href="tel:14">call</a> or <a href="javascript:go()">click</a>. <q>Quoted</q>, <s>old</s>, <ins>new</ins>, <mark>marked</mark>, <abbr title="Harbour Master">HM</abbr>, <u>lined</u>, <small>small</small>, <tt>tt</tt>, <var>x</var>, <ruby>灯<rt>light</rt></ruby>.</p>
<ol type="a" start="3"><li>third</li><li>fourth<p>with more</p></li></ol><ol reversed><li>three</li><li>two</li></ol><blockquote><p>One.</p><blockquote><p>Two, inside.</p></blockquote><pre>code</pre></blockquote>
<video><track></video><iframe src="x"></iframe><object>A film of the quay.</object><svg><text>drawn</text></svg><textarea>typed</textarea></article></body></html>""")

write("arabic.html", """<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>مصابيح الميناء</title></head><body><article><h1>مصابيح الميناء</h1><p>يضيء الحراس مصابيح الميناء كل مساء قبل غروب الشمس بساعة. ثم يكتبون عددها في الدفتر. ولا يعرف أحد كم مصباحا ينطفئ في الليل.</p><p>تأتي السفن من الشمال ومعها الزيت. يدفع المجلس ثمن الزجاج، وتدفع السفن ثمن الزيت، ولا تدفع الريح شيئا.</p><table><tr><th>الرصيف</th><th>المصابيح</th></tr><tr><td>الشمالي</td><td>40</td></tr></table></article></body></html>""")


def news(name, head, body, title="The mole is mended", kind="NewsArticle"):
    """A page of a newspaper: furniture around `body`, which is the article with everything that stands inside of it."""
    write(f"news_{name}.html", f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title} - Saltmere Post</title>
<meta property="og:type" content="article"><meta property="og:title" content="{title}">
<script type="application/ld+json">{{"@type": "{kind}", "headline": "{title}"}}</script>{head}</head>
<body><header><a href="/">Saltmere Post</a>{MENU}</header>
{body}
<footer><p>© 2024 Saltmere Post. All rights reserved.</p></footer></body></html>
""")


LEAD = "Three years after the storm the last stone is laid, and the ferry may call at the old steps again."

news("apart", "", f"""<div class="hero"><div class="hero__text"><span class="section">Harbour</span><h1>The mole is mended</h1></div>
<picture><img src="mole.jpg" alt="The mole from the sea"></picture></div>
<div class="layout"><div class="layout__intro"><p class="intro">{LEAD}</p><p class="byline">By Rosa Quill</p></div>
<div class="layout__text article__body">{paragraphs(5)}</div></div>""")

news("related", "", f"""<main><article><h1>The mole is mended</h1><p>{LEAD}</p>
{paragraphs(2)}<p><strong>Read more: <a href="/1">Why the mole broke</a></strong></p>
{paragraphs(1)}<ul><li><a href="/2">The price of stone</a></li><li><a href="/3">A ferry without a port</a></li></ul>
{paragraphs(1)}<div class="inline-story"><a href="/4"><h3>Who pays for the harbour?</h3><p>Council and ships cannot agree.</p></a></div>
{paragraphs(1)}<p>The <a href="/5">report of the council</a> has the figures.</p>
<h2>More on this story</h2><ul><li><a href="/6">Ten pictures of the storm</a> <span>3 May</span></li>
<li><a href="/7">The diver who found the bell</a> <span>9 May</span></li></ul></article></main>""")

news("captions", "", f"""<main><article><h1>The mole is mended</h1><p>{LEAD}</p>
<figure><img src="1.jpg" alt="Masons set the last stone of the mole" title="Masons set the last stone of the mole">
<figcaption>Masons set the last stone of the mole <small>Photo: S. Wharton</small></figcaption></figure>
<p class="caption-text">Masons set the last stone of the mole</p>{paragraphs(2)}
<div class="image"><img src="2.jpg" alt="The old steps at low water in spring"><div class="image-caption">The old steps at low water in spring</div></div>
{paragraphs(2)}</article></main>""")

news("noscript", "", f"""<main><article><h1>The mole is mended</h1><p>{LEAD}</p>
<figure><img data-src="1.jpg" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="">
<noscript><img src="1.jpg" alt="Masons on the mole at noon"></noscript><figcaption>Masons at noon.</figcaption></figure>
{paragraphs(2)}<div class="lazy"><noscript><img src="2.jpg" alt="The bell of the old ferry"/></noscript></div>
{paragraphs(2)}<noscript><p>Switch on JavaScript to read the comments.</p></noscript></article></main>""")

news("live", "", f"""<main><article class="live"><h1>The mole is mended</h1><p>{LEAD}</p>
{"".join(f'<article class="entry"><time>1{hour}:30</time><h2>Stone {hour} is laid</h2>{paragraphs(2)}</article>' for hour in range(1, 5))}
</article></main>""", kind="LiveBlogPosting")

news("gallery", "", f"""<main><article><h1>The mole is mended</h1><p>{LEAD}</p>{paragraphs(2)}
<div class="slideshow">{"".join(f'<div class="slide"><img src="{at}.jpg" alt=""><p class="slide-caption">Picture {at} of 3: {prose(1)}</p></div>' for at in (1, 2, 3))}
<a class="prev" href="#">Previous</a><a class="next" href="#">Next</a></div>{paragraphs(2)}</article></main>""")

news("blocks", "", f"""<div class="site-content"><article class="post-7 post type-post status-publish hentry category-sharing tag-cookies">
<header class="entry-header"><h1 class="entry-title">The mole is mended</h1><div class="entry-meta">Posted on <time>1 May 2024</time> by <a rel="author" href="/a">Rosa Quill</a></div></header>
<div class="entry-content"><p class="has-large-font-size">{LEAD}</p>{paragraphs(3)}
<div class="wp-block-columns"><div class="wp-block-column">{paragraphs(1)}</div><div class="wp-block-column">{paragraphs(1)}</div></div>
<div class="sharedaddy"><h3>Share this:</h3><ul><li><a href="#">Mail</a></li></ul></div>
<div id="jp-relatedposts"><h3>Related</h3><p><a href="/8">The bell</a></p></div></div>
<footer class="entry-footer">Filed under <a rel="category tag" href="/c">Sharing</a></footer></article>
<div id="comentarios"><h3>2 comentarios</h3><p>{prose(2)}</p></div></div>""", kind="BlogPosting")

news("twice", "", f"""<main><div class="top"><h1>The mole is mended</h1><p class="standfirst">{LEAD}</p></div>
<div class="mobile-top"><h1>The mole is mended</h1><p class="standfirst">{LEAD}</p></div>
<article><div class="article-text"><p class="lead">{LEAD}</p>{paragraphs(4)}</div></article></main>""")

news("wall", "<style>.faded{opacity:.3}</style>", f"""<main><article><h1>The mole is mended</h1><p>{LEAD}</p>
<div class="story-text">{paragraphs(2)}<div class="faded">{paragraphs(2)}</div></div>
<div class="paywall-overlay" role="dialog"><h2>Read on with Post Plus</h2><p>Get the whole paper for one shilling a week, and end whenever you like.</p><button>Subscribe</button></div>
</article></main>""")

news("boxes", "", f"""<main><article><header><h1>The mole is mended</h1><p>{LEAD}</p>
<div class="audio" role="region"><span role="button" tabindex="0">Listen to this article</span><button>Play</button></div></header>
{paragraphs(2)}<div class="newsletter-box"><h3>The harbour by mail</h3><p>Every Friday, all ships and tides of the week.</p><form><input type="email"><button>Sign up</button></form></div>
<div class="facts info-box"><h3>The mole in figures</h3><ul><li>Length: 310 metres</li><li>Stones: 4,120</li></ul></div>{paragraphs(2)}
<div class="author-bio byline"><img src="q.jpg" alt="Rosa Quill"><p>Rosa Quill writes about harbours, ships and the people who wait for them. She has been with the Post since 1998, first as a typesetter and then, after the great strike, as a reporter. She lives with two gulls, of which one is tame, in the house below the lamp, and is at work on a book about all the bells that were ever lost in the bay.</p></div>
<article class="teaser"><h3><a href="/9">The last typesetter</a></h3><p>He set the news of the storm by hand, and by candle.</p></article></article></main>""")

# Reference manuals: a title outside of the element with the text, numbered code, sections that are items of lists.
write("manual.html", f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>lamp(1)</title></head><body class="manpage">
<div id="header"><h1>lamp(1) Manual Page</h1><h2>NAME</h2><div class="sectionbody"><p>lamp - light the lamps of a quay</p></div></div>
<div id="content"><h2>DESCRIPTION</h2><div class="sectionbody">{paragraphs(3)}</div>
<h2>EXAMPLES</h2><pre class="line-numbers"><code class="language-sh">lamp --all north
lamp --out</code></pre>
<table class="highlighttable"><tr><td class="linenos"><pre>1
2</pre></td><td><pre>while wind; do
  lamp</pre></td></tr></table>
<ul class="summary-list"><li><section><h2>Options</h2><p>{prose(2)}</p>
<ul><li><h3>--all</h3><p>{prose(1)}</p><ul><li>north</li><li>south</li></ul></li><li><h3>--out</h3><p>{prose(1)}</p></li></ul></section></li>
<li><section><h2>Files</h2><p>{prose(2)}</p></section></li></ul></div>
<div id="footer"><div>Last updated 2024-05-31</div></div></body></html>
""")
