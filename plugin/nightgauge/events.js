// Events: what a run reports to whoever started it, one line of JSON each. They hold ids,
// counts and codes, never text of the model or the user.

import path from "node:path";

import { appendLine } from "./append.js";

/** Value of an event's key v. */
export const EVENT_FORMAT = 1;

/** What a run reports. */
export const EVENT_KINDS = Object.freeze(["compaction", "idle", "stop_verify", "permission_ask", "skill"]);

/** The kind that ends a run. Part of the file is kept for it. */
export const VERDICT_KIND = "stop_verify";

/** Marks a file that had no room for an event; only the writers write it, once per file. */
export const TRUNCATED_KIND = "truncated";

/** Keys that name free text; no detail may have one, whatever its case. */
export const BANNED_KEYS = Object.freeze([
  "args",
  "content",
  "description",
  "input",
  "message",
  "metadata",
  "output",
  "parts",
  "patterns",
  "prompt",
  "reason",
  "summary",
  "text",
  "title",
]);

/** Bound of one line, its newline included. */
export const EVENT_LINE_MAX_BYTES = 4 * 1024;

/** Bound of a session id and of the name of a detail. */
export const EVENT_ID_MAX_BYTES = 128;

/** Bound of a string in a detail. */
export const EVENT_CODE_MAX_BYTES = 256;

/** The largest count, and its negative the smallest, that both languages hold exactly. */
export const EVENT_COUNT_MAX = 2 ** 53 - 1;

/** Bound of a run id. */
export const RUN_ID_MAX_BYTES = 128;

const OPAQUE_ID = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,${EVENT_ID_MAX_BYTES - 1}}$`);
const OPAQUE_CODE = new RegExp(`^[A-Za-z0-9._:/-]{0,${EVENT_CODE_MAX_BYTES}}$`);

/** @param {string} runID @returns {string} name of the events file beside the output file */
export function eventsFileName(runID) {
  return `opencode-events-${runID}.jsonl`;
}

/**
 * @param {Readonly<import("./env.js").RunEnv>} env
 * @returns {string} absolute path of the run's events file, or "" when events are disabled:
 *   no output file or run id, an output file that is not absolute or has a ".." element, or
 *   a run id that is not one plain path element
 */
export function eventsPath({ outputFile, runID }) {
  if (!path.isAbsolute(outputFile) || !isPathElement(runID)) return "";
  if (outputFile.split(path.sep === "\\" ? /[\\/]/ : "/").includes("..")) return "";
  return path.join(path.dirname(outputFile), eventsFileName(runID));
}

function isPathElement(name) {
  if (name === "" || name === "." || name === ".." || !name.isWellFormed()) return false;
  if (path.sep === "\\" && name.includes(":")) return false; // a stream of another file
  return Buffer.byteLength(name) <= RUN_ID_MAX_BYTES && !/[/\\\u0000-\u001f\u007f]/.test(name);
}

/**
 * @param {unknown} id
 * @returns {string} id when it is an opaque id, else "": free text does not fit
 */
export function sanitizeEventID(id) {
  return typeof id === "string" && OPAQUE_ID.test(id) ? id : "";
}

/**
 * What became of an event: "written"; "truncated": the file is full, and says so;
 * "refused": it breaks the format or the retention rules; "failed": the file cannot be
 * written; "disabled": there is no file.
 *
 * @typedef {"written" | "truncated" | "refused" | "failed" | "disabled"} EventStatus
 */

/**
 * @typedef {object} EventFields
 * @property {string} [sessionID] anything but an opaque id is left out
 * @property {boolean} [child] the session is a sub-agent's
 * @property {Record<string, string | number | boolean>} [detail] ids, counts and codes
 */

/**
 * Returns the function that appends one event before it returns. It never throws.
 *
 * @param {string} file path of the events file, "" to append nothing
 * @returns {(kind: string, fields?: EventFields) => EventStatus}
 */
export function createEventWriter(file) {
  if (file === "") return () => "disabled";
  let full = false;
  return (kind, fields) => {
    const isVerdict = kind === VERDICT_KIND;
    const line = encode(kind, fields);
    if (line === undefined) return "refused";
    if (full && !isVerdict) return "truncated";
    try {
      const status = appendLine(file, line, { isVerdict, marker: encodeMarker, isMarker });
      full ||= status === "truncated";
      return status;
    } catch {
      return "failed";
    }
  };
}

function encodeMarker() {
  return Buffer.from(`${head(TRUNCATED_KIND)}}\n`);
}

/** @param {string} line @returns {boolean} */
function isMarker(line) {
  try {
    return JSON.parse(line).kind === TRUNCATED_KIND;
  } catch {
    return false;
  }
}

// Returns undefined for an event that is refused, whatever it is made of.
function encode(kind, fields) {
  try {
    if (!EVENT_KINDS.includes(kind)) return undefined;
    const line = Buffer.from(`${head(kind)}${encodeFields(fields ?? {})}}\n`);
    return line.length <= EVENT_LINE_MAX_BYTES ? line : undefined;
  } catch {
    return undefined;
  }
}

function head(kind) {
  return `{"v":${EVENT_FORMAT},"ts":"${new Date().toISOString()}","kind":"${kind}"`;
}

function encodeFields({ sessionID, child, detail }) {
  const id = sanitizeEventID(sessionID);
  return (id === "" ? "" : `,"session_id":"${id}"`) + (child === true ? ',"child":true' : "") + encodeDetail(detail ?? {});
}

// Details are sorted by name, as Go sorts them, so that equal events are equal lines.
function encodeDetail(detail) {
  if (typeof detail !== "object" || Array.isArray(detail)) throw new TypeError("detail is not an object");
  const entries = Object.entries(detail);
  if (entries.length === 0) return "";
  const pairs = entries.map(([name, value]) => `"${checkedName(name)}":${encodeScalar(value)}`);
  return `,"detail":{${pairs.sort().join(",")}}`;
}

function checkedName(name) {
  if (!OPAQUE_ID.test(name)) throw new TypeError("name of a detail is not an opaque id");
  if (BANNED_KEYS.includes(name.toLowerCase())) throw new TypeError("name of a detail stands for free text");
  return name;
}

function encodeScalar(value) {
  switch (typeof value) {
    case "boolean":
      return String(value);
    case "string":
      if (OPAQUE_CODE.test(value)) return `"${value}"`;
      break;
    case "number":
      if (Number.isInteger(value) && Math.abs(value) <= EVENT_COUNT_MAX) return JSON.stringify(value);
      break;
    default:
  }
  throw new TypeError("value of a detail is no id, count or code");
}
