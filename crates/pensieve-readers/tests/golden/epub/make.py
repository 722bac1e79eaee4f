#!/usr/bin/env python3
"""Makes the books of this folder; run it here. The same bytes come out every time."""
import zipfile

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""


def write(name, parts, mimetype="application/epub+zip"):
    with zipfile.ZipFile(name, "w") as book:
        for path, content in [("mimetype", mimetype), *parts]:
            info = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if path == "mimetype" else zipfile.ZIP_DEFLATED
            book.writestr(info, content if isinstance(content, bytes) else content.encode())


def page(body, head=""):
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en">
<head><title>Page</title><link rel="stylesheet" href="x.css"/><script src="x.js"/>{head}</head>
<body>{body}</body></html>
"""


def encrypted(algorithm, uri):
    return f"""<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"
  xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="{algorithm}"/>
  <enc:CipherData><enc:CipherReference URI="{uri}"/></enc:CipherData></enc:EncryptedData></encryption>"""


# EPUB 3: nested contents, a drawing and a fallback in the spine, notes that are not linear, encodings, formulas.
PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">urn:isbn:9780000000000</dc:identifier>
    <dc:title>The  Harbour</dc:title><dc:title>A Reader</dc:title>
    <dc:creator>Ann Author</dc:creator><dc:creator>Bob Writer</dc:creator>
    <dc:language>en</dc:language><dc:publisher>Quay Press</dc:publisher><dc:subject>Harbours</dc:subject>
    <dc:date>2020-02-03</dc:date><dc:description>&lt;p&gt;About &lt;b&gt;ships&lt;/b&gt;.&lt;/p&gt;</dc:description>
    <meta property="dcterms:modified">2020-03-04T05:06:07Z</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="one" href="text/chapter%201.xhtml" media-type="application/xhtml+xml"/>
    <item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
    <item id="map" href="map.svg" media-type="image/svg+xml"/>
    <item id="film" href="film.mp4" media-type="video/mp4" fallback="scan"/>
    <item id="scan" href="scan.png" media-type="image/png" fallback="words"/>
    <item id="words" href="words.xhtml" media-type="application/xhtml+xml"/>
    <item id="notes" href="notes.xhtml" media-type="application/xhtml+xml"/>
    <item id="font" href="font.otf" media-type="font/otf"/>
  </manifest>
  <spine>
    <itemref idref="one"/><itemref idref="two"/><itemref idref="map"/><itemref idref="film"/>
    <itemref idref="notes" linear="no"/>
  </spine>
</package>
"""
NAV = page("""<nav epub:type="landmarks"><ol><li><a href="nav.xhtml">Not this</a></li></ol></nav>
<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>
  <li><a href="text/chapter%201.xhtml">The Quay</a>
    <ol><li><a href="text/chapter%201.xhtml#crane">The Crane</a></li></ol></li>
  <li><span>Ships</span><ol><li><a href="text/two.xhtml">The Second Chapter</a></li></ol></li>
  <li><a href="map.svg">Map</a></li><li><a href="notes.xhtml">Notes</a></li></ol></nav>""")
ONE = page("""<p>Boats came in <a href="#crane">early</a>; see <a href="http://example.org/quay">the quay</a>.</p>
<p>A <ruby>港<rt>minato</rt></ruby> has a note<a epub:type="noteref" href="../notes.xhtml#n1">*</a>.</p>
<img src="a.png" alt="A crane over water"/><div id="crane"/><p>The crane lifted<br/>nothing.</p>
<math xmlns="http://www.w3.org/1998/Math/MathML" alttext="x squared"><msup><mi>x</mi><mn>2</mn></msup></math>""")
TWO = """<?xml version="1.0" encoding="ISO-8859-1"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p class="h">The Second Chapter</p>
<p>Caf\u00e9s &amp; d\u00e9j\u00e0 vu.</p><table><tr><th>Ship</th><th>Tons</th></tr><tr><td>Ada</td><td>40</td></tr></table>
<ol start="3"><li>three</li><li>four</li></ol></body></html>"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg"><title>Map of the harbour</title><text x="1" y="2">North
 pier</text><text><tspan x="1" y="9">South</tspan><tspan x="1" y="19">pier</tspan></text></svg>"""
write("book.epub", [
    ("META-INF/container.xml", CONTAINER),
    ("META-INF/encryption.xml", encrypted("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")),
    ("OEBPS/package.opf", PACKAGE), ("OEBPS/nav.xhtml", NAV), ("OEBPS/text/chapter 1.xhtml", ONE),
    ("OEBPS/text/two.xhtml", TWO.encode("latin-1")), ("OEBPS/map.svg", SVG), ("OEBPS/font.otf", b"\0\1\2"),
    ("OEBPS/words.xhtml", page("<p hidden=''>What the film shows.</p>")),
    ("OEBPS/notes.xhtml", page("<h2>Notes</h2><aside epub:type='footnote' id='n1'><p>Said so.</p></aside>")),
])

