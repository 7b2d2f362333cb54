import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export default async ({ directory }) => {
  const file = join(directory, "state.json");
  const state = { calls: 0 };
  let timer;
  let later;
  const save = async () => {
    await writeFile(`${file}.${process.pid}.${crypto.randomUUID()}`, JSON.stringify(state));
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(save, 500); // want flushwithoutdispose "no dispose hook does"
  };
  return {
    event: async () => schedule(),
    "tool.execute.after": async () => {
      state.calls++;
      if (!later) {
        later = setTimeout(() => { // want flushwithoutdispose "the last state is lost"
          later = undefined;
          save();
        }, 1000);
      }
    },
  };
};
