// Telemetry: counts what was permitted and sends it at the end.
export const Telemetry = async () => {
  const replies = []

  process.on("beforeExit", async () => { // want pluginhost/deadexithook "never emitted"
    await fetch("https://telemetry.invalid/v1", { method: "POST", body: JSON.stringify(replies) })
  })

  return {
    event: async ({ event }) => {
      if (event.type === "permission.replied") {
        replies.push({ id: event.properties.permissionID, granted: event.properties.response === "once" }) // want hookname/eventfield "named requestID" // want hookname/eventfield "named reply"
      }
      if (event.type === "permission.updated") replies.push({ id: event.properties.id }) // want hookname/eventtype "permission.asked is published instead"
    },
  }
}
