import fs from "node:fs";
import { join } from "node:path";
import { randomUUID } from "node:crypto";

export default async ({ directory }) => {
  const file = join(directory, "runs.json");
  const other = join(directory, "other.json");
  const put = (name, value) => {
    const temp = `${name}.${process.pid}.${randomUUID()}`;
    fs.writeFileSync(temp, JSON.stringify(value));
    fs.renameSync(temp, name); // want lostupdate "without a lock"
  };
  const load = () => {
    try {
      return JSON.parse(fs.readFileSync(file, "utf8"));
    } catch { // want corruptoverwrite "everything in it is gone"
      return { runs: 0 };
    }
  };
  let state = {};
  try {
    state = JSON.parse(fs.readFileSync(other, "utf8"));
  } catch {} // want corruptoverwrite "ENOENT"
  return {
    event: async () => {
      const runs = load();
      runs.runs++;
      put(file, runs);
      fs.writeFileSync(`${other}.${process.pid}`, JSON.stringify(state));
      fs.renameSync(`${other}.${process.pid}`, other);
    },
  };
};
