import fs from "node:fs";
const file = "/var/lib/plugin/state.json";
const cache = "/var/lib/plugin/cache.json";
const config = "/var/lib/plugin/config.json";
function read(name) {
  try {
    return JSON.parse(fs.readFileSync(name, "utf8"));
  } catch (err) {
    if (err.code !== "ENOENT") throw err;
    return {};
  }
}
function kept() {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    fs.renameSync(file, `${file}.corrupt`);
    return {};
  }
}
function cached() {
  try {
    return JSON.parse(fs.readFileSync(cache, "utf8"));
  } catch {
    return {};
  }
}
function configured() {
  try {
    return JSON.parse(fs.readFileSync(config, "utf8"));
  } catch {
    return { level: 1 };
  }
}
function save(name, value) {
  const temp = `${name}.${process.pid}.${Date.now()}`;
  fs.writeFileSync(temp, JSON.stringify(value));
  fs.renameSync(temp, name); // want lostupdate "without a lock"
}
export default async () => ({
  event: async () => {
    save(file, { ...read(file), ...kept(), level: configured().level });
    save(cache, { ...cached(), n: 1 });
  },
});
