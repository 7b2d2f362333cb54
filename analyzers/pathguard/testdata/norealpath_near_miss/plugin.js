import path from "node:path";
import { realpath } from "node:fs/promises";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

async function real(file) {
  try {
    return await realpath(file);
  } catch {
    return path.join(await real(path.dirname(file)), path.basename(file));
  }
}

export const P = async ({ directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    const file = await real(path.resolve(directory, output.args.filePath));
    if (path.relative(directory, file).startsWith("..")) throw new Error("outside");
  },
  "tool.execute.after": async (input, output) => {
    // not a guard: it only shortens what is shown
    if (output.title.startsWith(worktree + path.sep)) output.title = path.relative(worktree, output.title);
    await run("true");
  },
});

export const Q = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const file = path.resolve(directory, output.args.filePath);
    if (path.relative(directory, file).startsWith("..")) output.args.filePath = directory; // denies nothing
  },
});

