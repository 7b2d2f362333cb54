// Opening the files that a run leaves. The agent shares their directory, so nothing is
// followed, nothing blocks, and only a regular file is touched.

import fs from "node:fs";
import path from "node:path";

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = fs.constants;
// Windows has neither flag.
const NO_FOLLOW = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

/** Mode of every file that the run leaves. */
const OWNER_ONLY = 0o600;

/** Bound of one read: other hands can make a file any size at any moment. */
const RANGE_MAX_BYTES = 1024 * 1024;

/**
 * Opens a file for appending and for reading its end; makes it when it is missing, never
 * its directory, and never cuts it. It is mode 0600 afterwards even when it was not before.
 *
 * @param {string} file
 * @returns {{ fd: number, size: number }} its descriptor, and its size in bytes
 */
export function openForAppend(file) {
  return openOwned(file, O_RDWR | O_APPEND | O_CREAT);
}

/**
 * Makes a file that must not exist yet, not even as a link.
 *
 * @param {string} file
 * @returns {number} file descriptor
 */
export function createExclusive(file) {
  return openOwned(file, O_RDWR | O_APPEND | O_CREAT | O_EXCL).fd;
}

/**
 * Reads a whole regular file.
 *
 * @param {string} file
 * @param {number} maxBytes a longer file is an error
 * @returns {Buffer}
 */
export function readRegular(file, maxBytes) {
  const { fd, stat } = openRegular(file, O_RDONLY);
  try {
    if (stat.size > maxBytes) throw new Error(`${file} has ${stat.size} bytes, expected at most ${maxBytes}`);
    return readRange(fd, 0, stat.size);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * @param {number} fd
 * @param {number} start
 * @param {number} end
 * @returns {Buffer} the bytes from start to end, fewer when the file ends earlier
 */
export function readRange(fd, start, end) {
  if (end - start > RANGE_MAX_BYTES) throw new Error(`expected at most ${RANGE_MAX_BYTES} bytes to read, found ${end - start}`);
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const n = fs.readSync(fd, bytes, filled, bytes.length - filled, start + filled);
    if (n === 0) break;
    filled += n;
  }
  return bytes.subarray(0, filled);
}

/**
 * Writes one record in one call: with O_APPEND no other writer's bytes come between
 * (BUGS.md B27).
 *
 * @param {number} fd
 * @param {Buffer} record
 */
export function writeOnce(fd, record) {
  const written = fs.writeSync(fd, record, 0, record.length, null);
  if (written !== record.length) throw new Error(`wrote ${written} of ${record.length} bytes`);
}

function openOwned(file, flags) {
  const { fd, stat } = openRegular(file, flags);
  const opened = { fd, size: stat.size };
  if ((stat.mode & 0o777) === OWNER_ONLY || process.platform === "win32") return opened;
  try {
    fs.fchmodSync(fd, OWNER_ONLY);
    return opened;
  } catch (err) {
    fs.closeSync(fd);
    throw err;
  }
}

// Node cannot open relative to a directory, so the check of the parent is a check before
// the use; the file itself is checked on its descriptor.
function openRegular(file, flags) {
  if (fs.lstatSync(path.dirname(file)).isSymbolicLink()) throw new Error(`directory of ${file} is a symbolic link`);
  const fd = fs.openSync(file, flags | NO_FOLLOW, OWNER_ONLY);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new Error(`${file} is not a regular file`);
    return { fd, stat };
  } catch (err) {
    fs.closeSync(fd);
    throw err;
  }
}
