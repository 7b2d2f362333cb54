const risky = async () => {
  throw new Error("inner");
};

export default async () => ({
  "chat.message": async (input, output) => {
    try {
      await risky();
      throw new Error("caught here");
    } catch {}
    await risky().catch(() => {});
    risky().then(undefined, () => {});
    void risky();
    const later = () => {
      throw new Error("never called here");
    };
    output.parts.push(later);
    setTimeout(() => {
      throw new Error("another stack");
    }, 1);
    await Promise.allSettled([risky()]);
  },
  "tool.execute.before": async (input, output) => {
    if (output.args.command === "rm") throw new Error("this is how a tool is refused");
  },
  config: async () => {
    throw new Error("logged and ignored");
  },
});
