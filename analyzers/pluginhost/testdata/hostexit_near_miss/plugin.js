import { spawn } from "node:child_process";

function main() {
  process.exit(1);
}

export default async () => {
  const child = spawn("x");
  process.kill(child.pid);
  process.kill(-child.pid, "SIGKILL");
  process.kill(process.pid, 0);
  child.on("exit", () => {});
  process.exitCode = 1;
  const game = { exit() {} };
  game.exit();
  if (typeof process.exit === "function") child.unref();
  return {
    event: async ({ event }) => {
      const process = { exit() {} };
      if (event.type === "session.idle") process.exit();
    },
  };
};

if (import.meta.main) main();
