#!/usr/bin/env python3
"""Makes the OpenDocument texts of this folder: the same bytes each time, nothing but the standard library."""
import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent
NAMES = {
    "office": "office:1.0", "style": "style:1.0", "text": "text:1.0", "table": "table:1.0", "draw": "drawing:1.0",
    "fo": "xsl-fo-compatible:1.0", "svg": "svg-compatible:1.0", "meta": "meta:1.0", "presentation": "presentation:1.0",
    "manifest": "manifest:1.0",
}
SPACES = " ".join(f'xmlns:{k}="urn:oasis:names:tc:opendocument:xmlns:{v}"' for k, v in NAMES.items())
SPACES += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'

STYLES = """
<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"/>
<style:style style:name="Quotations" style:family="paragraph"/>
<style:style style:name="Preformatted_20_Text" style:family="paragraph"/>
<style:style style:name="Strong_20_Emphasis" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
<text:outline-style style:name="Outline">
<text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/>
<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>
<text:outline-level-style text:level="3" style:num-format=""/>
</text:outline-style>"""

MASTER = """<office:master-styles>
<style:master-page style:name="Standard">
<style:header><text:p>The head of every page</text:p></style:header>
<style:footer><text:p>Page <text:page-number>1</text:page-number> of the document</text:p><text:p><text:page-number>1</text:page-number></text:p></style:footer>
</style:master-page>
<style:master-page style:name="Left"><style:header><text:p>The head of every page</text:p></style:header></style:master-page>
</office:master-styles>"""

AUTOMATIC = """<office:automatic-styles>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>
<style:style style:name="P2" style:family="paragraph"><style:text-properties text:display="none"/></style:style>
<style:style style:name="T1" style:family="text" style:parent-style-name="Strong_20_Emphasis"><style:text-properties fo:font-style="italic"/></style:style>
<style:style style:name="T2" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>
<style:style style:name="T3" style:family="text"><style:text-properties style:font-name="Liberation Mono"/></style:style>
<style:style style:name="T4" style:family="text"><style:text-properties text:display="none"/></style:style>
<text:list-style style:name="L1">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>
<text:list-level-style-bullet text:level="3" text:bullet-char="•"/>
</text:list-style>
<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format="I" style:num-prefix="(" style:num-suffix=")"/></text:list-style>
</office:automatic-styles>"""

META = """<office:meta><dc:title>A title</dc:title><meta:initial-creator>Ada Writer</meta:initial-creator>
<dc:creator>Ben Editor</dc:creator><meta:keyword>one</meta:keyword><meta:keyword>two</meta:keyword><dc:language>en-GB</dc:language>
<meta:creation-date>2024-02-29T12:00:00</meta:creation-date></office:meta>"""

LISTS = """
<text:h text:outline-level="1" text:style-name="Heading_20_1">Beginnings</text:h>
<text:h text:outline-level="2">Of lists</text:h>
<text:list text:style-name="L1" xml:id="first">
<text:list-item><text:p>one</text:p><text:list>
<text:list-item><text:p>inner a</text:p></text:list-item>
<text:list-item><text:p>inner b</text:p><text:p>and more of b</text:p><text:list><text:list-item><text:p>bullet</text:p></text:list-item></text:list></text:list-item>
</text:list></text:list-item>
<text:list-item><text:p>two</text:p></text:list-item>
</text:list>
<text:p>In between.</text:p>
<text:list text:continue-list="first" text:style-name="L1">
<text:list-item><text:p>three goes on</text:p></text:list-item>
<text:list-item text:start-value="7"><text:p>seven by order</text:p></text:list-item>
<text:list-header><text:p>a heading without number</text:p></text:list-header>
</text:list>
<text:list text:style-name="L2"><text:list-item><text:p>Roman</text:p></text:list-item><text:list-item><text:p>again</text:p></text:list-item></text:list>
<text:h text:outline-level="2">Second of the second level</text:h>
<text:h text:outline-level="3">Without number</text:h>
<text:h text:outline-level="1" text:is-list-header="true">Not counted</text:h>
<text:h text:outline-level="1">Counted</text:h>"""

