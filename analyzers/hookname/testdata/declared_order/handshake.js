import fs from "node:fs";
export const HOOK_NAMES = Object.freeze([ // want declared "the order differs from place 1 on, where "event" is listed"
  "event",
  "tool.execute.before",
]);
export function prove(hooks) {
  fs.writeFileSync(process.env.SENTINEL, JSON.stringify({ nonce: process.env.NONCE, hooks: [...hooks] }));
}
