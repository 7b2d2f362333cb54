import { Database } from "bun:sqlite"; // want bunonly "bun:sqlite"
import { $ } from "bun"; // want bunonly "bun"
import { helper } from "./helper";

export default async () => {
  const db = new Database("x");
  const text = await Bun.file("x").text(); // want bunonly "Bun.file"
  globalThis.Bun.write("x", text); // want bunonly "Bun.write"
  const { spawn } = Bun; // want bunonly "Bun"
  const mod = await import("bun:ffi"); // want bunonly "bun:ffi"
  return { event: async () => helper(db, spawn, mod, $) };
};
