const sessions = new Map();
let config; // a cache of one file for all
let calls = 0;
let unread;
let shadowed;
export default async ({ client, directory }) => {
  let own = directory; // in the closure
  unread = client;
  return {
    event: async ({ event }) => {
      let shadowed = client;
      config ??= await load();
      calls++;
      sessions.set(event.properties.sessionID, { at: Date.now(), config, calls, shadowed });
      if (event.type === "session.deleted") sessions.delete(event.properties.sessionID);
      own = `${directory}/x`;
      await client.app.log({ body: { message: own } });
    },
  };
};
async function load() {
  return { level: shadowed };
}
