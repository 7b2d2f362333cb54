import { x } from "./lib/x.js"; export default { id: "x", server: async () => ({ event: x }) };
