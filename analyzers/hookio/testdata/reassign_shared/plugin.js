// A handler that the plugin calls itself, with an output that it reads afterwards.
function create() {
  return async (input, output) => {
    output.args = { ...output.args };
    return { used: true };
  };
}
const gate = async (input, output) => {
  output.args = {};
  return { used: true };
};
export default {
  id: "shared",
  server: async () => ({ "tool.execute.before": create(), "command.execute.before": gate }),
  setup: async (api) => {
    const before = create();
    const output = { args: {} };
    await before({}, output);
    await gate({}, output);
    return output.args;
  },
};
