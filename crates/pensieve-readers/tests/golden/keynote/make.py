#!/usr/bin/env python3
"""Makes the Keynote presentations of this folder: the same bytes each time, nothing but the standard library."""
import gzip
import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "pages"))
import make as iwork  # noqa: E402
from make import message, ref, shape, storage, text  # noqa: E402

HERE = pathlib.Path(__file__).parent


def placeholder(kind, words):
    body = f"<sf:text><sf:text-storage><sf:text-body>{words}</sf:text-body></sf:text-storage></sf:text>"
    return f"<key:{kind}-placeholder>{body}</key:{kind}-placeholder>"


OLD = f"""<?xml version="1.0"?>
<key:presentation {iwork.SPACES}>
<key:theme-list><key:theme><key:master-slides><key:master-slide>{placeholder("title", "<sf:p>Double-click</sf:p>")}</key:master-slide></key:master-slides></key:theme></key:theme-list>
<key:slide-list>
<key:slide><key:page><sf:layers><sf:layer><sf:drawables>{placeholder("body", '<sf:p sf:list-level="1">point</sf:p><sf:p sf:list-level="2">inner</sf:p>')}{placeholder("title", "<sf:p>The first slide</sf:p>")}</sf:drawables></sf:layer></sf:layers></key:page>
<key:notes><sf:text-storage><sf:text-body><sf:p>Say hello.</sf:p></sf:text-body></sf:text-storage></key:notes></key:slide>
<key:slide><key:page><sf:layers><sf:layer><sf:drawables><sf:shape><sf:text><sf:text-storage><sf:text-body><sf:p>Only a box.</sf:p></sf:text-body></sf:text-storage></sf:text></sf:shape></sf:drawables></sf:layer></sf:layers></key:page></key:slide>
</key:slide-list>
</key:presentation>"""


def holder(identifier, kind):
    return 7, {1: message({1: message({1: b""}), 4: ref(identifier)}), 2: kind}


NEW = {
    1: (1, {2: ref(2), 3: b""}),
    2: (2, {3: message({2: [ref(10), ref(11)]})}),
    10: (4, {2: ref(20)}),
    11: (4, {2: ref(21)}),
    20: (5, {5: ref(30), 6: ref(31), 42: [ref(30), ref(31), ref(32)], 27: ref(40)}),
    21: (5, {42: [ref(80)], 20: ref(33)}),
    30: holder(50, 2),
    31: holder(51, 3),
    32: (3008, {1: b"", 2: [ref(34)]}),
    33: holder(55, 1),
    34: shape(54),
    40: (15, {1: ref(53)}),
    50: storage("The first slide", 3),
    51: storage("point\ninner", 3, f7=iwork.table([(0, 60)]), f6=message({1: [message({1: 0, 2: 0}), message({1: 6, 2: 1})]})),
    53: storage("Say hello.", 4),
    54: storage("In a group.", 3),
    55: storage("2", 3),
    60: (2023, {1: b"", 11: [2, 2]}),
}

MASTER = {900: (5, {5: ref(901)}), 901: holder(902, 2), 902: storage("Double-click", 3)}

if __name__ == "__main__":
    iwork.package(HERE / "old.key", {"index.apxl.gz": gzip.compress(OLD.encode(), mtime=0)})
    table = iwork.grid(80, "T", True, {0: {0: text(1), 1: text(2)}}, {1: "Year", 2: "Rain"})
    parts = {"Index/Document.iwa": iwork.iwa(NEW), "Index/Slide-1.iwa": iwork.iwa(table), "Index/MasterSlide-1.iwa": iwork.iwa(MASTER)}
    iwork.package(HERE / "new.key", parts)
    inner = io.BytesIO()
    iwork.package(inner, parts)
    iwork.package(HERE / "bundle.key", {"bundle.key/Index.zip": inner.getvalue()})
    lost = {identifier: made for identifier, made in NEW.items() if identifier not in (1, 2)}
    iwork.package(HERE / "damaged.key", {"Index/Document.iwa": iwork.iwa(lost)})
