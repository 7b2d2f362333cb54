import { check } from "./check.js";
export const Plugin = async () => ({
  "tool.execute.before": async (input, output) => {
    if (input.args.command === "rm") throw new Error("no"); // want inputargs "input.args is undefined in tool.execute.before"
    const call = input;
    const { tool, args } = call; // want inputargs "output.args"
    check(input);
    return tool === "bash" ? args : input?.args?.filePath; // want inputargs "input.args"
  },
});
export const Second = async () => ({ "tool.execute.before": async ({ tool, args: given = {} }) => { if (tool) given.x(); } }); // want inputargs "input.args"
