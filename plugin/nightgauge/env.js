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
 * @property {Readonly<Record<string, string | undefined>>} ofHooks the run's variables that
 *   the hook verbs and the operator's command read, as they were when the plugin loaded
 */

/**
 * Reads the environment and removes the nonce and the sentinel path from it: a run that
 * the agent starts inside this one must not be able to answer for it.
 *
 * @returns {Readonly<RunEnv>}
 */
export function takeRunEnv() {
  const ofHooks = Object.freeze({
    NIGHTGAUGE_OUTPUT_FILE: process.env.NIGHTGAUGE_OUTPUT_FILE,
    NIGHTGAUGE_RUN_ID: process.env.NIGHTGAUGE_RUN_ID,
    NIGHTGAUGE_PLAN: process.env.NIGHTGAUGE_PLAN,
    NIGHTGAUGE_STOP_VERIFY: process.env.NIGHTGAUGE_STOP_VERIFY,
    NIGHTGAUGE_STOP_VERIFY_SHELL: process.env.NIGHTGAUGE_STOP_VERIFY_SHELL,
    NIGHTGAUGE_GATE_POLICY: process.env.NIGHTGAUGE_GATE_POLICY,
    NIGHTGAUGE_STAGE: process.env.NIGHTGAUGE_STAGE,
    NIGHTGAUGE_OPENCODE_OPERATOR_INSTALL_RISK: process.env.NIGHTGAUGE_OPENCODE_OPERATOR_INSTALL_RISK,
  });
  const env = Object.freeze({
    outputFile: ofHooks.NIGHTGAUGE_OUTPUT_FILE ?? "",
    runID: ofHooks.NIGHTGAUGE_RUN_ID ?? "",
    nonce: process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONCE ?? "",
    sentinel: process.env.NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL ?? "",
    pluginPath: process.env.NIGHTGAUGE_OPENCODE_PLUGIN_PATH ?? "",
    hookBin: process.env.NIGHTGAUGE_HOOK_BIN ?? "",
    ofHooks,
  });
  delete process.env.NIGHTGAUGE_OPENCODE_PLUGIN_NONCE;
  delete process.env.NIGHTGAUGE_OPENCODE_PLUGIN_SENTINEL;
  return env;
}

/**
 * The environment of a hook verb: the host's as it is now, with the run's variables as they
 * were at the start. Another plugin in the process could have changed those since, and with
 * them the policy that judges its calls.
 *
 * @param {Readonly<RunEnv>} env
 * @returns {Record<string, string | undefined>} a variable that is undefined is not passed on
 */
export function hookEnv(env) {
  return { ...process.env, ...env.ofHooks };
}
