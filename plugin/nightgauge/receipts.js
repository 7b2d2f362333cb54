// Receipts: one line for every call that the gate judged. A sentinel proves that the
// plugin loaded; only receipts prove that the host really asks it. At exit Go compares
// them with the calls of the run's stream.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** Value of a receipt's key v. */
export const RECEIPT_FORMAT = 1;

/** Bytes that a run's receipts never pass. */
export const RECEIPTS_MAX_BYTES = 16 * 1024 * 1024;

/** What a gate can decide. */
export const DECISIONS = Object.freeze(["allow", "deny"]);

/** @param {string} runID @returns {string} name of the receipts beside the output file */
export function receiptsFileName(runID) {
  return `opencode-gate-${runID}.jsonl`;
}

/**
 * @typedef {object} Judgement
 * @property {string} sessionID
 * @property {string} callID
 * @property {string} tool
 * @property {string} decision one of DECISIONS
 * @property {string} code why, in snake case
 */

/**
 * Returns the function that records one judgement. It throws when the line is not on disk
 * afterwards, and the caller must then deny the call. Outside a run (no output file or no
 * run id) it does nothing.
 *
 * @param {Readonly<import("./env.js").RunEnv>} env
 * @returns {(judgement: Judgement) => void}
 */
export function createReceiptWriter(env) {
  if (env.outputFile === "" || env.runID === "") return () => {};
  return (judgement) => {
    const line = JSON.stringify(receipt(judgement)) + "\n";
    appendLine(receiptsPath(env), Buffer.from(line));
  };
}

/**
 * The form in which receipts carry a name that the host chose: the name when it is an
 * opaque id, else a digest of it. Free text never reaches the file, and a call still
 * matches its receipt.
 *
 * @param {unknown} name
 * @returns {string}
 */
export function receiptID(name) {
  if (typeof name !== "string" || name === "") throw new Error("tool call without an id");
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(name)) return name;
  return `sha256:${createHash("sha256").update(name, "utf8").digest("hex")}`;
}

/** @param {Judgement} judgement */
function receipt({ sessionID, callID, tool, decision, code }) {
  if (!DECISIONS.includes(decision)) throw new Error("decision is neither allow nor deny");
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(code)) throw new Error("code is not in snake case");
  return {
    v: RECEIPT_FORMAT,
    ts: new Date().toISOString(),
    session_id: receiptID(sessionID),
    call_id: receiptID(callID),
    tool: receiptID(tool),
    decision,
    code,
  };
}

function receiptsPath({ outputFile, runID }) {
  if (!path.isAbsolute(outputFile) || outputFile.split(/[\\/]/).includes("..")) {
    throw new Error(`output file is not a plain absolute path: ${outputFile}`);
  }
  if (!/^[^\\/\0]+$/.test(runID)) throw new Error(`run id is not one path element: ${runID}`);
  return path.join(path.dirname(outputFile), receiptsFileName(runID));
}

// One write per line: with O_APPEND no other writer's bytes come between (BUGS.md B27).
function appendLine(file, line) {
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  const fd = fs.openSync(file, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error(`receipts ${file} are not a regular file`);
    if (stat.size + line.length > RECEIPTS_MAX_BYTES) throw new Error(`receipts ${file} are full`);
    if ((stat.mode & 0o777) !== 0o600) fs.fchmodSync(fd, 0o600);
    const written = fs.writeSync(fd, line);
    if (written !== line.length) throw new Error(`receipt cut after ${written} bytes`);
  } finally {
    fs.closeSync(fd);
  }
}
