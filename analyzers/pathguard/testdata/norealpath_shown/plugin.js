import path from "node:path";

// What is only shown is no guard, though the handler can throw.
export const P = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const rel = path.relative(directory, output.args.filePath);
    note(rel.startsWith("..") ? "outside" : rel);
    if (output.args.command === "rm") throw new Error("no");
  },
});

function note() {}
