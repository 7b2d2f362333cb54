import { assertAllowed, readConfig, record } from "./policy.js";

const first = async () => ({
  "tool.execute.before": async (input, output) => {
    try {
      if (output.args.command.includes("rm -rf")) throw new Error("blocked");
    } catch (err) {
      throw new Error("guard: " + err.message);
    }
  },
});
const second = async () => ({
  "tool.execute.before": async (input, output) => {
    let failure;
    try {
      assertAllowed(output.args.filePath);
    } catch (err) {
      failure = err;
    }
    if (failure) throw failure;
  },
});
const third = async () => ({
  "tool.execute.before": async (input, output) => {
    try {
      readConfig();
    } catch {}
    try {
      record(output.args);
    } catch {}
    if (output.args.command === "rm") throw new Error("no");
  },
});
const fourth = async () => ({
  "tool.execute.before": async (input, output) => {
    try {
      assertAllowed(output.args.filePath);
    } finally {
      input.seen = true;
    }
  },
  "tool.execute.after": async (input, output) => {
    try {
      if (!output.title) throw new Error("no title");
    } catch {}
  },
});
const fifth = async () => ({
  "tool.execute.before": async (input, output) => {
    try {
      assertAllowed(output.args.filePath);
    } catch (err) {
      if (err.code === "DENIED") throw err;
    }
  },
});
export { first, second, third, fourth, fifth };
