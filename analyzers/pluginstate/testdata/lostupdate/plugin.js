import { readFile, rename, writeFile } from "node:fs/promises";
import fs from "node:fs";
import path from "node:path";
import { withLock } from "some-lock";
import { load, save } from "./store.js";

export default async ({ directory }) => {
  const file = path.join(directory, ".state.json");
  const statePath = () => path.join(directory, "calls.json");
  return {
    "tool.execute.after": async (input) => {
      const state = JSON.parse(await readFile(file, "utf8"));
      state[input.tool] = 1;
      await writeFile(file, JSON.stringify(state)); // want lostupdate "another hook or process" // want nonatomic "in place"
    },
    event: async () => {
      const calls = JSON.parse(fs.readFileSync(statePath(), "utf8"));
      const next = { ...calls, n: calls.n + 1 };
      fs.writeFileSync(statePath(), JSON.stringify(next)); // want lostupdate "another OpenCode process" // want nonatomic "in place"
    },
    "command.execute.before": async () => {
      await withLock(() => fs.writeFileSync(file, "{}")); // others take turns, these do not
    },
    "chat.message": async () => {
      const all = await load(directory);
      all.push(1);
      await save(directory, all);
    },
  };
};
