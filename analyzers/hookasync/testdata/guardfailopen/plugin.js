import { judge } from "./judge.js";

const first = async () => ({
  "tool.execute.before": async (input, output) => {
    let verdict;
    try {
      verdict = await judge(output.args);
    } catch {
      return; // want guardfailopen "a guard that fails lets the tool run"
    }
    if (verdict === "deny") throw new Error("denied");
  },
});
const second = async () => ({
  "tool.execute.before": async (input, output) => {
    if (!output.args) return; // want guardfailopen "output.args is missing"
    if (output.args.command?.includes("rm")) throw new Error("no rm");
  },
});
const third = async () => ({
  "tool.execute.before": async (input, output) => {
    const path = output.args?.filePath;
    if (typeof path !== "string") { // MCP tools call it path
      return; // want guardfailopen "path is missing"
    }
    if (path.includes(".env")) throw new Error("no secrets");
  },
});
const fourth = async () => ({
  "tool.execute.before": async (input, { args }) => {
    const command = String(args?.command ?? args?.cmd ?? "");
    if (command == null || !command) return; // want guardfailopen "command is missing"
    const hit = ["rm", "dd"].find((word) => command.includes(word));
    if (hit) throw new Error(hit);
  },
});
export { first, second, third, fourth };
