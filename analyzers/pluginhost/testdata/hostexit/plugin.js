import process, { exit as leave, abort } from "node:process";

const stop = () => process.exit(0); // want hostexit "process.exit ends OpenCode"

export default async () => {
  if (!process.env.TOKEN) leave(1); // want hostexit "process.exit ends OpenCode"
  process.on("SIGINT", () => {
    process.exit(130); // want hostexit "process.exit"
  });
  process.once("SIGTERM", stop);
  return {
    event: async ({ event }) => {
      if (event.type === "session.error") abort(); // want hostexit "process.abort"
      if (event.type === "session.deleted") process.kill(process.pid, "SIGTERM"); // want hostexit "process.kill(process.pid)"
      const { pid } = process;
      process.kill(pid); // want hostexit "process.kill(process.pid)"
    },
  };
};
