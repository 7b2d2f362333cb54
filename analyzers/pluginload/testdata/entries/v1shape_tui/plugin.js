// For "@opencode-ai/plugin", but not for the server.
export default { id: "x", tui: async () => {} };
