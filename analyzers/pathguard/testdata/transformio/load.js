import { readFileSync } from "node:fs";
export const load = () => readFileSync("memory.md", "utf8"); // want transformio "readFileSync"
