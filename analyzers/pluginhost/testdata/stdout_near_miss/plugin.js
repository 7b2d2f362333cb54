import { spawn } from "node:child_process";
import { fallback, write } from "./quiet.js";

const DEBUG = process.env.MY_PLUGIN_DEBUG === "1";

function log(...args) {
  if (!DEBUG) return;
  console.log("[x]", ...args);
}

const isLogging = () => isTruthy(process.env.CONSOLE_LOG);
const isTruthy = (text) => text === "1";
function note(text) {
  if (isLogging()) write("info", text);
}

function cli() {
  console.log("usage: x");
}

export default async ({ client }, options = {}) => {
  log("asked for");
  if (process.env.VERBOSE) console.log("asked for");
  if (options.debug) console.info("asked for");
  options.verbose && console.debug("asked for");
  await client.app.log({ body: { service: "x", level: "info", message: "good" } });
  const child = spawn("x", { stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.on("data", () => {});
  const width = process.stdout.columns;
  const isTTY = process.stdout.isTTY;
  fallback();
  const level = (text) => {
    if (client) client.app.log({ body: { message: text } });
    else console.log(text);
    if (!client || typeof client !== "object") console.error("no client");
    try {
      client.app.log({ body: { message: text } });
    } catch {
      console.error(text);
    }
  };
  level("x");
  note("y");
  return {
    auth: { provider: "x", methods: [{ type: "oauth", label: "x", authorize: async () => console.log("open this address") }] },
    event: async () => {
      const console = { log() {} };
      console.log("its own", width, isTTY);
    },
  };
};

if (import.meta.main) {
  cli();
  console.log("run as a program");
}
