// The other hook has them; both places may be looked in; other objects have args.
const both = async (input, output) => console.error(input.args, output);
export const Plugin = async () => ({
  "tool.execute.after": async (input) => console.error(input.args),
  "tool.execute.before": async (input, output) => {
    const args = output.args ?? input.args;
    const command = output?.args?.command || input.args?.command;
    const { args: own } = output;
    const other = { args: 1 };
    return [args, command, own, other.args, input.tool];
  },
});
export const Shared = async () => ({ "tool.execute.before": both, "tool.execute.after": both });
export const Sets = async () => ({
  "tool.execute.before": async (input, output) => {
    input.args = output.args;
    if (input.args.command) throw new Error("no");
  },
});
