import fs, { appendFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { EOL } from "node:os";
const file = "/var/log/plugin.jsonl";
const stream = fs.createWriteStream(file, { flags: "a" });
export default async () => {
  const fd = fs.openSync(file, "a");
  return {
    event: async ({ event }) => {
      appendFileSync(file, JSON.stringify(event));
      appendFileSync(file, "\n"); // want splitappend "welded"
      await appendFile(file, event.type);
      await appendFile(file, EOL); // want splitappend "in one call"
      stream.write(JSON.stringify(event));
      stream.write("\n"); // want splitappend "both are lost"
      fs.writeSync(fd, "\n");
      fs.writeSync(fd, JSON.stringify(event)); // want splitappend "two calls"
    },
  };
};
