// Telemetry as it should be: bounded, the fields of today, sent when OpenCode ends the instance.
const MOST = 1000

export const Telemetry = async () => {
  const replies = []

  function note(reply) {
    if (replies.length === MOST) replies.shift()
    replies.push(reply)
  }

  return {
    event: async ({ event }) => {
      if (event.type === "permission.replied") {
        note({ id: event.properties.requestID, granted: event.properties.reply === "once" })
      }
      if (event.type === "permission.asked") note({ id: event.properties.id })
    },
    dispose: async () => {
      await fetch("https://telemetry.invalid/v1", {
        method: "POST",
        body: JSON.stringify(replies),
        signal: AbortSignal.timeout(2000),
      })
    },
  }
}
