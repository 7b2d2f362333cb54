import fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const dir = join(homedir(), ".plugin");
const fileOf = (id) => join(dir, `${id}.json`);
export default async () => {
  const config = await Bun.file(`${dir}/config.json`).json();
  return {
    event: async ({ event }) => {
      const old = read(event.properties.sessionID);
      write(event.properties.info.id, { ...old, config });
      await Bun.write(`${dir}/config.json`, JSON.stringify(event)); // want nonatomic "in place"
    },
  };
};
function read(session) {
  const text = fs.readFileSync(fileOf(session), "utf8");
  return JSON.parse(text);
}
function write(name, value) {
  fs.writeFileSync(fileOf(name), JSON.stringify(value)); // want nonatomic "finds half of it"
}
