import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";

export async function load(dir) {
  return JSON.parse(await readFile(join(dir, "all.json"), "utf8"));
}
export async function save(dir, all) {
  const temp = join(dir, `all.${process.pid}.${randomUUID()}`);
  await writeFile(temp, JSON.stringify(all));
  await rename(temp, join(dir, "all.json")); // want lostupdate "queue the updates"
}
