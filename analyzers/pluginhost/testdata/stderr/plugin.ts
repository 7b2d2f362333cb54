import type { Plugin } from "@opencode-ai/plugin";

export const P: Plugin = async () => {
  try {
    await fetch("https://example.com");
  } catch (err) {
    console.error("cannot reach it", err); // want stderr "console.error writes over OpenCode's terminal interface"
  }
  console.warn("careful"); // want stderr "console.warn"
  process.stderr.write("x"); // want stderr "process.stderr.write"
  return {
    event: async ({ event }) => console.trace(event.type), // want stderr "console.trace"
  };
};
