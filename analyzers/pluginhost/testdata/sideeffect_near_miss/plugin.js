import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { execSync } from "node:child_process";

export const P = async ({ directory, worktree, $ }) => {
  mkdirSync(join(homedir(), ".config", "x"), { recursive: true });
  writeFileSync(join(tmpdir(), "x"), directory);
  writeFileSync(join(worktree, ".git", "x.json"), "{}");
  const notes = readFileSync(join(directory, "notes.md"), "utf8");
  const branch = execSync("git branch --show-current", { cwd: directory }).toString();
  await $`git -C ${worktree} status --porcelain`;
  await $`git log --grep commit`;
  const later = () => mkdirSync(join(directory, ".notes"));
  setup(directory);
  if (existsSync(join(directory, ".notes"))) writeFileSync(join(directory, ".notes", "log"), "set up here");
  execSync("git config user.email");
  execSync("git config --get core.editor");
  const safely = (f) => (...args) => f(...args);
  const write = () => writeFileSync(join(directory, "x"), "x");
  return {
    event: async ({ event }) => {
      if (event.type === "session.created") later();
    },
    config: safely(() => writeFileSync(join(directory, "x"), "x")),
    dispose: safely(write),
    tool: { note: { execute: async () => writeFileSync(join(directory, "note.md"), notes + branch) } },
  };
};

function setup(dir) {
  if (process.env.NOTES_INIT) mkdirSync(join(dir, ".notes"));
}