# EPUB 2 without container, with the wrong mimetype, a missing chapter, pages that are not well-formed.
OLD = """<package version="2.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
<dc:title>Old Book</dc:title><dc:creator opf:role="aut">C. D.</dc:creator><dc:date opf:event="modification">2001</dc:date>
</metadata><manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="a" href="A.html" media-type="text/html"/><item id="b" href="gone.html" media-type="application/xhtml+xml"/>
<item id="c" href="../content/c.html" media-type="application/xhtml+xml"/></manifest>
<spine toc="ncx"><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/><itemref idref="nothing"/></spine></package>"""
NCX = """<ncx><navMap><navPoint><navLabel><text>Beginning</text></navLabel><content src="A.html"/>
<navPoint><navLabel><text>Middle</text></navLabel><content src="A.html#mid"/></navPoint></navPoint>
<navPoint><navLabel><text>End</text></navLabel><content src="c.html"/></navPoint></navMap></ncx>"""
write("old.epub", [
    ("content/book.opf", OLD), ("content/toc.ncx", NCX),
    ("content/a.html", "<html><body><p>Once<p>upon &nbsp; a <b>time<p><a name=mid></a>there was</b>"),
    ("content/c.html", "<html><body><h3>The End</h3><p>1 < 2 &mdash; so it ends"),
], mimetype="application/zip")

# A book under Adobe's scheme, and one that was cut in its second chapter.
write("encrypted.epub", [
    ("META-INF/container.xml", CONTAINER),
    ("META-INF/rights.xml", '<adept:rights xmlns:adept="http://ns.adobe.com/adept"/>'),
    ("META-INF/encryption.xml", encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/text/two.xhtml")),
    ("OEBPS/package.opf", PACKAGE.replace('<itemref idref="one"/>', "").split('<itemref idref="map"/>')[0]),
    ("OEBPS/text/two.xhtml", bytes(range(128, 256))),
])
write("cut.epub", [
    ("META-INF/container.xml", CONTAINER), ("OEBPS/package.opf", PACKAGE),
    ("OEBPS/text/chapter 1.xhtml", page("<h1>One</h1><p>Whole.</p>")),
    ("OEBPS/text/two.xhtml", page("<h1>Two</h1>" + "".join(f"<p>Line {n * n * 7919 % 10007}.</p>" for n in range(60)))),
])
with open("cut.epub", "rb+") as book:
    data = book.read()
    book.truncate(data.index(b"two.xhtml") + 240)

# A book as publishers make them: front matter, parts and chapters whose numbers and titles are apart, headings that are
# only bold or capital, printed pages, notes at the ends of chapters, of the book and inside, poems, a play, letters.
STORY = ["The keepers of the harbour light their lamps an hour before the sun goes down.",
         "Nobody has counted them since the winter of the long storm, when the mole broke.",
         "Oil comes by ship from the north, in barrels that two people can roll along the quay.",
         "When fog comes, a bell is rung from the end of the mole until the ships answer.",
         "Young keepers learn the walk in a week and the wind in ten years."]


def story(start, count):
    return "".join(f"<p>{STORY[(start + at) % 5]} {STORY[(start + at * 2 + 1) % 5]}</p>" for at in range(count))


def numbered(number):
    return f'<span epub:type="pagebreak" id="page{number}" title="{number}"/>'


CHAPTERS = {
    "cover": '<section epub:type="cover"><img src="cover.jpg" alt="Cover"/></section>',
    "title": '<section epub:type="titlepage"><h1>The Harbour by Night</h1><p>Ada Lockhart</p></section>',
    "copyright": '<section epub:type="copyright-page"><p>© 2020 Ada Lockhart</p><p>All rights reserved.</p></section>',
    "contents": '<h2>Contents</h2><p><a href="one.xhtml">1. The Quay</a></p><p><a href="two.xhtml">2. The Mole</a></p>'
                '<p><a href="three.xhtml">Three</a></p><p><a href="play.xhtml">A Play</a></p>',
    "part": '<section epub:type="part"><h1>Part One</h1><p class="subtitle">Lamps</p></section>',
    "one": f'{numbered(1)}<p class="chapter-number">1</p><h2>The Quay</h2>{story(0, 2)}'
           '<p>A sentence with a note<a epub:type="noteref" href="#fn1" id="r1"><sup>1</sup></a> and another'
           '<a href="notes.xhtml#e1" id="b1"><sup>2</sup></a>, and a star<a href="#fn2" id="r2">*</a>.</p>'
           f'{numbered(2)}{story(2, 2)}<p class="subhead"><b>The Steps</b></p>{story(1, 1)}'
           '<aside epub:type="footnote" id="fn1"><p><a href="#r1">1</a>. At the foot of the chapter.</p></aside>'
           '<div class="footnote" id="fn2"><p><a href="#r2">*</a> By a star.</p><p>In two paragraphs.</p></div>',
    "two": f'<div class="chapter"><p class="center"><b>CHAPTER TWO</b></p><p class="center"><b>The Mole</b></p>{numbered(3)}'
           f'{story(3, 2)}<div class="poem"><div class="stanza"><p class="line">The lamps go out along the quay</p>'
           '<p class="line indent">and no one counts them but the sea.</p></div><div class="stanza">'
           '<p class="line">Who lights them?</p></div></div>'
           f'<p>* * *</p>{story(0, 1)}<blockquote class="epigraph"><p>A motto.</p><p class="attribution">— A keeper</p></blockquote>'
           '<table><tr><td>Lamp</td><td>Oil</td></tr><tr><td>green</td><td>2 l</td></tr></table>'
           f'<p>See <a href="one.xhtml#page2">page 2</a> and <a href="two.xhtml">this</a>.</p></div>',
    "three": f'<h2><img src="three.png" alt="Three"/></h2>{numbered(4)}{story(4, 2)}<h3>A letter</h3><p class="right">Saltmere, 3 May</p>'
             '<p>Dear Ann,</p><p>the lamp is out.</p><p class="signature">Rosa</p><hr/>'
             '<p>Note here:<a href="notes.xhtml#e2" id="b2">[2]</a></p><ul><li>one</li><li>two<ol type="a"><li>inner</li></ol></li></ul>',
    "play": '<section epub:type="z3998:drama"><h2>A Play</h2><p class="stage">A quay. Night.</p><p>ANN. Is it out?</p>'
            '<p>BO. It is. <i>He lights it.</i></p></section>',
    "notes": '<section epub:type="endnotes"><h2>Notes</h2><ol><li id="e1" epub:type="endnote"><p>At the end of the book. '
             '<a href="one.xhtml#b1">↩</a></p></li><li id="e2"><p>The second. <a href="three.xhtml#b2">Back</a></p></li></ol></section>',
    "index": '<section epub:type="index"><h2>Index</h2><p>lamps, <a href="one.xhtml#page1">1</a>, <a href="two.xhtml#page3">3</a></p></section>',
}
ITEMS = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in CHAPTERS)
REFS = "".join(f'<itemref idref="{name}"/>' for name in CHAPTERS)
LISTED = [("part", "Part One: Lamps"), ("one", "1. The Quay"), ("two", "Chapter Two: The Mole"), ("three", "Three"),
          ("play", "A Play"), ("notes", "Notes"), ("index", "Index")]
