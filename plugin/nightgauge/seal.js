// Sealing: an events file that enters its lock zone is replaced by a copy. A writer that
// looked at the old file before and wakes up late writes into the old one, which nobody
// reads any more; it sees the seal afterwards and comes back for a turn.

import fs from "node:fs";

import { createExclusive, readRange } from "./files.js";

const NEWLINE = 0x0a;

/** @param {string} file @returns {string} second name of a sealed events file */
export function sealName(file) {
  return `${file}.sealed`;
}

/**
 * @param {string} file
 * @param {number} fd the file, open
 * @returns {boolean} whether it is the copy that a seal made
 */
export function isSealed(file, fd) {
  const named = fs.lstatSync(sealName(file), { bigint: true, throwIfNoEntry: false });
  const opened = fs.fstatSync(fd, { bigint: true });
  return named !== undefined && named.ino === opened.ino && named.dev === opened.dev;
}

/**
 * Replaces file by a copy of it that also has the name sealName(file). The caller has the
 * turn. What a killed predecessor left behind is made anew: until the rename, the old file
 * is the file.
 *
 * @param {string} file
 * @param {number} fd the file, open
 */
export function seal(file, fd) {
  const name = sealName(file);
  const staged = `${name}.new`;
  fs.rmSync(name, { force: true });
  fs.rmSync(staged, { force: true });
  const copy = createExclusive(name); // before the file is read: see isSealing in append.js
  try {
    writeWhole(copy, wholeLines(fd));
    fs.fsyncSync(copy);
  } finally {
    fs.closeSync(copy);
  }
  fs.linkSync(name, staged);
  fs.renameSync(staged, file);
}

function wholeLines(fd) {
  const bytes = readRange(fd, 0, fs.fstatSync(fd).size);
  return bytes.at(-1) === NEWLINE ? bytes : Buffer.concat([bytes, Buffer.of(NEWLINE)]);
}

function writeWhole(fd, bytes) {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, null);
}
