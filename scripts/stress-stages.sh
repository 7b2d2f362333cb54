#!/usr/bin/env bash
# Repeats the scenarios under the race detector while the machine is loaded, and stops at the
# first failure. They must not depend on timing. The load is the scenarios themselves: four
# run at once on each core, so that most of the time more processes want to run than can.
#
#   scripts/stress-stages.sh [TIMES] [PATTERN]
#
# TIMES is 50 unless given. PATTERN selects scripts; all unless given.
set -euo pipefail
cd "$(dirname "$0")/.."

times=${1:-50}
pattern=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go test -race -c -o "$work/testscripts.test" ./testscripts
start=$SECONDS
for i in $(seq "$times"); do
  if ! (cd testscripts && "$work/testscripts.test" -test.parallel $((4 * $(nproc))) -test.run "TestScripts/$pattern" >"$work/log" 2>&1); then
    cat "$work/log"
    echo "failed in round $i of $times"
    exit 1
  fi
  echo "round $i of $times passed after $((SECONDS - start)) s, load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown)"
done
