#!/usr/bin/env bash
# Measures what a judged call costs the host: the plugin's hook in Node with the real gate,
# beside the same hook with a Go program that does nothing but allow. Times are per call,
# from the hook's start to its answer, one call at a time.
#
#   scripts/gate-cost.sh [CALLS]
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/empty.go" <<'GO'
package main

import "os"

func main() {
	os.Stdout.WriteString(`{"v":1,"decision":"allow","code":"empty","reason":""}` + "\n")
}
GO
go build -o "$work/empty" "$work/empty.go"
go build -o "$work/nightgauge" ./cmd/nightgauge
node scripts/gate-cost.mjs "${1:-300}" "$work/empty" "$work/nightgauge"
