import type { Plugin } from "@opencode-ai/plugin";
export const VERSION = "1.0.0"; // want valueexport "export VERSION is a plain value, not a function"
export class Store {} // want valueexport "a class"
export enum Mode { On, Off } // want valueexport "an enum"
export const HOOKS = ["event"] as const; // want valueexport "an array"
const metadata = { name: "x" };
export { metadata }; // want valueexport "an object"
export * as tools from "./tools"; // want valueexport "a whole module"
export * from "./more"; // want valueexport "LIMIT (of ./more)"
export const nothing = undefined; // want valueexport "a plain value"
export const store = new Store(); // want valueexport "an object"
export const made = create(); // want valueexport "an object"
export const seen = new Set<string>(); // want valueexport "an object"
export type Options = { a: number };
export interface Shape { b: string }
export const Notify: Plugin = async () => ({ event: async () => {} });
function create() {
  return { a: 1 };
}
