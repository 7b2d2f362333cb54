const seen = new Set();
const cache = new Map();
export default async ({ client }) => ({
  event: async ({ event }) => {
    const id = event.properties.info.id;
    if (seen.has(id)) return;
    seen.add(id);
    await client.app.log({ body: { message: id } });
    if (event.type === "session.deleted") seen.delete(id);
  },
  "tool.execute.before": async ({ sessionID, callID }) => {
    if (!cache.has(sessionID)) cache.set(sessionID, await client.session.get({ path: { id: sessionID } }));
    if (seen.has(callID)) {
      await client.app.log({});
      return;
    }
    seen.add(callID);
    const local = new Set();
    if (local.has(callID)) return;
    await client.app.log({});
    local.add(callID);
    if (cache.size > 10) cache.clear();
  },
  "tool.execute.after": async ({ callID }) => {
    if (seen.has(callID)) return;
    await client.app.log({});
    if (seen.has(callID)) return;
    seen.add(callID);
  },
});
