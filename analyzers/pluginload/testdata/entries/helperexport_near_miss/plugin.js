// Plugins, empty ones too, what may be one, and functions that are not exported.
import { retry } from "./lib.js";
import { unknown } from "somewhere";
export const Second = async (input) => ({ "tool.execute.before": async () => retry(input) });
export const Empty = async () => ({});
export const Made = async (input) => unknown(input);
export const Spread = async (input) => ({ ...unknown(input), a: 1 });
export const Named = async () => ({ tool: unknown() });
export const Collected = async () => {
  const hooks = {};
  for (const name of ["event"]) hooks[name] = () => {};
  return hooks;
};
export const Throws = async () => {
  unknown();
  return unknown();
};
function local() {}
export default async () => {
  local();
  return { event: async () => {} };
};
