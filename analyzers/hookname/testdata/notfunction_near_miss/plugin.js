import { guard, wrap } from "./guard.js";
const on = process.env.ON === "1";
export default {
  id: "kinds",
  server: async (input) => ({
    event: undefined,
    "chat.params": on && (async () => {}),
    "chat.message": on ? async () => {} : undefined,
    "tool.execute.before": guard,
    "tool.execute.after": wrap(guard),
    "shell.env": input.hook,
    "chat.headers": null,
    "tool.definition"() {},
    "command.execute.before": async function named() {},
    get tool() {
      return {};
    },
    auth: { provider: "x" },
    provider: wrap({}),
  }),
};