write("publisher.epub", [
    ("META-INF/container.xml", CONTAINER),
    ("OEBPS/package.opf", f"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:1</dc:identifier>
<dc:title id="t">The Harbour by Night</dc:title><dc:creator id="c">Ada Lockhart</dc:creator>
<meta refines="#c" property="role" scheme="marc:relators">aut</meta><dc:language>en-GB</dc:language>
<meta property="belongs-to-collection" id="s">The Coast</meta><meta refines="#s" property="group-position">2</meta></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>{ITEMS}</manifest>
<spine toc="ncx">{REFS}</spine></package>"""),
    ("OEBPS/nav.xhtml", page('<nav epub:type="toc"><ol>' + "".join(
        f'<li><a href="{name}.xhtml">{label}</a></li>' for name, label in LISTED) + '</ol></nav><nav epub:type="page-list"><ol>'
        '<li><a href="one.xhtml#page1">1</a></li><li><a href="one.xhtml#page2">2</a></li><li><a href="two.xhtml#page3">3</a></li>'
        '<li><a href="three.xhtml#page4">4</a></li></ol></nav><nav epub:type="landmarks"><ol>'
        '<li><a epub:type="bodymatter" href="part.xhtml">Start</a></li></ol></nav>')),
    ("OEBPS/toc.ncx", '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>' + "".join(
        f'<navPoint playOrder="{at}"><navLabel><text>{label}</text></navLabel><content src="{name}.xhtml"/></navPoint>'
        for at, (name, label) in enumerate(LISTED, 1)) + "</navMap></ncx>"),
    *[(f"OEBPS/{name}.xhtml", page(body)) for name, body in CHAPTERS.items()],
])
