import { readFile } from "node:fs/promises";
import { readFileSync, appendFileSync } from "node:fs";
import { execSync } from "node:child_process";
import { load } from "./load.js";

export const P = async ({ $, client, directory }) => ({
  "experimental.chat.system.transform": async (input, output) => {
    output.system.push(await readFile("rules.md", "utf8")); // want transformio "before every call of the model"
    output.system.push(load());
    const res = await fetch("https://example.com/rules"); // want transformio "fetch"
    output.system.push(await res.text());
  },
  "experimental.chat.messages.transform": async () => {
    appendFileSync("log.txt", "x"); // want transformio "appendFileSync"
  },
  "chat.params": async (input, output) => {
    const { stdout } = await $`git branch`; // want transformio "$"
    output.options.branch = String(stdout);
  },
  "chat.headers": async (input, output) => {
    output.headers["x-branch"] = execSync("git branch").toString(); // want transformio "execSync"
  },
  "tool.definition": async (input, output) => {
    output.description += readFileSync("hint.md", "utf8"); // want transformio "once for every tool"
  },
});
