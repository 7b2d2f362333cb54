export default { id: "x", server: async () => ({ event: async () => {} }) };
