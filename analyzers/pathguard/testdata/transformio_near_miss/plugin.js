import { existsSync, readFileSync, statSync } from "node:fs";
import { execSync } from "node:child_process";

let rules;
const cache = new Map();
let loaded = false;
let seen = 0;

function load() {
  if (loaded) return rules;
  loaded = true;
  rules = readFileSync("rules.md", "utf8");
  return rules;
}

function cached(name) {
  const hit = cache.get(name);
  if (hit) return hit;
  const text = readFileSync(name, "utf8");
  cache.set(name, text);
  return text;
}

function fresh(name) {
  const { mtimeMs } = statSync(name);
  if (mtimeMs !== seen) {
    seen = mtimeMs;
    rules = readFileSync(name, "utf8");
  }
  return rules;
}

export const P = async ({ directory }) => {
  const branch = execSync("git branch", { cwd: directory }).toString();
  return {
    "experimental.chat.system.transform": async (input, output) => {
      rules ??= readFileSync("rules.md", "utf8");
      output.system.push(load(), cached("x"), fresh("y"), branch);
      if (existsSync("x")) output.system.push("x is there");
    },
    "chat.message": async () => {
      readFileSync("x");
    },
    "tool.execute.before": async () => {
      readFileSync("x");
    },
  };
};
