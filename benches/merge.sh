#!/usr/bin/env bash
# A tree cut by plan, ingested list by list and merged, beside one run over it: speed, memory, balance of the lists.
# Usage: benches/merge.sh DIR [SHARDS] [costs]      SHARDS is 4 unless given; costs: nanoseconds a byte by extension instead

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_folder "$@"
need_pensieve
exec python3 "$bench/merge.py" "$1" --shards "${2:-4}" ${3:+--costs} --work "$work" --pensieve "$PENSIEVE"
