export default { id: "x", server: async () => ({ event: async () => {} }) }; // want notdiscoverable "not for the extension .mjs"
