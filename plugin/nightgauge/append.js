// Appending to a file that several processes append to, up to a size that it never passes.
//
// Before the lock zone a line is one O_APPEND write, and nobody waits. The cap and the
// marker need more: between a look at the size and the write, a process may sleep for any
// time. So the zone begins with a seal (seal.js): the file is replaced by a copy that no
// writer of the first part can have open, and in the copy writers take turns (turn.js).

import fs from "node:fs";

import { openForAppend, readRange, writeOnce } from "./files.js";
import { isSealed, seal, sealName } from "./seal.js";
import { takeTurn } from "./turn.js";

/** Size that an events file never passes. */
export const EVENTS_MAX_BYTES = 1024 * 1024;

/** Length of the end of the file in which writers take turns. */
export const EVENTS_LOCK_ZONE_BYTES = 64 * 1024;

/** Bound of a line that is written without a turn. */
export const EVENT_UNLOCKED_LINE_MAX_BYTES = 512;

/** Bytes kept for the line that ends a run: one of the longest. */
export const EVENTS_VERDICT_RESERVE_BYTES = 4 * 1024;

/** Bytes kept for the marker. */
export const EVENTS_MARKER_RESERVE_BYTES = 128;

const LOCK_ZONE_START = EVENTS_MAX_BYTES - EVENTS_LOCK_ZONE_BYTES;
const NEWLINE = 0x0a;
const TORN_TRIES = 3;

/**
 * @typedef {object} LinePolicy
 * @property {boolean} isVerdict the line may use what is kept for the verdict
 * @property {() => Buffer} marker makes the line that says that the file is full
 * @property {(line: string) => boolean} isMarker
 */

/**
 * Appends one line. It throws when the line is not in the file afterwards for another
 * reason than the cap.
 *
 * @param {string} file
 * @param {Buffer} line with its newline
 * @param {LinePolicy} policy
 * @returns {"written" | "truncated"}
 */
export function appendLine(file, line, policy) {
  const { fd, size } = openForAppend(file);
  let mayHold;
  try {
    if (size < LOCK_ZONE_START && line.length <= EVENT_UNLOCKED_LINE_MAX_BYTES) {
      const end = appendUncapped(fd, size, line);
      if (end < LOCK_ZONE_START || !isSealing(file)) return "written";
      mayHold = size;
    }
  } finally {
    fs.closeSync(fd);
  }
  return appendInTurn(file, line, policy, mayHold);
}

// A seal is named after the size has reached the zone, and copies after it was named. Who
// sees no name after its write has its line in the copy.
function isSealing(file) {
  return fs.lstatSync(sealName(file), { throwIfNoEntry: false }) !== undefined;
}

// Returns the size afterwards. A writer that is killed between our look at the tail and our
// write leaves a tail that swallows the line, which is then written again.
function appendUncapped(fd, size, line) {
  for (let tries = 0; tries < TORN_TRIES; tries++) {
    const bytes = healed(fd, size, line);
    writeOnce(fd, bytes);
    const end = fs.fstatSync(fd).size;
    if (end === size + bytes.length || holdsLine(fd, size, end, line)) return end;
    size = end;
  }
  throw new Error(`line was swallowed by a torn one ${TORN_TRIES} times`);
}

// mayHold is the offset from which the file may hold the line already.
function appendInTurn(file, line, policy, mayHold = Infinity) {
  const endTurn = takeTurn(file);
  try {
    const { fd, size } = openSealed(file);
    try {
      if (holdsLine(fd, mayHold, size, line)) return "written";
      if (size >= LOCK_ZONE_START) return appendCapped(fd, size, line, policy);
      appendUncapped(fd, size, line);
      return "written";
    } finally {
      fs.closeSync(fd);
    }
  } finally {
    endTurn();
  }
}

// Opens the file, sealed if its size is in the lock zone.
function openSealed(file) {
  const opened = openForAppend(file);
  const outside = opened.size < LOCK_ZONE_START || opened.size >= EVENTS_MAX_BYTES;
  try {
    if (outside || isSealed(file, opened.fd)) return opened;
    seal(file, opened.fd);
  } catch (err) {
    fs.closeSync(opened.fd);
    throw err;
  }
  fs.closeSync(opened.fd);
  return openForAppend(file);
}

function appendCapped(fd, size, line, { isVerdict, marker, isMarker }) {
  const isFull = zoneLines(fd, size).some(isMarker);
  const bytes = healed(fd, size, line);
  if (size + bytes.length <= roomFor(isVerdict, isFull)) {
    writeOnce(fd, bytes);
    return "written";
  }
  const last = healed(fd, size, marker());
  if (!isFull && size + last.length <= EVENTS_MAX_BYTES) writeOnce(fd, last);
  return "truncated";
}

function roomFor(isVerdict, isFull) {
  if (isFull) return isVerdict ? EVENTS_MAX_BYTES : 0;
  return EVENTS_MAX_BYTES - EVENTS_MARKER_RESERVE_BYTES - (isVerdict ? 0 : EVENTS_VERDICT_RESERVE_BYTES);
}

// Lines that begin in the zone; the byte before it tells whether the first one does.
function zoneLines(fd, size) {
  return readRange(fd, LOCK_ZONE_START - 1, Math.min(size, EVENTS_MAX_BYTES)).toString("latin1").split("\n").slice(1);
}

// Looks for the whole line between two offsets, of which start is an end of the file.
function holdsLine(fd, start, end, line) {
  const before = start === 0 ? Buffer.of(NEWLINE) : Buffer.alloc(0);
  const bytes = Buffer.concat([before, readRange(fd, Math.max(start - 1, 0), end)]);
  return bytes.includes(Buffer.concat([Buffer.of(NEWLINE), line]));
}

// A writer that died in the middle left no newline; what follows must not be lost with it
// (BUGS.md B29).
function healed(fd, size, line) {
  if (size === 0 || readRange(fd, size - 1, size)[0] === NEWLINE) return line;
  return Buffer.concat([Buffer.of(NEWLINE), line]);
}
