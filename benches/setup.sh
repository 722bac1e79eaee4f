# Sourced by the benchmarks: where things are, and how what they drive is made. Everything lands in target/bench.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
bench=$root/benches
work=${CARGO_TARGET_DIR:-$root/target}/bench
mkdir -p "$work"
export PYTHONDONTWRITEBYTECODE=1

# The release build of Pensieve, or the one that PENSIEVE names.
need_pensieve() {
    if [ -z "${PENSIEVE:-}" ]; then
        cargo build --release --locked --quiet --manifest-path "$root/Cargo.toml"
        PENSIEVE=${CARGO_TARGET_DIR:-$root/target}/release/pensieve
    fi
    export PENSIEVE
}

# The Python peer: a virtual environment with its packages, and the vocabulary that tiktoken would fetch.
need_python_peer() {
    if [ ! -x "$work/venv/bin/python" ]; then
        python3 -m venv "$work/venv"
        "$work/venv/bin/pip" install --quiet --requirement "$bench/peers/requirements.txt"
    fi
    "$work/venv/bin/python" "$bench/peers/vocabulary.py" "$work/vocabulary"
    export TIKTOKEN_CACHE_DIR=$work/vocabulary
    python=$work/venv/bin/python
}

# The Rust peer.
need_rust_peer() {
    cargo build --release --quiet --manifest-path "$bench/peers/rust_pipeline/Cargo.toml" --target-dir "$work/rust_pipeline"
    rust_peer=$work/rust_pipeline/release/rust_pipeline
}

# The one argument that every benchmark takes.
need_folder() {
    [ $# -ge 1 ] && [ -d "$1" ] || { sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
}
