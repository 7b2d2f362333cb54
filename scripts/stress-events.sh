#!/usr/bin/env bash
# Runs the events file's process tests in full: 4 writers in Go and 4 in Node append 100,000
# events to one file that has room for a tenth of them, then 60 rounds with random SIGKILLs.
# Prints what each left behind; exits non-zero when a promise of docs/events.md is broken.
#
#   scripts/stress-events.sh [EVENTS [ROUNDS]]
set -euo pipefail
cd "$(dirname "$0")/.."

CI=true \
NGCORE_TEST_STRESS_EVENTS=${1:-100000} \
NGCORE_TEST_STRESS_ROUNDS=${2:-60} \
  go test ./ngcore -count=1 -timeout 30m -v -parallel 1 \
  -run '^(TestManyProcessesHitTheCap|TestKilledProcesses)$'
