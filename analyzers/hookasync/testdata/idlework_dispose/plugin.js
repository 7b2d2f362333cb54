import * as fs from "node:fs/promises";

export default async () => {
  let pending = Promise.resolve();
  return {
    event: async ({ event }) => {
      if (event.type === "session.idle") pending = fs.writeFile("x", "y");
    },
    dispose: async () => {
      await pending;
    },
  };
};
