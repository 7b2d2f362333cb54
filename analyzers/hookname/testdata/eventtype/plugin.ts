import { ENDINGS, handle } from "./handle"

const LABELS: Record<string, string> = {
  "session.idle": "idle",
  "session.finished": "done", // want eventtype "never published by OpenCode 1.18.30: what is done"
}

export default async () => ({
  event: async (input: { event: { type: string; properties: unknown } }) => {
    const { event } = input
    if (event.type === "permission.updated") return // want eventtype "(permission.asked is published instead)"
    if (event.type === "tool.execute.after") return // want eventtype "(it is a hook of its own, beside event)"
    if ("lsp.client.diagnostics" !== input.event.type) await handle(event) // want eventtype "never published"
    if (event.type === "turn.ended" || event.type === "turn.over") return // want eventtype "turn.ended" // want eventtype "turn.over"
    if (event.type === "session.idle" || event.type === "sesion.error") return // want eventtype "did you mean "session.error"?"
    if (event.type === "session.idle" || event.type !== "turn.ended") return // want eventtype "turn.ended"
    switch (event.type) {
      case "session.idel": // want eventtype "did you mean "session.idle"?"
      case "session.error":
        break
      case "todo.updated":
    }
    if (ENDINGS.has(event.type)) return
    if (["message.updated", "message.created"].includes(event.type)) return // want eventtype "message.created"
    return LABELS[event.type]
  },
})
