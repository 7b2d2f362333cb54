// The plugin object and its server are results of functions.
function serverFor(name) {
  return async () => ({
    event: async () => name,
    "session.idle": async () => {}, // want unknown "it is an event"
  });
}
function createModule() {
  const server = serverFor("made");
  return { id: "made", server };
}
export default createModule();
