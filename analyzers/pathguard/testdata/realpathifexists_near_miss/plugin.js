import { existsSync, realpathSync, readFileSync } from "node:fs";
import path from "node:path";

function deepest(file) {
  let dir = path.resolve(file);
  const rest = [];
  while (!existsSync(dir)) {
    rest.unshift(path.basename(dir));
    dir = path.dirname(dir);
  }
  return path.join(realpathSync(dir), ...rest);
}

function real(file) {
  try {
    return realpathSync(file);
  } catch {
    return path.join(real(path.dirname(file)), path.basename(file));
  }
}

function strict(file) {
  try {
    return realpathSync(file);
  } catch {
    throw new Error("no such file");
  }
}

function orNothing(file) {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}

// What no guard reaches may do as it likes.
export const P = async ({ directory, worktree }) => {
  let root;
  try {
    root = realpathSync(worktree);
  } catch {
    root = worktree;
  }
  const config = existsSync("x.json") ? realpathSync("x.json") : "x.json";
  return {
    "tool.execute.before": async (input, output) => {
      for (const f of [deepest, real, strict, orNothing]) {
        const file = f(path.resolve(directory, output.args.filePath));
        if (!file || path.relative(root, file).startsWith("..")) throw new Error("outside");
      }
    },
    event: async () => {
      readFileSync(config);
    },
  };
};
