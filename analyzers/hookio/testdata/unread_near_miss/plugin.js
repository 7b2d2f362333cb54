// Fields of MCP results, what one hook leaves for another, and other objects.
export const Plugin = async () => ({
  "tool.execute.after": async (input, output) => {
    output.content = [];
    output.isError = false;
    output.title = "t";
    output.seen = true;
    const result = {};
    result.cancel = true;
  },
  "tool.execute.before": async (input, output) => {
    output.mark = 1;
    mark(output);
    output[input.tool] = 1;
  },
  "command.execute.before": async (input, output) => {
    output.note = 1;
    const { note } = output;
    return note;
  },
  "permission.ask": async (input, output) => {
    output.reason = "of another rule";
  },
  event: async (input, output) => {
    output.x = 1;
  },
});
function mark(output) {
  if (output.mark && output.seen) return;
}
