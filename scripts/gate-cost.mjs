// Called by gate-cost.sh: CALLS BASELINE GATE. Calls alternate between the two binaries, so
// that a change of the machine's load meets both.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { createGate } from "../plugin/nightgauge/gates.js";

const [calls, baseline, judge] = process.argv.slice(2);
const worktree = fs.mkdtempSync(path.join(os.tmpdir(), "nightgauge-cost-"));
const receipts = path.join(worktree, "receipts.jsonl");

function gateOver(hookBin) {
  return createGate({
    hook: { bin: hookBin, env: () => process.env },
    place: { directory: worktree, worktree, protectedPaths: [] },
    isChild: () => false,
    writeReceipt: (receipt) => fs.appendFileSync(receipts, `${JSON.stringify(receipt)}\n`),
    noteDenial() {},
    refusal: () => "",
  });
}

const gates = { "empty Go process": gateOver(baseline), "nightgauge hook gate": gateOver(judge) };
const times = Object.fromEntries(Object.keys(gates).map((name) => [name, []]));
for (let i = 0; i < Number(calls); i++) {
  for (const [name, gate] of Object.entries(gates)) {
    const start = performance.now();
    await gate({ tool: "bash", sessionID: "ses_1", callID: `call_${i}` }, { args: { command: "go test ./... 2>&1 | tail -20" } });
    times[name].push(performance.now() - start);
  }
}
fs.rmSync(worktree, { recursive: true });

const medians = Object.entries(times).map(([name, list]) => {
  list.sort((a, b) => a - b);
  const at = (share) => list[Math.floor(share * (list.length - 1))].toFixed(2);
  process.stdout.write(`${name}: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms\n`);
  return list[Math.floor(0.5 * (list.length - 1))];
});
process.stdout.write(`ratio of the medians: ${(medians[1] / medians[0]).toFixed(2)}\n`);
