// No plugin: the main module of any package may be given.
export const VERSION = "1.0.0";
export function options() {
  if (VERSION) return;
  return { tool: "bash", config: {} };
}
export default function main() {}
throw new Error("no");
