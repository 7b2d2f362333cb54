import { writeFile, rename } from "node:fs/promises";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export default async ({ directory }) => {
  const file = path.join(directory, "a.txt");
  return {
    event: async ({ event }) => {
      await writeFile(file + ".tmp", event.type); // want weaktemp "one name in all processes"
      await rename(file + ".tmp", file);
      atomic(path.join(directory, "b.txt"), event.type);
      const away = path.join(os.tmpdir(), `x-${crypto.randomUUID()}`);
      fs.writeFileSync(away, event.type);
      fs.renameSync(away, path.join(directory, "c.txt")); // want weaktemp "EXDEV"
    },
  };
};
function atomic(target, text) {
  const temp = path.join(path.dirname(target), ".b.tmp");
  fs.writeFileSync(temp, text); // want weaktemp "process.pid"
  fs.renameSync(temp, target);
}
