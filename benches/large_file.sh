#!/usr/bin/env bash
# Ingests one very large text file and compares the memory of the whole process tree with `max_memory`.
# Usage: benches/large_file.sh DIR [GIB]        DIR is where the file and the database may lie for a while; GIB is 4
#
# Needs about four times the file's size in DIR. Fails when the tree took more memory than the setting allows.

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_folder "$@"
need_pensieve
exec python3 "$bench/large_file.py" "$1" --gib "${2:-4}" --pensieve "$PENSIEVE"
