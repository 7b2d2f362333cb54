// Placeholder entry, replaced by the plugin itself.
export default { id: "nightgauge", server: async () => ({}) };
