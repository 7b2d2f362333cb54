import { note } from "./note.js";

let client; // the last directory's
let current;
let started;
let workdir = "";
var { length } = "";
export default async (input) => {
  client = input.client; // want modulestate "client is one variable for the whole process and is set to what belongs to one directory"
  setWorkdir(input.directory);
  return {
    event: async ({ event }) => {
      await client.app.log({ body: { message: workdir } });
      note(event.properties);
      if (event.type === "session.created") started = event.properties.info.id; // want modulestate "started"
    },
    "tool.execute.before": async ({ sessionID }) => {
      current = sessionID; // want modulestate "belongs to one session"
    },
    "tool.execute.after": async () => {
      await client.session.get({ path: { id: current ?? started } });
    },
  };
};
function setWorkdir(dir) {
  workdir = dir ?? process.cwd(); // want modulestate "workdir"
}
