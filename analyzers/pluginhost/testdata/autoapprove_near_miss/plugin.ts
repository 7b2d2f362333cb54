import type { Plugin } from "@opencode-ai/plugin";
import { isSafe } from "./safe";

export const P: Plugin = async ({ client }) => ({
  config: async (config) => {
    config.permission = { bash: "ask", edit: { "docs/**": "allow", "*": "deny" } };
    config.agent = { ...config.agent, reviewer: { mode: "subagent", permission: { edit: "deny", bash: "allow" } } };
  },
  "permission.ask": async (input, output) => {
    if (input.type === "edit" && isSafe(input.pattern)) output.status = "allow";
    if (input.type === "bash") {
      output.status = "deny";
      return;
    }
    if (process.env.CI) output.status = "allow";
  },
  event: async ({ event }) => {
    if (event.type !== "permission.asked") return;
    const p = event.properties;
    if (!isSafe(p.permission)) {
      await client.permission.reply({ path: { id: p.id }, body: { reply: "reject" } });
      return;
    }
    await client.permission.reply({ path: { id: p.id }, body: { reply: "once" } });
  },
});
