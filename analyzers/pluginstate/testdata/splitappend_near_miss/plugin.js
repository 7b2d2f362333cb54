import fs, { appendFileSync } from "node:fs";
const file = "/var/log/plugin.jsonl";
const once = fs.createWriteStream("/var/log/report.txt");
export default async () => ({
  event: async ({ event }) => {
    appendFileSync(file, JSON.stringify(event) + "\n");
    appendFileSync(file, `${event.type}\n`);
    appendFileSync(file, "\n"); // an empty line
    appendFileSync(file, `${event.type}${"\n"}`);
    appendFileSync(file + ".a", event.type);
    appendFileSync(file + ".b", "\n");
    once.write(event.type);
    once.write("\n");
    appendFileSync(file, "a");
    if (event.type) appendFileSync(file, "\n");
  },
});
