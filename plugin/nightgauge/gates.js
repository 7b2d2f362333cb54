// The gate: the hook that the host awaits before it runs a tool. The one way to stop a call
// is to throw (HOST.md section 2), so everything but an explicit, recorded allow throws.
// Nothing here is retried or skipped after failures, and no verdict serves a second call.

import { deny, judge } from "./judge.js";

/** Tools that read and write nothing outside the session: allowed without a child. */
export const HARMLESS_TOOLS = Object.freeze(["invalid", "plan_exit", "skill", "todoread", "todowrite"]);

/** Code of the receipt of a harmless tool's call. */
export const HARMLESS_CODE = "harmless";

/**
 * @typedef {object} Call
 * @property {string} tool
 * @property {string} sessionID
 * @property {string} callID
 * @property {boolean} child a sub-agent's session made the call
 * @property {unknown} args
 */

/**
 * @typedef {object} GateDeps
 * @property {import("./hook_bin.js").Hook} hook
 * @property {import("./judge.js").Place} place
 * @property {(sessionID: string) => boolean} isChild
 * @property {(judgement: import("./receipts.js").Judgement) => void} writeReceipt
 * @property {(tool: string, code: string) => void} noteDenial
 * @property {() => string} refusal why every call is denied, "" when none is
 * @property {number} [timeoutMs]
 */

/**
 * Returns the handler of tool.execute.before. It resolves for an allowed call and rejects,
 * with code, reason and what to do in the message, for every other.
 *
 * @param {GateDeps} deps
 * @returns {(input: unknown, output: unknown) => Promise<void>}
 */
export function createGate(deps) {
  // Two loads of the tree register this handler twice. The host gives both the same objects,
  // which makes the second one wait for the same verdict instead of asking again, unless a
  // plugin between the two has changed the arguments.
  const verdicts = new WeakMap();

  return async function gate(input, output) {
    if (!isObject(output)) return enforce(deps, input, output);
    const args = argsText(output);
    const known = verdicts.get(output);
    if (known !== undefined && known.input === input && known.args === args) return known.verdict;
    const verdict = enforce(deps, input, output);
    verdicts.set(output, { input, args, verdict });
    return verdict;
  };
}

/** @returns {string | undefined} undefined when there are none, or none that can be judged */
function argsText(output) {
  try {
    return JSON.stringify(output.args);
  } catch {
    return undefined;
  }
}

/** @param {GateDeps} deps */
async function enforce(deps, input, output) {
  const call = readCall(deps, input, output);
  const verdict = record(deps, call, await decide(deps, call));
  if (verdict.decision === "allow") return;
  deps.noteDenial(call.tool, verdict.code);
  throw new Error(`nightgauge denied ${call.tool || "this call"} (${verdict.code}): ${verdict.reason}`);
}

/** @returns {Call} with empty fields where the host's objects cannot be read */
function readCall(deps, input, output) {
  const sessionID = readString(input, "sessionID");
  return {
    tool: readString(input, "tool"),
    sessionID,
    callID: readString(input, "callID"),
    child: deps.isChild(sessionID),
    args: readField(output, "args"),
  };
}

/** @returns {Promise<import("./judge.js").Verdict>} */
async function decide(deps, call) {
  const refusal = deps.refusal();
  if (refusal !== "") {
    return deny("handshake_failed", `${refusal}; the operator must start the run again with a fresh handshake`);
  }
  if (call.tool === "" || call.sessionID === "" || call.callID === "") {
    return deny("bad_call", "the host named no tool, session or call; the operator must check the OpenCode version");
  }
  if (HARMLESS_TOOLS.includes(call.tool)) {
    return { decision: "allow", code: HARMLESS_CODE, reason: "" };
  }
  // Some hosts hand tools of MCP servers over without arguments (BUGS.md B11). What cannot
  // be seen cannot be judged.
  if (!isObject(call.args) || Array.isArray(call.args)) {
    return deny("no_args", "the host gave no arguments to judge; use another tool");
  }
  return judge(deps.hook, call, deps.place, deps.timeoutMs);
}

/** An allow that leaves no receipt is no allow: the run could not prove that it was gated. */
function record({ writeReceipt }, call, verdict) {
  try {
    const { tool, sessionID, callID } = call;
    writeReceipt({ sessionID, callID, tool, decision: verdict.decision, code: verdict.code });
    return verdict;
  } catch (err) {
    if (verdict.decision !== "allow") return verdict;
    return deny("receipt_failed", `the verdict could not be recorded (${err?.message}); the operator must check the run directory`);
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null;
}

function readField(object, key) {
  try {
    return object?.[key];
  } catch {
    return undefined;
  }
}

function readString(object, key) {
  const value = readField(object, key);
  return typeof value === "string" ? value : "";
}
