#!/usr/bin/env bash
# Changes every invariant of docs/invariants.md in a copy of this repository, one side at a
# time, and expects ngvet to report each change once, by the right rule, at the right place.
# go test ./... runs the same; this prints the count and the ones that were missed.
#
#   scripts/mutate.sh [NAME]    NAME: a part of the name of the mutations to run
set -uo pipefail
cd "$(dirname "$0")/.."

name=${1:-}
out=$(go test ./internal/ngvet -count=1 -v -timeout 30m \
  -run "^(TestMutationsOfThisRepository|TestInvariantsAreDocumented|TestEveryDirectiveIsMutated)\$/${name// /_}" 2>&1)
status=$?
caught=$(grep -c '^ *--- PASS: TestMutationsOfThisRepository/' <<<"$out")
missed=$(grep -c '^ *--- FAIL: TestMutationsOfThisRepository/' <<<"$out")
[ "$status" = 0 ] || grep -v '^ *\(=== \|--- PASS\)' <<<"$out"
echo "mutations: $((caught + missed)), caught: $caught, missed: $missed"
if [ "$status" = 0 ] && [ "$caught" = 0 ]; then
  echo "no mutation has a name with: $name"
  exit 2
fi
exit "$status"
