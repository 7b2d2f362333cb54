export const Plugin = async () => ({
  "experimental.session.compacting": async () => {
    return { context: ["keep the plan"] }; // want ignoredreturn "ignores what experimental.session.compacting returns"
  },
  "tool.execute.before": async (input, output) => ({ args: { ...output.args } }), // want ignoredreturn "throw an Error to stop the tool"
  event: async ({ event }) => {
    if (event.type === "session.idle") return { done: true }; // want ignoredreturn "nothing can be returned from it"
  },
  "chat.params": (input, output) => (input.agent ? { temperature: 0 } : undefined), // want ignoredreturn "change the fields of output"
});
