import { execSync, spawnSync as run } from "node:child_process";
import * as cp from "child_process";
import { lint } from "./lint.js";

export default async ({ $ }) => {
  const branch = () => execSync("git branch --show-current").toString(); // want syncspawn "execSync stops OpenCode"
  return {
    event: async ({ event }) => {
      if (event.type === "session.idle") run("notify-send", ["done"]); // want syncspawn "spawnSync stops OpenCode"
    },
    "tool.execute.after": async () => {
      lint();
      cp.execFileSync("git", ["add", "-A"], { timeout: 1000 }); // want syncspawn "execFileSync"
    },
    "tool.execute.before": async (input, output) => {
      if (run("check", [output.args.command]).status !== 0) throw new Error("no"); // want syncspawn "without a timeout"
    },
    "experimental.chat.system.transform": async (input, output) => {
      output.system.push(branch());
    },
    tool: {
      build: {
        description: "builds",
        args: {},
        async execute() {
          return Bun.spawnSync(["make"]).stdout.toString(); // want syncspawn "Bun.spawnSync" // want bunonly "Bun.spawnSync"
        },
      },
    },
  };
};
