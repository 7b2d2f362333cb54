import { describe } from "./describe.js";
import { used } from "./log.js";

const { info } = console;
console.log("loaded"); // want stdout "console.log writes to OpenCode's standard output"

export default async ({ client }) => {
  info("server"); // want stdout "console.info"
  globalThis.console.debug?.("x"); // want stdout "console.debug"
  console["table"]([1]); // want stdout "console.table"
  process.stdout.write("x\n"); // want stdout "process.stdout.write"
  client.session.list().then(console.log); // want stdout "console.log"
  const out = process.stdout;
  return {
    event: async ({ event }) => {
      if (event.type === "session.idle") console.log(describe(event)); // want stdout "console.log"
      used();
      out.write(event.type); // want stdout "process.stdout.write"
    },
    tool: {
      note: { execute: async () => console.dir({}) }, // want stdout "console.dir"
    },
  };
};
