import { HOOK_NAMES, prove } from "./handshake.js";
export default {
  id: "declared",
  server: async () => {
    const hooks = { "tool.execute.before": async () => {}, event: async () => {} };
    prove(HOOK_NAMES);
    return hooks;
  },
};
