// The one place where the plugin reads its environment.

/** The module that OpenCode loads, relative to the root of the tree. */
export const ENTRY_FILE = "nightgauge.js";

/**
 * What the run told the plugin. A variable that is not set reads as "".
 *
 * @typedef {object} RunEnv
 * @property {string} outputFile absolute path of the run's output file
 * @property {string} runID part of the name of every file that the run leaves
 * @property {string} nonce binds the sentinel to this run
 * @property {string} sentinel absolute path of the sentinel
 * @property {string} pluginPath absolute path of the entry as written for this run
 * @property {string} hookBin absolute path of the nightgauge binary
 */

/**
 * Reads the environment and removes the nonce and the sentinel path from it: a run that
 * the agent starts inside this one must not be able to answer for it.
 *
 * @returns {Readonly<RunEnv>}
 */
export function takeRunEnv() {
  const env = Object.freeze({
    outputFile: process.env.NIGHTGAUGE_OUTPUT_FILE ?? "",
    runID: process.env.NIGHTGAUGE_RUN_ID ?? "",
    nonce: process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONCE ?? "",
    sentinel: process.env.NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL ?? "",
    pluginPath: process.env.NIGHTGAUGE_OPENCODE_PLUGIN_PATH ?? "",
    hookBin: process.env.NIGHTGAUGE_HOOK_BIN ?? "",
  });
  delete process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONCE;
  delete process.env.NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL;
  return env;
}
