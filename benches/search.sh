#!/usr/bin/env bash
# How long `pensieve search` takes: median and 95th percentile over 200 queries of ten kinds, process start included.
# Usage: benches/search.sh DIR [ROUNDS]        ROUNDS is 3 unless given; the fastest of each query counts

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_folder "$@"
need_pensieve
exec python3 "$bench/search.py" "$1" --rounds "${2:-3}" --work "$work" --pensieve "$PENSIEVE"
