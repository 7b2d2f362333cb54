import { statSync } from "node:fs";

const TOOLS = ["read", "edit", "write", "grep", "glob", "list", "apply_patch", "bash"];
const edits = ["edit", "write"];

export const All = async () => ({
  "tool.execute.before": async (input, output) => {
    if (TOOLS.includes(input.tool) && JSON.stringify(output.args).includes("secret")) throw new Error("no");
  },
});
export const Writers = async () => ({
  "tool.execute.before": async (input, output) => {
    if (["edit", "write", "apply_patch", "bash"].includes(input.tool)) throw new Error("read only");
  },
});
export const One = async () => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool === "bash" && output.args.command.includes("rm")) throw new Error("no");
  },
});
export const NoGuard = async () => ({
  "tool.execute.before": async (input, output) => {
    if (edits.includes(input.tool)) output.args.filePath = String(output.args.filePath);
  },
});
export const Covered = async () => ({
  "tool.execute.before": async (input, output) => {
    let file = output.args.path;
    if (input.tool === "edit" || input.tool === "write") file = output.args.filePath;
    if (JSON.stringify(output.args).includes("secret") || file === "x") throw new Error("no");
  },
});

export const Missing = async () => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool !== "grep" && input.tool !== "glob") return;
    let missing = false;
    try {
      statSync(output.args.path);
    } catch (err) {
      missing = err.code === "ENOENT";
    }
    if (missing) throw new Error("no such directory");
  },
});
export const Loops = async () => {
  const runs = new Map();
  return {
    "tool.execute.before": async (input) => {
      if (!["read", "grep"].includes(input.tool)) return;
      const n = (runs.get(input.tool) ?? 0) + 1;
      runs.set(input.tool, n);
      if (["read", "grep"].includes(input.tool) && n > 10) throw new Error("again");
      if (n > 20) throw new Error("again and again");
    },
  };
};
