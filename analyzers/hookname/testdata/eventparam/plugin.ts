export default async () => ({
  event: async (event: any) => {
    if (event.type === "session.idle") { // want eventparam "has no member type: OpenCode passes {event}"
      console.error(event.properties.sessionID) // want eventparam "has no member properties"
    }
  },
})
