// Fake hook binaries, and the pipes that tell when their processes have ended.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export const ALLOW = '{"v":1,"decision":"allow","code":"read_only","reason":""}';

/** A directory that is removed when the test ends. */
export function tempDir(t) {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nightgauge-")));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Writes a shell script as hook binary and returns its path. */
export function hookScript(t, body) {
  const file = path.join(tempDir(t), "hook");
  fs.writeFileSync(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return file;
}

/**
 * A named pipe whose ended promise resolves, with what was written, once every process
 * that had it open for writing is gone.
 */
export function endPipe(t) {
  const file = path.join(tempDir(t), "pipe");
  execFileSync("mkfifo", [file]);
  const ended = new Promise((resolve, reject) => {
    const chunks = [];
    fs.createReadStream(file)
      .on("data", (chunk) => chunks.push(chunk))
      .on("end", () => resolve(Buffer.concat(chunks).toString()))
      .on("error", reject);
  });
  return { file, ended };
}
