export const P = async () => ({ "chat.params": async () => {} }); // want notdiscoverable ".tsx"
