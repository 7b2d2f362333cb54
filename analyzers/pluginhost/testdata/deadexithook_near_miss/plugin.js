import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { EventEmitter } from "node:events";

const save = () => writeFileSync("/tmp/x", "x");

export default async () => {
  process.on("exit", save);
  process.on("beforeExit", save);
  for (const name of ["beforeExit", "exit", "SIGTERM"]) process.on(name, save);
  process.on("SIGTERM", async () => {
    await Promise.resolve();
    save();
  });
  process.on("exit", async () => {
    save();
  });
  process.on("exit", () => {
    spawn("x", [], { detached: true, stdio: "ignore" }).unref();
  });
  new EventEmitter().on("beforeExit", save);
  spawn("x").on("exit", async () => {
    await Promise.resolve();
    save();
  });
  return { dispose: async () => save() };
};
