"""Makes the presentations of this folder. Standard library only; the same bytes on every run.

talk.pptx    titles, lists with numbers, bullets of the layout, tables, groups, notes, comments, a footer, a hidden slide
shapes.pptx  a chart, a diagram, pictures, alternate content, an equation; slides that are not in the order of their names
cut.pptx     talk.pptx, cut in the middle
"""

import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent
SPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def r(text, look=""):
    return f"<a:r><a:rPr lang=\"en-GB\"{look}/><a:t>{text}</a:t></a:r>"


def p(*inside, more="", level=None):
    level = f' lvl="{level}"' if level else ""
    return f"<a:p><a:pPr{level}>{more}</a:pPr>{''.join(inside)}</a:p>"


def sp(*body, place="", name="Shape", more=""):
    place = f"<p:ph {place}/>" if place else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="{name}"/><p:cNvSpPr/><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:spPr/>'
        f"<p:txBody><a:bodyPr/><a:lstStyle>{more}</a:lstStyle>{''.join(body)}</p:txBody></p:sp>"
    )


def title(text):
    return sp(p(r(text)), place='type="title"')


def slide(*shapes, show=""):
    return f"<p:sld {SPACES}{show}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:sld>"


def frame(inside):
    return f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="Frame"/></p:nvGraphicFramePr><a:graphic><a:graphicData>{inside}</a:graphicData></a:graphic></p:graphicFrame>'


def tc(text, look=""):
    return f"<a:tc{look}><a:txBody><a:bodyPr/>{p(r(text)) if text else '<a:p/>'}</a:txBody><a:tcPr/></a:tc>"


def rels(rows):
    rows = "".join(f'<Relationship Id="{i}" Type="{KINDS}{kind}" Target="{target}"{" TargetMode=" + chr(34) + "External" + chr(34) if "://" in target else ""}/>' for kind, i, target in rows)
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'


