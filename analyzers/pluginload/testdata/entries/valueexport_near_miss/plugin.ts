// Types, plugin objects, what is known at run time only, and names that are not exported.
import { unknown } from "somewhere";
import type { Plugin } from "@opencode-ai/plugin";
const VERSION = "1.0.0";
export const Notify: Plugin = async () => ({ event: async () => console.error(VERSION) });
export const Other = { id: "other", server: Notify };
export const made = unknown(1);
export const either = process.env.X ? Notify : unknown;
export const proxy = new Proxy({}, {});
export let later: Plugin;
later = Notify;
export type { Plugin };
export { absent } from "somewhere";
