"""Documents and chunks for a cluster engine: what the programs of the engines beside this one have in common.

Each task of an engine keeps one `pensieve worker`, gives it paths and gets rows. A file that ends its worker costs one row that says
so, and a new worker goes on."""

import base64
import json
import os
import subprocess
from typing import Any, Dict, Iterable, Iterator, List, Optional, Set

from pensieve._program import environment, program

#: The columns of a row, as text, number or nothing: those of a document, then those of a chunk.
TEXTS = ["row", "doc_uid", "parent", "relative_path", "hash", "status", "content_hash", "text", "place"]
NUMBERS = ["tokens", "start"]


class Worker:
    """A `pensieve worker` for the files below a folder; it starts with the first file."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.process: Optional["subprocess.Popen[bytes]"] = None

    def rows(self, path: str, data: Optional[bytes] = None) -> List[Dict[str, Any]]:
        """The documents and chunks of a file; the bytes of its path are given in base64, because a name need not be text. With
        `data`, these are its bytes, and no file is opened."""
        try:
            return [_flat(row) for row in self._answer(path, data) if row["row"] in ("document", "chunk")]
        except (BrokenPipeError, EOFError):
            self.close()
            name = base64.b64decode(path).decode(errors="replace")
            return [_flat({"row": "document", "doc_uid": name, "relative_path": name, "status": "Error"})]

    def _answer(self, path: str, data: Optional[bytes]) -> Iterator[Dict[str, Any]]:
        if self.process is None:
            words = [program(), "worker", "--protocol", "2", "--rows", "chunks", "--root", self.root]
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
            )
        assert self.process.stdin and self.process.stdout
        # A name need not be text: its bytes count.
        request: Dict[str, Any] = {"id": 0, "path": "", "path_b64": path}
        if data is not None:
            request["bytes"] = len(data)
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.write(data or b"")
        self.process.stdin.flush()
        for line in self.process.stdout:
            row = json.loads(line)
            if row["row"] == "done":
                return
            yield row
        raise EOFError

    def close(self) -> None:
        """Ends the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def _flat(row: Dict[str, Any]) -> Dict[str, Any]:
    """A row with the same columns for documents and chunks."""
    if row["row"] == "chunk":
        (place,) = row["sources"]
        row = {**row, **{key: place[key] for key in ("doc_uid", "relative_path", "start")}, "place": json.dumps(place)}
    return {key: row.get(key) for key in TEXTS + NUMBERS}


def canonical(documents: Iterable[Dict[str, Any]]) -> Set[str]:
    """The documents that are kept: of equal ones the first file, else the first inside another; nothing that is inside a copy.

    Containers come before what is inside them, so one pass in order decides."""
    there = [document for document in documents if document["hash"]]
    there.sort(key=lambda document: (document["parent"] is not None, document["relative_path"]))
    seen: Set[str] = set()
    kept: Set[str] = set()
    for document in there:
        if (document["parent"] is None or document["parent"] in kept) and document["hash"] not in seen:
            seen.add(document["hash"])
            kept.add(document["doc_uid"])
    return kept


def files_of(plan: str) -> List[str]:
    """The paths of a plan in base64, those of one list after the other: `pensieve plan DIR --shards N --out PLAN`."""
    lists = sorted(name for name in os.listdir(plan) if name.endswith(".list"))
    paths = [open(os.path.join(plan, name), "rb").read().split(b"\0") for name in lists]
    return [base64.b64encode(path).decode() for part in paths for path in part if path and not path.endswith(b"/")]
