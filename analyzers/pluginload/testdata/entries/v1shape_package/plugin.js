// A package brings its own name.
export default { server: async () => ({ event: async () => {} }) };
