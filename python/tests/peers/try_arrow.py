"""`pensieve worker --rows chunks --format arrow` in pyarrow: the rows of NDJSON.

Usage: try_arrow.py
"""

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pyarrow

from pensieve._program import environment, program

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
JSON_COLUMNS = {"id", "locator", "metadata"}


def answer(requests: bytes, *flags: str) -> bytes:
    words = [program(), "worker", "--protocol", "2", "--rows", "chunks", "--root", str(FIXTURES), *flags]
    return subprocess.run(words, input=requests, stdout=subprocess.PIPE, check=True, env=environment()).stdout


def flat(row: Dict[str, Any], columns: List[str]) -> Dict[str, Any]:
    """A row of NDJSON with the columns of the stream."""
    source = row.get("sources", [{}])[0]
    return {key: source.get(key, row.get(key)) for key in columns}


def main() -> None:
    files = sorted(str(path.relative_to(FIXTURES)) for path in FIXTURES.rglob("*") if path.is_file())
    lines = [json.dumps({"id": {"number": at}, "path": path}) + "\n" for at, path in enumerate([*files, "missing"])]
    requests = "".join(lines).encode()
    with pyarrow.ipc.open_stream(answer(requests, "--format", "arrow")) as stream:
        table = stream.read_all()
    table.validate(full=True)
    own = table.to_pylist()
    for row in own:
        row.update({key: json.loads(row[key]) for key in JSON_COLUMNS if row[key] is not None})
    expected = [flat(json.loads(line), table.column_names) for line in answer(requests).splitlines()]
    assert own == expected, next(pair for pair in zip(own, expected) if pair[0] != pair[1])
    with pyarrow.ipc.open_stream(answer(b"", "--format", "arrow")) as stream:
        assert stream.read_all().num_rows == 0
    print(f"arrow: {len(own)} rows, as NDJSON has them")


main()
