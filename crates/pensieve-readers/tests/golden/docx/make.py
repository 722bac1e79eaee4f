"""Makes the Word documents of this folder. Standard library only; the same bytes on every run.

report.docx    what a report has: headings with numbers, lists, tables, notes, comments, headers, tracked changes
strict.docx    the strict edition of the standard, parts in other folders, UTF-16
drawings.docx  text boxes, pictures, a chart, a diagram, an equation, a page inside
fields.docx    fields, forms, code, quotations, links, hidden words, content controls
cut.docx       report.docx, cut in the middle of its body
counted.docx   strict.docx; the end of its directory counts one entry too few
mended.docx    strict.docx; the directory breaks off after its first entry
lacking.docx   mended.docx without the header of its last entry either
"""

import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SPACES = " ".join(
    f'xmlns:{prefix}="{space}"'
    for prefix, space in {
        "w": WORD,
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
        "v": "urn:schemas-microsoft-com:vml",
    }.items()
)
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
CORE = """<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>{}</dc:title>
<dc:creator>Ann Smith; Bob Jones</dc:creator><cp:keywords>one, two</cp:keywords><dc:language>en-GB</dc:language>
<dcterms:created>2024-05-01T10:00:00Z</dcterms:created></cp:coreProperties>"""


def p(*inside, style=None, more=""):
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties = f"<w:pPr>{style}{more}</w:pPr>" if style or more else ""
    return f"<w:p>{properties}{''.join(inside)}</w:p>"


def r(text, look=""):
    look = f"<w:rPr>{look}</w:rPr>" if look else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{text}</w:t></w:r>'


def item(text, number, level=0):
    return p(r(text), more=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def tc(*inside, properties=""):
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{''.join(inside)}</w:tc>"


def tr(*cells, properties=""):
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def tbl(*rows):
    return f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(rows)}</w:tbl>"


