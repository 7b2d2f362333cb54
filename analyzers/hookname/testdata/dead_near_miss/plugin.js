export default {
  id: "dead",
  server: async () => ({
    "permission.ask": undefined,
    "tool.execute.before": async () => {
      throw new Error("no");
    },
  }),
};
