export const Plugin = async () => ({
  "tool.execute.after": async (input, output) => {
    const text = output.output;
    console.error(text.length); // want aftershape "output.output is undefined when an MCP tool ran"
    output.output = output.output.trim(); // want aftershape "output.output"
  },
});
export const Second = async () => ({
  "tool.execute.after": async (input, output) => {
    output.metadata.mine = 1; // want aftershape "output.metadata"
  },
});
