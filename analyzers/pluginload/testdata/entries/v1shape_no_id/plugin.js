const plugin = { server: async () => ({ event: async () => {} }) };
export default plugin; // want v1shape "no id"
