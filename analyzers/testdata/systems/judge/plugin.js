// A judge: asks a model whether a tool call is in order and remembers its verdicts.
import { load, mark, remember } from "./store.js"

export default async ({ client }) => {
  await load()
  return {
    "session.created": async ({ event }) => mark(event.properties.info.id, "new"), // want hookname/unknown "it is an event: handle it in the event hook"
    "tool.execute.before": async (input, output) => {
      const verdict = await ask(client, input.tool, output.args)
      mark(input.callID, verdict)
      if (verdict !== "allow") throw new Error(`judged ${verdict}: do it another way`)
    },
    "tool.execute.after": async (input) => {
      await remember(input.callID, "ran")
    },
    close: async () => {}, // want hookname/unknown "dispose is the hook that runs at the end"
  }
}

async function ask(client, tool, args) {
  const answer = await client.session.prompt({ body: { parts: [{ type: "text", text: JSON.stringify({ tool, args }) }] } })
  return answer.data === "ok" ? "allow" : "deny"
}