def package(name, slides, more):
    """Slides in their order as (file, text, relationships), and further entries."""
    ids = "".join(f'<p:sldId id="{256 + at}" r:id="r{at}"/>' for at in range(len(slides)))
    presentation = [("slide", f"r{at}", f"slides/{file}.xml") for at, (file, _, _) in enumerate(slides)]
    entries = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/ppt/presentation.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
        "_rels/.rels": rels([("officeDocument", "d", "ppt/presentation.xml")]),
        "ppt/presentation.xml": f"<p:presentation {SPACES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": rels(presentation + [("commentAuthors", "ca", "commentAuthors.xml")]),
        "docProps/core.xml": '<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>A talk</dc:title><dc:creator>Ann</dc:creator></cp:coreProperties>',
    }
    for file, text, relations in slides:
        entries[f"ppt/slides/{file}.xml"] = text
        entries[f"ppt/slides/_rels/{file}.xml.rels"] = rels(relations)
    entries |= more
    with zipfile.ZipFile(HERE / name, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, text in entries.items():
            info = zipfile.ZipInfo(entry, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            file.writestr(info, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' + text)


LAYOUT = f'<p:sldLayout {SPACES}>{sp(p(r("Click to edit")), place=chr(39).join(["type=", "body", " idx=", "1", ""]), more="<a:lvl1pPr><a:buNone/></a:lvl1pPr>")}</p:sldLayout>'
MASTER = f'<p:sldMaster {SPACES}><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="x"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="x"/></a:lvl2pPr></p:bodyStyle></p:txStyles></p:sldMaster>'
NOTES = f"""<p:notes {SPACES}><p:cSld><p:spTree>{sp(place='type="sldImg"')}{sp(p(r("Say hello first.")), p(r("Then breathe.")), place='type="body" idx="1"')}
{sp('<a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p>', place='type="sldNum"')}{sp(p(r("ACME handout")), place='type="hdr"')}</p:spTree></p:cSld></p:notes>"""
COMMENTS = f'<p:cmLst {SPACES}><p:cm authorId="0" idx="1"><p:text>Too long?</p:text></p:cm></p:cmLst>'
AUTHORS = f'<p:cmAuthorLst {SPACES}><p:cmAuthor id="0" name="Carl Reviewer"/></p:cmAuthorLst>'
TABLE = (
    "<a:tbl><a:tblPr/><a:tblGrid/>"
    + "<a:tr>" + tc("Kind") + tc("Weight", ' gridSpan="2"') + tc("", ' hMerge="1"') + "</a:tr>"
    + "<a:tr>" + tc("Pear", ' rowSpan="2"') + tc("12 kg") + tc("14 kg") + "</a:tr>"
    + "<a:tr>" + tc("", ' vMerge="1"') + tc("13 kg") + tc("") + "</a:tr></a:tbl>"
)
NUMBERED = '<a:buFont typeface="+mj-lt"/><a:buAutoNum type="{}"/>'
FOOT = sp(p(r("ACME")), place='type="ftr" sz="quarter"') + sp('<a:p><a:fld type="slidenum"><a:t>9</a:t></a:fld></a:p>', place='type="sldNum"')
LAYOUT_OF = [("slideLayout", "l", "../slideLayouts/slideLayout1.xml")]
TALK = [
    ("slide1", slide(sp(p(r("A subtitle")), place='type="subTitle" idx="1"'), sp(p(r("The harvest")), p(r("of 2024")), place='type="ctrTitle"'), FOOT),
     LAYOUT_OF + [("notesSlide", "n", "../notesSlides/notesSlide1.xml"), ("comments", "c", "../comments/comment1.xml")]),
    ("slide2", slide(title("Lists"), sp(p(r("Sweet", ' b="1"'), r(" apples")), p(r("red"), level=1), p(r("green"), level=1), p(r("Sour ones")), place='idx="2"'),
                     sp(p(r("No bullet by the layout")), place='type="body" idx="1"'),
                     sp(p(r("pick"), more=NUMBERED.format("arabicPeriod")), p(r("sort"), more=NUMBERED.format("alphaLcParenR"), level=1), p(r("sell"), more=NUMBERED.format("arabicPeriod")))),
     LAYOUT_OF),
    ("slide3", slide(title("A hidden slide"), frame(TABLE),
                     "<p:grpSp><p:grpSpPr/>" + sp(p(r("in a group"))) + "<p:grpSp>" + sp(p(r("in an inner group"))) + "</p:grpSp></p:grpSp>", FOOT, show=' show="0"'),
     [("hyperlink", "h", "http://example.org/")]),
]
TALK_MORE = {
    "ppt/slideLayouts/slideLayout1.xml": LAYOUT,
    "ppt/slideLayouts/_rels/slideLayout1.xml.rels": rels([("slideMaster", "m", "../slideMasters/slideMaster1.xml")]),
    "ppt/slideMasters/slideMaster1.xml": MASTER,
    "ppt/notesSlides/notesSlide1.xml": NOTES,
    "ppt/comments/comment1.xml": COMMENTS,
    "ppt/commentAuthors.xml": AUTHORS,
}

CHART = """<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>
<c:plotArea><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>
<c:pt idx="0"><c:v>May</c:v></c:pt><c:pt idx="1"><c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat></c:ser></c:plotArea></c:chart></c:chartSpace>"""
POINT = '<dgm:pt modelId="{}"><dgm:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></dgm:t></dgm:pt>'
DIAGRAM = f"""<dgm:dataModel xmlns:dgm="d" xmlns:a="a"><dgm:ptLst><dgm:pt modelId="0" type="doc"/>{POINT.format(1, "Plan")}{POINT.format(2, "Do")}</dgm:ptLst>
<dgm:cxnLst><dgm:cxn srcId="0" destId="2" srcOrd="1"/><dgm:cxn srcId="0" destId="1" srcOrd="0"/></dgm:cxnLst></dgm:dataModel>"""
EQUATION = '<a:p><mc:AlternateContent><mc:Choice Requires="a14"><m:oMath><m:sSup><m:e><m:r><m:t>e</m:t></m:r></m:e><m:sup><m:r><m:t>iπ</m:t></m:r></m:sup></m:sSup><m:r><m:t>=-1</m:t></m:r></m:oMath></mc:Choice><mc:Fallback><a:r><a:t>[equation]</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p>'
LINK = '<a:p><a:r><a:rPr><a:hlinkClick r:id="h"/></a:rPr><a:t>Read more</a:t></a:r><a:r><a:rPr i="1"/><a:t> here</a:t></a:r></a:p>'
SHAPES = [
    ("slide9", slide(frame('<c:chart r:id="ch"/>'), frame('<dgm:relIds r:dm="di"/>')),
     [("chart", "ch", "../charts/chart1.xml"), ("diagramData", "di", "../diagrams/data1.xml")]),
    ("slide2", slide(sp(EQUATION), sp(LINK), '<p:pic><p:nvPicPr><p:cNvPr id="5" name="Picture" descr="A barn&#10;&#10;Description automatically generated"/></p:nvPicPr></p:pic>',
                     '<p:pic><p:nvPicPr><p:cNvPr id="6" name="Picture" descr="barn.jpg"/></p:nvPicPr></p:pic>'),
     [("hyperlink", "h", "http://example.org/")]),
]

if __name__ == "__main__":
    package("talk.pptx", TALK, TALK_MORE)
    package("shapes.pptx", SHAPES, {"ppt/charts/chart1.xml": CHART, "ppt/diagrams/data1.xml": DIAGRAM})
    whole = (HERE / "talk.pptx").read_bytes()
    (HERE / "cut.pptx").write_bytes(whole[: whole.index(b"ppt/slides/slide3.xml") + 300])
