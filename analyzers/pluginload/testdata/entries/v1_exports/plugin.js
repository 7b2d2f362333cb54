// With a plugin object as default OpenCode ignores the other exports.
export const VERSION = "1.0.0";
export function helper() {}
export class Store {}
export default { id: "v1", server: async () => ({ event: async () => {} }) };
