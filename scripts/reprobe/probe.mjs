// The plugin of scripts/reprobe: offers every hook of OpenCode, writes down which the host
// reads and calls and which events it publishes, and changes what the hooks put out in the
// way that the plan (REPROBE_PLAN, JSON) names.
import fs from "node:fs";

const plan = JSON.parse(process.env.REPROBE_PLAN);
const log = (line) => fs.appendFileSync(plan.log, JSON.stringify(line) + "\n");
const mark = (hook, field) => `probe:${hook}:${field}:${plan.mode}`;

const withText = (parts, text) => parts.map((p) => (p.type === "text" ? { ...p, text: `${p.text} ${text}` } : p));

// What a field becomes: a new value, whose parts that differ are new too. undefined leaves
// the field alone.
const changes = {
  "chat.message": {
    message: (old, m) => ({ ...old, system: m }),
    parts: withText,
  },
  "chat.params": {
    temperature: () => plan.temperature,
    topP: () => plan.topP,
    maxOutputTokens: () => plan.maxOutputTokens,
    options: (old, m) => ({ ...old, probe_option: m }),
  },
  "chat.headers": { headers: (old, m) => ({ ...old, "x-probe": m }) },
  "command.execute.before": { parts: withText },
  "tool.execute.before": {
    args: (old, m) => (old.command ? { ...old, command: `${old.command}; echo ${m}` } : undefined),
  },
  "shell.env": { env: (old, m) => ({ ...old, PROBE_ENV: m }) },
  "tool.execute.after": {
    title: (_, m) => m,
    output: (old, m) => `${old} ${m}`,
    metadata: (old, m) => ({ ...old, probe: m }),
    attachments: (_, m, input) => [{
      id: "prt_probe", sessionID: input.sessionID, messageID: "msg_probe",
      type: "file", mime: "text/plain", filename: m, url: "data:text/plain,probe",
    }],
  },
  "experimental.chat.messages.transform": {
    messages: (old, m) => [...old, { ...old[0], parts: withText(old[0].parts, m) }],
  },
  "experimental.chat.system.transform": { system: (old, m) => [...old, m] },
  "experimental.provider.small_model": {
    model: (_, __, input) => input.provider.models[plan.smallModel],
  },
  "experimental.session.compacting": {
    context: (old, m) => [...old, m],
    prompt: (_, m) => m,
  },
  "experimental.compaction.autocontinue": { enabled: () => false },
  "experimental.text.complete": { text: (old, m) => `${old} ${m}` },
  "tool.definition": {
    description: (old, m) => `${old} ${m}`,
    jsonSchema: (old, m) => ({ type: "object", properties: {}, ...old, description: m }),
    parameters: borrowParameters,
  },
};

// borrowParameters gives the tool grep the arguments of the tool glob: a schema of the
// host's own kind, whose effect the model's server sees.
let borrowed;
function borrowParameters(old, _, input) {
  if (input.toolID === "glob") borrowed = old;
  return input.toolID === "grep" ? borrowed : undefined;
}

function change(hook, input, output) {
  for (const [field, next] of Object.entries(changes[hook] ?? {})) {
    if (!plan.fields.includes(`${hook} ${field}`)) continue;
    const value = next(output[field], mark(hook, field), input);
    if (value === undefined) continue;
    if (plan.mode === "reassign") {
      output[field] = value;
    } else if (Array.isArray(output[field])) {
      output[field].splice(0, Infinity, ...value);
    } else if (output[field] && typeof output[field] === "object") {
      Object.assign(output[field], value);
    } else {
      continue;
    }
    log({ kind: "change", name: `${hook} ${field}` });
  }
}

function makeHooks() {
  const hooks = {
    config: async () => log({ kind: "call", name: "config" }),
    dispose: async () => log({ kind: "call", name: "dispose" }),
    event: async ({ event }) => {
      log({ kind: "call", name: "event" });
      log({ kind: "event", name: event.type, keys: Object.keys(event.properties ?? {}) });
    },
    tool: { [plan.tool]: { description: "Does nothing.", args: {}, execute: async () => "nothing" } },
    auth: { provider: "probe", methods: [] },
    provider: { id: "probe", models: async () => ({}) },
  };
  for (const name of plan.triggers) {
    hooks[name] = async (input, output) => {
      log({ kind: "call", name, keys: Object.keys(output ?? {}) });
      change(name, input, output);
    };
  }
  return hooks;
}

export default {
  id: "reprobe",
  server: async () =>
    new Proxy(makeHooks(), {
      get(hooks, name) {
        if (typeof name === "string") log({ kind: "read", name });
        return hooks[name];
      },
    }),
};
