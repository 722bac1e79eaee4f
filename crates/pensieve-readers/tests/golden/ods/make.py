#!/usr/bin/env python3
"""Makes the spreadsheets of this folder; the standard library is all it needs, and the same bytes come out each time."""
import os
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPACES = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{path}:1.0"' for name, path in
                  [("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"), ("draw", "drawing"), ("meta", "meta")])
SPACES += ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="svg"'
HIDDEN = '<office:automatic-styles><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>'


def package(name, parts):
    with zipfile.ZipFile(os.path.join(HERE, name), "w") as archive:
        for part, content in parts:
            info = zipfile.ZipInfo(part, (2024, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if part == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, content)


def cell(words, more=""):
    return f"<table:table-cell{more}><text:p>{words}</text:p></table:table-cell>"


def row(*cells, more=""):
    return f"<table:table-row{more}>{''.join(cells)}</table:table-row>"


SHEETS = (
    '<table:table table:name="Prices">'
    + '<table:shapes><draw:frame><draw:text-box><text:p>A text box</text:p></draw:text-box></draw:frame>'
    + '<draw:frame><draw:object xlink:href="./Object 1"/><svg:title>A chart of prices</svg:title></draw:frame></table:shapes>'
    + row(cell("Fruit"), cell("Price"), cell("Since"))
    + row(cell("Apple <text:span>pie</text:span>"), cell("1,50 €", ' office:value-type="currency" office:value="1.5"'), cell("15.01.24", ' office:value-type="date"'))
    + row(cell("two</text:p><text:p>lines"), cell("a<text:s text:c=\"3\"/>b"), '<table:table-cell office:value-type="percentage" office:value="0.125"/>')
    + row('<table:table-cell table:number-columns-spanned="2"><office:annotation><dc:creator>Jo</dc:creator><dc:date>2024-01-15</dc:date><text:p>Really?</text:p></office:annotation><text:p>merged</text:p></table:table-cell>', "<table:covered-table-cell/>",
          '<table:table-cell office:value-type="boolean" office:boolean-value="true"/>')
    + row('<table:table-cell table:number-columns-repeated="16384"/>', more=' table:number-rows-repeated="1000"')
    + row(cell("same", ' table:number-columns-repeated="3"'), more=' table:number-rows-repeated="2"')
    + row('<table:table-cell table:number-columns-repeated="16384"/>', more=' table:number-rows-repeated="1047500"')
    + "</table:table>"
    + '<table:table table:name="Hidden" table:style-name="ta2">' + row('<table:table-cell office:value-type="float" office:value="7"/>', cell("seven")) + "</table:table>"
)
META = "<office:meta><dc:title>Fruit</dc:title><meta:initial-creator>Jo Doe</meta:initial-creator><meta:keyword>apples</meta:keyword><meta:creation-date>2024-01-15T10:00:00</meta:creation-date></office:meta>"


def spreadsheet(sheets):
    return f"<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body>"


package("prices.ods", [
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
    ("meta.xml", f"<office:document-meta {SPACES}>{META}</office:document-meta>"),
    ("content.xml", f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {SPACES}>{HIDDEN}{spreadsheet(SHEETS)}</office:document-content>'),
    ("Object 1/content.xml", f'<office:document-content {SPACES}><chart:chart xmlns:chart="c"><chart:title><text:p>Prices by fruit</text:p></chart:title></chart:chart></office:document-content>'),
])
flat = (f'<?xml version="1.0"?><office:document {SPACES} office:mimetype="application/vnd.oasis.opendocument.spreadsheet">{META}{HIDDEN}{spreadsheet(SHEETS)}</office:document>')
with open(os.path.join(HERE, "flat.fods"), "w", encoding="utf-8", newline="\n") as file:
    file.write(flat)
package("damaged.ods", [
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
    ("content.xml", f"<office:document-content {SPACES}>{spreadsheet(SHEETS)}"[:1500]),
])
package("bomb.ods", [
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
    ("content.xml", f"<office:document-content {SPACES}>" + spreadsheet(
        '<table:table table:name="Bomb">' + row('<table:table-cell table:number-columns-repeated="16384"/>', more=' table:number-rows-repeated="1048575"')
        + row('<table:table-cell table:number-columns-repeated="16383"/>', cell("far away")) + "</table:table>") + "</office:document-content>"),
])
package("encrypted.ods", [
    ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
    ("META-INF/manifest.xml", '<manifest:manifest xmlns:manifest="m"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'),
    ("content.xml", "no XML"),
])
