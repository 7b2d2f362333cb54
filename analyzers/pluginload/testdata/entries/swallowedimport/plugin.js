import { helper } from "./helper.js";
const gate = await import("./gate.js").catch(() => null); // want swallowedimport "gate.js"
export default async () => {
  let more;
  try {
    more = await import("./more.js"); // want swallowedimport "./more.js"
  } catch {}
  return { event: async () => helper(gate, more) };
};
