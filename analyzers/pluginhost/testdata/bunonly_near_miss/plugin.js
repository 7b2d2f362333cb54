import { readFile } from "node:fs/promises";

const isBun = typeof Bun !== "undefined";

async function text(name) {
  if (isBun) return Bun.file(name).text();
  return readFile(name, "utf8");
}

function which(name) {
  if (typeof Bun === "undefined") return undefined;
  return Bun.which(name);
}

export default async ({ $ }) => {
  await $`git status`;
  await text("x");
  which("x");
  const version = globalThis.Bun?.version ?? process.version;
  const sleep = typeof Bun !== "undefined" ? Bun.sleep : (ms) => new Promise((r) => setTimeout(r, ms));
  let sqlite;
  try {
    sqlite = await import("bun:sqlite");
  } catch {
    sqlite = await import("node:sqlite");
  }
  if (process.versions.bun) Bun.gc(true);
  if ("Bun" in globalThis) Bun.gc(true);
  return {
    event: async () => {
      const Bun = { file() {} };
      Bun.file(version, sleep, sqlite);
    },
  };
};