def mark(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def field(code, *result):
    return mark("begin") + f"<w:r><w:instrText>{code}</w:instrText></w:r>" + mark("separate") + "".join(result) + mark("end")


def document(*body):
    return f"<w:document {SPACES}><w:body>{''.join(body)}</w:body></w:document>"


def package(name, main, parts, folder="word", kinds=KINDS, encoding="utf-8", title="A report"):
    """A package of a body and parts: (kind, identifier, name, text or address outside)."""
    def rels(rows):
        rows = "".join(
            f'<Relationship Id="{i}" Type="{kinds}{kind}" Target="{target}"{mode}/>' for kind, i, target, mode in rows
        )
        return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'

    entries = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
        'Extension="xml" ContentType="application/xml"/><Override PartName="/%s/document.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>' % folder,
        "_rels/.rels": rels([("officeDocument", "d", f"{folder}/document.xml", ""), ("metadata/core-properties", "p", "docProps/core.xml", "")]),
        f"{folder}/document.xml": main,
        f"{folder}/_rels/document.xml.rels": rels(
            [(kind, i, target, ' TargetMode="External"' if "://" in target else "") for kind, i, target, _ in parts]
        ),
        "docProps/core.xml": CORE.format(title),
    }
    entries |= {f"{folder}/{target}": text for _, _, target, text in parts if "://" not in target}
    with zipfile.ZipFile(HERE / name, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, text in entries.items():
            declared = "UTF-16" if encoding == "utf-16" else "UTF-8"
            text = f'<?xml version="1.0" encoding="{declared}" standalone="yes"?>\n{text}'
            info = zipfile.ZipInfo(entry, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            file.writestr(info, text.encode("utf-16" if declared == "UTF-16" else "utf-8"))


STYLES = f"""<w:styles {SPACES}>
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Standard"/>
  <w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="Standard"/>
  <w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="House"><w:name w:val="House Head"/><w:basedOn w:val="berschrift2"/></w:style>
<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Source Code"/><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Intense Quote"/></w:style>
<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>
</w:styles>"""


def level(at, form, text, more=""):
    return f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>{more}</w:lvl>'


NUMBERING = f"""<w:numbering {SPACES}>
<w:abstractNum w:abstractNumId="1">{level(0, "decimal", "%1", '<w:pStyle w:val="berschrift1"/>')}{level(1, "decimal", "%1.%2", '<w:pStyle w:val="berschrift2"/>')}</w:abstractNum>
<w:abstractNum w:abstractNumId="2">{level(0, "decimal", "%1.")}{level(1, "lowerLetter", "%2)")}{level(2, "lowerRoman", "(%3)")}</w:abstractNum>
<w:abstractNum w:abstractNumId="3">{level(0, "bullet", "&#xF0B7;", '<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr>')}{level(1, "bullet", "o")}</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
</w:numbering>"""

FOOTNOTES = f"""<w:footnotes {SPACES}><w:footnote w:type="separator" w:id="-1">{p(r("line"))}</w:footnote>
<w:footnote w:id="5">{p('<w:r><w:footnoteRef/></w:r>', r(" Counted by hand."))}{p(r("Twice."))}</w:footnote></w:footnotes>"""
ENDNOTES = f'<w:endnotes {SPACES}><w:endnote w:id="2">{p(r("See the archive."))}</w:endnote></w:endnotes>'
COMMENTS = f"""<w:comments {SPACES}><w:comment w:id="0" w:author="Carl Reviewer" w:initials="CR">{p(r("Is this right?"))}{p(r("I doubt it."))}
</w:comment></w:comments>"""
HEADER = f'<w:hdr {SPACES}>{p(r("ACME confidential"))}</w:hdr>'
FOOTER = f'<w:ftr {SPACES}>{p(r("Page "), field("PAGE", r("2")), r(" of 9"))}</w:ftr>'
PAGE = f'<w:ftr {SPACES}>{p(field("PAGE", r("3")))}</w:ftr>'

REPORT = document(
    p(r("The harvest of 2024"), style="Titel"),
    p(r("Overview"), style="berschrift1"),
    p(r("It was "), r("very", "<w:b/>"), r(" good"), '<w:r><w:footnoteReference w:id="5"/></w:r>', r(", better than "),
      "<w:del>" + '<w:r><w:delText>last week</w:delText></w:r>' + "</w:del><w:ins>" + r("last year") + "</w:ins>", r("."),
      '<w:commentRangeStart w:id="0"/>', '<w:r><w:commentReference w:id="0"/></w:r>'),
    p(r("Apples"), style="berschrift2"),
    item("Pick them", 2), item("by hand", 2, 1), item("or not at all", 2, 1), item("Store them", 2),
    item("cool", 3), item("dark", 3, 1), item("Sell them", 2), item("Start again at seven", 4),
    p(r("Pears"), style="House"),
    tbl(
        tr(tc(p(r("Kind"))), tc(p(r("Weight")), properties='<w:gridSpan w:val="2"/>')),
        tr(tc(p(r("Conference")), properties='<w:vMerge w:val="restart"/>'), tc(p(r("12 kg"))), tc(p(r("14 | 15 kg")))),
        tr(tc(p(), properties="<w:vMerge/>"), tc(p(r("13 kg"))), tc(tbl(tr(tc(p(r("inner"))), tc(p(r("table"))))), p())),
        tr(tc(p(r("gone"))), tc(p()), tc(p()), properties='<w:del w:author="x"/>'),
    ),
    p(r("Moved "), "<w:moveFrom>" + r("from here") + "</w:moveFrom><w:moveTo>" + r("to here") + "</w:moveTo>", r("."),
      '<w:r><w:endnoteReference w:id="2"/></w:r>'),
    p(r("Ends with "), more='<w:rPr><w:del w:author="x"/></w:rPr>'),
    p(r("a joined paragraph.")),
    '<w:sectPr><w:headerReference w:type="default" r:id="h1"/><w:headerReference w:type="first" r:id="h2"/>'
    '<w:footerReference w:type="default" r:id="f1"/><w:footerReference w:type="even" r:id="f2"/></w:sectPr>',
)
REPORT_PARTS = [
    ("styles", "s", "styles.xml", STYLES), ("numbering", "n", "numbering.xml", NUMBERING),
    ("footnotes", "a", "footnotes.xml", FOOTNOTES), ("endnotes", "b", "endnotes.xml", ENDNOTES),
    ("comments", "c", "comments.xml", COMMENTS), ("header", "h1", "header1.xml", HEADER),
    ("header", "h2", "header2.xml", HEADER), ("footer", "f1", "footer1.xml", FOOTER), ("footer", "f2", "footer2.xml", PAGE),
]

CHART = """<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales of pears</a:t></a:r></a:p></c:rich></c:tx></c:title>
<c:plotArea><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>
<c:pt idx="0"><c:v>May</c:v></c:pt><c:pt idx="1"><c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0">
<c:v>4.3</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>"""
POINT = '<dgm:pt modelId="{}"><dgm:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></dgm:t></dgm:pt>'
DIAGRAM = f"""<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt modelId="0" type="doc"/>{POINT.format(1, "Director")}{POINT.format(2, "Clerk")}
<dgm:pt modelId="7" type="parTrans"><dgm:t><a:p/></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1" srcOrd="0"/>
<dgm:cxn srcId="1" destId="2" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>"""
PAGE_INSIDE = "<html><body><h2>From a page</h2><p>An <b>inserted</b> page.</p></body></html>"


def drawing(inside, words=""):
    return f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="{words}"/><a:graphic><a:graphicData>{inside}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'


BOX = "<w:txbxContent>" + p(r("In a box,")) + p(r("on two lines")) + "</w:txbxContent>"
TEXT_BOX = (
    f"<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wp:anchor><wp:docPr id=\"1\" name=\"Box\" descr=\"a box\"/><wps:txbx>{BOX}</wps:txbx>"
    f"</wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>{BOX}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)
MATH = """<m:oMath><m:r><m:t>x=</m:t></m:r><m:f><m:num><m:r><m:t>-b±</m:t></m:r><m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e><m:sSup><m:e><m:r>
<m:t>b</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:r><m:t>-4ac</m:t></m:r></m:e></m:rad></m:num><m:den><m:r><m:t>2a</m:t></m:r></m:den></m:f></m:oMath>"""
DRAWINGS = document(
    p(r("A box stands beside this paragraph."), TEXT_BOX),
    p(r("A picture: "), drawing('<pic:pic/>', "A cat on a mat&#10;&#10;Description automatically generated")),
    p(drawing('<pic:pic/>', "C:\\pictures\\image 1.png")),
    p(drawing('<c:chart r:id="ch"/>')),
    p(drawing('<dgm:relIds r:dm="di"/>')),
    p(r("The roots are "), MATH, r(".")),
    p('<w:r><w:pict><v:shape alt="An old picture"><v:imagedata/></v:shape></w:pict></w:r>'),
    '<w:altChunk r:id="al"/>',
)
DRAWING_PARTS = [("chart", "ch", "charts/chart1.xml", CHART), ("diagramData", "di", "diagrams/data1.xml", DIAGRAM), ("aFChunk", "al", "page.html", PAGE_INSIDE)]

CHECKED = '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>'
FIELDS = document(
    p(r("Today is "), field("DATE \\@ &quot;d MMMM&quot;", r("1 May")), r(", as "), field('HYPERLINK "http://example.org/a b" \\o "tip"', r("the page"), r(" says", "<w:b/>")), r(".")),
    p('<w:hyperlink r:id="l1" w:anchor="part">' + r("Outside") + '</w:hyperlink>', r(" and "), '<w:hyperlink w:anchor="x">' + r("inside") + "</w:hyperlink>", r(".")),
    p(CHECKED, "<w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r>", mark("end"), r(" I agree")),
    p(mark("begin"), "<w:r><w:instrText>IF </w:instrText></w:r>", field("MERGEFIELD x", r("7")), "<w:r><w:instrText> = 7</w:instrText></w:r>", mark("separate"), r("yes"), mark("end")),
    p('<w:fldSimple w:instr="SEQ Figure">' + r("4") + "</w:fldSimple>", r(" is a number; "), r("never seen", "<w:vanish/>"), r("seen.")),
    p(r("fn main() {")  , style="Code"), p(r("    print();"), style="Code"), p(style="Code"), p(r("}"), style="Code"),
    p(r("He said so."), style="Zitat"), p(r("Twice."), style="Zitat"),
    "<w:sdt><w:sdtPr><w:alias w:val=\"Name\"/><w:placeholder/></w:sdtPr><w:sdtContent>" + p(r("Controlled "), r("words", '<w:rStyle w:val="Strong"/>')) + "</w:sdtContent></w:sdt>",
    p(r("set "), r("x = 1", '<w:rFonts w:ascii="Courier New"/>'), r(" or "), '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>', r(" &lt;tag&gt; *star*"), "<w:r><w:br/></w:r>", r("next line")),
    p("<w:smartTag>" + r("Smart") + "</w:smartTag>", '<w:r><w:noBreakHyphen/></w:r>', r("tag, co"), "<w:r><w:softHyphen/></w:r>", r("operate"), "<w:r><w:tab/></w:r>", r("tab")),
)
FIELD_PARTS = [("styles", "s", "styles.xml", STYLES), ("hyperlink", "l1", "http://example.org/", "")]

STRICT = document(p(r("Strictly titled"), more='<w:outlineLvl w:val="0"/>'), p(r("Größe: 12 µm — 日本語"))).replace(
    WORD, "http://purl.oclc.org/ooxml/wordprocessingml/main"
)

if __name__ == "__main__":
    package("report.docx", REPORT, REPORT_PARTS)
    package("drawings.docx", DRAWINGS, DRAWING_PARTS, title="Drawings")
    package("fields.docx", FIELDS, FIELD_PARTS, title="Fields")
    package("strict.docx", STRICT, [], folder="content/main", kinds="http://purl.oclc.org/ooxml/officeDocument/relationships/", encoding="utf-16", title="Strict")
    whole = (HERE / "report.docx").read_bytes()
    body = whole.index(b"word/document.xml")
    (HERE / "cut.docx").write_bytes(whole[: body + 900])
    strict = (HERE / "strict.docx").read_bytes()
    end = strict.rindex(b"PK\x05\x06")
    count = strict[end + 10] - 1
    (HERE / "counted.docx").write_bytes(strict[: end + 8] + bytes([count, 0, count, 0]) + strict[end + 12 :])
    first = strict.index(b"PK\x01\x02")
    second = strict.index(b"PK\x01\x02", first + 4)
    mended = strict[:second] + b"xxxx" + strict[second + 4 :]
    (HERE / "mended.docx").write_bytes(mended)
    last = mended.rindex(b"PK\x03\x04")
    (HERE / "lacking.docx").write_bytes(mended[:last] + b"xxxx" + mended[last + 4 :])
