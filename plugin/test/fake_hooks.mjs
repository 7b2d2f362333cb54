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

const ENDED_BOUND_MS = 60_000;

/**
 * A named pipe. Its ended function resolves once every process that has it open for writing
 * is gone, also when none ever had, and rejects when one lives on.
 */
export function endPipe(t) {
  const file = path.join(tempDir(t), "pipe");
  execFileSync("mkfifo", [file]);
  const stream = fs.createReadStream(file);
  const opened = new Promise((resolve) => stream.once("open", resolve));
  const closed = new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject));
  stream.resume();
  return {
    file,
    async ended() {
      // To open the pipe for reading waits for a writer: this is one, until the reader is in.
      const writer = fs.openSync(file, fs.constants.O_RDWR);
      await opened;
      fs.closeSync(writer);
      const timer = setTimeout(() => {
        stream.destroy(new Error("a process that should be gone has the pipe open"));
        fs.writeFileSync(file, "."); // wakes the read under way, which the end has to wait for
      }, ENDED_BOUND_MS);
      await closed.finally(() => clearTimeout(timer));
    },
  };
}
