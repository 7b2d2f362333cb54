// Objects with keys like hooks that are not returned to OpenCode, and keys that lose nothing.
const table = {
  "session.idle": async () => {},
  "session.created": async () => {},
};

function handlers() {
  return { "session.deleted": async () => {} };
}

export default {
  id: "near-miss",
  server: async () => {
    const listeners = handlers();
    return {
      name: "near-miss",
      version: 3,
      disabled: false,
      agent: { build: {} },
      mcp: listeners,
      "session.error": undefined,
      event: async ({ event }) => {
        await table[event.type]?.(event);
        await listeners[event.type]?.(event);
      },
      tool: { "session.idle": { execute: async () => "" } },
    };
  },
};
