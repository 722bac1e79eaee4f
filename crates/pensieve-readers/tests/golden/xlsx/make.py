#!/usr/bin/env python3
"""Makes the workbooks of this folder; the standard library is all it needs, and the same bytes come out each time."""
import os
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def package(name, parts):
    with zipfile.ZipFile(os.path.join(HERE, name), "w") as archive:
        for part, content in parts:
            info = zipfile.ZipInfo(part, (2024, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)


def relations(*targets):
    rows = "".join(f'<Relationship Id="rId{at}" Type="{REL}/{kind}" Target="{target}"/>' for at, (kind, target) in enumerate(targets, 1))
    return f'<?xml version="1.0"?><Relationships xmlns="{PACKAGE}">{rows}</Relationships>'


def book(sheets, more=""):
    rows = "".join(f'<sheet name="{name}" sheetId="{at}"{state} r:id="rId{at}"/>' for at, (name, state) in enumerate(sheets, 1))
    return f'<workbook {MAIN} xmlns:r="{REL}">{more}<sheets>{rows}</sheets></workbook>'


def sheet(rows):
    return f'<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>'


STYLES = ["General", "#,##0.00", "0.0%", "m/d/yyyy", "[h]:mm:ss", "[$-407]d. mmmm yyyy", '"$"#,##0.00_);[Red]("$"#,##0.00)',
          "yyyy-mm-dd hh:mm", "# ?/?", "00000", '0;-0;;"Text: "@']


def styles():
    codes = "".join('<numFmt numFmtId="%d" formatCode="%s"/>' % (164 + at, code.replace('"', "&quot;")) for at, code in enumerate(STYLES))
    cells = "".join(f'<xf numFmtId="{164 + at}"/>' for at in range(len(STYLES)))
    return f'<styleSheet {MAIN}><numFmts>{codes}</numFmts><cellXfs>{cells}<xf numFmtId="14"/></cellXfs></styleSheet>'


def values():
    strings = (
        "<si><t>Name</t></si><si><t>Value</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r></si>"
        '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t xml:space="preserve">two_x000D_\nlines &amp; a | pipe</t></si>'
    )
    cells = [
        '<c t="s"><v>0</v></c><c t="s"><v>1</v></c>',
        '<c t="s"><v>2</v></c><c><v>1234.5</v></c>',
        '<c t="s"><v>3</v></c><c s="1"><v>1234.5</v></c>',
        '<c t="s"><v>4</v></c><c s="2"><v>0.125</v></c>',
        '<c t="inlineStr"><is><t>inline</t></is></c><c s="3"><v>45306</v></c>',
        '<c t="str"><f>"for"&amp;"mula"</f><v>formula</v></c><c s="4"><f>A1*2</f><v>1.5</v></c>',
        '<c t="b"><v>1</v></c><c s="5"><v>45306</v></c>',
        '<c t="e"><v>#N/A</v></c><c s="6"><v>-1599.99</v></c>',
        '<c t="inlineStr"><is><t>date and time</t></is></c><c s="7"><v>45306.75</v></c>',
        '<c t="inlineStr"><is><t>fraction</t></is></c><c s="8"><v>2.5</v></c>',
        '<c t="inlineStr"><is><t>postcode</t></is></c><c s="9"><v>1234</v></c>',
        '<c t="inlineStr" s="10"><is><t>prefixed</t></is></c><c s="10"><v>0</v></c>',
        '<c t="inlineStr"><is><t>built in</t></is></c><c s="11"><v>45306</v></c>',
        '<c t="inlineStr"><is><t>lossy</t></is></c><c><v>0.30000000000000004</v></c>',
        '<c t="d"><v>2024-01-15</v></c><c t="s"><v>99</v></c>',
    ]
    rows = "".join(f"<row>{row}</row>" for row in cells)
    package("values.xlsx", [
        ("[Content_Types].xml", "<Types/>"),
        ("_rels/.rels", relations(("officeDocument", "xl/workbook.xml"))),
        ("xl/workbook.xml", book([("Values", "")])),
        ("xl/_rels/workbook.xml.rels", relations(("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml"))),
        ("xl/styles.xml", styles()),
        ("xl/sharedStrings.xml", f"<sst {MAIN}>{strings}</sst>"),
        ("xl/worksheets/sheet1.xml", sheet(rows)),
    ])


def text(reference, words):
    return f'<c r="{reference}" t="inlineStr"><is><t>{words}</t></is></c>'


def layout():
    first = (
        f'<row r="2">{text("B2", "Yearly report")}</row>'
        f'<row r="3">{text("C3", "City")}{text("E3", "Sales")}{text("F3", "Note")}</row>'
        f'<row r="4">{text("C4", "Bonn")}<c r="E4"><v>7</v></c></row>'
        f'<row r="5">{text("C5", "Köln")}<c r="E5"><v>8</v></c>{text("F5", "up")}</row>'
        f'<row r="9">{text("A9", "Second")}{text("B9", "table")}</row>'
        f'<row r="10"><c r="A10"><v>1</v></c><c r="B10"><v>2</v></c></row>'
        f'<row r="1048576">{text("XFD1048576", "last cell of all")}</row>'
    )
    core = ('<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Report</dc:title><dc:creator>Jo Doe</dc:creator>'
            "<cp:keywords>sales, cities</cp:keywords><dcterms:created>2024-01-15T10:00:00Z</dcterms:created></cp:coreProperties>")
    comments = ('<comments><authors><author>Jo</author></authors><commentList><comment ref="E4" authorId="0"><text><r><t>Jo:</t></r><r><t>\nChecked.</t></r></text></comment>'
                '<comment ref="C5" authorId="0"><text><t>[Threaded comment] Your version of Excel cannot show it.</t></text></comment></commentList></comments>')
    threads = '<ThreadedComments><threadedComment ref="C5" personId="{P}" id="1"><text>Which Köln?</text></threadedComment></ThreadedComments>'
    drawing = ('<xdr:wsDr xmlns:xdr="x" xmlns:a="a"><xdr:sp><xdr:txBody><a:p><a:r><a:t>A text </a:t></a:r><a:r><a:t>box</a:t></a:r></a:p></xdr:txBody></xdr:sp>'
               '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="p" descr="A map of the Rhine"/></xdr:nvPicPr></xdr:pic></xdr:wsDr>')
    chart = '<c:chartSpace xmlns:c="c" xmlns:a="a"><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales by city</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chartSpace>'
    package("layout.xlsx", [
        ("[Content_Types].xml", "<Types/>"),
        ("_rels/.rels", relations(("officeDocument", "/xl/workbook.xml"), ("metadata/core-properties", "docProps/core.xml"))),
        ("docProps/core.xml", core),
        ("xl/workbook.xml", book([("Sales", ""), ("Empty", ""), ("Secret", ' state="veryHidden"')], '<workbookPr date1904="1"/>')),
        ("xl/_rels/workbook.xml.rels", relations(("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/sheet2.xml"), ("worksheet", "/xl/worksheets/sheet3.xml"), ("styles", "styles.xml"), ("person", "persons/person.xml"))),
        ("xl/styles.xml", styles()),
        ("xl/persons/person.xml", '<personList><person displayName="Ann Other" id="{P}"/></personList>'),
        ("xl/worksheets/sheet1.xml", sheet(first)),
        ("xl/worksheets/_rels/sheet1.xml.rels", relations(("comments", "../comments1.xml"), ("threadedComment", "../threadedComments/t1.xml"), ("drawing", "../drawings/drawing1.xml"))),
        ("xl/comments1.xml", comments),
        ("xl/threadedComments/t1.xml", threads),
        ("xl/drawings/drawing1.xml", drawing),
        ("xl/drawings/_rels/drawing1.xml.rels", relations(("chart", "../charts/chart1.xml"))),
        ("xl/charts/chart1.xml", chart),
        ("xl/worksheets/sheet2.xml", sheet("")),
        ("xl/worksheets/sheet3.xml", sheet(f'<row r="1"><c r="A1" s="3"><v>0</v></c>{text("B1", "hidden")}</row>')),
    ])


def damaged():
    cut = sheet("".join(f'<row r="{at}">{text(f"A{at}", f"row {at}")}{text(f"B{at}", "words")}</row>' for at in range(1, 4)))[:-70]
    package("damaged.xlsx", [
        ("_rels/.rels", relations(("officeDocument", "xl/workbook.xml"))),
        ("xl/workbook.xml", book([("Cut", ""), ("Gone", "")])),
        ("xl/_rels/workbook.xml.rels", relations(("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/sheet2.xml"))),
        ("xl/worksheets/sheet1.xml", cut),
    ])


values()
layout()
damaged()
