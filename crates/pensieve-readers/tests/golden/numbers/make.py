#!/usr/bin/env python3
"""Makes the Numbers documents of this folder: the same bytes each time, nothing but the standard library."""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "pages"))
import make as iwork  # noqa: E402
from make import cell, decimal, message, ref, text, word  # noqa: E402

HERE = pathlib.Path(__file__).parent

OLD = f"""<?xml version="1.0"?>
<ls:document {iwork.SPACES}>
<ls:stylesheet><sf:styles><sf:cell-style sfa:ID="euro"><sf:property-map><sf:SFTCellStylePropertyNumberFormat><sf:number-format sf:format-type="1" sf:format-decimal-places="2" sf:format-currency-code="EUR"/></sf:SFTCellStylePropertyNumberFormat></sf:property-map></sf:cell-style></sf:styles></ls:stylesheet>
<ls:workspace-array><ls:workspace ls:workspace-name="Checking"><ls:page-info><sf:layers><sf:layer><sf:drawables>
<sf:tabular-info><sf:tabular-model sf:name="Accounts" sf:name-is-visible="true"><sf:grid><sf:datasource>
<sf:t sf:ct="0"><sf:ct sfa:s="What"/></sf:t><sf:t><sf:ct sfa:s="When"/></sf:t><sf:t><sf:ct sfa:s="How much"/></sf:t>
<sf:pm sf:ct="254"><sf:menu-choices><sf:t sfa:ID="a"><sf:ct sfa:s="Home"/></sf:t><sf:t sfa:ID="b"><sf:ct sfa:s="Food"/></sf:t></sf:menu-choices><sf:proxied-cell-ref sfa:IDREF="b"/></sf:pm><sf:d sf:cell-date="276048000"/><sf:n sf:s="euro" sf:v="-872.39999999999998"/>
<sf:g sf:ct="254" sf:col-span="2"/><sf:s/><sf:f sf:s="euro"><sf:fo sf:fs="=SUM(C)"/><sf:r><sf:rn sf:v="-872.4"/></sf:r></sf:f>
</sf:datasource></sf:grid></sf:tabular-model></sf:tabular-info>
<sf:shape><sf:text><sf:text-storage><sf:text-body><sf:p>Beside the table.</sf:p></sf:text-body></sf:text-storage></sf:text></sf:shape>
<sf:sticky-note><sf:text><sf:text-storage><sf:text-body><sf:p>A remark.</sf:p></sf:text-body></sf:text-storage></sf:text></sf:sticky-note>
</sf:drawables></sf:layer></sf:layers></ls:page-info></ls:workspace></ls:workspace-array>
<ls:tabular-prototypes><sf:tabular-model><sf:datasource><sf:t><sf:ct sfa:s="template"/></sf:t></sf:datasource></sf:tabular-model></ls:tabular-prototypes>
</ls:document>"""

FORMATS = {1: {1: 257, 2: 2, 3: "EUR"}, 2: {1: 258, 2: 253}}


def seconds(value):
    return struct.pack("<d", value)


ROWS = {
    0: {0: text(1), 1: text(2), 2: text(3)},
    1: {0: text(4), 1: cell(5, 0x4, seconds(276048000)), 2: cell(10, 0x4001, decimal(1250, -2), word(1))},
    2: {0: cell(6, 0x2, seconds(1.0)), 1: cell(7, 0x2, seconds(7200.0)), 2: cell(2, 0x2001, decimal(125, -3), word(2))},
    4: {2: cell(2, 0x1, decimal(33999999999999997, -15))},
}
STRINGS = {1: "What", 2: "When", 3: "How | much", 4: "two\nlines"}

NEW = {
    1: (1, {1: [ref(2), ref(3)], 8: b""}),
    2: (2, {1: "Übersicht", 2: [ref(100), ref(20)]}),
    3: (3, {1: message({1: "Form", 2: [ref(200), ref(100)]})}),
    20: iwork.shape(21),
    21: iwork.storage("Beside the table.", 3),
}

if __name__ == "__main__":
    iwork.package(HERE / "old.numbers", {"index.xml": OLD})
    tables = iwork.grid(100, "Kasse", True, ROWS, STRINGS, FORMATS)
    other = iwork.grid(200, "Table 1", False, {0: {3: text(1)}}, {1: "alone"})
    index = {"Index/Document.iwa": iwork.iwa(NEW), "Index/CalculationEngine-1.iwa": iwork.iwa(tables)}
    iwork.package(HERE / "new.numbers", {**index, "Index/Tables/Tile-2.iwa": iwork.iwa(other)})
    index["Index/CalculationEngine-1.iwa"] = index["Index/CalculationEngine-1.iwa"][:120]
    iwork.package(HERE / "damaged.numbers", index)
