#!/usr/bin/env bash
# Runs ngvet on public OpenCode plugins and compares what it finds with labels made by hand.
#
#   scripts/corpus.sh LABELS.tsv [CACHE_DIR]
#
# Needs npm and a registry for packages that are not in the cache yet. The cache must lie
# outside the repository: the packages are never committed.
set -euo pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "usage: scripts/corpus.sh LABELS.tsv [CACHE_DIR]" >&2
  exit 2
fi
labels=$(realpath -- "$1")
cache=$(realpath -m -- "${2:-${NGVET_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ngvet-ci}}")
cd "$(dirname "$0")/.."
case $cache/ in
"$PWD"/*) echo "error: cache $cache lies inside the repository" >&2 && exit 2 ;;
esac
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go build -o "$bin/" ./cmd/ngvet ./scripts/corpus
"$bin/corpus" -ngvet "$bin/ngvet" -cache "$cache/corpus" "$labels"
