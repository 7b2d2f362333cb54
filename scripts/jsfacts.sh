#!/usr/bin/env bash
# Compares the facts that internal/js reads from public packages with those of an
# independent extractor (jsfacts/extract.mjs on @babel/parser): constants and their values,
# exports, keys of returned objects and of object arguments, environment reads, calls and
# awaits, each by place in bytes and name. Exits non-zero when fewer than 99.5 % of any
# kind agree, or a file parses on one side only.
#
#   scripts/jsfacts.sh [CACHE_DIR]     packages and parser are kept in CACHE_DIR
#   JSFACTS_FLAGS=-v ...               prints every difference
#
# Differences that are known, all of which the rates count:
#   const, value  internal/js refuses a constant object or array that the module changes
#                 later (x.push, x.key = v); the extractor sees its literal only
#   call, extra   a namespace of TypeScript becomes a call of a function; where its end
#                 cannot be told from that of what it holds, the call is not marked as made up
#   export        export { a as a } is one name after translation, placed at its first
# Left out on both sides: the exports of CommonJS and of namespaces, and code that the
# translation makes up (calls for JSX, helpers of decorators and of async generators).
set -euo pipefail
cd "$(dirname "$0")/.."

cache=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/ngvet-jsfacts}
labels=scripts/corpus/labels.tsv
babel=@babel/parser@7.29.15
mkdir -p "$cache/packages"
cache=$(cd "$cache" && pwd)

[ -f "$labels" ] || { echo "jsfacts: $labels is missing: it lists the packages to read" >&2; exit 2; }
if [ ! -d "$cache/babel/node_modules/@babel/parser" ]; then
  npm install --silent --no-audit --no-fund --prefix "$cache/babel" "$babel"
fi

grep -v '^#' "$labels" | cut -f1 | sort -u | while read -r package; do
  dir=$cache/packages/${package//\//_}
  [ -d "$dir" ] && continue
  rm -rf "$dir.part" && mkdir "$dir.part"
  (cd "$dir.part" && npm pack --silent "$package" >/dev/null && tar xzf ./*.tgz && rm ./*.tgz)
  mv "$dir.part" "$dir"
done

list=$(mktemp) facts=$(mktemp)
trap 'rm -f "$list" "$facts"' EXIT
find "$cache/packages" -type f -regex '.*\.[mc]?[jt]sx?' ! -regex '.*\.d\.[mc]?ts' | sort >"$list"
node scripts/jsfacts/extract.mjs "$cache/babel" <"$list" >"$facts"
go run ./scripts/jsfacts ${JSFACTS_FLAGS:-} <"$facts"
