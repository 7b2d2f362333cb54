import { rm } from "node:fs/promises";
import { spawnSync } from "node:child_process";

export async function prepare(where) {
  await rm(where + "/old", { force: true }); // want sideeffect "fs.rm"
  spawnSync("git", ["init"], { cwd: where }); // want sideeffect "git init"
}
