// The event hook is the result of a function.
function createHandler({ client }) {
  const seen = new Set(["session.idle"]);
  return async ({ event }) => {
    if (event.type === "session.end") return client; // want eventtype "session.end"
    return seen.has(event.type);
  };
}
export default async (ctx) => ({ event: createHandler(ctx) });
