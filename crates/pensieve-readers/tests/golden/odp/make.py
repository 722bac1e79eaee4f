#!/usr/bin/env python3
"""Makes the OpenDocument presentations of this folder: the same bytes each time, nothing but the standard library."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "odt"))
import make as odt  # noqa: E402

odt.HERE = pathlib.Path(__file__).parent
TYPE = "application/vnd.oasis.opendocument.presentation"

SLIDES = """
<draw:page draw:name="page1"><draw:frame presentation:class="subtitle"><draw:text-box><text:p>by somebody</text:p></draw:text-box></draw:frame>
<draw:frame presentation:class="title"><draw:text-box><text:p>The first</text:p><text:p>slide</text:p></draw:text-box></draw:frame>
<presentation:notes><draw:page-thumbnail/><draw:frame presentation:class="notes"><draw:text-box><text:p>Say hello.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>
<draw:page draw:name="page2"><draw:frame presentation:class="title" presentation:placeholder="true"><draw:text-box/></draw:frame>
<draw:frame presentation:class="outline"><draw:text-box><text:list text:style-name="L9"><text:list-item><text:p>point</text:p><text:list><text:list-item><text:p>inner point</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>other point</text:p></text:list-item></text:list></draw:text-box></draw:frame>
<draw:g><draw:custom-shape><text:p>in a group</text:p></draw:custom-shape><draw:g><draw:rect><text:p>deeper</text:p></draw:rect></draw:g></draw:g>
<draw:frame><draw:image/><svg:desc>A chart of rain</svg:desc></draw:frame></draw:page>
<draw:page draw:name="page3"><draw:frame><table:table><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell><table:table-cell><text:p>Rain</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>2020</text:p></table:table-cell><table:table-cell><text:p>612</text:p></table:table-cell></table:table-row></table:table></draw:frame>
<office:annotation><dc:creator>Ada</dc:creator><text:p>Check this.</text:p></office:annotation></draw:page>"""

if __name__ == "__main__":
    body = f"<office:body><office:presentation>{SLIDES}</office:presentation></office:body>"
    content = odt.document("document-content", body)
    meta = odt.document("document-meta", odt.META)
    styles = odt.document("document-styles", odt.MASTER)
    odt.package("slides.odp", {"content.xml": content, "styles.xml": styles, "meta.xml": meta}, TYPE)
    odt.package("damaged.odp", {"content.xml": content[: content.index("deeper")]}, TYPE)
    (odt.HERE / "flat.fodp").write_text(odt.document("document", odt.META + body), encoding="utf-8")
