#!/usr/bin/env bash
# Times `pensieve ingest` against pipelines that one would write instead, on one tree, in one run.
# Usage: benches/side_by_side.sh DIR [RUNS [OPTIONS]]        RUNS is 3 unless given
#
# Each round runs every contender once, so that a slow minute of the machine hits all of them; medians of CPU seconds
# (user and system, the whole process tree) count. The tree should have at least some 100 MB of text and code.
# Options: --only WORD, for contenders with this word in their name, repeatable; --limit SECONDS, CPU time after which a
# contender is ended and left out of later rounds (1800): some splitters are quadratic on files of one long line.

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_folder "$@"
need_pensieve
need_python_peer
need_rust_peer
exec "$python" "$bench/side_by_side.py" "$1" --runs "${2:-3}" --work "$work" --pensieve "$PENSIEVE" --rust-peer "$rust_peer" "${@:3}"
