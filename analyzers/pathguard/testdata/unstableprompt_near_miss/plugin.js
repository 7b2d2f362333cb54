import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";

const started = new Date().toISOString();
let calls = 0;

export const P = async ({ directory }) => {
  const session = randomUUID();
  return {
    "experimental.chat.system.transform": async (input, output) => {
      const begin = Date.now();
      output.system.push(`Started: ${started}, session ${session}`);
      output.system.push(`Today: ${new Date().toISOString().slice(0, 10)}`);
      output.system.push(`Today: ${new Date().toDateString()} ${new Date().toLocaleDateString("en")}`);
      output.system.push(`Year ${new Date().getFullYear()}`);
      output.system.push(readdirSync(directory).sort().join("\n")); // want transformio "readdirSync"
      output.system.push(`Modified: ${new Date(input.model.time).toISOString()}`);
      if (Date.now() - begin > 10) calls++;
      const state = load();
      output.system.push(describe(state));
      output.system.push(`step ${state.step} of ${local().step}`);
      if (Math.random() < 0) output.system.push("never");
    },
    "experimental.chat.messages.transform": async (input, output) => {
      output.messages.push({ info: { id: randomUUID(), time: { created: Date.now() } }, parts: [{ id: randomUUID(), type: "text", text: "fixed" }] });
    },
    event: async () => {
      calls = Date.now();
    },
  };
};

const local = () => ({ step: 1, at: Date.now() });
function load() {
  const made = { step: 1, at: Date.now() };
  return made;
}

function describe(state) {
  return `step ${state.step}`;
}
