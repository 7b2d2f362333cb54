// Types are gone before the module is loaded.
import type { Options } from "@opencode-ai/plugin";
export const P = async () => ({ event: async () => {} });
export default Options;
