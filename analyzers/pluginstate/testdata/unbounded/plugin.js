const seen = new Set();
const byCall = {};
export default async () => {
  const log = [];
  const sessions = new Map();
  return {
    event: async ({ event }) => {
      const id = event.properties.info.id;
      if (seen.has(id)) return;
      seen.add(id); // want unbounded "seen gets an entry for every session, call or event"
      log.push({ id }); // want unbounded "log"
      remember(sessions, id);
    },
    "tool.execute.before": async (input, output) => {
      byCall[input.callID] = output.args; // want unbounded "byCall"
      if (log.length > 0) output.args.first = log[0];
    },
  };
};
function remember(map, id) {
  map.set(id, Date.now());
}
