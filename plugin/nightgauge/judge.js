// Asks the gate child for one verdict. Whatever happens, the answer is a verdict, and only
// a child that ended well after printing exactly one well-formed line can allow.

import { spawn } from "node:child_process";

import { hookBinFault } from "./hook_bin.js";
import { DECISIONS, isReceiptCode } from "./receipts.js";

/** Command line of the gate child after the hook binary. */
export const GATE_VERB = Object.freeze(["hook", "gate"]);

/** Milliseconds that the gate child has. */
export const GATE_TIMEOUT_MS = 10_000;

/** Bytes that the gate child may print. */
export const GATE_OUTPUT_MAX_BYTES = 64 * 1024;

/** Value of the key v of a gate call and of its verdict. */
export const GATE_FORMAT = 1;

/**
 * @typedef {object} Verdict
 * @property {string} decision one of DECISIONS
 * @property {string} code why, in snake case
 * @property {string} reason one sentence that says what to do instead
 */

/**
 * @typedef {object} Place where a run works and what its calls must leave alone
 * @property {string} directory absolute, where relative paths start
 * @property {string} worktree absolute root of the work tree
 * @property {readonly string[]} protectedPaths files and directories that no tool may change
 */

/**
 * @param {string} code
 * @param {string} reason
 * @returns {Verdict}
 */
export function deny(code, reason) {
  return { decision: "deny", code, reason };
}

/**
 * Judges one call in a child of its own. Never rejects.
 *
 * @param {import("./hook_bin.js").Hook} hook
 * @param {import("./gates.js").Call} call
 * @param {Place} place
 * @param {number} [timeoutMs]
 * @returns {Promise<Verdict>}
 */
export async function judge(hook, call, place, timeoutMs = GATE_TIMEOUT_MS) {
  const fault = hookBinFault(hook.bin);
  if (fault !== "") return deny("no_bin", `${fault}; the operator must set it to the nightgauge binary`);
  let question;
  try {
    question = JSON.stringify(gateCall(call, place));
  } catch {
    return deny("bad_args", "the arguments are not plain JSON; send them as an object of plain values");
  }
  return readOutcome(await runChild(hook, question, timeoutMs), timeoutMs);
}

/** The question as plugin.GateCall declares it. */
function gateCall(call, place) {
  return {
    v: GATE_FORMAT,
    tool: call.tool,
    args: call.args,
    session_id: call.sessionID,
    call_id: call.callID,
    child: call.child,
    directory: place.directory,
    worktree: place.worktree,
    protected: place.protectedPaths,
  };
}

/**
 * How a child ended: failed (no process), timeout, flooded (printed too much) or closed.
 *
 * @typedef {{ end: "failed", error: string }
 *   | { end: "timeout" } | { end: "flooded" }
 *   | { end: "closed", status: number | null, signal: string | null, stdout: Buffer }} Outcome
 */

/** @returns {Promise<Outcome>} */
function runChild(hook, question, timeoutMs) {
  return new Promise((resolve) => {
    let child;
    try {
      // A process group of its own (detached), so that a kill reaches what it started.
      child = spawn(hook.bin, GATE_VERB, {
        env: hook.env(),
        detached: true,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      });
    } catch (err) {
      resolve({ end: "failed", error: errorCode(err) });
      return;
    }
    const timer = setTimeout(() => abandon({ end: "timeout" }), timeoutMs);
    const chunks = [];
    let size = 0;

    function settle(outcome) {
      clearTimeout(timer);
      resolve(outcome);
    }

    function abandon(outcome) {
      killGroup(child);
      // Someone who escaped the group could hold the pipe open for ever.
      child.stdout?.destroy();
      child.unref();
      settle(outcome);
    }

    child.on("error", (err) => settle({ end: "failed", error: errorCode(err) }));
    child.on("close", (status, signal) => {
      settle({ end: "closed", status, signal, stdout: Buffer.concat(chunks) });
    });
    child.stdout?.on("error", () => {});
    child.stdout?.on("data", (chunk) => {
      size += chunk.length;
      if (size > GATE_OUTPUT_MAX_BYTES) abandon({ end: "flooded" });
      else chunks.push(chunk);
    });
    // A child that ends before it has read everything raises EPIPE here, not on the child,
    // and without a listener it would end the host (BUGS.md B24).
    child.stdin?.on("error", () => {});
    child.stdin?.end(question);
  });
}

function errorCode(err) {
  return typeof err?.code === "string" ? err.code : "unknown error";
}

function killGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // no process groups on Windows
  }
}

/** @param {Outcome} outcome @param {number} timeoutMs @returns {Verdict} */
function readOutcome(outcome, timeoutMs) {
  switch (outcome.end) {
    case "failed":
      return deny("no_bin", `the gate did not start (${outcome.error}); the operator must check NIGHTGAUGE_HOOK_BIN`);
    case "timeout":
      return deny("timeout", `the gate gave no verdict within ${timeoutMs} ms; try the call once more`);
    case "flooded":
      return deny("garbage", `the gate printed more than ${GATE_OUTPUT_MAX_BYTES} bytes; ${OPERATOR}`);
    default:
  }
  if (outcome.status !== 0) {
    const how = outcome.signal ? `was ended by ${outcome.signal}` : `exited with status ${outcome.status}`;
    return deny("exit_status", `the gate ${how}, expected status 0; ${OPERATOR}`);
  }
  return readVerdict(outcome.stdout) ?? deny("garbage", `the gate printed no verdict; ${OPERATOR}`);
}

const OPERATOR = "the operator must check that NIGHTGAUGE_HOOK_BIN is the nightgauge of this plugin";

/** @param {Buffer} stdout @returns {Verdict | undefined} undefined: not a verdict */
function readVerdict(stdout) {
  let verdict;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(stdout);
    if (text.indexOf("\n") !== text.length - 1) return undefined;
    verdict = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (verdict === null || typeof verdict !== "object" || verdict.v !== GATE_FORMAT) return undefined;
  const { decision, code, reason } = verdict;
  if (!DECISIONS.includes(decision) || typeof reason !== "string") return undefined;
  if (!isReceiptCode(code)) return undefined;
  return { decision, code, reason };
}
