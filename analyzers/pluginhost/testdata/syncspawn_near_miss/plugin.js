import { execFile, execSync, spawn, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const version = execSync("git --version").toString();
let root;

function findRoot() {
  if (root) return root;
  root = execSync("git rev-parse --show-toplevel").toString().trim();
  return root;
}

const names = new Map();
function nameOf(dir) {
  if (!names.has(dir)) names.set(dir, execSync("git config user.name", { cwd: dir }).toString());
  return names.get(dir);
}

export default async () => {
  const start = spawnSync("git", ["status"]);
  return {
    config: async () => {
      execSync("git fetch");
    },
    dispose: async () => {
      execSync("git gc");
    },
    event: async () => {
      spawn("notify-send", ["done"], { detached: true, stdio: "ignore" }).unref();
      findRoot();
      nameOf("/");
    },
    "tool.execute.before": async (input, output) => {
      if (spawnSync("check", [output.args.command], { timeout: 2000 }).status !== 0) throw new Error("no");
    },
    "tool.execute.after": async () => {
      await promisify(execFile)("git", ["add", "-A"]);
      return start.status + version;
    },
  };
};
