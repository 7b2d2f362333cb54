// The corrected twin of the cases beside it: nothing to report.
const HOOK_NAMES = ["tool.execute.before", "event", "dispose"];
export default {
  id: "corrected",
  server: async () => ({
    "tool.execute.before": async () => {},
    event: async ({ event }) => {
      switch (event.type) {
        case "session.idle":
        case "permission.asked":
          return event.properties.sessionID;
        case "permission.replied":
          return event.properties.reply;
      }
    },
    dispose: async () => HOOK_NAMES,
  }),
};
