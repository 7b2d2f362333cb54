// Nothing, the output itself, results of calls, and functions that are no hooks.
const message = async (input, output) => {
  return { used: true };
};
export const Plugin = async () => ({
  "chat.message": message,
  "tool.execute.before": async (input, output) => {
    const list = [1].map((x) => { return { x }; });
    if (!list) return;
    if (input.tool) return {};
    return output;
  },
  "tool.execute.after": async (input, output) => log({ input }),
  "chat.params": async (input, output) => (output.temperature = 0),
  tool: { search: { execute: async () => ({ found: 1 }) } },
  auth: { provider: "x", loader: async () => ({ apiKey: "" }) },
});
async function log(x) {
  const { used } = await message(x, x);
  return { used };
}
