import path from "node:path";
import { inside } from "./inside.js";

export const P = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const file = path.resolve(directory, output.args.filePath ?? "");
    const rel = path.relative(directory, file);
    if (rel.startsWith("..") || path.isAbsolute(rel)) throw new Error("outside"); // want norealpath "compares the text of paths"
    if (!inside(file, directory)) throw new Error("outside");
  },
});
