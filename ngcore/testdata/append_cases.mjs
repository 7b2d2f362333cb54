// Runs the plugin's writer over the shared cases: each of a case's events is appended to
// the file that the test prepared. Prints the statuses as JSON.
//
//   node append_cases.mjs EVENTS_JS RUNS_JSON

import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [eventsModule, casesFile] = process.argv.slice(2);
const { createEventWriter } = await import(pathToFileURL(eventsModule));
const runs = JSON.parse(fs.readFileSync(casesFile, "utf8"));
const statuses = runs.map(({ path, append }) => {
  const appendEvent = createEventWriter(path);
  return append.map(({ kind, session_id: sessionID, child, detail }) => appendEvent(kind, { sessionID, child, detail }));
});
process.stdout.write(JSON.stringify(statuses));
