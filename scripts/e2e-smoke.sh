#!/usr/bin/env bash
# Runs the plugin in the real OpenCode, offline, against a scripted model, and checks what
# comes of it. About a minute, most of it OpenCode's own start-up.
#
#   scripts/e2e-smoke.sh [CACHE_DIR]
#
# CACHE_DIR keeps the installed OpenCode between runs; it must lie outside the repository.
# Needs Go, git, npm and, for the first run, the npm registry.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^const DepsVersion = "\(.*\)"$/\1/p' ngcore/*.go)
[ -n "$version" ] || { echo "error: ngcore declares no DepsVersion" >&2; exit 2; }
cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/ngvet-ci}
case $(realpath -m "$cache")/ in
"$PWD"/*) echo "error: $cache lies inside the repository" >&2; exit 2 ;;
esac

install=$cache/opencode-$version
opencode=$install/node_modules/.bin/opencode
if [ ! -x "$opencode" ]; then
  mkdir -p "$install"
  npm install --prefix "$install" --no-save --no-audit --no-fund --loglevel=error "opencode-ai@$version"
fi
found=$("$opencode" --version)
[ "$found" = "$version" ] || { echo "error: expected opencode $version, found $found" >&2; exit 2; }

# The executable is a compiled Bun: the gate's tests, in the runtime that it really has.
BUN_BE_BUN=1 "$opencode" test ./plugin/test/gates.test.mjs ./plugin/test/session.test.mjs

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/nightgauge" ./cmd/nightgauge
go build -o "$work/e2e" ./scripts/e2e
"$work/e2e" -opencode "$(realpath -s "$opencode")" -hook "$work/nightgauge" "${@:2}"
