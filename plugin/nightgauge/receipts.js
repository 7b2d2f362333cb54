// Receipts: one line for every call that the gate judged. A sentinel proves that the
// plugin loaded; only receipts prove that the host really asks it. At exit Go compares
// them with the calls of the run's stream.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

import { eventsPath, sanitizeEventID } from "./events.js";
import { openForAppend, readRange, writeOnce } from "./files.js";

/** Value of a receipt's key v. */
export const RECEIPT_FORMAT = 1;

/** Bytes that a run's receipts never pass. */
export const RECEIPTS_MAX_BYTES = 16 * 1024 * 1024;

/** Bound of one line, its newline included. */
export const RECEIPT_LINE_MAX_BYTES = 1024;

/** What a gate can decide. */
export const DECISIONS = Object.freeze(["allow", "deny"]);

/** The regular expression of a receipt's code. */
export const RECEIPT_CODE = "^[a-z][a-z0-9_]{0,63}$";
const receiptCode = new RegExp(RECEIPT_CODE);

/** @param {unknown} code @returns {boolean} whether it has the form of a receipt's code */
export function isReceiptCode(code) {
  return typeof code === "string" && receiptCode.test(code);
}

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
 * afterwards, and the caller must then deny the call. Without an output file or a run id
 * there is nobody to record for, and it does nothing.
 *
 * @param {Readonly<import("./env.js").RunEnv>} env
 * @returns {(judgement: Judgement) => void}
 */
export function createReceiptWriter(env) {
  if (env.outputFile === "" || env.runID === "") return () => {};
  const events = eventsPath(env);
  const file = events === "" ? "" : path.join(path.dirname(events), receiptsFileName(env.runID));
  return (judgement) => {
    if (file === "") throw new Error("no place for receipts: the output file or the run id is not usable");
    appendLine(file, JSON.stringify(receipt(judgement)));
  };
}

/**
 * The form in which receipts carry a name that the host chose: the name when it is an
 * opaque id, else a digest of it. Free text never reaches the file, and a call still
 * matches its receipt. The twin of plugin.ReceiptID.
 *
 * @param {unknown} name
 * @returns {string}
 */
export function receiptID(name) {
  if (typeof name !== "string" || name === "") throw new Error("a tool call without session, id or tool");
  return sanitizeEventID(name) || `sha256:${createHash("sha256").update(name, "utf8").digest("hex")}`;
}

/** @param {Judgement} judgement */
function receipt({ sessionID, callID, tool, decision, code }) {
  if (!DECISIONS.includes(decision)) throw new Error(`a decision is one of ${DECISIONS.join(", ")}`);
  if (!isReceiptCode(code)) throw new Error("a code is in snake case");
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

function appendLine(file, text) {
  const { fd, size } = openForAppend(file);
  try {
    // A write that failed half way left no newline; without one this line would be lost too.
    const torn = size > 0 && readRange(fd, size - 1, size).toString("latin1") !== "\n";
    const record = Buffer.from(`${torn ? "\n" : ""}${text}\n`);
    if (size + record.length > RECEIPTS_MAX_BYTES) throw new Error(`receipts have ${size} bytes: no room`);
    writeOnce(fd, record);
  } finally {
    fs.closeSync(fd);
  }
}
