#!/usr/bin/env bash
# Measures again what the tables of ngcore/host say, on another OpenCode, offline, and prints
# what is different (scripts/reprobe). Four runs, about half a minute on two quiet cores.
#
#   scripts/reprobe.sh BINARY_OR_VERSION [CACHE_DIR]
#
# BINARY is a path with a slash: the executable itself, since its JavaScript is read, not a
# script that starts it. A VERSION is installed into CACHE_DIR, which must lie outside the
# repository. Needs Go, git, and for a VERSION npm and the npm registry. Exit status: 0 the
# same, 1 different, 2 it could not be measured.
set -euo pipefail
fault() { echo "error: $1" >&2; exit 2; }
[ $# -ge 1 ] && [ $# -le 2 ] || fault "usage: scripts/reprobe.sh BINARY_OR_VERSION [CACHE_DIR]"

case $1 in
*/*) opencode=$(realpath "$1") || fault "$1 is not there" ;;
*) opencode= ;;
esac
cd "$(dirname "$0")/.."
if [ -z "$opencode" ]; then
  cache=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/ngvet-ci}
  case $(realpath -m "$cache")/ in
  "$PWD"/*) fault "$cache lies inside the repository" ;;
  esac
  install=$cache/opencode-$1
  if [ ! -x "$install/node_modules/.bin/opencode" ]; then
    mkdir -p "$install"
    npm install --prefix "$install" --no-save --no-audit --no-fund --loglevel=error "opencode-ai@$1" || fault "opencode-ai@$1 could not be installed"
  fi
  opencode=$(realpath "$install/node_modules/.bin/opencode")
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/reprobe" ./scripts/reprobe || exit 2
"$work/reprobe" "$opencode"
