export default {
  id: "dead",
  server: async () => ({
    "permission.ask": async (input, output) => { // want dead "the event permission.asked is published instead"
      output.status = "deny";
    },
    event: async ({ event }) => event.type === "permission.asked",
  }),
};
