import { writeFile } from "node:fs/promises";
let dirty = false;
class Store {
  dirty = false;
  touch() {
    this.dirty = true;
  }
  async flush() {
    if (!this.dirty) return;
    await writeFile("/var/lib/b", String(this.n));
    this.dirty = false; // want dirtyflag "this.dirty is cleared after the awaited write"
  }
}
const store = new Store();
export default async () => ({
  event: async () => {
    dirty = true;
    store.touch();
    await save();
    await store.flush();
  },
});
async function save() {
  if (!dirty) return;
  dirty = false; // want dirtyflag "dirty is cleared before the awaited write"
  await writeFile("/var/lib/a", String(Date.now()));
}
