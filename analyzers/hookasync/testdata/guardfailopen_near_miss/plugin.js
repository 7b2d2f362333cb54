import { judge } from "./judge.js";

const PATH_TOOLS = new Set(["read", "edit"]);

const first = async () => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool !== "bash") return;
    const command = output.args.command;
    if (!command) return; // bash without a command does nothing
    if (command.includes("rm")) throw new Error("no rm");
  },
});
const second = async () => ({
  "tool.execute.before": async (input, output) => {
    let verdict = "deny";
    try {
      verdict = await judge(output.args);
    } catch (err) {
      throw new Error("cannot judge", { cause: err });
    }
    if (verdict === "deny") throw new Error("denied");
  },
});
const third = async () => ({
  "tool.execute.before": async (input, output) => {
    if (!output.args?.description) return; // no guard: nothing is thrown
    output.args.description = output.args.description.trim();
  },
});
const fourth = async () => ({
  "tool.execute.before": async ({ tool }, output) => {
    const isPath = PATH_TOOLS.has(tool);
    if (isPath) {
      if (!output.args.filePath) return;
      if (output.args.filePath.includes(".env")) throw new Error("no");
    }
  },
});
const fifth = async () => ({
  "tool.execute.before": async (input, output) => {
    if (output.args.command?.includes("rm")) throw new Error("no rm");
    if (!output.args.filePath) return; // behind the refusal
    try {
      await judge(output.args);
    } catch {
      return;
    }
  },
});
export { first, second, third, fourth, fifth };
