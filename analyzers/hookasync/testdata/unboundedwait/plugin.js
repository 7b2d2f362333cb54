import { exec, execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { ask } from "./ask.js";

const run = promisify(exec);

const first = async ({ directory }) => {
  const response = await fetch("https://example.com/config.json"); // want unboundedwait "at start"
  const version = await run("tool --version"); // want unboundedwait "exec has no timeout or signal"
  await new Promise((resolve) => spawn("tool", ["sync"], { cwd: directory }).on("close", resolve)); // want unboundedwait "spawn has no timeout"
  return {
    "tool.execute.before": async (input, output) => {
      const verdict = await ask(output.args);
      if (verdict === "deny") throw new Error("denied");
    },
    dispose: async () => {
      await Promise.all([
        fetch("https://example.com", { method: "POST", body: String(response.ok + version) }), // want unboundedwait "at dispose"
      ]);
    },
  };
};
const second = async () => {
  const pending = fetch("https://example.com").then((r) => r.json()); // want unboundedwait "fetch has no signal"
  const config = await pending;
  return { "chat.params": async (input, output) => Object.assign(output.options, config) };
};
const third = async () => {
  await new Promise((resolve, reject) => {
    execFile("git", ["status"], (err) => (err ? reject(err) : resolve())); // want unboundedwait "execFile"
  });
  return { "chat.params": async (input, output) => {} };
};
export { first, second, third };
