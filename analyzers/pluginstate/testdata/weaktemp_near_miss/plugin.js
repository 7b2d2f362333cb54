import fs from "node:fs";
import os from "node:os";
import path from "node:path";
let count = 0;
export default async ({ directory }) => {
  const file = path.join(directory, "a.txt");
  const put = (temp, text) => {
    fs.writeFileSync(temp, text);
    fs.renameSync(temp, file);
  };
  return {
    event: async ({ event }) => {
      put(`${file}.${process.pid}.${count++}`, event.type);
      put(`${file}.${crypto.randomUUID()}`, event.type);
      fs.writeFileSync(file + ".tmp", event.type, { flag: "wx" });
      fs.renameSync(file + ".tmp", file);
      fs.renameSync(file, file + ".1"); // rotation
      const away = path.join(os.tmpdir(), `x-${crypto.randomUUID()}`);
      fs.writeFileSync(away, event.type);
      fs.renameSync(away, path.join(os.tmpdir(), "x"));
    },
  };
};
