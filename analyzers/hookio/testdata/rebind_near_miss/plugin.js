// A default, a local variable that is read afterwards, and variables of its own.
export const Plugin = async () => ({
  "chat.params": async (input, output) => {
    output = output ?? {};
    output ||= {};
    input = { ...input };
    output.temperature = 0;
  },
  "tool.execute.before": async (input, { args }) => {
    args = { ...args };
    if (args.command === "rm") throw new Error("no");
  },
  "chat.headers": async (input, output) => {
    let { headers } = output;
    headers = {};
    const f = (output) => { output = {}; };
    f(headers);
  },
});
