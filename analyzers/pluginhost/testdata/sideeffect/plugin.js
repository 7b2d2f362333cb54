import { mkdirSync, writeFileSync, existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import path from "node:path";
import { execSync } from "node:child_process";
import { prepare } from "./prepare.js";

export const P = async ({ directory, worktree, $ }) => {
  const dir = path.join(directory, ".notes");
  mkdirSync(dir, { recursive: true }); // want sideeffect "fs.mkdirSync writes below the project directory"
  if (!existsSync(`${worktree}/AGENTS.md`)) {
    writeFileSync(`${worktree}/AGENTS.md`, "# notes"); // want sideeffect "fs.writeFileSync"
  }
  await fs.appendFile(path.resolve(process.cwd(), "log.txt"), "x"); // want sideeffect "appendFile"
  await prepare(dir);
  await $`git -C ${worktree} commit -m start`; // want sideeffect "git commit"
  execSync("git add -A && git commit -m start", { cwd: directory }); // want sideeffect "git add"
  execSync("git config user.email bot@example.com"); // want sideeffect "git config"
  await Promise.all(["a", "b"].map(async (name) => writeFileSync(path.join(worktree, name), ""))); // want sideeffect "fs.writeFileSync"
  return {};
};
