import fs, { existsSync, realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import * as path from "node:path";

const canonical = (file) => (existsSync(file) ? realpathSync(file) : path.resolve(file)); // want realpathifexists "a new file below a link"

function attempt(file) {
  try {
    return fs.realpathSync.native(file); // want realpathifexists "a new file below a link"
  } catch {
    return path.resolve(file);
  }
}

async function kept(file) {
  let real = path.resolve(file);
  try {
    real = await realpath(real); // want realpathifexists "a new file below a link"
  } catch {}
  return real;
}

function early(file) {
  if (!fs.existsSync(file)) return file;
  return fs.realpathSync(file); // want realpathifexists "a new file below a link"
}

const chained = (file) => realpath(file).catch(() => path.normalize(file)); // want realpathifexists "a new file below a link"

function both(file) {
  const abs = path.resolve(file);
  if (!existsSync(abs)) return abs;
  return realpathSync(abs); // want realpathifexists "a new file below a link"
}

export const P = async ({ directory }) => {
  const root = existsSync(directory) ? realpathSync(directory) : directory;
  const check = (file) => {
    const rel = path.relative(root, file);
    if (rel.startsWith("..")) throw new Error("outside");
  };
  return {
    "tool.execute.before": async (input, output) => {
      check(canonical(output.args.filePath));
      check(attempt(output.args.filePath));
      check(await kept(output.args.filePath));
      check(early(output.args.path));
      if (path.relative(both(directory), both(output.args.path)).startsWith("..")) throw new Error("outside");
      check(await chained(output.args.path));
    },
  };
};
