// TypeScript: casts, annotations and non-null marks are not in the way.
import type { Plugin } from "@opencode-ai/plugin";
type Args = { command?: string };
export const Guard: Plugin = async () => {
  return {
    "tool.execute.before": async (input: { tool: string; args?: Args }, output: { args: Args }) => {
      const command = (input as any).args!.command as string; // want inputargs "input.args"
      if (command) (output as { args: Args }).args = { command: "true" } satisfies Args; // want reassign "args"
    },
  };
};
