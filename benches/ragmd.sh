#!/usr/bin/env bash
# Books to Markdown beside pandoc and (PyPI) markitdown, on the same books.
# Usage: benches/ragmd.sh BOOKS          BOOKS holds *.epub and truth/*.txt; MARKITDOWN names another markitdown
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet
target=${CARGO_TARGET_DIR:-target}
markitdown=${MARKITDOWN:-$(command -v markitdown || true)}
python3 benches/ragmd.py "$target/release/pensieve" "$1" ${markitdown:+"$markitdown"}
