#!/usr/bin/env bash
# How long an edit takes until a search finds it while `pensieve watch` follows a folder: p50 and p95, idle CPU.
# Usage: benches/watch.sh [FILES] [EDITS]        20000 files and 200 edits unless given; the files are made

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_pensieve
exec python3 "$bench/watch.py" --files "${1:-20000}" --edits "${2:-200}" --work "$work" --pensieve "$PENSIEVE"
