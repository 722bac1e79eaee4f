#!/usr/bin/env bash
# Main text of web pages beside rs-trafilatura (crates.io) and trafilatura (PyPI), over the same pages: F1 by kind of page.
# Usage: benches/webpages.sh DIR [--fidelity HTML_DIR] [--keep FOLDER]
#        DIR holds MANIFEST.tsv, pages/, truth/ and score_webpages.py, which explains its measure
#        HTML_DIR holds pages of other sources and MANIFEST.tsv with their truth
#        FOLDER keeps what each contender writes, to read it

set -euo pipefail
source "$(dirname "$0")/setup.sh"
need_folder "$@"
need_pensieve
cargo build --release --locked --quiet --manifest-path "$bench/peers/main_text/Cargo.toml" --target-dir "$work/main_text"
if ! "$work/web-venv/bin/python" -c 'import trafilatura, zstandard' 2>/dev/null; then
    python3 -m venv "$work/web-venv"
    "$work/web-venv/bin/pip" install --quiet trafilatura==2.3.1 lxml_html_clean zstandard
fi
exec "$work/web-venv/bin/python" "$bench/webpages.py" "$@" --pensieve "$PENSIEVE" --rust "$work/main_text/release/main_text"
