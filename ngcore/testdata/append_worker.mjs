// One writer of the process test: appends COUNT events and one verdict, and reports the
// status of each on standard output before it goes on.
//
//   node append_worker.mjs EVENTS_JS EVENTS_FILE WORKER COUNT

import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [eventsModule, file, worker, count] = process.argv.slice(2);
const { createEventWriter } = await import(pathToFileURL(eventsModule));
const appendEvent = createEventWriter(file);
const report = (i, status) => fs.writeSync(1, `${i} ${status}\n`);
for (let i = 0; i < Number(count); i++) {
  report(i, appendEvent("skill", { sessionID: "ses_1", detail: { worker, i } }));
}
report(count, appendEvent("stop_verify", { detail: { worker, i: Number(count) } }));
