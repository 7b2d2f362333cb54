import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";

const stamp = () => `at ${Date.now()}`;

export const P = async ({ directory }) => ({
  "experimental.chat.system.transform": async (input, output) => {
    const now = new Date();
    output.system.push(`Now: ${now.toISOString()}`); // want unstableprompt "new Date"
    output.system.unshift(stamp()); // want unstableprompt "Date.now"
    const facts = { at: Date.now() };
    output.system.push(JSON.stringify(facts)); // want unstableprompt "Date.now"
    output.system.push(facts.at + "ms"); // want unstableprompt "Date.now"
    output.system.push(["a", "b"][Math.floor(Math.random() * 2)]); // want unstableprompt "Math.random"
    const id = randomUUID();
    output.system[0] = "id " + id + output.system[0]; // want unstableprompt "randomUUID"
    output.system.push(["files:", ...readdirSync(directory)].join("\n")); // want unstableprompt "readdir" // want transformio "readdirSync"
    output.system.push(`Local time: ${new Date().toLocaleTimeString()}`); // want unstableprompt "new Date"
  },
  "tool.definition": async (input, output) => {
    output.description += ` (${Math.random()})`; // want unstableprompt "Math.random"
  },
  "experimental.chat.messages.transform": async (input, output) => {
    for (const m of output.messages) {
      for (const p of m.parts) if (p.type === "text") p.text = `${p.text} [${performance.now()}]`; // want unstableprompt "performance.now"
    }
    output.messages.at(-1).parts.push({ type: "text", id: "prt_" + Date.now(), text: "seen " + Date.now() }); // want unstableprompt "Date.now"
  },
});
