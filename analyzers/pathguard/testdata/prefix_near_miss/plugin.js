import path, { sep } from "node:path";
import { realpathSync } from "node:fs";

const withSep = (dir) => (dir.endsWith(sep) ? dir : dir + sep);

export const P = async ({ directory, worktree }) => {
  const root = directory + sep;
  const base = `${worktree}/`;
  const secrets = path.join(worktree, "secrets");
  const ROOT = path.resolve(worktree) + path.sep;
  return {
    "tool.execute.before": async (input, output) => {
      const file = realpathSync(path.resolve(directory, output.args.filePath));
      if (!file.startsWith(root)) throw new Error("outside");
      if (!file.startsWith(base)) throw new Error("outside");
      if (!file.startsWith(withSep(worktree))) throw new Error("outside");
      if (!file.startsWith(ROOT)) throw new Error("outside");
      if (!file.startsWith(directory + "/")) throw new Error("outside");
      if (file.startsWith(secrets)) throw new Error("too much is denied, which lets nothing out");
      if (output.args.command.startsWith("rm")) throw new Error("no");
      if (path.basename(file).startsWith("x")) throw new Error("no");
      const prefix = "tmp_";
      if (path.basename(file).startsWith(prefix)) throw new Error("no");
    },
    event: async ({ event }) => {
      const shown = event.type.startsWith(directory) ? "inside" : "outside";
      return shown;
    },
  };
};
