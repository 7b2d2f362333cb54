// Changes in place, names for the same object, fields that are read back, and values that
// nobody knows are no loss.
import { unknown } from "somewhere";
const same = (x) => x;
export default {
  id: "in-place",
  server: async () => ({
    "tool.execute.before": async (input, output) => {
      output.args.command = "true";
      Object.assign(output.args, { timeout: 1 });
      const args = output.args;
      args.timeout = 2;
      output.args = args;
      output.args = Object.assign(output.args, { a: 1 });
      output.args ??= {};
      output.args = output.args ?? {};
      output.args = typeof output.args === "object" ? output.args : {};
      output.args = unknown(output.args);
      output.args = same(output.args);
      const other = { args: {} };
      other.args = {};
      run({ args: {} });
    },
    "experimental.chat.system.transform": async (_, output) => {
      output.system.length = 0;
      output.system.push("Be brief.");
    },
    "chat.params": async (_, output) => {
      output.options = { ...output.options, seed: 1 };
      output.temperature = 0;
    },
    "tool.execute.after": async (_, output) => {
      output.metadata = {};
    },
    config: async (config) => {
      config.args = {};
    },
  }),
  setup: async (api) => api.hook("tool.execute.before", (input, output) => { output.args = {}; }),
};
function run(output) {
  output.args = { of: "another" };
}
