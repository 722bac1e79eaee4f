#!/usr/bin/env bash
# How fast a run is that finds nothing to do: files a second, with a warm cache.
# Usage: benches/rescan.sh DIR [RUNS]        RUNS is 5 unless given

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_folder "$@"
need_pensieve
exec python3 "$bench/rescan.py" "$1" --runs "${2:-5}" --work "$work" --pensieve "$PENSIEVE"
