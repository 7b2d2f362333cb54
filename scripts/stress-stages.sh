#!/usr/bin/env bash
# Repeats the scenarios of the supervised stage under the race detector while the machine is
# loaded, and stops at the first failure. They must not depend on timing.
#
#   scripts/stress-stages.sh [TIMES] [PATTERN]
#
# TIMES is 50 unless given. PATTERN selects scripts, "stage_" unless given.
set -euo pipefail
cd "$(dirname "$0")/.."

times=${1:-50}
pattern=${2:-stage_}
work=$(mktemp -d)
load=()
trap 'kill "${load[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT

go test -race -c -o "$work/testscripts.test" ./testscripts
for _ in $(seq "$(nproc)"); do
  (while :; do :; done) &
  load+=($!)
done
start=$SECONDS
for i in $(seq "$times"); do
  if ! (cd testscripts && "$work/testscripts.test" -test.run "TestScripts/$pattern" >"$work/log" 2>&1); then
    cat "$work/log"
    echo "failed in round $i of $times"
    exit 1
  fi
done
echo "$times rounds of $pattern passed under load in $((SECONDS - start)) s"
