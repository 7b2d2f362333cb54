// Plays the part of OpenCode that runs plugins: loads the entry given as argument, then does
// what each line of standard input says and answers with one line. The host awaits the
// tool hooks and drops the promise of event (HOST.md section 2).
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const entry = process.argv[1];
const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");

async function load() {
  const { default: plugin } = await import(pathToFileURL(entry));
  const directory = process.env.PWD;
  return await plugin.server({ directory, worktree: directory });
}

async function denialOf(request) {
  const { tool, sessionID, callID, args } = request;
  try {
    await hooks["tool.execute.before"]({ tool, sessionID, callID }, { args });
    return "";
  } catch (err) {
    return err.message;
  }
}

async function compact(sessionID) {
  await hooks["experimental.session.compacting"]({ sessionID }, { context: [] });
  const output = { enabled: true };
  await hooks["experimental.compaction.autocontinue"]({ sessionID }, output);
  return output.enabled;
}

async function perform(request) {
  const { tool, sessionID, callID, args } = request;
  switch (request.do) {
    case "before":
      return { denial: await denialOf(request) };
    case "after":
      await hooks["tool.execute.after"]({ tool, sessionID, callID, args }, { title: "", output: "", metadata: {} });
      return {};
    case "publish":
      void hooks.event({ event: { type: request.type, properties: request.properties } });
      return {};
    case "compact":
      return { goes_on: await compact(sessionID) };
    default:
      throw new Error(`unknown request ${request.do}`);
  }
}

let hooks;
try {
  hooks = await load();
} catch {
  answer({ failed: true });
  process.exit(0);
}
answer({ failed: false });
for await (const line of readline.createInterface({ input: process.stdin })) {
  answer(await perform(JSON.parse(line)));
}
