import { writeFile } from "node:fs/promises";
let dirty = false;
let busy = false;
let version = 0;
let ready = false;
export default async () => ({
  event: async () => {
    dirty = true;
    version++;
    await Promise.all([save(), once(), compared()]);
  },
});
async function save() {
  if (!dirty) return;
  dirty = false;
  try {
    await writeFile("/var/lib/a", String(version));
  } catch {
    dirty = true;
  }
}
async function once() {
  if (busy) return;
  busy = true;
  await writeFile("/var/lib/b", String(version));
  busy = false;
}
async function compared() {
  if (!ready) return;
  const seen = version;
  await writeFile("/var/lib/c", String(seen));
  if (seen === version) dirty = false;
}
