import { prune } from "./prune.js";
const bounded = new Set();
const deleted = new Map();
const handed = new Map();
const counts = {};
const ring = [];
let replaced = [];
export const hooks = {};
const table = new Map([["bash", 1]]);
export default async () => {
  const atInit = new Set();
  atInit.add(crypto.randomUUID());
  return {
    event: async ({ event }) => {
      const id = event.properties.info.id;
      if (bounded.size >= 1000) return;
      bounded.add(id);
      deleted.set(id, event);
      if (event.type === "session.deleted") deleted.delete(id);
      handed.set(id, 1);
      prune(handed);
      ring.push(id);
      while (ring.length > 10) ring.shift();
      replaced.push(id);
      if (event.type === "session.idle") replaced = [];
      const mine = new Set(atInit);
      mine.add(id);
    },
    "tool.execute.before": async (input) => {
      counts[input.tool] = (counts[input.tool] ?? 0) + 1;
      table.set("last", input.callID);
    },
  };
};
