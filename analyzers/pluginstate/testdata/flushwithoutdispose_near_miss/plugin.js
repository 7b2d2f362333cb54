import { appendFileSync, writeFileSync } from "node:fs";
const file = "/var/lib/plugin/state.json";
const exits = "/var/lib/plugin/exit.json";
export default async ({ client }) => {
  const state = {};
  let timer, other, logging, killer;
  const save = () => writeFileSync(file, JSON.stringify(state));
  process.on("exit", () => writeFileSync(exits, JSON.stringify(state)));
  return {
    event: async () => {
      clearTimeout(timer);
      timer = setTimeout(save, 100);
      clearTimeout(other);
      other = setTimeout(() => writeFileSync(exits, JSON.stringify(state)), 100);
      clearTimeout(logging);
      logging = setTimeout(() => appendFileSync("/var/log/x", `idle ${state.n}\n`), 100);
      if (!killer) killer = setTimeout(() => client.abort(), 100);
      setTimeout(() => writeFileSync("/var/lib/plugin/once", state.name), 100);
    },
    dispose: async () => {
      clearTimeout(timer);
      save();
    },
  };
};
