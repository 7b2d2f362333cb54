export default async () => ({
  event: async ({ event }) => {
    if (event.type === "permission.replied") {
      const id = event.properties.requestID ?? event.properties.permissionID;
      return { id, response: event.properties.reply };
    }
    if (event.type === "session.error") return event.properties.response;
    return event.properties.response;
  },
});
