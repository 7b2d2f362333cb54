import fs from "node:fs";
import { FOREIGN } from "./names.js";

const HOOK_NAMES = ["tool.execute.before", "event"];
const blocking = { hooks: ["event", "chat.message"], why: "no handshake: it has no nonce" };
const foreign = { nonce: 1, hooks: ["PreToolUse", "Stop"] };

export default {
  id: "declared",
  server: async () => {
    const hooks = { "tool.execute.before": async () => {}, event: async () => {} };
    const proof = { nonce: process.env.NONCE, hooks: Object.keys(hooks) };
    fs.writeFileSync(process.env.SENTINEL, JSON.stringify([proof, blocking, foreign, FOREIGN, HOOK_NAMES]));
    return hooks;
  },
};
