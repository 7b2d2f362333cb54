const seen = new Set();
export default async ({ client }) => {
  const sessions = new Map();
  return {
    event: async ({ event }) => {
      const id = event.properties.info.id;
      if (seen.has(id)) return;
      await client.app.log({ body: { message: id } });
      seen.add(id); // want checkact "both act"
      if (event.type === "session.deleted") seen.delete(id);
    },
    "tool.execute.before": async ({ sessionID }) => {
      if (!sessions.has(sessionID)) {
        sessions.set(sessionID, await client.session.create({})); // want checkact "add it before the await"
      }
      if (sessions.size > 10) sessions.clear();
    },
  };
};
