// Every way in which a name can be no hook, and a hook for comparison.
export const Plugin = async ({ client }) => {
  return {
    event: async () => {},
    "tool.execute.before": async () => {},
    "session.idle": async () => {}, // want unknown "it is an event: handle it in the event hook"
    "permission.updated": async () => {}, // want unknown "it was an event once: handle permission.asked"
    "lsp.client.diagnostics": () => {}, // want unknown "not published any more"
    "tool.execute.befor": async () => {}, // want unknown "did you mean "tool.execute.before"?"
    toolExecuteAfter: async () => {}, // want unknown "did you mean "tool.execute.after"?"
    'session.compacting': async () => {}, // want unknown "did you mean "experimental.session.compacting"?"
    "session.idel": async () => {}, // want unknown "if the event session.idle is meant"
    close() {}, // want unknown "dispose is the hook that runs at the end"
    onStart: async () => {}, // want unknown "it has no hook of such a name"
    tools: {}, // want unknown "did you mean "tool"?"
  };
};
