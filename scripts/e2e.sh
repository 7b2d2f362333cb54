#!/usr/bin/env bash
# Runs supervised stages with the real OpenCode, offline, against a scripted model: the tests
# of ngcore/stage with the tag e2e. Before them the plugin's own tests of the gate, in the
# runtime that OpenCode has. About four minutes for a version on two quiet cores.
#
#   scripts/e2e.sh [CACHE_DIR [VERSION...]]
#
# Without a VERSION it is the one that the plugin was made for. CACHE_DIR keeps the installed
# versions; it must lie outside the repository. Needs Go, git, npm, rg (OpenCode finds skills
# with it) and, for the first run of a version, the npm registry.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in go git npm rg; do
  command -v "$tool" >/dev/null || { echo "error: $tool is missing" >&2; exit 2; }
done
cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/ngvet-ci}
case $(realpath -m "$cache")/ in
"$PWD"/*) echo "error: $cache lies inside the repository" >&2; exit 2 ;;
esac
versions=("${@:2}")
if [ ${#versions[@]} -eq 0 ]; then
  versions=("$(sed -n 's/^const DepsVersion = "\(.*\)"$/\1/p' ngcore/*.go)")
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/nightgauge" ./cmd/nightgauge
go test -tags e2e -c -o "$work/stage.test" ./ngcore/stage

failed=()
for version in "${versions[@]}"; do
  install=$cache/opencode-$version
  opencode=$install/node_modules/.bin/opencode
  if [ ! -x "$opencode" ]; then
    mkdir -p "$install"
    npm install --prefix "$install" --no-save --no-audit --no-fund --loglevel=error "opencode-ai@$version"
  fi
  found=$("$opencode" --version)
  [ "$found" = "$version" ] || { echo "error: expected opencode $version, found $found" >&2; exit 2; }
  printf '\nOpenCode %s\n' "$version"
  # The executable is a compiled Bun.
  BUN_BE_BUN=1 "$opencode" test ./plugin/test/gates.test.mjs ./plugin/test/session.test.mjs || failed+=("$version in Bun")
  NGVET_E2E_OPENCODE=$(realpath -s "$opencode") NGVET_E2E_NIGHTGAUGE=$work/nightgauge \
    "$work/stage.test" -test.run '^TestRealOpenCode' -test.v -test.timeout 15m || failed+=("$version")
done
if [ ${#failed[@]} -gt 0 ]; then
  printf '\nfailed: %s\n' "${failed[*]}"
  exit 1
fi
