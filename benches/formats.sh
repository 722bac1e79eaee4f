#!/usr/bin/env bash
# Time and memory for each document format beside pandoc and markitdown, over the same files.
# Usage: benches/formats.sh DIR [FORMAT...]     DIR holds documents of any formats, at any depth
#
# Each contender is started once for all documents of a format, as far as it can be: pensieve ingests a folder of them,
# markitdown converts them in one Python process, pandoc takes one process a document because it knows no other way.

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_folder "$@"
need_pensieve
if [ ! -x "$work/venv/bin/markitdown" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet 'markitdown[docx,pptx,xlsx,xls,pdf,outlook]'
fi
exec python3 "$bench/formats.py" "$@" --pensieve "$PENSIEVE" --python "$work/venv/bin/python"
