import fs from "node:fs";
const file = "/var/lib/plugin/state.json";
const log = "/var/lib/plugin/last.txt";
const pid = "/var/lib/plugin/server.pid";
export default async () => {
  const state = JSON.parse(fs.readFileSync(file, "utf8"));
  return {
    event: async ({ event }) => {
      const temp = `${file}.${process.pid}.${Date.now()}`;
      fs.writeFileSync(temp, JSON.stringify({ ...state, event }));
      fs.renameSync(temp, file);
      fs.writeFileSync(log, fs.existsSync(log) ? event.type : ""); // read by people
      fs.writeFileSync(pid, String(process.pid));
      process.kill(Number.parseInt(fs.readFileSync(pid, "utf8")), 0);
      fs.appendFileSync(file + "l", JSON.stringify(event) + "\n");
      fs.writeFileSync(file + ".new", JSON.stringify(event), { flag: "wx" });
    },
  };
};
