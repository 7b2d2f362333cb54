export function retry(job) { // want helperexport "exported function retry is no plugin"
  return job();
}
export async function log(text) { // want helperexport "it can return nothing, and then the run dies with exit status 1"
  console.error(text);
}
export const find = (id) => { // want helperexport "it can return nothing"
  if (!id) return null;
  return lookup(id);
};
export const names = () => ["a"].map((x) => x); // want helperexport "happens at every start"
export function* walk() {} // want helperexport "walk"
export const pick = (a, b) => a || b; // want helperexport "pick"
export const join = (a) => `${a}!`; // want helperexport "join"
export async function authorize() { // want helperexport "authorize"
  try {
    return await unknown();
  } catch (error) {
    return { type: "failed", error: String(error) };
  }
}
export const create = () => async () => ({ event: async () => {} }); // want helperexport "create"
export { helper as aide } from "./lib.js"; // want helperexport "exported function aide"
function lookup(id) {
  return globalThis[id];
}
export default async () => ({ event: async () => {} });
