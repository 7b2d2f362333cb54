import type { Plugin } from "@opencode-ai/plugin";
import * as path from "node:path";
import { realpathSync } from "node:fs";

function isInside(child: string, parent: string) {
  return child.startsWith(parent); // want prefix "passes for every path that begins with the same letters"
}

export const P: Plugin = async ({ directory, worktree }) => {
  const root = path.resolve(worktree);
  return {
    "tool.execute.before": async (input, output) => {
      const file = realpathSync(path.resolve(directory, output.args.filePath));
      if (!file.startsWith(directory)) throw new Error("outside"); // want prefix "directory + path.sep"
      if (!(file === root || file.startsWith(root))) throw new Error("outside"); // want prefix "root + path.sep"
      if (!isInside(file, worktree)) throw new Error("outside");
      if (file.indexOf(process.cwd()) !== 0) throw new Error("outside"); // want prefix "passes"
    },
    tool: {
      save: {
        description: "saves",
        args: {},
        async execute(args: { file: string }) {
          const target = path.join(worktree, args.file);
          if (!target.startsWith(worktree)) return "outside"; // want prefix "worktree"
          return "saved";
        },
      },
    },
  };
};
