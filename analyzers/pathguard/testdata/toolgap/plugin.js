const WRITERS = new Set(["edit", "write"]);

export const P = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    if (!WRITERS.has(input.tool)) return; // want toolgap "apply_patch, bash"
    if (!output.args.filePath.startsWith(directory + "/")) throw new Error("outside"); // want norealpath "compares the text"
  },
});
export const Q = async () => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool === "read" || input.tool === "grep") { // want toolgap "glob, list, bash"
      if (String(output.args.filePath ?? output.args.path).includes(".env")) throw new Error("no");
    }
  },
});
export const R = async () => ({
  "tool.execute.before": async ({ tool }, { args }) => {
    switch (tool) { // want toolgap "list, apply_patch"
      case "read":
      case "edit":
      case "write":
      case "grep":
      case "glob":
        deny(args.filePath);
        break;
      case "bash":
        deny(args.command);
    }
  },
});
export const S = async () => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool === "write") {
      deny(output.args.filePath);
    } else if (input.tool === "edit") { // want toolgap "apply_patch, bash"
      if (output.args.filePath.endsWith(".pem")) throw new Error("no");
    }
  },
});
function deny(text) {
  if (text?.includes("secret")) throw new Error("no");
}
