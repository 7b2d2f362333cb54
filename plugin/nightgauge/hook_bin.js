// The nightgauge binary whose verbs the plugin runs.

import path from "node:path";

/**
 * @typedef {object} Hook how a hook verb is run
 * @property {string} bin absolute path of the nightgauge binary
 * @property {() => Record<string, string | undefined>} env its environment
 */

/**
 * Says what is wrong with the path of the hook binary, "" when nothing is.
 *
 * A relative name would be searched on PATH, which the agent can influence. A Go test
 * binary does not know the verbs: it would run its whole suite once more (BUGS.md B74).
 *
 * @param {string} hookBin
 * @returns {string}
 */
export function hookBinFault(hookBin) {
  if (hookBin === "") return "NIGHTGAUGE_HOOK_BIN is not set";
  if (!path.isAbsolute(hookBin)) return "NIGHTGAUGE_HOOK_BIN is not an absolute path";
  if (/\.test(\.exe)?$/i.test(hookBin)) return "NIGHTGAUGE_HOOK_BIN names a Go test binary";
  return "";
}
