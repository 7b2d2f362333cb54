// For "@opencode-ai/plugin", of the next generation.
export default { id: "x", setup: async () => {} };
