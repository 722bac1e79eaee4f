#!/usr/bin/env bash
# What files with the same bytes cost beside different ones, when they come, go and change: CPU seconds of each run.
# Usage: benches/equal_files.sh [FILES]        20000 unless given

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_pensieve
exec python3 "$bench/equal_files.py" --files "${1:-20000}" --work "$work" --pensieve "$PENSIEVE"