TABLES = """
<text:p>Before<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>A foot<text:span text:style-name="T1">note</text:span>.</text:p></text:note-body></text:note>
the table, with <text:a xlink:href="https://example.org/a b">a link</text:a> and <text:a xlink:href="#local">an anchor</text:a>.</text:p>
<table:table><table:table-column table:number-columns-repeated="3"/>
<table:table-header-rows><table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell><table:table-cell table:number-columns-spanned="2"><text:p>Both</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>down</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>twice</text:p></table:table-cell></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell><table:table><table:table-row><table:table-cell><text:p>inner</text:p></table:table-cell></table:table-row></table:table></table:table-cell><table:table-cell><text:list><text:list-item><text:p>item</text:p></text:list-item></text:list></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell><text:p>again</text:p></table:table-cell></table:table-row>
</table:table>
<text:p>After it<text:note text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>An endnote.</text:p></text:note-body></text:note>, a box: <draw:frame draw:name="Box"><draw:text-box><text:p>words in the box</text:p></draw:text-box></draw:frame>done.</text:p>
<text:p><draw:frame><draw:image xlink:href="Pictures/1.png"/><svg:title>A cat</svg:title><svg:desc>A cat on a mat</svg:desc></draw:frame></text:p>
<text:p>Area: <draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame>.</text:p>"""

CHANGES = """
<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>X</dc:creator></office:change-info><text:p>deleted words</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:p>Kept <text:change text:change-id="c1"/><text:change-start text:change-id="c2"/>inserted<text:change-end text:change-id="c2"/> words<office:annotation><dc:creator>Ada</dc:creator><dc:date>2024-01-01T00:00:00</dc:date><text:p>Why?</text:p><text:p>Really.</text:p></office:annotation>.</text:p>
<text:p text:style-name="P2">hidden paragraph</text:p>
<text:p>Seen <text:span text:style-name="T4">unseen</text:span><text:hidden-text text:is-hidden="true">unseen too</text:hidden-text>again.</text:p>
<text:section text:name="S" text:display="none"><text:p>hidden section</text:p></text:section>
<text:section text:name="T"><text:p>Shown section, <text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby>, page <text:page-number>3</text:page-number>.</text:p></text:section>
<text:table-of-content><text:table-of-content-source><text:index-title-template>template</text:index-title-template></text:table-of-content-source><text:index-body><text:p>1. Chapter<text:tab/>5</text:p></text:index-body></text:table-of-content>
<text:p>A <text:span text:style-name="T1">both</text:span>, <text:span text:style-name="T2">struck</text:span>, <text:span text:style-name="T3">fixed</text:span>, line<text:line-break/>break,<text:s text:c="3"/>spaces, soft<text:soft-page-break/> page.</text:p>
<text:p text:style-name="Quotations">A quotation.</text:p>
<text:p text:style-name="P1">fn main() {</text:p><text:p text:style-name="P1"><text:s text:c="4"/>run();</text:p><text:p text:style-name="P1"/><text:p text:style-name="P1">}</text:p>
<text:p>Stars *x* and 1. dots.</text:p>
<text:p>2. no item</text:p>"""

MATH = """<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>A</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac><msup><mi>h</mi><mn>2</mn></msup></mrow><annotation encoding="StarMath 5.0">A = {a+b} over 2 h^2</annotation></semantics></math>"""


def document(kind, inside):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<office:{kind} {SPACES} office:version="1.3">{inside}</office:{kind}>'


def content(body):
    return document("document-content", f"{AUTOMATIC}<office:body><office:text>{body}\n</office:text></office:body>")


def package(name, parts, mimetype="application/vnd.oasis.opendocument.text"):
    with zipfile.ZipFile(HERE / name, "w") as out:
        for part, text in [("mimetype", mimetype), *parts.items()]:
            info = zipfile.ZipInfo(part, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if part == "mimetype" else zipfile.ZIP_DEFLATED
            out.writestr(info, text)


if __name__ == "__main__":
    styles = document("document-styles", f"<office:styles>{STYLES}</office:styles>{MASTER}")
    meta = document("document-meta", META)
    package("lists.odt", {"content.xml": content(LISTS), "styles.xml": styles, "meta.xml": meta})
    package("tables.odt", {"content.xml": content(TABLES), "styles.xml": styles, "Object 1/content.xml": MATH})
    package("changes.odt", {"content.xml": content(CHANGES), "styles.xml": styles})
    package("minimal.odt", {"content.xml": content("<text:p>Nothing but a body.</text:p>")})
    cut = content("<text:p>Whole.</text:p><text:p>Half of a para")
    package("damaged.odt", {"content.xml": cut[: cut.index(" para")], "styles.xml": "<broken"})
    flat = f"{META}<office:styles>{STYLES}</office:styles>{AUTOMATIC}{MASTER}<office:body><office:text>{LISTS}</office:text></office:body>"
    (HERE / "flat.fodt").write_text(document("document", flat), encoding="utf-8")
