// The judge as it should be: verdicts in the closure, one line appended for each.
import { open } from "./store.js"

const LIMIT_MS = 20_000

export default async ({ client }) => {
  const store = open()
  return {
    "tool.execute.before": async (input, output) => {
      const verdict = await ask(client, input.tool, output.args)
      store.mark(input.callID, verdict)
      if (verdict !== "allow") throw new Error(`judged ${verdict}: do it another way`)
    },
    event: async ({ event }) => {
      if (event.type === "session.created") store.mark(event.properties.info.id, "new")
    },
  }
}

async function ask(client, tool, args) {
  const answer = await client.session.prompt({
    body: { parts: [{ type: "text", text: JSON.stringify({ tool, args }) }] },
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  return answer.data === "ok" ? "allow" : "deny"
}
