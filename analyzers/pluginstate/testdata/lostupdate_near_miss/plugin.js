import fs from "node:fs";
import path from "node:path";
import { withLock } from "some-lock";

export default async ({ directory }) => {
  const file = path.join(directory, ".state.json");
  const put = (name, text) => {
    const temp = `${name}.${process.pid}.${crypto.randomUUID()}`;
    fs.writeFileSync(temp, text);
    fs.renameSync(temp, name);
  };
  const update = () => {
    const state = JSON.parse(fs.readFileSync(file, "utf8"));
    put(file, JSON.stringify({ ...state, n: 1 }));
  };
  let chain = Promise.resolve();
  return {
    event: async ({ event }) => {
      await withLock(file, () => update());
      const mine = path.join(directory, `${event.properties.sessionID}.txt`);
      fs.writeFileSync(mine, fs.readFileSync(mine, "utf8") + "x");
    },
    "tool.execute.before": async (input, output) => {
      const text = fs.readFileSync(output.args.filePath, "utf8");
      fs.writeFileSync(output.args.filePath, text.trim());
    },
    "tool.execute.after": async () => {
      if (fs.readFileSync(path.join(directory, "version"), "utf8") === "1") return;
      fs.writeFileSync(path.join(directory, "version"), "2"); // not made of what was read
      chain = chain.then(() => {
        const queue = JSON.parse(fs.readFileSync("/var/lib/q.json", "utf8"));
        put("/var/lib/q.json", JSON.stringify(queue));
      });
    },
  };
};
