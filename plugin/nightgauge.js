// The entry that OpenCode loads. It has one export, the V1 plugin object: the host treats
// every other export as a plugin too, or drops the file because of it (HOST.md section 1).

import { takeRunEnv } from "./nightgauge/env.js";
import { joinRun, proveRun } from "./nightgauge/runs.js";

async function server(input) {
  const { run, isFirst } = joinRun(takeRunEnv(), input);
  // Every load of a run gates; one of them reports.
  const report = (hook) => async (input, output) => {
    if (isFirst && run.successor === undefined) await hook(input, output);
  };
  const hooks = {
    "tool.execute.before": run.gate,
    "tool.execute.after": report(run.session.toolAfter),
    "command.execute.before": report(run.session.commandBefore),
    // ngvet:ignore hookname/dead part of the contract with Go; session.js handles permission.asked
    "permission.ask": report(run.session.permissionAsk),
    event: report(run.session.event),
    "experimental.session.compacting": report(run.session.compacting),
    "experimental.compaction.autocontinue": report(run.session.autocontinue),
  };
  proveRun(run, Object.keys(hooks));
  return hooks;
}

export default { id: "nightgauge", server };
