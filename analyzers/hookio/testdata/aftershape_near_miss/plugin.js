// Any test around or before, an optional chain, a try, or a default.
export const Plugin = async () => ({
  "tool.execute.after": async (input, output) => {
    console.error(output.output?.length, output?.metadata?.x);
    if (typeof output?.output === "string") output.output = output.output.trim();
    try {
      output.title.trim();
    } catch {}
  },
});
export const Early = async () => ({
  "tool.execute.after": async (input, output) => {
    if (input.tool !== "bash") return;
    output.output = output.output.trim();
  },
});
export const Default = async () => ({
  "tool.execute.after": async (input, output) => {
    output.metadata ??= {};
    output.metadata.mine = 1;
    const text = output.output ?? "";
    console.error(text.length);
  },
});
export const Cased = async () => ({
  "tool.execute.after": async ({ tool }, output) => {
    switch (tool) {
      case "read":
        output.output = output.output.slice(0, 10);
    }
    const isBash = tool === "bash";
    return isBash && output.output.trim();
  },
});
