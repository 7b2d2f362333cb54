import process from "node:process";
import { writeFileSync, writeFile } from "node:fs";
import { writeFile as writeLater } from "node:fs/promises";

const save = () => writeFileSync("/tmp/x", "x");

export default async () => {
  process.on("beforeExit", save); // want deadexithook "beforeExit is never emitted in OpenCode"
  process.once("beforeExit", async () => {}); // want deadexithook "beforeExit"
  globalThis.process.addListener("beforeExit", () => save()); // want deadexithook "beforeExit"
  process.on("exit", async () => {
    await flush(); // want deadexithook "nothing after this await"
    writeFileSync("/tmp/y", "y");
  });
  process.on("exit", () => {
    writeFile("/tmp/z", "z", () => {}); // want deadexithook "fs.writeFile"
  });
  process.on("exit", last);
  return {};
};

async function flush() {}

function last() {
  writeLater("/tmp/w", "w"); // want deadexithook "writeFile"
  fetch("https://example.com/bye"); // want deadexithook "fetch"
}
