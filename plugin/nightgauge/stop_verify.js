// The child that verifies the run once the agent has stopped. The host is gone some 10 to
// 800 ms after the idle event and awaits nothing (HOST.md section 4), so the child must be
// able to outlive it: started synchronously, in a session of its own, with no descriptor
// of the host's.

import { spawn } from "node:child_process";

import { hookBinFault } from "./hook_bin.js";

/** Command line of the child after the hook binary. */
export const STOP_VERIFY_VERB = Object.freeze(["hook", "stop-verify"]);

/** Flags that follow it. */
export const STOP_VERIFY_FLAGS = Object.freeze({
  emit: "--emit-event",
  workdir: "--workdir",
  session: "--session-id",
});

/**
 * Starts the child and returns at once. The child writes the stop_verify event itself and
 * bounds itself. Without a usable binary there is no child, hence no verdict, and the
 * reader's wait ends without one.
 *
 * @param {import("./hook_bin.js").Hook} hook
 * @param {string} directory absolute directory to verify
 * @param {string} sessionID an id that sanitizeEventID has passed
 * @returns {void}
 */
export function spawnStopVerify(hook, directory, sessionID) {
  if (hookBinFault(hook.bin) !== "") return;
  const { emit, workdir, session } = STOP_VERIFY_FLAGS;
  const args = [...STOP_VERIFY_VERB, emit, workdir, directory, session, sessionID];
  const child = spawn(hook.bin, args, { env: hook.env(), detached: true, stdio: "ignore", windowsHide: true });
  child.on("error", () => {});
  child.unref();
}
