import { appendFileSync, writeFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { spawn } from "node:child_process";

const child = () => spawn("hook", [], { detached: true, stdio: "ignore" }).unref();
const load = async () => JSON.parse("{}"); // waits for nothing

const first = async ({ client, $ }) => ({
  event: async ({ event }) => {
    if (event.type === "session.idle") {
      appendFileSync("log.jsonl", "idle\n");
      child();
      await client.app.log({ body: {} });
    }
  },
});
const second = async ({ client }) => ({
  event: async ({ event }) => {
    if (event.type === "message.updated") await fs.writeFile("x", "y"); // the run goes on
    if (event.type === "session.created") {
      await client.app.log({ body: {} });
      writeFileSync("x", "y");
    }
    if (event.type === "session.idle") writeFileSync("x", "y"); // no await on the way
  },
});
const third = async () => ({
  event: async ({ event }) => {
    if (event.type !== "session.idle") return;
    await load(); // goes on in a microtask
    appendFileSync("x", "y");
  },
});
const fourth = async ({ client }) => ({
  event: async ({ event }) => {
    switch (event.type) {
      case "session.idle":
        break;
      case "file.edited":
        await fs.appendFile("x", "y");
        break;
      default:
        await client.app.log({ body: {} });
        await fs.appendFile("x", "y");
    }
  },
});
const fifth = async ({ client }) => ({
  "tool.execute.after": async () => {
    await client.app.log({ body: {} });
    await fs.appendFile("x", "y");
  },
});
const logger = { debug: async (line) => fs.appendFile("debug.log", line) };
const sixth = async () => ({
  event: async ({ event }) => {
    if (event.type === "session.idle") await logger.debug("idle");
  },
});
export { first, second, third, fourth, fifth, sixth };
