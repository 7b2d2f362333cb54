export default { id: "x", server: async () => ({ event: async () => {} }) }; // want notdiscoverable "a directory below it"
