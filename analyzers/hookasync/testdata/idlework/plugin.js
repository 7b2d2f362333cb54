import fs, { appendFile as append } from "node:fs";
import { spawn } from "node:child_process";
import * as promises from "node:fs/promises";
import { promisify } from "node:util";
import { report, save } from "./report.js";

const write = promisify(fs.writeFile);
const IDLE = "session.idle";
const ends = new Set([IDLE, "session.error"]);

const first = async ({ client, $ }) => ({
  event: async ({ event }) => {
    if (event.type === "session.idle") {
      append("log.jsonl", "idle\n", () => {}); // want idlework "appendFile works in the background"
    }
  },
});
const second = async ({ client, $ }) => ({
  event: async ({ event }) => {
    if (event.type !== IDLE) return;
    const messages = await client.session.messages({ path: { id: event.properties.sessionID } });
    await fetch("https://example.com", { method: "POST", body: String(messages) }); // want idlework "fetch runs after an await"
  },
});
const third = async ({ client, $ }) => ({
  event: async ({ event }) => {
    switch (event.type) {
      case "session.created":
      case "session.idle":
        client.app.log({ body: {} }).then(() => spawn("notify-send", ["done"])); // want idlework "in a .then callback"
    }
  },
});
const fourth = async () => ({
  event: async ({ event }) => {
    if (ends.has(event.type)) setTimeout(() => fs.writeFileSync("x", "y"), 50); // want idlework "writeFileSync runs in a timer"
  },
});
const fifth = async ({ $ }) => ({
  event: async ({ event }) => {
    await $`git add -A`;
    await $`git commit -m ${event.type}`; // want idlework "$ runs after an await"
  },
});
const sixth = async (input) => ({
  event: async ({ event }) => {
    const done = event.type === "session.idle";
    if (done) await report(input.$, event);
  },
});
const seventh = async () => ({
  event: async ({ event }) => {
    if (event.type === "session.idle") await write("x", "y"); // want idlework "writeFile works in the background"
  },
});
const eighth = async () => ({
  event: async ({ event }) => {
    if (event.type !== "session.idle") return;
    setTimeout(save, 100); // want idlework "writeFileSync runs in a timer"
    await promises.rename("a", "b"); // not reported again: one cure for one function
  },
});
export { first, second, third, fourth, fifth, sixth, seventh, eighth };
