// Takes the turn on a file, says so, and keeps it until it is killed.
//
//   node hold_turn.mjs TURN_JS EVENTS_FILE

import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [turnModule, file] = process.argv.slice(2);
const { takeTurn } = await import(pathToFileURL(turnModule));
takeTurn(file);
fs.writeSync(1, "held\n");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
